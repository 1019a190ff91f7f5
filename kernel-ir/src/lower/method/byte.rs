//! A `u8` as a character of ASCII.

use crate::lower::Lowering;
use crate::typed::{BinaryOp, CompareOp, ValueId};

/// The bit in which a small letter differs from its capital.
const CASE: i32 = 0x20;

impl Lowering<'_> {
    /// Whether `x` is from `first` to `last`.
    fn is_between(&mut self, x: ValueId, first: u8, last: u8) -> ValueId {
        let first_value = self.builder.number(self.builder.ty(x), first.into());
        let above = self.builder.binary(BinaryOp::Sub, x, first_value);
        self.compare_with(CompareOp::Le, above, (last - first).into())
    }

    fn either(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder.binary(BinaryOp::Or, a, b)
    }

    /// A capital as its small letter; what is no capital becomes no letter.
    fn small(&mut self, x: ValueId) -> ValueId {
        let case = self.builder.number(self.builder.ty(x), CASE);
        self.builder.binary(BinaryOp::Or, x, case)
    }

    /// `x.is_ascii()`
    pub(super) fn is_ascii(&mut self, x: ValueId) -> ValueId {
        self.compare_with(CompareOp::Lt, x, 0x80)
    }

    /// `x.is_ascii_alphabetic()`
    pub(super) fn is_ascii_alphabetic(&mut self, x: ValueId) -> ValueId {
        let small = self.small(x);
        self.is_between(small, b'a', b'z')
    }

    /// `x.is_ascii_alphanumeric()`
    pub(super) fn is_ascii_alphanumeric(&mut self, x: ValueId) -> ValueId {
        let letter = self.is_ascii_alphabetic(x);
        let digit = self.is_ascii_digit(x);
        self.either(letter, digit)
    }

    /// `x.is_ascii_control()`
    pub(super) fn is_ascii_control(&mut self, x: ValueId) -> ValueId {
        let below = self.compare_with(CompareOp::Lt, x, 0x20);
        let delete = self.compare_with(CompareOp::Eq, x, 0x7f);
        self.either(below, delete)
    }

    /// `x.is_ascii_digit()`
    pub(super) fn is_ascii_digit(&mut self, x: ValueId) -> ValueId {
        self.is_between(x, b'0', b'9')
    }

    /// `x.is_ascii_graphic()`
    pub(super) fn is_ascii_graphic(&mut self, x: ValueId) -> ValueId {
        self.is_between(x, b'!', b'~')
    }

    /// `x.is_ascii_hexdigit()`
    pub(super) fn is_ascii_hexdigit(&mut self, x: ValueId) -> ValueId {
        let small = self.small(x);
        let letter = self.is_between(small, b'a', b'f');
        let digit = self.is_ascii_digit(x);
        self.either(letter, digit)
    }

    /// `x.is_ascii_lowercase()`
    pub(super) fn is_ascii_lowercase(&mut self, x: ValueId) -> ValueId {
        self.is_between(x, b'a', b'z')
    }

    /// `x.is_ascii_punctuation()`
    pub(super) fn is_ascii_punctuation(&mut self, x: ValueId) -> ValueId {
        let graphic = self.is_ascii_graphic(x);
        let alphanumeric = self.is_ascii_alphanumeric(x);
        self.builder.compare(CompareOp::Gt, graphic, alphanumeric)
    }

    /// `x.is_ascii_uppercase()`
    pub(super) fn is_ascii_uppercase(&mut self, x: ValueId) -> ValueId {
        self.is_between(x, b'A', b'Z')
    }

    /// `x.is_ascii_whitespace()`: tab, line feed, form feed, carriage return and space, without the vertical tab.
    pub(super) fn is_ascii_whitespace(&mut self, x: ValueId) -> ValueId {
        let control = self.is_between(x, b'\t', b'\r');
        let vertical_tab = self.compare_with(CompareOp::Ne, x, 0x0b);
        let control = self.builder.binary(BinaryOp::And, control, vertical_tab);
        let space = self.compare_with(CompareOp::Eq, x, 0x20);
        self.either(control, space)
    }

    /// `x.to_ascii_lowercase()`
    pub(super) fn ascii_lowercase(&mut self, x: ValueId) -> ValueId {
        let is_capital = self.is_ascii_uppercase(x);
        self.changed_case(is_capital, x)
    }

    /// `x.to_ascii_uppercase()`
    pub(super) fn ascii_uppercase(&mut self, x: ValueId) -> ValueId {
        let is_small = self.is_ascii_lowercase(x);
        self.changed_case(is_small, x)
    }

    fn changed_case(&mut self, condition: ValueId, x: ValueId) -> ValueId {
        let case = self.builder.number(self.builder.ty(x), CASE);
        let changed = self.builder.binary(BinaryOp::Xor, x, case);
        self.builder.select(condition, changed, x)
    }
}
