//! C's `fmod` as a function of the module: PTX has no instruction for it.

/// Of which floats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Width {
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Width {
    /// The function's name, which no kernel can have: `$` stands in no Rust name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Width::F32 => "gridfn$fmod_f32",
            Width::F64 => "gridfn$fmod_f64",
        }
    }

    /// The number of bits, and how many of them are the mantissa's.
    fn bits(self) -> (u32, u32) {
        match self {
            Width::F32 => (32, 23),
            Width::F64 => (64, 52),
        }
    }
}

/// The function: exact, by long division of the mantissas, one bit of the quotient each round.
pub(super) fn function(width: Width) -> String {
    let (bits, mantissa) = width.bits();
    let sign = 1u64 << (bits - 1);
    let hidden = 1u64 << mantissa;
    let infinity = (sign - 1) & !(hidden - 1);
    // A quiet NaN.
    let nan = match width {
        Width::F32 => "0f7FC00000",
        Width::F64 => "0d7FF8000000000000",
    };
    BODY.replace("{name}", width.name())
        .replace("{bits}", &bits.to_string())
        .replace("{mantissa}", &mantissa.to_string())
        .replace("{sign}", &format!("{sign:#x}"))
        .replace("{magnitude}", &format!("{:#x}", sign - 1))
        .replace("{infinity}", &format!("{infinity:#x}"))
        .replace("{hidden}", &format!("{hidden:#x}"))
        .replace("{fraction}", &format!("{:#x}", hidden - 1))
        .replace("{above}", &(bits - 1 - mantissa).to_string())
        .replace("{nan}", nan)
}

/// The register names: `%a` and `%b` are the magnitudes' bits and then the mantissas with their highest bit, which
/// is hidden in the format, at its place; `%ea` and `%eb` are the exponents that go with them.
const BODY: &str = "\
// The remainder of %x / %y, with the sign of %x.
.func (.reg .f{bits} %result) {name}(.reg .f{bits} %x, .reg .f{bits} %y)
{
    .reg .pred %p;
    .reg .b32 %ea, %eb, %shift, %rounds;
    .reg .b{bits} %a, %b, %rest, %sign;

    mov.b{bits} %a, %x;
    mov.b{bits} %b, %y;
    and.b{bits} %sign, %a, {sign};
    and.b{bits} %a, %a, {magnitude};
    and.b{bits} %b, %b, {magnitude};
    // There is none if %x is infinite or either is NaN or %y is zero; %x itself if it is the smaller.
    setp.ge.u{bits} %p, %a, {infinity};
    @%p bra none;
    setp.gt.u{bits} %p, %b, {infinity};
    @%p bra none;
    setp.eq.u{bits} %p, %b, 0;
    @%p bra none;
    setp.lt.u{bits} %p, %a, %b;
    @%p bra whole;

    // Mantissas and exponents. A subnormal's mantissa is moved up, and its exponent goes below 1.
    shr.u{bits} %rest, %a, {mantissa};
    cvt.u32.u{bits} %ea, %rest;
    and.b{bits} %a, %a, {fraction};
    setp.ne.s32 %p, %ea, 0;
    @%p bra normal_a;
    clz.b{bits} %shift, %a;
    sub.s32 %shift, %shift, {above};
    shl.b{bits} %a, %a, %shift;
    sub.s32 %ea, 1, %shift;
normal_a:
    or.b{bits} %a, %a, {hidden};
    shr.u{bits} %rest, %b, {mantissa};
    cvt.u32.u{bits} %eb, %rest;
    and.b{bits} %b, %b, {fraction};
    setp.ne.s32 %p, %eb, 0;
    @%p bra normal_b;
    clz.b{bits} %shift, %b;
    sub.s32 %shift, %shift, {above};
    shl.b{bits} %b, %b, %shift;
    sub.s32 %eb, 1, %shift;
normal_b:
    or.b{bits} %b, %b, {hidden};

    sub.s32 %rounds, %ea, %eb;
divide:
    sub.u{bits} %rest, %a, %b;
    setp.ge.u{bits} %p, %a, %b;
    selp.b{bits} %a, %rest, %a, %p;
    setp.eq.s32 %p, %rounds, 0;
    @%p bra divided;
    shl.b{bits} %a, %a, 1;
    sub.s32 %rounds, %rounds, 1;
    bra divide;
divided:
    setp.eq.u{bits} %p, %a, 0;
    @%p bra pack;

    // Back into the format: a subnormal scale first, then up as far as the exponent allows. No bit is lost.
    setp.ge.s32 %p, %eb, 1;
    @%p bra raise;
    sub.s32 %shift, 1, %eb;
    shr.u{bits} %a, %a, %shift;
    mov.b32 %eb, 1;
raise:
    clz.b{bits} %shift, %a;
    sub.s32 %shift, %shift, {above};
    sub.s32 %eb, %eb, 1;
    min.s32 %shift, %shift, %eb;
    shl.b{bits} %a, %a, %shift;
    sub.s32 %eb, %eb, %shift;
    // The hidden bit, where there is one, adds the 1 that the exponent lacks.
    cvt.u{bits}.u32 %rest, %eb;
    shl.b{bits} %rest, %rest, {mantissa};
    add.u{bits} %a, %a, %rest;
pack:
    or.b{bits} %a, %a, %sign;
    mov.b{bits} %result, %a;
    ret;
whole:
    mov.f{bits} %result, %x;
    ret;
none:
    mov.f{bits} %result, {nan};
    ret;
}
";
