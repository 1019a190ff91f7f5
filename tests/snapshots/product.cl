#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong n;
    ulong a_len;
    ulong b_len;
    ulong c_len;
};

struct Fault {
    uint count;
    uint site;
    ulong tag;
    ulong id[3];
    ulong values[27];
};

static void record_fault(
    global struct Fault *fault, const struct Block *block, uint site, ulong value_0, ulong value_1
) {
    if (atomic_inc(&fault->count) == 0) {
        fault->site = site;
        fault->tag = block->tag;
        for (uint d = 0; d < 3; d++) {
            fault->id[d] = get_global_id(d) + block->offset[d];
        }
        fault->values[0] = value_0;
        fault->values[1] = value_1;
    }
}

kernel void product(
    const struct Block block,
    global const float *restrict a,
    global const float *restrict b,
    global float *c,
    global struct Fault *fault
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong n = block.n;
    const ulong column = get_global_id(0) + block.offset[0];
    const ulong row = get_global_id(1) + block.offset[1];
    float sum = 0.0f;
    for (ulong k = 0UL; k < n; k = k + 1UL) {
        const ulong t = row * n + k;
        if (t >= block.a_len) {
            record_fault(fault, &block, 0, t, block.a_len);
            return;
        }
        const ulong t_1 = k * block.size[0] + column;
        const float t_2 = a[t];
        if (t_1 >= block.b_len) {
            record_fault(fault, &block, 1, t_1, block.b_len);
            return;
        }
        sum = sum + t_2 * b[t_1];
    }
    const ulong t_3 = (get_group_id(2) * get_local_size(2) + get_local_id(2)) * block.size[1] + (get_group_id(1) * get_local_size(1) + get_local_id(1));
    const ulong t_4 = t_3 * block.size[0] + (get_group_id(0) * get_local_size(0) + get_local_id(0));
    if (t_4 >= block.c_len) {
        record_fault(fault, &block, 2, t_4, block.c_len);
        return;
    }
    c[t_4] = sum;
}
