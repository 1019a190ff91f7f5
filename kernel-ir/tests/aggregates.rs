//! What aggregates are lowered to in typed IR: array variables, tables of constants and slices whose memory holds
//! several types. Their text, their meaning, and the types that they make a kernel need.

mod eval;

use eval::{Argument, Item};
use gridfn_ir::build::Builder;
use gridfn_ir::typed::{BinaryOp, Kernel, Op, ParamKind, Stmt, UnaryOp};
use gridfn_ir::verify::verify;
use gridfn_ir::{IndexFunction, Scalar};

/// A slice of structs of a `u8`, a `u32` and an `f64`, and an array variable filled from a table:
///
/// ```text
/// const PRIMES: [u8; 3] = [2, 3, 5];
/// let mut swapped = [_; 2];
/// swapped[0] = x[i].1; swapped[1] = PRIMES[i] as u32;
/// x[i] = (x[i].0 + PRIMES[i], swapped[1], -x[i].2);
/// ```
fn kernel() -> Kernel {
    let mut b = Builder::new("k");
    let (element, writable) = (Scalar::F64, true);
    let x = b.param("x", ParamKind::Slice { element, writable });
    let primes = b.table(Some("PRIMES"), Scalar::U8, vec![2, 3, 5]);
    let i = b.index(IndexFunction::GlobalId, 0);
    let [zero, one, two, four, sixteen] = [0, 1, 2, 4, 16].map(|n| b.constant(Scalar::Usize, n));
    let start = b.binary(BinaryOp::Mul, i, sixteen);
    let second = b.binary(BinaryOp::Mul, i, four);
    let second = b.binary(BinaryOp::Add, second, one);
    let third = b.binary(BinaryOp::Mul, i, two);
    let third = b.binary(BinaryOp::Add, third, one);

    let array = b.array(Some("swapped"), Scalar::U32, 2);
    let count = b.def(Scalar::U32, Op::Load(x, second));
    b.push(Stmt::SetElement(array, zero, count));
    let prime = b.lookup(primes, i);
    let wide = b.cast(prime, Scalar::U32);
    b.push(Stmt::SetElement(array, one, wide));

    let tag = b.def(Scalar::U8, Op::Load(x, start));
    let sum = b.binary(BinaryOp::Add, tag, prime);
    b.push(Stmt::Store(x, start, sum));
    let last = b.read_element(array, one);
    b.push(Stmt::Store(x, second, last));
    let mass = b.def(Scalar::F64, Op::Load(x, third));
    let mass = b.unary(UnaryOp::Neg, mass);
    b.push(Stmt::Store(x, third, mass));
    b.finish()
}

#[test]
fn they_are_sound() {
    assert_eq!(verify(&kernel()), Ok(()));
}

#[test]
fn they_are_printed() {
    let expected = "\
table #0 PRIMES: [u8; 3] = [2, 3, 5]
kernel k(x: &mut [f64]) {
    %0: usize = GlobalId(0)
    %1: usize = 0
    %2: usize = 1
    %3: usize = 2
    %4: usize = 4
    %5: usize = 16
    %6: usize = Mul %0, %5
    %7: usize = Mul %0, %4
    %8: usize = Add %7, %2
    %9: usize = Mul %0, %3
    %10: usize = Add %9, %2
    local $0 swapped: [u32; 2]
    %11: u32 = load x[%8]
    $0[%1] = %11
    %12: u8 = lookup #0[%0]
    %13: u32 = cast %12
    $0[%2] = %13
    %14: u8 = load x[%6]
    %15: u8 = Add %14, %12
    store x[%6] = %15
    %16: u32 = $0[%2]
    store x[%8] = %16
    %17: f64 = load x[%10]
    %18: f64 = Neg %17
    store x[%10] = %18
}
";
    assert_eq!(kernel().to_string(), expected);
}

/// Nothing but the fields changes: the bytes between them stay.
#[test]
fn the_fields_of_a_slices_element_are_of_their_own_types() {
    let word = |count: u64, tag: u64| count << 32 | 0xaa_bbcc00 | tag;
    let mut arguments = [Argument::Aggregates {
        len: 2,
        memory: vec![
            word(70, 250),
            1.5f64.to_bits(),
            word(80, 254),
            (-2.0f64).to_bits(),
        ],
    }];
    for x in 0..2 {
        let item = Item {
            global_id: [x, 0, 0],
            ..Item::default()
        };
        assert_eq!(eval::run(&kernel(), &mut arguments, &item), Ok(()));
    }
    let expected = vec![word(2, 252), (-1.5f64).to_bits(), word(3, 1), 2.0f64.to_bits()];
    let (len, memory) = (2, expected);
    assert_eq!(arguments, [Argument::Aggregates { len, memory }]);
}

#[test]
fn a_kernel_needs_the_types_of_its_arrays_and_tables() {
    let with = |add: fn(&mut Builder)| {
        let mut b = Builder::new("k");
        add(&mut b);
        b.finish().uses_f64()
    };
    assert!(!with(|_| {}));
    assert!(with(|b| {
        b.array(None, Scalar::F64, 1);
    }));
    assert!(with(|b| {
        b.table(None, Scalar::F64, vec![0]);
    }));
}
