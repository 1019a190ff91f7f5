//! Arrays in local memory.

use crate::case::{Need, Suite};

pub(crate) fn add_to(_: &mut Suite) {
    let _ = Need::WorkGroups;
}
