#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong bodies_len;
    ulong bodies_out_len;
};

typedef uchar aliased_uchar __attribute__((may_alias));

typedef uint aliased_uint __attribute__((may_alias));

constant float bodies_const[3] = {
    0.5f, -0x1.99999ap-4f /* -0.1 */, 0x1.043562p+68f /* 3e20 */,
};

kernel void bodies(
    const struct Block block,
    global const double *restrict bodies,
    global double *bodies_out
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong i = get_global_id(0) + block.offset[0];
    double local_[4];
    for (ulong j = 0UL; j < 4UL; j = j + 1UL) {
        local_[j] = bodies[(i + j) % 10UL * 2UL + 1UL] * (double)bodies_const[(j + 0UL) % 3UL];
    }
    const ulong t = (i + 0UL) % 10UL;
    const uchar tag = ((global const aliased_uchar *)bodies)[t * 16UL + 0UL];
    ((global aliased_uchar *)bodies_out)[i * 16UL + 0UL] = (uchar)~tag;
    ((global aliased_uint *)bodies_out)[i * 4UL + 1UL] = ((global const aliased_uint *)bodies)[t * 4UL + 1UL] + 1u;
    bodies_out[i * 2UL + 1UL] = bodies[t * 2UL + 1UL] + local_[((ulong)tag + 0UL) % 4UL];
}
