#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong io_u8_len;
    ulong floats_u8_len;
    ulong io_i16_len;
    ulong floats_i16_len;
    ulong io_u32_len;
    ulong floats_u32_len;
    ulong io_i64_len;
    ulong floats_i64_len;
};

static long float_to_long(float x) {
    return isnan(x) ? 0 : convert_long_sat_rtz(x);
}

static short float_to_short(float x) {
    return isnan(x) ? 0 : (short)(int)clamp(x, -32768.0f, 32767.0f);
}

static uchar float_to_uchar(float x) {
    return isnan(x) ? 0 : (uchar)(int)clamp(x, 0.0f, 255.0f);
}

static uint float_to_uint(float x) {
    return isnan(x) ? 0 : convert_uint_sat_rtz(x);
}

static uchar reverse_bits_uchar(uchar x) {
    x = ((x >> 1) & 0x55u) | ((x & 0x55u) << 1);
    x = ((x >> 2) & 0x33u) | ((x & 0x33u) << 2);
    x = ((x >> 4) & 0x0fu) | ((x & 0x0fu) << 4);
    return x;
}

static uint reverse_bits_uint(uint x) {
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
    x = ((x >> 16) & 0x0000ffffu) | ((x & 0x0000ffffu) << 16);
    return x;
}

static ulong reverse_bits_ulong(ulong x) {
    x = ((x >> 1) & 0x5555555555555555UL) | ((x & 0x5555555555555555UL) << 1);
    x = ((x >> 2) & 0x3333333333333333UL) | ((x & 0x3333333333333333UL) << 2);
    x = ((x >> 4) & 0x0f0f0f0f0f0f0f0fUL) | ((x & 0x0f0f0f0f0f0f0f0fUL) << 4);
    x = ((x >> 8) & 0x00ff00ff00ff00ffUL) | ((x & 0x00ff00ff00ff00ffUL) << 8);
    x = ((x >> 16) & 0x0000ffff0000ffffUL) | ((x & 0x0000ffff0000ffffUL) << 16);
    x = ((x >> 32) & 0x00000000ffffffffUL) | ((x & 0x00000000ffffffffUL) << 32);
    return x;
}

static ushort reverse_bits_ushort(ushort x) {
    x = ((x >> 1) & 0x5555u) | ((x & 0x5555u) << 1);
    x = ((x >> 2) & 0x3333u) | ((x & 0x3333u) << 2);
    x = ((x >> 4) & 0x0f0fu) | ((x & 0x0f0fu) << 4);
    x = ((x >> 8) & 0x00ffu) | ((x & 0x00ffu) << 8);
    return x;
}

static long saturating_add_long(long a, long b) {
    const long result = (long)((ulong)a + (ulong)b);
    return ((a ^ result) & (b ^ result)) < 0 ? (a < 0 ? LONG_MIN : LONG_MAX) : result;
}

static long saturating_sub_long(long a, long b) {
    const long result = (long)((ulong)a - (ulong)b);
    return ((a ^ b) & (a ^ result)) < 0 ? (a < 0 ? LONG_MIN : LONG_MAX) : result;
}

static uchar trailing_zeros_uchar(uchar x) {
    return popcount((uchar)(~x & (x - 1)));
}

static uint trailing_zeros_uint(uint x) {
    return popcount((uint)(~x & (x - 1)));
}

static ulong trailing_zeros_ulong(ulong x) {
    return popcount((ulong)(~x & (x - 1)));
}

static ushort trailing_zeros_ushort(ushort x) {
    return popcount((ushort)(~x & (x - 1)));
}

kernel void helpers(
    const struct Block block,
    global uchar *io_u8,
    global const float *restrict floats_u8,
    global short *io_i16,
    global const float *restrict floats_i16,
    global uint *io_u32,
    global const float *restrict floats_u32,
    global long *io_i64,
    global const float *restrict floats_i64
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong i = get_global_id(0) + block.offset[0];
    const uchar t = reverse_bits_uchar(trailing_zeros_uchar(io_u8[i]));
    io_u8[i] = t;
    const uchar t_1 = float_to_uchar(floats_u8[i]);
    io_u8[i] = t_1;
    io_u8[i] = add_sat(t, t_1);
    io_u8[i] = sub_sat(t, t_1);
    const short t_2 = (short)reverse_bits_ushort(trailing_zeros_ushort((ushort)io_i16[i]));
    io_i16[i] = t_2;
    const short t_3 = float_to_short(floats_i16[i]);
    io_i16[i] = t_3;
    io_i16[i] = add_sat(t_2, t_3);
    io_i16[i] = sub_sat(t_2, t_3);
    const uint t_4 = reverse_bits_uint(trailing_zeros_uint(io_u32[i]));
    io_u32[i] = t_4;
    const uint t_5 = float_to_uint(floats_u32[i]);
    io_u32[i] = t_5;
    io_u32[i] = add_sat(t_4, t_5);
    io_u32[i] = sub_sat(t_4, t_5);
    const long t_6 = (long)reverse_bits_ulong(trailing_zeros_ulong((ulong)io_i64[i]));
    io_i64[i] = t_6;
    const long t_7 = float_to_long(floats_i64[i]);
    io_i64[i] = t_7;
    io_i64[i] = saturating_add_long(t_6, t_7);
    io_i64[i] = saturating_sub_long(t_6, t_7);
}
