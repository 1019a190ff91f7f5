//! The command line that all examples share.

#![allow(dead_code, reason = "not every example uses all of it")]

pub(crate) mod product;

use gridfn::{Code, Device, Target};
use std::fmt;

/// The result of an example. What goes wrong is told in words, and the example's exit code is not 0.
pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

/// Why an example failed.
pub(crate) struct Failure(String);

/// `main` prints the `Debug` form of its error.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(error.to_string())
    }
}

/// A failure in the example's own words.
pub(crate) fn failure(message: impl fmt::Display) -> Failure {
    Failure(message.to_string())
}

/// Prints the largest of some errors under a name, and fails if it is above the bound, or is not a number.
pub(crate) fn within(name: &str, errors: impl IntoIterator<Item = f64>, bound: f64) -> Result {
    let errors = errors.into_iter().map(f64::abs);
    let largest = errors.max_by(f64::total_cmp).unwrap_or(0.0);
    println!("{name} {largest:.1e}");
    if largest <= bound {
        Ok(())
    } else {
        Err(failure(format!("{name} is more than {bound:.1e}")))
    }
}

/// Of the indices below `len` all, or if these are many more than `most`, about so many, evenly.
pub(crate) fn sample(len: usize, most: usize) -> impl Iterator<Item = usize> {
    (0..len).step_by(len.div_ceil(most).max(1))
}

/// `k::emit` of a kernel `k`.
pub(crate) type Emit = fn(Target) -> gridfn::Result<Code>;

/// Reads the command line:
///
/// * `--device NAME` runs on the device of that id, or with `NAME` in its name; else on the best one;
/// * `--emit spirv`, `--emit openclc` or `--emit ptx` prints the code of the example's kernels and ends;
/// * everything else is the example's own.
pub(crate) fn arguments(kernels: &[Emit]) -> Result<(Device, Vec<String>)> {
    let (device, size, others) = sized_arguments(kernels)?;
    match size {
        Some(_) => Err(failure("this example has no size to choose")),
        None => Ok((device, others)),
    }
}

/// Likewise of an example that takes a size: `--n NUMBER`.
pub(crate) fn sized_arguments(kernels: &[Emit]) -> Result<(Device, Option<usize>, Vec<String>)> {
    let (mut device, mut size, mut others) = (None, None, vec![]);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| failure(format!("`{argument}` needs a value")))
        };
        match argument.as_str() {
            "--device" => device = Some(value()?),
            "--emit" => {
                let target = target(&value()?)?;
                for emit in kernels {
                    println!("{}", emit(target)?);
                }
                std::process::exit(0);
            }
            "--n" => size = Some(value()?.parse()?),
            option if option.starts_with('-') => {
                return Err(failure(format!("there is no option `{option}`")));
            }
            _ => others.push(argument),
        }
    }
    let device = match device {
        Some(name) => Device::select(&name)?,
        None => Device::best()?,
    };
    println!("device {device}");
    Ok((device, size, others))
}

fn target(name: &str) -> Result<Target> {
    match name {
        "spirv" => Ok(Target::Spirv),
        "openclc" => Ok(Target::OpenClC),
        "ptx" => Ok(Target::Ptx { sm: 80 }),
        other => Err(failure(format!(
            "there is no code form `{other}`; there are `spirv`, `openclc` and `ptx`"
        ))),
    }
}
