#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    uchar flags[3];
    ulong a;
    char bytes[5];
    ulong words_len;
    short shorts[3];
    long b;
    uchar c;
    uchar d;
    float floats[3];
    ulong floats_out_len;
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

kernel void arrays(
    const struct Block block,
    global ulong *words,
    global float *floats_out,
    global struct Fault *fault
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong i = get_global_id(0) + block.offset[0];
    const ulong t = 0UL + block.a * 1UL + (ulong)block.b * 3UL + (ulong)block.c * 5UL + (ulong)block.d * 7UL;
    words[i] = t;
    if (i >= 1000UL) {
        if (i >= 0UL) {
            record_fault(fault, &block, 0, i, 0UL);
            return;
        }
        words[i] = 0UL;
    }
    const ulong t_1 = i % 3UL;
    const float t_2 = block.flags[t_1] ? block.floats[t_1] : (float)(short)(block.shorts[t_1] - (short)block.bytes[i % 5UL]);
    floats_out[i] = t_2;
}
