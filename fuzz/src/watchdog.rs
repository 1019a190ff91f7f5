//! A thread that ends the program when a macro hangs, because nothing else can.

use crate::input::Input;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long one input may take. It takes milliseconds; a busy machine may make seconds of them.
const LIMIT: Duration = Duration::from_secs(20);

/// What is being expanded, since when.
type Current = Option<(Instant, u64, Input)>;

/// The thread's other end.
pub(crate) struct Watchdog(Arc<Mutex<Current>>);

impl Watchdog {
    /// Starts the thread.
    pub(crate) fn start() -> Watchdog {
        let current = Arc::<Mutex<Current>>::default();
        let watched = current.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_secs(1));
                let current = watched.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((since, number, input)) = &*current
                    && since.elapsed() > LIMIT
                {
                    eprintln!("input {number} takes more than {LIMIT:?}:\n{input}");
                    std::process::abort();
                }
            }
        });
        Watchdog(current)
    }

    /// Says what is expanded from now on.
    pub(crate) fn watch(&self, number: u64, input: &Input) {
        let next = (Instant::now(), number, input.clone());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(next);
    }
}
