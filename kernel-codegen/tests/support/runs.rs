//! The cases and kernels, run on an OpenCL device and compared with the host.

use super::opencl::{Arg, Device, Launch, Outcome};
use super::{aggregates, arrays, atomics, cases, kernels, oracle, samples};
use gridfn_codegen::{Code, Target};
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Kernel, ParamKind};

/// The code form under test.
pub type Generate<'a> = &'a dyn Fn(&Kernel) -> Code;

/// Every operation on every type, on many operands. Tells of each case that fails, with its first wrong result.
///
/// # Panics
///
/// If any result is wrong.
pub fn operations(device: &Device, generate: Generate<'_>) {
    let mut failures = Vec::new();
    let cases = cases::all_of(Target::Spirv);
    for case in &cases {
        let rows = samples::rows(case);
        let mut args: Vec<Arg> = (0..case.operands.len())
            .map(|column| Arg::Slice(rows.iter().map(|row| row[column]).collect()))
            .collect();
        args.push(Arg::Slice(vec![0; rows.len()]));
        let kernel = case.kernel();
        if !device.can_run(&kernel) {
            continue;
        }
        match device.run(
            &kernel,
            &generate(&kernel),
            &Launch::linear(rows.len() as u64, args),
        ) {
            Err(e) => failures.push(format!("{}: {e}", case.name())),
            Ok(Outcome { slices, .. }) => {
                let results = &slices[case.operands.len()];
                let wrong: Vec<String> = rows
                    .iter()
                    .zip(results)
                    .filter(|(row, _)| device.keeps_subnormals() || !oracle::is_subnormal(case, row))
                    .filter_map(|(row, got)| oracle::check(case, row, *got).err())
                    .collect();
                if let Some(first) = wrong.first() {
                    failures.push(format!("{first} ({} of {} are wrong)", wrong.len(), rows.len()));
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} cases fail:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

fn run(device: &Device, generate: Generate<'_>, kernel: &Kernel, launch: &Launch) -> Outcome {
    device
        .run(kernel, &generate(kernel), launch)
        .unwrap_or_else(|e| panic!("{}: {e}", kernel.name))
}

fn bits(floats: &[f32]) -> Vec<u64> {
    floats.iter().map(|x| x.to_bits().into()).collect()
}

/// Items past the slices' ends fault, and the others complete; items past the launch's size do nothing.
pub fn faults(device: &Device, generate: Generate<'_>) {
    let x: Vec<f32> = (0..100).map(|i| i as f32).collect();
    let mut launch = Launch::linear(
        90,
        vec![
            Arg::Scalar(2f32.to_bits().into()),
            Arg::Slice(bits(&x)),
            Arg::Slice(bits(&[1.0; 80])),
        ],
    );
    launch.tag = 0x1234_5678_9abc;
    launch.offset = [5, 6, 7];
    let Outcome { slices, fault } = run(device, generate, &kernels::saxpy(), &launch);
    let expected: Vec<f32> = (0..80)
        .map(|i| if i < 5 { 1.0 } else { 1.0 + 2.0 * i as f32 })
        .collect();
    assert_eq!(slices[1], bits(&expected));
    assert_eq!((fault.count, fault.site, fault.tag), (15, 1, launch.tag));
    assert!((80..95).contains(&fault.id[0]), "{fault:?}");
    assert_eq!(fault.id[1..], [6, 7]);
    assert_eq!(fault.values[..2], [fault.id[0], 80]);

    launch.offset = [0; 3];
    launch.size = [70, 1, 1];
    let Outcome { slices, fault } = run(device, generate, &kernels::saxpy(), &launch);
    let expected: Vec<f32> = (0..80)
        .map(|i| if i < 70 { 1.0 + 2.0 * i as f32 } else { 1.0 })
        .collect();
    assert_eq!(slices[1], bits(&expected));
    assert_eq!(fault, Default::default());
}

/// Labelled loops and blocks, and early returns.
pub fn control(device: &Device, generate: Generate<'_>) {
    const UNTOUCHED: u64 = 0xffff_fffe;
    for limit in [0, 1, 5, 40] {
        let args = vec![Arg::Scalar(limit.into()), Arg::Slice(vec![UNTOUCHED; 200])];
        let Outcome { slices, .. } = run(device, generate, &kernels::control(), &Launch::linear(200, args));
        let expected: Vec<u64> = (0..200)
            .map(|i| kernels::control_on_host(i, limit).map_or(UNTOUCHED, u64::from))
            .collect();
        assert_eq!(slices[0], expected, "limit {limit}");
    }
}

/// `bool`s in parameters, memory and locals.
pub fn bytes(device: &Device, generate: Generate<'_>) {
    let flags: Vec<u64> = (0..100).map(|i| i % 3 % 2).collect();
    let small: Vec<u64> = (0..100).map(|i: u8| i.wrapping_mul(41).into()).collect();
    for flag in [0, 1] {
        let args = vec![
            Arg::Scalar(flag),
            Arg::Scalar((-3i8 as u8).into()),
            Arg::Slice(flags.clone()),
            Arg::Slice(small.clone()),
            Arg::Slice(vec![7; 100]),
        ];
        let Outcome { slices, .. } = run(device, generate, &kernels::bytes(), &Launch::linear(100, args));
        let expected: Vec<u64> = (0..100)
            .map(|i| flag ^ (flags[i] & u64::from((small[i] as i8) < -3)))
            .collect();
        assert_eq!(slices[2], expected);
    }
}

/// The parameter block's layout.
pub fn mixed(device: &Device, generate: Generate<'_>) {
    if !device.can_run(&kernels::mixed()) {
        return;
    }
    let values = [1i16, -300, 200, 1, -100, 1, 60, -5, 9].map(f64::from);
    let mut args: Vec<Arg> = (values.iter().zip(kernels::MIXED))
        .map(|(value, ty)| {
            Arg::Scalar(match ty {
                Scalar::F32 => (*value as f32).to_bits().into(),
                Scalar::F64 => value.to_bits(),
                integer => integer.truncate(*value as i64 as u64),
            })
        })
        .collect();
    args.push(Arg::Slice(vec![0; values.len()]));
    let Outcome { slices, .. } = run(device, generate, &kernels::mixed(), &Launch::linear(1, args));
    assert_eq!(slices[0], values.map(f64::to_bits));
}

/// Arrays of every type and of several lengths in the parameter block.
pub fn arrays(device: &Device, generate: Generate<'_>) {
    compare(device, generate, arrays::runs());
}

/// Atomic operations of every type and order.
pub fn atomics(device: &Device, generate: Generate<'_>) {
    compare(device, generate, atomics::runs());
}

/// Array variables, tables of constants and slices of aggregates.
pub fn aggregates(device: &Device, generate: Generate<'_>) {
    compare(device, generate, aggregates::runs());
}

fn compare(device: &Device, generate: Generate<'_>, runs: Vec<arrays::Run>) {
    for case in runs {
        if !device.can_run(&case.kernel) {
            continue;
        }
        let params = case.kernel.params.iter().map(|(_, param)| param.kind);
        let args = params
            .zip(case.arguments)
            .map(|(kind, words)| match kind {
                ParamKind::Scalar(_) => Arg::Scalar(words[0]),
                ParamKind::Array { .. } => Arg::Array(words),
                ParamKind::Slice { .. } => Arg::Slice(words),
            })
            .collect();
        let Outcome { slices, fault } =
            run(device, generate, &case.kernel, &Launch::linear(case.items, args));
        assert_eq!(slices, case.expected, "{}", case.kernel.name);
        assert_eq!(fault, Default::default(), "{}", case.kernel.name);
    }
}

/// Every index function in three dimensions, in ranges that don't start at 0 and with partial groups.
pub fn indices(device: &Device, generate: Generate<'_>) {
    const UNTOUCHED: u64 = u64::MAX;
    let (size, offset, local) = ([9u64, 7, 5], [10, 20, 30], [4u64, 2, 3]);
    let launch = Launch {
        size,
        offset,
        local: local.map(|n| n as usize),
        tag: 0,
        args: vec![Arg::Slice(vec![UNTOUCHED; 9 * 7 * 6 * 18])],
    };
    let Outcome { slices, .. } = run(device, generate, &kernels::indices(), &launch);
    let mut expected = Vec::new();
    for z in 0..5 {
        for y in 0..7 {
            for x in 0..9 {
                let dimensions = || [x, y, z].into_iter().zip(0..3);
                expected.extend(dimensions().map(|(id, d)| id + offset[d]));
                expected.extend(dimensions().map(|(id, d)| id % local[d]));
                expected.extend(dimensions().map(|(id, d)| id / local[d]));
                expected.extend(size);
                expected.extend(local);
                expected.extend(dimensions().map(|(_, d)| size[d].div_ceil(local[d])));
            }
        }
    }
    expected.resize(slices[0].len(), UNTOUCHED);
    assert_eq!(slices[0], expected);
}

/// Code to which control never gets.
pub fn dead_ends(device: &Device, generate: Generate<'_>) {
    let launch = Launch::linear(100, vec![Arg::Slice(vec![0; 100])]);
    let Outcome { slices, .. } = run(device, generate, &kernels::dead_ends(), &launch);
    let expected: Vec<u64> = (0..100).map(|i| 2 - i % 2).collect();
    assert_eq!(slices[0], expected);
}

/// A kernel with nothing in it builds and runs.
pub fn nothing(device: &Device, generate: Generate<'_>) {
    run(
        device,
        generate,
        &kernels::nothing(),
        &Launch::linear(100, vec![]),
    );
}
