//! Every interleaving of what threads do to the stamps of a buffer and to a kernel's cache.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p gridfn-runtime --test loom --release
//! ```

#![cfg(loom)]

use gridfn_ir::{Access, Body};
use gridfn_runtime::Kernel;
use gridfn_runtime::cache::Cache;
use gridfn_runtime::host::{HostCode, Unit};
use gridfn_runtime::order::{QueueId, Stamp, Uses};
use loom::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use std::convert::Infallible;
use std::ptr::NonNull;

/// A queue as a back end keeps it: the number of the last command, and what it has waited for, behind which command.
struct Queue {
    id: QueueId,
    given: AtomicU64,
    waits: Mutex<Vec<(u64, Stamp)>>,
}

impl Queue {
    fn new() -> Arc<Queue> {
        Arc::new(Queue {
            id: QueueId::next(),
            given: AtomicU64::new(0),
            waits: Mutex::new(vec![]),
        })
    }

    fn stamp(&self) -> Stamp {
        Stamp::new(self.id, self.given.fetch_add(1, Ordering::AcqRel) + 1)
    }

    /// Commands that get their number later wait for `stamp`.
    fn wait_for(&self, stamp: Stamp) {
        let given = self.given.load(Ordering::Acquire);
        self.waits.lock().unwrap().push((given, stamp));
    }

    /// One use, as back ends make it (`order.rs`). Gives the stamp of its command.
    fn use_once(&self, uses: &Uses, access: Access) -> Stamp {
        for stamp in uses.before(access, self.id) {
            if stamp != Stamp::NONE {
                self.wait_for(stamp);
            }
        }
        let command = self.stamp();
        let (mut now, mut covered) = (command, Stamp::NONE);
        while let Err(reader) = uses.note(access, now, covered) {
            self.wait_for(reader);
            now = self.stamp();
            covered = reader;
        }
        command
    }
}

/// Whether the command of `stamp` comes after `command`, or is it.
fn covers(queues: &[Arc<Queue>], stamp: Stamp, command: Stamp) -> bool {
    if stamp.queue() == command.queue() {
        return stamp.sequence() >= command.sequence();
    }
    let Some(queue) = queues.iter().find(|queue| Some(queue.id) == stamp.queue()) else {
        return false;
    };
    let waits = queue.waits.lock().unwrap().clone();
    waits
        .into_iter()
        .filter(|(given, _)| *given < stamp.sequence())
        .any(|(_, awaited)| covers(queues, awaited, command))
}

/// That a writer on a queue of its own, when all is done, waits for these commands.
fn assert_writer_waits(uses: &Uses, queues: &[Arc<Queue>], commands: &[Stamp]) {
    let stamps = uses.before(Access::Unique, QueueId::next());
    for command in commands {
        assert!(
            stamps.iter().any(|stamp| covers(queues, *stamp, *command)),
            "{stamps:?} do not stand for {command:?}"
        );
    }
}

/// Readers on queues of their own, each in a thread of its own, and `times` reads each.
fn readers(count: usize, times: usize) {
    let uses = Arc::new(Uses::new());
    let queues: Vec<_> = (0..count).map(|_| Queue::new()).collect();
    let threads: Vec<_> = queues
        .iter()
        .map(|queue| {
            let (queue, uses) = (queue.clone(), uses.clone());
            let read = move |_| queue.use_once(&uses, Access::Shared);
            thread::spawn(move || (0..times).map(read).collect::<Vec<_>>())
        })
        .collect();
    let read = threads.into_iter().flat_map(|thread| thread.join().unwrap());
    let commands: Vec<_> = read.collect();
    assert_writer_waits(&uses, &queues, &commands);
}

/// Every interleaving in which threads are interrupted at most so often.
fn with_interruptions(most: usize, model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(most);
    builder.check(model);
}

#[test]
fn a_writer_waits_for_both_of_two_readers() {
    loom::model(|| readers(2, 1));
}

#[test]
fn a_writer_waits_for_two_readers_that_read_twice() {
    with_interruptions(3, || readers(2, 2));
}

#[test]
fn a_writer_waits_for_three_readers() {
    with_interruptions(2, || readers(3, 1));
}

/// Two threads that read on one queue may note their uses in another order than that of their commands.
#[test]
fn two_threads_of_one_queue_leave_the_later_stamp() {
    loom::model(|| {
        let (uses, queue) = (Arc::new(Uses::new()), Queue::new());
        let other = {
            let (uses, queue) = (uses.clone(), queue.clone());
            thread::spawn(move || queue.use_once(&uses, Access::Shared))
        };
        let here = queue.use_once(&uses, Access::Shared);
        let there = other.join().unwrap();
        assert_writer_waits(&uses, &[queue], &[here, there]);
    });
}

#[test]
fn readers_wait_for_the_writer_before_them() {
    loom::model(|| {
        let (uses, writer) = (Arc::new(Uses::new()), Queue::new());
        let written = writer.use_once(&uses, Access::Unique);
        let mut queues = vec![writer];
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let (uses, queue) = (uses.clone(), Queue::new());
                queues.push(queue.clone());
                thread::spawn(move || queue.use_once(&uses, Access::Shared))
            })
            .collect();
        for thread in threads {
            assert!(covers(&queues, thread.join().unwrap(), written));
        }
    });
}

/// An instance, of which the cache sees no more than the address.
fn kernel() -> &'static Kernel {
    Box::leak(Box::new(Kernel {
        name: "k",
        safe_dimensions: 3,
        dimensions: None,
        body: Body {
            tree: &[],
            types: &[],
            links: &[],
            constants: &[],
            file: file!(),
            line: 1,
            local: None,
        },
        host: HostCode {
            baseline: |_, _, _| {},
            avx2: None,
            unit: Unit::Item,
        },
        cache: Box::leak(Box::new(Cache::new())),
        ahead: &[],
    }))
}

/// What is made: a leaked number.
fn made(number: usize) -> NonNull<()> {
    NonNull::from(Box::leak(Box::new(number))).cast()
}

fn number(made: NonNull<()>) -> usize {
    // SAFETY: only what `made` made is in the caches here.
    unsafe { *made.cast::<usize>().as_ref() }
}

#[test]
fn threads_that_ask_at_once_compile_once() {
    loom::model(|| {
        let (kernel, count) = (kernel(), Arc::new(AtomicUsize::new(0)));
        let ask = {
            let count = count.clone();
            move || {
                let make = || Ok::<_, Infallible>(made(count.fetch_add(1, Ordering::Relaxed)));
                let Ok(compiled) = kernel.cache.get_or_make(kernel, 0, make);
                number(compiled)
            }
        };
        let other = thread::spawn(ask.clone());
        assert_eq!((ask(), other.join().unwrap()), (0, 0));
        assert_eq!(count.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn who_sees_an_entry_sees_what_it_points_to() {
    loom::model(|| {
        let kernel = kernel();
        let other = thread::spawn(move || {
            let Ok(_) = kernel
                .cache
                .get_or_make(kernel, 0, || Ok::<_, Infallible>(made(7)));
        });
        let seen = kernel.cache.get(kernel, 0).map(number);
        assert!(matches!(seen, None | Some(7)));
        assert_eq!(kernel.cache.get(kernel, 1), None);
        other.join().unwrap();
    });
}

/// Each compilation ends only when the other has begun: were one to wait for the other, loom would find the deadlock.
#[test]
fn two_entries_are_compiled_at_once() {
    loom::model(|| {
        let (kernel, begun) = (kernel(), Arc::new((Mutex::new(0), Condvar::new())));
        let compile = |device: u32, begun: Arc<(Mutex<usize>, Condvar)>| {
            let make = || {
                let (count, changed) = &*begun;
                let mut count = count.lock().unwrap();
                *count += 1;
                changed.notify_all();
                while *count < 2 {
                    count = changed.wait(count).unwrap();
                }
                Ok::<_, Infallible>(made(device as usize))
            };
            let Ok(_) = kernel.cache.get_or_make(kernel, device, make);
        };
        let other = {
            let begun = begun.clone();
            thread::spawn(move || compile(1, begun))
        };
        compile(0, begun);
        other.join().unwrap();
        for device in [0, 1] {
            assert_eq!(
                kernel.cache.get(kernel, device).map(number),
                Some(device as usize)
            );
        }
    });
}

#[test]
fn a_failure_is_not_kept() {
    loom::model(|| {
        let kernel = kernel();
        let other = thread::spawn(move || {
            let failed = kernel.cache.get_or_make(kernel, 0, || Err(()));
            failed.map(number)
        });
        let here = kernel.cache.get_or_make(kernel, 0, || Ok::<_, ()>(made(1)));
        assert_eq!(here.map(number), Ok(1));
        // The other thread failed, or found what this one had made.
        assert!(matches!(other.join().unwrap(), Err(()) | Ok(1)));
        assert_eq!(kernel.cache.get(kernel, 0).map(number), Some(1));
    });
}
