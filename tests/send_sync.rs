//! What may go from thread to thread. All of it is decided by the compiler: this file compiles, or a promise is broken.
//! What must not be done with a guard is pinned by the examples of `Mapped` and `MappedMut`, which must not compile.

use gridfn::prelude::*;
use gridfn::{Error, Event, Fault, Grid, Info, Mapped, MappedMut, Prepared, QueueOptions};
use std::sync::Arc;
use std::thread;

#[kernel]
fn touch(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 1;
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Device>();
    shared::<Queue>();
    shared::<Buffer<f32>>();
    shared::<Buffer<bool>>();
    shared::<Event>();
    shared::<<Event as IntoFuture>::IntoFuture>();
    shared::<Mapped<'static, u8>>();
    shared::<MappedMut<'static, u8>>();
    shared::<View<'static, u8, 2>>();
    shared::<ViewMut<'static, u8, 3>>();
    shared::<Prepared<touch>>();
    shared::<Error>();
    shared::<Fault>();
    shared::<Grid>();
    shared::<Info>();
    shared::<QueueOptions>();
};

/// A future that awaits an event can be given to an executor of many threads.
#[test]
fn a_task_may_move_between_threads() {
    fn spawn<F: Future<Output = gridfn::Result<()>> + Send + 'static>(_: F) {}
    spawn(async {
        let queue = Device::host().queue()?;
        let mut y = queue.zeros::<u32>(10)?;
        launch!(queue, touch(&mut y), global = 10)?;
        queue.record()?.await?;
        queue.synchronize()
    });
}

#[test]
fn guards_buffers_and_prepared_kernels_are_used_by_other_threads() -> gridfn::Result<()> {
    let queue = Arc::new(Device::host().queue()?);
    let mut buffer = queue.upload(&[0u32; 10])?;
    let prepared = touch::prepare(&queue)?;
    thread::scope(|scope| {
        scope
            .spawn(|| launch!(prepared, touch(&mut buffer), global = 5))
            .join()
    })
    .expect("the thread ends")?;
    let mapped = queue.map(&buffer)?;
    let sums = thread::scope(|scope| {
        [(); 3]
            .map(|()| scope.spawn(|| mapped.iter().sum::<u32>()))
            .map(|t| t.join())
    });
    assert!(sums.into_iter().all(|sum| sum.is_ok_and(|sum| sum == 5)));
    // Unmapped by another thread than mapped it.
    thread::scope(|scope| scope.spawn(move || mapped.unmap()).join()).expect("the thread ends")
}
