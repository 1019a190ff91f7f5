//! OpenCL C, run on a device and compared with the host bit for bit.
//!
//! `OCL_ICD_VENDORS` names the runtime.

use gridfn_codegen::{Target, generate};
use gridfn_ir::Scalar;
use gridfn_ir::typed::Kernel;
use support::opencl::{Arg, Device, Launch};
use support::runs::{self, Generate};

mod opencl_c_kernels;
mod support;

fn on_device(run: impl Fn(&Device, Generate<'_>)) {
    let device = Device::first().unwrap_or_else(|e| panic!("{e}"));
    let options = device.options();
    run(&device, &|kernel| {
        generate(kernel, Target::OpenClC, options).unwrap_or_else(|e| panic!("{}: {e}", kernel.name))
    });
}

/// Runs a kernel whose first parameter is a slice of `i32`, and compares that.
fn compare(device: &Device, generate: Generate<'_>, (kernel, expected): (Kernel, Vec<i32>), scalars: &[u64]) {
    let mut args = vec![Arg::Slice(vec![0; expected.len()])];
    args.extend(scalars.iter().map(|bits| Arg::Scalar(*bits)));
    let outcome = device
        .run(&kernel, &generate(&kernel), &Launch::linear(1, args))
        .unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    let got: Vec<i32> = outcome.slices[0].iter().map(|bits| *bits as i32).collect();
    assert_eq!(got, expected, "{}", kernel.name);
}

fn order(device: &Device, generate: Generate<'_>) {
    compare(device, generate, opencl_c_kernels::order(), &[]);
}

fn shapes(device: &Device, generate: Generate<'_>) {
    compare(device, generate, opencl_c_kernels::shapes(), &[]);
}

fn wrapping(device: &Device, generate: Generate<'_>) {
    let largest = i32::MAX as u64;
    compare(device, generate, opencl_c_kernels::wrapping(), &[largest]);
}

fn narrow(device: &Device, generate: Generate<'_>) {
    compare(device, generate, opencl_c_kernels::narrow(), &[200, 65535]);
}

fn constants(device: &Device, generate: Generate<'_>) {
    let kernel = opencl_c_kernels::constants();
    if !device.can_run(&kernel) {
        return;
    }
    let expected: Vec<_> = Scalar::PRIMITIVES.map(opencl_c_kernels::constants_of).into();
    let args = expected
        .iter()
        .map(|constants| Arg::Slice(vec![1; constants.len()]))
        .collect();
    let outcome = device
        .run(&kernel, &generate(&kernel), &Launch::linear(1, args))
        .unwrap_or_else(|e| panic!("constants: {e}"));
    assert_eq!(outcome.slices, expected);
}

/// The names must compile; what they compute is of no interest.
fn names(device: &Device, generate: Generate<'_>) {
    let kernel = opencl_c_kernels::names();
    let name = gridfn_codegen::opencl_c::entry_name(&kernel);
    if let Err(e) = device.build(&name, &generate(&kernel)) {
        panic!("{e}");
    }
}

macro_rules! on_device {
    ($($run:ident from $module:tt)*) => {
        $(
            #[test]
            #[ignore = "needs an OpenCL device"]
            fn $run() {
                on_device($module::$run);
            }
        )*
    };
}

mod on_a_device {
    use super::*;

    on_device! {
        operations from runs
        faults from runs
        control from runs
        bytes from runs
        mixed from runs
        arrays from runs
        aggregates from runs
        atomics from runs
        indices from runs
        dead_ends from runs
        nothing from runs
        order from super
        shapes from super
        wrapping from super
        narrow from super
        constants from super
        names from super
    }
}
