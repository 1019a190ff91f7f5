//! The SPIR-V of some kernels, kept in `tests/snapshots/spirv`, and checked by `spirv-val`.

use gridfn_codegen::{Options, Target, spirv};
use gridfn_ir::Scalar;
use gridfn_ir::typed::Kernel;
use gridfn_ir::verify::verify;

mod support;
use support::{aggregates, arrays, atomics, cases, kernels, snapshot, tool};

const DIRECT: Options = Options {
    f32_division_through_f64: false,
    arrays_are_copied: false,
    atomics_are_fenced: false,
    barriers_stand_alone: false,
};
const THROUGH_F64: Options = Options {
    f32_division_through_f64: true,
    arrays_are_copied: false,
    atomics_are_fenced: false,
    barriers_stand_alone: false,
};

fn generate(kernel: &Kernel, options: Options) -> Vec<u32> {
    spirv::generate(kernel, options).unwrap_or_else(|e| panic!("{}: {e}", kernel.name))
}

/// Whether `spirv-val` is there; it must then find the module valid.
fn validate(kernel: &Kernel, words: &[u32]) -> bool {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
    // To the OpenCL environment, atomic operations on 64 bits are an extension, which it does not know.
    let environment = if kernel.uses_atomics_of_64_bits() {
        "spv1.0"
    } else {
        "opencl2.1"
    };
    let arguments = ["--target-env", environment, "-"];
    tool::check("spirv-val", &arguments, &bytes, &kernel.name)
}

#[test]
fn kernels_keep_their_code() {
    for kernel in kernels::all() {
        let words = generate(&kernel, DIRECT);
        validate(&kernel, &words);
        let name = format!("spirv/{}.spvasm", kernel.name);
        snapshot::check(&name, &spirv::disassemble(&words));
    }
    let kernel = kernels::precise();
    let words = generate(&kernel, THROUGH_F64);
    validate(&kernel, &words);
    snapshot::check("spirv/precise_through_f64.spvasm", &spirv::disassemble(&words));
}

/// The kernels of these tests are such as generators get.
#[test]
fn kernels_are_verified_ir() {
    let cases = cases::all_of(Target::Spirv);
    for kernel in kernels::all()
        .into_iter()
        .chain(cases.iter().map(|case| case.kernel()))
        .chain(arrays::runs().into_iter().map(|run| run.kernel))
        .chain(aggregates::runs().into_iter().map(|run| run.kernel))
        .chain(atomics::runs().into_iter().map(|run| run.kernel))
    {
        assert_eq!(verify(&kernel), Ok(()), "{}", kernel.name);
    }
}

#[test]
fn every_operation_is_valid() {
    for case in cases::all_of(Target::Spirv) {
        let kernel = case.kernel();
        for options in [DIRECT, THROUGH_F64] {
            if !validate(&kernel, &generate(&kernel, options)) {
                return;
            }
        }
    }
}

#[test]
fn arrays_aggregates_and_atomics_of_every_type_are_valid() {
    let runs = arrays::runs().into_iter().chain(aggregates::runs());
    for run in runs.chain(atomics::runs()) {
        validate(&run.kernel, &generate(&run.kernel, DIRECT));
    }
}

/// Sums of floats are a loop that lowering makes.
#[test]
fn atomic_sums_of_floats_are_refused() {
    for (ty, name) in [(Scalar::F32, "f32"), (Scalar::F64, "f64")] {
        let kernel = atomics::sum(ty);
        assert_eq!(verify(&kernel), Ok(()));
        let error = gridfn_codegen::generate(&kernel, Target::Spirv, DIRECT).map(drop);
        let error = error.expect_err("it has no such instruction").to_string();
        let expected =
            format!("SPIR-V has no function `fetch_add` of `{name}`: lower the kernel with a library");
        assert_eq!(error, expected);
    }
}

#[test]
fn code_is_the_same_each_time() {
    for kernel in kernels::all() {
        assert_eq!(generate(&kernel, DIRECT), generate(&kernel, DIRECT));
    }
}

#[test]
fn words_that_are_no_module_are_said_to_be_none() {
    assert!(spirv::disassemble(&[1, 2, 3]).starts_with("; not SPIR-V"));
}
