//! Kernels whose items wait for each other: on the host they run by groups.
//!
//! The body is split at its barriers into regions. The closure runs once for a group: uniform code in it is ordinary
//! code, and each region is a loop over the group's items, one after the other on one thread. So no two items run at
//! once, a barrier is the place between two loops, and items outside of the grid are in no loop's bounds.

use super::arena::{Arena, Need, Part, is_padded};
use super::slot::{AcrossBarrier, Slot};
use super::subgroup::Exchange;
use super::{HostEntry, InstructionSet, NoteItem, NoteUnit, Span, Unit, conjure, tell};
use crate::argument::{Parameters, Reader};
use crate::element::DeviceCopy;
use crate::grid::Shape;
use crate::index::{InGroup, Item};
use crate::private::hole::Hole;
use crate::private::together::GroupFunction;
use crate::workgroup::{LocalArray, local_array_of};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

/// One work-group on the host.
pub struct Group<'g> {
    shape: &'g Shape,
    id: [usize; 3],
    /// The size of a whole group.
    local: [usize; 3],
    /// The items of this one that are in the grid.
    inside: [usize; 3],
    arrays: Cell<Part>,
    slots: Cell<Part>,
    arena: PhantomData<&'g mut Arena>,
}

impl<'g> Group<'g> {
    /// The same group, of a kernel that fixes the size of its groups: known when it is compiled, it bounds the loops over
    /// items such that indices need no checks.
    #[inline(always)]
    pub fn fixed(&self, local: [usize; 3]) -> Group<'g> {
        Group {
            shape: self.shape,
            id: self.id,
            local,
            inside: std::array::from_fn(|d| self.inside[d].min(local[d])),
            arrays: self.arrays.clone(),
            slots: self.slots.clone(),
            arena: PhantomData,
        }
    }

    /// The same group, for a function that it calls: what that takes is behind what is taken here, and free again after the
    /// call.
    #[inline(always)]
    pub fn nested(&self) -> Group<'g> {
        Group {
            shape: self.shape,
            id: self.id,
            local: self.local,
            inside: self.inside,
            arrays: self.arrays.clone(),
            slots: self.slots.clone(),
            arena: PhantomData,
        }
    }

    /// The group's first item, which is always in the grid.
    #[inline(always)]
    pub fn first(&self) -> Item {
        self.item([0; 3])
    }

    #[inline(always)]
    fn item(&self, local: [usize; 3]) -> Item {
        let [w, h, _] = self.local;
        let raw = std::array::from_fn(|d| self.id[d] * self.local[d] + local[d]);
        let place = (local[2] * h + local[1]) * w + local[0];
        Item::new(raw, self.shape, self.local).of_group(InGroup {
            id: self.id,
            local,
            place,
        })
    }

    /// A region: runs `body` for each of the group's items, x fastest.
    #[inline(always)]
    pub fn each(&self, body: impl FnMut(&Item)) {
        self.within([0; 3], self.inside, body);
    }

    /// A region of the items whose local id in dimension `d` is in `range`; the body would do nothing for the others.
    #[inline(always)]
    pub fn each_in(&self, d: usize, range: Range<usize>, body: impl FnMut(&Item)) {
        let (mut from, mut to) = ([0; 3], self.inside);
        (from[d], to[d]) = (range.start, range.end.min(to[d]));
        self.within(from, to, body);
    }

    #[inline(always)]
    fn within(&self, from: [usize; 3], to: [usize; 3], mut body: impl FnMut(&Item)) {
        for z in from[2]..to[2] {
            for y in from[1]..to[1] {
                for x in from[0]..to[0] {
                    // The item is noted by value: the address of what the body reads must not get out, or LLVM would
                    // read it again after each store.
                    let guard = NoteItem([x, y, z]);
                    body(&self.item([x, y, z]));
                    std::mem::forget(guard);
                }
            }
        }
    }

    /// The value of the group's first item, which the others' must be equal to. `_of` is the function that the user called.
    ///
    /// # Panics
    ///
    /// With a fault at the caller's place if it is not.
    #[inline(always)]
    #[track_caller]
    pub fn uniform<T: Copy + PartialEq>(
        &self,
        _of: impl FnOnce(T) -> T,
        mut value: impl FnMut(&Item) -> T,
    ) -> T {
        let first = value(&self.first());
        let mut same = true;
        self.each(|item| {
            let value = value(item);
            // What is not equal to itself is a NaN.
            #[expect(clippy::eq_op, reason = "a NaN is not equal to itself")]
            let nan = first != first && value != value;
            same &= value == first || nan;
        });
        if !same {
            tell("the items of a work-group give different values to `uniform`".into());
        }
        first
    }

    /// The number of items of a whole group.
    #[inline(always)]
    pub(super) fn items(&self) -> usize {
        self.local.iter().product()
    }

    #[inline(always)]
    fn ids(&self, place: usize) -> [usize; 3] {
        let [w, h, _] = self.local;
        [place % w, place / w % h, place / w / h]
    }

    /// Whether the item of that number is in the grid.
    #[inline(always)]
    pub(super) fn has(&self, place: usize) -> bool {
        self.ids(place)
            .iter()
            .zip(&self.inside)
            .all(|(id, inside)| id < inside)
    }

    /// The item of that number.
    #[inline(always)]
    pub(super) fn item_at(&self, place: usize) -> Item {
        self.item(self.ids(place))
    }

    #[inline(always)]
    pub(super) fn local_of(&self, item: &Item) -> [usize; 3] {
        [0, 1, 2].map(|d| item.local_id(d))
    }

    /// What one operation of sub-groups takes and gives; its type fills the hole.
    #[inline(always)]
    pub fn exchange<V: AcrossBarrier>(&self, hole: Hole<V>) -> Exchange<'g, V> {
        Exchange::new(self.slot(hole))
    }

    /// The place of a local array: the next of the kernel's.
    #[inline(always)]
    pub fn array<T, const N: usize>(&self) -> ArrayPlace<'g, T, N> {
        let mut arrays = self.arrays.get();
        let start = arrays.take::<[T; N]>(1);
        self.arrays.set(arrays);
        ArrayPlace(start, PhantomData)
    }

    /// A value for each item that lives across barriers; its type fills the hole.
    #[inline(always)]
    pub fn slot<T: AcrossBarrier>(&self, _: Hole<T>) -> Slot<'g, T> {
        let len = self.local.iter().product();
        let mut slots = self.slots.get();
        let values = slots.take::<T>(len);
        self.slots.set(slots);
        Slot::new(values, len)
    }
}

/// A number that a local id is compared with, or one that bounds nothing: rustc tells of a wrong type at the comparison.
#[inline(always)]
pub fn bound<T: 'static>(value: &T) -> usize {
    let number = (value as &dyn std::any::Any).downcast_ref::<usize>();
    number.copied().unwrap_or(usize::MAX)
}

/// Where a local array lies. Each time that its declaration runs, the same array is opened.
pub struct ArrayPlace<'g, T, const N: usize>(NonNull<[T; N]>, PhantomData<&'g mut [T; N]>);

impl<T: DeviceCopy, const N: usize> ArrayPlace<'_, T, N> {
    /// The array. `_of` is the function that the user called.
    #[inline(always)]
    pub fn open(&self, _of: impl FnOnce() -> LocalArray<T, N>) -> LocalArray<T, N> {
        const { local_array_of::<T, N>() };
        // SAFETY: the memory was taken for this array alone; its bytes are initialised, and make values of `T`, of which
        // every pattern of bits is one. The items of a group run one after the other.
        unsafe { LocalArray::at(self.0.as_ptr()) }
    }
}

impl Need {
    /// With a local array, by its hole.
    pub const fn array<T: DeviceCopy, const N: usize>(self, _: Hole<LocalArray<T, N>>) -> Need {
        self.and_array(size_of::<[T; N]>(), is_padded(&T::TYPE))
    }

    /// With a slot, by the hole of its values.
    pub const fn slot<T: AcrossBarrier>(self, _: Hole<T>) -> Need {
        self.and_slot(size_of::<T>())
    }

    /// With a call of a group function, by the hole of its marker.
    pub const fn call<M: GroupFunction>(self, _: Hole<M>) -> Need {
        self.and_call(&M::NEED)
    }
}

/// Gives the kernel's closure the signature that it is expected to have.
pub const fn signature_of_group<P: Parameters, F>(body: F) -> F
where
    F: for<'v, 'i> Fn(&'i Group<'i>, P::View<'v>) + Copy,
{
    body
}

/// The entry of the kernel's closure for one instruction set.
pub const fn entry_of_group<P: Parameters, I: InstructionSet, F>(_: &F) -> HostEntry
where
    F: for<'v, 'i> Fn(&'i Group<'i>, P::View<'v>) + Copy,
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

unsafe fn run<P: Parameters, F>(span: &Span<'_>, x: Range<usize>, reader: Reader<'_>)
where
    F: for<'v, 'i> Fn(&'i Group<'i>, P::View<'v>) + Copy,
{
    // SAFETY: the caller's promise.
    unsafe { groups::<P, F>(span, x, reader) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_avx2<P: Parameters, F>(span: &Span<'_>, x: Range<usize>, reader: Reader<'_>)
where
    F: for<'v, 'i> Fn(&'i Group<'i>, P::View<'v>) + Copy,
{
    // SAFETY: the caller's promise.
    unsafe { groups::<P, F>(span, x, reader) }
}

#[inline(always)]
unsafe fn groups<P: Parameters, F>(span: &Span<'_>, x: Range<usize>, mut reader: Reader<'_>)
where
    F: for<'v, 'i> Fn(&'i Group<'i>, P::View<'v>) + Copy,
{
    let body: F = conjure();
    // SAFETY: the reader stands at the arguments of a call of this kernel.
    let view = std::mem::ManuallyDrop::new(unsafe { P::read(&mut reader) });
    let Unit::Group(need) = span.unit else {
        unreachable!("a span of the entry's unit");
    };
    let (shape, local, [y, z]) = (*span.shape, span.local, span.row);
    let mut arena = Borrowed::take(need, local.iter().product());
    let [arrays, slots] = arena.arena().parts();
    for x in x {
        let guard = NoteUnit(x);
        let id = [x, y, z];
        let group = Group {
            shape: &shape,
            id,
            local,
            inside: std::array::from_fn(|d| local[d].min(shape.size[d] - id[d] * local[d])),
            arrays: Cell::new(arrays),
            slots: Cell::new(slots),
            arena: PhantomData,
        };
        // SAFETY: views are `Copy`, which `Parameters` promises.
        let view = unsafe { std::ptr::read(&*view) };
        body(&group, view);
        std::mem::forget(guard);
    }
}

/// This thread's arena, which goes back also if a group unwinds.
struct Borrowed {
    arena: Option<Arena>,
    need: Need,
}

impl Borrowed {
    #[inline(never)]
    fn take(need: Need, items: usize) -> Borrowed {
        Borrowed {
            arena: Some(Arena::take(&need, items)),
            need,
        }
    }

    fn arena(&mut self) -> &mut Arena {
        match &mut self.arena {
            Some(arena) => arena,
            None => unreachable!("the arena goes back when this is dropped"),
        }
    }
}

impl Drop for Borrowed {
    #[inline(never)]
    fn drop(&mut self) {
        if let Some(mut arena) = self.arena.take() {
            arena.clean(&self.need);
            arena.give_back();
        }
    }
}
