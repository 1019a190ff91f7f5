#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    float a;
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

kernel void saxpy(
    const struct Block block,
    global const float *restrict x,
    global float *y,
    global struct Fault *fault
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const float a = block.a;
    const ulong i = get_global_id(0) + block.offset[0];
    if (i >= block.x_len) {
        record_fault(fault, &block, 0, i, block.x_len);
        return;
    }
    const float t = a * x[i];
    if (i >= block.y_len) {
        record_fault(fault, &block, 1, i, block.y_len);
        return;
    }
    y[i] = y[i] + t;
}
