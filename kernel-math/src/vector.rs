//! Small vectors of numbers: structs and `#[device]` code like any user's.
//!
//! Those of two and four components are aligned to all of them, as OpenCL's vectors are, so devices read and write one
//! at once. Those of three are not: an array of them has no gaps.
//!
//! ```
//! use gridfn_math::vector::F32x4;
//!
//! let v = F32x4::new(1.0, 2.0, 3.0, 4.0);
//! assert_eq!(2.0 * v - F32x4::splat(1.0), F32x4::new(1.0, 3.0, 5.0, 7.0));
//! assert_eq!(v.dot(v), 30.0);
//! assert_eq!(v.to_array()[2], v.z);
//! ```

use gridfn_macros::{DeviceCopy, device};
use std::ops::*;

/// An operator between vectors, and between a vector and a number on either side, component by component.
macro_rules! operator {
    ($name:ident $scalar:ident ($($field:ident)+) $trait:ident $function:ident $assign:ident $assigns:ident $op:tt $op_assign:tt) => {
        #[device]
        impl $trait for $name {
            type Output = $name;
            fn $function(self, other: $name) -> $name {
                $name { $($field: self.$field $op other.$field),+ }
            }
        }
        #[device]
        impl $trait<$scalar> for $name {
            type Output = $name;
            fn $function(self, other: $scalar) -> $name {
                $name { $($field: self.$field $op other),+ }
            }
        }
        // An error about numbers says nothing of vectors.
        #[device]
        #[diagnostic::do_not_recommend]
        impl $trait<$name> for $scalar {
            type Output = $name;
            fn $function(self, other: $name) -> $name {
                $name { $($field: self $op other.$field),+ }
            }
        }
        #[device]
        impl $assign for $name {
            fn $assigns(&mut self, other: $name) {
                $(self.$field $op_assign other.$field;)+
            }
        }
        #[device]
        impl $assign<$scalar> for $name {
            fn $assigns(&mut self, other: $scalar) {
                $(self.$field $op_assign other;)+
            }
        }
    };
}

macro_rules! negation {
    (signed $name:ident ($($field:ident)+)) => {
        #[device]
        impl Neg for $name {
            type Output = $name;
            fn neg(self) -> $name {
                $name { $($field: -self.$field),+ }
            }
        }
    };
    (unsigned $name:ident $fields:tt) => {};
}

macro_rules! vectors {
    ($($sign:ident $name:ident $scalar:ident $len:literal $align:literal ($first:ident 0 $($field:ident $at:tt)+);)*) => {$(
        #[doc = concat!("A vector of ", stringify!($len), " `", stringify!($scalar), "`s, aligned to ", stringify!($align), " bytes.")]
        #[derive(Clone, Copy, Debug, Default, DeviceCopy)]
        #[repr(C, align($align))]
        pub struct $name {
            #[doc = "The first component."]
            pub $first: $scalar,
            $(
                #[doc = concat!("The component with number ", stringify!($at), ", counted from 0.")]
                pub $field: $scalar,
            )+
        }

        #[device]
        impl $name {
            /// The vector of these components.
            pub fn new($first: $scalar $(, $field: $scalar)+) -> $name {
                $name { $first $(, $field)+ }
            }
            /// The vector all of whose components are the same.
            pub fn splat(value: $scalar) -> $name {
                $name { $first: value $(, $field: value)+ }
            }
            /// The vector of an array's elements.
            pub fn from_array(array: [$scalar; $len]) -> $name {
                $name { $first: array[0] $(, $field: array[$at])+ }
            }
            /// The components in an array, where an index finds them.
            pub fn to_array(self) -> [$scalar; $len] {
                [self.$first $(, self.$field)+]
            }
            /// The sum of the components, the first ones first.
            pub fn sum(self) -> $scalar {
                self.$first $(+ self.$field)+
            }
            /// The sum of the products of the components.
            pub fn dot(self, other: $name) -> $scalar {
                self.$first * other.$first $(+ self.$field * other.$field)+
            }
            /// The smaller of each two components.
            pub fn min(self, other: $name) -> $name {
                $name { $first: self.$first.min(other.$first) $(, $field: self.$field.min(other.$field))+ }
            }
            /// The larger of each two components.
            pub fn max(self, other: $name) -> $name {
                $name { $first: self.$first.max(other.$first) $(, $field: self.$field.max(other.$field))+ }
            }
        }

        #[device]
        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.$first == other.$first $(&& self.$field == other.$field)+
            }
        }

        operator!($name $scalar ($first $($field)+) Add add AddAssign add_assign + +=);
        operator!($name $scalar ($first $($field)+) Sub sub SubAssign sub_assign - -=);
        operator!($name $scalar ($first $($field)+) Mul mul MulAssign mul_assign * *=);
        operator!($name $scalar ($first $($field)+) Div div DivAssign div_assign / /=);
        negation!($sign $name ($first $($field)+));

        // SAFETY: zeros are a vector of zeros.
        unsafe impl bytemuck::Zeroable for $name {}
        // SAFETY: its components are numbers, and it has no other bytes.
        unsafe impl bytemuck::Pod for $name {}
        const _: () = assert!(size_of::<$name>() == $len * size_of::<$scalar>());

        impl From<[$scalar; $len]> for $name {
            fn from(array: [$scalar; $len]) -> $name {
                $name::from_array(array)
            }
        }
        impl From<$name> for [$scalar; $len] {
            fn from(vector: $name) -> [$scalar; $len] {
                vector.to_array()
            }
        }
    )*};
}
vectors! {
    signed F32x2 f32 2 8 (x 0 y 1);
    signed F32x3 f32 3 4 (x 0 y 1 z 2);
    signed F32x4 f32 4 16 (x 0 y 1 z 2 w 3);
    signed F64x2 f64 2 16 (x 0 y 1);
    signed F64x3 f64 3 8 (x 0 y 1 z 2);
    signed F64x4 f64 4 32 (x 0 y 1 z 2 w 3);
    signed I32x2 i32 2 8 (x 0 y 1);
    signed I32x3 i32 3 4 (x 0 y 1 z 2);
    signed I32x4 i32 4 16 (x 0 y 1 z 2 w 3);
    unsigned U32x2 u32 2 8 (x 0 y 1);
    unsigned U32x3 u32 3 4 (x 0 y 1 z 2);
    unsigned U32x4 u32 4 16 (x 0 y 1 z 2 w 3);
    unsigned U8x4 u8 4 4 (x 0 y 1 z 2 w 3);
}
