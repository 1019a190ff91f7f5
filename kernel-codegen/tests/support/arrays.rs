//! Kernels with array parameters, what to run them on, and what must come out.

use super::kernels::{check, output};
use gridfn_ir::build::Builder;
use gridfn_ir::typed::{BinaryOp, CompareOp, Kernel, Op, ParamId, ParamKind, Stmt, ValueId};
use gridfn_ir::{IndexFunction, Scalar};

/// A launch in one dimension, and its outcome.
pub struct Run {
    pub kernel: Kernel,
    /// How many items run.
    pub items: u64,
    /// For each parameter its value, its elements or what its slice holds before, as the low bits of words.
    pub arguments: Vec<Vec<u64>>,
    /// What each slice holds afterwards.
    pub expected: Vec<Vec<u64>>,
}

/// Every launch here; the kernels' names differ.
pub fn runs() -> Vec<Run> {
    let mut runs = vec![mixed_run()];
    runs.extend(Scalar::PRIMITIVES.map(run_of));
    runs
}

fn array(element: Scalar, len: usize) -> ParamKind {
    ParamKind::Array { element, len }
}

/// `index % n`
fn modulo(b: &mut Builder, index: ValueId, n: usize) -> ValueId {
    let n = b.constant(Scalar::Usize, n as u64);
    b.binary(BinaryOp::Rem, index, n)
}

/// The scalars' part of a result: `scalars[0] + 3 * scalars[1] + 5 * scalars[2] + …`, as `u64`s.
fn sum(b: &mut Builder, scalars: &[(Scalar, ParamId)]) -> ValueId {
    let mut sum = b.constant(Scalar::U64, 0);
    for (factor, (ty, param)) in (1..).step_by(2).zip(scalars) {
        let value = b.def(*ty, Op::Param(*param));
        let value = b.cast(value, Scalar::U64);
        let factor = b.constant(Scalar::U64, factor);
        let product = b.binary(BinaryOp::Mul, value, factor);
        sum = b.binary(BinaryOp::Add, sum, product);
    }
    sum
}

/// Arrays of small elements before scalars of eight bytes, and one without elements, which is indexed where control
/// never gets:
///
/// ```text
/// words[i] = a + 3 * b + 5 * c + 7 * d;
/// if i >= 1000 { words[i] = none[i]; }
/// floats_out[i] = if flags[i % 3] { floats[i % 3] } else { (shorts[i % 3] - bytes[i % 5] as i16) as f32 };
/// ```
pub fn mixed() -> Kernel {
    let mut b = Builder::new("arrays");
    let flags = b.param("flags", array(Scalar::Bool, 3));
    let a = b.param("a", ParamKind::Scalar(Scalar::U64));
    let bytes = b.param("bytes", array(Scalar::I8, 5));
    let words = b.param("words", output(Scalar::U64));
    let shorts = b.param("shorts", array(Scalar::I16, 3));
    let b_ = b.param("b", ParamKind::Scalar(Scalar::I64));
    let small = b.param("c", ParamKind::Scalar(Scalar::U8));
    let none = b.param("none", array(Scalar::U64, 0));
    let d = b.param("d", ParamKind::Scalar(Scalar::U8));
    let floats = b.param("floats", array(Scalar::F32, 3));
    let out = b.param("floats_out", output(Scalar::F32));
    let i = b.index(IndexFunction::GlobalId, 0);
    b.name(i, "i");

    let scalars = [
        (Scalar::U64, a),
        (Scalar::I64, b_),
        (Scalar::U8, small),
        (Scalar::U8, d),
    ];
    let word = sum(&mut b, &scalars);
    b.push(Stmt::Store(words, i, word));
    let far = b.constant(Scalar::Usize, 1000);
    let is_far = b.compare(CompareOp::Ge, i, far);
    let (body, ()) = b.block(|b| {
        let zero = b.constant(Scalar::Usize, 0);
        check(b, i, zero, 3);
        let element = b.element(Scalar::U64, none, i);
        b.push(Stmt::Store(words, i, element));
    });
    b.push(Stmt::If(is_far, body, vec![]));

    let (third, fifth) = (modulo(&mut b, i, 3), modulo(&mut b, i, 5));
    let flag = b.element(Scalar::Bool, flags, third);
    let float = b.element(Scalar::F32, floats, third);
    let short = b.element(Scalar::I16, shorts, third);
    let byte = b.element(Scalar::I8, bytes, fifth);
    let byte = b.cast(byte, Scalar::I16);
    let difference = b.binary(BinaryOp::Sub, short, byte);
    let difference = b.cast(difference, Scalar::F32);
    let result = b.select(flag, float, difference);
    b.push(Stmt::Store(out, i, result));
    b.finish()
}

fn mixed_run() -> Run {
    const ITEMS: usize = 100;
    let (flags, bytes) = ([true, false, true], [-1i8, 2, -128, 127, 5]);
    let (shorts, floats) = ([-300i16, 32000, 7], [0.5f32, -1.25, 1e10]);
    let (a, b, c, d) = (0x1122_3344_5566_7788u64, -5i64, 200u8, 77u8);
    let word = a
        .wrapping_add(3u64.wrapping_mul(b as u64))
        .wrapping_add(5 * u64::from(c) + 7 * u64::from(d));
    let float = |i: usize| {
        if flags[i % 3] {
            floats[i % 3]
        } else {
            f32::from(shorts[i % 3].wrapping_sub(bytes[i % 5].into()))
        }
    };
    Run {
        kernel: mixed(),
        items: ITEMS as u64,
        arguments: vec![
            flags.map(u64::from).into(),
            vec![a],
            bytes.map(|x| u64::from(x as u8)).into(),
            vec![0; ITEMS],
            shorts.map(|x| u64::from(x as u16)).into(),
            vec![b as u64],
            vec![c.into()],
            vec![],
            vec![d.into()],
            floats.map(|x| u64::from(x.to_bits())).into(),
            vec![0; ITEMS],
        ],
        expected: vec![
            vec![word; ITEMS],
            (0..ITEMS).map(|i| u64::from(float(i).to_bits())).collect(),
        ],
    }
}

/// The lengths of the arrays of [`of`].
const LENGTHS: [usize; 4] = [1, 3, 4, 17];

/// Arrays of one type among scalars that their ends misalign: `out_n[i] = array_n[i % n]` for each length, and
/// `words[i] = small + 3 * wide + 5 * odd + 7 * last`.
pub fn of(ty: Scalar) -> Kernel {
    let mut b = Builder::new(format!("arrays_of_{ty}"));
    let small = b.param("small", ParamKind::Scalar(Scalar::U8));
    let arrays = LENGTHS.map(|n| {
        let before = match n {
            3 => Some(b.param("wide", ParamKind::Scalar(Scalar::U64))),
            17 => Some(b.param("odd", ParamKind::Scalar(Scalar::U8))),
            _ => None,
        };
        (before, b.param(format!("array_{n}"), array(ty, n)))
    });
    let last = b.param("last", ParamKind::Scalar(Scalar::U32));
    let outputs = LENGTHS.map(|n| b.param(format!("out_{n}"), output(ty)));
    let words = b.param("words", output(Scalar::U64));

    let i = b.index(IndexFunction::GlobalId, 0);
    for ((n, (_, array)), out) in LENGTHS.into_iter().zip(arrays).zip(outputs) {
        let at = modulo(&mut b, i, n);
        let element = b.element(ty, array, at);
        b.push(Stmt::Store(out, i, element));
    }
    let mut scalars = vec![(Scalar::U8, small)];
    let between = arrays.iter().filter_map(|(before, _)| *before);
    scalars.extend([Scalar::U64, Scalar::U8].into_iter().zip(between));
    scalars.push((Scalar::U32, last));
    let word = sum(&mut b, &scalars);
    b.push(Stmt::Store(words, i, word));
    b.finish()
}

fn run_of(ty: Scalar) -> Run {
    const ITEMS: usize = 40;
    let sample = |n: usize| match ty {
        Scalar::Bool => (n % 3 % 2) as u64,
        Scalar::F32 => u64::from((1.5 * n as f32 - 20.0).to_bits()),
        Scalar::F64 => (1.5 * n as f64 - 20.0).to_bits(),
        integer => integer.truncate(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(n as u64 + 1)),
    };
    let elements = LENGTHS.map(|n| (0..n).map(|k| sample(n + k)).collect::<Vec<_>>());
    let (small, wide, odd, last) = (201u64, 0x0102_0304_0506_0708, 99, 0xdead_beef);
    let [one, three, four, seventeen] = elements.clone();
    let mut arguments = vec![vec![small], one, vec![wide], three, four, vec![odd], seventeen];
    arguments.push(vec![last]);
    // The slices.
    arguments.resize(arguments.len() + LENGTHS.len() + 1, vec![0; ITEMS]);
    let mut expected: Vec<Vec<u64>> = elements
        .iter()
        .map(|elements| elements.iter().copied().cycle().take(ITEMS).collect())
        .collect();
    expected.push(vec![small + 3 * wide + 5 * odd + 7 * last; ITEMS]);
    Run {
        kernel: of(ty),
        items: ITEMS as u64,
        arguments,
        expected,
    }
}
