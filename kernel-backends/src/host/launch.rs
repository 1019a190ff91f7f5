//! One launch: its arguments, and how its items are spread over threads.

use super::workers::share;
use super::{Device, Host, Memory, Queue};
use crate::block::{Block, Room};
use gridfn_ir::typed::{Stmt, any};
use gridfn_ir::{Access, Type};
use gridfn_runtime::argument::Reader;
use gridfn_runtime::host::{Faults, HostEntry, Need, Span, Unit, run_span};
use gridfn_runtime::print::{Printer, printing_to};
use gridfn_runtime::{Error, Fill, Kernel, Result, Shape, Slots};
use std::convert::Infallible;
use std::ops::Range;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

/// The default work-group along x.
const LOCAL: usize = 64;

/// What [`Reader`] reads back: values as they are, buffers as pointer and length.
impl Slots<Host> for Block<'_> {
    #[inline(always)]
    fn scalar<T>(&mut self, value: T) {
        self.put(value);
    }

    #[inline(always)]
    unsafe fn aggregate<T: Copy>(&mut self, _: &'static Type, value: T) {
        self.put(value);
    }

    #[inline(always)]
    fn buffer(&mut self, memory: &Memory, len: usize, _: Access) -> Result<()> {
        self.put(memory.start());
        self.put(len);
        Ok(())
    }
}

/// Runs a launch to its end.
///
/// # Safety
///
/// The call is of `kernel`, and its arguments are those of the kernel's parameters, in order.
#[inline]
pub(super) unsafe fn launch<F: Fill<Host>>(
    queue: &Queue,
    kernel: &'static Kernel,
    shape: &Shape,
    call: F,
) -> Result<()> {
    let mut room = Room::new();
    let mut block = Block::new(&mut room);
    call.fill(&mut block)?;
    block.check(kernel, super::device::ID)?;
    if let Unit::Group(need) = kernel.host.unit {
        check_local_memory(kernel, &need)?;
    }
    // SAFETY: the block holds the call's arguments, and with them it outlives the launch.
    let arguments = unsafe { Reader::new(block.as_ptr()) };
    // SAFETY: the arguments are those of a call of this kernel.
    let faults = unsafe { run(queue, kernel, shape, arguments) };
    if faults.count > 0 {
        queue.note(kernel, faults);
    }
    Ok(())
}

/// The local memory of a work-group: as much as stays in the caches of the core that runs it.
pub(super) const LOCAL_MEMORY: usize = 1 << 20;

#[inline]
fn check_local_memory(kernel: &'static Kernel, need: &Need) -> Result<()> {
    let asked = need.local_memory();
    if asked > LOCAL_MEMORY {
        return Err(Error::LocalMemory {
            kernel: kernel.name.into(),
            device: super::device::ID.into(),
            asked,
            available: LOCAL_MEMORY,
        });
    }
    Ok(())
}

/// What a thread needs to run units of a launch: items, or groups where items wait for each other.
pub(super) struct Launch<'a> {
    entry: HostEntry,
    unit: Unit,
    /// The number of units in each dimension.
    size: [usize; 3],
    shape: &'a Shape,
    local: [usize; 3],
    arguments: Reader<'a>,
    printer: &'a Printer,
}

impl Launch<'_> {
    /// Runs the units with these numbers; x is fastest.
    ///
    /// # Safety
    ///
    /// The arguments are those of a call of the kernel of `entry`, whose instructions the CPU has.
    #[inline]
    pub(super) unsafe fn run(&self, units: Range<usize>) -> Faults {
        // SAFETY: the caller's promise.
        printing_to(self.printer, || unsafe { self.rows(units) })
    }

    /// # Safety
    ///
    /// As `run`.
    #[inline]
    unsafe fn rows(&self, units: Range<usize>) -> Faults {
        let [width, height, _] = self.size;
        let (mut faults, mut at) = (Faults::default(), units.start);
        // Small launches begin at the start, and shouldn't pay for the divisions.
        let [mut x, mut y, mut z] = match at {
            0 => [0; 3],
            at => [at % width, at / width % height, at / width / height],
        };
        loop {
            let len = (width - x).min(units.end - at);
            let span = Span {
                shape: self.shape,
                local: self.local,
                row: [y, z],
                unit: self.unit,
            };
            // SAFETY: the caller's promise.
            let found = unsafe { run_span(self.entry, &span, x..x + len, self.arguments) };
            if found.count > 0 {
                faults.merge(found);
            }
            at += len;
            if at == units.end {
                return faults;
            }
            (x, y) = (0, y + 1);
            if y == height {
                (y, z) = (0, z + 1);
            }
        }
    }
}

/// So much work is worth the workers: to wake them and to wait for them costs some ten microseconds.
const WORTH: Duration = Duration::from_micros(30);
/// After so long, what an item has cost so far tells what the others will.
const KNOWN: Duration = Duration::from_micros(5);
/// A chunk should take as long as this, for the threads not to meet at the counter.
const CHUNK: Duration = Duration::from_micros(2);
/// So many items are worth the workers, whatever they do.
const MANY: usize = 1 << 20;
/// So many items are done before the clock is read, of a kernel without loops: at most some ten microseconds.
const FEW: usize = 1 << 10;

/// Runs a launch on the calling thread, and over the workers if it is worth them.
///
/// How long an item takes is not known beforehand: from a tenth of a nanosecond to seconds. So where the number of
/// items alone doesn't tell, the calling thread begins, looks at the clock now and then, and shares what is left
/// once that is worth it.
///
/// # Safety
///
/// The arguments are those of a call of `kernel`.
unsafe fn run(queue: &Queue, kernel: &'static Kernel, shape: &Shape, arguments: Reader<'_>) -> Faults {
    let device = *queue.device();
    let local = shape.local.unwrap_or([LOCAL.min(shape.size[0]), 1, 1]);
    // The number of items in a unit, of which those that are outside of the grid do not run.
    let (size, in_unit) = match kernel.host.unit {
        Unit::Item => (shape.size, 1),
        Unit::Group(_) => (
            std::array::from_fn(|d| shape.size[d].div_ceil(local[d])),
            local.iter().product(),
        ),
    };
    let launch = Launch {
        entry: match kernel.host.avx2 {
            Some(avx2) if device.avx2() => avx2,
            Some(_) | None => kernel.host.baseline,
        },
        unit: kernel.host.unit,
        size,
        shape,
        local,
        arguments,
        printer: queue.printer(),
    };
    let units: usize = size.iter().product();
    let few = (FEW / in_unit).max(1);
    let alone = device.threads() == 1 || units == 1;
    // SAFETY: the caller's promise, and the CPU has the entry's instructions.
    unsafe {
        if !alone && units >= MANY / in_unit {
            return share(device, &launch, 0..units, few);
        }
        let first = if alone {
            units
        } else if loops(device, kernel) {
            1
        } else {
            few
        };
        if units <= first {
            return launch.run(0..units);
        }
        let (begin, mut done, mut step) = (Instant::now(), 0, first);
        let mut faults = Faults::default();
        loop {
            let to = units.min(done + step);
            faults.merge(launch.run(done..to));
            (done, step) = (to, 3 * to);
            let rest = units - done;
            if rest == 0 {
                return faults;
            }
            let spent = begin.elapsed();
            if spent < KNOWN {
                continue;
            }
            // The rest takes `rest / done` times what has been spent.
            let spent = spent.as_nanos();
            faults.merge(if spent * rest as u128 > WORTH.as_nanos() * done as u128 {
                let chunk = CHUNK.as_nanos() * done as u128 / spent;
                share(device, &launch, done..units, chunk as usize)
            } else {
                launch.run(done..units)
            });
            return faults;
        }
    }
}

/// Finds out what [`run`] would have to find out at the first launch.
pub(super) fn prepare(device: Device, kernel: &'static Kernel) {
    loops(device, kernel);
}

/// Whether a kernel has a loop, without which an item takes a microsecond at most. A kernel that runs by groups has loops
/// over their items.
#[inline]
fn loops(device: Device, kernel: &'static Kernel) -> bool {
    if let Unit::Group(_) = kernel.host.unit {
        return true;
    }
    match kernel.cache.get(kernel, device.number()) {
        // SAFETY: `find_loops` put it there, under this device's number.
        Some(known) => unsafe { *known.cast::<bool>().as_ref() },
        None => find_loops(device, kernel),
    }
}

#[cold]
fn find_loops(device: Device, kernel: &'static Kernel) -> bool {
    static ANSWERS: [bool; 2] = [false, true];
    let answer = kernel.cache.get_or_make(kernel, device.number(), || {
        // A kernel that no device could take still runs here, and may do anything.
        let loops = gridfn_ir::lower(&kernel.body).map_or(true, |typed| has_loop(&typed.body));
        Ok::<_, Infallible>(NonNull::from(&ANSWERS[usize::from(loops)]).cast())
    });
    let Ok(answer) = answer;
    // SAFETY: as in `loops`.
    unsafe { *answer.cast::<bool>().as_ref() }
}

fn has_loop(block: &[Stmt]) -> bool {
    any(block, &|stmt| matches!(stmt, Stmt::Loop { .. }))
}

#[cfg(test)]
mod tests {
    use super::has_loop;
    use gridfn_ir::Scalar;
    use gridfn_ir::build::Builder;
    use gridfn_ir::typed::Stmt;

    #[test]
    fn a_loop_is_found_wherever_it_is() {
        let mut builder = Builder::new("k");
        let condition = builder.constant(Scalar::Bool, 1);
        let spin = || Stmt::Loop {
            label: 0,
            body: vec![Stmt::Break(0)],
            next: vec![],
        };
        let within = |body| Stmt::Block { label: 1, body };
        assert!(has_loop(&[Stmt::Def(condition), spin()]));
        assert!(has_loop(&[Stmt::If(condition, vec![spin()], vec![])]));
        assert!(has_loop(&[Stmt::If(
            condition,
            vec![],
            vec![within(vec![spin()])]
        )]));
        assert!(!has_loop(&[Stmt::If(
            condition,
            vec![within(vec![Stmt::Return])],
            vec![]
        )]));
    }
}
