//! [`DeviceCopy`] for the aggregates that Rust and its library have.

use crate::argument::KernelArg;
use crate::closure::{ByValue, CaptureValue};
use crate::element::DeviceCopy;
use crate::private::wrap::Operand;
use gridfn_ir::{Enum, Field, Locate, Scalar, Struct, Type, Variant};
use std::cmp::Ordering;
use std::marker::PhantomData;
use std::mem::offset_of;
use std::num::FpCategory;
use std::sync::atomic;

/// The supertraits of [`DeviceCopy`], which say that the type is passed by value. They are not implemented once for all
/// types: of one that is none, rustc would tell now that it lacks this trait, now that.
macro_rules! by_value {
    ([$($generics:tt)*] $ty:ty) => {
        impl<$($generics)*> KernelArg for $ty {
            type Parameter = ByValue<$ty>;
        }
        impl<$($generics)*> CaptureValue for $ty {
            type Parameter = ByValue<$ty>;
        }
        impl<$($generics)*> Operand for $ty {
            type Value = $ty;
            #[inline(always)]
            fn value(self) -> $ty {
                self
            }
        }
    };
}
pub(crate) use by_value;

// SAFETY: it has no bytes.
unsafe impl DeviceCopy for () {
    const TYPE: Type = Type::Unit;
}
by_value!([]());

// SAFETY: it has no bytes.
unsafe impl<T: ?Sized + Send + Sync + 'static> DeviceCopy for PhantomData<T> {
    const TYPE: Type = Type::Struct(&Struct {
        name: "PhantomData",
        fields: &[],
        size: 0,
        align: 1,
    });
}
by_value!([T: ?Sized + Send + Sync + 'static] PhantomData<T>);

// SAFETY: Rust lays the elements of an array one behind the other.
unsafe impl<T: DeviceCopy, const N: usize> DeviceCopy for [T; N] {
    const TYPE: Type = Type::Array {
        element: &T::TYPE,
        len: N,
    };
}
by_value!([T: DeviceCopy, const N: usize] [T; N]);

macro_rules! tuples {
    ($($($ty:ident $n:tt $name:literal),+;)*) => {$(
        // SAFETY: the fields are where rustc says that they are.
        unsafe impl<$($ty: DeviceCopy),+> DeviceCopy for ($($ty,)+) {
            const TYPE: Type = Type::Struct(&Struct {
                name: "",
                fields: &[$(Field {
                    name: $name,
                    ty: $ty::TYPE,
                    offset: offset_of!(Self, $n),
                }),+],
                size: size_of::<Self>(),
                align: align_of::<Self>(),
            });
        }
        by_value!([$($ty: DeviceCopy),+] ($($ty,)+));
    )*};
}
tuples! {
    A 0 "0";
    A 0 "0", B 1 "1";
    A 0 "0", B 1 "1", C 2 "2";
    A 0 "0", B 1 "1", C 2 "2", D 3 "3";
    A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4";
    A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4", F 5 "5";
    A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4", F 5 "5", G 6 "6";
    A 0 "0", B 1 "1", C 2 "2", D 3 "3", E 4 "4", F 5 "5", G 6 "6", H 7 "7";
}

/// The only field of a variant that is never in memory that devices see.
const fn only<T: DeviceCopy>() -> Field {
    Field {
        name: "0",
        ty: T::TYPE,
        offset: 0,
    }
}

/// Where a part stands in the value that it is a part of.
fn offset_in<T, U>(value: &T, part: &U) -> usize {
    std::ptr::from_ref(part).addr() - std::ptr::from_ref(value).addr()
}

// SAFETY: it says that devices know no layout, so that it is never in memory that they see.
unsafe impl<T: DeviceCopy> DeviceCopy for Option<T> {
    const TYPE: Type = Type::Enum(&Enum::option(
        &[Variant::NONE, Variant::some(&[only::<T>()])],
        Some(Locate(|value, tell| {
            // SAFETY: the caller's promise.
            let value = unsafe { value.cast::<Option<T>>().read_unaligned() };
            match &value {
                None => tell(0),
                Some(some) => {
                    tell(1);
                    tell(offset_in(&value, some));
                }
            }
        })),
    ));
}
by_value!([T: DeviceCopy] Option<T>);

// SAFETY: as for `Option`.
unsafe impl<T: DeviceCopy, E: DeviceCopy> DeviceCopy for Result<T, E> {
    const TYPE: Type = Type::Enum(&Enum::result(
        &[Variant::ok(&[only::<T>()]), Variant::err(&[only::<E>()])],
        Some(Locate(|value, tell| {
            // SAFETY: the caller's promise.
            let value = unsafe { value.cast::<Result<T, E>>().read_unaligned() };
            match &value {
                Ok(ok) => {
                    tell(0);
                    tell(offset_in(&value, ok));
                }
                Err(error) => {
                    tell(1);
                    tell(offset_in(&value, error));
                }
            }
        })),
    ));
}
by_value!([T: DeviceCopy, E: DeviceCopy] Result<T, E>);

// SAFETY: an enum without fields is its discriminant, which has one byte: that is asserted, and a test reads the
// bytes.
unsafe impl DeviceCopy for atomic::Ordering {
    const TYPE: Type = {
        assert!(size_of::<Self>() == 1);
        const ORDERS: &[Variant] = &[
            Variant::plain("Relaxed", atomic::Ordering::Relaxed as u64),
            Variant::plain("Release", atomic::Ordering::Release as u64),
            Variant::plain("Acquire", atomic::Ordering::Acquire as u64),
            Variant::plain("AcqRel", atomic::Ordering::AcqRel as u64),
            Variant::plain("SeqCst", atomic::Ordering::SeqCst as u64),
        ];
        Type::Enum(&Enum::plain("Ordering", Scalar::U8, ORDERS))
    };
}
by_value!([] atomic::Ordering);

// SAFETY: its definition has `#[repr(i8)]`, and these discriminants.
unsafe impl DeviceCopy for Ordering {
    const TYPE: Type = Type::Enum(&Enum::ORDERING);
}
by_value!([] Ordering);

// SAFETY: an enum without fields is its discriminant, which has one byte: that is asserted, and a test reads the
// bytes.
unsafe impl DeviceCopy for FpCategory {
    const TYPE: Type = {
        assert!(size_of::<Self>() == 1);
        Type::Enum(&Enum::FP_CATEGORY)
    };
}
by_value!([] FpCategory);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_atomics_is_its_discriminant() {
        use atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
        let Type::Enum(def) = atomic::Ordering::TYPE else {
            panic!("an ordering is an enum");
        };
        for order in [Relaxed, Release, Acquire, AcqRel, SeqCst] {
            // SAFETY: an enum of one byte.
            let byte = unsafe { std::mem::transmute::<atomic::Ordering, u8>(order) };
            let variant = def.variants.iter().find(|v| v.discriminant == byte.into());
            assert_eq!(variant.map(|v| v.name), Some(format!("{order:?}").as_str()));
        }
    }
}
