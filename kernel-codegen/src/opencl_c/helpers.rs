//! Functions and types that OpenCL C 1.2 lacks. Only those that a kernel uses are put in front of it.

use super::types;
use gridfn_ir::Scalar;
use std::collections::BTreeMap;

/// The helpers that a kernel uses: their definitions by name.
#[derive(Debug, Default)]
pub(super) struct Helpers(BTreeMap<String, String>);

impl Helpers {
    /// The definitions, in a fixed order.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(String::as_str)
    }

    /// The type in memory, for values whose bytes may also be read and written as another type: C allows that only of
    /// bytes, and Clang of what says so.
    pub(super) fn aliased(&mut self, ty: Scalar) -> String {
        let ty = types::memory_name(ty);
        self.add(format!("aliased_{ty}"), |name| {
            format!("typedef {ty} {name} __attribute__((may_alias));\n")
        })
    }

    /// Likewise a vector of `n`, which is aligned to all of itself.
    pub(super) fn aliased_vector(&mut self, ty: Scalar, n: usize) -> String {
        let ty = types::memory_name(ty);
        self.add(format!("aliased_{ty}{n}"), |name| {
            format!("typedef {ty}{n} {name} __attribute__((may_alias));\n")
        })
    }

    /// Rust's `as` from a float to an integer. What OpenCL's saturating conversions make of NaN is only a
    /// recommendation. The bounds of 8 and 16 bits are floats too, so there a `clamp` does; it goes through `int`
    /// because Mesa 22 crashes when it compiles a direct conversion to `char`.
    pub(super) fn float_to_integer(&mut self, from: Scalar, to: Scalar) -> String {
        let (float, integer) = (types::name(from), types::name(to));
        let convert = if types::is_promoted(to) {
            let (min, max) = match (to.is_signed(), to.bits()) {
                (true, bits) => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
                (false, bits) => (0, (1i64 << bits) - 1),
            };
            let suffix = if from == Scalar::F32 { "f" } else { "" };
            format!("({integer})(int)clamp(x, {min}.0{suffix}, {max}.0{suffix})")
        } else {
            format!("convert_{integer}_sat_rtz(x)")
        };
        self.add(format!("{float}_to_{integer}"), |name| {
            format!("static {integer} {name}({float} x) {{\n    return isnan(x) ? 0 : {convert};\n}}\n")
        })
    }

    /// The nearest integer, an even one of two. From 2^23 on, or 2^52, a float is an integer; PoCL makes anything of `rint`
    /// of such a constant.
    pub(super) fn round_ties_even(&mut self, ty: Scalar) -> String {
        let (float, least) = (
            types::name(ty),
            if ty == Scalar::F32 { "0x1p23f" } else { "0x1p52" },
        );
        self.add(format!("round_ties_even_{float}"), |name| {
            format!("static {float} {name}({float} x) {{\n    return fabs(x) < {least} ? rint(x) : x;\n}}\n")
        })
    }

    /// The zeros below the lowest 1 of an unsigned integer: the bits that `x - 1` sets and `x` has not.
    pub(super) fn trailing_zeros(&mut self, ty: Scalar) -> String {
        let ty = types::name(ty);
        self.add(format!("trailing_zeros_{ty}"), |name| {
            format!("static {ty} {name}({ty} x) {{\n    return popcount(({ty})(~x & (x - 1)));\n}}\n")
        })
    }

    /// The bits of an unsigned integer in the opposite order: neighbours are exchanged, then neighbouring pairs, and
    /// so on.
    pub(super) fn reverse_bits(&mut self, ty: Scalar) -> String {
        let (c, suffix) = (types::name(ty), if ty.bits() == 64 { "UL" } else { "u" });
        self.add(format!("reverse_bits_{c}"), |name| {
            let mut text = format!("static {c} {name}({c} x) {{\n");
            let mut width = 1;
            while width < ty.bits() {
                // Every other group of `width` bits, the lowest one first.
                let mask = ty.truncate(u64::MAX) / ((1 << width) + 1);
                let digits = ty.bytes() * 2;
                text += &format!(
                    "    x = ((x >> {width}) & 0x{mask:0digits$x}{suffix}) | ((x & 0x{mask:0digits$x}{suffix}) << {width});\n"
                );
                width *= 2;
            }
            text + "    return x;\n}\n"
        })
    }

    /// The saturating sum of two `long`s. Oclgrind 21.10 is wrong where both are the least.
    pub(super) fn saturating_add(&mut self) -> String {
        self.saturating("saturating_add_long", "+", "(a ^ result) & (b ^ result)")
    }

    /// The saturating difference of two `long`s. Oclgrind 21.10 is wrong where the second is the least.
    pub(super) fn saturating_sub(&mut self) -> String {
        self.saturating("saturating_sub_long", "-", "(a ^ b) & (a ^ result)")
    }

    /// `overflow` is negative where the result's sign is wrong; the right one is then that of the first operand.
    fn saturating(&mut self, name: &str, operator: &str, overflow: &str) -> String {
        self.add(name.into(), |name| {
            format!(
                "static long {name}(long a, long b) {{\n    \
                 const long result = (long)((ulong)a {operator} (ulong)b);\n    \
                 return ({overflow}) < 0 ? (a < 0 ? LONG_MIN : LONG_MAX) : result;\n}}\n"
            )
        })
    }

    fn add(&mut self, name: String, definition: impl FnOnce(&str) -> String) -> String {
        self.0.entry(name.clone()).or_insert_with(|| definition(&name));
        name
    }
}
