//! What instructions do.

use super::decode::{Instruction, Kind, Modifier, Opcode, Operand, Special, Type};
use super::memory::Memory;
use super::{Function, Item, Program};

/// More rounds than any test needs.
const MOST_STEPS: usize = 1_000_000;

/// Where the parameters' state space begins: beyond all of global memory, so that no address is taken for another.
const PARAMETERS: u64 = 1 << 60;
/// Where the local state space begins.
const LOCALS: u64 = 2 << 60;
/// Where the state space of constants begins.
const CONSTANTS: u64 = 3 << 60;
/// The distance between the addresses of two parameters, local variables or tables.
const STRIDE: u64 = 1 << 40;

/// A running function.
struct Frame<'p> {
    function: &'p Function,
    /// What was never written is none.
    registers: Vec<Option<u64>>,
    /// The bytes of the local variables.
    locals: Vec<Vec<Option<u8>>>,
    at: usize,
}

impl<'p> Frame<'p> {
    fn new(function: &'p Function) -> Frame<'p> {
        Frame {
            function,
            registers: vec![None; function.registers.len()],
            locals: function
                .locals
                .iter()
                .map(|(size, _)| vec![None; *size])
                .collect(),
            at: 0,
        }
    }

    /// The bytes of a value of type `ty` in the local state space.
    fn local(&mut self, address: u64, ty: Type) -> &mut [Option<u8>] {
        let (number, at) = place(LOCALS, address);
        let (size, (_, align)) = (ty.bits as usize / 8, self.function.locals[number]);
        assert!(at % size == 0 && size <= align, "unaligned access");
        &mut self.locals[number][at..at + size]
    }

    fn register(&self, number: usize) -> u64 {
        self.registers[number].expect("a register that was written")
    }

    /// An operand of exactly the width of `ty`.
    fn get(&self, operand: &Operand, ty: Type) -> u64 {
        if let Operand::Register(number) = operand {
            assert_eq!(self.function.registers[*number], ty.bits, "width of an operand");
        }
        self.get_relaxed(operand, ty)
    }

    /// An operand that may be wider than `ty` and is cut to it.
    fn get_relaxed(&self, operand: &Operand, ty: Type) -> u64 {
        match operand {
            Operand::Register(number) => {
                assert!(self.function.registers[*number] >= ty.bits, "width of an operand");
                cut(self.register(*number), ty.bits)
            }
            Operand::Literal(bits) if ty.kind != Kind::Predicate => cut(*bits, ty.bits),
            Operand::Literal(bits) => u64::from(*bits != 0),
            _ => panic!("an operand of this kind has no value"),
        }
    }

    /// Writes a result of exactly the register's width.
    fn set(&mut self, operand: &Operand, bits: u32, value: u64) {
        let Operand::Register(number) = operand else {
            panic!("a result goes to a register");
        };
        assert_eq!(self.function.registers[*number], bits, "width of a result");
        self.registers[*number] = Some(cut(value, bits));
    }

    /// Writes a result that may be narrower than the register and is extended by its own sign.
    fn set_extended(&mut self, operand: &Operand, ty: Type, value: u64) {
        let Operand::Register(number) = operand else {
            panic!("a result goes to a register");
        };
        let bits = self.function.registers[*number];
        assert!(bits >= ty.bits, "width of a result");
        self.set(operand, bits, extend(value, ty));
    }
}

/// The low bits.
fn cut(value: u64, bits: u32) -> u64 {
    if bits == 64 {
        value
    } else {
        value & ((1 << bits) - 1)
    }
}

/// The low bits, extended to 64 by the sign of `ty`.
fn extend(value: u64, ty: Type) -> u64 {
    if ty.kind == Kind::Signed {
        let unused = 64 - ty.bits;
        ((value << unused) as i64 >> unused) as u64
    } else {
        cut(value, ty.bits)
    }
}

/// Runs one item to its end.
pub(super) fn item(
    program: &Program,
    entry: &Function,
    item: Item,
    parameters: &[Vec<u8>],
    memory: &mut Memory,
) {
    let mut frames = vec![Frame::new(entry)];
    for _ in 0..MOST_STEPS {
        let frame = frames.last_mut().expect("a frame");
        let instruction = frame
            .function
            .code
            .get(frame.at)
            .expect("a return before the end");
        frame.at += 1;
        if let Some((predicate, expected)) = instruction.guard
            && (frame.register(predicate) != 0) != expected
        {
            continue;
        }
        match (instruction.opcode, instruction.operands.as_slice()) {
            (Opcode::Bra, [Operand::Label(to)]) => frame.at = *to,
            (
                Opcode::Call,
                [
                    Operand::List(_),
                    Operand::Function(callee),
                    Operand::List(arguments),
                ],
            ) => {
                let mut inner = Frame::new(&program.functions[*callee]);
                assert_eq!(arguments.len(), inner.function.arguments.len());
                for (argument, register) in arguments.iter().zip(&inner.function.arguments) {
                    let (kind, bits) = (Kind::Bits, inner.function.registers[*register]);
                    inner.registers[*register] = Some(frame.get(argument, Type { kind, bits }));
                }
                frames.push(inner);
            }
            (Opcode::Ret, []) => {
                let done = frames.pop().expect("a frame");
                let Some(caller) = frames.last_mut() else {
                    return;
                };
                let call = &caller.function.code[caller.at - 1];
                let Operand::List(results) = &call.operands[0] else {
                    panic!("a call has results");
                };
                for (to, from) in results.iter().zip(&done.function.results) {
                    caller.set(to, done.function.registers[*from], done.register(*from));
                }
            }
            (Opcode::Ld, [to, Operand::Parameter(number, at)]) => {
                assert!(instruction.has(Modifier::Param));
                let ty = instruction.types[0];
                frame.set_extended(to, ty, load_from(&parameters[*number], *at, ty));
            }
            (Opcode::Ld, [to, Operand::Address(base, offset)]) if instruction.has(Modifier::Param) => {
                let ty = instruction.types[0];
                let (number, at) = place(PARAMETERS, frame.register(*base).wrapping_add(*offset));
                frame.set_extended(to, ty, load_from(&parameters[number], at, ty));
            }
            (Opcode::Ld, [to, Operand::Address(base, offset)]) if instruction.has(Modifier::Const) => {
                let ty = instruction.types[0];
                let (number, at) = place(CONSTANTS, frame.register(*base).wrapping_add(*offset));
                frame.set_extended(to, ty, load_from(&program.constants[number], at, ty));
            }
            (Opcode::Ld, [to, Operand::Address(base, offset)]) if instruction.has(Modifier::Local) => {
                let ty = instruction.types[0];
                let bytes = frame
                    .local(frame.register(*base).wrapping_add(*offset), ty)
                    .iter();
                let written = bytes.map(|byte| byte.expect("a local that was written"));
                let value = load_from(&written.collect::<Vec<_>>(), 0, ty);
                frame.set_extended(to, ty, value);
            }
            (Opcode::St, [Operand::Address(base, offset), value]) if instruction.has(Modifier::Local) => {
                let ty = instruction.types[0];
                let value = frame.get_relaxed(value, ty).to_le_bytes();
                let bytes = frame.local(frame.register(*base).wrapping_add(*offset), ty);
                for (to, byte) in bytes.iter_mut().zip(value) {
                    *to = Some(byte);
                }
            }
            (Opcode::Mov, [to, Operand::ParameterAddress(number, at)]) => {
                frame.set(to, 64, PARAMETERS + *number as u64 * STRIDE + *at as u64);
            }
            (Opcode::Mov, [to, Operand::LocalAddress(number)]) => {
                frame.set(to, 64, LOCALS + *number as u64 * STRIDE);
            }
            (Opcode::Mov, [to, Operand::ConstantAddress(number)]) => {
                frame.set(to, 64, CONSTANTS + *number as u64 * STRIDE);
            }
            (Opcode::Ld, [Operand::List(list), Operand::Address(base, offset)]) => {
                assert!(instruction.has(Modifier::Global));
                let (ty, coherent) = (instruction.types[0], !instruction.has(Modifier::NonCoherent));
                let address = frame.register(*base).wrapping_add(*offset);
                for (to, at) in list.iter().zip(vector(instruction, list.len(), address)) {
                    frame.set_extended(to, ty, memory.load(at, ty.bits as usize / 8, coherent));
                }
            }
            (Opcode::St, [Operand::Address(base, offset), Operand::List(list)]) => {
                assert!(instruction.has(Modifier::Global));
                let ty = instruction.types[0];
                let address = frame.register(*base).wrapping_add(*offset);
                for (value, at) in list.iter().zip(vector(instruction, list.len(), address)) {
                    memory.store(at, ty.bits as usize / 8, frame.get_relaxed(value, ty));
                }
            }
            (Opcode::Ld, [to, Operand::Address(base, offset)]) => {
                assert!(instruction.has(Modifier::Global));
                let ty = instruction.types[0];
                let coherent = !instruction.has(Modifier::NonCoherent);
                let address = frame.register(*base).wrapping_add(*offset);
                frame.set_extended(to, ty, memory.load(address, ty.bits as usize / 8, coherent));
            }
            (Opcode::St, [Operand::Address(base, offset), value]) => {
                assert!(instruction.has(Modifier::Global));
                let ty = instruction.types[0];
                let address = frame.register(*base).wrapping_add(*offset);
                memory.store(address, ty.bits as usize / 8, frame.get_relaxed(value, ty));
            }
            (Opcode::Atom, [to, Operand::Address(base, offset), values @ ..]) => {
                assert!(instruction.has(Modifier::Global));
                let ty = instruction.types[0];
                let size = ty.bits as usize / 8;
                let address = frame.register(*base).wrapping_add(*offset);
                let old = memory.load(address, size, true);
                let values: Vec<u64> = values.iter().map(|value| frame.get_relaxed(value, ty)).collect();
                memory.store(address, size, atomic(instruction, ty, old, &values));
                frame.set(to, ty.bits, old);
            }
            // Items run one after the other.
            (Opcode::Fence, []) => assert!(instruction.has(Modifier::Sc) && instruction.has(Modifier::Gpu)),
            (Opcode::Membar, []) => assert!(instruction.has(Modifier::Gl)),
            (Opcode::Mov, [to, Operand::Special(special, d)]) => {
                let values = match special {
                    Special::Tid => item.local,
                    Special::Ntid => item.grid.local,
                    Special::Ctaid => item.group,
                    Special::Nctaid => item.grid.groups,
                };
                frame.set(to, 32, values[*d].into());
            }
            _ => compute(frame, instruction),
        }
    }
    panic!("the item does not end");
}

/// The address of each of the values of a vector, which is aligned to all of itself.
fn vector(instruction: &Instruction, len: usize, address: u64) -> impl Iterator<Item = u64> {
    let modifier = if len == 4 { Modifier::V4 } else { Modifier::V2 };
    assert!(
        instruction.has(modifier) && matches!(len, 2 | 4),
        "a vector of {len}"
    );
    let bytes = u64::from(instruction.types[0].bits) / 8;
    let size = bytes * len as u64;
    assert!(
        size <= 16 && address.is_multiple_of(size),
        "a vector of {size} bytes at {address:#x}"
    );
    (0..len as u64).map(move |n| address + n * bytes)
}

/// Which variable of a state space an address is in, and where in it.
fn place(state_space: u64, address: u64) -> (usize, usize) {
    let place = address.wrapping_sub(state_space);
    assert!(place < 1 << 60, "address {address:#x} in another state space");
    ((place / STRIDE) as usize, (place % STRIDE) as usize)
}

/// Loads from a variable.
fn load_from(variable: &[u8], at: usize, ty: Type) -> u64 {
    let size = ty.bits as usize / 8;
    assert_eq!(at % size, 0, "unaligned access");
    let mut bytes = [0; 8];
    bytes[..size].copy_from_slice(&variable[at..at + size]);
    u64::from_le_bytes(bytes)
}

impl Instruction {
    fn has(&self, modifier: Modifier) -> bool {
        self.modifiers.contains(&modifier)
    }
}

/// Instructions that only compute.
fn compute(frame: &mut Frame<'_>, i: &Instruction) {
    let to = &i.operands[0];
    let ty = i.types[0];
    match (i.opcode, &i.operands[1..]) {
        (Opcode::Mov, [a]) => frame.set(to, ty.bits, frame.get(a, ty)),
        (Opcode::Cvta, [a]) => {
            assert!(i.has(Modifier::To) && i.has(Modifier::Global));
            frame.set(to, 64, frame.get(a, ty));
        }
        (Opcode::Cvt, [a]) => {
            let from = i.types[1];
            let value = convert(i, ty, from, frame.get_relaxed(a, from));
            frame.set_extended(to, ty, value);
        }
        (Opcode::Selp, [a, b, p]) => {
            let chosen = if frame.get(p, PREDICATE) != 0 { a } else { b };
            frame.set(to, ty.bits, frame.get(chosen, ty));
        }
        (Opcode::Setp, [a, b]) => {
            let holds = compare(i, ty, frame.get(a, ty), frame.get(b, ty));
            frame.set(to, 1, holds.into());
        }
        (Opcode::Popc | Opcode::Clz, [a]) => {
            let a = frame.get(a, ty);
            let count = match i.opcode {
                Opcode::Popc => a.count_ones(),
                _ => a.leading_zeros() - (64 - ty.bits),
            };
            // The result has 32 bits whatever is counted.
            frame.set(to, 32, count.into());
        }
        (Opcode::Shl | Opcode::Shr, [a, b]) => {
            let amount = frame.get(b, U32);
            let a = extend(frame.get(a, ty), ty);
            let value = match i.opcode {
                // Amounts beyond the width are held at it.
                Opcode::Shl if amount >= ty.bits.into() => 0,
                Opcode::Shl => a << amount,
                _ if ty.kind == Kind::Signed => (a as i64 >> amount.min(63)) as u64,
                _ if amount >= ty.bits.into() => 0,
                _ => a >> amount,
            };
            frame.set(to, ty.bits, value);
        }
        (Opcode::Mad, [a, b, c]) if i.has(Modifier::Wide) => {
            let product = extend(frame.get(a, ty), ty).wrapping_mul(extend(frame.get(b, ty), ty));
            let (kind, bits) = (ty.kind, 2 * ty.bits);
            let sum = product.wrapping_add(frame.get(c, Type { kind, bits }));
            frame.set(to, bits, sum);
        }
        (_, operands) => {
            let values: Vec<u64> = operands.iter().map(|o| extend(frame.get(o, ty), ty)).collect();
            let value = match ty.kind {
                Kind::Float if ty.bits == 32 => u64::from(float32(i, &values).to_bits()),
                Kind::Float => float64(i, &values).to_bits(),
                _ => integer(i, ty, &values),
            };
            frame.set(to, ty.bits, value);
        }
    }
}

const PREDICATE: Type = Type {
    kind: Kind::Predicate,
    bits: 1,
};
const U32: Type = Type {
    kind: Kind::Unsigned,
    bits: 32,
};

/// Integers and predicates, extended to 64 bits by their own sign.
fn integer(i: &Instruction, ty: Type, values: &[u64]) -> u64 {
    let signed = ty.kind == Kind::Signed;
    let logic = matches!(ty.kind, Kind::Bits | Kind::Predicate);
    match (i.opcode, values) {
        (Opcode::And, [a, b]) if logic => a & b,
        (Opcode::Or, [a, b]) if logic => a | b,
        (Opcode::Xor, [a, b]) if logic => a ^ b,
        (Opcode::Not, [a]) if logic => !a,
        (Opcode::Brev, [a]) if logic => a.reverse_bits() >> (64 - ty.bits),
        _ if logic => panic!("{:?} of untyped bits", i.opcode),
        (Opcode::Neg, [a]) if signed => a.wrapping_neg(),
        (Opcode::Add, [a, b]) if i.has(Modifier::Sat) => saturate(ty, *a as i64 + *b as i64),
        (Opcode::Sub, [a, b]) if i.has(Modifier::Sat) => saturate(ty, *a as i64 - *b as i64),
        (Opcode::Add, [a, b]) => a.wrapping_add(*b),
        (Opcode::Sub, [a, b]) => a.wrapping_sub(*b),
        (Opcode::Mul, [a, b]) if i.has(Modifier::Lo) => a.wrapping_mul(*b),
        (Opcode::Mul, [a, b]) if i.has(Modifier::Hi) && signed => {
            ((i128::from(*a as i64) * i128::from(*b as i64)) >> ty.bits) as u64
        }
        (Opcode::Mul, [a, b]) if i.has(Modifier::Hi) => ((u128::from(*a) * u128::from(*b)) >> ty.bits) as u64,
        (Opcode::Mad, [a, b, c]) if i.has(Modifier::Lo) => a.wrapping_mul(*b).wrapping_add(*c),
        // Division by zero gives an unspecified value: here, it is refused.
        (Opcode::Div, [a, b]) if signed => (*a as i64 / *b as i64) as u64,
        (Opcode::Div, [a, b]) => a / b,
        (Opcode::Rem, [a, b]) if signed => (*a as i64 % *b as i64) as u64,
        (Opcode::Rem, [a, b]) => a % b,
        (Opcode::Min, [a, b]) if signed => (*a as i64).min(*b as i64) as u64,
        (Opcode::Max, [a, b]) if signed => (*a as i64).max(*b as i64) as u64,
        (Opcode::Min, [a, b]) => *a.min(b),
        (Opcode::Max, [a, b]) => *a.max(b),
        _ => panic!("{:?} of {ty:?} with {} operands", i.opcode, values.len()),
    }
}

/// What an atomic instruction puts in the place of `old`.
fn atomic(i: &Instruction, ty: Type, old: u64, values: &[u64]) -> u64 {
    let unused = 64 - ty.bits;
    // The order of signed numbers is that of the unsigned ones with the other highest bit.
    let sign = u64::from(ty.kind == Kind::Signed) << 63;
    let key = |n: u64| n << unused ^ sign;
    let has = |modifier| i.has(modifier);
    match (ty.kind, values) {
        (Kind::Float, [value]) if has(Modifier::Add) && ty.bits == 64 => {
            (f64::from_bits(old) + f64::from_bits(*value)).to_bits()
        }
        (Kind::Unsigned, [value]) if has(Modifier::Add) => old.wrapping_add(*value),
        (Kind::Signed | Kind::Unsigned, [value]) if has(Modifier::Min) => {
            if key(*value) < key(old) {
                *value
            } else {
                old
            }
        }
        (Kind::Signed | Kind::Unsigned, [value]) if has(Modifier::Max) => {
            if key(*value) > key(old) {
                *value
            } else {
                old
            }
        }
        (Kind::Bits, [value]) if has(Modifier::And) => old & value,
        (Kind::Bits, [value]) if has(Modifier::Or) => old | value,
        (Kind::Bits, [value]) if has(Modifier::Xor) => old ^ value,
        (Kind::Bits, [value]) if has(Modifier::Exch) => *value,
        (Kind::Bits, [expected, new]) if has(Modifier::Cas) => {
            if old == *expected << unused >> unused {
                *new
            } else {
                old
            }
        }
        _ => panic!("atom {:?} of {ty:?} with {} values", i.modifiers, values.len()),
    }
}

/// Of 32-bit signed integers only.
fn saturate(ty: Type, exact: i64) -> u64 {
    assert!(
        ty.kind == Kind::Signed && ty.bits == 32,
        "only add.sat.s32 exists"
    );
    exact.clamp(i32::MIN.into(), i32::MAX.into()) as u64
}

macro_rules! float {
    ($name:ident, $float:ident, $canonical:expr) => {
        fn $name(i: &Instruction, values: &[u64]) -> $float {
            let values: Vec<$float> = values.iter().map(|v| $float::from_bits(*v as _)).collect();
            let rn = i.has(Modifier::Rn);
            let value = match (i.opcode, values.as_slice()) {
                // Without `.rn` the assembler may contract these.
                (Opcode::Add, [a, b]) if rn => a + b,
                (Opcode::Sub, [a, b]) if rn => a - b,
                (Opcode::Mul, [a, b]) if rn => a * b,
                (Opcode::Div, [a, b]) if rn => a / b,
                (Opcode::Fma, [a, b, c]) if rn => a.mul_add(*b, *c),
                (Opcode::Sqrt, [a]) if rn => a.sqrt(),
                (Opcode::Neg, [a]) => return -a,
                (Opcode::Abs, [a]) => return a.abs(),
                (Opcode::CopySign, [a, b]) => return b.copysign(*a),
                // The other operand if one is NaN; -0 is less than +0.
                (Opcode::Min, [a, b]) if a.is_nan() => *b,
                (Opcode::Min, [a, b]) if b.is_nan() || a < b => *a,
                (Opcode::Min, [a, b]) if a == b && a.is_sign_negative() => *a,
                (Opcode::Min, [_, b]) => *b,
                (Opcode::Max, [a, b]) if a.is_nan() => *b,
                (Opcode::Max, [a, b]) if b.is_nan() || a > b => *a,
                (Opcode::Max, [a, b]) if a == b && a.is_sign_positive() => *a,
                (Opcode::Max, [_, b]) => *b,
                _ => panic!("{:?} {:?} of floats", i.opcode, i.modifiers),
            };
            if value.is_nan() {
                $float::from_bits($canonical)
            } else {
                value
            }
        }
    };
}
float!(float32, f32, 0x7fff_ffff);
float!(float64, f64, 0x7fff_ffff_ffff_ffff);

fn compare(i: &Instruction, ty: Type, a: u64, b: u64) -> bool {
    let order = match ty.kind {
        Kind::Float => real(ty, a).partial_cmp(&real(ty, b)),
        Kind::Signed => Some((extend(a, ty) as i64).cmp(&(extend(b, ty) as i64))),
        Kind::Unsigned => Some(a.cmp(&b)),
        Kind::Bits | Kind::BrainFloat | Kind::Predicate => panic!("a comparison of {ty:?}"),
    };
    let float = ty.kind == Kind::Float;
    match i.modifiers[0] {
        Modifier::Eq => order.is_some_and(|o| o.is_eq()),
        Modifier::Ne => order.is_some_and(|o| o.is_ne()),
        Modifier::Lt => order.is_some_and(|o| o.is_lt()),
        Modifier::Le => order.is_some_and(|o| o.is_le()),
        Modifier::Gt => order.is_some_and(|o| o.is_gt()),
        Modifier::Ge => order.is_some_and(|o| o.is_ge()),
        // The unordered forms are true with NaN.
        Modifier::Neu if float => order.is_none_or(|o| o.is_ne()),
        Modifier::Num if float => order.is_some(),
        Modifier::Nan if float => order.is_none(),
        other => panic!("comparison {other:?} of {ty:?}"),
    }
}

/// A float of either width as the wider one, which holds it exactly.
fn real(ty: Type, bits: u64) -> f64 {
    match ty.bits {
        16 => half::f16::from_bits(bits as u16).into(),
        32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

fn convert(i: &Instruction, to: Type, from: Type, value: u64) -> u64 {
    if to.kind == Kind::BrainFloat {
        assert!(i.has(Modifier::Rn) && from.kind == Kind::Float && from.bits == 32);
        return half::bf16::from_f32(f32::from_bits(value as u32))
            .to_bits()
            .into();
    }
    match (from.kind == Kind::Float, to.kind == Kind::Float) {
        (false, false) => extend(value, from),
        (true, false) => {
            assert!(i.has(Modifier::Rzi), "a conversion to an integer rounds to one");
            float_to_integer(to, from, real(from, value))
        }
        (false, true) => {
            assert!(i.has(Modifier::Rn), "a conversion of an integer rounds");
            let value = extend(value, from);
            match (to.bits, from.kind == Kind::Signed) {
                (32, true) => (value as i64 as f32).to_bits().into(),
                (32, false) => (value as f32).to_bits().into(),
                (_, true) => (value as i64 as f64).to_bits(),
                (_, false) => (value as f64).to_bits(),
            }
        }
        (true, true) => {
            let value = real(from, value);
            let value = match i.modifiers.as_slice() {
                [] if to.bits > from.bits => value,
                [Modifier::Rn] if to.bits < from.bits => value,
                [Modifier::Rni] => value.round_ties_even(),
                [Modifier::Rzi] => value.trunc(),
                [Modifier::Rmi] => value.floor(),
                [Modifier::Rpi] => value.ceil(),
                other => panic!("conversion {other:?} from {from:?} to {to:?}"),
            };
            match to.bits {
                16 => half::f16::from_f32(value as f32).to_bits().into(),
                32 => (value as f32).to_bits().into(),
                _ => value.to_bits(),
            }
        }
    }
}

/// Held at the bounds of the destination. NaN gives 0 only where no side has 64 bits, else the highest bit alone.
fn float_to_integer(to: Type, from: Type, value: f64) -> u64 {
    if value.is_nan() {
        let wide = from.bits == 64 || to.bits == 64;
        return if wide { 1 << (to.bits - 1) } else { 0 };
    }
    let value = value.trunc();
    let signed = to.kind == Kind::Signed;
    let top = 2f64.powi((to.bits - u32::from(signed)) as i32);
    let (min, max) = if signed {
        (-top, (1u64 << (to.bits - 1)) - 1)
    } else {
        (0.0, cut(u64::MAX, to.bits))
    };
    if value >= top {
        max
    } else if value < min {
        min as i64 as u64
    } else if value < 0.0 {
        value as i64 as u64
    } else {
        value as u64
    }
}
