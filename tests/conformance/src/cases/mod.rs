//! The cases, grouped by subject.

mod aggregates;
mod arguments;
mod atomics;
mod barriers;
mod bounds;
#[cfg(any(debug_assertions, feature = "tables"))]
mod casts;
mod closures;
mod code;
mod const_parameters;
mod constants;
mod control;
mod core_methods;
mod device_functions;
#[cfg(any(debug_assertions, feature = "tables"))]
mod device_math;
mod events;
mod faults;
mod functions;
mod generics;
mod geometry;
mod grids;
mod group_functions;
#[cfg(any(debug_assertions, feature = "tables"))]
mod half;
mod hygiene;
mod iterators;
mod layout;
mod literals;
mod local_memory;
mod macros;
mod memory;
#[cfg(any(debug_assertions, feature = "tables"))]
mod methods_of_floats;
#[cfg(any(debug_assertions, feature = "tables"))]
mod methods_of_integers;
mod methods_of_users;
#[cfg(any(debug_assertions, feature = "tables"))]
mod operators;
mod passed_functions;
mod patterns;
mod printing;
mod queues;
mod ranges;
mod references;
mod statements;
mod structs;
mod sub_groups;
mod transfers;
mod vectors;
mod views;
mod wrong_use;

use crate::case::Suite;

/// Adds every case.
pub(crate) fn add_to(suite: &mut Suite) {
    #[cfg(any(debug_assertions, feature = "tables"))]
    add_tables(suite);
    literals::add_to(suite);
    control::add_to(suite);
    ranges::add_to(suite);
    statements::add_to(suite);
    const_parameters::add_to(suite);
    constants::add_to(suite);
    macros::add_to(suite);
    methods_of_users::add_to(suite);
    vectors::add_to(suite);
    device_functions::all(suite);
    aggregates::all(suite);
    layout::add_to(suite);
    patterns::all(suite);
    references::all(suite);
    iterators::all(suite);
    core_methods::add_to(suite);
    generics::add_to(suite);
    bounds::add_to(suite);
    arguments::add_to(suite);
    structs::add_to(suite);
    closures::add_to(suite);
    functions::add_to(suite);
    passed_functions::add_to(suite);
    grids::add_to(suite);
    geometry::add_to(suite);
    views::add_to(suite);
    hygiene::add_to(suite);
    transfers::add_to(suite);
    memory::add_to(suite);
    queues::add_to(suite);
    events::add_to(suite);
    faults::add_to(suite);
    printing::add_to(suite);
    atomics::add_to(suite);
    barriers::add_to(suite);
    group_functions::add_to(suite);
    sub_groups::add_to(suite);
    local_memory::add_to(suite);
    wrong_use::add_to(suite);
    // It looks at the kernels of all the others.
    code::add_to(suite);
}

/// Adds the cases of one operation each, on every type. They are most kernels and take most of a build, and the random
/// kernels, which are built in release too, are of nothing but such operations: so release builds leave them out, unless
/// they are asked for.
#[cfg(any(debug_assertions, feature = "tables"))]
fn add_tables(suite: &mut Suite) {
    operators::add_to(suite);
    casts::add_to(suite);
    methods_of_integers::add_to(suite);
    methods_of_floats::add_to(suite);
    device_math::add_to(suite);
    half::add_to(suite);
}
