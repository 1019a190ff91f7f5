#pragma OPENCL FP_CONTRACT OFF

struct Block {
    ulong size[3];
    ulong offset[3];
    ulong tag;
    ulong x_len;
    ulong cells_len;
    ulong given_len;
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

kernel void atomics_i32(
    const struct Block block,
    global const int *restrict x,
    global int *cells,
    global int *given,
    global struct Fault *fault
) {
    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
    const ulong i = get_global_id(0) + block.offset[0];
    if (i >= block.cells_len) {
        record_fault(fault, &block, 0, i, block.cells_len);
        return;
    }
    const ulong t = i + i;
    const int t_1 = x[t];
    const int t_2 = x[t + 1UL];
    const ulong t_3 = i * 20UL;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const int t_4 = atomic_or(&cells[i], 0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    given[t_3 + 0UL] = t_4;
    const int t_5 = atomic_xchg(&cells[i], t_2);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    given[t_3 + 1UL] = t_5;
    const int t_6 = atomic_add(&cells[i], t_1);
    given[t_3 + 2UL] = t_6;
    const int t_7 = atomic_sub(&cells[i], t_2);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    given[t_3 + 3UL] = t_7;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const int t_8 = atomic_and(&cells[i], t_1);
    given[t_3 + 4UL] = t_8;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const int t_9 = atomic_or(&cells[i], t_2);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    given[t_3 + 5UL] = t_9;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const int t_10 = atomic_xor(&cells[i], t_1);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    given[t_3 + 6UL] = t_10;
    const int t_11 = atomic_min(&cells[i], t_2);
    given[t_3 + 7UL] = t_11;
    const int t_12 = atomic_or(&cells[i], 0);
    given[t_3 + 8UL] = t_12;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const int t_13 = atomic_max(&cells[i], t_2);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    given[t_3 + 9UL] = t_13;
    const int t_14 = atomic_or(&cells[i], 0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    given[t_3 + 10UL] = t_14;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&cells[i], t_2);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const int t_15 = atomic_cmpxchg(&cells[i], t_2, t_1);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    given[t_3 + 12UL] = t_15;
    const int t_16 = atomic_cmpxchg(&cells[i], t_1, t_2);
    given[t_3 + 13UL] = t_16;
    const int t_17 = atomic_or(&cells[i], 0);
    given[t_3 + 14UL] = t_17;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const int t_18 = atomic_cmpxchg(&cells[i], t_1, t_2);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    given[t_3 + 15UL] = t_18;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const int t_19 = atomic_xchg(&cells[i], t_1);
    given[t_3 + 16UL] = t_19;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&cells[i], t_2);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    const int t_20 = atomic_add(&cells[i], t_1);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    given[t_3 + 18UL] = t_20;
    atomic_xchg(&cells[i], t_2);
}
