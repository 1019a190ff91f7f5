//! Identifiers: the user's own, kept clear of what C and OpenCL already call something.

use std::collections::HashMap;

/// Names in use; one such set for each name space of C.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Each name, and the suffix that the last one got which wanted the same.
    taken: HashMap<String, u32>,
}

impl Names {
    /// A name that nothing has yet, as close to `wanted` as possible.
    pub(super) fn claim(&mut self, wanted: &str) -> String {
        let base = identifier(wanted);
        let mut suffix = self.taken.get(&base).copied().unwrap_or(0);
        let mut name = base.clone();
        while self.taken.contains_key(&name) {
            suffix += 1;
            name = format!("{base}_{suffix}");
        }
        self.taken.insert(base, suffix);
        self.taken.entry(name.clone()).or_insert(0);
        name
    }
}

/// A Rust identifier as one that C accepts: in ASCII, and followed by `_` where the name is reserved.
pub(super) fn identifier(rust: &str) -> String {
    let mut name = String::new();
    for c in rust.trim_start_matches("r#").chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            name.push(c);
        } else {
            name.push_str(&format!("u{:x}", u32::from(c)));
        }
    }
    if name.starts_with("__") || !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert(0, 'v');
    }
    if is_reserved(&name) {
        name.push('_');
    }
    name
}

fn is_reserved(name: &str) -> bool {
    let names = [KEYWORDS, TYPES, FUNCTIONS, MACROS, OURS];
    names.iter().any(|list| list.contains(&name))
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || is_vector(name)
        || (name.starts_with("image") && name.ends_with("_t"))
}

/// `float4` and the like.
fn is_vector(name: &str) -> bool {
    let scalar = name.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(&name[scalar.len()..], "2" | "3" | "4" | "8" | "16")
        && (TYPES.contains(&scalar) || KEYWORDS.contains(&scalar))
}

/// Keywords of C99 and of OpenCL C up to 3.0, and those that Clang adds.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "asm", "auto", "break", "case", "char", "complex", "const", "constant", "continue", "default", "do", "double",
    "else", "enum", "extern", "float", "for", "generic", "global", "goto", "if", "imaginary", "inline", "int",
    "kernel", "local", "long", "pipe", "private", "read_only", "read_write", "register", "restrict", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "typeof", "uniform", "union", "unsigned",
    "vec_step", "void", "volatile", "while", "write_only",
];

#[rustfmt::skip]
const TYPES: &[&str] = &[
    "bool", "clk_event_t", "clk_profiling_info", "event_t", "half", "intptr_t", "kernel_enqueue_flags_t",
    "memory_order", "memory_scope", "ndrange_t", "ptrdiff_t", "quad", "queue_t", "reserve_id_t", "sampler_t",
    "size_t", "uchar", "uint", "uintptr_t", "ulong", "ushort",
];

/// Built-in functions that no prefix in [`PREFIXES`] covers.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "abs", "abs_diff", "acos", "acosh", "acospi", "add_sat", "all", "any", "asin", "asinh", "asinpi", "atan",
    "atan2", "atan2pi", "atanh", "atanpi", "barrier", "bit_reverse", "bitselect", "cbrt", "ceil", "clamp", "clz",
    "commit_read_pipe", "commit_write_pipe", "copysign", "cos", "cosh", "cospi", "create_user_event", "cross",
    "ctz", "degrees", "distance", "dot", "dot_acc_sat", "erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs",
    "fdim", "floor", "fma", "fmax", "fmin", "fmod", "fract", "frexp", "hadd", "hypot", "ilogb", "is_valid_event",
    "is_valid_reserve_id", "isequal", "isfinite", "isgreater", "isgreaterequal", "isinf", "isless", "islessequal",
    "islessgreater", "isnan", "isnormal", "isnotequal", "isordered", "isunordered", "ldexp", "length", "lgamma",
    "lgamma_r", "log", "log10", "log1p", "log2", "logb", "mad", "mad24", "mad_hi", "mad_sat", "main", "max",
    "maxmag", "mem_fence", "min", "minmag", "mix", "modf", "mul24", "mul_hi", "nan", "nextafter", "normalize",
    "popcount", "pow", "pown", "powr", "prefetch", "printf", "radians", "release_event", "remainder", "remquo",
    "reserve_read_pipe", "reserve_write_pipe", "retain_event", "rhadd", "rint", "rootn", "rotate", "round",
    "rsqrt", "select", "set_user_event_status", "shuffle", "shuffle2", "sign", "signbit", "sin", "sincos", "sinh",
    "sinpi", "smoothstep", "sqrt", "step", "sub_sat", "tan", "tanh", "tanpi", "tgamma", "trunc", "upsample",
    "wait_group_events",
];

/// Macros that no prefix in [`PREFIXES`] covers, the traditional ones of compilers for Linux included.
#[rustfmt::skip]
const MACROS: &[&str] = &[
    "CHAR_BIT", "CHAR_MAX", "CHAR_MIN", "HUGE_VAL", "HUGE_VALF", "INFINITY", "INT_MAX", "INT_MIN", "LONG_MAX",
    "LONG_MIN", "MAXFLOAT", "MAX_WORK_DIM", "NAN", "NULL", "SCHAR_MAX", "SCHAR_MIN", "SHRT_MAX", "SHRT_MIN",
    "UCHAR_MAX", "UINT_MAX", "ULONG_MAX", "USHRT_MAX", "false", "kernel_exec", "linux", "true", "unix",
];

/// What the generator itself declares.
const OURS: &[&str] = &["block", "fault", "record_fault"];

/// Families of built-in functions, constants and extensions; also those of our own helpers.
#[rustfmt::skip]
const PREFIXES: &[&str] = &[
    "ATOMIC_", "CLK_", "CL_", "DBL_", "FLT_", "FP_ILOGB", "HALF_", "M_", "POCL_", "_OPENCL_", "aliased_", "amd_", "arm_",
    "as_char", "as_double", "as_float", "as_half", "as_int", "as_long", "as_ptrdiff_t", "as_short", "as_size_t", "as_u",
    "async_work_group_", "atom_", "atomic_", "bitfield_", "capture_event_", "cl_", "convert_", "dot_4x8",
    "dot_acc_sat_", "double_to_", "enqueue_", "fast_", "float_to_", "get_", "half_", "intel_", "memory_order_",
    "memory_scope_", "native_", "ndrange_", "read_image", "read_mem_fence", "read_pipe", "reverse_bits_", "saturating_",
    "sub_group_", "to_global", "to_local", "to_private", "trailing_zeros_", "vload", "vstore", "work_group_",
    "write_image", "write_mem_fence", "write_pipe",
];
