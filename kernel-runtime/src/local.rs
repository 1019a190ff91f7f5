//! Local memory: arrays that the items of a work-group share.

use crate::element::DeviceCopy;
use crate::host::fault;
use gridfn_ir::typed::FaultKind;
use gridfn_ir::{Scalar, Type};
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// An array in local memory, which all items of a work-group share: what `local_array` makes.
pub struct LocalArray<'g, T, const N: usize>(&'g mut [T; N]);

impl<'g, T, const N: usize> LocalArray<'g, T, N> {
    /// The array at this place.
    #[inline(always)]
    pub(crate) fn new(array: &'g mut [T; N]) -> Self {
        LocalArray(array)
    }

    /// The number of elements.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        N
    }

    /// Whether there are none.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        N == 0
    }
}

#[inline(always)]
#[track_caller]
fn check(index: usize, len: usize) {
    if index >= len {
        fault(FaultKind::Index, [index as u64, len as u64]);
    }
}

impl<T, const N: usize> Index<usize> for LocalArray<'_, T, N> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        check(index, N);
        // SAFETY: within the array.
        unsafe { self.0.get_unchecked(index) }
    }
}

impl<T, const N: usize> IndexMut<usize> for LocalArray<'_, T, N> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        check(index, N);
        // SAFETY: within the array.
        unsafe { self.0.get_unchecked_mut(index) }
    }
}

/// What an array can do as a slice.
impl<T, const N: usize> Deref for LocalArray<'_, T, N> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.0
    }
}
impl<T, const N: usize> DerefMut for LocalArray<'_, T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        self.0
    }
}

/// `T` as the element of a local array: a type for which every pattern of bits is a value, because an item may read an
/// element before any has written it, or while another does.
#[doc(hidden)]
#[track_caller]
pub const fn local_element<T: DeviceCopy>() -> &'static Type {
    assert!(
        takes_any_bits(&T::TYPE),
        "local arrays hold numbers, and arrays and structs of them: an item may read what none has written, and not every \
         pattern of bits is a `bool` or an enum; of a `bool` use a `u8`"
    );
    &T::TYPE
}

/// Whether every pattern of bits is a value of the type.
const fn takes_any_bits(ty: &Type) -> bool {
    match ty {
        Type::Unit => true,
        Type::Scalar(scalar) => !matches!(scalar, Scalar::Bool),
        Type::Array { element, .. } => takes_any_bits(element),
        Type::Struct(s) => {
            let mut n = 0;
            while n < s.fields.len() {
                if !takes_any_bits(&s.fields[n].ty) {
                    return false;
                }
                n += 1;
            }
            true
        }
        Type::Enum(_) | Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => false,
    }
}

/// Whether values of the type have bytes that belong to no field, which a write leaves without a value.
pub(crate) const fn is_padded(ty: &Type) -> bool {
    match ty {
        Type::Array { element, .. } => is_padded(element),
        Type::Struct(s) => {
            let (mut n, mut bytes) = (0, 0);
            while n < s.fields.len() {
                match s.fields[n].ty.size() {
                    Some(size) if !is_padded(&s.fields[n].ty) => bytes += size,
                    _ => return true,
                }
                n += 1;
            }
            bytes != s.size
        }
        Type::Unit
        | Type::Scalar(_)
        | Type::Atomic(_)
        | Type::Slice { .. }
        | Type::Enum(_)
        | Type::Reference { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_padded, takes_any_bits};
    use crate::DeviceCopy;

    #[test]
    fn a_bool_or_an_enum_is_no_element() {
        assert!(takes_any_bits(&<[(f32, u8); 3]>::TYPE));
        assert!(!takes_any_bits(&<[(f32, bool); 3]>::TYPE));
        assert!(!takes_any_bits(&<Option<u32>>::TYPE));
    }

    #[test]
    fn padding_is_what_no_field_has() {
        assert!(is_padded(&<[(f32, u8); 3]>::TYPE));
        assert!(!is_padded(&<([f32; 2], u64)>::TYPE));
    }
}
