//! The cases, grouped by subject.

mod aggregates;
mod arguments;
mod atomics;
mod bounds;
mod casts;
mod closures;
mod code;
mod const_parameters;
mod constants;
mod control;
mod core_methods;
mod device_functions;
mod device_math;
mod events;
mod faults;
mod functions;
mod generics;
mod grids;
mod half;
mod hygiene;
mod iterators;
mod layout;
mod literals;
mod macros;
mod memory;
mod methods_of_floats;
mod methods_of_integers;
mod methods_of_users;
mod operators;
mod passed_functions;
mod patterns;
mod queues;
mod ranges;
mod references;
mod statements;
mod structs;
mod transfers;
mod vectors;
mod wrong_use;

use crate::case::Suite;

/// Adds every case.
pub(crate) fn add_to(suite: &mut Suite) {
    operators::add_to(suite);
    casts::add_to(suite);
    literals::add_to(suite);
    control::add_to(suite);
    ranges::add_to(suite);
    statements::add_to(suite);
    const_parameters::add_to(suite);
    constants::add_to(suite);
    macros::add_to(suite);
    methods_of_integers::add_to(suite);
    methods_of_floats::add_to(suite);
    methods_of_users::add_to(suite);
    device_math::add_to(suite);
    half::add_to(suite);
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
    hygiene::add_to(suite);
    transfers::add_to(suite);
    memory::add_to(suite);
    queues::add_to(suite);
    events::add_to(suite);
    faults::add_to(suite);
    atomics::add_to(suite);
    wrong_use::add_to(suite);
    // It looks at the kernels of all the others.
    code::add_to(suite);
}
