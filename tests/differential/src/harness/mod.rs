//! What the program of a batch does: it runs each kernel on every device of its environment, and prints how it went.
//!
//! One line says that a kernel begins (`run k3`), one each that something is wrong (`bad k3`, the device, what), and
//! `end` comes last: so it is known which kernel a driver died of.

mod compare;
mod element;
mod inputs;

pub use compare::{Compare, differs};
pub use element::{Element, check_models, upload_models};
pub use inputs::{Inputs, Value};

use crate::generator::ITEMS;
use gridfn::{Device, Error, Fault};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A kernel: its name, and the function that checks it.
pub type Entry = (&'static str, fn(&Run));

/// How often each kernel is launched on each device, each time with other inputs.
const ROUNDS: u64 = 2;

/// The program. Its arguments: `host`, `all` for every device but the null device, or `quick` for those of them that do
/// not compile OpenCL C; then the names of the kernels that are run, or nothing for all of them.
pub fn main(kernels: &[Entry]) {
    let mut arguments = std::env::args().skip(1);
    let devices = arguments.next().unwrap_or_default();
    let wanted: Vec<String> = arguments.collect();
    let run = Run::new(&devices);
    for (name, check) in kernels {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            println!("run {name}");
            check(&run);
        }
    }
    println!("end");
}

/// A run of kernels on devices.
pub struct Run {
    devices: Vec<Device>,
}

impl Run {
    fn new(devices: &str) -> Run {
        // Faults of plain functions are panics, and are meant to be.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !IN_ORACLE.get() {
                hook(info);
            }
        }));
        let wanted = |device: &Device| match devices {
            "all" => *device != Device::null(),
            "quick" => *device != Device::null() && device.info().code != "OpenCL C",
            _ => *device == Device::host(),
        };
        let devices = Device::all().into_iter().filter(wanted).collect();
        Run { devices }
    }

    /// The devices to run on.
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// The launches of a kernel, each with inputs of its own.
    pub fn cases(&self, kernel: &'static str, seed: u64) -> impl Iterator<Item = Case> + use<> {
        (0..ROUNDS).map(move |round| Case {
            kernel,
            inputs: RefCell::new(Inputs::new(seed ^ (round << 56))),
        })
    }

    /// What faulted, if anything.
    ///
    /// # Errors
    ///
    /// All others.
    pub fn faults(done: gridfn::Result<()>) -> gridfn::Result<Option<Fault>> {
        match done {
            Ok(()) => Ok(None),
            Err(Error::Fault(fault)) => Ok(Some(*fault)),
            Err(other) => Err(other),
        }
    }
}

thread_local! {
    static IN_ORACLE: Cell<bool> = const { Cell::new(false) };
}

/// How a launch ended: what faulted, and what is wrong with each output.
pub type Outcome = (Option<Fault>, Vec<Option<String>>);

/// One launch of a kernel.
pub struct Case {
    kernel: &'static str,
    inputs: RefCell<Inputs>,
}

impl Case {
    /// The number of items.
    pub fn items(&self) -> usize {
        ITEMS
    }

    /// The elements of an input, or what an output holds before.
    pub fn slice<T: Element>(&self, len: usize) -> Vec<T> {
        T::many(&mut self.inputs.borrow_mut(), len)
    }

    /// The models of an input's elements.
    pub fn models<T: Value>(&self, len: usize) -> Vec<T> {
        self.inputs.borrow_mut().many(len)
    }

    /// A value.
    pub fn value<T: Value>(&self) -> T {
        T::any(&mut self.inputs.borrow_mut())
    }

    /// Runs plain Rust for every item; gives those that panicked, with their words.
    pub fn expect(&self, plain: &mut dyn FnMut(usize, usize)) -> Vec<(usize, String)> {
        IN_ORACLE.set(true);
        let words = |panic: Box<dyn Any + Send>| match panic.downcast::<String>() {
            Ok(words) => *words,
            Err(other) => other
                .downcast_ref::<&str>()
                .map_or(String::new(), |s| s.to_string()),
        };
        let faults = (0..ITEMS)
            .filter_map(|item| {
                let done = catch_unwind(AssertUnwindSafe(|| plain(item, ITEMS)));
                done.err().map(|panic| (item, words(panic)))
            })
            .collect();
        IN_ORACLE.set(false);
        faults
    }

    /// Runs the kernel on a device, and says what is wrong.
    pub fn on(
        &self,
        device: &Device,
        faults: &[(usize, String)],
        run: &mut dyn FnMut() -> gridfn::Result<Outcome>,
    ) {
        let bad = |what: String| println!("bad {}\t{device}\t{}", self.kernel, what.replace('\n', " "));
        match run() {
            Err(error) => bad(error.to_string()),
            Ok((found, results)) => {
                let wrong = differs_in_faults(faults, found.as_ref());
                if let Some(what) = wrong.or_else(|| results.into_iter().flatten().next()) {
                    bad(what);
                }
            }
        }
    }
}

/// What is wrong with the faults of a launch: it tells how many items there were, and the words of one of them.
fn differs_in_faults(expected: &[(usize, String)], found: Option<&Fault>) -> Option<String> {
    let count = found.map_or(0, |fault| fault.count);
    if count != expected.len() {
        return Some(format!("{} items must fault, {count} did", expected.len()));
    }
    let found = found?;
    let item = found.id[0];
    let Some((_, words)) = expected.iter().find(|(other, _)| *other == item) else {
        return Some(format!("item {item} must not fault: {}", found.message));
    };
    (*words != found.message).then(|| format!("item {item} must say `{words}`, and says `{}`", found.message))
}
