//! How the IR's types stand in PTX: register classes, instruction suffixes and literals.

use gridfn_ir::Scalar;

/// What kind of register holds a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Class {
    /// `bool`
    Predicate,
    /// The operand of a cast from or to a float of 16 bits.
    B16,
    /// Integers of up to 32 bits; those of 8 and 16 are kept extended by their own sign. The bits of floats of 16 bits are
    /// kept likewise.
    B32,
    /// Integers of 64 bits, and addresses.
    B64,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Class {
    /// The class that holds a type.
    pub(super) fn of(ty: Scalar) -> Class {
        match ty {
            Scalar::Bool => Class::Predicate,
            Scalar::I8 | Scalar::I16 | Scalar::I32 => Class::B32,
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::F16 | Scalar::Bf16 => Class::B32,
            Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize => Class::B64,
            Scalar::F32 => Class::F32,
            Scalar::F64 => Class::F64,
        }
    }

    /// The type in a declaration.
    pub(super) fn declaration(self) -> &'static str {
        match self {
            Class::Predicate => ".pred",
            Class::B16 => ".b16",
            Class::B32 => ".b32",
            Class::B64 => ".b64",
            Class::F32 => ".f32",
            Class::F64 => ".f64",
        }
    }

    /// What names of registers without a name of their own begin with; those that NVIDIA's compiler uses.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Class::Predicate => "p",
            Class::B16 => "rs",
            Class::B32 => "r",
            Class::B64 => "rd",
            Class::F32 => "f",
            Class::F64 => "fd",
        }
    }
}

/// The type of instructions that compute with `ty`: narrow integers are computed in 32 bits.
pub(super) fn computed(ty: Scalar) -> &'static str {
    match ty {
        Scalar::Bool => "pred",
        Scalar::I8 | Scalar::I16 | Scalar::I32 => "s32",
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::F16 | Scalar::Bf16 => "u32",
        Scalar::I64 | Scalar::Isize => "s64",
        Scalar::U64 | Scalar::Usize => "u64",
        Scalar::F32 => "f32",
        Scalar::F64 => "f64",
    }
}

/// The type of instructions for which signs do not matter: moves, selects, logic.
pub(super) fn moved(ty: Scalar) -> &'static str {
    match Class::of(ty) {
        Class::Predicate => "pred",
        Class::B16 => "b16",
        Class::B32 => "b32",
        Class::B64 => "b64",
        Class::F32 => "f32",
        Class::F64 => "f64",
    }
}

/// The type in memory. Loads of narrow integers extend them by their own sign.
pub(super) fn memory(ty: Scalar) -> &'static str {
    if ty == Scalar::Bool {
        "u8"
    } else {
        narrow(ty).unwrap_or(computed(ty))
    }
}

/// The type's own suffix, if its registers are wider than it is.
pub(super) fn narrow(ty: Scalar) -> Option<&'static str> {
    match ty {
        Scalar::I8 => Some("s8"),
        Scalar::I16 => Some("s16"),
        Scalar::U8 => Some("u8"),
        Scalar::U16 | Scalar::F16 | Scalar::Bf16 => Some("u16"),
        Scalar::Bool
        | Scalar::I32
        | Scalar::I64
        | Scalar::Isize
        | Scalar::U32
        | Scalar::U64
        | Scalar::Usize
        | Scalar::F32
        | Scalar::F64 => None,
    }
}

/// The width of the registers that hold integers of type `ty`.
pub(super) fn register_bits(ty: Scalar) -> u32 {
    ty.bits().max(32)
}

/// A constant as instructions take it. There is none for `bool`.
pub(super) fn literal(ty: Scalar, bits: u64) -> Option<String> {
    Some(match ty {
        Scalar::Bool => return None,
        Scalar::F32 => format!("0f{:08X}", bits as u32),
        Scalar::F64 => format!("0d{bits:016X}"),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Isize => signed(ty, bits).to_string(),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize | Scalar::F16 | Scalar::Bf16 => {
            bits.to_string()
        }
    })
}

/// The number that the low bits of a word are in a signed type.
fn signed(ty: Scalar, bits: u64) -> i64 {
    let unused = 64 - ty.bits();
    (bits << unused) as i64 >> unused
}

/// The smallest and the largest value of an integer type, as literals.
pub(super) fn range(ty: Scalar) -> (String, String) {
    let all = ty.truncate(u64::MAX);
    if ty.is_signed() {
        let min = ty.min_bits();
        (signed(ty, min).to_string(), signed(ty, all ^ min).to_string())
    } else {
        ("0".into(), all.to_string())
    }
}
