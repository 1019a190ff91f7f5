//! Who owns what, and for how long: things are dropped, forgotten, swapped and unwound at the worst moments, on each
//! device that there is, and results stay right. Behind every case but those that forget, all objects of the back ends
//! are gone.

#[path = "../support/devices.rs"]
mod devices;
mod dropped;
mod kept;
mod memcheck;
mod plain;
mod shared;
mod swapped;
mod work;

use devices::devices;
use gridfn_backends::live::live;
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use work::On;

/// A case: whether it leaves objects behind, its name, and what it does.
type Case = (Leaves, &'static str, fn(&On) -> gridfn::Result<()>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    Nothing,
    /// What it forgets.
    Something,
}

macro_rules! cases {
    ($($leaves:ident $module:ident::$case:ident,)*) => {
        &[$((
            Leaves::$leaves,
            concat!(stringify!($module), "::", stringify!($case)),
            $module::$case,
        ),)*]
    };
}

static CASES: &[Case] = cases! {
    Nothing kept::a_captured_array,
    Nothing kept::a_captured_buffer,
    Nothing kept::an_argument_whose_value_unwinds,
    Nothing kept::a_panic_between_launch_and_wait,
    Nothing kept::a_panic_on_another_thread,
    Something kept::forgotten,
    Nothing dropped::arguments_right_after_the_launch,
    Nothing dropped::everything_in_every_order,
    Nothing dropped::a_future_and_its_queue,
    Nothing swapped::buffers,
    Nothing swapped::queues,
    Nothing swapped::events,
    Nothing swapped::mappings,
    Nothing swapped::closures,
    Nothing swapped::prepared_kernels,
    Nothing shared::a_launch_while_another_runs,
    Nothing shared::one_kernel_on_two_devices,
    Nothing shared::a_prepared_kernel_and_buffers_of_another_device,
    Nothing shared::a_closure_and_a_queue_of_another_device,
};

fn main() -> ExitCode {
    let done = match std::env::args().nth(1).as_deref() {
        Some(memcheck::MEMCHECK) => return memcheck::run(),
        Some(memcheck::CHECKED) => memcheck::checked(),
        Some(memcheck::PLAIN) => plain::run().map_err(Failed::from),
        _ => return cases(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("{}", failed.message().unwrap_or("failed"));
            ExitCode::FAILURE
        }
    }
}

fn cases() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // What other cases make and drop would be counted too.
    arguments.test_threads = Some(1);
    let mut trials = vec![];
    for device in devices() {
        for &(leaves, name, case) in CASES {
            let on = On::new(&device);
            let name = format!("{}: {name}", device.info().id);
            trials.push(Trial::test(name, move || check(&on, leaves, case)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(on: &On, leaves: Leaves, case: fn(&On) -> gridfn::Result<()>) -> Result<(), Failed> {
    on.warm_up()?;
    let before = live();
    case(on)?;
    let after = live();
    let left = [
        after.memories - before.memories,
        after.queues - before.queues,
        after.events - before.events,
    ];
    match leaves {
        Leaves::Nothing if left != [0; 3] => {
            Err(format!("memories, queues and events that are left: {left:?}").into())
        }
        Leaves::Something if left[..2].contains(&0) => Err("what was forgotten is gone".into()),
        Leaves::Nothing | Leaves::Something => Ok(()),
    }
}
