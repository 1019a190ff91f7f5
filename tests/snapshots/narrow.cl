#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong x_len;
    uchar flag;
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

static ushort float_to_ushort(float x) {
    return isnan(x) ? 0 : (ushort)(int)clamp(x, 0.0f, 65535.0f);
}

kernel void narrow(
    const struct Block block,
    global const char *restrict x,
    global ushort *y,
    global struct Fault *fault
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const bool flag = block.flag;
    const ulong i = get_global_id(0) + block.offset[0];
    char small;
    if (flag) {
        if (i >= block.x_len) {
            record_fault(fault, &block, 0, i, block.x_len);
            return;
        }
        small = (char)(x[i] * 3);
    } else {
        if (i >= block.x_len) {
            record_fault(fault, &block, 1, i, block.x_len);
            return;
        }
        const char t = x[i];
        small = t < 0 ? (char)-t : t;
    }
    const ushort t_1 = (ushort)small;
    const ushort t_2 = (ushort)(t_1 << 5) | (t_1 >> 11);
    if (i >= block.x_len) {
        record_fault(fault, &block, 2, i, block.x_len);
        return;
    }
    const ushort t_3 = (ushort)(t_2 + float_to_ushort((float)x[i] * 1500.0f));
    if (i >= block.y_len) {
        record_fault(fault, &block, 3, i, block.y_len);
        return;
    }
    y[i] = t_3;
}
