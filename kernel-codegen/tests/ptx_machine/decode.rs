//! Opcodes with their modifiers, and operands.

/// One instruction.
pub(super) struct Instruction {
    /// It runs only if the predicate has that value.
    pub(super) guard: Option<(usize, bool)>,
    pub(super) opcode: Opcode,
    pub(super) modifiers: Vec<Modifier>,
    /// The types in the opcode, in order.
    pub(super) types: Vec<Type>,
    pub(super) operands: Vec<Operand>,
}

/// An operand whose names are resolved.
pub(super) enum Operand {
    Register(usize),
    /// The bits of a number; of a float literal, its own bits.
    Literal(u64),
    Address(usize, u64),
    /// What stands there in a parameter, and where that is.
    Parameter(usize, usize),
    ParameterAddress(usize, usize),
    /// The address of a variable in the local state space.
    LocalAddress(usize),
    /// The address of a table in the state space of constants.
    ConstantAddress(usize),
    Label(usize),
    Function(usize),
    List(Vec<Operand>),
    Special(Special, usize),
}

/// Special registers, each with one number for each dimension.
#[derive(Clone, Copy)]
pub(super) enum Special {
    Tid,
    Ntid,
    Ctaid,
    Nctaid,
}

/// How a type's bits are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Bits,
    Signed,
    Unsigned,
    Float,
    /// The upper half of an `f32`.
    BrainFloat,
    Predicate,
}

/// A type in an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Type {
    pub(super) kind: Kind,
    pub(super) bits: u32,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $word:literal)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum $name { $($variant),* }

        impl $name {
            fn from_word(word: &str) -> Option<$name> {
                match word {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// What an instruction does.
    Opcode {
        Abs "abs" Add "add" And "and" Atom "atom" Bra "bra" Brev "brev" Call "call" Clz "clz" CopySign "copysign"
        Cvt "cvt" Cvta "cvta" Div "div" Fence "fence" Fma "fma" Ld "ld" Mad "mad" Max "max" Membar "membar" Min "min"
        Mov "mov" Mul "mul"
        Neg "neg" Not "not" Or "or" Popc "popc" Rem "rem" Ret "ret" Selp "selp" Setp "setp" Shl "shl" Shr "shr"
        Sqrt "sqrt" St "st" Sub "sub" Xor "xor"
    }
}

words! {
    /// What else an opcode says.
    Modifier {
        Rn "rn" Rni "rni" Rzi "rzi" Rmi "rmi" Rpi "rpi" Sat "sat"
        Lo "lo" Hi "hi" Wide "wide"
        Eq "eq" Ne "ne" Lt "lt" Le "le" Gt "gt" Ge "ge" Neu "neu" Num "num" Nan "nan"
        Global "global" Param "param" Local "local" Const "const" NonCoherent "nc" To "to" V2 "v2" V4 "v4"
        Add "add" And "and" Or "or" Xor "xor" Min "min" Max "max" Exch "exch" Cas "cas"
        Relaxed "relaxed" Acquire "acquire" Release "release" AcqRel "acq_rel" Volatile "volatile" Sc "sc" Gpu "gpu"
        Gl "gl"
    }
}

fn type_from_word(word: &str) -> Option<Type> {
    if word == "pred" {
        let (kind, bits) = (Kind::Predicate, 1);
        return Some(Type { kind, bits });
    }
    if word == "bf16" {
        let (kind, bits) = (Kind::BrainFloat, 16);
        return Some(Type { kind, bits });
    }
    let kind = match word.chars().next()? {
        'b' => Kind::Bits,
        's' => Kind::Signed,
        'u' => Kind::Unsigned,
        'f' => Kind::Float,
        _ => return None,
    };
    let bits = word[1..].parse().ok()?;
    assert!([8, 16, 32, 64].contains(&bits), "type {word}");
    Some(Type { kind, bits })
}

/// An instruction from its parts.
pub(super) fn instruction(guard: Option<(usize, bool)>, text: &str, operands: Vec<Operand>) -> Instruction {
    let mut words = text.split('.');
    let opcode = words
        .next()
        .and_then(Opcode::from_word)
        .unwrap_or_else(|| panic!("unknown instruction {text}"));
    let (mut modifiers, mut types) = (Vec::new(), Vec::new());
    for word in words {
        match (Modifier::from_word(word), type_from_word(word)) {
            (Some(modifier), _) => modifiers.push(modifier),
            (None, Some(ty)) => types.push(ty),
            (None, None) => panic!("unknown modifier {word} in {text}"),
        }
    }
    Instruction {
        guard,
        opcode,
        modifiers,
        types,
        operands,
    }
}

/// A special register as an operand.
pub(super) fn special(word: &str) -> Option<Operand> {
    let (name, axis) = word.split_once('.')?;
    let special = match name {
        "%tid" => Special::Tid,
        "%ntid" => Special::Ntid,
        "%ctaid" => Special::Ctaid,
        "%nctaid" => Special::Nctaid,
        _ => return None,
    };
    Some(Operand::Special(
        special,
        ["x", "y", "z"].iter().position(|a| *a == axis)?,
    ))
}
