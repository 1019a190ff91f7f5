#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong x_len;
    ulong y_len;
};

kernel void groups(const struct Block block, global const float *restrict x, global float *y) {
    local float tile[16];
    local uchar shared[4];
    const ulong t = get_global_id(0) + block.offset[0];
    const bool t_1 = t < block.size[0];
    const ulong t_2 = get_local_id(0);
    if (t_1) {
        tile[t_2] = x[t];
        shared[0UL] = t_1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const ulong t_3 = t_2 ^ 1UL;
    const float t_4 = shared[0UL] ? tile[t_3] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    tile[t_2] = t_4;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    y[t] = t_4 + tile[t_3];
}
