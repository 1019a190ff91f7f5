#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong input_len;
    ulong out_len;
};

kernel void variables_of_bool(const struct Block block, global const uchar *restrict input, global uchar *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong t_1 = get_global_id(0) + block.offset[0];
    uchar t[5];
    for (ulong j = 0UL; j < 5UL; j = j + 1UL) {
        t[(t_1 + j) % 5UL] = input[j];
    }
    const ulong t_2 = (t_1 + 0UL) % 5UL;
    const ulong t_3 = (t_1 + 2UL) % 5UL;
    const bool t_4 = t[t_2];
    t[t_2] = t[t_3];
    t[t_3] = t_4;
    for (ulong j_1 = 0UL; j_1 < 5UL; j_1 = j_1 + 1UL) {
        out[t_1 * 5UL + 0UL + j_1] = t[j_1];
    }
}
