#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong cells_len;
};

kernel void counts(const struct Block block, global uint *cells) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    atomic_add(&cells[(get_global_id(0) + block.offset[0]) % 2UL], 1u);
}
