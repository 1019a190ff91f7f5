//! Sub-groups on the host: so many consecutive items of a group.
//!
//! What the items of a group hand to an operation goes into a slot. Then one pass over the group's sub-groups puts what
//! each item gets in its place, and the region behind reads it there. Nothing else tells the operations apart. A scan
//! combines in the order in which devices do, so that floats have the same bits where sub-groups have the same size.

use super::group::Group;
use super::{NoteItem, Slot};
use crate::index::Item;
use std::env;
use std::sync::OnceLock;

/// The most items: the bits of a ballot.
const MOST: usize = 64;

/// The number of items of a sub-group on the host: `GRIDFN_HOST_SUBGROUP_SIZE` if that is a power of two up to 64, else 32.
#[inline]
pub fn subgroup_size() -> usize {
    static SIZE: OnceLock<usize> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let wanted = env::var("GRIDFN_HOST_SUBGROUP_SIZE").ok();
        let wanted = wanted.and_then(|size| size.parse().ok());
        wanted
            .filter(|size: &usize| size.is_power_of_two() && *size <= MOST)
            .unwrap_or(32)
    })
}

/// What each item of a group has handed to one operation, and then what it gets. Which of the two, the type tells.
#[derive(Clone, Copy)]
pub struct Exchange<'g, V>(Slot<'g, V>);

/// One sub-group: the items of it that are in the grid, in their order.
struct Members {
    /// Each one's number in the sub-group.
    lanes: [u8; MOST],
    count: usize,
    /// The number of the sub-group's first item in the group.
    first: usize,
}

impl Members {
    fn lanes(&self) -> &[u8] {
        &self.lanes[..self.count]
    }

    /// The index among them of the item of that number.
    fn find(&self, lane: usize) -> Option<usize> {
        let lane = u8::try_from(lane).ok()?;
        self.lanes().binary_search(&lane).ok()
    }
}

/// Two values to be combined by an item.
pub struct Turn<T>(T, T);

impl<T> Turn<T> {
    /// Calls the user's operator. `_of` is the function that the user called.
    #[inline(always)]
    pub fn reduce<F: Fn(T, T) -> T>(self, _of: impl FnOnce(T, F) -> T, operator: F) -> T {
        operator(self.0, self.1)
    }

    /// The same.
    #[inline(always)]
    pub fn inclusive_scan<F: Fn(T, T) -> T>(self, of: impl FnOnce(T, F) -> T, operator: F) -> T {
        self.reduce(of, operator)
    }

    /// The same.
    #[inline(always)]
    pub fn exclusive_scan<F: Fn(T, T) -> T>(self, _of: impl FnOnce(T, T, F) -> T, operator: F) -> T {
        operator(self.0, self.1)
    }
}

impl<'g, V: Copy> Exchange<'g, V> {
    #[inline(always)]
    pub(super) fn new(slot: Slot<'g, V>) -> Self {
        Exchange(slot)
    }

    #[inline(always)]
    fn put_all(self, group: &Group<'_>, mut value: impl FnMut(&Item) -> V) {
        // SAFETY: the group's own items.
        group.each(|item| unsafe { self.0.put(item, value(item)) });
    }

    /// Replaces what the members of each sub-group hold, which `f` is given in their order.
    fn exchange(self, group: &Group<'_>, mut f: impl FnMut(&Members, &mut [V])) {
        let (size, items) = (subgroup_size(), group.items());
        let mut first = 0;
        while first < items {
            let mut members = Members {
                lanes: [0; MOST],
                count: 0,
                first,
            };
            for lane in 0..size.min(items - first) {
                if group.has(first + lane) {
                    members.lanes[members.count] = lane as u8;
                    members.count += 1;
                }
            }
            if let Some(&lane) = members.lanes().first() {
                // SAFETY: items that are in the grid have put a value.
                let any = unsafe { self.0.at(first + usize::from(lane)) };
                let mut values = [any; MOST];
                for (value, lane) in values.iter_mut().zip(members.lanes()) {
                    // SAFETY: likewise.
                    *value = unsafe { self.0.at(first + usize::from(*lane)) };
                }
                let values = &mut values[..members.count];
                f(&members, values);
                for (value, lane) in values.iter().zip(members.lanes()) {
                    // SAFETY: an item of the group.
                    unsafe { self.0.put_at(first + usize::from(*lane), *value) };
                }
            }
            first += size;
        }
    }
}

impl Exchange<'_, u64> {
    fn vote(
        self,
        group: &Group<'_>,
        mut condition: impl FnMut(&Item) -> bool,
        result: impl Fn(u64, u64) -> u64,
    ) {
        self.put_all(group, |item| condition(item).into());
        self.exchange(group, |members, values| {
            let (mut votes, mut all) = (0, 0);
            for (lane, vote) in members.lanes().iter().zip(values.iter()) {
                votes |= vote << lane;
                all |= 1 << lane;
            }
            values.fill(result(votes, all));
        });
    }

    /// See [`crate::subgroup::any`]. `_of` is the function that the user called.
    #[inline(always)]
    pub fn any(
        self,
        group: &Group<'_>,
        _of: impl FnOnce(bool) -> bool,
        mut condition: impl FnMut(&Item) -> (bool,),
    ) {
        self.vote(group, |item| condition(item).0, |votes, _| u64::from(votes != 0));
    }

    /// See [`crate::subgroup::all`].
    #[inline(always)]
    pub fn all(
        self,
        group: &Group<'_>,
        _of: impl FnOnce(bool) -> bool,
        mut condition: impl FnMut(&Item) -> (bool,),
    ) {
        self.vote(
            group,
            |item| condition(item).0,
            |votes, all| u64::from(votes == all),
        );
    }

    /// See [`crate::subgroup::ballot`].
    #[inline(always)]
    pub fn ballot(
        self,
        group: &Group<'_>,
        _of: impl FnOnce(bool) -> u64,
        mut condition: impl FnMut(&Item) -> (bool,),
    ) {
        self.vote(group, |item| condition(item).0, |votes, _| votes);
    }

    /// What the item gets of a vote.
    #[inline(always)]
    pub fn yes(self, item: &Item) -> bool {
        self.votes(item) != 0
    }

    /// What the item gets of a ballot.
    #[inline(always)]
    pub fn votes(self, item: &Item) -> u64 {
        // SAFETY: the operation has put values for all items in the grid.
        unsafe { self.0.get(item) }
    }
}

/// From which place of a sub-group an item takes: its own place, what it was given, and among how many items.
type Source = fn(usize, usize, usize) -> Option<usize>;

impl<T: Copy> Exchange<'_, (T, usize, usize)> {
    fn shuffled(self, group: &Group<'_>, given: impl FnMut(&Item) -> (T, usize, usize), source: Source) {
        self.put_all(group, given);
        self.exchange(group, |members, values| {
            let old = {
                let mut old = [values[0].0; MOST];
                old.iter_mut().zip(values.iter()).for_each(|(old, v)| *old = v.0);
                old
            };
            for (value, lane) in values.iter_mut().zip(members.lanes()) {
                let (_, by, width) = *value;
                let width = width.max(1);
                let place = usize::from(*lane) % width;
                let start = usize::from(*lane) - place;
                let found = source(place, by, width).filter(|place| *place < width);
                let found = found.and_then(|place| members.find(start.saturating_add(place)));
                if let Some(found) = found {
                    value.0 = old[found];
                }
            }
        });
    }

    /// What the item gets.
    #[inline(always)]
    pub fn value(self, item: &Item) -> T {
        // SAFETY: the operation has put values for all items in the grid.
        unsafe { self.0.get(item) }.0
    }
}

macro_rules! shuffles {
    ($($name:ident, $within:ident: $source:expr;)*) => {
        impl<T: Copy> Exchange<'_, (T, usize, usize)> {
            $(
                /// See the function of that name in [`crate::subgroup`]. `_of` is what the user called.
                #[inline(always)]
                pub fn $name(
                    self,
                    group: &Group<'_>,
                    _of: impl FnOnce(T, usize) -> T,
                    mut given: impl FnMut(&Item) -> (T, usize),
                ) {
                    let given = |item: &Item| {
                        let (value, by) = given(item);
                        (value, by, usize::MAX)
                    };
                    self.shuffled(group, given, $source);
                }

                /// See the function of that name in [`crate::subgroup`]. `_of` is what the user called.
                #[inline(always)]
                pub fn $within(
                    self,
                    group: &Group<'_>,
                    _of: impl FnOnce(T, usize, usize) -> T,
                    given: impl FnMut(&Item) -> (T, usize, usize),
                ) {
                    self.shuffled(group, given, $source);
                }
            )*
        }
    };
}
shuffles! {
    shuffle, shuffle_within: |_, item, _| Some(item);
    shuffle_up, shuffle_up_within: |place, distance, _| place.checked_sub(distance);
    shuffle_down, shuffle_down_within: |place, distance, _| place.checked_add(distance);
    shuffle_xor, shuffle_xor_within: |place, mask, _| Some(place ^ mask);
}

impl<T: Copy> Exchange<'_, (T, usize, usize)> {
    /// See [`crate::subgroup::broadcast`]. `of` is what the user called.
    #[inline(always)]
    pub fn broadcast(
        self,
        group: &Group<'_>,
        of: impl FnOnce(T, usize) -> T,
        given: impl FnMut(&Item) -> (T, usize),
    ) {
        self.shuffle(group, of, given);
    }
}

impl<T: Copy> Exchange<'_, (T, T)> {
    /// Puts values that come without an identity.
    #[inline(always)]
    fn put_alone(self, group: &Group<'_>, mut value: impl FnMut(&Item) -> (T,)) {
        self.put_all(group, |item| {
            let (value,) = value(item);
            (value, value)
        });
    }

    /// Combines what is ever further apart: the values that an item has combined are those up to its own.
    fn scan(
        self,
        group: &Group<'_>,
        mut combine: impl FnMut(&Item, Turn<T>) -> T,
        result: impl Fn(&mut [(T, T)]),
    ) {
        self.exchange(group, |members, values| {
            let mut distance = 1;
            while distance < values.len() {
                for n in (distance..values.len()).rev() {
                    let item = group.item_at(members.first + usize::from(members.lanes[n]));
                    let guard = NoteItem(group.local_of(&item));
                    values[n].0 = combine(&item, Turn(values[n - distance].0, values[n].0));
                    std::mem::forget(guard);
                }
                distance *= 2;
            }
            result(values);
        });
    }

    /// See [`crate::subgroup::reduce`].
    #[inline(always)]
    pub fn reduce(
        self,
        group: &Group<'_>,
        value: impl FnMut(&Item) -> (T,),
        combine: impl FnMut(&Item, Turn<T>) -> T,
    ) {
        self.put_alone(group, value);
        self.scan(group, combine, |values| {
            if let Some(&last) = values.last() {
                values.fill(last);
            }
        });
    }

    /// See [`crate::subgroup::inclusive_scan`].
    #[inline(always)]
    pub fn inclusive_scan(
        self,
        group: &Group<'_>,
        value: impl FnMut(&Item) -> (T,),
        combine: impl FnMut(&Item, Turn<T>) -> T,
    ) {
        self.put_alone(group, value);
        self.scan(group, combine, |_| {});
    }

    /// See [`crate::subgroup::exclusive_scan`].
    #[inline(always)]
    pub fn exclusive_scan(
        self,
        group: &Group<'_>,
        given: impl FnMut(&Item) -> (T, T),
        combine: impl FnMut(&Item, Turn<T>) -> T,
    ) {
        self.put_all(group, given);
        self.scan(group, combine, |values| {
            for n in (1..values.len()).rev() {
                values[n].0 = values[n - 1].0;
            }
            if let Some(first) = values.first_mut() {
                first.0 = first.1;
            }
        });
    }

    /// What the item gets.
    #[inline(always)]
    pub fn combined(self, item: &Item) -> T {
        // SAFETY: the operation has put values for all items in the grid.
        unsafe { self.0.get(item) }.0
    }
}
