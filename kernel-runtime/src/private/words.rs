//! `panic!` and kin, and `println!`: the words, and the values that they show.
//!
//! The words are a closure that captures nothing, which the host version calls with the values themselves, and the
//! runtime with those that a device put into its fault record. So the format string is rustc's, and both say the same.

use super::hole::{HasLink, Hole};
use crate::element::DeviceCopy;
use crate::host::{conjure, tell};
use crate::leaves;
use crate::print::print;
use gridfn_ir::layout::FAULT_VALUES;
use gridfn_ir::typed::Words;
use gridfn_ir::{Link, Type};
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// What the hole of a panic holds: the values as a tuple, and what makes words of them.
pub struct Message<V, F>(PhantomData<fn(V) -> F>);

impl<V, F: Fn(V) -> String> Hole<Message<V, F>> {
    /// Ends the work-item; the types fill the hole.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub fn panics(self, values: V, words: F) -> ! {
        tell(words(values))
    }

    /// Prints a line; the types fill the hole.
    #[cold]
    #[inline(never)]
    pub fn prints(self, values: V, words: F) {
        print(&words(values));
    }
}

impl<V: DeviceCopy, F: Fn(V) -> String + Copy> HasLink for Message<V, F> {
    const LINK: fn() -> Link = {
        assert!(
            V::TYPE.size().is_some(),
            "a message in a kernel shows numbers, `bool`, and tuples, arrays, structs and enums of them; an `Option` has no \
             layout that devices know: show what is in it"
        );
        assert!(
            V::TYPE.scalars() <= FAULT_VALUES,
            "a message in a kernel shows 27 numbers at most, those inside of structs and arrays counted"
        );
        || {
            Link::Words(Words {
                message: message::<V, F>,
                values: V::TYPE.scalars(),
            })
        }
    };
}

/// A value that a message shows, of references that to which they refer.
pub trait Shown: Copy {
    /// The value.
    #[inline(always)]
    fn shown_by_a_message(&self) -> Self {
        *self
    }
}
impl<T: DeviceCopy> Shown for T {}

/// The words of a fault with these values.
fn message<V: DeviceCopy, F: Fn(V) -> String + Copy>(values: &[u64]) -> String {
    let mut shown = MaybeUninit::<V>::uninit();
    // SAFETY: there is room for a `V`, whose layout its type tells.
    if unsafe { assemble(&V::TYPE, &mut values.iter(), shown.as_mut_ptr().cast()) } {
        // SAFETY: every scalar of it was written with a value that its type has, and the rest is padding.
        conjure::<F>()(unsafe { shown.assume_init() })
    } else {
        "the fault record was overwritten".into()
    }
}

/// Writes a value of its scalars, in the order in which lowering gives them. Gives `false` if they are none of the type.
///
/// # Safety
///
/// There is room for a value of the type, which has a layout.
unsafe fn assemble(ty: &Type, values: &mut std::slice::Iter<'_, u64>, to: *mut u8) -> bool {
    // SAFETY: the caller's promise, which holds for each part at its offset, too.
    unsafe {
        match *ty {
            Type::Unit => true,
            Type::Scalar(scalar) => {
                let bits = values.next().copied().unwrap_or(0);
                let is_one = scalar != gridfn_ir::Scalar::Bool || bits <= 1;
                if is_one {
                    leaves::write(to, scalar, bits);
                }
                is_one
            }
            Type::Array { element, len } => {
                let stride = element.size().unwrap_or(0);
                (0..len).all(|n| assemble(element, values, to.add(n * stride)))
            }
            Type::Struct(s) => s
                .fields
                .iter()
                .all(|field| assemble(&field.ty, values, to.add(field.offset))),
            Type::Enum(e) => {
                let tag = e.tag.truncate(values.next().copied().unwrap_or(0));
                if e.size != Some(0) {
                    leaves::write(to, e.tag, tag);
                }
                let mut is_one = false;
                for variant in e.variants {
                    let active = variant.discriminant == tag;
                    is_one |= active;
                    for field in variant.fields {
                        if !active {
                            // Nothing is there: the variants share their memory.
                            values.by_ref().take(field.ty.scalars()).for_each(drop);
                        } else if !assemble(&field.ty, values, to.add(field.offset)) {
                            return false;
                        }
                    }
                }
                is_one
            }
            // None is a value.
            Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say<V: DeviceCopy, F: Fn(V) -> String + Copy>(_: F, values: &[u64]) -> String {
        message::<V, F>(values)
    }

    #[test]
    fn values_are_put_together_again() {
        type Values = ((u8, i64), ([f32; 2], (bool, ())));
        let words = |v: Values| format!("{v:?}");
        let bits = |v: f32| u64::from(v.to_bits());
        assert_eq!(
            say::<Values, _>(words, &[7, u64::MAX, bits(1.5), bits(-2.0), 1]),
            "((7, -1), ([1.5, -2.0], (true, ())))"
        );
    }

    #[test]
    fn what_is_no_value_is_never_made() {
        assert_eq!(
            say::<(bool, ()), _>(|v| format!("{v:?}"), &[2]),
            "the fault record was overwritten"
        );
    }
}
