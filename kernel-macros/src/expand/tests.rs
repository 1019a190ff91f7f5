//! No token stream makes an attribute panic. `cargo xtask fuzz` tries more; what it found has a test here.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

const SOURCES: &[&str] = &[
    "fn saxpy(a: f32, x: &[f32], y: &mut [f32]) { let i = global_id(0); y[i] += a * x[i].max(-2.5) as f32; }",
    "pub unsafe fn k<T: Float>(n: usize, y: &mut [T]) where T: Int { 'a: for j in (0..n).rev().step_by(2) { let mut s; \
     s = T::ZERO; while s < f(1u8, -3) { if j == 3 { continue 'a; } else { break; } } y[j] = { s << 2 }; return; } }",
    "fn f(x: u32) -> u32 { const N: u32 = 3; let v = loop { break 'b: { x.pow(2) ^ !N } }; u32::max(v, b'x' as u32) }",
    "struct S { a: u32 }",
    "fn h(p: &mut P, (a, b): (u32, f32), s: &[T], d: &mut [V<2>]) -> Option<(V, [u8; 4])> { let V { x, ref mut y, .. } = \
     *p else { return None }; p.v[1].x += &a as u32; d[2..=a].len(); let q = &mut d[..]; q[0] = V { x: 1, ..V(2, E::A) }; \
     while let Some(n @ 1..=4 | n @ -7) = f(s, &mut q[1..b]) && matches!(n, N | M::K if n > 2) { [(1, _z), (..)] } Some(([0; 4]?, *b)) }",
    "fn w(n: u32, mut m: u32, x: &[f32], y: &mut [f32]) { if n == 0 { return; } let mut t = local_array::<f32, 64>(); let (i, l) = \
     (global_id(0), local_id(0)); let k = l + 1; let mut s = local_size(0) / 2; let v; m += l as u32; t[l] = x[i]; barrier(); \
     'a: while uniform(t[0]) > 1.0 && s > 0 { if l < s && n > 1 { t[l] += t[l + s]; } s /= 2; barrier(); if s == n { continue 'a; } \
     match n { 0 => barrier(), 1 | 2 => { s -= 1; y[i] = uniform(t[k]) + t[l]; } q => { let k = q; unsafe { barrier(); } } } } \
     v = m + 1; let Some(z) = f(n) else { barrier(); return; }; let s = s + k; for q in 0..uniform(n) { y[i] += q as f32; barrier() } \
     if k == 3 { return; } m = v; y[i] = (m + v + z + s) as f32; }",
    "fn g() { match x { _ => |y| y, } ; #[cfg(a)] let (a, ref b) = async { x? } else { }; }",
];

/// A generator whose sequence is the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Drops, doubles, moves and replaces tokens, at every depth.
fn mutated(tokens: TokenStream, pool: &[TokenTree], random: &mut Random) -> TokenStream {
    let mut out = vec![];
    for token in tokens {
        let token = match token {
            TokenTree::Group(g) => {
                let delimiter = match random.below(200) {
                    0 => Delimiter::Brace,
                    1 => Delimiter::Bracket,
                    2 => Delimiter::Parenthesis,
                    _ => g.delimiter(),
                };
                TokenTree::Group(Group::new(delimiter, mutated(g.stream(), pool, random)))
            }
            token => token,
        };
        match random.below(200) {
            0 => {}
            1 => out.extend([token.clone(), token]),
            2 => out.push(pool[random.below(pool.len())].clone()),
            3 => out.insert(random.below(out.len() + 1), token),
            _ => out.push(token),
        }
    }
    out.into_iter().collect()
}

fn flat(tokens: TokenStream, pool: &mut Vec<TokenTree>) {
    for token in tokens {
        if let TokenTree::Group(g) = &token {
            flat(g.stream(), pool);
        }
        pool.push(token);
    }
}

#[test]
fn no_token_stream_makes_an_attribute_panic() {
    let sources: Vec<TokenStream> = SOURCES.iter().map(|s| s.parse().expect("tokens")).collect();
    let mut pool = vec![];
    sources.iter().for_each(|s| flat(s.clone(), &mut pool));
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut expanded, mut refused) = (0, 0);
    for round in 0..3000 {
        let source = sources[round % sources.len()].clone();
        let item = if round < sources.len() {
            source
        } else {
            mutated(source, &pool, &mut random)
        };
        for expand in [super::kernel, super::device] {
            let out = expand(TokenStream::new(), item.clone()).to_string();
            if out.contains("compile_error") {
                refused += 1
            } else {
                expanded += 1
            }
        }
        super::launch(item);
    }
    assert!(
        expanded > 10 && refused > 1000,
        "{expanded} expanded, {refused} refused: the mutations are too harsh or too mild"
    );
}

/// What a macro says of a source.
fn answer(expand: fn(TokenStream) -> TokenStream, source: &str) -> String {
    expand(source.parse().expect("tokens")).to_string()
}

fn kernel(item: TokenStream) -> TokenStream {
    super::kernel(TokenStream::new(), item)
}

fn device(item: TokenStream) -> TokenStream {
    super::device(TokenStream::new(), item)
}

/// Checks that a macro's answer to a source holds these words.
#[track_caller]
fn says(expand: fn(TokenStream) -> TokenStream, source: &str, words: &str) {
    let out = answer(expand, source);
    assert!(out.contains(words), "{out}");
}

/// Checks that a macro's answer to a source is Rust, read as `T`.
#[track_caller]
fn is_rust<T: syn::parse::Parse>(expand: fn(TokenStream) -> TokenStream, source: &str) {
    let out = answer(expand, source);
    assert!(syn::parse_str::<T>(&out).is_ok(), "{out}");
}

/// What is said of bounds in the place of a type.
const BOUNDS: &str = "kernels know each type when they are compiled";

#[test]
fn a_semicolon_alone_is_a_statement() {
    let out = answer(
        kernel,
        "fn k(y: &mut [f32]) { ; let i = global_id(0);; y[i] = 1.0; ; }",
    );
    assert!(!out.contains("compile_error"), "{out}");
}

#[test]
fn a_field_that_is_no_name_is_refused() {
    says(super::kernel_arg, "struct S { _: u8 }", "a field has a name");
}

#[test]
fn a_method_whose_name_is_raw_is_expanded() {
    says(
        kernel,
        "fn k(x: &[f32], y: &mut [f32]) { y[global_id(0)] = x[0].r#try(); }",
        "Device_try",
    );
}

#[test]
fn an_attribute_at_the_beginning_of_a_body_is_one_of_the_kernel() {
    let out = answer(kernel, "fn k(y: &mut [f32]) { #![allow(unused)] }");
    assert!(
        out.contains("# [allow (unused)]") && !out.contains("# !"),
        "{out}"
    );
}

#[test]
fn a_closure_without_captures_and_parameters_is_expanded() {
    let out = answer(super::closure, "fn || 0usize");
    assert!(!out.contains("compile_error"), "{out}");
}

#[test]
fn a_type_is_no_path_to_the_crate() {
    let out = super::kernel(
        quote::quote!(crate = Self),
        quote::quote!(
            fn k() {}
        ),
    )
    .to_string();
    assert!(out.contains("a type is no path to gridfn"), "{out}");
}

#[test]
fn bounds_are_no_types_of_a_device_function() {
    for source in ["fn f() -> f64 + {}", "fn f(x: f64 +) {}"] {
        says(device, source, BOUNDS);
    }
}

#[test]
fn bounds_are_no_types_of_fields() {
    let derives: [fn(TokenStream) -> TokenStream; 2] = [super::device_copy, super::kernel_arg];
    for derive in derives {
        says(derive, "struct S { x: f64 + }", BOUNDS);
    }
}

#[test]
fn what_is_no_representation_is_left_to_rustc() {
    let out = answer(super::device_copy, "#[repr(unsafe)] enum E { A }");
    assert!(!out.contains("unsafe = 0"), "{out}");
}

#[test]
fn nothing_is_implemented_for_the_type_without_values() {
    says(
        device,
        "impl<T> ! { const N: u32 = 1; }",
        "kernels hold no values of `!`",
    );
}

#[test]
fn a_let_that_is_no_condition_is_refused() {
    says(super::closure, "|v| let 1 = x", "is a condition of an `if`");
    let out = answer(
        kernel,
        "fn k(y: &mut [u32]) { if let 1 = y.len() && let n = 2 && n > 1 {} }",
    );
    assert!(!out.contains("compile_error"), "{out}");
}

#[test]
fn matches_is_no_statement_of_its_own() {
    for source in ["|y| matches!(0.1, _) = x", "|y| matches!(return, y)"] {
        is_rust::<syn::Expr>(super::closure, source);
    }
}

#[test]
fn a_field_may_have_an_associated_type() {
    is_rust::<syn::File>(super::kernel_arg, "struct S { n: <u32>::T }");
}

#[test]
fn nothing_is_implemented_for_bounds() {
    says(device, "impl Sized + { fn f() {} }", BOUNDS);
}

#[test]
fn bounds_are_no_types_of_a_method_without_a_body() {
    says(device, "trait T { fn f() -> Sized +; }", BOUNDS);
}

#[test]
fn a_sum_may_be_told_its_type_in_any_way() {
    for types in ["", "::<>", "::<f32>", "::<f32,>"] {
        is_rust::<syn::Expr>(super::closure, &format!("|i| y[i] = x.iter().sum{types}()"));
    }
}

#[test]
fn a_closure_may_begin_with_braces() {
    for source in [
        "|i| {y[i]} = x[i]",
        "fn |v| {v} == 2",
        "fn |v| if v { 1 } else { 2 } as f32",
        "|i| ({}) = ()",
    ] {
        is_rust::<syn::Expr>(super::closure, source);
    }
}

#[test]
fn a_bar_before_a_pattern_stays() {
    is_rust::<syn::Expr>(super::closure, "fn |[| 0 ..]| i");
}

#[test]
fn a_type_that_begins_with_a_bracket_is_bounded() {
    is_rust::<syn::File>(kernel, "fn k(x: <T>::A) {}");
    is_rust::<syn::File>(super::kernel_arg, "struct S { x: <T>::A }");
}
