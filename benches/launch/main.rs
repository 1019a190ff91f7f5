//! What a launch costs, beside the same launch in plain calls of OpenCL's C API.
//!
//! `cargo bench --bench launch -- --json` prints one object a line, for the OpenCL devices of this process and for the
//! null device. Ours and raw run in one process, in batches that alternate; `ratio` is the median of the pairs'. The raw
//! loop sets every argument of a kernel written by hand in OpenCL C. `enqueue` is the cost to the launching thread,
//! `finish` includes waiting for each launch. `instructions` are ours, per launch, counted by callgrind where it can run
//! the device. Times are of this machine at this moment; compare the ratios.

#[path = "../../tests/support/arguments.rs"]
mod arguments;
#[path = "../../tests/support/counting.rs"]
mod counting;
mod instructions;
mod raw;
mod report;

use arguments::{launch_sum4, launch_sum40};
use gridfn::prelude::*;
use report::Row;
use std::time::Instant;

/// Items of a launch: one, so that the launch is what is measured.
const N: usize = 1;
/// Pairs of batches.
const PAIRS: usize = 41;
/// Launches in a batch.
const BATCH: usize = 200;

/// One measured launch: ours, and by how many arguments of which type.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    args: usize,
    argtype: &'static str,
    ours: Ours,
}

/// One launch of ours: queue, output, inputs.
type Ours = fn(&Queue, &mut Buffer<f32>, &[Buffer<f32>]) -> gridfn::Result<()>;

/// Kernels of one output and as many scalars as there are names.
macro_rules! scalars {
    ($kernel:ident, $launch:ident: $($x:ident)*) => {
        #[kernel]
        fn $kernel(y: &mut [f32], $($x: f32),*) {
            let i = global_id(0);
            y[i] = 0.0 $(+ $x)*;
        }

        fn $launch(queue: &Queue, y: &mut Buffer<f32>, _: &[Buffer<f32>]) -> gridfn::Result<()> {
            $(let $x = std::hint::black_box(1.0f32);)*
            launch!(queue, $kernel(y, $($x),*), global = N, local = N)
        }
    };
}
scalars!(scalars4, launch_scalars4: a b c);
scalars!(scalars40, launch_scalars40:
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1 d2 d3 d4 d5 d6 d7 d8);

pub(crate) const CASES: [Case; 4] = [
    Case {
        args: 4,
        argtype: "buffer",
        ours: |queue, y, x| launch_sum4(queue, N, y, x),
    },
    Case {
        args: 40,
        argtype: "buffer",
        ours: |queue, y, x| launch_sum40(queue, N, y, x),
    },
    Case {
        args: 4,
        argtype: "scalar",
        ours: launch_scalars4,
    },
    Case {
        args: 40,
        argtype: "scalar",
        ours: launch_scalars40,
    },
];

/// Queue and buffers for any case.
pub(crate) struct Setup {
    queue: Queue,
    y: Buffer<f32>,
    x: Vec<Buffer<f32>>,
}

impl Setup {
    pub(crate) fn new(device: &Device) -> gridfn::Result<Setup> {
        let queue = device.queue()?;
        let y = queue.zeros(N)?;
        let x = (0..64).map(|_| queue.zeros(N)).collect::<gridfn::Result<_>>()?;
        Ok(Setup { queue, y, x })
    }

    pub(crate) fn launch(&mut self, case: &Case) -> gridfn::Result<()> {
        (case.ours)(&self.queue, &mut self.y, &self.x)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = arguments.iter().position(|a| a == instructions::FLAG) {
        return instructions::run(&arguments[at + 1..]);
    }
    let json = arguments.iter().any(|a| a == "--json");
    let mut rows = vec![];
    let opencl = Device::all()
        .into_iter()
        .filter(|d| d.info().id.starts_with("opencl"));
    for (n, device) in opencl.chain([Device::null()]).enumerate() {
        for case in &CASES {
            for finish in [false, true] {
                let row = measure(&device, n, case, finish)?;
                if json {
                    println!("{}", row.json());
                }
                rows.push(row);
            }
        }
    }
    if !json {
        print!("{}", report::table(&rows));
    }
    Ok(())
}

/// Measures one case on one device; `number` is the device's place among those of the C API.
fn measure(
    device: &Device,
    number: usize,
    case: &Case,
    finish: bool,
) -> Result<Row, Box<dyn std::error::Error>> {
    let null = device.info().id == "null";
    let mut setup = Setup::new(device)?;
    let raw = if null {
        None
    } else {
        Some(raw::Raw::new(number, case)?)
    };
    let (mut ours_ns, mut raw_ns, mut ratios) = (vec![], vec![], vec![]);
    let mut allocations = 0;
    for pair in 0..PAIRS + 2 {
        let before = counting::allocations();
        let start = Instant::now();
        for _ in 0..BATCH {
            setup.launch(case)?;
            if finish {
                setup.queue.synchronize()?;
            }
        }
        let ours = start.elapsed().as_nanos() as f64 / BATCH as f64;
        let allocated = counting::allocations() - before;
        setup.queue.synchronize()?;
        let theirs = match &raw {
            Some(raw) => {
                let start = Instant::now();
                for _ in 0..BATCH {
                    raw.launch();
                    if finish {
                        raw.finish();
                    }
                }
                let ns = start.elapsed().as_nanos() as f64 / BATCH as f64;
                raw.finish();
                Some(ns)
            }
            None => None,
        };
        // The first pairs warm caches and compile.
        if pair >= 2 {
            ours_ns.push(ours);
            allocations += allocated;
            if let Some(theirs) = theirs {
                raw_ns.push(theirs);
                ratios.push(ours / theirs);
            }
        }
    }
    let instructions = if null && !finish {
        instructions::count(case)
    } else {
        None
    };
    Ok(Row {
        device: name(device),
        args: case.args,
        argtype: case.argtype,
        kind: if finish { "with-finish" } else { "enqueue-only" },
        ours_ns: median(ours_ns).unwrap_or_default(),
        raw_ns: median(raw_ns),
        ratio: median(ratios),
        allocs: allocations as f64 / (PAIRS * BATCH) as f64,
        instructions,
    })
}

fn name(device: &Device) -> String {
    let info = device.info();
    if info.id == "null" {
        "null".into()
    } else {
        format!("{} ({})", info.name.trim(), info.vendor.trim())
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
