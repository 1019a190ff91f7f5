//! What kernels do not have, each told at its own token; all mistakes of a kernel at once.
use gridfn::prelude::*;

#[kernel]
fn statements(n: u32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let text = "hello";
    let array = [1.0, 2.0];
    let (a, b) = (1, 2);
    eprintln!("{i}");
    let f = |v: f32| v * 2.0;
    match n {
        0 => y[i] = 1.0,
        _ => y[i] = 2.0,
    }
    if let 3 = n {}
    let r = &n;
    let s = x;
    let z = x.first()?;
    for v in x.iter() {}
    for v in 0.. {}
    'a: loop {
        break 'b;
    }
    continue;
    let big = 1u128;
    let p = Point { x: 1.0 };
    async {};
    let e = *r;
    fn inner() {}
    y[i] = array[0];
}

#[kernel]
fn dimension(d: usize, y: &mut [f32]) {
    let i = global_id(d);
    let j = global_id(3);
    y[global_id(0)] = (i + j) as f32;
}

#[kernel]
fn conditional(#[cfg(any())] n: u32, y: &mut [f32]) {
    let i = global_id(0);
    #[cfg(any())]
    let a = 1.0;
    #[cfg(any())]
    {
        y[i] = 2.0;
    }
    #[allow(unused_variables)]
    #[cfg_attr(all(), cfg(any()))]
    y[i] = 3.0;
}

fn main() {}
