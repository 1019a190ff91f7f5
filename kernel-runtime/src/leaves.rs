//! The scalars of a value, as they stand in the parameter block.
//!
//! The block has no structs: of an aggregate it has a member for each scalar that is passed. These *leaves* come in the
//! order of the source; of an enum first the tag, then the fields of each variant in turn. An array of scalars is one
//! member, and an array of structs is one such member for each leaf of the struct.
//!
//! Only what has a value is read: no padding, and no field of a variant that an enum does not have now, which the block
//! has as zeros.

use gridfn_ir::{Scalar, Type};

/// A member of the block: one scalar, or, within arrays, all scalars at the same place of each element.
#[derive(Clone, Copy)]
pub struct Leaf<'a> {
    scalar: Scalar,
    len: usize,
    source: Source<'a>,
}

/// Where the scalars of a leaf are.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// In a value, at the end of a path.
    Value(*const u8, &'a Path<'a>),
    /// Nowhere, but they have all these bits: the tag of an enum that takes no memory.
    Bits(u64),
}

/// The way from a value to a part of it.
enum Path<'a> {
    /// The value itself.
    Start,
    /// To a field, at an offset.
    Field(&'a Path<'a>, usize),
    /// To the elements of an array: how many there are, and the bytes from one to the next.
    Elements(&'a Path<'a>, usize, usize),
    /// Into a variant: the discriminant that the enum has where it is this one.
    Variant(&'a Path<'a>, Scalar, u64),
}

impl Path<'_> {
    /// The offset of the scalar with number `n` of those that the path leads to, the last index fastest; `None` if it
    /// is in a variant that its enum does not have now.
    ///
    /// # Safety
    ///
    /// The path leads through a type whose value is at `value`, and `n` is one of the numbers.
    unsafe fn find(&self, value: *const u8, n: usize) -> Option<usize> {
        // SAFETY: the caller's promise, which holds for the beginning of a path, too.
        unsafe {
            match *self {
                Path::Start => Some(0),
                Path::Field(of, offset) => Some(of.find(value, n)? + offset),
                Path::Elements(of, len, stride) => Some(of.find(value, n / len)? + n % len * stride),
                Path::Variant(of, tag, discriminant) => {
                    let at = of.find(value, n)?;
                    (read(value.add(at), tag) == discriminant).then_some(at)
                }
            }
        }
    }
}

/// The bits of a scalar.
///
/// # Safety
///
/// There is one.
unsafe fn read(from: *const u8, scalar: Scalar) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        match scalar.bytes() {
            1 => from.read().into(),
            2 => from.cast::<u16>().read_unaligned().into(),
            4 => from.cast::<u32>().read_unaligned().into(),
            _ => from.cast::<u64>().read_unaligned(),
        }
    }
}

/// Writes a scalar.
///
/// # Safety
///
/// There is room for it.
pub(crate) unsafe fn write(to: *mut u8, scalar: Scalar, bits: u64) {
    // SAFETY: the caller's promise.
    unsafe {
        match scalar.bytes() {
            1 => to.write(bits as u8),
            2 => to.cast::<u16>().write_unaligned(bits as u16),
            4 => to.cast::<u32>().write_unaligned(bits as u32),
            _ => to.cast::<u64>().write_unaligned(bits),
        }
    }
}

impl Leaf<'_> {
    /// The type of each scalar, at whose alignment the member stands.
    pub fn scalar(&self) -> Scalar {
        self.scalar
    }

    /// The bytes of all scalars.
    pub fn bytes(&self) -> usize {
        self.len * self.scalar.bytes()
    }

    /// Writes the scalars one behind the other.
    ///
    /// # Safety
    ///
    /// The target has room for [`Leaf::bytes`].
    pub unsafe fn copy_to(&self, target: *mut u8) {
        for n in 0..self.len {
            // SAFETY: the value is one of the type through which the paths lead, by the promise of `walk`; the target
            // has room, by the caller's.
            unsafe {
                let bits = match self.source {
                    Source::Value(value, path) => match path.find(value, n) {
                        Some(at) => read(value.add(at), self.scalar),
                        None => 0,
                    },
                    Source::Bits(bits) => bits,
                };
                write(target.add(n * self.scalar.bytes()), self.scalar, bits);
            }
        }
    }
}

/// Gives each leaf of a value in turn.
///
/// # Safety
///
/// The type has a size, and `value` points to a value of it, which need not be aligned.
pub unsafe fn walk(ty: &Type, value: *const u8, each: &mut dyn FnMut(Leaf<'_>)) {
    part(ty, value, &Path::Start, 1, each);
}

/// The leaves of the parts of type `ty` to which `path` leads, of which there are `count`.
fn part(ty: &Type, value: *const u8, path: &Path<'_>, count: usize, each: &mut dyn FnMut(Leaf<'_>)) {
    let mut leaf = |scalar, source| {
        each(Leaf {
            scalar,
            len: count,
            source,
        })
    };
    match *ty {
        // None is a part of a value.
        Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => {}
        Type::Unit => {}
        Type::Scalar(scalar) => leaf(scalar, Source::Value(value, path)),
        Type::Array { element, len } => {
            let stride = element.size().unwrap_or(0);
            part(
                element,
                value,
                &Path::Elements(path, len, stride),
                count * len,
                each,
            );
        }
        Type::Struct(s) => {
            for field in s.fields {
                part(&field.ty, value, &Path::Field(path, field.offset), count, each);
            }
        }
        Type::Enum(e) => {
            leaf(
                e.tag,
                match (e.size, e.variants) {
                    (Some(0), [only]) => Source::Bits(only.discriminant),
                    _ => Source::Value(value, path),
                },
            );
            for variant in e.variants {
                let path = Path::Variant(path, e.tag, variant.discriminant);
                for field in variant.fields {
                    part(&field.ty, value, &Path::Field(&path, field.offset), count, each);
                }
            }
        }
    }
}

/// How many leaves a value has.
pub fn count(ty: &Type) -> usize {
    let mut count = 0;
    // No value is read, since no leaf is.
    part(ty, std::ptr::null(), &Path::Start, 1, &mut |_| count += 1);
    count
}

/// Whether the one leaf of the type is the type itself: a scalar, or an array of such.
pub(crate) const fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Array { element, .. } => is_plain(element),
        Type::Unit
        | Type::Atomic(_)
        | Type::Struct(_)
        | Type::Enum(_)
        | Type::Slice { .. }
        | Type::Reference { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceCopy;
    use gridfn_ir::{Enum, Field, Struct, Variant};

    /// The leaves of a value that has the type: scalar, how many, and their bytes.
    fn leaves<T>(ty: &Type, value: &T) -> Vec<(Scalar, usize, Vec<u8>)> {
        let mut found = vec![];
        // SAFETY: the tests give the value's type.
        unsafe {
            walk(ty, (&raw const *value).cast(), &mut |leaf| {
                let mut bytes = vec![0xEE; leaf.bytes()];
                leaf.copy_to(bytes.as_mut_ptr());
                found.push((leaf.scalar(), leaf.len, bytes));
            });
        }
        assert_eq!(found.len(), count(ty));
        found
    }

    fn of<T: DeviceCopy>(value: T) -> Vec<(Scalar, usize, Vec<u8>)> {
        leaves(&T::TYPE, &value)
    }

    #[test]
    fn padding_is_never_a_leaf() {
        let expected = vec![
            (Scalar::U8, 1, vec![1]),
            (Scalar::U64, 1, 2u64.to_ne_bytes().to_vec()),
            (Scalar::Bool, 1, vec![1]),
            (Scalar::I16, 1, (-3i16).to_ne_bytes().to_vec()),
        ];
        assert_eq!(of((1u8, 2u64, (true, -3i16))), expected);
    }

    #[test]
    fn what_has_no_scalars_has_no_leaves() {
        assert_eq!(of(()), []);
        assert_eq!(of(((), [(); 3], std::marker::PhantomData::<u8>)), []);
        // But an array without elements keeps its place in the order.
        assert_eq!(of([0f32; 0]), [(Scalar::F32, 0, vec![])]);
    }

    #[test]
    fn an_array_of_structs_is_an_array_of_each_scalar() {
        let value = [
            [(1u8, [10u16, 11]), (2, [20, 21])],
            [(3, [30, 31]), (4, [40, 41])],
        ];
        let inner: Vec<u8> = [10u16, 11, 20, 21, 30, 31, 40, 41]
            .into_iter()
            .flat_map(u16::to_ne_bytes)
            .collect();
        let expected = vec![(Scalar::U8, 4, vec![1, 2, 3, 4]), (Scalar::U16, 8, inner)];
        assert_eq!(of(value), expected);
    }

    /// As a `#[repr(u8)]` enum `{ A, B(u8, u32), C([u16; 2]) }` lies in memory.
    const ENUM: Type = {
        const fn field(name: &'static str, ty: Type, offset: usize) -> Field {
            Field { name, ty, offset }
        }
        const fn variant(name: &'static str, discriminant: u64, fields: &'static [Field]) -> Variant {
            Variant {
                name,
                discriminant,
                fields,
            }
        }
        const B: &[Field] = &[
            field("0", Type::Scalar(Scalar::U8), 1),
            field("1", Type::Scalar(Scalar::U32), 4),
        ];
        const C: &[Field] = &[field("0", <[u16; 2]>::TYPE, 2)];
        const VARIANTS: &[Variant] = &[variant("A", 7, &[]), variant("B", 1, B), variant("C", 2, C)];
        Type::Enum(&Enum {
            name: "E",
            variants: VARIANTS,
            tag: Scalar::U8,
            size: Some(8),
            locate: None,
        })
    };

    /// Memory of which some bytes have no value: Miri tells if they are read.
    fn memory<const N: usize>(bytes: [Option<u8>; N]) -> [std::mem::MaybeUninit<u8>; N] {
        bytes.map(|byte| match byte {
            Some(byte) => std::mem::MaybeUninit::new(byte),
            None => std::mem::MaybeUninit::uninit(),
        })
    }

    #[test]
    fn only_the_active_variant_is_read() {
        let none = None;
        let b = memory([Some(1), Some(5), none, none, Some(1), Some(2), Some(3), Some(4)]);
        let expected = vec![
            (Scalar::U8, 1, vec![1]),
            (Scalar::U8, 1, vec![5]),
            (Scalar::U32, 1, vec![1, 2, 3, 4]),
            (Scalar::U16, 2, vec![0; 4]),
        ];
        assert_eq!(leaves(&ENUM, &b), expected);
        let two = Type::Array {
            element: &ENUM,
            len: 2,
        };
        let c = memory([Some(2), none, Some(6), Some(7), Some(8), Some(9), none, none]);
        let expected = vec![
            (Scalar::U8, 2, vec![2, 1]),
            (Scalar::U8, 2, vec![0, 5]),
            (Scalar::U32, 2, vec![0, 0, 0, 0, 1, 2, 3, 4]),
            (Scalar::U16, 4, vec![6, 7, 8, 9, 0, 0, 0, 0]),
        ];
        assert_eq!(leaves(&two, &[c, b]), expected);
    }

    #[test]
    fn an_enum_without_bytes_has_its_tag() {
        const ONE: Type = Type::Enum(&Enum {
            name: "E",
            variants: &[Variant {
                name: "A",
                discriminant: 300,
                fields: &[],
            }],
            tag: Scalar::U32,
            size: Some(0),
            locate: None,
        });
        const TWO: Type = Type::Struct(&Struct {
            name: "S",
            fields: &[Field {
                name: "0",
                ty: Type::Array {
                    element: &ONE,
                    len: 2,
                },
                offset: 0,
            }],
            size: 0,
            align: 1,
        });
        let bytes = [300u32.to_ne_bytes(), 300u32.to_ne_bytes()].concat();
        assert_eq!(leaves(&TWO, &()), [(Scalar::U32, 2, bytes)]);
    }
}
