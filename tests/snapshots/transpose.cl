#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong a_len;
    ulong a_start;
    ulong a_shape_0;
    ulong a_shape_1;
    ulong a_strides_0;
    ulong b_len;
    ulong b_start;
    ulong b_shape_0;
    ulong b_shape_1;
    ulong b_strides_0;
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

kernel void transpose(
    const struct Block block,
    global const float *restrict a,
    global float *b,
    global struct Fault *fault
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong x = get_global_id(0) + block.offset[0];
    const ulong y = get_global_id(1) + block.offset[1];
    if (x >= block.a_shape_0) {
        record_fault(fault, &block, 0, x, block.a_shape_0);
        return;
    }
    if (y >= block.a_shape_1) {
        record_fault(fault, &block, 0, y, block.a_shape_1);
        return;
    }
    const float t = a[block.a_start + x * block.a_strides_0 + y];
    if (y >= block.b_shape_0) {
        record_fault(fault, &block, 1, y, block.b_shape_0);
        return;
    }
    if (x >= block.b_shape_1) {
        record_fault(fault, &block, 1, x, block.b_shape_1);
        return;
    }
    b[block.b_start + y * block.b_strides_0 + x] = t;
}
