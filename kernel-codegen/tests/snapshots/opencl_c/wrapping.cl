#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong out_len;
    int largest;
    uchar padding[4];
};

kernel void wrapping(const struct Block block, global int *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    out[0UL] = (int)-((uint)block.largest * 2u + (uint)-3);
    out[1UL] = (int)(((uint)block.largest + 2u) >> 1u);
    const int t = (int)((uint)block.largest - ((uint)(-2147483647 - 1) - (uint)block.largest) - (uint)-3);
    out[2UL] = t;
    const int t_1 = (int)-(-(uint)(-2147483647 - 1));
    out[3UL] = t_1 >= block.largest ? block.largest : t_1;
}
