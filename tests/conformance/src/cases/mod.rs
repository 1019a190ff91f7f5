//! The cases, grouped by subject.

mod casts;
mod operators;

use crate::case::Suite;

/// Adds every case.
pub(crate) fn add_to(suite: &mut Suite) {
    operators::add_to(suite);
    casts::add_to(suite);
}
