//! Global memory: buffers far apart.

/// Global memory.
#[derive(Default)]
pub(in super::super) struct Memory {
    buffers: Vec<Buffer>,
}

struct Buffer {
    bytes: Vec<u8>,
    writable: bool,
}

/// The distance between the addresses of two buffers; the first is not at 0.
const STRIDE: u64 = 1 << 40;

impl Memory {
    /// Adds a buffer and gives its address.
    pub(in super::super) fn add(&mut self, bytes: Vec<u8>, writable: bool) -> u64 {
        self.buffers.push(Buffer { bytes, writable });
        self.buffers.len() as u64 * STRIDE
    }

    /// What the buffer at that address holds now.
    pub(in super::super) fn bytes(&self, address: u64) -> &[u8] {
        &self.buffers[(address / STRIDE - 1) as usize].bytes
    }

    fn buffer(&mut self, address: u64, size: usize) -> (&mut Buffer, usize) {
        let number = (address / STRIDE).checked_sub(1).expect("an address in a buffer");
        let at = (address % STRIDE) as usize;
        let buffer = &mut self.buffers[number as usize];
        assert!(
            at + size <= buffer.bytes.len(),
            "access at {at} of {}",
            buffer.bytes.len()
        );
        assert_eq!(at % size, 0, "unaligned access");
        (buffer, at)
    }

    pub(super) fn load(&mut self, address: u64, size: usize, coherent: bool) -> u64 {
        let (buffer, at) = self.buffer(address, size);
        assert!(
            coherent || !buffer.writable,
            "non-coherent load from what may be written"
        );
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&buffer.bytes[at..at + size]);
        u64::from_le_bytes(bytes)
    }

    pub(super) fn store(&mut self, address: u64, size: usize, value: u64) {
        let (buffer, at) = self.buffer(address, size);
        assert!(buffer.writable, "store to what is only read");
        buffer.bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
    }
}
