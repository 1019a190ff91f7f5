#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong out_len;
};

kernel void indices(const struct Block block, global ulong *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong t = (get_global_id(2) + block.offset[2] - 30UL) * 7UL + (get_global_id(1) + block.offset[1] - 20UL);
    const ulong t_1 = (t * 9UL + (get_global_id(0) + block.offset[0] - 10UL)) * 18UL;
    out[t_1] = get_global_id(0) + block.offset[0];
    const ulong t_2 = t_1 + 1UL;
    out[t_2] = get_global_id(1) + block.offset[1];
    const ulong t_3 = t_2 + 1UL;
    out[t_3] = get_global_id(2) + block.offset[2];
    const ulong t_4 = t_3 + 1UL;
    out[t_4] = get_local_id(0);
    const ulong t_5 = t_4 + 1UL;
    out[t_5] = get_local_id(1);
    const ulong t_6 = t_5 + 1UL;
    out[t_6] = get_local_id(2);
    const ulong t_7 = t_6 + 1UL;
    out[t_7] = get_group_id(0);
    const ulong t_8 = t_7 + 1UL;
    out[t_8] = get_group_id(1);
    const ulong t_9 = t_8 + 1UL;
    out[t_9] = get_group_id(2);
    const ulong t_10 = t_9 + 1UL;
    out[t_10] = block.size[0];
    const ulong t_11 = t_10 + 1UL;
    out[t_11] = block.size[1];
    const ulong t_12 = t_11 + 1UL;
    out[t_12] = block.size[2];
    const ulong t_13 = t_12 + 1UL;
    out[t_13] = get_local_size(0);
    const ulong t_14 = t_13 + 1UL;
    out[t_14] = get_local_size(1);
    const ulong t_15 = t_14 + 1UL;
    out[t_15] = get_local_size(2);
    const ulong t_16 = t_15 + 1UL;
    out[t_16] = get_num_groups(0);
    const ulong t_17 = t_16 + 1UL;
    out[t_17] = get_num_groups(1);
    out[t_17 + 1UL] = get_num_groups(2);
}
