#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    uint n;
    ulong x_len;
    ulong y_len;
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

kernel void loops(
    const struct Block block,
    global const uint *restrict x,
    global ulong *y,
    global struct Fault *fault
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const uint n = block.n;
    const ulong i = get_global_id(0) + block.offset[0];
    ulong total = 0UL;
    const ulong t_2 = 2UL;
    bool t = 0u < n;
    ulong t_1 = ((ulong)n - (ulong)0u - 1UL) / t_2;
    for (uint row = 0u; t; t = t_1 != 0UL, t_1 = t_1 - 1UL, row = row + (uint)t_2) {
        if (i >= block.x_len) {
            record_fault(fault, &block, 0, i, block.x_len);
            return;
        }
        uint left = x[i] >> (row & 31u & 31u);
        while (left != 0u) {
            left = left & (left - 1u);
            total = total + 1UL;
            if (total > 1000UL) {
                goto end_0;
            }
        }
        if (row == 7u) {
            continue;
        }
        total = total ^ 3UL;
    }
end_0:;
    const ulong t_3 = (ulong)max(n, 1u);
    if (t_3 == 0UL) {
        record_fault(fault, &block, 1, 0UL, 0UL);
        return;
    }
    const ulong t_4 = total / t_3;
    if (i >= block.y_len) {
        record_fault(fault, &block, 2, i, block.y_len);
        return;
    }
    y[i] = t_4;
}
