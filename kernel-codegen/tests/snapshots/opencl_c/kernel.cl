#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong global_len;
    int half_;
    int block_;
    int x_len;
    int struct_;
    int gruf6udfe;
    int v__global;
    int float4_;
    int size_1;
    ulong x_len_1;
};

kernel void kernel_(const struct Block block, global int *global_, global const int *restrict x) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const int t_1 = (int)(0u + (uint)block.half_ + (uint)block.block_ + (uint)block.x_len + (uint)block.struct_);
    const int t_2 = (int)((uint)t_1 + (uint)block.gruf6udfe + (uint)block.v__global + (uint)block.float4_);
    const int t_3 = (int)((uint)t_2 + (uint)block.size_1);
    const int max_ = (int)((uint)t_3 + (uint)t_3);
    const int t = (int)((uint)max_ + (uint)max_);
    const int x_1 = (int)((uint)t + (uint)t);
    const int step_ = (int)((uint)x_1 + (uint)x_1);
    const int x_2 = (int)((uint)step_ + (uint)step_);
    const int fault_ = (int)((uint)x_2 + (uint)x_2);
    const int image2d_t_ = (int)((uint)fault_ + (uint)fault_);
    const int M_PI_ = (int)((uint)image2d_t_ + (uint)image2d_t_);
    const int as_uint_ = (int)((uint)M_PI_ + (uint)M_PI_);
    const int get_global_id_ = (int)((uint)as_uint_ + (uint)as_uint_);
    const ulong t_4 = get_global_id(0) + block.offset[0];
    global_[t_4 * t_4 % t_4] = get_global_id_;
}
