#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong input_len;
    ulong out_len;
};

typedef float4 aliased_float4 __attribute__((may_alias));

kernel void vectors_of_4_f32(const struct Block block, global const float *restrict input, global float *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong t = (get_global_id(0) + block.offset[0]) * 4UL + 0UL;
    const float4 input_1 = *(global const aliased_float4 *)&input[t];
    *(global aliased_float4 *)&out[t] = (float4)(input_1.w, input_1.z, input_1.y, input_1.x);
}
