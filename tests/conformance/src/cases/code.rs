//! The code of every kernel of this package: that there is some, and that both ways to it lead to the same.

use crate::case::{Need, Suite, case_path, check_eq};
use gridfn::__private::{Ahead, Kernel, emit, library};
use gridfn::Target;
use gridfn_ir::verify;

/// Lowers a kernel and has the result verified.
fn lower(kernel: &Kernel, target: Target) -> Result<(), String> {
    let typed = gridfn_ir::lower_with(&kernel.body, &library(target))
        .map_err(|error| format!("{}: {error}", kernel.name))?;
    verify::verify(&typed).map_err(|errors| format!("{}: {}", kernel.name, errors[0]))
}

/// Generates the code of all kernels for a target.
fn emit_all(kernels: &[&'static Kernel], target: Target) -> Result<(), String> {
    for kernel in kernels {
        lower(kernel, target)?;
        let code = emit(kernel, target).map_err(|error| error.to_string())?;
        if code.bytes().is_empty() {
            return Err(format!("{}: no code", kernel.name));
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
