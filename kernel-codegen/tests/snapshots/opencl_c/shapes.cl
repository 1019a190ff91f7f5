#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong out_len;
};

kernel void shapes(const struct Block block, global int *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    int sum = 0;
    for (int i = 0; i < 5; i = (int)((uint)i + 1u)) {
        if (i == 2) {
            continue;
        }
        sum = (int)((uint)sum + (uint)i);
    }
    out[0UL] = sum;
    int half_;
    if (sum > 5) {
        half_ = sum / 2;
    } else {
        half_ = sum;
    }
    while (sum < 100) {
        sum = (int)((uint)sum + (uint)half_);
    }
    out[1UL] = sum;
    int j = 0;
    int even = 0;
    while (j < 100) {
        if ((j & 1) != 0) {
            goto next_2;
        }
        even = (int)((uint)even + 1u);
    next_2:;
        const int t = (int)((uint)j + 1u);
        const int t_1 = (int)((uint)j + 5u);
        if (j < 5) {
            j = t;
        } else {
            j = t_1;
        }
    }
    out[2UL] = even;
}
