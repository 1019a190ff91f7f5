//! The code of real kernels, kept beside the tests, and checked by the tools that know: `spirv-val`, `ptxas`, and the
//! compilers of the OpenCL devices that are there. `GRIDFN_BLESS=1` rewrites the files.

#[allow(dead_code, unreachable_pub)]
#[path = "../kernel-codegen/tests/support/snapshot.rs"]
mod snapshot;
#[allow(dead_code, unreachable_pub)]
#[path = "../kernel-codegen/tests/support/tool.rs"]
mod tool;

use gridfn::Target;
use gridfn::prelude::*;
use gridfn::runtime::{bf16, f16};
use gridfn::vector::F32x4;

#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += a * x[i];
}

#[kernel]
fn guarded(x: &[f64], y: &mut [f64]) {
    let i = global_id(0);
    if i >= x.len() {
        return;
    }
    let mut value = x[i];
    if value < 0.0 {
        value = -value;
    }
    y[i] = value.sqrt().mul_add(2.0, 0.5);
}

#[device]
fn lerp<T: Float>(a: T, b: T, t: T) -> T {
    a * (T::ONE - t) + b * t
}

#[kernel]
fn blend<T: Float>(t: T, x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = lerp(y[i], x[i], t);
}

#[kernel]
fn product(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let column = global_id(0);
    let row = global_id(1);
    let mut sum = 0.0;
    for k in 0..n {
        sum += a[row * n + k] * b[k * global_size(0) + column];
    }
    c[global_linear_id()] = sum;
}

#[kernel]
fn loops(n: u32, x: &[u32], y: &mut [u64]) {
    let i = global_id(0);
    let mut total = 0;
    'rows: for row in (0..n).step_by(2) {
        let mut left = x[i] >> (row & 31);
        while left != 0 {
            left &= left - 1;
            total += 1;
            if total > 1000 {
                break 'rows;
            }
        }
        if row == 7 {
            continue;
        }
        total ^= 3;
    }
    y[i] = total / n.max(1) as u64;
}

#[kernel]
fn narrow(x: &[i8], flag: bool, y: &mut [u16]) {
    let i = global_id(0);
    let small = if flag { x[i].wrapping_mul(3) } else { x[i].abs() };
    y[i] = (small as u16).rotate_left(5) + (x[i] as f32 * 1.5e3) as u16;
}

#[kernel]
unsafe fn scatter(to: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[to[i] as usize] = x[i];
}

#[kernel]
fn vectors(a: f32, x: &[F32x4], y: &mut [F32x4]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(C, align(8))]
struct Interval {
    low: f32,
    high: f32,
    count: u8,
}

#[kernel]
fn intervals(x: &[Interval], y: &mut [Interval]) {
    let i = global_id(0);
    let Interval { low, high, count } = x[i];
    y[i] = Interval {
        low: low - 1.0,
        high: high + 1.0,
        count,
    };
}

#[kernel]
fn halves(a: f16, x: &[f16], y: &mut [bf16]) {
    let i = global_id(0);
    y[i] = bf16::from_f32((a * x[i]).to_f32());
}

#[kernel]
fn transpose(a: View<f32, 2>, b: ViewMut<f32, 2>) {
    let (x, y) = (global_id(0), global_id(1));
    b[[y, x]] = a[[x, y]];
}

#[kernel]
fn reports(x: &[u32]) {
    let i = global_id(0);
    if x[i] > 9 {
        println!("{i}: {:x}", x[i]);
    }
}

type Emit = fn(Target) -> gridfn::Result<gridfn::Code>;
type Prepare = fn(&Queue) -> gridfn::Result<()>;

const KERNELS: [(&str, Emit, Prepare); 13] = [
    ("saxpy", saxpy::emit, |queue| saxpy::prepare(queue).map(drop)),
    ("guarded", guarded::emit, |queue| {
        guarded::prepare(queue).map(drop)
    }),
    ("blend_f32", blend::emit::<f32>, |queue| {
        blend::prepare::<f32>(queue).map(drop)
    }),
    ("blend_f64", blend::emit::<f64>, |queue| {
        blend::prepare::<f64>(queue).map(drop)
    }),
    ("product", product::emit, |queue| {
        product::prepare(queue).map(drop)
    }),
    ("loops", loops::emit, |queue| loops::prepare(queue).map(drop)),
    ("narrow", narrow::emit, |queue| narrow::prepare(queue).map(drop)),
    ("vectors", vectors::emit, |queue| {
        vectors::prepare(queue).map(drop)
    }),
    ("intervals", intervals::emit, |queue| {
        intervals::prepare(queue).map(drop)
    }),
    ("halves", halves::emit, |queue| halves::prepare(queue).map(drop)),
    ("transpose", transpose::emit, |queue| {
        transpose::prepare(queue).map(drop)
    }),
    ("reports", reports::emit, |queue| {
        reports::prepare(queue).map(drop)
    }),
    ("scatter", scatter::emit, |queue| {
        scatter::prepare(queue).map(drop)
    }),
];

#[test]
fn opencl_c() {
    for (name, emit, _) in KERNELS {
        snapshot::check(&format!("{name}.cl"), &emit(Target::OpenClC).unwrap().to_string());
    }
}

#[test]
fn spirv() {
    for (name, emit, _) in KERNELS {
        let code = emit(Target::Spirv).unwrap();
        snapshot::check(&format!("{name}.spvasm"), &code.to_string());
        tool::check(
            "spirv-val",
            &["--target-env", "opencl2.1", "-"],
            &code.bytes(),
            name,
        );
    }
}

#[test]
fn ptx() {
    let ptxas = std::env::var("GRIDFN_PTXAS").unwrap_or_else(|_| "ptxas".into());
    for (name, emit, _) in KERNELS {
        snapshot::check(
            &format!("{name}.ptx"),
            &emit(Target::Ptx { sm: 80 }).unwrap().to_string(),
        );
        for sm in [70, 80, 90, 100] {
            let code = emit(Target::Ptx { sm }).unwrap();
            let arch = format!("-arch=sm_{sm}");
            tool::check(
                &ptxas,
                &[&arch, "-o", "/dev/null", "/dev/stdin"],
                &code.bytes(),
                name,
            );
        }
    }
}

#[test]
fn every_device_takes_them() {
    for device in Device::all() {
        let queue = device.queue().unwrap();
        for (name, _, prepare) in KERNELS {
            match prepare(&queue) {
                Ok(()) | Err(gridfn::Error::Unsupported { .. }) => {}
                Err(e) => panic!("{name} on {}: {e}", device.info().name),
            }
        }
    }
}
