#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong out_len;
};

kernel void order(const struct Block block, global int *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    int x = 5;
    const int t = x;
    x = 10;
    out[0UL] = t;
    const int t_1 = (int)((uint)x + 1u);
    if (x == 10) {
        x = 1;
    }
    out[1UL] = t_1;
    const int t_2 = out[0UL];
    out[0UL] = 10;
    out[2UL] = (int)((uint)t_2 + 1u);
    int y = 7;
    const int t_3 = y;
    y = 10;
    out[3UL] = (int)((uint)x + (uint)t_3);
    const int t_4 = x;
    while (x < 10) {
        const int t_5 = x;
        x = (int)((uint)t_5 + 10u);
        out[4UL] = t_5;
    }
    out[5UL] = (int)((uint)t_4 + (uint)x);
}
