#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong x_len;
    ulong print_len;
    uint print_tag;
    uchar padding[4];
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

kernel void reports(
    const struct Block block,
    global const uint *restrict x,
    global uint *print,
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
    if (x[i] > 9u) {
        if (i >= block.x_len) {
            record_fault(fault, &block, 1, i, block.x_len);
            return;
        }
        const ulong t_1 = (ulong)x[i];
        const ulong t_2 = i;
        const uint t_3 = (uint)block.print_len - 2u;
        const uint t_4 = atomic_or(&print[0UL], 0u);
        const bool t_5 = t_4 < t_3;
        bool t = t_5;
        const uint t_6 = (uint)t_1;
        const uint t_7 = (uint)(t_1 >> 32UL);
        const uint t_8 = (uint)t_2;
        const uint t_9 = (uint)(t_2 >> 32UL);
        if (t_5) {
            const uint t_10 = atomic_add(&print[0UL], 7u);
            const bool t_11 = t_10 + 7u <= t_3;
            t = t_11;
            if (t_11) {
                const ulong t_12 = (ulong)t_10;
                print[t_12 + 2UL] = 7u;
                print[t_12 + 3UL] = block.print_tag;
                print[t_12 + 4UL] = 0u;
                print[t_12 + 5UL] = t_6;
                print[t_12 + 6UL] = t_7;
                print[t_12 + 7UL] = t_8;
                print[t_12 + 8UL] = t_9;
            }
        }
        if (!t) {
            atomic_add(&print[1UL], 1u);
        }
    }
}
