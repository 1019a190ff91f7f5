#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    uchar p_bool;
    short p_i16;
    uchar p_u8;
    double p_f64;
    char p_i8;
    float p_f32;
    ushort p_u16;
    long p_i64;
    uchar p_u8_1;
    ulong out_len;
};

kernel void mixed(const struct Block block, global double *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    out[0UL] = (double)(uchar)block.p_bool;
    out[1UL] = (double)block.p_i16;
    out[2UL] = (double)block.p_u8;
    out[3UL] = block.p_f64;
    out[4UL] = (double)block.p_i8;
    out[5UL] = (double)block.p_f32;
    out[6UL] = (double)block.p_u16;
    out[7UL] = (double)block.p_i64;
    out[8UL] = (double)block.p_u8_1;
}
