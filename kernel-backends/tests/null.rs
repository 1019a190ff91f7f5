//! The null back end, and that what calls write is what devices read.

mod support;

use gridfn_backends::null::{self, Null, last_launch};
use gridfn_ir::{Access, layout};
use gridfn_runtime::private::{Extent, Request};
use gridfn_runtime::{Backend, Buffer, Call, Error, Fill, IntoGrid, Kernel, Queue, Result, Slots};
use support::*;

fn queue() -> Queue<Null> {
    Queue::new(&null::Device::get()).unwrap()
}

#[test]
fn a_launch_writes_the_block_of_the_layout_and_runs_nothing() -> Result<()> {
    let queue = queue();
    let x = queue.upload(&[1i16, 2])?;
    let mut y = queue.upload(&[1.0, 2.0])?;
    assert_eq!(last_launch(), None);
    for launches in 1..4 {
        launch(
            &queue,
            Args(*MIXED, (1u8, 2u64, true, &x, 3i16, 4.0, &mut y)),
            5..7,
        )?;
        let seen = last_launch().expect("a launch");
        let typed = gridfn_ir::lower(&MIXED.body).expect("typed IR");
        assert_eq!(seen.bytes, layout::of(&typed).size);
        assert_eq!((seen.kernel, seen.buffers, seen.launches), ("mixed", 2, launches));
        assert_eq!((seen.shape.size, seen.shape.offset), ([2, 1, 1], [5, 0, 0]));
    }
    assert_eq!(queue.download(&y)?, [1.0, 2.0]);
    queue.synchronize()
}

#[test]
fn transfers_are_made() -> Result<()> {
    let queue = queue();
    let mut a = queue.upload(&[1u8, 2, 3])?;
    let mut b = queue.zeros::<u8>(3)?;
    queue.copy(&a, &mut b)?;
    queue.fill(&mut a, 9)?;
    queue.write(&mut a, &[4, 5, 6])?;
    assert_eq!(
        (queue.download(&a)?, queue.download(&b)?),
        (vec![4, 5, 6], vec![1, 2, 3])
    );
    Ok(())
}

#[test]
fn a_kernel_that_cannot_be_compiled_is_an_error() -> Result<()> {
    let queue = queue();
    let mut y = queue.zeros::<u64>(1)?;
    let error = launch(&queue, Args(*IDS, (&mut y,)), 1).unwrap_err();
    assert!(
        matches!(&error, Error::Code { kernel, target, .. } if kernel == "IDS" && target == "null"),
        "{error}"
    );
    assert!(Null::prepare(queue.raw(), *IDS).is_err());
    assert!(Null::prepare(queue.raw(), *SAXPY).is_ok());
    Ok(())
}

#[test]
fn many_threads_compile_once() {
    let kernel = kernel("saxpy", SAXPY.host, SAXPY.body);
    let begin = std::sync::Barrier::new(16);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let queue = queue();
                begin.wait();
                Null::prepare(queue.raw(), kernel).unwrap();
            });
        }
    });
    assert_eq!(kernel.cache.compilations(), 1);
}

/// Calls that contradict their kernel, as only a bug could make them.
enum Wrong<'b> {
    Missing,
    Order(&'b Buffer<f32, Null>),
    Access(&'b Buffer<f32, Null>),
    Width(&'b Buffer<f32, Null>),
    Array(&'b Buffer<f32, Null>),
    Large,
}

impl Fill<Null> for Wrong<'_> {
    fn fill<S: Slots<Null>>(&self, slots: &mut S) -> Result<()> {
        match self {
            Wrong::Missing => {
                slots.scalar(1.0f32);
                Ok(())
            }
            Wrong::Order(b) => {
                slots.buffer(b.memory(), b.len(), Access::Shared)?;
                slots.buffer(b.memory(), b.len(), Access::Unique)?;
                slots.scalar(1.0f32);
                Ok(())
            }
            Wrong::Access(b) => {
                slots.scalar(1.0f32);
                slots.buffer(b.memory(), b.len(), Access::Unique)?;
                slots.buffer(b.memory(), b.len(), Access::Shared)
            }
            Wrong::Width(b) => {
                slots.scalar(1u16);
                slots.buffer(b.memory(), b.len(), Access::Shared)?;
                slots.buffer(b.memory(), b.len(), Access::Unique)
            }
            Wrong::Array(b) => {
                slots.scalar([1.0f32; 2]);
                slots.buffer(b.memory(), b.len(), Access::Shared)?;
                slots.buffer(b.memory(), b.len(), Access::Unique)
            }
            Wrong::Large => {
                slots.scalar([1.0f64; 1000]);
                slots.scalar(1u8);
                Ok(())
            }
        }
    }
}

impl Call<Null> for Wrong<'_> {
    type Kernel = ();
    fn kernel(&self) -> &'static Kernel {
        &SAXPY
    }
}

fn message(call: Wrong<'_>) -> Option<String> {
    let request = Request {
        extent: Extent::Items(1.into_grid()),
        local: None,
    };
    queue()
        .__launch(request, call)
        .err()
        .map(|error| error.to_string())
}

#[test]
fn a_block_of_another_size_is_a_contradiction() {
    let message = message(Wrong::Missing);
    assert_eq!(
        message.as_deref(),
        Some(
            "kernel `saxpy` cannot be compiled for `null`: the call wrote a block of 64 bytes, but the kernel takes \
             80; this is a bug in gridfn, please report it"
        )
    );
}

#[test]
fn a_block_without_room_is_an_error() {
    let message = message(Wrong::Large);
    assert_eq!(
        message.as_deref(),
        Some("the arguments of kernel `saxpy` take 8057 bytes, but `null` passes at most 4096")
    );
}

#[test]
#[cfg(debug_assertions)]
fn an_argument_of_another_kind_is_a_contradiction() -> Result<()> {
    let b = queue().zeros::<f32>(4)?;
    for (call, parameter) in [
        (Wrong::Order(&b), "a"),
        (Wrong::Access(&b), "x"),
        (Wrong::Width(&b), "a"),
        (Wrong::Array(&b), "a"),
    ] {
        let message = message(call).unwrap_or_default();
        assert!(
            message.contains(&format!("`{parameter}` is not what the kernel takes")),
            "{message}"
        );
    }
    Ok(())
}
