//! An event: a point in a queue's order that others can wait for.

use crate::backend::Backend;
use crate::error::Result;
use crate::sync::{Mutex, lock};
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// A point in a queue's order: all that the queue was given before
/// [`record`](crate::Queue::record) made the event. It is *done* when all of that is.
///
/// Another queue waits for it on the device ([`Queue::wait`](crate::Queue::wait)), the program by
/// [`Event::synchronize`], by asking [`Event::is_done`], or by `.await`, under any executor. Queues that share buffers
/// wait for each other without events; an event is for what gridfn cannot see: a program's own order, timing, memory
/// shared through raw handles.
///
/// An event only says that work is done, not how it went: a [fault](crate::Error::Fault) is told by the next wait on
/// its queue, once, and by no event. An `Err` here is the driver's: the work could not be run, or the device is lost.
///
/// To drop or forget an event changes nothing. A clone is a handle to the same event; it may outlive its queue, and is
/// [`Send`] and [`Sync`].
///
/// ```
/// # use gridfn_backends::{Device, Queue};
/// # fn main() -> gridfn_runtime::Result<()> {
/// let (producer, consumer) = (Device::host().queue()?, Device::host().queue()?);
/// let numbers = producer.upload(&[1u32, 2, 3])?;
/// let uploaded = producer.record()?;
/// consumer.wait(&uploaded)?; // what `consumer` is given from now on runs after the upload
/// uploaded.synchronize()?;
/// assert!(uploaded.is_done()?);
/// # Ok(())
/// # }
/// ```
pub struct Event<B: Backend> {
    raw: Arc<B::Event>,
}

impl<B: Backend> Event<B> {
    pub(crate) fn new(raw: B::Event) -> Self {
        Event { raw: Arc::new(raw) }
    }

    /// The back end's own event.
    #[doc(hidden)]
    pub fn raw(&self) -> &B::Event {
        &self.raw
    }

    /// Whether all of it is done. Never waits.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// // The host runs what it is given at once.
    /// assert!(queue.record()?.is_done()?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The driver's.
    pub fn is_done(&self) -> Result<bool> {
        B::is_done(&self.raw)
    }

    /// Waits until all of it is done. It tells no faults: those are told by
    /// [`Queue::synchronize`](crate::Queue::synchronize) and its kin.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// let event = queue.record()?;
    /// drop(queue); // an event outlives its queue
    /// event.synchronize()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The driver's.
    pub fn synchronize(&self) -> Result<()> {
        B::finish(&self.raw)
    }
}

impl<B: Backend> Clone for Event<B> {
    fn clone(&self) -> Self {
        Event {
            raw: self.raw.clone(),
        }
    }
}

impl<B: Backend> std::fmt::Debug for Event<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Event").finish_non_exhaustive()
    }
}

/// Waits without a thread: the back end wakes the task.
///
/// ```
/// # use gridfn_backends::Device;
/// # fn block_on<F: std::future::Future>(f: F) -> F::Output {
/// #     let (mut f, mut context) = (std::pin::pin!(f), std::task::Context::from_waker(std::task::Waker::noop()));
/// #     loop { if let std::task::Poll::Ready(v) = f.as_mut().poll(&mut context) { return v } }
/// # }
/// # block_on(async {
/// let queue = Device::host().queue()?;
/// let buffer = queue.upload(&[1.0f32; 1000])?;
/// queue.record()?.await?;
/// # gridfn_runtime::Result::Ok(())
/// # }).unwrap();
/// ```
impl<B: Backend> IntoFuture for Event<B> {
    type Output = Result<()>;
    type IntoFuture = Done<B>;

    fn into_future(self) -> Done<B> {
        Done {
            event: self,
            shared: None,
        }
    }
}

impl<B: Backend> IntoFuture for &Event<B> {
    type Output = Result<()>;
    type IntoFuture = Done<B>;

    fn into_future(self) -> Done<B> {
        self.clone().into_future()
    }
}

/// The future of an [`Event`]: ready when the event is done.
///
/// The waker is called on a thread of the driver, which must not wait for that driver: it should only have the task polled
/// elsewhere, as those of all executors do, and neither launch nor wait itself (OpenCL 3.0, section 5.11,
/// `clSetEventCallback`).
///
/// It may be dropped, forgotten, or polled by another task at any time. Whatever then comes from the driver finds the
/// state that it needs, because both sides own it.
#[must_use = "a future does nothing unless it is awaited"]
pub struct Done<B: Backend> {
    event: Event<B>,
    /// What the driver will tell of; made by the first poll that finds the event not done.
    shared: Option<Arc<Mutex<Told>>>,
}

/// What the future and the driver's thread share.
enum Told {
    /// The event is not done; this task is to be woken.
    Waiting(Waker),
    /// It is done, or has failed.
    Done(Result<()>),
}

impl<B: Backend> Future for Done<B> {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        if let Some(shared) = &self.shared {
            return match &mut *lock(shared) {
                Told::Done(result) => Poll::Ready(result.clone()),
                Told::Waiting(waker) => {
                    waker.clone_from(context.waker());
                    Poll::Pending
                }
            };
        }
        if self.event.is_done()? {
            return Poll::Ready(Ok(()));
        }
        let shared = Arc::new(Mutex::new(Told::Waiting(context.waker().clone())));
        let theirs = shared.clone();
        // Nothing is locked here: the back end may call at once.
        B::when_done(&self.event.raw, move |result| {
            let told = std::mem::replace(&mut *lock(&theirs), Told::Done(result));
            match told {
                Told::Waiting(waker) => waker.wake(),
                Told::Done(_) => {}
            }
        })?;
        let now = match &*lock(&shared) {
            Told::Done(result) => Poll::Ready(result.clone()),
            Told::Waiting(_) => Poll::Pending,
        };
        self.shared = Some(shared);
        now
    }
}

impl<B: Backend> std::fmt::Debug for Done<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Done").finish_non_exhaustive()
    }
}
