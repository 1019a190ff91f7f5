//! What threads meet at: the standard library's, or with `--cfg loom` those of loom, which tries every interleaving
//! (`tests/loom.rs`).

#[cfg(loom)]
pub(crate) use loom::sync::{Mutex, MutexGuard, atomic};
#[cfg(not(loom))]
pub(crate) use std::sync::{Mutex, MutexGuard, atomic};

/// Locks. What our locks protect is right between any two statements, so a panic elsewhere leaves nothing broken.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A function that is `const`, but with loom, whose types cannot be made in one.
macro_rules! const_unless_loom {
    ($(#[$attribute:meta])* pub const fn $name:ident() -> $ty:ty $body:block) => {
        $(#[$attribute])*
        #[cfg(not(loom))]
        pub const fn $name() -> $ty $body
        $(#[$attribute])*
        #[cfg(loom)]
        pub fn $name() -> $ty $body
    };
}
pub(crate) use const_unless_loom;
