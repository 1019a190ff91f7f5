#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    uint limit;
    ulong out_len;
};

kernel void control(const struct Block block, global uint *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong t = get_global_id(0) + block.offset[0];
    const uint i = (uint)t;
    if (i % 7u == 3u) {
        return;
    }
    uint sum = 0u;
    for (uint j = 0u; j < block.limit; j = j + 1u) {
        uint k = 0u;
        for (;;) {
            if (k > j) {
                goto next_0;
            }
            if (sum > 1000u) {
                goto end_0;
            }
            if ((k & 1u) == 1u) {
                sum = sum ^ i;
            } else {
                sum = sum + k;
            }
            k = k + 1u;
        }
    next_0:;
    }
end_0:;
    {
        if (sum < 100u) {
            goto end_2;
        }
        sum = sum - 100u;
    }
end_2:;
    out[t] = sum;
}
