#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong out_len;
    ulong ones_len;
};

constant uint table_of_f32_TABLE[35] = {
    3248488448u, 3247702016u, 3246915584u, 3245867008u, 3244294144u, 3242721280u, 3241148416u,
    3239575552u, 3238002688u, 3234856960u, 3231711232u, 3227516928u, 3221225472u, 3204448256u,
    1065353216u, 1075838976u, 1082130432u, 1085276160u, 1088421888u, 1091043328u, 1092616192u,
    1094189056u, 1095761920u, 1097334784u, 1098907648u, 1099694080u, 1100480512u, 1101266944u,
    1102053376u, 1102839808u, 2143289344u, 4286578688u, 2139095039u, 2147483648u, 1u,
};

constant float table_of_f32_table[1] = {
    -18.5f,
};

kernel void table_of_f32(const struct Block block, global float *out, global float *ones) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong t = get_global_id(0) + block.offset[0];
    out[t] = as_float(table_of_f32_TABLE[(t + 0UL) % 35UL]);
    ones[t] = table_of_f32_table[(t + 0UL) % 1UL];
}
