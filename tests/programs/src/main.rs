//! Programs that are known from benchmarks, written in the kernel language, each with a check that does not depend on it.
//!
//! ```text
//! cargo run --release -p gridfn-programs                                        # all of them, small
//! cargo run --release -p gridfn-programs -- stream --n 33554432 --device intel  # one, at a real size
//! ```
//!
//! The others of their kind are examples: `matmul`, `matmul_tiled`, `nbody`, `histogram`, `reduce`, `scan`, `bitonic_sort`,
//! `black_scholes`, `mandelbrot`.

#[path = "../../../examples/common/mod.rs"]
mod common;
#[path = "../../support/counting.rs"]
mod counting;
mod hashes;
mod hotspot;
mod k_means;
mod mini_bude;
mod neuron;
mod radix_sort;
mod stencil;
mod stream;

use gridfn::Device;

/// Runs a program on a device, at the size that is asked for or at one that takes a moment, and checks it.
type Program = fn(&Device, Option<usize>) -> common::Result;

const PROGRAMS: [(&str, Program); 8] = [
    ("stream", stream::run),
    ("hashes", hashes::run),
    ("mini_bude", mini_bude::run),
    ("neuron", neuron::run),
    ("stencil", stencil::run),
    ("hotspot", hotspot::run),
    ("radix_sort", radix_sort::run),
    ("k_means", k_means::run),
];

fn main() -> common::Result {
    let (device, n, names) = common::sized_arguments(&[])?;
    if let Some(name) = names
        .iter()
        .find(|name| PROGRAMS.iter().all(|(other, _)| name != other))
    {
        let programs = PROGRAMS.map(|(name, _)| name).join("`, `");
        return Err(common::failure(format!(
            "there is no program `{name}`; there are `{programs}`"
        )));
    }
    for (name, program) in PROGRAMS {
        if names.is_empty() || names.iter().any(|other| other == name) {
            println!("\nprogram {name}");
            program(&device, n)?;
        }
    }
    Ok(())
}
