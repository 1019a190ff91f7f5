//! The geometry of a launch: what the user says, and what a back end gets.

use crate::backend::Limits;
use crate::error::{GeometryError, Result};
use crate::kernel::Kernel;
use std::ops::Range;

/// The size of a grid, in one to three dimensions, x first: items for `global`, groups for `groups`.
///
/// Made from `n`, `[x, y]`, `[x, y, z]`, ranges of these, or `()` for one item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    start: [usize; 3],
    end: [usize; 3],
    dimensions: usize,
}

impl Grid {
    /// The size in each dimension; 1 in those that the grid does not have.
    pub fn size(&self) -> [usize; 3] {
        std::array::from_fn(|d| self.end[d].saturating_sub(self.start[d]))
    }

    /// 0 for `()`, else 1 to 3.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    #[inline]
    fn of<const D: usize>(ranges: [Range<usize>; D]) -> Grid {
        let mut grid = Grid {
            start: [0; 3],
            end: [1; 3],
            dimensions: D,
        };
        for (d, range) in ranges.into_iter().enumerate() {
            grid.start[d] = range.start;
            grid.end[d] = range.end;
        }
        grid
    }
}

/// What stands behind `global =`, `groups =` and `local =` in `launch!`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a grid size",
    label = "expected `n`, `a..b`, `[x, y]`, `[x, y, z]` or `()`",
    note = "sizes are `usize`; a grid has at most three dimensions"
)]
pub trait IntoGrid {
    /// The grid.
    fn into_grid(self) -> Grid;
}

/// A grid in which an item has `N` indices.
#[diagnostic::on_unimplemented(
    message = "a closure with {N} indices cannot run over the grid `{Self}`",
    label = "a grid of other dimensions than the closure's",
    note = "the index of a grid `n` or `a..b` is `|i|`, of `[x, y]` it is `|[x, y]|`, of `[x, y, z]` it is `|[x, y, z]|`"
)]
pub trait Dimensions<const N: usize> {}
impl<const N: usize> Dimensions<N> for Grid {}
impl Dimensions<1> for () {}
impl Dimensions<1> for usize {}
impl Dimensions<1> for Range<usize> {}
impl<const N: usize> Dimensions<N> for [usize; N] {}
impl<const N: usize> Dimensions<N> for [Range<usize>; N] {}

impl IntoGrid for Grid {
    #[inline]
    fn into_grid(self) -> Grid {
        self
    }
}
impl IntoGrid for () {
    #[inline]
    fn into_grid(self) -> Grid {
        Grid::of([])
    }
}
impl IntoGrid for usize {
    #[inline]
    fn into_grid(self) -> Grid {
        Grid::of([self].map(|n| 0..n))
    }
}
impl IntoGrid for Range<usize> {
    #[inline]
    fn into_grid(self) -> Grid {
        Grid::of([self])
    }
}
macro_rules! arrays {
    ($($d:literal)*) => {$(
        impl IntoGrid for [usize; $d] {
            #[inline]
            fn into_grid(self) -> Grid {
                Grid::of(self.map(|n| 0..n))
            }
        }
        impl IntoGrid for [Range<usize>; $d] {
            #[inline]
            fn into_grid(self) -> Grid {
                Grid::of(self)
            }
        }
    )*};
}
arrays! { 1 2 3 }

/// The geometry of one launch as `launch!` was given it.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// `global` or `groups`.
    pub extent: Extent,
    /// `local`.
    pub local: Option<Grid>,
}

/// What the grid counts.
#[derive(Clone, Copy, Debug)]
pub enum Extent {
    /// `global = …`: items.
    Items(Grid),
    /// `groups = …`: work-groups.
    Groups(Grid),
}

/// The geometry of one launch, checked: what a back end gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The exact number of items in each dimension; none is 0.
    pub size: [usize; 3],
    /// Where the ids start.
    pub offset: [usize; 3],
    /// The dimensions that the user gave, 0 to 3.
    pub dimensions: usize,
    /// The size of a work-group, where the user gave it. Within the device's limits.
    pub local: Option<[usize; 3]>,
}

impl Request {
    /// Checks the request against what the kernel fixes and the device's limits. `None` if there is nothing to run.
    ///
    /// # Errors
    ///
    /// [`GeometryError`], before the device sees anything.
    pub fn shape(&self, kernel: &Kernel, limits: &Limits) -> Result<Option<Shape>> {
        let (Extent::Items(grid) | Extent::Groups(grid)) = self.extent;
        let local = match local(self.local, kernel)? {
            Some(local) => Some(check_local(&local, &grid, limits)?),
            None => None,
        };
        for dimension in 0..3 {
            let (start, end) = (grid.start[dimension], grid.end[dimension]);
            if end < start {
                return Err(GeometryError::BackwardRange {
                    dimension,
                    start,
                    end,
                }
                .into());
            }
        }
        let (size, offset) = match self.extent {
            Extent::Items(grid) => (grid.size(), grid.start),
            Extent::Groups(grid) => {
                let local = local.ok_or(GeometryError::GroupsWithoutLocal)?;
                (scaled(grid.size(), local)?, scaled(grid.start, local)?)
            }
        };
        if size.contains(&0) {
            return Ok(None);
        }
        check_count(size, local.unwrap_or([1; 3]), offset)?;
        if let Some(local) = local {
            check_groups(size, local, limits)?;
        }
        Ok(Some(Shape {
            size,
            offset,
            dimensions: grid.dimensions,
            local,
        }))
    }
}

/// The size of a work-group that the kernel fixes, or else the launch.
fn local(asked: Option<Grid>, kernel: &Kernel) -> Result<Option<Grid>> {
    let Some(fixed) = kernel.body.local else {
        return Ok(asked);
    };
    match asked {
        Some(asked) if asked.size() != fixed.size => Err(GeometryError::LocalIsFixed {
            kernel: kernel.name,
            fixed: fixed.size,
            asked: asked.size(),
        }
        .into()),
        _ => Ok(Some(Grid {
            start: [0; 3],
            end: fixed.size,
            dimensions: fixed.dimensions,
        })),
    }
}

fn scaled(groups: [usize; 3], local: [usize; 3]) -> Result<[usize; 3]> {
    let mut size = [0; 3];
    for d in 0..3 {
        size[d] = groups[d].checked_mul(local[d]).ok_or(GeometryError::Overflow)?;
    }
    Ok(size)
}

fn check_local(local: &Grid, grid: &Grid, limits: &Limits) -> Result<[usize; 3]> {
    let size = local.size();
    if let Some(dimension) = size.iter().position(|n| *n == 0) {
        return Err(GeometryError::ZeroLocal { dimension }.into());
    }
    if local.dimensions > grid.dimensions.max(1) {
        return Err(GeometryError::Dimensions {
            grid: grid.dimensions,
            local: local.dimensions,
        }
        .into());
    }
    for (dimension, (&asked, &limit)) in size.iter().zip(&limits.local_size).enumerate() {
        if asked > limit {
            return Err(GeometryError::LocalTooLarge {
                dimension,
                asked,
                limit,
            }
            .into());
        }
    }
    let asked = size
        .iter()
        .try_fold(1usize, |n, &d| n.checked_mul(d))
        .unwrap_or(usize::MAX);
    if asked > limits.group_size {
        return Err(GeometryError::GroupTooLarge {
            asked,
            limit: limits.group_size,
        }
        .into());
    }
    Ok(size)
}

/// Where the launch does not say how large groups are, the back end makes them large enough.
fn check_groups(size: [usize; 3], local: [usize; 3], limits: &Limits) -> Result<()> {
    for dimension in 0..3 {
        let (asked, limit) = (
            size[dimension].div_ceil(local[dimension]),
            limits.num_groups[dimension],
        );
        if asked > limit {
            return Err(GeometryError::TooManyGroups {
                dimension,
                asked,
                limit,
            }
            .into());
        }
    }
    Ok(())
}

/// Whole groups are launched, so the rounded size must be countable too, and the largest id must be one.
fn check_count(size: [usize; 3], local: [usize; 3], offset: [usize; 3]) -> Result<()> {
    let mut count = 1usize;
    for d in 0..3 {
        let rounded = size[d]
            .checked_next_multiple_of(local[d])
            .ok_or(GeometryError::Overflow)?;
        offset[d]
            .checked_add(rounded)
            .filter(|n| *n <= isize::MAX as usize)
            .ok_or(GeometryError::Overflow)?;
        count = count.checked_mul(rounded).ok_or(GeometryError::Overflow)?;
    }
    if count > isize::MAX as usize {
        return Err(GeometryError::Overflow.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_counted_in_each_dimension() {
        let limits = Limits {
            group_size: 64,
            local_size: [64; 3],
            num_groups: [100, 10, 1],
            local_memory: 0,
        };
        assert_eq!(check_groups([400, 40, 1], [4, 4, 1], &limits), Ok(()));
        let error = |dimension, asked, limit| {
            Err(GeometryError::TooManyGroups {
                dimension,
                asked,
                limit,
            }
            .into())
        };
        assert_eq!(check_groups([401, 40, 1], [4, 4, 1], &limits), error(0, 101, 100));
        assert_eq!(check_groups([400, 41, 1], [4, 4, 1], &limits), error(1, 11, 10));
        assert_eq!(check_groups([4, 4, 2], [4, 4, 1], &limits), error(2, 2, 1));
    }
}
