#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong input_len;
    ulong out_len;
};

typedef char aliased_char __attribute__((may_alias));

typedef int aliased_int __attribute__((may_alias));

typedef short aliased_short __attribute__((may_alias));

typedef uchar aliased_uchar __attribute__((may_alias));

typedef uint aliased_uint __attribute__((may_alias));

typedef ushort aliased_ushort __attribute__((may_alias));

kernel void fields_in_f32(const struct Block block, global const float *restrict input, global float *out) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong t = get_global_id(0) + block.offset[0];
    ((global aliased_uchar *)out)[t * 32UL + 3UL] = ((global const aliased_uchar *)input)[t * 32UL + 7UL];
    ((global aliased_char *)out)[t * 32UL + 7UL] = ((global const aliased_char *)input)[t * 32UL + 11UL];
    ((global aliased_short *)out)[t * 16UL + 5UL] = ((global const aliased_short *)input)[t * 16UL + 7UL];
    ((global aliased_int *)out)[t * 8UL + 3UL] = ((global const aliased_int *)input)[t * 8UL + 4UL];
    ((global aliased_uchar *)out)[t * 32UL + 19UL] = ((global const aliased_uchar *)input)[t * 32UL + 23UL];
    ((global aliased_ushort *)out)[t * 16UL + 11UL] = ((global const aliased_ushort *)input)[t * 16UL + 13UL];
    ((global aliased_uint *)out)[t * 8UL + 6UL] = ((global const aliased_uint *)input)[t * 8UL + 7UL];
    out[t * 8UL + 7UL] = input[t * 8UL + 8UL];
}
