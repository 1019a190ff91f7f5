#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong a_len;
    ulong b_len;
    ulong out_len;
};

kernel void precise(
    const struct Block block,
    global const float *restrict a,
    global const float *restrict b,
    global float *out
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong t = get_global_id(0) + block.offset[0];
    out[t] = (float)sqrt((double)(float)((double)a[t] / (double)b[t]));
}
