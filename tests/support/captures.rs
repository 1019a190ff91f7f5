//! Closure kernels with many captures, and a struct of many buffers. Work-groups have up to 64 items.

use gridfn::prelude::*;

/// So many launches of one kernel: queue, items, launches, output, inputs.
pub(crate) type Repeat = fn(&Queue, usize, usize, &mut Buffer<f32>, &[Buffer<f32>]) -> gridfn::Result<()>;

/// A closure with one output and as many inputs as there are names: written in `launch!`, and stored.
macro_rules! closures {
    ($literal:ident, $stored:ident: $($x:ident)*) => {
        #[allow(irrefutable_let_patterns, reason = "there may be no input")]
        fn $literal(
            queue: &Queue,
            n: usize,
            launches: usize,
            y: &mut Buffer<f32>,
            x: &[Buffer<f32>],
        ) -> gridfn::Result<()> {
            let [$($x,)* ..] = x else { panic!("too few buffers") };
            for _ in 0..launches {
                launch!(
                    queue,
                    |i| if i < y.len() { y[i] = 0.0 $(+ $x[i])*; },
                    global = n,
                    local = n.min(64),
                )?;
            }
            Ok(())
        }

        #[allow(irrefutable_let_patterns, reason = "there may be no input")]
        fn $stored(
            queue: &Queue,
            n: usize,
            launches: usize,
            y: &mut Buffer<f32>,
            x: &[Buffer<f32>],
        ) -> gridfn::Result<()> {
            let [$($x,)* ..] = x else { panic!("too few buffers") };
            let mut closure = closure!(|i| if i < y.len() { y[i] = 0.0 $(+ $x[i])*; });
            for _ in 0..launches {
                launch!(queue, &mut closure, global = n, local = n.min(64))?;
            }
            Ok(())
        }
    };
}

closures!(literal1, stored1:);
closures!(literal8, stored8: a b c d e f g);
closures!(literal40, stored40:
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1 d2 d3 d4 d5 d6 d7 d8);

/// A struct with one output and as many inputs as there are names.
macro_rules! structs {
    ($($x:ident)*) => {
        #[derive(KernelArg)]
        struct Buffers<'a> {
            y: &'a mut Buffer<f32>,
            $($x: &'a Buffer<f32>,)*
        }

        #[kernel]
        fn sum_of_fields(b: Buffers<'_>) {
            let i = global_id(0);
            if i < b.y.len() {
                b.y[i] = 0.0 $(+ b.$x[i])*;
            }
        }

        fn fields12(
            queue: &Queue,
            n: usize,
            launches: usize,
            y: &mut Buffer<f32>,
            x: &[Buffer<f32>],
        ) -> gridfn::Result<()> {
            let [$($x,)* ..] = x else { panic!("too few buffers") };
            for _ in 0..launches {
                launch!(queue, sum_of_fields(Buffers { y, $($x),* }), global = n, local = n.min(64))?;
            }
            Ok(())
        }
    };
}
structs!(a b c d e f g h i_ j k);

#[kernel]
fn sum_of_views(y: ViewMut<f32, 2>, a: View<f32, 2>, b: View<f32, 2>, c: View<f32, 2>) {
    let at = [0, global_id(0)];
    if at[1] < y.len() {
        y[at] = 0.0 + a[at] + b[at] + c[at];
    }
}

fn views4(
    queue: &Queue,
    n: usize,
    launches: usize,
    y: &mut Buffer<f32>,
    x: &[Buffer<f32>],
) -> gridfn::Result<()> {
    let shape = [1, y.len()];
    let [a, b, c, ..] = x else {
        panic!("too few buffers")
    };
    for _ in 0..launches {
        let [a, b, c] = [a.view(shape)?, b.view(shape)?, c.view(shape)?];
        launch!(
            queue,
            sum_of_views(y.view_mut(shape)?, a, b, c),
            global = n,
            local = n.min(64)
        )?;
    }
    Ok(())
}

/// Every way: name, number of buffers, launches.
pub(crate) const REPEATS: [(&str, usize, Repeat); 8] = [
    ("captures of a closure in `launch!`", 1, literal1),
    ("captures of a closure in `launch!`", 8, literal8),
    ("captures of a closure in `launch!`", 40, literal40),
    ("captures of a stored closure", 1, stored1),
    ("captures of a stored closure", 8, stored8),
    ("captures of a stored closure", 40, stored40),
    ("buffers of a struct", 12, fields12),
    ("views", 4, views4),
];
