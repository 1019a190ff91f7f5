//! The table of core's methods whose receiver or result is no scalar: of slices, arrays, `Option`,
//! `Result`, `Ordering`, atomics, views of buffers, and some of numbers.
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
                OptionMap map map__device;
                OptionMapOr map_or map_or__device;
                OptionAndThen and_then and_then__device;
                OptionFilter filter filter__device;
                OptionIsSomeAnd is_some_and is_some_and__device;
                OptionUnwrapOrElse unwrap_or_else unwrap_or_else__device;
                OptionOr or or__device;
                OptionOkOr ok_or ok_or__device;
            }
            Result {
                ResultIsOk is_ok is_ok__device;
                ResultIsErr is_err is_err__device;
                ResultOk ok ok__device;
                ResultErr err err__device;
                ResultMap map map__device;
                ResultMapErr map_err map_err__device;
                ResultUnwrapOr unwrap_or unwrap_or__device;
                ResultUnwrapOrElse unwrap_or_else unwrap_or_else__device;
            }
            Atomic {
                AtomicLoad load load__device;
                AtomicStore store store__device;
                AtomicSwap swap swap__device;
                AtomicCompareExchange compare_exchange compare_exchange__device;
                AtomicCompareExchangeWeak compare_exchange_weak compare_exchange_weak__device;
                AtomicFetchAdd fetch_add fetch_add__device;
                AtomicFetchSub fetch_sub fetch_sub__device;
                AtomicFetchAnd fetch_and fetch_and__device;
                AtomicFetchNand fetch_nand fetch_nand__device;
                AtomicFetchOr fetch_or fetch_or__device;
                AtomicFetchXor fetch_xor fetch_xor__device;
                AtomicFetchMin fetch_min fetch_min__device;
                AtomicFetchMax fetch_max fetch_max__device;
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
                IntCheckedDivEuclid checked_div_euclid checked_div_euclid__device;
                IntCheckedRemEuclid checked_rem_euclid checked_rem_euclid__device;
                IntCheckedAddSigned checked_add_signed checked_add_signed__device;
                IntCheckedSubSigned checked_sub_signed checked_sub_signed__device;
                IntCheckedAddUnsigned checked_add_unsigned checked_add_unsigned__device;
                IntCheckedSubUnsigned checked_sub_unsigned checked_sub_unsigned__device;
                IntOverflowingAddSigned overflowing_add_signed overflowing_add_signed__device;
                IntOverflowingSubSigned overflowing_sub_signed overflowing_sub_signed__device;
                IntOverflowingAddUnsigned overflowing_add_unsigned overflowing_add_unsigned__device;
                IntOverflowingSubUnsigned overflowing_sub_unsigned overflowing_sub_unsigned__device;
                IntCheckedNextPowerOfTwo checked_next_power_of_two checked_next_power_of_two__device;
                IntCheckedNextMultipleOf checked_next_multiple_of checked_next_multiple_of__device;
                IntCheckedIlog checked_ilog checked_ilog__device;
                IntCheckedIlog2 checked_ilog2 checked_ilog2__device;
                IntCheckedIlog10 checked_ilog10 checked_ilog10__device;
                IntCheckedIsqrt checked_isqrt checked_isqrt__device;
                IntCmp cmp cmp__device;
                IntPartialCmp partial_cmp partial_cmp__device;
                IntToLeBytes to_le_bytes to_le_bytes__device;
                IntToBeBytes to_be_bytes to_be_bytes__device;
                IntToNeBytes to_ne_bytes to_ne_bytes__device;
            }
            Bool {
                BoolThen then then__device;
                BoolThenSome then_some then_some__device;
            }
            Float {
                FloatSinCos sin_cos sin_cos__device;
                FloatPartialCmp partial_cmp partial_cmp__device;
                FloatTotalCmp total_cmp total_cmp__device;
                FloatClassify classify classify__device;
                FloatToLeBytes to_le_bytes to_le_bytes__device;
                FloatToBeBytes to_be_bytes to_be_bytes__device;
                FloatToNeBytes to_ne_bytes to_ne_bytes__device;
            }
            Ordering {
                OrderingIsEq is_eq is_eq__device;
                OrderingIsNe is_ne is_ne__device;
                OrderingIsLt is_lt is_lt__device;
                OrderingIsGt is_gt is_gt__device;
                OrderingIsLe is_le is_le__device;
                OrderingIsGe is_ge is_ge__device;
                OrderingReverse reverse reverse__device;
                OrderingThen then then__device;
            }
            Plain {
                PlainEq eq eq__device;
            }
            View {
                ViewShape shape shape__device;
            }
        }
    };
}

use crate::{Access, Class, Link, Method};

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

            /// Whether a method of that name reads an element of a buffer and does not write it, whoever's it is. No
            /// element is a `Result`, and what an atomic's method does to another type is not known.
            pub fn only_reads(name: &str) -> bool {
                let methods = [$($((stringify!($class), stringify!($name)),)*)*];
                let in_class = |classes: &[&str]| methods.iter().any(|(class, n)| *n == name && classes.contains(class));
                in_class(&["Slice", "Option", "Integer", "Float", "Ordering"]) && !in_class(&["SliceMut"])
            }

            /// Whether a method of that name asks a slice or view for its size, if that is what it is called on.
            pub fn asks_for_size(name: &str) -> bool {
                name == CoreMethod::ViewShape.name() || Method::ALL.iter().any(|m| m.class() == Class::Slice && m.name() == name)
            }

            /// Whether a method of that name takes a function.
            pub fn takes_function(name: &str) -> bool {
                matches!(
                    name,
                    "and_then" | "filter" | "is_some_and" | "map" | "map_err" | "map_or" | "then" | "unwrap_or_else"
                )
            }

            /// Whether a method of that name is one of numbers, which may be called by its path: `u32::checked_add(a, b)`.
            pub fn is_of_numbers(name: &str) -> bool {
                let methods = [$($((stringify!($class), stringify!($name)),)*)*];
                let classes = ["Integer", "Bool", "Float"];
                methods.iter().any(|(class, n)| *n == name && classes.contains(class))
            }

            /// How many orderings a method of that name takes, as its last arguments, if it is an atomic's.
            pub fn orderings(name: &str) -> usize {
                let methods = [$($((stringify!($class), stringify!($name)),)*)*];
                match name {
                    "compare_exchange" | "compare_exchange_weak" => 2,
                    name => methods.contains(&("Atomic", name)).into(),
                }
            }

            /// Every name in the table.
            pub const NAMES: &'static [&'static str] = &[$($(stringify!($name),)*)*];
        }
    };
}
for_each_core_method!(define);
