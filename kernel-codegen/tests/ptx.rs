//! PTX: kept in snapshots, assembled by `ptxas`, and run by a machine of our own against Rust's results.
//!
//! `ptxas` is the program that `GRIDFN_PTXAS` names, or the one on the path.

mod ptx_kernels;
mod ptx_machine;
// Without what needs an OpenCL device.
#[allow(dead_code, unreachable_pub)]
mod support {
    pub mod aggregates;
    pub mod arrays;
    pub mod atomics;
    pub mod cases;
    pub mod kernels;
    pub mod oracle;
    pub mod samples;
    pub mod snapshot;
    pub mod tool;
}

use gridfn_codegen::{GenerateError, Target, ptx};
use gridfn_ir::typed::{BinaryOp, Kernel, ParamKind};
use gridfn_ir::{Scalar, layout};
use ptx_machine::{Grid, Memory, Program};
use std::collections::BTreeSet;
use support::cases::{self, Case, Operation};
use support::{aggregates, arrays, atomics, kernels, oracle, samples, snapshot, tool};

/// That of snapshots.
const SM: u32 = 70;

/// That of what runs: the lowest that has every cast.
const RUN: u32 = 80;

fn generate(kernel: &Kernel) -> String {
    ptx::generate(kernel, SM).unwrap_or_else(|e| panic!("{}: {e}", kernel.name))
}

/// Assembles a kernel for some compute capabilities.
fn assemble(kernel: &Kernel, sms: &[u32]) {
    let ptxas = std::env::var("GRIDFN_PTXAS").unwrap_or_else(|_| "ptxas".into());
    for &sm in sms {
        let text = ptx::generate(kernel, sm).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
        let arch = format!("-arch=sm_{sm}");
        let arguments = [&arch, "-Werror", "-o", "/dev/null", "/dev/stdin"];
        let there = tool::check(
            &ptxas,
            &arguments,
            text.as_bytes(),
            &format!("{} for sm_{sm}", kernel.name),
        );
        // The path of the program need not be the name under which it is required.
        let required = std::env::var("GRIDFN_REQUIRE").unwrap_or_default();
        assert!(
            there || !required.split(',').any(|name| name.trim() == "ptxas"),
            "no {ptxas}"
        );
    }
}

/// An argument of a launch.
enum Argument {
    Scalar(u64),
    Array(Vec<u8>),
    Slice(Vec<u8>),
}

/// What a launch left: the bytes of the slices in their order, and those of the fault record.
struct Outcome {
    slices: Vec<Vec<u8>>,
    fault: Vec<u8>,
}

const TAG: u64 = 0x1234_5678_9abc_def0;

fn launch(kernel: &Kernel, grid: Grid, size: [u64; 3], offset: [u64; 3], arguments: &[Argument]) -> Outcome {
    let text = ptx::generate(kernel, RUN).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    let program = Program::parse(&text);
    let layout = layout::of(kernel);
    let mut block = vec![0; layout.size];
    let words = size.into_iter().chain(offset).chain([TAG]);
    for (i, word) in words.enumerate() {
        block[8 * i..8 * i + 8].copy_from_slice(&word.to_le_bytes());
    }
    let mut memory = Memory::default();
    let mut addresses = Vec::new();
    for (((_, param), argument), &at) in kernel.params.iter().zip(arguments).zip(&layout.offsets) {
        match (param.kind, argument) {
            (ParamKind::Scalar(ty), Argument::Scalar(bits)) => {
                block[at..at + ty.bytes()].copy_from_slice(&bits.to_le_bytes()[..ty.bytes()]);
            }
            (ParamKind::Array { element, len }, Argument::Array(bytes)) => {
                block[at..at + len * element.bytes()].copy_from_slice(bytes);
            }
            (ParamKind::Slice { element, writable }, Argument::Slice(bytes)) => {
                let length = (bytes.len() / element.bytes()) as u64;
                block[at..at + 8].copy_from_slice(&length.to_le_bytes());
                addresses.push(memory.add(bytes.clone(), writable));
            }
            _ => panic!("argument of another kind for {}", param.name),
        }
    }
    let fault = memory.add(vec![0; size_of::<layout::FaultRecord>()], true);
    let mut parameters = vec![block];
    parameters.extend(addresses.iter().map(|a| a.to_le_bytes().to_vec()));
    if !kernel.sites.is_empty() {
        parameters.push(fault.to_le_bytes().to_vec());
    }
    program.launch(&kernel.name, grid, &parameters, &mut memory);
    Outcome {
        slices: addresses.iter().map(|a| memory.bytes(*a).to_vec()).collect(),
        fault: memory.bytes(fault).to_vec(),
    }
}

/// One group after the other of 32 items, enough for `n` items.
fn row(n: usize) -> Grid {
    Grid {
        groups: [(n as u32).div_ceil(32), 1, 1],
        local: [32, 1, 1],
    }
}

fn to_bytes(ty: Scalar, values: impl IntoIterator<Item = u64>) -> Vec<u8> {
    values
        .into_iter()
        .flat_map(|v| v.to_le_bytes().into_iter().take(ty.bytes()))
        .collect()
}

fn from_bytes(ty: Scalar, bytes: &[u8]) -> Vec<u64> {
    let word = |chunk: &[u8]| {
        chunk
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    bytes.chunks(ty.bytes()).map(word).collect()
}

/// Whether a case's operation is one that lowering has to inline from a library.
fn is_missing(case: &Case) -> bool {
    matches!(
        ptx::generate(&case.kernel(), RUN),
        Err(GenerateError::NoFunction { .. })
    )
}

/// The cases that PTX can say.
fn cases() -> impl Iterator<Item = Case> {
    cases::all_of(Target::Ptx { sm: RUN })
        .into_iter()
        .filter(|case| !is_missing(case))
}

/// Whether a case is no cast, or one that a compute capability has.
fn has_cast(case: &Case, sm: u32) -> bool {
    case.operation != Operation::Cast || Target::Ptx { sm }.has_cast(case.operands[0], case.result)
}

/// About this many of a case's rows, edges and random ones: the machine is slow.
const ROWS: usize = 250;

fn some_rows(case: &Case) -> Vec<Vec<u64>> {
    let rows = samples::rows(case);
    let step = rows.len().div_ceil(ROWS);
    rows.into_iter().step_by(step).collect()
}

/// Runs `kernel` on rows of operands of a case, with a result of type `result`.
fn run_rows(case: &Case, kernel: &Kernel, rows: Vec<Vec<u64>>, result: Scalar) -> Vec<(Vec<u64>, u64)> {
    let n = rows.len();
    let mut arguments: Vec<_> = (case.operands.iter().enumerate())
        .map(|(k, ty)| Argument::Slice(to_bytes(*ty, rows.iter().map(|row| row[k]))))
        .collect();
    arguments.push(Argument::Slice(vec![0xa5; n * result.bytes()]));
    let outcome = launch(kernel, row(n), [n as u64, 1, 1], [0; 3], &arguments);
    let results = from_bytes(result, &outcome.slices[case.operands.len()]);
    rows.into_iter().zip(results).collect()
}

#[test]
fn every_operation_gives_rusts_result() {
    let mut wrong = Vec::new();
    for case in cases() {
        let results = run_rows(&case, &case.kernel(), some_rows(&case), case.result);
        wrong.extend(
            results
                .iter()
                .find_map(|(row, got)| oracle::check(&case, row, *got).err()),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A store cuts a narrow result to its width; other operations see the whole register.
#[test]
fn narrow_results_are_extended() {
    let mut wrong = Vec::new();
    for case in cases().filter(|case| case.result.is_integer() && case.result.bits() < 32) {
        let ty = case.result;
        for (row, got) in run_rows(&case, &ptx_kernels::widened(&case), some_rows(&case), Scalar::I64) {
            let cut = ty.truncate(got);
            let unused = 64 - ty.bits();
            let extended = if ty.is_signed() {
                ((cut << unused) as i64 >> unused) as u64
            } else {
                cut
            };
            if got != extended {
                wrong.push(format!("{}: {row:?} gives {got:#x}", case.name()));
                break;
            }
            wrong.extend(oracle::check(&case, &row, cut).err());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where the format's exponents end: dividends of small exponents by divisors of the smallest ones.
#[test]
fn remainders_of_subnormals() {
    let remainder = Operation::Binary(BinaryOp::Rem);
    let floats = cases().filter(|case| case.operation == remainder && case.result.is_float());
    let mut wrong = Vec::new();
    for case in floats {
        let mantissa = if case.result == Scalar::F64 { 52 } else { 23 };
        let mut bits = 0u64;
        let mut random = |width: u32| {
            bits = bits
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            bits >> (64 - width)
        };
        // Exponents 0 to 15 over 0 to 1, and each mantissa's highest bits zero as often as not.
        let rows = (0..2000).map(|_| {
            vec![
                random(mantissa + 4) >> random(3),
                random(mantissa + 1) >> random(3),
            ]
        });
        let results = run_rows(&case, &case.kernel(), rows.collect(), case.result);
        wrong.extend(
            results
                .iter()
                .find_map(|(row, got)| oracle::check(&case, row, *got).err()),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// With the operands as constants, which stand as literals in the instructions.
#[test]
fn constants_give_the_same_results() {
    let mut wrong = Vec::new();
    for case in cases() {
        let rows = samples::rows(&case);
        // Some of the edges and some of the random rows.
        for row in rows.iter().step_by(rows.len().div_ceil(8)) {
            let kernel = ptx_kernels::of_constants(&case, row);
            let output = [Argument::Slice(vec![0xa5; case.result.bytes()])];
            let grid = Grid {
                groups: [1; 3],
                local: [1; 3],
            };
            let outcome = launch(&kernel, grid, [1; 3], [0; 3], &output);
            let got = from_bytes(case.result, &outcome.slices[0])[0];
            wrong.extend(oracle::check(&case, row, got).err());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_missing_is_said() {
    let missing: BTreeSet<_> = cases::all()
        .iter()
        .filter(|case| is_missing(case))
        .map(|case| match case.operation {
            Operation::Math1(f) => format!("{f:?}"),
            Operation::Math2(f) => format!("{f:?}"),
            other => panic!("{other:?} is missing"),
        })
        .collect();
    let expected = "Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Cos Cosh Exp Exp2 ExpM1 Hypot Ln Ln1p Log10 Log2 \
                    Powf Sin Sinh Tan Tanh";
    assert_eq!(missing.into_iter().collect::<Vec<_>>().join(" "), expected);

    let exp_m1 = cases::all()
        .into_iter()
        .find(|case| case.name() == "Math1_ExpM1_f64_to_f64");
    let error = ptx::generate(&exp_m1.expect("a case").kernel(), SM).expect_err("no such function");
    assert_eq!(
        error.to_string(),
        "PTX has no function `exp_m1` of `f64`: lower the kernel with a library"
    );
}

#[test]
fn everything_assembles() {
    for sm in [50, 70, 80, 90, 100] {
        let all: Vec<_> = cases().filter(|case| has_cast(case, sm)).collect();
        assemble(&ptx_kernels::everything(&all), &[sm]);
        assemble(&ptx_kernels::everything_of_constants(&all), &[sm]);
    }
}

#[test]
fn snapshots() {
    let mut kernels = kernels::all();
    kernels.extend([ptx_kernels::scalars(), ptx_kernels::names()]);
    for kernel in &kernels {
        let text = generate(kernel);
        assert_eq!(text, generate(kernel), "not the same twice");
        snapshot::check(&format!("ptx/{}.ptx", kernel.name), &text);
        assemble(kernel, &[70, 80, 90, 100]);
    }
    let everything = ptx_kernels::everything(&cases().filter(|case| has_cast(case, SM)).collect::<Vec<_>>());
    snapshot::check("ptx/everything.ptx", &generate(&everything));
}

/// Every compute capability that there is code for.
const KNOWN: [u32; 19] = [
    50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121,
];

#[test]
fn compute_capabilities() {
    let kernel = kernels::saxpy();
    assemble(&kernel, &KNOWN);
    for sm in 0..200 {
        let text = ptx::generate(&kernel, sm);
        assert_eq!(text.is_ok(), KNOWN.contains(&sm), "sm_{sm}");
    }
    let error = ptx::generate(&kernel, 35).expect_err("too old");
    assert_eq!(error.to_string(), "compute capability 3.5 has no PTX form yet");
}

#[test]
fn many_parameters() {
    // 56 bytes in front; 4,352 is the last size that every version takes.
    let fits = ptx_kernels::with_scalars((4352 - 56) / 8);
    let large = ptx_kernels::with_scalars((4352 - 56) / 8 + 1);
    let largest = ptx_kernels::with_scalars((32760 - 56) / 8);
    let too_large = ptx_kernels::with_scalars((32760 - 56) / 8 + 1);
    assemble(&fits, &[50, 70, 100]);
    assemble(&large, &[70, 100]);
    assemble(&largest, &[70, 100]);
    assert!(ptx::generate(&large, 70).is_ok_and(|t| t.starts_with(".version 8.1\n")));
    assert!(ptx::generate(&large, 61).is_err());
    assert!(ptx::generate(&too_large, 100).is_err());

    // An array counts with all of its elements.
    let words = |n: usize| ptx_kernels::with_array((n - 56) / 8);
    assemble(&words(4352), &[50]);
    assemble(&words(32760), &[70, 100]);
    assert!(ptx::generate(&words(4360), 61).is_err());
    assert!(ptx::generate(&words(32768), 100).is_err());
}

/// In three dimensions, in ranges that do not start at 0, with items outside the size.
#[test]
fn index_functions() {
    const UNTOUCHED: u64 = u64::MAX;
    let (size, offset, local) = ([9u64, 7, 5], [10, 20, 30], [4u64, 2, 3]);
    let groups: [u64; 3] = std::array::from_fn(|d| size[d].div_ceil(local[d]));
    let grid = Grid {
        groups: groups.map(|n| n as u32),
        local: local.map(|n| n as u32),
    };
    let out = to_bytes(Scalar::U64, [UNTOUCHED; 9 * 7 * 6 * 18]);
    let outcome = launch(&kernels::indices(), grid, size, offset, &[Argument::Slice(out)]);

    let mut expected = Vec::new();
    for z in 0..size[2] {
        for y in 0..size[1] {
            for x in 0..size[0] {
                let raw = [x, y, z];
                expected.extend((0..3).map(|d| raw[d] + offset[d]));
                expected.extend((0..3).map(|d| raw[d] % local[d]));
                expected.extend((0..3).map(|d| raw[d] / local[d]));
                expected.extend(size);
                expected.extend(local);
                expected.extend(groups);
            }
        }
    }
    expected.resize(outcome.slices[0].len() / 8, UNTOUCHED);
    assert_eq!(from_bytes(Scalar::U64, &outcome.slices[0]), expected);
}

#[test]
fn scalar_parameters() {
    let kernel = ptx_kernels::scalars();
    let values: Vec<u64> = (0..Scalar::PRIMITIVES.len() as u64)
        .map(|i| 0x8192_a3b4_c5d6_e7f8 ^ (i * 0x0101))
        .collect();
    let mut arguments = Vec::new();
    for (ty, value) in Scalar::PRIMITIVES.into_iter().zip(&values) {
        let bits = if ty == Scalar::Bool {
            1
        } else {
            ty.truncate(*value)
        };
        arguments.push(Argument::Scalar(bits));
    }
    arguments.extend(Scalar::PRIMITIVES.map(|ty| Argument::Slice(vec![0; ty.bytes()])));
    let grid = Grid {
        groups: [1; 3],
        local: [1; 3],
    };
    let outcome = launch(&kernel, grid, [1; 3], [0; 3], &arguments);
    for (k, ty) in Scalar::PRIMITIVES.into_iter().enumerate() {
        let Argument::Scalar(expected) = arguments[k] else {
            panic!("a scalar");
        };
        assert_eq!(from_bytes(ty, &outcome.slices[k]), [expected], "{ty}");
    }
}

#[test]
fn array_parameters() {
    compare(arrays::runs());
}

#[test]
fn array_variables_tables_and_slices_of_aggregates() {
    compare(aggregates::runs());
}

#[test]
fn atomic_operations() {
    compare(atomics::runs());
    let (kernel, grid) = (atomics::sum(Scalar::F64), row(9));
    let cell = to_bytes(Scalar::F64, [0.25f64.to_bits()]);
    let outcome = launch(&kernel, grid, [9, 1, 1], [0; 3], &[Argument::Slice(cell)]);
    assert_eq!(from_bytes(Scalar::F64, &outcome.slices[0]), [9.25f64.to_bits()]);
}

fn compare(runs: Vec<arrays::Run>) {
    for run in runs {
        let params = run.kernel.params.iter().map(|(_, param)| param.kind);
        let arguments: Vec<_> = params
            .zip(&run.arguments)
            .map(|(kind, words)| match kind {
                ParamKind::Scalar(_) => Argument::Scalar(words[0]),
                ParamKind::Array { element, .. } => Argument::Array(to_bytes(element, words.iter().copied())),
                ParamKind::Slice { element, .. } => Argument::Slice(to_bytes(element, words.iter().copied())),
            })
            .collect();
        let grid = row(run.items as usize);
        let outcome = launch(&run.kernel, grid, [run.items, 1, 1], [0; 3], &arguments);
        let elements = run
            .kernel
            .params
            .iter()
            .filter_map(|(_, param)| match param.kind {
                ParamKind::Slice { element, .. } => Some(element),
                ParamKind::Scalar(_) | ParamKind::Array { .. } => None,
            });
        let slices: Vec<_> = elements
            .zip(&outcome.slices)
            .map(|(element, bytes)| from_bytes(element, bytes))
            .collect();
        assert_eq!(slices, run.expected, "{}", run.kernel.name);
        assert_eq!(
            outcome.fault,
            [0; size_of::<layout::FaultRecord>()],
            "{}",
            run.kernel.name
        );
    }
}

#[test]
fn arrays_assemble_for_every_device() {
    for run in arrays::runs() {
        assemble(&run.kernel, &KNOWN);
    }
}

#[test]
fn atomics_assemble() {
    for run in atomics::runs() {
        assemble(&run.kernel, &[50, 60, 70, 80, 90, 100]);
    }
    assemble(&atomics::sum(Scalar::F64), &[60, 70, 80, 90, 100]);
}

/// What orders operations, before and after instructions say it themselves.
#[test]
fn orders_of_atomics() {
    let kernel = atomics::each(Scalar::U32);
    for (sm, expected) in [
        (
            60,
            ["membar.gl;", "ld.volatile.global.b32", "atom.global.add.u32"],
        ),
        (
            70,
            [
                "fence.sc.gpu;",
                "ld.acquire.gpu.global.b32",
                "atom.acq_rel.gpu.global.or.b32",
            ],
        ),
    ] {
        let text = ptx::generate(&kernel, sm).unwrap_or_else(|e| panic!("{e}"));
        for instruction in expected {
            assert!(text.contains(instruction), "{instruction}\n{text}");
        }
    }
}

#[test]
fn aggregates_assemble() {
    for run in aggregates::runs() {
        assemble(&run.kernel, &[50, 70, 80, 90, 100]);
    }
}

#[test]
fn large_tables() {
    // All that the state space holds, with what aligns the second.
    let tables = |words| ptx_kernels::with_tables(&[(Scalar::U8, 9), (Scalar::F64, words)]);
    assemble(&tables(65_536 / 8 - 2), &[70, 100]);
    let error = ptx::generate(&tables(65_536 / 8 - 1), SM).expect_err("too large");
    assert_eq!(
        error.to_string(),
        "65544 bytes of tables of constants has no PTX form yet"
    );
}

#[test]
fn control() {
    const UNTOUCHED: u64 = 0xffff_fffe;
    let n = 200;
    for limit in [0, 1, 5, 40] {
        let out = to_bytes(Scalar::U32, vec![UNTOUCHED; n]);
        let arguments = [Argument::Scalar(limit.into()), Argument::Slice(out)];
        let outcome = launch(&kernels::control(), row(n), [n as u64, 1, 1], [0; 3], &arguments);
        let stored = |i| kernels::control_on_host(i, limit).map_or(UNTOUCHED, u64::from);
        let expected: Vec<u64> = (0..n as u32).map(stored).collect();
        assert_eq!(
            from_bytes(Scalar::U32, &outcome.slices[0]),
            expected,
            "limit {limit}"
        );
    }
}

#[test]
fn faults() {
    let kernel = kernels::saxpy();
    let word =
        |i: usize, fault: &[u8]| u64::from_le_bytes(fault[8 * i..8 * i + 8].try_into().expect("8 bytes"));
    let floats = |n: u32| to_bytes(Scalar::F32, (0..n).map(|i| u64::from((i as f32).to_bits())));
    let arguments = |x: u32, y: u32| {
        [
            Argument::Scalar(2f32.to_bits().into()),
            Argument::Slice(floats(x)),
            Argument::Slice(floats(y)),
        ]
    };

    let outcome = launch(&kernel, row(40), [40, 1, 1], [0; 3], &arguments(40, 40));
    assert_eq!(outcome.fault, [0; size_of::<layout::FaultRecord>()]);
    let y: Vec<_> = from_bytes(Scalar::F32, &outcome.slices[1]);
    assert!((0..40).all(|i| f32::from_bits(y[i] as u32) == 3.0 * i as f32));

    // Items 5 to 39 of a range that starts at 3 are beyond x.
    let outcome = launch(&kernel, row(40), [40, 1, 1], [3, 0, 0], &arguments(8, 100));
    let record: Vec<u64> = (0..8).map(|i| word(i, &outcome.fault)).collect();
    let (count, site) = (35, 0);
    assert_eq!(record, [count | site << 32, TAG, 8, 0, 0, 8, 8, 0]);

    // The other site.
    let outcome = launch(&kernel, row(40), [40, 1, 1], [0; 3], &arguments(100, 39));
    let record: Vec<u64> = (0..8).map(|i| word(i, &outcome.fault)).collect();
    let (count, site) = (1, 1);
    assert_eq!(record, [count | site << 32, TAG, 39, 0, 0, 39, 39, 0]);
}
