//! Kernels that compute each element of their outputs from the same element of their inputs.
//!
//! [`elements!`] takes one expression for the kernel and one for plain Rust, [`bodies!`] one block for both.

use crate::case::{Need, Outcome};
use crate::compare::{Within, column};
use crate::samples::Value;
use gridfn::{Buffer, Queue};
use std::fmt::Debug;

/// Elements behind each output that no item may write.
pub(crate) const GUARDS: usize = 5;

/// A buffer for `n` results, with the guards behind.
pub(crate) fn output<T: Value>(queue: &Queue, n: usize) -> gridfn::Result<Buffer<T>> {
    queue.upload(&vec![T::GUARD; n + GUARDS])
}

/// Compares an output with what plain Rust computes from the rows.
pub(crate) fn check<R: Debug, T: Value>(
    queue: &Queue,
    name: &str,
    rows: &[R],
    output: &Buffer<T>,
    expected: impl Fn(&R) -> T,
    within: Within,
) -> Outcome {
    column(name, rows, &queue.download(output)?, expected, within)
}

/// What a device must have for a list of types.
pub(crate) fn needs(types: &[Option<Need>]) -> Vec<Need> {
    types.iter().copied().flatten().collect()
}

/// Declares kernels of inputs and outputs, and a function `add_to` that adds them to a suite, each as a case.
///
/// An output has a type, the kernel's expression and plain Rust's: `sum: i32 = a + b, a.wrapping_add(b);`. Behind
/// `if` stands which inputs are fed.
macro_rules! elements {
    ($(fn $name:ident $inputs:tt $(if $keep:expr)?; {
        $($output:ident: $out:ident = $device:expr, $expected:expr $(, within $within:expr)?;)+
    })+) => {
        $(
            $crate::elements::elements!(@kernel $name $inputs $($output $out $device;)+);
        )+

        pub(crate) fn add_to(suite: &mut $crate::case::Suite) {
            $({
                suite.kernel::<$name>();
                let mut types = vec![$(<$out as $crate::samples::Value>::NEED),+];
                $crate::elements::elements!(@needs types $inputs);
                let name = $crate::case::case_path!(stringify!($name));
                suite.case(name.clone(), &$crate::elements::needs(&types), move |device| {
                    let keep = $crate::elements::elements!(@function $inputs bool (true $(&& $keep)?));
                    let rows = $crate::samples::rows(&name, keep);
                    let queue = device.queue()?;
                    $(let mut $output = $crate::elements::output::<$out>(&queue, rows.len())?;)+
                    $crate::elements::elements!(@launch queue rows $name $inputs $($output)+);
                    $(
                        let expected = $crate::elements::elements!(@function $inputs $out ($expected));
                        let within = [$($within,)? $crate::compare::Within::Bits][0];
                        $crate::elements::check(&queue, stringify!($output), &rows, &$output, expected, within)?;
                    )+
                    Ok(())
                });
            })+
        }
    };
    (@kernel $name:ident ($($input:ident: $type:ident),+) $($output:ident $out:ident $device:expr;)+) => {
        #[kernel]
        fn $name($($input: &[$type],)+ $($output: &mut [$out],)+) {
            let here = global_id(0);
            $(let $input = $input[here];)+
            $($output[here] = $device;)+
        }
    };
    (@needs $types:ident ($($input:ident: $type:ident),+)) => {
        $types.extend([$(<$type as $crate::samples::Value>::NEED),+]);
    };
    (@function ($($input:ident: $type:ident),+) $out:ident $body:tt) => {
        |row: &($($type,)+)| -> $out {
            #[allow(unused_variables, reason = "without a condition, no input is looked at")]
            let ($($input,)+) = *row;
            $body
        }
    };
    (@launch $queue:ident $rows:ident $name:ident ($($input:ident: $type:ident),+) $($output:ident)+) => {
        let ($($input,)+) = $crate::samples::Row::columns(&$rows);
        $(let $input = $queue.upload(&$input)?;)+
        launch!($queue, $name($(&$input,)+ $(&mut $output),+), global = $rows.len())?;
    };
}
pub(crate) use elements;

/// Declares kernels whose one output is a block of Rust that plain Rust runs too, and `add_to` as [`elements!`] does.
macro_rules! bodies {
    ($(
        $(#[$doc:meta])+
        fn $name:ident($($input:ident: $type:ident),+) -> $out:ident $body:tt
    )+) => {
        $(
            $(#[$doc])+
            #[kernel]
            fn $name($($input: &[$type],)+ result: &mut [$out]) {
                let here = global_id(0);
                $(let $input = $input[here];)+
                result[here] = $body;
            }
        )+

        /// The same in plain Rust.
        mod plain {
            #[allow(unused_imports, reason = "not every body names something")]
            use super::*;
            $(
                pub(super) fn $name(($($input,)+): ($($type,)+)) -> $out $body
            )+
        }

        pub(crate) fn add_to(suite: &mut $crate::case::Suite) {
            $({
                suite.kernel::<$name>();
                let needs = $crate::elements::needs(&[
                    $(<$type as $crate::samples::Value>::NEED,)+
                    <$out as $crate::samples::Value>::NEED,
                ]);
                let name = $crate::case::case_path!(stringify!($name));
                suite.case(name.clone(), &needs, move |device| {
                    let rows = $crate::samples::rows::<($($type,)+)>(&name, |_| true);
                    let queue = device.queue()?;
                    let mut output = $crate::elements::output::<$out>(&queue, rows.len())?;
                    let ($($input,)+) = $crate::samples::Row::columns(&rows);
                    $(let $input = queue.upload(&$input)?;)+
                    launch!(queue, $name($(&$input,)+ &mut output), global = rows.len())?;
                    let (expected, within) = (|row: &_| plain::$name(*row), $crate::compare::Within::Bits);
                    $crate::elements::check(&queue, "result", &rows, &output, expected, within)
                });
            })+
        }
    };
}
pub(crate) use bodies;
