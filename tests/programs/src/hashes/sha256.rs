//! SHA-256, of FIPS 180.

use super::{Message, NONE, TRIES, letters};
use gridfn::prelude::*;

/// The state before the first block.
#[rustfmt::skip]
const START: [u32; 8] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
];

/// The cube roots of the first primes, in units of 2⁻³², without their whole parts.
#[rustfmt::skip]
const ROOTS: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

/// The words of a block and those made of them, one for each step.
#[device]
fn schedule(block: &[u32; 16]) -> [u32; 64] {
    let mut words = [0u32; 64];
    words[..16].copy_from_slice(block);
    for i in 16..64 {
        let (early, late) = (words[i - 15], words[i - 2]);
        let early = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
        let late = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
        words[i] = words[i - 16]
            .wrapping_add(early)
            .wrapping_add(words[i - 7])
            .wrapping_add(late);
    }
    words
}

/// Takes a block in.
#[device]
fn compress(state: &mut [u32; 8], block: &[u32; 16]) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, root) in schedule(block).iter().zip(&ROOTS) {
        let chosen = e & f ^ !e & g;
        let majority = a & b ^ a & c ^ b & c;
        let turned_e = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let turned_a = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let sum = h
            .wrapping_add(turned_e)
            .wrapping_add(chosen)
            .wrapping_add(*root)
            .wrapping_add(*word);
        h = g;
        g = f;
        f = e;
        e = d.wrapping_add(sum);
        d = c;
        c = b;
        b = a;
        a = sum.wrapping_add(turned_a).wrapping_add(majority);
    }
    for (word, change) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(change);
    }
}

/// The digest of each message.
#[kernel]
pub(super) fn sha256(blocks: &[[u32; 16]], messages: &[Message], digests: &mut [[u32; 8]]) {
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
pub(super) fn find_sha256(target: [u32; 8], found: &mut [u32]) {
    let i = global_id(0);
    let first = i as u32 * TRIES;
    let mut hit = NONE;
    for number in first..first + TRIES {
        let [low, high] = letters(number);
        let mut block = [0; 16];
        // The most significant byte comes first here.
        block[0] = low.swap_bytes();
        block[1] = high.swap_bytes();
        // A bit ends the text, and the last words hold its length in bits.
        block[2] = 0x8000_0000;
        block[15] = 64;
        let mut state = START;
        compress(&mut state, &block);
        if (0..8).all(|k| state[k] == target[k]) {
            hit = number;
        }
    }
    found[i] = hit;
}
