#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong input_len;
    ulong words_len;
    ulong sums_len;
};

typedef float aliased_float __attribute__((may_alias));

typedef long aliased_long __attribute__((may_alias));

typedef uint aliased_uint __attribute__((may_alias));

typedef ulong aliased_ulong __attribute__((may_alias));

kernel void payloads_of_f64(
    const struct Block block,
    global const double *restrict input,
    global double *words,
    global ulong *sums
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong i = get_global_id(0) + block.offset[0];
    words[i] = input[i];
    const ulong t = i * 2UL + 0UL;
    const ulong t_1 = i * 2UL + 1UL;
    const uint t_2 = ((global aliased_uint *)words)[t];
    ((global aliased_uint *)words)[t] = ((global aliased_uint *)words)[t_1];
    ((global aliased_uint *)words)[t_1] = t_2;
    const ulong t_3 = ((global aliased_ulong *)words)[i];
    ((global aliased_float *)words)[t_1] = 1.5f;
    sums[i] = t_3 + (ulong)((global aliased_long *)words)[i];
}
