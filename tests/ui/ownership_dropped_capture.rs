//! What a closure captured cannot go between its compilation and its launch.
use gridfn::prelude::*;

fn dropped(queue: &Queue, x: Buffer<f32>, mut y: Buffer<f32>) -> gridfn::Result<()> {
    let mut closure = closure!(|i| y[i] = x[i]);
    let prepared = closure.prepare(queue)?;
    drop(x);
    launch!(prepared, &mut closure, global = 4)
}

fn made_of_what_is_gone(queue: &Queue) -> gridfn::Result<()> {
    let mut y = queue.zeros::<f32>(4)?;
    let mut closure = {
        let x = queue.upload(&[1.0f32; 4])?;
        closure!(|i| y[i] = x[i])
    };
    launch!(queue, &mut closure, global = 4)
}

fn read_while_captured_for_writing(queue: &Queue, mut y: Buffer<f32>) -> gridfn::Result<()> {
    let mut closure = closure!(|i| y[i] = 1.0);
    queue.download(&y)?;
    launch!(queue, &mut closure, global = 4)
}

fn moved_away(queue: &Queue, x: Buffer<f32>, y: Buffer<f32>) -> gridfn::Result<()> {
    let mut closure = closure!(move |i| y[i] = x[i]);
    queue.download(&x)?;
    launch!(queue, &mut closure, global = 4)
}

fn main() {}
