//! MD5 and SHA-256: digests of messages, and a search for the word that has a given digest, by trying them all.
//!
//! `--n` is the number of words that are tried; a real one is 100000000.

mod md5;
mod sha256;

use crate::common;
use ::md5::{Digest, Md5};
use ::sha2::Sha256;
use gridfn::prelude::*;

/// Where the blocks of a message are.
#[derive(Clone, Copy, DeviceCopy)]
struct Message {
    first: u32,
    count: u32,
}

/// How many words a work-item of a search tries.
const TRIES: u32 = 16;
/// The number of no word.
const NONE: u32 = u32::MAX;

/// The word of that number, of eight letters; the least significant byte comes first.
#[device]
fn letters(number: u32) -> [u32; 2] {
    let mut packed = [0; 2];
    let mut rest = number;
    for k in 0..8 {
        let letter = b'a' as u32 + rest % 26;
        packed[k / 4] |= letter << (8 * (k % 4));
        rest /= 26;
    }
    packed
}

/// The same word as text.
fn word(mut number: u32) -> Vec<u8> {
    let mut letter = || {
        let letter = b'a' + (number % 26) as u8;
        number /= 26;
        letter
    };
    (0..8).map(|_| letter()).collect()
}

/// Launches the kernel that gives every message its digest.
type Digests<const WORDS: usize> =
    fn(&Queue, &Buffer<[u32; 16]>, &Buffer<Message>, &mut Buffer<[u32; WORDS]>) -> gridfn::Result<()>;

/// A function to be checked, with digests of `WORDS` words.
struct Hash<const WORDS: usize> {
    name: &'static str,
    /// Messages and their digests in the standard.
    vectors: &'static [(&'static str, &'static str)],
    /// A crate's opinion.
    reference: fn(&[u8]) -> Vec<u8>,
    /// How four bytes are a word, and a length is bytes.
    word: fn([u8; 4]) -> u32,
    length: fn(u64) -> [u8; 8],
    digests: Digests<WORDS>,
    /// Launches the search for the word of a digest.
    find: fn(&Queue, [u32; WORDS], &mut Buffer<u32>) -> gridfn::Result<()>,
}

const MD5: Hash<4> = Hash {
    name: "MD5",
    vectors: &[
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f",
        ),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a",
        ),
    ],
    reference: |message| Md5::digest(message).to_vec(),
    word: u32::from_le_bytes,
    length: u64::to_le_bytes,
    digests: |queue, blocks, messages, digests| {
        launch!(
            queue,
            md5::md5(blocks, messages, digests),
            global = messages.len()
        )
    },
    find: |queue, target, found| {
        let items = found.len();
        launch!(queue, md5::find_md5(target, found), global = items)
    },
};

const SHA_256: Hash<8> = Hash {
    name: "SHA-256",
    vectors: &[
        (
            "abc",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
    ],
    reference: |message| Sha256::digest(message).to_vec(),
    word: u32::from_be_bytes,
    length: u64::to_be_bytes,
    digests: |queue, blocks, messages, digests| {
        launch!(
            queue,
            sha256::sha256(blocks, messages, digests),
            global = messages.len()
        )
    },
    find: |queue, target, found| {
        let items = found.len();
        launch!(queue, sha256::find_sha256(target, found), global = items)
    },
};

impl<const WORDS: usize> Hash<WORDS> {
    /// The blocks of a message, with what ends it.
    fn blocks(&self, message: &[u8]) -> Vec<[u32; 16]> {
        let mut bytes = [message, &[0x80]].concat();
        bytes.resize((bytes.len() + 8).next_multiple_of(64) - 8, 0);
        bytes.extend((self.length)(8 * message.len() as u64));
        let (blocks, _) = bytes.as_chunks::<64>();
        blocks.iter().map(|block| self.words(block)).collect()
    }

    fn words<const N: usize>(&self, bytes: &[u8]) -> [u32; N] {
        let (words, _) = bytes.as_chunks::<4>();
        std::array::from_fn(|i| (self.word)(words[i]))
    }

    /// The digest of a message, by the crate.
    fn expected(&self, message: &[u8]) -> [u32; WORDS] {
        self.words(&(self.reference)(message))
    }

    /// Checks digests of the standard's messages and of others of every length, and a search among `n` words.
    fn check(&self, device: &Device, n: usize) -> common::Result {
        let mut cases = vec![];
        for (message, digest) in self.vectors {
            let digest = (0..digest.len())
                .step_by(2)
                .map(|i| u8::from_str_radix(&digest[i..i + 2], 16))
                .collect::<Result<Vec<u8>, _>>()?;
            cases.push((message.as_bytes().to_vec(), self.words(&digest)));
        }
        let mut random = fastrand::Rng::with_seed(13);
        for length in 0..150 {
            let message: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(length).collect();
            let digest = self.expected(&message);
            cases.push((message, digest));
        }
        let (mut blocks, mut messages) = (vec![], vec![]);
        for (message, _) in &cases {
            let first = blocks.len() as u32;
            blocks.extend(self.blocks(message));
            let count = blocks.len() as u32 - first;
            messages.push(Message { first, count });
        }

        let queue = device.queue()?;
        let mut digests = queue.upload(&vec![[0; WORDS]; messages.len()])?;
        (self.digests)(
            &queue,
            &queue.upload(&blocks)?,
            &queue.upload(&messages)?,
            &mut digests,
        )?;
        let digests = queue.download(&digests)?;
        let wrong = cases
            .iter()
            .zip(&digests)
            .filter(|((_, expected), found)| expected != *found);
        let wrong = wrong.count();
        println!("{} of {} messages, mismatches {wrong}", self.name, cases.len());

        // The secret is one of the last words, so that a search that ends early would miss it.
        let items = n.clamp(1, 1 << 31).div_ceil(TRIES as usize);
        let secret = items as u32 * TRIES - 5;
        let mut found = queue.zeros::<u32>(items)?;
        (self.find)(&queue, self.expected(&word(secret)), &mut found)?;
        let found: Vec<u32> = queue
            .download(&found)?
            .into_iter()
            .filter(|n| *n != NONE)
            .collect();
        let text = |numbers: &[u32]| {
            let words: Vec<String> = numbers
                .iter()
                .map(|n| String::from_utf8_lossy(&word(*n)).into_owned())
                .collect();
            words.join(" ")
        };
        println!(
            "{} of {} words, found {}",
            self.name,
            items * TRIES as usize,
            text(&found)
        );
        if found != [secret] {
            return Err(common::failure(format!("the secret is {}", text(&[secret]))));
        }
        if wrong > 0 {
            return Err(common::failure("these are not the digests"));
        }
        Ok(())
    }
}

pub(crate) fn run(device: &Device, n: Option<usize>) -> common::Result {
    let n = n.unwrap_or(1000);
    MD5.check(device, n)?;
    SHA_256.check(device, n)?;
    println!("mismatches 0");
    Ok(())
}
