#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong input_len;
    ulong out_len;
};

typedef uchar2 aliased_uchar2 __attribute__((may_alias));

kernel void vectors_of_2_u8(const struct Block block, global const uchar *restrict input, global uchar *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong t = (get_global_id(0) + block.offset[0]) * 2UL + 0UL;
    const uchar2 input_1 = *(global const aliased_uchar2 *)&input[t];
    *(global aliased_uchar2 *)&out[t] = (uchar2)(input_1.y, input_1.x);
}
