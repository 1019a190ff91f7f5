//! Small vectors, and what is read and written at once.

use crate::case::{Need, Outcome, Suite, case_path, check_eq};
use crate::samples::{Random, Value};
use gridfn::prelude::*;
use gridfn::vector::*;
use gridfn::{Device, Target};

macro_rules! vectors {
    ($($name:ident $scalar:ident $len:literal in $module:ident $(($minus:tt))?;)*) => {$(
        mod $module {
            use super::*;

            /// Every operator; the numbers are such that none overflows.
            #[device]
            fn operators(x: $name, y: $name, s: $scalar) -> [$name; 12] {
                let mut assigned = x;
                assigned += y;
                assigned *= y;
                assigned -= y;
                assigned /= y;
                let mut by_number = x;
                by_number += s;
                by_number *= s;
                by_number -= s;
                by_number /= s;
                [x + y, x - y, x * y, x / y, x + s, x - s, s * y, s / y, assigned, by_number, x.min(y), x.max(y)]
            }

            #[device]
            fn reductions(x: $name, y: $name, s: $scalar, at: usize) -> [$scalar; 6] {
                let built = $name::from_array(x.to_array());
                let same = if built == x && x != y { x.sum() } else { s };
                let splat = $name::splat(s);
                [x.sum(), y.dot(splat), same, x.to_array()[at], built.x, y.y]
            }

            #[kernel]
            fn operate(x: &[$name], y: &[$name], s: $scalar, out: &mut [[$name; 12]]) {
                let i = global_id(0);
                out[i] = operators(x[i], y[i], s);
            }

            #[kernel]
            fn reduce(x: &[$name], y: &[$name], s: $scalar, out: &mut [[$scalar; 6]]) {
                let i = global_id(0);
                out[i] = reductions(x[i], y[i], s, i % $len);
            }

            /// A vector as an argument, in place, and a component alone.
            #[kernel]
            fn in_place(a: $name, x: &[$name], y: &mut [$name]) {
                let i = global_id(0);
                y[i] += a * x[i];
                y[i].y = y[i].x;
                $(y[i] = $minus y[i];)?
            }

            pub(super) fn run(device: &Device) -> Outcome {
                const N: usize = 70;
                let mut random = Random::of(stringify!($name));
                // Quotients that are not whole for floats, and no overflow of bytes.
                let mut vectors = |least: u64, most: u64| -> Vec<$name> {
                    let mut number = || (least + random.below(most - least)) as $scalar;
                    (0..N).map(|_| $name::from([(); $len].map(|()| number()))).collect()
                };
                let (x, y, s) = (vectors(20, 60), vectors(1, 3), 2 as $scalar);
                let queue = device.queue()?;
                let (on_x, on_y) = (queue.upload(&x)?, queue.upload(&y)?);
                let pairs = || x.iter().copied().zip(y.iter().copied());

                let mut out = queue.upload(&vec![[$name::splat(1 as $scalar); 12]; N])?;
                launch!(queue, operate(&on_x, &on_y, s, &mut out), global = N)?;
                let expected: Vec<_> = pairs().map(|(x, y)| operators(x, y, s)).collect();
                check_eq!(queue.download(&out)?, expected, "operators");

                let mut out = queue.upload(&vec![[1 as $scalar; 6]; N])?;
                launch!(queue, reduce(&on_x, &on_y, s, &mut out), global = N)?;
                let expected: Vec<_> = pairs().enumerate().map(|(n, (x, y))| reductions(x, y, s, n % $len)).collect();
                check_eq!(queue.download(&out)?, expected, "reductions");

                let mut out = queue.zeros::<$name>(N)?;
                launch!(queue, in_place(y[0], &on_x, &mut out), global = N)?;
                launch!(queue, |i| out[i] = out[i] + on_y[i], global = N)?;
                let expected: Vec<_> = pairs().map(|(x, other)| {
                    let mut v = $name::default() + y[0] * x;
                    v.y = v.x;
                    $(v = $minus v;)?
                    v + other
                }).collect();
                check_eq!(queue.download(&out)?, expected, "in place");
                Ok(())
            }
        }
    )*

    fn types(suite: &mut Suite) {
        $({
            let needs: Vec<Need> = <$scalar as Value>::NEED.into_iter().collect();
            suite.case(case_path!(stringify!($name)), &needs, $module::run);
        })*
    }};
}
vectors! {
    F32x2 f32 2 in f32x2 (-);
    F32x3 f32 3 in f32x3 (-);
    F32x4 f32 4 in f32x4 (-);
    F64x2 f64 2 in f64x2 (-);
    F64x3 f64 3 in f64x3 (-);
    F64x4 f64 4 in f64x4 (-);
    I32x2 i32 2 in i32x2 (-);
    I32x3 i32 3 in i32x3 (-);
    I32x4 i32 4 in i32x4 (-);
    U32x2 u32 2 in u32x2;
    U32x3 u32 3 in u32x3;
    U32x4 u32 4 in u32x4;
    U8x4 u8 4 in u8x4;
}

/// Structs of users: what stands side by side, in which order, and with what between.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(C, align(16))]
struct Particle {
    position: F32x3,
    mass: f32,
    velocity: F32x4,
    kind: u8,
    flags: [bool; 3],
    pair: Pair,
    far: [U32x2; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(C, align(4))]
struct Pair {
    a: i16,
    b: i16,
}

#[kernel]
fn advance(step: f32, x: &[Particle], y: &mut [Particle]) {
    let i = global_id(0);
    let mut p = x[i];
    p.position = p.position + F32x3::new(p.velocity.x, p.velocity.y, p.velocity.z) * step;
    p.velocity *= p.mass;
    p.pair = Pair {
        a: p.pair.b,
        b: p.pair.a,
    };
    p.far[i % 2] += U32x2::splat(p.kind as u32);
    y[i] = p;
    y[i].far[(i + 1) % 2] = p.far[i % 2];
}

fn structs(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let particle = |n: usize| {
        let f = n as f32;
        Particle {
            position: F32x3::new(f, f + 0.5, -f),
            mass: 1.0 + f,
            velocity: F32x4::new(0.1 * f, 2.0, -3.0, f),
            kind: n as u8,
            flags: [n % 2 == 0, true, n % 3 == 0],
            pair: Pair {
                a: n as i16,
                b: -(n as i16),
            },
            far: [U32x2::new(n as u32, 7), U32x2::new(9, n as u32)],
        }
    };
    let particles: Vec<Particle> = (0..50).map(particle).collect();
    let x = queue.upload(&particles)?;
    let mut y = queue.upload(&particles)?;
    launch!(queue, advance(0.25, &x, &mut y), global = 50)?;
    let expected = particles.iter().enumerate().map(|(i, p)| {
        let mut p = *p;
        p.position = p.position + F32x3::new(p.velocity.x, p.velocity.y, p.velocity.z) * 0.25;
        p.velocity *= p.mass;
        p.pair = Pair {
            a: p.pair.b,
            b: p.pair.a,
        };
        p.far[i % 2] += U32x2::splat(u32::from(p.kind));
        p.far[(i + 1) % 2] = p.far[i % 2];
        p
    });
    check_eq!(queue.download(&y)?, expected.collect::<Vec<_>>());
    Ok(())
}

/// A part of a buffer, which begins at any element.
#[kernel]
fn windows(x: &[F32x4], y: &mut [F32x4]) {
    let i = global_id(0);
    let part = &x[i + 1..i + 3];
    let mut sum = F32x4::splat(0.0);
    for v in part {
        sum += *v;
    }
    y[i] = sum;
}

fn parts(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let values: Vec<F32x4> = (0..40)
        .map(|n| F32x4::new(n as f32, 0.5, -(n as f32), 3.0))
        .collect();
    let x = queue.upload(&values)?;
    let mut y = queue.zeros::<F32x4>(30)?;
    launch!(queue, windows(&x, &mut y), global = 30)?;
    let expected: Vec<F32x4> = (0..30)
        .map(|i| F32x4::splat(0.0) + values[i + 1] + values[i + 2])
        .collect();
    check_eq!(queue.download(&y)?, expected);
    Ok(())
}

/// What the code says of it.
fn code(_: &Device) -> Outcome {
    let found = |target| -> Result<String, gridfn::Error> { Ok(windows::emit(target)?.to_string()) };
    let (c, spirv, ptx) = (
        found(Target::OpenClC)?,
        found(Target::Spirv)?,
        found(Target::Ptx { sm: 80 })?,
    );
    check_eq!(c.contains("aliased_float4"), true, "{c}");
    check_eq!(spirv.contains("CompositeExtract"), true, "{spirv}");
    check_eq!(
        ptx.contains("ld.global.nc.v4.f32") && ptx.contains("st.global.v4.f32"),
        true,
        "{ptx}"
    );
    let particle = advance::emit(Target::Ptx { sm: 80 })?.to_string();
    for wide in [
        "ld.global.nc.v4.f32",
        "ld.global.nc.v2.s16",
        "st.global.v4.f32",
        "st.global.v2.u32",
    ] {
        check_eq!(particle.contains(wide), true, "{wide}: {particle}");
    }
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    types(suite);
    suite.case(case_path!("structs"), &[], structs);
    suite.case(case_path!("parts"), &[], parts);
    suite.case(case_path!("code"), &[Need::Host], code);
}
