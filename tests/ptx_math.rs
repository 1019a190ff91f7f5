//! The functions that PTX has no instructions for, and those of `DeviceMath`: kernels that call them have code, `ptxas` takes it, and run by a
//! machine of our own it gives the very bits of `gridfn-math`'s functions.

#[allow(dead_code, unreachable_pub)]
#[path = "../kernel-codegen/tests/ptx_machine/mod.rs"]
mod ptx_machine;
#[allow(dead_code)]
#[path = "../kernel-math/tests/support/mod.rs"]
mod samples;
#[allow(dead_code, unreachable_pub)]
#[path = "../kernel-codegen/tests/support/tool.rs"]
mod tool;

use gridfn::prelude::*;
use gridfn::{Code, Result, Target};
use gridfn_math::{error_function::*, gamma::*, half_turns::*};
use gridfn_math::{exponential::*, hyperbolic::*, inverse::*, logarithm::*, power::*, trigonometric::*};
use ptx_machine::{Grid, Memory, Program};
use samples::Random;
use std::fmt::Debug;

/// Operands that are cases of their own.
const SPECIAL: [f64; 17] = [
    0.0,
    0.5,
    1.0,
    1.5,
    2.0,
    3.0,
    1e-310,
    1e-40,
    1e-20,
    88.7,
    709.8,
    1e9,
    1e38,
    1e300,
    f64::INFINITY,
    f64::NAN,
    std::f64::consts::FRAC_PI_4,
];

/// A type of which the machine is given values.
trait Value: Copy + PartialEq + Debug {
    const BYTES: usize;
    fn bits(self) -> u64;
    fn from(x: f64) -> Self;
    fn random(random: &mut Random) -> Self;
    fn is_nan(self) -> bool;
}

impl Value for f32 {
    const BYTES: usize = 4;
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
    fn from(x: f64) -> f32 {
        x as f32
    }
    fn random(random: &mut Random) -> f32 {
        random.operand_f32()
    }
    fn is_nan(self) -> bool {
        self.is_nan()
    }
}

impl Value for f64 {
    const BYTES: usize = 8;
    fn bits(self) -> u64 {
        self.to_bits()
    }
    fn from(x: f64) -> f64 {
        x
    }
    fn random(random: &mut Random) -> f64 {
        random.operand()
    }
    fn is_nan(self) -> bool {
        self.is_nan()
    }
}

fn operands<T: Value>() -> Vec<T> {
    let mut random = Random::new(3);
    let special = SPECIAL.into_iter().flat_map(|x| [T::from(x), T::from(-x)]);
    special.chain((0..200).map(|_| T::random(&mut random))).collect()
}

fn bytes<T: Value>(values: &[T]) -> Vec<u8> {
    let each = |value: &T| value.bits().to_le_bytes().into_iter().take(T::BYTES);
    values.iter().flat_map(each).collect()
}

/// Runs a kernel whose parameters are slices, the last for its results.
fn run<T: Value>(code: &Code, name: &str, inputs: &[Vec<T>]) -> Vec<u64> {
    let n = inputs[0].len();
    let mut block = Vec::new();
    // Size, offset and tag; then the length of each slice.
    for word in [n, 1, 1, 0, 0, 0, 0] {
        block.extend((word as u64).to_le_bytes());
    }
    let mut memory = Memory::default();
    let mut addresses = Vec::new();
    for input in inputs {
        block.extend((n as u64).to_le_bytes());
        addresses.push(memory.add(bytes(input), false));
    }
    block.extend((n as u64).to_le_bytes());
    let output = memory.add(vec![0xa5; n * T::BYTES], true);
    let fault = memory.add(vec![0; 64], true);
    addresses.extend([output, fault]);
    let mut parameters = vec![block];
    parameters.extend(addresses.iter().map(|a| a.to_le_bytes().to_vec()));
    let grid = Grid {
        groups: [(n as u32).div_ceil(32), 1, 1],
        local: [32, 1, 1],
    };
    Program::parse(&code.to_string()).launch(name, grid, &parameters, &mut memory);
    assert_eq!(memory.bytes(fault), [0; 64]);
    let word = |b: &[u8]| b.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    memory.bytes(output).chunks(T::BYTES).map(word).collect()
}

/// Compares results with those of the host's functions; a NaN is as good as another.
fn compare<T: Value>(name: &str, inputs: &[Vec<T>], results: Vec<u64>, expected: impl Fn(usize) -> T) {
    for (i, bits) in results.into_iter().enumerate() {
        let expected = expected(i);
        let found = if T::BYTES == 4 {
            T::from(f32::from_bits(bits as u32).into())
        } else {
            T::from(f64::from_bits(bits))
        };
        let same = bits == expected.bits() || (expected.is_nan() && found.is_nan());
        let at: Vec<_> = inputs.iter().map(|input| input[i]).collect();
        assert!(same, "{name} of {at:?}: {found:?} instead of {expected:?}");
    }
}

fn assemble(name: &str, emit: fn(Target) -> Result<Code>) {
    let ptxas = std::env::var("GRIDFN_PTXAS").unwrap_or_else(|_| "ptxas".into());
    for sm in [70, 80, 90, 100] {
        let code = emit(Target::Ptx { sm }).unwrap();
        let arch = format!("-arch=sm_{sm}");
        let arguments = [&arch, "-Werror", "-o", "/dev/null", "/dev/stdin"];
        tool::check(&ptxas, &arguments, &code.bytes(), &format!("{name} for sm_{sm}"));
    }
}

fn code(emit: fn(Target) -> Result<Code>) -> Code {
    emit(Target::Ptx { sm: 70 }).unwrap()
}

/// A kernel for each function of one operand, and the test that runs it for both types.
macro_rules! of_one {
    ($($name:ident $single:ident $double:ident;)*) => {
        $(
            #[kernel]
            fn $name<T: DeviceMath>(x: &[T], y: &mut [T]) {
                let i = global_id(0);
                y[i] = x[i].$name();
            }
        )*

        #[test]
        fn functions_of_one_operand_give_the_same_bits() {
            $(
                let (name, inputs) = (stringify!($name), [operands::<f32>()]);
                let results = run(&code($name::emit::<f32>), name, &inputs);
                compare(name, &inputs, results, |i| $single(inputs[0][i]));
                let inputs = [operands::<f64>()];
                let results = run(&code($name::emit::<f64>), name, &inputs);
                compare(name, &inputs, results, |i| $double(inputs[0][i]));
            )*
        }

        #[test]
        fn functions_of_one_operand_assemble() {
            $(
                assemble(stringify!($name), $name::emit::<f32>);
                assemble(stringify!($name), $name::emit::<f64>);
            )*
        }

        /// Every function in one kernel.
        #[kernel]
        fn all_of_one<T: DeviceMath>(x: &[T], y: &mut [T]) {
            let i = global_id(0);
            let mut sum = x[i];
            $(sum += x[i].$name();)*
            y[i] = sum;
        }
    };
}

of_one! {
    exp exp_f32 exp_f64;
    exp2 exp2_f32 exp2_f64;
    exp_m1 exp_m1_f32 exp_m1_f64;
    ln ln_f32 ln_f64;
    log2 log2_f32 log2_f64;
    log10 log10_f32 log10_f64;
    ln_1p ln_1p_f32 ln_1p_f64;
    sin sin_f32 sin_f64;
    cos cos_f32 cos_f64;
    tan tan_f32 tan_f64;
    asin asin_f32 asin_f64;
    acos acos_f32 acos_f64;
    atan atan_f32 atan_f64;
    sinh sinh_f32 sinh_f64;
    cosh cosh_f32 cosh_f64;
    tanh tanh_f32 tanh_f64;
    asinh asinh_f32 asinh_f64;
    acosh acosh_f32 acosh_f64;
    atanh atanh_f32 atanh_f64;
    cbrt cbrt_f32 cbrt_f64;
    erf erf_f32 erf_f64;
    erfc erfc_f32 erfc_f64;
    tgamma tgamma_f32 tgamma_f64;
    lgamma lgamma_f32 lgamma_f64;
    rsqrt rsqrt_f32 rsqrt_f64;
    sinpi sinpi_f32 sinpi_f64;
    cospi cospi_f32 cospi_f64;
    exp10 exp10_f32 exp10_f64;
}

/// The same for two operands.
macro_rules! of_two {
    ($($name:ident $single:expr, $double:expr;)*) => {
        $(
            #[kernel]
            fn $name<T: Float>(a: &[T], b: &[T], y: &mut [T]) {
                let i = global_id(0);
                y[i] = a[i].$name(b[i]);
            }
        )*

        #[test]
        fn functions_of_two_operands_give_the_same_bits() {
            $(
                let name = stringify!($name);
                let inputs = pairs::<f32>();
                let results = run(&code($name::emit::<f32>), name, &inputs);
                compare(name, &inputs, results, |i| $single(inputs[0][i], inputs[1][i]));
                let inputs = pairs::<f64>();
                let results = run(&code($name::emit::<f64>), name, &inputs);
                compare(name, &inputs, results, |i| $double(inputs[0][i], inputs[1][i]));
            )*
        }

        #[test]
        fn functions_of_two_operands_assemble() {
            $(
                assemble(stringify!($name), $name::emit::<f32>);
                assemble(stringify!($name), $name::emit::<f64>);
            )*
        }
    };
}

of_two! {
    powf powf_f32, powf_f64;
    atan2 atan2_f32, atan2_f64;
    hypot hypot_f32, hypot_f64;
    // Made of another: its parts come from the library too.
    log |x: f32, base: f32| ln_f32(x) / ln_f32(base), |x: f64, base: f64| ln_f64(x) / ln_f64(base);
}

/// Every pair of special operands, and random ones.
fn pairs<T: Value>() -> [Vec<T>; 2] {
    let special: Vec<f64> = SPECIAL.into_iter().flat_map(|x| [x, -x]).collect();
    let mut random = Random::new(4);
    let mut pairs: Vec<[f64; 2]> = special
        .iter()
        .flat_map(|a| special.iter().map(|b| [*a, *b]))
        .collect();
    for _ in 0..200 {
        pairs.extend([
            random.power(),
            random.point(),
            [random.operand(), random.operand()],
        ]);
    }
    [0, 1].map(|n| pairs.iter().map(|pair| T::from(pair[n])).collect())
}

#[test]
fn a_kernel_may_have_them_all() {
    assemble("all_of_one", all_of_one::emit::<f32>);
    assemble("all_of_one", all_of_one::emit::<f64>);
}

#[test]
fn without_a_library_they_are_refused_by_name() {
    use gridfn::__private::KernelType;
    let typed = gridfn_ir::lower(&exp_kernel::KERNEL.body).unwrap();
    let error = gridfn_codegen::generate(&typed, Target::Ptx { sm: 70 }, Default::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "PTX has no function `exp` of `f32`: lower the kernel with a library"
    );
}

#[kernel]
fn exp_kernel(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i].exp();
}
