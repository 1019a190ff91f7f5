//! The host version of a kernel: from a closure that the attribute emits to a function that runs a span of items, or of
//! work-groups where items wait for each other.

mod arena;
mod group;
mod slot;
mod subgroup;

pub use arena::{Need, warm_up};
pub use group::{ArrayPlace, Group, bound, entry_of_group, signature_of_group};
pub use slot::{AcrossBarrier, Slot};
pub use subgroup::{Exchange, Turn, subgroup_size};

use crate::argument::{Parameters, Reader};
use crate::grid::Shape;
use crate::index::Item;
use gridfn_ir::typed::FaultKind;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::Once;

/// Runs a span of items or groups of one launch.
pub type HostEntry = unsafe fn(&Span<'_>, Range<usize>, Reader<'_>);

/// The copies of the host version, per instruction set.
#[derive(Clone, Copy)]
pub struct HostCode {
    /// For every CPU of the target.
    pub baseline: HostEntry,
    /// For CPUs with AVX2 and FMA; missing in debug builds and on other architectures.
    pub avx2: Option<HostEntry>,
    /// What the entries run.
    pub unit: Unit,
}

/// What a host version runs one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Work-items, each for itself.
    Item,
    /// Work-groups, whose items wait for each other; a group takes this memory.
    Group(Need),
}

/// Items, or groups, of one launch that lie in a row along x.
#[derive(Clone, Copy)]
pub struct Span<'a> {
    /// The launch.
    pub shape: &'a Shape,
    /// The size of a work-group.
    pub local: [usize; 3],
    /// The row: y and z of the items, or groups, from 0.
    pub row: [usize; 2],
    /// What the row consists of.
    pub unit: Unit,
}

/// An instruction set for which a kernel's host version is compiled.
///
/// The attribute's instance is generic over it, so that each copy has a closure of its own: LLVM inlines a closure
/// that has one caller, and only an inlined closure gets the copy's vector instructions.
pub trait InstructionSet: 'static {
    #[doc(hidden)]
    const AVX2: bool;
}
/// Every CPU of the target.
pub struct Baseline;
impl InstructionSet for Baseline {
    const AVX2: bool = false;
}
/// AVX2 and FMA.
pub struct Avx2;
impl InstructionSet for Avx2 {
    const AVX2: bool = true;
}

/// Gives the kernel's closure the signature that it is expected to have.
pub const fn signature<P: Parameters, F>(body: F) -> F
where
    F: for<'v, 'i> Fn(&'i Item, P::View<'v>) + Copy,
{
    body
}

/// The entry of the kernel's closure for one instruction set.
pub const fn entry<P: Parameters, I: InstructionSet, F>(_: &F) -> HostEntry
where
    F: for<'v, 'i> Fn(&'i Item, P::View<'v>) + Copy,
{
    entry_of::<P, I, F>()
}

/// [`entry`], where the closure has a type and no value. It was constructed once: its captures' list says so.
pub(crate) const fn entry_of<P: Parameters, I: InstructionSet, F>() -> HostEntry
where
    F: for<'v, 'i> Fn(&'i Item, P::View<'v>) + Copy,
{
    const {
        assert!(
            size_of::<F>() == 0,
            "a kernel's closure captures nothing but holes"
        )
    };
    #[cfg(target_arch = "x86_64")]
    if I::AVX2 {
        return run_avx2::<P, F>;
    }
    run::<P, F>
}

/// A zero-sized closure, from nothing.
///
/// # Panics
///
/// Never: that the closure is zero-sized is checked when the program is compiled.
#[inline(always)]
pub fn conjure<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: a value without bytes has none to initialise, and `F` was constructed once where its entry was made.
    #[expect(clippy::uninit_assumed_init, reason = "there are no bytes")]
    unsafe {
        std::mem::MaybeUninit::uninit().assume_init()
    }
}

unsafe fn run<P: Parameters, F>(span: &Span<'_>, x: Range<usize>, reader: Reader<'_>)
where
    F: for<'v, 'i> Fn(&'i Item, P::View<'v>) + Copy,
{
    // SAFETY: the caller's promise.
    unsafe { items::<P, F>(span, x, reader) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_avx2<P: Parameters, F>(span: &Span<'_>, x: Range<usize>, reader: Reader<'_>)
where
    F: for<'v, 'i> Fn(&'i Item, P::View<'v>) + Copy,
{
    // SAFETY: the caller's promise.
    unsafe { items::<P, F>(span, x, reader) }
}

#[inline(always)]
unsafe fn items<P: Parameters, F>(span: &Span<'_>, x: Range<usize>, mut reader: Reader<'_>)
where
    F: for<'v, 'i> Fn(&'i Item, P::View<'v>) + Copy,
{
    let body: F = conjure();
    // SAFETY: the reader stands at the arguments of a call of this kernel.
    let view = std::mem::ManuallyDrop::new(unsafe { P::read(&mut reader) });
    let (shape, local, row) = (*span.shape, span.local, span.row);
    for x in x {
        let guard = NoteUnit(x);
        // SAFETY: views are `Copy`, which `Parameters` promises.
        let view = unsafe { std::ptr::read(&*view) };
        body(&Item::new([x, row[0], row[1]], &shape, local), view);
        std::mem::forget(guard);
    }
}

thread_local! {
    /// The x of the item or group whose fault unwound last on this thread.
    static FALLEN: Cell<usize> = const { Cell::new(0) };
    /// The index in its group of the item whose fault it was, if it was in a region.
    static FALLEN_IN_GROUP: Cell<Option<[usize; 3]>> = const { Cell::new(None) };
    /// Whether this thread is running items.
    static RUNNING: Cell<bool> = const { Cell::new(false) };
    /// What the fault that is unwinding is.
    static FAULT: RefCell<Option<HostFault>> = const { RefCell::new(None) };
}

/// Notes the item, or group, only when a fault unwinds through it, so that one that does not fault stores nothing.
struct NoteUnit(usize);
impl Drop for NoteUnit {
    #[inline(always)]
    fn drop(&mut self) {
        FALLEN.set(self.0);
    }
}

/// Notes the item of a group in the same way.
struct NoteItem([usize; 3]);
impl Drop for NoteItem {
    #[inline(always)]
    fn drop(&mut self) {
        FALLEN_IN_GROUP.set(Some(self.0));
    }
}

/// Whether this thread is running items.
#[inline(always)]
pub(crate) fn running() -> bool {
    RUNNING.get()
}

/// A fault of an item on the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFault {
    /// The place.
    pub file: String,
    /// The place's line.
    pub line: u32,
    /// The place's column.
    pub column: u32,
    /// What went wrong.
    pub message: String,
}

/// The faults of a span or a launch: how many, and the first of them in the grid's order.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// How many items faulted.
    pub count: usize,
    /// The item with the lowest id, x first, and its fault.
    pub first: Option<([usize; 3], HostFault)>,
}

impl Faults {
    /// Adds a fault of the item `id`.
    pub fn note(&mut self, id: [usize; 3], fault: HostFault) {
        self.count += 1;
        self.keep(id, fault);
    }

    /// Adds the faults of another part of the launch.
    pub fn merge(&mut self, other: Faults) {
        self.count += other.count;
        if let Some((id, fault)) = other.first {
            self.keep(id, fault);
        }
    }

    fn keep(&mut self, id: [usize; 3], fault: HostFault) {
        let order = |id: &[usize; 3]| [id[2], id[1], id[0]];
        if self
            .first
            .as_ref()
            .is_none_or(|(kept, _)| order(&id) < order(kept))
        {
            self.first = Some((id, fault));
        }
    }
}

/// Ends the work-item with a fault at the caller's place, without the panic hook.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn fault(kind: FaultKind, values: [u64; 2]) -> ! {
    tell(kind.message(&values))
}

/// [`fault`] in the words of a `panic!`.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn tell(message: String) -> ! {
    if !RUNNING.get() {
        panic!("{message}");
    }
    let place = Location::caller();
    FAULT.set(Some(HostFault {
        file: place.file().into(),
        line: place.line(),
        column: place.column(),
        message,
    }));
    resume_unwind(Box::new(()))
}

/// Runs the items, or groups, `x` of a row. An item that faults ends, and where its group runs as one, that ends with it;
/// the others run all the same. Allocates only for a fault.
///
/// With `panic = "abort"` a fault ends the process.
///
/// # Safety
///
/// The reader stands at the arguments of a call of the kernel of `entry`, `span` is of its unit, and the CPU has its
/// instructions.
pub unsafe fn run_span(entry: HostEntry, span: &Span<'_>, x: Range<usize>, reader: Reader<'_>) -> Faults {
    hook();
    let mut faults = Faults::default();
    let mut from = x.start;
    let before = RUNNING.replace(true);
    while from < x.end {
        // SAFETY: the caller's promise. Unwinding leaves only elements of buffers half done, which faults allow.
        let end = catch_unwind(AssertUnwindSafe(|| unsafe { entry(span, from..x.end, reader) }));
        match end {
            Ok(()) => break,
            Err(payload) => {
                let x = FALLEN.get();
                let fault = FAULT.take().unwrap_or_else(|| unhooked(&*payload));
                faults.note(span.id(x), fault);
                from = x + 1;
            }
        }
    }
    RUNNING.set(before);
    faults
}

impl Span<'_> {
    /// The global id of the item that fell last, which was `x` of this row or in that group of it.
    fn id(&self, x: usize) -> [usize; 3] {
        let unit = [x, self.row[0], self.row[1]];
        let raw = match self.unit {
            Unit::Item => unit,
            Unit::Group(_) => {
                // Uniform code runs for the group's first item.
                let item = FALLEN_IN_GROUP.take().unwrap_or_default();
                std::array::from_fn(|d| unit[d] * self.local[d] + item[d])
            }
        };
        std::array::from_fn(|d| raw[d] + self.shape.offset[d])
    }
}

/// What is known of a panic when the program has replaced our hook.
fn unhooked(payload: &(dyn std::any::Any + Send)) -> HostFault {
    let message = payload.downcast_ref::<&str>().map(|s| s.to_string());
    let message = message.or_else(|| payload.downcast_ref::<String>().cloned());
    HostFault {
        file: "unknown".into(),
        line: 0,
        column: 0,
        message: message.unwrap_or_else(|| "a panic in a kernel".into()),
    }
}

/// Keeps std's own panics in kernels (a slice's index, a division) from being printed, and notes their place.
/// Outside kernels the hook that was there before runs.
fn hook() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !RUNNING.get() {
                return before(info);
            }
            let place = info.location();
            FAULT.set(Some(HostFault {
                file: place.map_or("unknown", |p| p.file()).into(),
                line: place.map_or(0, |p| p.line()),
                column: place.map_or(0, |p| p.column()),
                message: info.payload_as_str().unwrap_or("a panic in a kernel").into(),
            }));
        }));
    });
}
