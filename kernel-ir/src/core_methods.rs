//! The table of core's methods whose receiver or result is no scalar: of slices, arrays and `Option`.
//!
//! To add a method is to add a line here and an arm in `lower/core.rs`. A line is
//! `Variant name name__device;`, under the receivers that have the method.

/// Calls `$m!` with the whole table.
#[macro_export]
macro_rules! for_each_core_method {
    ($m:ident) => {
        $m! {
            Slice {
                SliceFirst first first__device;
                SliceLast last last__device;
                SliceGet get get__device;
                SliceSplitAt split_at split_at__device;
                SliceSplitFirst split_first split_first__device;
                SliceSplitLast split_last split_last__device;
                SliceContains contains contains__device;
            }
            SliceMut {
                SliceFirstMut first_mut first_mut__device;
                SliceLastMut last_mut last_mut__device;
                SliceGetMut get_mut get_mut__device;
                SliceSplitAtMut split_at_mut split_at_mut__device;
                SliceSplitFirstMut split_first_mut split_first_mut__device;
                SliceSplitLastMut split_last_mut split_last_mut__device;
                SliceSwap swap swap__device;
                SliceFill fill fill__device;
                SliceReverse reverse reverse__device;
                SliceCopyFromSlice copy_from_slice copy_from_slice__device;
            }
            Option {
                OptionIsSome is_some is_some__device;
                OptionIsNone is_none is_none__device;
                OptionUnwrap unwrap unwrap__device;
                OptionUnwrapOr unwrap_or unwrap_or__device;
                OptionCopied copied copied__device;
            }
            Integer {
                IntCheckedAdd checked_add checked_add__device;
                IntCheckedSub checked_sub checked_sub__device;
                IntCheckedMul checked_mul checked_mul__device;
                IntOverflowingAdd overflowing_add overflowing_add__device;
                IntOverflowingSub overflowing_sub overflowing_sub__device;
                IntOverflowingMul overflowing_mul overflowing_mul__device;
                IntCheckedAbs checked_abs checked_abs__device;
                IntCheckedNeg checked_neg checked_neg__device;
                IntCheckedShl checked_shl checked_shl__device;
                IntCheckedShr checked_shr checked_shr__device;
                IntCheckedPow checked_pow checked_pow__device;
                IntOverflowingAbs overflowing_abs overflowing_abs__device;
                IntOverflowingNeg overflowing_neg overflowing_neg__device;
                IntOverflowingShl overflowing_shl overflowing_shl__device;
                IntOverflowingShr overflowing_shr overflowing_shr__device;
                IntOverflowingPow overflowing_pow overflowing_pow__device;
                IntCheckedDiv checked_div checked_div__device;
                IntCheckedRem checked_rem checked_rem__device;
            }
            Bool {
                BoolThen then then__device;
                BoolThenSome then_some then_some__device;
            }
            Float {
                FloatSinCos sin_cos sin_cos__device;
            }
        }
    };
}

use crate::{Access, Link};

macro_rules! define {
    ($($class:ident { $($variant:ident $name:ident $twin:ident;)* })*) => {
        /// A method of core whose receiver or result is no scalar.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum CoreMethod {
            $($(
                #[doc = concat!("`", stringify!($name), "` of the class ", stringify!($class))]
                $variant,
            )*)*
        }

        impl CoreMethod {
            /// The method as a body's list of links holds it.
            pub const fn link(self) -> fn() -> Link {
                match self {
                    $($(CoreMethod::$variant => || Link::Core(CoreMethod::$variant),)*)*
                }
            }

            /// A number that no other callee has, for comparison in a `const`.
            pub const fn code(self) -> u16 {
                0x5000 + self as u16
            }

            /// Its name in Rust.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(CoreMethod::$variant => stringify!($name),)*)*
                }
            }

            /// How a method of that name uses the elements of a slice, if slices have one.
            pub fn of_slices(name: &str) -> Option<Access> {
                let methods = [$($((stringify!($class), stringify!($name)),)*)*];
                let (class, _) = methods.into_iter().find(|(class, n)| class.starts_with("Slice") && *n == name)?;
                Some(if class == "Slice" { Access::Shared } else { Access::Unique })
            }

            /// Every name in the table.
            pub const NAMES: &'static [&'static str] = &[$($(stringify!($name),)*)*];
        }
    };
}
for_each_core_method!(define);
