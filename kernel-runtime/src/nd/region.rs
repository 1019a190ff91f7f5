//! Which elements of a buffer a view has, and in which order.

use crate::error::{Error, Result};
use std::ops::Range;

/// `[usize; D]` for the numbers of dimensions that views have.
#[diagnostic::on_unimplemented(
    message = "a view has one to three dimensions, and not those of `{Self}`",
    label = "not the shape of a view"
)]
pub trait Extents {}
impl Extents for [usize; 1] {}
impl Extents for [usize; 2] {}
impl Extents for [usize; 3] {}

/// The elements of a buffer at `start + i[0] * strides[0] + … + i[D - 1]`, for all indices `i` below the shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Region<const D: usize> {
    pub(super) start: usize,
    pub(super) shape: [usize; D],
    /// The last is 1.
    pub(super) strides: [usize; D],
}

impl<const D: usize> Region<D> {
    /// All of a buffer of `len` elements.
    pub(super) fn whole(shape: [usize; D], len: usize) -> Result<Region<D>> {
        let count = shape.iter().try_fold(1usize, |count, &n| count.checked_mul(n));
        if count != Some(len) {
            return Err(Error::WrongShape {
                shape: shape.to_vec(),
                len,
            });
        }
        let mut strides = [1usize; D];
        for d in (1..D).rev() {
            // Where there is no element, the product may be none either, and nothing is found by it.
            strides[d - 1] = strides[d].wrapping_mul(shape[d]);
        }
        Ok(Region {
            start: 0,
            shape,
            strides,
        })
    }

    /// The indices within `ranges`.
    pub(super) fn part(&self, ranges: [Range<usize>; D]) -> Result<Region<D>> {
        let mut part = *self;
        for (dimension, Range { start, end }) in ranges.into_iter().enumerate() {
            let len = self.shape[dimension];
            if start > end || end > len {
                return Err(Error::OutOfView {
                    dimension,
                    start,
                    end,
                    len,
                });
            }
            part.start = part
                .start
                .wrapping_add(start.wrapping_mul(self.strides[dimension]));
            part.shape[dimension] = end - start;
        }
        Ok(part)
    }

    /// The number of elements. They are in memory, so there are no more than a `usize` counts.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of all elements, in order.
    fn places(region: &Region<3>) -> Vec<usize> {
        let [planes, rows, columns] = region.shape;
        let [plane, row, column] = region.strides;
        let indices =
            (0..planes).flat_map(|p| (0..rows).flat_map(move |r| (0..columns).map(move |c| (p, r, c))));
        indices
            .map(|(p, r, c)| region.start + p * plane + r * row + c * column)
            .collect()
    }

    #[test]
    fn the_last_index_is_the_fastest() {
        let region = Region::whole([2, 3, 4], 24).unwrap();
        assert_eq!(region.strides, [12, 4, 1]);
        assert_eq!(places(&region), Vec::from_iter(0..24));
        assert_eq!(region.len(), 24);
    }

    #[test]
    fn a_part_of_a_part_is_a_part() {
        let region = Region::whole([2, 3, 4], 24).unwrap();
        let part = region.part([1..2, 0..3, 1..4]).unwrap();
        assert_eq!(places(&part), [13, 14, 15, 17, 18, 19, 21, 22, 23]);
        let part = part.part([0..1, 1..3, 2..3]).unwrap();
        assert_eq!(places(&part), [19, 23]);
        assert_eq!(part.part([1..1, 0..0, 1..1]).unwrap().len(), 0);
    }

    #[test]
    fn a_shape_has_all_elements_and_a_part_is_inside() {
        let shape = |shape: [usize; 2], len| Region::whole(shape, len).map(|r| r.len());
        assert_eq!(shape([3, 4], 12), Ok(12));
        assert_eq!(shape([0, 4], 0), Ok(0));
        assert_eq!(shape([usize::MAX, 0], 0), Ok(0));
        for (wrong, len) in [
            ([3, 4], 10),
            ([usize::MAX, usize::MAX], 1),
            ([usize::MAX, 2], usize::MAX - 1),
        ] {
            let error = Error::WrongShape {
                shape: wrong.to_vec(),
                len,
            };
            assert_eq!(shape(wrong, len), Err(error));
        }
        let region = Region::whole([3, 4], 12).unwrap();
        let error = |dimension, start, end, len| {
            Err(Error::OutOfView {
                dimension,
                start,
                end,
                len,
            })
        };
        assert_eq!(region.part([0..4, 0..4]), error(0, 0, 4, 3));
        #[expect(clippy::reversed_empty_ranges, reason = "it is what is refused")]
        let backward = region.part([0..3, 3..2]);
        assert_eq!(backward, error(1, 3, 2, 4));
    }
}
