//! Runs most of gridfn's examples one after the other on one device, each as a program of its own. They have been built
//! before:
//!
//! ```text
//! cargo build --release --examples
//! cargo run --release -p gridfn-programs --bin gridfn-examples -- --device intel
//! ```

#[path = "../../../../examples/common/mod.rs"]
mod common;

use std::process::Command;
use std::time::Instant;

/// Those that take a moment, even if they are interpreted, and check themselves.
const EXAMPLES: [&str; 10] = [
    "many_arguments",
    "matmul_tiled",
    "transpose",
    "nbody",
    "black_scholes",
    "mandelbrot",
    "histogram",
    "reduce",
    "scan",
    "bitonic_sort",
];

fn main() -> common::Result {
    // Cargo puts examples into a folder beside programs.
    let program = std::env::current_exe()?;
    let folder = program.with_file_name("examples");
    let mut failed = vec![];
    for name in EXAMPLES {
        println!("\nexample {name}");
        let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let start = Instant::now();
        let status = Command::new(&path)
            .args(std::env::args_os().skip(1))
            .status()
            .map_err(|e| common::failure(format!("{}: {e}; has it been built?", path.display())))?;
        println!("{:.2?}", start.elapsed());
        if !status.success() {
            failed.push(name);
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(common::failure(format!("failed: {}", failed.join(", "))))
    }
}
