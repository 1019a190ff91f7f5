//! `as` from every type to every type that Rust allows.

use crate::case::Suite;
use crate::elements::elements;
use gridfn::prelude::*;

macro_rules! numbers {
    ($($t:ident in $module:ident;)*) => {$(
        mod $module {
            use super::*;
            elements! {
                fn to_integers_and_f32(a: $t); {
                    to_i8: i8 = a as i8, a as i8;
                    to_i16: i16 = a as i16, a as i16;
                    to_i32: i32 = a as i32, a as i32;
                    to_i64: i64 = a as i64, a as i64;
                    to_isize: isize = a as isize, a as isize;
                    to_u8: u8 = a as u8, a as u8;
                    to_u16: u16 = a as u16, a as u16;
                    to_u32: u32 = a as u32, a as u32;
                    to_u64: u64 = a as u64, a as u64;
                    to_usize: usize = a as usize, a as usize;
                    to_f32: f32 = a as f32, a as f32;
                }
                fn to_double(a: $t); {
                    to_f64: f64 = a as f64, a as f64;
                    there_and_back: $t = a as f64 as $t, a as f64 as $t;
                }
                fn chains(a: $t); {
                    through_i8: u64 = a as i8 as u64, a as i8 as u64;
                    through_u8: i64 = a as u8 as i64, a as u8 as i64;
                    through_f32: i32 = a as f32 as i32, a as f32 as i32;
                    inferred: u16 = { let v: u16 = a as _; v }, a as u16;
                    of_sum: u8 = (a + 1 as $t) as u8, of_sum!($t a);
                }
            }
        }
    )*};
}
/// `(a + 1) as u8` where integers wrap.
macro_rules! of_sum {
    (f32 $a:ident) => {
        ($a + 1.0) as u8
    };
    (f64 $a:ident) => {
        ($a + 1.0) as u8
    };
    ($t:ident $a:ident) => {
        $a.wrapping_add(1) as u8
    };
}

numbers! {
    i8 in of_i8;
    i16 in of_i16;
    i32 in of_i32;
    i64 in of_i64;
    isize in of_isize;
    u8 in of_u8;
    u16 in of_u16;
    u32 in of_u32;
    u64 in of_u64;
    usize in of_usize;
    f32 in of_f32;
    f64 in of_f64;
}

mod of_bool {
    use super::*;
    elements! {
        fn to_integers(a: bool); {
            to_i8: i8 = a as i8, a as i8;
            to_i16: i16 = a as i16, a as i16;
            to_i32: i32 = a as i32, a as i32;
            to_i64: i64 = a as i64, a as i64;
            to_isize: isize = a as isize, a as isize;
            to_u8: u8 = a as u8, a as u8;
            to_u16: u16 = a as u16, a as u16;
            to_u32: u32 = a as u32, a as u32;
            to_u64: u64 = a as u64, a as u64;
            to_usize: usize = a as usize, a as usize;
            to_bool: bool = a as bool, a;
            of_comparison: u32 = (a == true) as u32 + 1, a as u32 + 1;
        }
    }
}

pub(super) fn add_to(suite: &mut Suite) {
    for add_to in [
        of_i8::add_to,
        of_i16::add_to,
        of_i32::add_to,
        of_i64::add_to,
        of_isize::add_to,
        of_u8::add_to,
        of_u16::add_to,
        of_u32::add_to,
        of_u64::add_to,
        of_usize::add_to,
        of_f32::add_to,
        of_f64::add_to,
        of_bool::add_to,
    ] {
        add_to(suite);
    }
}
