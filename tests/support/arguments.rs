//! Kernels with many arguments, concrete and generic, and buffers for them. Work-groups have up to 64 items.

// Each program uses a part of it.
#![allow(dead_code)]

use gridfn::prelude::*;

/// A kernel of one output and as many inputs as there are names, and its launch with buffers from a slice.
macro_rules! many {
    ($kernel:ident, $generic:ident, $launch:ident, $launch_generic:ident: $($x:ident)*) => {
        #[kernel]
        pub(crate) fn $kernel(y: &mut [f32], $($x: &[f32]),*) {
            let i = global_id(0);
            if i < y.len() {
                y[i] = 0.0 $(+ $x[i])*;
            }
        }

        #[kernel]
        pub(crate) fn $generic<T: Float>(y: &mut [T], $($x: &[T]),*) {
            let i = global_id(0);
            if i < y.len() {
                y[i] = T::ZERO $(+ $x[i])*;
            }
        }

        /// Launches the concrete kernel.
        pub(crate) fn $launch(queue: &Queue, n: usize, y: &mut Buffer<f32>, x: &[Buffer<f32>]) -> gridfn::Result<()> {
            let [$($x),*, ..] = x else { panic!("too few buffers") };
            launch!(queue, $kernel(y, $($x),*), global = n, local = n.min(64))
        }

        /// Launches the generic kernel.
        pub(crate) fn $launch_generic(
            queue: &Queue,
            n: usize,
            y: &mut Buffer<f32>,
            x: &[Buffer<f32>],
        ) -> gridfn::Result<()> {
            let [$($x),*, ..] = x else { panic!("too few buffers") };
            launch!(queue, $generic(y, $($x),*), global = n, local = n.min(64))
        }
    };
}

many!(sum4, sum4_generic, launch_sum4, launch_sum4_generic: a b c);
many!(sum40, sum40_generic, launch_sum40, launch_sum40_generic:
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1 d2 d3 d4 d5 d6 d7 d8);
many!(sum64, sum64_generic, launch_sum64, launch_sum64_generic:
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1 d2 d3 d4 d5 d6 d7 d8 d9
    e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 g0 g1 g2);

/// A launch of one of the kernels: queue, items, output, inputs.
pub(crate) type Launch = fn(&Queue, usize, &mut Buffer<f32>, &[Buffer<f32>]) -> gridfn::Result<()>;

/// Every kernel: name, number of arguments, launch.
pub(crate) const LAUNCHES: [(&str, usize, Launch); 6] = [
    ("concrete", 4, launch_sum4),
    ("generic", 4, launch_sum4_generic),
    ("concrete", 40, launch_sum40),
    ("generic", 40, launch_sum40_generic),
    ("concrete", 64, launch_sum64),
    ("generic", 64, launch_sum64_generic),
];
