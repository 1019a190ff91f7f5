//! How enums with fields lie in memory, as Rust's reference fixes it for `#[repr(u8)]` and its kin and for
//! `#[repr(C)]`: `offset_of!` does not look into variants on stable Rust.

use gridfn_ir::Scalar;
use gridfn_ir::layout::align_up;

/// The size and alignment of a field.
pub type Field = [usize; 2];

/// The size and alignment of `T`.
pub const fn field<T>() -> Field {
    [size_of::<T>(), align_of::<T>()]
}

/// An enum with fields.
pub struct Enum<'l> {
    /// The discriminant's type.
    pub tag: Scalar,
    /// Whether it has `#[repr(C)]`: then the tag stands before a union of the variants, else in front of the fields of
    /// each.
    pub c: bool,
    /// The fields of each variant.
    pub variants: &'l [&'l [Field]],
}

impl Enum<'_> {
    /// Where a field stands: as in a struct of C.
    pub const fn offset(&self, variant: usize, field: usize) -> usize {
        let fields = self.variants[variant];
        let mut at = self.start();
        let mut n = 0;
        while n < field {
            at = align_up(at, fields[n][1]) + fields[n][0];
            n += 1;
        }
        align_up(at, fields[field][1])
    }

    /// Where the variants begin.
    const fn start(&self) -> usize {
        if !self.c {
            return self.tag.bytes();
        }
        let mut align = 1;
        let mut n = 0;
        while n < self.variants.len() {
            let mut field = 0;
            while field < self.variants[n].len() {
                if self.variants[n][field][1] > align {
                    align = self.variants[n][field][1];
                }
                field += 1;
            }
            n += 1;
        }
        align_up(self.tag.bytes(), align)
    }

    /// The size of the enum `T`, whose layout this is.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[track_caller]
    pub const fn size<T>(&self) -> Option<usize> {
        let mut end = self.start();
        let mut n = 0;
        while n < self.variants.len() {
            if let Some(last) = self.variants[n].len().checked_sub(1) {
                let at = self.offset(n, last) + self.variants[n][last][0];
                if at > end {
                    end = at;
                }
            }
            n += 1;
        }
        assert!(
            align_up(end, align_of::<T>()) == size_of::<T>(),
            "rustc lays this enum out in another way than its `#[repr]` says; this is a bug in gridfn, please report it"
        );
        Some(size_of::<T>())
    }
}

/// The tag of the enum `T`, which has no fields and no `#[repr]`, and whose discriminants are as given.
#[track_caller]
pub const fn tag<T>(discriminants: &[isize]) -> Scalar {
    let signed = any_negative(discriminants);
    match (size_of::<T>(), signed) {
        (1, false) => Scalar::U8,
        (1, true) => Scalar::I8,
        (2, false) => Scalar::U16,
        (2, true) => Scalar::I16,
        (4, false) => Scalar::U32,
        (4, true) => Scalar::I32,
        // That of one variant takes no memory.
        (0 | 8, _) => Scalar::Isize,
        _ => panic!("rustc alone knows how this enum lies in memory: give it `#[repr(u8)]`"),
    }
}

/// The tag of an enum with `#[repr(C)]`.
#[track_caller]
pub const fn tag_of_c(discriminants: &[isize]) -> Scalar {
    let signed = any_negative(discriminants);
    let mut n = 0;
    while n < discriminants.len() {
        let value = discriminants[n] as i64;
        let fits = if signed {
            value as i32 as i64 == value
        } else {
            value as u32 as i64 == value
        };
        assert!(
            fits,
            "the discriminants of an enum with `#[repr(C)]` have 32 bits: give it `#[repr(C, i64)]`"
        );
        n += 1;
    }
    if signed { Scalar::I32 } else { Scalar::U32 }
}

const fn any_negative(discriminants: &[isize]) -> bool {
    let mut n = 0;
    while n < discriminants.len() {
        if discriminants[n] < 0 {
            return true;
        }
        n += 1;
    }
    false
}

/// The discriminant that is in the memory of `value`, which is of an enum without fields: `expected`, which it is.
///
/// # Panics
///
/// If it is not.
#[track_caller]
pub const fn discriminant<T: Copy>(value: T, tag: Scalar, expected: i64) -> u64 {
    let expected = tag.truncate(expected as u64);
    if size_of::<T>() == 0 {
        return expected;
    }
    assert!(size_of::<T>() >= tag.bytes());
    // SAFETY: the value has as many bytes, and no padding before the discriminant ends.
    let found = unsafe {
        let from = (&raw const value).cast::<u8>();
        match tag.bytes() {
            1 => from.read() as u64,
            2 => from.cast::<u16>().read() as u64,
            4 => from.cast::<u32>().read() as u64,
            _ => from.cast::<u64>().read(),
        }
    };
    assert!(
        found == expected,
        "rustc has another discriminant in memory than this enum says: give it `#[repr(u8)]`"
    );
    expected
}
