//! The code of every kernel of this package: that there is some, and that both ways to it lead to the same.

use crate::case::{Need, Suite, case_path, check_eq};
use gridfn::__private::{Ahead, Kernel, emit};
use gridfn::Target;
use gridfn_ir::typed::{self, Math1, Math2, Op};

/// What PTX is allowed to lack: functions that it has no instructions for.
fn is_transcendental(op: &Op) -> bool {
    match op {
        Op::Math1(function, _) => match function {
            Math1::CountOnes
            | Math1::LeadingZeros
            | Math1::TrailingZeros
            | Math1::ReverseBits
            | Math1::Abs
            | Math1::Sqrt
            | Math1::Floor
            | Math1::Ceil
            | Math1::Round
            | Math1::RoundTiesEven
            | Math1::Trunc => false,
            Math1::Exp
            | Math1::Exp2
            | Math1::ExpM1
            | Math1::Ln
            | Math1::Log2
            | Math1::Log10
            | Math1::Ln1p
            | Math1::Sin
            | Math1::Cos
            | Math1::Tan
            | Math1::Asin
            | Math1::Acos
            | Math1::Atan
            | Math1::Sinh
            | Math1::Cosh
            | Math1::Tanh
            | Math1::Asinh
            | Math1::Acosh
            | Math1::Atanh
            | Math1::Cbrt => true,
        },
        Op::Math2(function, ..) => match function {
            Math2::Min
            | Math2::Max
            | Math2::CopySign
            | Math2::SaturatingAdd
            | Math2::SaturatingSub
            | Math2::MulHigh => false,
            Math2::Powf | Math2::Atan2 | Math2::Hypot => true,
        },
        _ => false,
    }
}

/// Lowers a kernel and has the result verified.
fn lower(kernel: &Kernel) -> Result<typed::Kernel, String> {
    let typed = gridfn_ir::lower(&kernel.body).map_err(|error| format!("{}: {error}", kernel.name))?;
    match gridfn_ir::verify::verify(&typed) {
        Ok(()) => Ok(typed),
        Err(errors) => Err(format!("{}: {}", kernel.name, errors[0])),
    }
}

/// Generates the code of all kernels for a target.
fn emit_all(kernels: &[&'static Kernel], target: Target) -> Result<(), String> {
    for kernel in kernels {
        let typed = lower(kernel)?;
        let mut ops = typed.values.iter().map(|(_, value)| &value.op);
        let is_ptx = matches!(target, Target::Ptx { .. });
        match emit(kernel, target) {
            Ok(code) if code.bytes().is_empty() => return Err(format!("{}: no code", kernel.name)),
            Ok(_) => {}
            Err(_) if is_ptx && ops.any(is_transcendental) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    let kernels = suite.kernels();
    let all = kernels.clone();
    suite.case(case_path!("all_kernels_are_here"), &[Need::Host], move |_| {
        let count = all.len();
        check_eq!(count >= 150, true, "{count} kernels");
        Ok(())
    });
    for (name, target) in [
        ("spirv", Target::Spirv),
        ("opencl_c", Target::OpenClC),
        ("ptx", Target::Ptx { sm: 80 }),
    ] {
        let kernels = kernels.clone();
        suite.case(case_path!(format!("emit::{name}")), &[Need::Host], move |_| {
            emit_all(&kernels, target).map_err(Into::into)
        });
    }
    suite.case(
        case_path!("ahead_equals_first_use"),
        &[Need::Host, Need::Ahead],
        move |_| {
            let mut compared = 0;
            for kernel in kernels.iter().filter(|kernel| !kernel.ahead.is_empty()) {
                for ahead in kernel.ahead {
                    let (target, embedded) = match ahead {
                        Ahead::OpenClC(text) => (Target::OpenClC, text.as_bytes().to_vec()),
                        Ahead::Spirv(bytes) => (Target::Spirv, bytes.to_vec()),
                    };
                    check_eq!(
                        embedded == emit(kernel, target)?.bytes(),
                        true,
                        "{} for {target}",
                        kernel.name
                    );
                }
                compared += 1;
            }
            check_eq!(compared >= 30, true, "{compared} kernels with embedded code");
            Ok(())
        },
    );
}
