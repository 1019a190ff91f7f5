#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong to_bool_len;
    ulong to_i8_len;
    ulong to_i16_len;
    ulong to_i32_len;
    ulong to_i64_len;
    ulong to_isize_len;
    ulong to_u8_len;
    ulong to_u16_len;
    ulong to_u32_len;
    ulong to_u64_len;
    ulong to_usize_len;
    ulong to_f32_len;
    ulong to_f64_len;
};

kernel void constants(
    const struct Block block,
    global uchar *to_bool,
    global char *to_i8,
    global short *to_i16,
    global int *to_i32,
    global long *to_i64,
    global long *to_isize,
    global uchar *to_u8,
    global ushort *to_u16,
    global uint *to_u32,
    global ulong *to_u64,
    global ulong *to_usize,
    global float *to_f32,
    global double *to_f64
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    to_bool[0UL] = false;
    to_bool[1UL] = true;
    to_i8[0UL] = -128;
    to_i8[1UL] = 127;
    to_i8[2UL] = -1;
    to_i8[3UL] = 0;
    to_i16[0UL] = -32768;
    to_i16[1UL] = 32767;
    to_i16[2UL] = -1;
    to_i16[3UL] = 0;
    to_i32[0UL] = -2147483647 - 1;
    to_i32[1UL] = 2147483647;
    to_i32[2UL] = -1;
    to_i32[3UL] = 0;
    to_i64[0UL] = -9223372036854775807L - 1;
    to_i64[1UL] = 9223372036854775807L;
    to_i64[2UL] = -1L;
    to_i64[3UL] = 0L;
    to_isize[0UL] = -9223372036854775807L - 1;
    to_isize[1UL] = 9223372036854775807L;
    to_isize[2UL] = -1L;
    to_isize[3UL] = 0L;
    to_u8[0UL] = 0;
    to_u8[1UL] = 255;
    to_u8[2UL] = 255;
    to_u8[3UL] = 0;
    to_u16[0UL] = 0;
    to_u16[1UL] = 65535;
    to_u16[2UL] = 65535;
    to_u16[3UL] = 0;
    to_u32[0UL] = 0u;
    to_u32[1UL] = 4294967295u;
    to_u32[2UL] = 4294967295u;
    to_u32[3UL] = 0u;
    to_u64[0UL] = 0UL;
    to_u64[1UL] = 18446744073709551615UL;
    to_u64[2UL] = 18446744073709551615UL;
    to_u64[3UL] = 0UL;
    to_usize[0UL] = 0UL;
    to_usize[1UL] = 18446744073709551615UL;
    to_usize[2UL] = 18446744073709551615UL;
    to_usize[3UL] = 0UL;
    to_f32[0UL] = 0.0f;
    to_f32[1UL] = -0.0f;
    to_f32[2UL] = 0x1.99999ap-4f /* 0.1 */;
    to_f32[3UL] = -2.5f;
    to_f32[4UL] = 0x1.e848p+19f /* 1000000.0 */;
    to_f32[5UL] = 0x1.421f6p-23f /* 1.5e-7 */;
    to_f32[6UL] = 0x1.fffffep+127f /* 3.4028235e38 */;
    to_f32[7UL] = 0x1p-126f /* 1.1754944e-38 */;
    to_f32[8UL] = 0x1p-149f /* 1e-45 */;
    to_f32[9UL] = as_float(0x7f800000u);
    to_f32[10UL] = as_float(0xff800000u);
    to_f32[11UL] = as_float(0x7fc00000u);
    to_f64[0UL] = 0.0;
    to_f64[1UL] = -0.0;
    to_f64[2UL] = 0x1.999999999999ap-4 /* 0.1 */;
    to_f64[3UL] = -2.5;
    to_f64[4UL] = 0x1.e848p+19 /* 1000000.0 */;
    to_f64[5UL] = 0x1.421f5f40d8376p-23 /* 1.5e-7 */;
    to_f64[6UL] = 0x1.fffffffffffffp+1023 /* 1.7976931348623157e308 */;
    to_f64[7UL] = 0x1p-1022 /* 2.2250738585072014e-308 */;
    to_f64[8UL] = 0x0.0000000000001p-1022 /* 5e-324 */;
    to_f64[9UL] = as_double(0x7ff0000000000000UL);
    to_f64[10UL] = as_double(0xfff0000000000000UL);
    to_f64[11UL] = as_double(0x7ff8000000000000UL);
}
