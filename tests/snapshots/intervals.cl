#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
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

typedef float2 aliased_float2 __attribute__((may_alias));

typedef uchar aliased_uchar __attribute__((may_alias));

kernel void intervals(
    const struct Block block,
    global const float *restrict x,
    global float *y,
    global struct Fault *fault
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong i = get_global_id(0) + block.offset[0];
    if (i >= block.x_len) {
        record_fault(fault, &block, 0, i, block.x_len);
        return;
    }
    const float low = x[i * 4UL];
    const float high = x[i * 4UL + 1UL];
    const uchar count = ((global const aliased_uchar *)x)[i * 16UL + 8UL];
    const float t = low - 1.0f;
    const float t_1 = high + 1.0f;
    if (i >= block.y_len) {
        record_fault(fault, &block, 1, i, block.y_len);
        return;
    }
    *(global aliased_float2 *)&y[i * 4UL] = (float2)(t, t_1);
    ((global aliased_uchar *)y)[i * 16UL + 8UL] = count;
}
