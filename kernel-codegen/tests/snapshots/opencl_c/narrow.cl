#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong out_len;
    uchar x;
    ushort y;
    uchar padding[4];
};

kernel void narrow(const struct Block block, global int *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    out[0UL] = (int)((uchar)(block.x + 100) / 3);
    out[1UL] = (int)((uchar)~block.x >> 3);
    out[2UL] = (int)clz(min((uchar)(block.x ^ 3), (uchar)100));
    out[3UL] = (int)(ushort)((ushort)((uint)block.y * block.y) << 8);
    out[4UL] = (int)(char)((uchar)(char)((char)-(char)block.x * 2) << 2);
}
