#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong out_len;
};

kernel void dead_ends(const struct Block block, global uint *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong t = get_global_id(0) + block.offset[0];
    for (;; out[t] = 3u) {
        if (((uint)t & 1u) == 1u) {
            out[t] = 1u;
            return;
        } else {
            out[t] = 2u;
            return;
        }
    }
    out[t] = 3u;
}
