//! The arguments of one launch, packed on the stack of the launching thread.

use gridfn_ir::layout::align_up;
use gridfn_runtime::leaves::Leaf;
use gridfn_runtime::{Error, Kernel, Result, Shape};
use std::mem::MaybeUninit;

const WORDS: usize = 512;

/// The memory of a block. It is apart from the [`Block`] that fills it, so that the compiler sees each place as a
/// constant, whatever has been written before.
pub(crate) struct Room([MaybeUninit<u64>; WORDS]);

impl Room {
    /// Room for any block that a launch can pass.
    #[inline(always)]
    pub(crate) fn new() -> Room {
        Room([const { MaybeUninit::uninit() }; WORDS])
    }

    /// Room whose first `bytes` bytes are zero.
    #[cfg_attr(
        not(feature = "opencl"),
        expect(dead_code, reason = "only drivers need whole blocks")
    )]
    #[inline(always)]
    pub(crate) fn zeroed(bytes: usize) -> Room {
        let mut room = Room::new();
        // SAFETY: within the room.
        unsafe {
            room.0
                .as_mut_ptr()
                .cast::<u8>()
                .write_bytes(0, bytes.min(size_of::<Room>()))
        };
        room
    }
}

/// Values one after the other, each at its natural alignment: the whole block of a host launch, or the parameter
/// block of [`gridfn_ir::layout`] once [`Block::header`] has begun it.
///
/// What doesn't fit is counted and not written, so that one test at the end ([`Block::check`]) does for all
/// arguments.
pub(crate) struct Block<'r> {
    room: &'r mut Room,
    at: usize,
}

impl<'r> Block<'r> {
    /// The most bytes that a launch can pass.
    pub(crate) const LIMIT: usize = size_of::<Room>();

    /// An empty block.
    #[inline(always)]
    pub(crate) fn new(room: &'r mut Room) -> Block<'r> {
        Block { room, at: 0 }
    }

    /// Writes what stands before the parameters of a device's block.
    #[inline(always)]
    pub(crate) fn header(&mut self, shape: &Shape, tag: u64) {
        for n in shape.size.into_iter().chain(shape.offset) {
            self.put(n as u64);
        }
        self.put(tag);
    }

    /// Adds a value. Where it stands is known when the program is compiled: what remains is one store.
    #[inline(always)]
    pub(crate) fn put<T>(&mut self, value: T) {
        if let Some(place) = self.place(size_of::<T>(), align_of::<T>().min(align_of::<u64>())) {
            let place = place.cast::<T>();
            // SAFETY: there is room for the value, at its alignment if that is not over the block's own.
            unsafe {
                if align_of::<T>() <= align_of::<u64>() {
                    place.write(value)
                } else {
                    place.write_unaligned(value)
                }
            }
        }
    }

    /// Adds a leaf of an aggregate.
    pub(crate) fn put_leaf(&mut self, leaf: Leaf<'_>) {
        if let Some(place) = self.place(leaf.bytes(), leaf.scalar().bytes()) {
            // SAFETY: there is room for the leaf.
            unsafe { leaf.copy_to(place) }
        }
    }

    /// The place of the next value, if it has bytes and there is room.
    #[inline(always)]
    fn place(&mut self, bytes: usize, align: usize) -> Option<*mut u8> {
        // An array without elements has no place in the layout, and must not move the next value.
        if bytes == 0 {
            return None;
        }
        let at = align_up(self.at, align);
        self.at = at + bytes;
        // SAFETY: the value ends within the block.
        (self.at <= Block::LIMIT).then(|| unsafe { self.room.0.as_mut_ptr().cast::<u8>().add(at) })
    }

    /// Where the next byte goes.
    #[inline(always)]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The block's size as a struct in C: a multiple of 8.
    #[inline(always)]
    pub(crate) fn size(&self) -> usize {
        align_up(self.at, align_of::<u64>())
    }

    /// The block's first byte.
    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.room.0.as_ptr().cast()
    }

    /// The whole block, [`Block::size`] bytes.
    ///
    /// # Safety
    ///
    /// It has found room ([`Block::check`]), and the room was zeroed that far, so that padding has bytes too.
    #[cfg_attr(
        not(feature = "opencl"),
        expect(dead_code, reason = "only drivers need whole blocks")
    )]
    #[inline(always)]
    pub(crate) unsafe fn bytes(&self) -> &[u8] {
        // SAFETY: the caller's promise; values are scalars without padding of their own, or leaves, which are such.
        unsafe { std::slice::from_raw_parts(self.as_ptr(), self.size()) }
    }

    /// Whether everything that was put has found room.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyArguments`].
    #[inline(always)]
    pub(crate) fn check(&self, kernel: &Kernel, device: &str) -> Result<()> {
        if self.at <= Block::LIMIT {
            Ok(())
        } else {
            Err(too_many(kernel, device, self.at))
        }
    }
}

#[cold]
fn too_many(kernel: &Kernel, device: &str, bytes: usize) -> Error {
    Error::TooManyArguments {
        kernel: kernel.name.into(),
        device: device.into(),
        bytes,
        limit: Block::LIMIT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_at_their_natural_alignment() {
        let mut room = Room::new();
        let mut block = Block::new(&mut room);
        block.put(0xAAu8);
        block.put(0x1122_3344_5566_7788u64);
        block.put(0xBBCCu16);
        assert_eq!(block.at(), 18);
        assert_eq!(block.size(), 24);
        // SAFETY: the three values were written at these offsets.
        unsafe {
            let start = block.as_ptr();
            assert_eq!(start.read(), 0xAA);
            assert_eq!(start.add(8).cast::<u64>().read(), 0x1122_3344_5566_7788);
            assert_eq!(start.add(16).cast::<u16>().read(), 0xBBCC);
        }
    }

    #[test]
    fn arrays_stand_at_the_alignment_of_their_elements() {
        let mut room = Room::new();
        let mut block = Block::new(&mut room);
        block.put([1u8, 2, 3]);
        block.put([0x0405u16, 0x0607, 0x0809]);
        block.put(10u8);
        block.put([0f64; 0]);
        block.put(11u8);
        block.put([12u64, 13]);
        assert_eq!(block.at(), 32);
        // SAFETY: the values were written at these offsets.
        unsafe {
            let start = block.as_ptr();
            assert_eq!(start.cast::<[u8; 3]>().read(), [1, 2, 3]);
            assert_eq!(start.add(4).cast::<[u16; 3]>().read(), [0x0405, 0x0607, 0x0809]);
            assert_eq!(start.add(10).cast::<[u8; 2]>().read(), [10, 11]);
            assert_eq!(start.add(16).cast::<[u64; 2]>().read(), [12, 13]);
        }
    }

    #[test]
    fn an_array_that_does_not_fit_is_only_counted() {
        let mut room = Room::new();
        let mut block = Block::new(&mut room);
        block.put([7u8; Block::LIMIT - 1]);
        block.put([1.0f64; 1000]);
        assert_eq!(block.at(), Block::LIMIT + 8000);
        // What comes after has no place either, were it as small as the rest of the room.
        block.put(9u8);
        assert_eq!(block.at(), Block::LIMIT + 8001);
        // SAFETY: the first array was written.
        let first = unsafe { std::slice::from_raw_parts(block.as_ptr(), Block::LIMIT - 1) };
        assert!(first.iter().all(|byte| *byte == 7));
    }

    #[test]
    fn the_header_is_as_long_as_the_layout_says() {
        let mut room = Room::new();
        let mut block = Block::new(&mut room);
        let shape = Shape {
            size: [2, 3, 4],
            offset: [5, 6, 7],
            dimensions: 3,
            local: None,
        };
        block.header(&shape, 8);
        assert_eq!(block.at(), gridfn_ir::layout::PARAMS);
        // SAFETY: the header is seven words.
        let words = unsafe { std::slice::from_raw_parts(block.as_ptr().cast::<u64>(), 7) };
        assert_eq!(words, [2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn what_does_not_fit_is_only_counted() {
        let mut room = Room::new();
        let mut block = Block::new(&mut room);
        for n in 0..WORDS as u64 + 2 {
            block.put(n);
        }
        assert_eq!(block.at(), Block::LIMIT + 16);
    }
}
