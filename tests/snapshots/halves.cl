#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ushort a;
    ulong x_len;
    ulong y_len;
};

struct Fault {
    uint count;
    uint site;
    ulong tag;
    ulong id[3];
    ulong values[27];
};

static void record_fault(
    global struct Fault *fault, const struct Block *block, uint site, ulong value_0, ulong value_1
) {
    if (atomic_inc(&fault->count) == 0) {
        fault->site = site;
        fault->tag = block->tag;
        for (uint d = 0; d < 3; d++) {
            fault->id[d] = get_global_id(d) + block->offset[d];
        }
        fault->values[0] = value_0;
        fault->values[1] = value_1;
    }
}

kernel void halves(
    const struct Block block,
    global const ushort *restrict x,
    global ushort *y,
    global struct Fault *fault
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ushort a = block.a;
    const ulong i = get_global_id(0) + block.offset[0];
    if (i >= block.x_len) {
        record_fault(fault, &block, 0, i, block.x_len);
        return;
    }
    const ushort bits = a;
    const uint sign_ = ((uint)bits & 32768u) << 16u;
    const uint abs_ = (uint)bits & 32767u;
    uint wide = (abs_ << 13u) + ((127u - 15u) << 23u);
    const bool is_normal = abs_ - 1024u < 31744u - 1024u;
    const ushort t = x[i];
    if (!is_normal) {
        if (abs_ < 1024u) {
            wide = as_uint((float)abs_ * as_float((127u - 24u) << 23u));
        } else if (abs_ == 31744u) {
            wide = 2139095040u;
        } else {
            wide = wide | 2143289344u;
        }
    }
    const ushort bits_1 = t;
    const uint sign__1 = ((uint)bits_1 & 32768u) << 16u;
    const uint abs__1 = (uint)bits_1 & 32767u;
    uint wide_1 = (abs__1 << 13u) + ((127u - 15u) << 23u);
    const bool is_normal_1 = abs__1 - 1024u < 31744u - 1024u;
    const float t_1 = as_float(sign_ | wide);
    if (!is_normal_1) {
        if (abs__1 < 1024u) {
            wide_1 = as_uint((float)abs__1 * as_float((127u - 24u) << 23u));
        } else if (abs__1 == 31744u) {
            wide_1 = 2139095040u;
        } else {
            wide_1 = wide_1 | 2143289344u;
        }
    }
    const float x_1 = t_1 * as_float(sign__1 | wide_1);
    const uint bits_2 = as_uint(x_1);
    const uint sign__2 = (bits_2 >> 16u) & 32768u;
    const uint abs__2 = bits_2 & 2147483647u;
    const uint odd = (abs__2 >> 13u) & 1u;
    uint narrow = (abs__2 + 4095u + odd - ((127u - 15u) << 23u)) >> 13u;
    const bool is_normal_2 = abs__2 - 947912704u < 1199570944u - 947912704u;
    if (!is_normal_2) {
        if (abs__2 < 947912704u) {
            narrow = as_uint(as_float(abs__2) + 0.5f) - 1056964608u;
        } else if (abs__2 <= 2139095040u) {
            narrow = 31744u;
        } else {
            narrow = 32256u | ((abs__2 >> 13u) & 1023u);
        }
    }
    const ushort bits_3 = (ushort)(sign__2 | narrow);
    const uint sign__3 = ((uint)bits_3 & 32768u) << 16u;
    const uint abs__3 = (uint)bits_3 & 32767u;
    uint wide_2 = (abs__3 << 13u) + ((127u - 15u) << 23u);
    const bool is_normal_3 = abs__3 - 1024u < 31744u - 1024u;
    if (!is_normal_3) {
        if (abs__3 < 1024u) {
            wide_2 = as_uint((float)abs__3 * as_float((127u - 24u) << 23u));
        } else if (abs__3 == 31744u) {
            wide_2 = 2139095040u;
        } else {
            wide_2 = wide_2 | 2143289344u;
        }
    }
    const float x_2 = as_float(sign__3 | wide_2);
    const uint bits_4 = as_uint(x_2);
    const uint odd_1 = (bits_4 >> 16u) & 1u;
    const uint number = (bits_4 + (32767u + odd_1)) >> 16u;
    const uint nan_ = (bits_4 >> 16u) | 64u;
    const ushort t_2 = (ushort)((bits_4 & 2147483647u) > 2139095040u ? nan_ : number);
    if (i >= block.y_len) {
        record_fault(fault, &block, 1, i, block.y_len);
        return;
    }
    y[i] = t_2;
}
