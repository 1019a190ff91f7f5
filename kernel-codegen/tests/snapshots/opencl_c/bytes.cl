#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    uchar flag;
    char low;
    ulong flags_len;
    ulong small_len;
    ulong out_len;
};

kernel void bytes(
    const struct Block block,
    global const uchar *restrict flags,
    global const char *restrict small,
    global uchar *out
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong t = get_global_id(0) + block.offset[0];
    bool both = flags[t] & (small[t] < block.low);
    both = both ^ block.flag;
    out[t] = both;
}
