//! SPIR-V, run on a device that takes it, and compared with the host bit for bit.
//!
//! `OCL_ICD_VENDORS` names the runtime.

use gridfn_codegen::{Target, generate};
use support::opencl::Device;
use support::runs::{self, Generate};

mod support;

fn on_device(run: fn(&Device, Generate<'_>)) {
    let device = Device::first().unwrap_or_else(|e| panic!("{e}"));
    assert!(device.takes_il(), "the device takes no SPIR-V");
    let options = device.options();
    run(&device, &|kernel| {
        generate(kernel, Target::Spirv, options).unwrap_or_else(|e| panic!("{}: {e}", kernel.name))
    });
}

macro_rules! on_device {
    ($($name:ident)*) => {
        $(
            #[test]
            #[ignore = "needs Intel's OpenCL runtime"]
            fn $name() {
                on_device(runs::$name);
            }
        )*
    };
}

on_device! { operations faults control bytes mixed arrays aggregates atomics indices dead_ends nothing }
