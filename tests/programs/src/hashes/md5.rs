//! MD5, of RFC 1321.

use super::{Message, NONE, TRIES, letters};
use gridfn::prelude::*;

/// The state before the first block.
const START: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// The sines of 1, 2, …, in units of 2⁻³², without their signs.
#[rustfmt::skip]
const SINES: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];

/// By how many bits each step of a round rotates; every round repeats four numbers.
const ROTATIONS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// Takes a block in.
#[device]
fn compress(state: &mut [u32; 4], block: &[u32; 16]) {
    let [mut a, mut b, mut c, mut d] = *state;
    for step in 0..64 {
        let (mixed, word) = match step / 16 {
            0 => (b & c | !b & d, step),
            1 => (d & b | !d & c, 5 * step + 1),
            2 => (b ^ c ^ d, 3 * step + 5),
            _ => (c ^ (b | !d), 7 * step),
        };
        let sum = a
            .wrapping_add(mixed)
            .wrapping_add(block[word % 16])
            .wrapping_add(SINES[step]);
        let rotated = sum.rotate_left(ROTATIONS[step / 16][step % 4]);
        a = d;
        d = c;
        c = b;
        b = b.wrapping_add(rotated);
    }
    for (word, change) in state.iter_mut().zip([a, b, c, d]) {
        *word = word.wrapping_add(change);
    }
}

/// The digest of each message.
#[kernel]
pub(super) fn md5(blocks: &[[u32; 16]], messages: &[Message], digests: &mut [[u32; 4]]) {
    let i = global_id(0);
    let Message { first, count } = messages[i];
    let mut state = START;
    for block in first..first + count {
        compress(&mut state, &blocks[block as usize]);
    }
    digests[i] = state;
}

/// Each work-item tries `TRIES` words, and tells the one whose digest is `target`.
#[kernel]
pub(super) fn find_md5(target: [u32; 4], found: &mut [u32]) {
    let i = global_id(0);
    let first = i as u32 * TRIES;
    let mut hit = NONE;
    for number in first..first + TRIES {
        let [low, high] = letters(number);
        let mut block = [0; 16];
        block[0] = low;
        block[1] = high;
        // A bit ends the text, and the last words hold its length in bits.
        block[2] = 0x80;
        block[14] = 64;
        let mut state = START;
        compress(&mut state, &block);
        if (0..4).all(|k| state[k] == target[k]) {
            hit = number;
        }
    }
    found[i] = hit;
}
