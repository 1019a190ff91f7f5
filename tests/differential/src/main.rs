//! `gridfn-differential`: random kernels on every device of the environment.

use gridfn_differential::ast::{Kernel, Side};
use gridfn_differential::batch::{Batch, Failure, Mode, Program};
use gridfn_differential::rows::Row;
use gridfn_differential::{generator, render, shrink};
use std::collections::{BTreeMap, HashMap};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread::{self, ScopedJoinHandle};
use std::time::SystemTime;

/// How many kernels are built as one program.
const BATCH: usize = 100;
/// How many failing kernels are made small.
const SHRUNK: usize = 3;

/// The bugs of `kernel-ir/src/planted.rs`.
const PLANTED: [&str; 11] = [
    "`>>` of signed integers is logical",
    "shifts are masked as of 32 bits",
    "`%` has the sign of the divisor",
    "`as` loses the sign of narrow integers",
    "floats to narrow integers do not saturate",
    "unsigned integers are compared as signed",
    "the negative of the smallest value saturates",
    "`else` is lost in `f32`",
    "`..=` ends at the value after its last",
    "break leaves the innermost loop",
    "compound assignment reads first",
];

/// What the command line says.
struct Arguments {
    /// How many kernels, of each seed.
    count: usize,
    /// The seeds.
    seeds: Vec<u64>,
    /// Whether the host's dev profile is left out.
    release_only: bool,
    /// Whether kernels are only written, and their rows counted.
    rows_only: bool,
    /// Of how many batches one is run on devices that take OpenCL C.
    opencl_c_every: usize,
    /// Whether bugs are planted, and how many kernels it takes to find each is told.
    planted: bool,
}

fn main() -> ExitCode {
    let done = arguments().and_then(|arguments| {
        if arguments.planted {
            planted(&arguments)
        } else {
            random(&arguments)
        }
        .map_err(|error| error.to_string())
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut parsed = Arguments {
        count: 100,
        seeds: vec![],
        release_only: false,
        rows_only: false,
        opencl_c_every: 1,
        planted: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().ok_or_else(|| format!("`{word}` needs a number"))?;
            if text == "clock" {
                return Ok(clock());
            }
            text.parse::<u64>()
                .map_err(|error| format!("{word} {text}: {error}"))
        };
        match word.as_str() {
            "--count" => parsed.count = number()? as usize,
            "--seed" => parsed.seeds.push(number()?),
            "--release-only" => parsed.release_only = true,
            "--rows-only" => parsed.rows_only = true,
            "--opencl-c-every" => parsed.opencl_c_every = (number()? as usize).max(1),
            "--planted" => parsed.planted = true,
            _ => {
                return Err(format!(
                    "`{word}`: there are --count N, --seed S (or `clock`), --release-only, --rows-only, \
                     --opencl-c-every N, --planted"
                ));
            }
        }
    }
    if parsed.seeds.is_empty() {
        parsed.seeds.push(clock());
    }
    Ok(parsed)
}

/// A seed that is another each time.
fn clock() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs() % 1_000_000_000)
}

/// The kernels of the command line.
fn kernels(arguments: &Arguments) -> Vec<Kernel> {
    let of_seed = |seed: &u64| {
        println!("seed {seed}: {} kernels", arguments.count);
        let seed = *seed;
        (0..arguments.count as u64).map(move |n| generator::kernel(seed * 1_000_000 + n))
    };
    arguments.seeds.iter().flat_map(of_seed).collect()
}

/// Runs random kernels; says whether all are right.
fn random(arguments: &Arguments) -> std::io::Result<bool> {
    let kernels = kernels(arguments);
    if arguments.rows_only {
        print_rows(&kernels);
        return Ok(true);
    }
    let failed = failures(&kernels, arguments)?;
    for (n, (kernel, mode, failure)) in failed.iter().enumerate() {
        println!("\nMISMATCH: kernel of seed {} ({mode:?})", kernel.seed);
        report(kernel, failure);
        if failure.device == "rustc" {
            // It tells the place itself.
            println!("{}", render::kernel(kernel, Side::Kernel));
        } else if n < SHRUNK {
            let (small, failure) = shrink::shrink(kernel, failure.clone(), *mode)?;
            println!("\nThe smallest that fails likewise:");
            report(&small, &failure);
            println!("{}", render::kernel(&small, Side::Kernel));
        }
    }
    print_rows(&kernels);
    println!("{} kernels, {} mismatches", kernels.len(), failed.len());
    Ok(failed.is_empty())
}

/// The kernels that fail, and how. While one batch runs, which drivers do on one thread, the next is built.
fn failures<'a>(
    kernels: &'a [Kernel],
    arguments: &Arguments,
) -> std::io::Result<Vec<(&'a Kernel, Mode, Failure)>> {
    let mut failed = Vec::new();
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(0);
        scope.spawn(move || {
            for (n, batch) in kernels.chunks(BATCH).enumerate() {
                let written = Batch::write(&format!("batch{n}"), batch);
                let programs = written.map(|written| build(&written, n, arguments));
                if sender.send((batch, programs)).is_err() {
                    return;
                }
            }
        });
        for (batch, programs) in receiver {
            let mut of_batch = BTreeMap::new();
            for (mode, program) in programs? {
                for (k, failure) in program?.run_all()? {
                    of_batch.entry(k).or_insert((mode, failure));
                }
            }
            failed.extend(
                of_batch
                    .into_iter()
                    .map(|(k, (mode, failure))| (&batch[k], mode, failure)),
            );
        }
        Ok(failed)
    })
}

/// Builds the batch of that number in both profiles at once: most of the compiler's work on one program is done by one
/// thread.
fn build(batch: &Batch<'_>, number: usize, arguments: &Arguments) -> Vec<(Mode, std::io::Result<Program>)> {
    let release = if number.is_multiple_of(arguments.opencl_c_every) {
        Mode::Release
    } else {
        Mode::Quick
    };
    let modes = if arguments.release_only {
        vec![release]
    } else {
        vec![Mode::Dev, release]
    };
    thread::scope(|scope| {
        let builds: Vec<_> = modes
            .iter()
            .map(|mode| (*mode, scope.spawn(move || batch.build(*mode))))
            .collect();
        let ended = |(mode, build): (Mode, ScopedJoinHandle<'_, _>)| {
            (
                mode,
                build
                    .join()
                    .unwrap_or_else(|_| Err(std::io::Error::other("a build panicked"))),
            )
        };
        builds.into_iter().map(ended).collect()
    })
}

fn report(kernel: &Kernel, failure: &Failure) {
    println!(
        "inputs of seed {}, on {}: {}",
        kernel.seed, failure.device, failure.what
    );
}

/// Prints how many kernels used each row, those that none used included.
fn print_rows(kernels: &[Kernel]) {
    let mut counts: HashMap<Row, usize> = HashMap::new();
    for kernel in kernels {
        let mut rows = kernel.rows();
        rows.sort_by_key(|row| row.name());
        rows.dedup();
        rows.into_iter()
            .for_each(|row| *counts.entry(row).or_default() += 1);
    }
    println!("\nkernels  row");
    for row in Row::all() {
        println!("{:>7}  {}", counts.get(&row).copied().unwrap_or(0), row.name());
    }
}

/// Finds planted bugs; says whether each was found.
fn planted(arguments: &Arguments) -> std::io::Result<bool> {
    let kernels = kernels(arguments);
    let mut left: Vec<&str> = PLANTED.to_vec();
    for (n, batch) in kernels.chunks(BATCH).enumerate() {
        if left.is_empty() {
            break;
        }
        let written = Batch::write(&format!("planted{n}"), batch)?;
        let program = written.build(Mode::Planted)?;
        let sound = program.run(&program.kernels, &[])?;
        let kernels: Vec<usize> = program
            .kernels
            .iter()
            .copied()
            .filter(|k| !sound.contains_key(k))
            .collect();
        let mut kept = Vec::new();
        for bug in left {
            // A few at a time, because most bugs are found soon.
            let mut found = kernels
                .chunks(10)
                .map(|few| program.run(few, &[("GRIDFN_PLANTED_BUG", bug)]));
            let found =
                found.find(|failures| failures.as_ref().map_or(true, |failures| !failures.is_empty()));
            match found
                .transpose()?
                .and_then(|failures| failures.into_iter().next())
            {
                Some((k, failure)) => {
                    println!("found: {bug}, by kernel {}: {}", n * BATCH + k + 1, failure.what)
                }
                None => kept.push(bug),
            }
        }
        left = kept;
    }
    for bug in &left {
        println!("NOT FOUND: {bug}, in {} kernels", kernels.len());
    }
    println!("{} planted bugs, {} not found", PLANTED.len(), left.len());
    Ok(left.is_empty())
}
