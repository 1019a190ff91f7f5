//! References, parts of slices, and the methods of slices.

use crate::ast::{Name, Node, Piece};
use crate::form;
use crate::generator::{Generator, Indexing, Source};
use crate::rows::Row;
use crate::shape::Shape;
use crate::types::Type;
use gridfn_ir::Scalar;

/// `{ let mut v = a; let r = &mut v; *r = b; *r }`
pub fn unique(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    ty.scalar()?;
    let (a, b) = (g.expr(ty.clone()), g.expr(ty.clone()));
    let [v, r] = ["v", "r"].map(|prefix| g.name(prefix));
    let end = *g.random.pick(&["*$", "$"]);
    let mut pieces = form!(
        "({ let mut $ = $; let $ = &mut $; *$ = $; ",
        Piece::Bind(v),
        a,
        Piece::Bind(r),
        v,
        r,
        b
    );
    pieces.extend(form!(format!("{end} }})"), if end == "$" { v } else { r }));
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `{ let v = a; let w = b; let r = if c { &v } else { &w }; *r }`
pub fn shared(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    ty.scalar()?;
    let (a, b, c) = (g.expr(ty.clone()), g.expr(ty.clone()), g.expr(Scalar::Bool));
    let [v, w, n, r] = ["v", "w", "n", "r"].map(|prefix| g.name(prefix));
    let mut pieces = form!("({ let $ = $; let $ = $; ", Piece::Bind(v), a, Piece::Bind(w), b);
    pieces.extend(form!(
        "let $ = $; let $ = if $ { &$ } else { &$ }; *$ })",
        Piece::Bind(n),
        c,
        Piece::Bind(r),
        n,
        v,
        w,
        r
    ));
    Some(Node::expr(row, ty.clone(), pieces))
}

/// A function that changes what it is handed.
pub fn passed(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.functions.len() < 4)?;
    let [fun, v] = ["fun", "v"].map(|prefix| g.name(prefix));
    let item = g.function(None, None, |g| {
        let [a, b] = ["a", "b"].map(|prefix| g.name(prefix));
        let mut pieces = vec![super::functions::attribute()];
        let text = "fn $($: &mut $, $: &$) { ";
        pieces.extend(form!(
            text,
            Piece::Bind(fun),
            Piece::Bind(a),
            scalar,
            Piece::Bind(b),
            scalar
        ));
        for name in [a, b] {
            g.sources.push(Source {
                row,
                ty: ty.clone(),
                base: form!("(*$)", name),
                index: Indexing::None,
                field: String::new(),
            });
        }
        pieces.extend(form!("*$ = $; }", a, g.expr(scalar)));
        Node::stmt(row, pieces)
    });
    g.items.push(item);
    let (a, b) = (g.expr(scalar), g.expr(scalar));
    let pieces = form!(
        "({ let mut $ = $; $(&mut $, &$); $ })",
        Piece::Bind(v),
        a,
        fun,
        v,
        b,
        v
    );
    Some(Node::expr(row, scalar, pieces))
}

/// A slice or array that can be read, of any type that `keep` holds for.
pub fn slice(g: &mut Generator, keep: impl Fn(Scalar) -> bool) -> Option<(Vec<Piece>, Scalar, usize)> {
    let of: Vec<_> = g
        .sources
        .iter()
        .filter_map(|s| match (s.index, s.ty.scalar(), s.field.is_empty()) {
            (Indexing::Below(len), Some(ty), true) if keep(ty) => Some((s.base.clone(), ty, len)),
            _ => None,
        })
        .collect();
    if of.is_empty() {
        return None;
    }
    Some(g.random.pick(&of).clone())
}

/// `{ let i = …; let s = &x[i..j]; s[k] }`
pub fn subslice(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (base, _, len) = slice(g, |s| s == scalar)?;
    let (start, rest) = (g.index(len), g.index(4));
    let [i, k, s] = ["i", "k", "s"].map(|prefix| g.name(prefix));
    let range = match g.random.below(4) {
        0 => form!("$..", i),
        1 => form!("..$ + 1", i),
        2 => form!("..=$", i),
        _ => form!(
            format!("$..if $ + 3 < {len} {{ $ + 3 }} else {{ {len} }}"),
            i,
            i,
            i
        ),
    };
    let mut pieces = form!(
        "({ let $ = $; let $ = $; let $ = &",
        Piece::Bind(i),
        start,
        Piece::Bind(k),
        rest,
        Piece::Bind(s)
    );
    pieces.extend(base);
    pieces.push("[".into());
    pieces.extend(range);
    pieces.extend(form!("]; $[$ % $.len()] })", s, k, s));
    Some(Node::expr(row, scalar, pieces))
}

/// `{ let (l, r) = x.split_at(i); if c { l[…] } else { r[…] } }`
pub fn split_at(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (base, _, len) = slice(g, |s| s == scalar)?;
    // One more would be a fault, and the length itself is none.
    let most = if g.faults { len + 2 } else { len };
    let (at, which) = (g.index(most), g.index(len));
    let [i, k, l, r] = ["i", "k", "l", "r"].map(|prefix| g.name(prefix));
    let mut pieces = form!(
        "({ let $ = $; let $ = $; let ($, $) = ",
        Piece::Bind(i),
        at,
        Piece::Bind(k),
        which,
        Piece::Bind(l),
        Piece::Bind(r)
    );
    pieces.extend(base);
    pieces.extend(form!(
        ".split_at($); if $ < $.len() { $[$] } else { $[$ - $.len()] } })",
        i,
        k,
        l,
        l,
        k,
        r,
        k,
        l
    ));
    Some(Node::expr(row, scalar, pieces))
}

/// `{ let s = if c { &x[i..] } else { &x[..j + 1] }; s[k % s.len()] }`, or `if c { &x } else { &y }`: a part of another
/// slice would be refused, because a range may fault.
pub fn chosen(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (one, _, len) = slice(g, |s| s == scalar)?;
    let (other, ..) = slice(g, |s| s == scalar)?;
    let values = [g.index(len), g.index(len), g.index(8), g.expr(Scalar::Bool)];
    let [i, j, k, c] = ["i", "j", "k", "c"].map(|prefix| g.name(prefix));
    let mut pieces = form!("({ ");
    for (name, value) in [i, j, k, c].into_iter().zip(values) {
        pieces.extend(form!("let $ = $; ", Piece::Bind(name), value));
    }
    let s = g.name("s");
    pieces.extend(form!("let $ = if $ { &", Piece::Bind(s), c));
    let one_end = one.clone();
    pieces.extend(one);
    if g.random.chance(50) {
        pieces.extend(form!("[$..] } else { &", i));
        pieces.extend(one_end);
        pieces.extend(form!("[..$ + 1] }; ", j));
    } else {
        pieces.push("[..] } else { &".into());
        pieces.extend(other);
        pieces.push("[..] }; ".into());
    }
    pieces.extend(form!("$[$ % $.len()] })", s, k, s));
    Some(Node::expr(row, scalar, pieces))
}

/// The methods of slices that give an `Option`, and what is made of that.
pub fn looked_up(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (base, _, len) = slice(g, |s| s == scalar)?;
    let call = match row {
        Row::SliceFirst => form!(".first()"),
        Row::SliceLast => form!(".last()"),
        _ => form!(".get($)", g.index(len + 3)),
    };
    let other = g.expr(scalar);
    let mut pieces = form!("(");
    pieces.extend(base);
    pieces.extend(call);
    pieces.extend(form!(".copied().unwrap_or($))", other));
    Some(Node::expr(row, scalar, pieces))
}

/// `{ let s = &x[i..j]; … s … }`: a part of unknown length, perhaps empty, and what stands around its uses.
fn part(g: &mut Generator, scalar: Scalar) -> Option<(Name, Vec<Piece>)> {
    let (base, _, len) = slice(g, |s| s == scalar)?;
    let (start, more) = (g.index(len), g.index(4));
    let [i, s] = ["i", "s"].map(|prefix| g.name(prefix));
    let mut pieces = form!("({ let $ = $; let $ = &", Piece::Bind(i), start, Piece::Bind(s));
    pieces.extend(base);
    let end = format!("[$..($ + $).min({len})]; ");
    pieces.extend(form!(end, i, i, more));
    Some((s, pieces))
}

/// `if let Some((first, rest)) = s.split_first() { … } else { … }`
pub fn split_end(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (s, mut pieces) = part(g, scalar)?;
    let [end, rest] = ["a", "r"].map(|prefix| g.name(prefix));
    let method = if row == Row::SplitFirst {
        "split_first"
    } else {
        "split_last"
    };
    let text = format!(
        "if let Some(($, $)) = $.{method}() {{ if $.len() > 1 {{ $[1] }} else {{ *$ }} }} else {{ $ }} }})"
    );
    let binds = [end, rest].map(Piece::Bind);
    let [bind_end, bind_rest] = binds;
    pieces.extend(form!(
        text,
        bind_end,
        bind_rest,
        s,
        rest,
        rest,
        end,
        g.expr(scalar)
    ));
    Some(Node::expr(row, scalar, pieces))
}

/// `match s { [] => …, [a] => …, [a, .., b] => … }`
pub fn pattern(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (s, mut pieces) = part(g, scalar)?;
    pieces.extend(form!("match $ { [] => $, ", s, g.expr(scalar)));
    let [a, b, r] = ["a", "b", "r"].map(|prefix| g.name(prefix));
    if g.random.chance(50) {
        pieces.extend(form!("[$] => *$, ", Piece::Bind(a), a));
    }
    pieces.extend(match g.random.below(3) {
        0 => form!(
            "[$, .., $] if $ => *$, ",
            Piece::Bind(b),
            Piece::Bind(r),
            g.expr(Scalar::Bool),
            r
        ),
        1 => form!(
            "[$, $ @ ..] if $.len() > 1 => $[1], ",
            Piece::Bind(b),
            Piece::Bind(r),
            r,
            r
        ),
        _ => form!(
            "[$ @ .., $] if $.is_empty() => *$, ",
            Piece::Bind(r),
            Piece::Bind(b),
            r,
            b
        ),
    });
    let rest = g.name("a");
    pieces.extend(form!("[$, ..] => *$ } })", Piece::Bind(rest), rest));
    Some(Node::expr(row, scalar, pieces))
}

/// `x.contains(&e)`
pub fn contains(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    (*ty == Scalar::Bool.into()).then_some(())?;
    let (base, of, _) = slice(g, |_| true)?;
    let name = g.name("v");
    let mut pieces = form!("({ let $ = $; ", Piece::Bind(name), g.expr(of));
    pieces.extend(base);
    pieces.extend(form!(".contains(&$) })", name));
    Some(Node::expr(row, Scalar::Bool, pieces))
}

/// A method that changes an array of the function's, and an element of it then.
pub fn changed(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let (scalar, len) = (ty.scalar()?, 2 + g.random.below(4));
    let [a, i, j, v, k] = ["a", "i", "j", "v", "k"].map(|prefix| g.name(prefix));
    let array = Shape::array(scalar, len);
    let mut pieces = form!(
        "({ let $ = $; let $ = $; ",
        Piece::Bind(i),
        g.index(len),
        Piece::Bind(j),
        g.index(len)
    );
    pieces.extend(form!(
        "let $ = $; let $ = $; ",
        Piece::Bind(v),
        g.expr(scalar),
        Piece::Bind(k),
        g.index(len)
    ));
    pieces.extend(form!("let mut $ = ", Piece::Bind(a)));
    pieces.extend(array.value(g));
    pieces.push("; ".into());
    pieces.extend(match row {
        Row::SliceSwap => form!("$.swap($, $); ", a, i, j),
        Row::SliceFill => form!("$[$..].fill($); ", a, i, v),
        Row::SliceReverse => form!("$[$..].reverse(); ", a, i),
        Row::SliceCopy => form!("$[..2].copy_from_slice(&[$, $]); ", a, v, v),
        Row::IterMut | Row::IterMutReference | Row::IterReference => {
            let (e, n) = (g.name("e"), g.name("n"));
            let (text, changes) = match row {
                Row::IterReference => ("&$", false),
                Row::IterMutReference => ("&mut $", true),
                _ => (*g.random.pick(&["$.iter_mut()", "$[1..].iter_mut().rev()"]), true),
            };
            let mut of = form!("let mut $ = 0u32; for $ in ", Piece::Bind(n), Piece::Bind(e));
            of.extend(form!(text, a));
            of.extend(if changes {
                form!(" { $ += 1; if $ % 2 == 1 { *$ = $; } } ", n, n, e, v)
            } else {
                form!(
                    " { if *$ == $ { $ += 1; } } if $ > 0 { $[$] = $; } ",
                    e,
                    v,
                    n,
                    n,
                    a,
                    i,
                    v
                )
            });
            of
        }
        Row::SliceSplit => {
            let (l, r) = (g.name("l"), g.name("r"));
            let mut split = form!(
                "let ($, $) = $.split_at_mut($); ",
                Piece::Bind(l),
                Piece::Bind(r),
                a,
                i
            );
            split.extend(form!(
                "if !$.is_empty() { $[0] = $; } if !$.is_empty() { $[0] = $; } ",
                l,
                l,
                v,
                r,
                r,
                v
            ));
            split
        }
        _ => {
            let e = g.name("e");
            let mut of = form!("if let Some($) = $", Piece::Bind(e), a);
            of.extend(match g.random.below(3) {
                0 => form!(".first_mut()"),
                1 => form!(".last_mut()"),
                _ => form!(".get_mut($)", i),
            });
            of.extend(form!(" { *$ = $; } ", e, v));
            of
        }
    });
    pieces.extend(form!("$[$] })", a, k));
    Some(Node::expr(row, scalar, pieces))
}
