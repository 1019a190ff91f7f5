//! The host version of a kernel whose items wait for each other, or share local memory: README.md tells how a body is
//! split.

mod bounds;
mod emit;
mod facts;
mod layout;
mod plan;
mod subgroup;
mod together;

pub(super) use emit::{group_name, passed_name, result_name};
pub(super) use layout::Layout;

use crate::check::Uniformity;
use crate::parse::ast::*;
use layout::layout;
use plan::{Piece, plan};

/// A kernel's body, split.
pub(super) struct Regions<'a> {
    pieces: Vec<Piece<'a>>,
    layout: Layout,
}

/// Splits the body of a kernel, if it has to run by groups.
pub(super) fn regions<'a>(f: &'a Function, uniformity: &'a Uniformity<'a>) -> Option<Regions<'a>> {
    if !uniformity.waits() && !uniformity.shares() {
        return None;
    }
    let plan = plan(f, uniformity);
    let layout = layout(f, uniformity, &plan);
    Some(Regions {
        pieces: plan.pieces,
        layout,
    })
}
