//! What plain Rust has in place of `gridfn::vector`.

use std::ops::*;

macro_rules! operator {
    ($name:ident $scalar:ident ($($field:ident)+) $trait:ident $function:ident $assign:ident $assigns:ident $op:tt) => {
        impl $trait for $name {
            type Output = $name;
            fn $function(self, other: $name) -> $name {
                $name { $($field: self.$field $op other.$field),+ }
            }
        }
        impl $trait<$scalar> for $name {
            type Output = $name;
            fn $function(self, other: $scalar) -> $name {
                self $op $name::splat(other)
            }
        }
        impl $trait<$name> for $scalar {
            type Output = $name;
            fn $function(self, other: $name) -> $name {
                $name::splat(self) $op other
            }
        }
        impl $assign for $name {
            fn $assigns(&mut self, other: $name) {
                *self = *self $op other;
            }
        }
        impl $assign<$scalar> for $name {
            fn $assigns(&mut self, other: $scalar) {
                *self = *self $op other;
            }
        }
    };
}

macro_rules! negation {
    ($name:ident $fields:tt) => {};
    ($name:ident ($($field:ident)+) neg) => {
        impl Neg for $name {
            type Output = $name;
            fn neg(self) -> $name {
                $name { $($field: -self.$field),+ }
            }
        }
    };
}

macro_rules! vectors {
    ($($name:ident $scalar:ident $len:literal ($($field:ident)+) $($neg:ident)?;)*) => {$(
        /// A small vector.
        #[derive(Clone, Copy, PartialEq)]
        #[allow(missing_docs, reason = "components")]
        pub struct $name {
            $(pub $field: $scalar),+
        }
        impl $name {
            /// The vector of these components.
            pub fn new($($field: $scalar),+) -> $name {
                $name { $($field),+ }
            }
            /// The vector all of whose components are the same.
            pub fn splat(value: $scalar) -> $name {
                $name { $($field: value),+ }
            }
            /// The vector of an array's elements.
            pub fn from_array([$($field),+]: [$scalar; $len]) -> $name {
                $name { $($field),+ }
            }
            /// The components in an array.
            pub fn to_array(self) -> [$scalar; $len] {
                [$(self.$field),+]
            }
            /// The sum of the components.
            pub fn sum(self) -> $scalar {
                let [first, rest @ ..] = self.to_array();
                rest.iter().fold(first, |sum, component| sum + *component)
            }
            /// The sum of the products of the components.
            pub fn dot(self, other: $name) -> $scalar {
                (self * other).sum()
            }
            /// The smaller of each two components.
            pub fn min(self, other: $name) -> $name {
                $name { $($field: self.$field.min(other.$field)),+ }
            }
            /// The larger of each two components.
            pub fn max(self, other: $name) -> $name {
                $name { $($field: self.$field.max(other.$field)),+ }
            }
        }
        operator!($name $scalar ($($field)+) Add add AddAssign add_assign +);
        operator!($name $scalar ($($field)+) Sub sub SubAssign sub_assign -);
        operator!($name $scalar ($($field)+) Mul mul MulAssign mul_assign *);
        operator!($name $scalar ($($field)+) Div div DivAssign div_assign /);
        negation!($name ($($field)+) $($neg)?);
    )*};
}
vectors! {
    F32x2 f32 2 (x y) neg;
    F32x3 f32 3 (x y z) neg;
    F32x4 f32 4 (x y z w) neg;
    F64x2 f64 2 (x y) neg;
    F64x3 f64 3 (x y z) neg;
    F64x4 f64 4 (x y z w) neg;
    I32x2 i32 2 (x y) neg;
    I32x3 i32 3 (x y z) neg;
    I32x4 i32 4 (x y z w) neg;
    U32x2 u32 2 (x y);
    U32x3 u32 3 (x y z);
    U32x4 u32 4 (x y z w);
    U8x4 u8 4 (x y z w);
}
