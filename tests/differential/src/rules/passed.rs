//! Functions and closures as arguments of functions, and of kernels.

use super::functions::attribute;
use crate::ast::{Name, Node, Piece};
use crate::form;
use crate::generator::{Generator, Variable};
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

/// `fn fun<F: Fn(A) -> R>(f: F, a: A) -> R`, whose body calls `f`, and some other function that hands `f` on.
fn define(g: &mut Generator, row: Row, types: [Scalar; 2], result: Scalar) -> Name {
    let (fun, f) = (g.name("fun"), g.name("f"));
    let once = row == Row::PassedOnce;
    let of = if once { "FnOnce" } else { "Fn" };
    let item = g.function(None, Some(result.into()), |g| {
        let [a, b] = types.map(|ty| g.variable_of(ty, false));
        let mut pieces = vec![attribute()];
        pieces.extend(if g.random.chance(50) {
            let text = format!("fn $<F: {of}($, $) -> $>($: F, $: $, $: $) -> $ {{ ");
            let [x, y] = types;
            form!(
                text,
                Piece::Bind(fun),
                x,
                y,
                result,
                Piece::Bind(f),
                Piece::Bind(a),
                x,
                Piece::Bind(b),
                y,
                result
            )
        } else {
            let text = format!("fn $<F>($: F, $: $, $: $) -> $ where F: {of}($, $) -> $ {{ ");
            let [x, y] = types;
            form!(
                text,
                Piece::Bind(fun),
                Piece::Bind(f),
                Piece::Bind(a),
                x,
                Piece::Bind(b),
                y,
                result,
                x,
                y,
                result
            )
        });
        let statements = g.statements(2);
        let first = form!("$($, $)", f, g.expr(types[0]), g.expr(types[1]));
        let end = if once {
            Node::plain(result, first)
        } else {
            // It is called more than once.
            let called = Node::plain(result, first);
            let again = form!("$($, $)", f, g.leaf(&types[0].into()), g.leaf(&types[1].into()));
            let again = Node::plain(result, again);
            let c = g.expr(Scalar::Bool);
            Node::plain(
                result,
                form!("{ let first = $; if $ { first } else { $ } }", called, c, again),
            )
        };
        pieces.extend(form!("$ $ }", statements, end));
        Node::stmt(row, pieces)
    });
    g.items.push(item);
    if row != Row::PassedOn {
        return fun;
    }
    let [outer, f, a, b] = ["fun", "f", "a", "b"].map(|prefix| g.name(prefix));
    let mut pieces = vec![attribute()];
    let text = "fn $<F: Fn($, $) -> $ + Copy>($: F, $: $, $: $) -> $ { ";
    let [x, y] = types;
    pieces.extend(form!(
        text,
        Piece::Bind(outer),
        x,
        y,
        result,
        Piece::Bind(f),
        Piece::Bind(a),
        x,
        Piece::Bind(b),
        y,
        result
    ));
    let text = *g
        .random
        .pick(&["$($, $, $) }", "$(&$, $, $) }", "$(|x, y| $(x, y), $, $) }"]);
    pieces.extend(form!(text, fun, f, a, b));
    g.items.push(Node::stmt(row, pieces));
    outer
}

/// A `#[device]` function of these types.
fn target(g: &mut Generator, row: Row, types: [Scalar; 2], result: Scalar) -> Name {
    let fun = g.name("fun");
    let item = g.function(None, Some(result.into()), |g| {
        let [a, b] = types.map(|ty| g.variable_of(ty, false));
        let mut pieces = vec![attribute()];
        pieces.extend(form!(
            "fn $($: $, $: $) -> $ { ",
            Piece::Bind(fun),
            Piece::Bind(a),
            types[0],
            Piece::Bind(b),
            types[1],
            result
        ));
        let statements = g.statements(2);
        pieces.extend(form!("$ $ }", statements, g.expr(result)));
        Node::stmt(row, pieces)
    });
    g.items.push(item);
    fun
}

/// A closure of these types, which reads what is around it.
fn closure(g: &mut Generator, types: [Scalar; 2], result: Scalar) -> Vec<Piece> {
    g.closure(|g| {
        let [x, y] = types.map(|ty| g.variable_of(ty, false));
        let (told, body) = (g.random.chance(50), g.expr(result));
        let [x, y] = [x, y].map(Piece::Bind);
        if told {
            form!("|$: $, $: $| $", x, types[0], y, types[1], body)
        } else {
            form!("|$, $| $", x, y, body)
        }
    })
}

/// `fun(|x, y| …, a, b)`
pub fn call(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let result = ty.scalar().filter(|_| g.may_loop() && g.functions.len() < 4)?;
    let types = [g.scalar(), g.scalar()];
    let arguments = types.map(|ty| g.expr(ty));
    let names = [g.name("a"), g.name("a")];
    let fun = define(g, row, types, result);
    let mut pieces = form!("({ ");
    for (name, argument) in names.into_iter().zip(arguments) {
        pieces.extend(form!("let $ = $; ", Piece::Bind(name), argument));
    }
    let named = row == Row::PassedFunction || row != Row::PassedClosure && g.random.chance(30);
    let passed = if named {
        // In a closure kernel a name alone may be a variable that is captured.
        let target = target(g, Row::PassedFunction, types, result);
        form!("self::$", target)
    } else {
        closure(g, types, result)
    };
    // Perhaps as a variable, and by reference.
    let passed = if !named && g.random.chance(40) {
        let f = g.name("f");
        let [x, y] = types;
        let told = closure_with_types(passed, x, y);
        pieces.extend(form!("let $ = ", Piece::Bind(f)));
        pieces.extend(told);
        pieces.push("; ".into());
        let text = if row == Row::PassedOnce || g.random.chance(50) {
            "$"
        } else {
            "&$"
        };
        form!(text, f)
    } else {
        passed
    };
    pieces.extend(form!("$(", fun));
    pieces.extend(passed);
    pieces.extend(form!(", $, $) })", names[0], names[1]));
    Some(Node::expr(row, result, pieces))
}

/// A closure in a variable, whose types nothing else tells.
fn closure_with_types(pieces: Vec<Piece>, x: Scalar, y: Scalar) -> Vec<Piece> {
    let told = |piece: &Piece| matches!(piece, Piece::Text(text) if text.contains(':'));
    if pieces.iter().take(3).any(told) {
        return pieces;
    }
    let mut types = [x, y].into_iter();
    let mut all = Vec::new();
    for piece in pieces {
        let is_parameter = matches!(piece, Piece::Bind(_));
        all.push(piece);
        if is_parameter && let Some(ty) = types.next() {
            all.extend(form!(": $", ty));
        }
    }
    all
}

/// `{ let mut v = …; fun(|x| v = …, a); v }`
pub fn changes(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.may_loop())?;
    let of = g.scalar();
    let [fun, f, a] = ["fun", "f", "a"].map(|prefix| g.name(prefix));
    let mut item = vec![attribute()];
    let text = "fn $<F: FnMut($)>(mut $: F, $: $) { for _ in 0..3 { $($); } }";
    item.extend(form!(
        text,
        Piece::Bind(fun),
        of,
        Piece::Bind(f),
        Piece::Bind(a),
        of,
        f,
        a
    ));
    g.items.push(Node::stmt(row, item));
    let (start, argument) = (g.expr(scalar), g.expr(of));
    let [v, b] = ["v", "b"].map(|prefix| g.name(prefix));
    let (x, body) = g.closure(|g| {
        g.variables.push(Variable {
            name: v,
            ty: ty.clone(),
            mutable: false,
        });
        (g.variable_of(of, false), g.expr(scalar))
    });
    let mut pieces = form!(
        "({ let mut $ = $; let $ = $; ",
        Piece::Bind(v),
        start,
        Piece::Bind(b),
        argument
    );
    pieces.extend(form!("$(|$| $ = $, $); $ })", fun, Piece::Bind(x), v, body, b, v));
    Some(Node::expr(row, scalar, pieces))
}

/// What a launch passes as a function: the name of one, or a closure.
pub fn argument(g: &mut Generator, types: [Scalar; 2], result: Scalar) -> Node {
    if g.random.chance(50) {
        let fun = target(g, Row::FunctionParam, types, result);
        let of_kernel = Piece::Sides {
            kernel: " {}".into(),
            oracle: String::new(),
        };
        return Node::plain(result, vec![Piece::Use(fun), of_kernel]);
    }
    let pieces = g.function(None, Some(result.into()), |g| {
        let [x, y] = types.map(|ty| g.variable_of(ty, false));
        // The items that it would use are the module's, and so is it.
        g.returns = false;
        let body = g.expr(result);
        let [x, y] = [x, y].map(Piece::Bind);
        form!("|$: $, $: $| $", x, types[0], y, types[1], body)
    });
    Node::plain(result, pieces)
}

/// `f(a, b)` of the kernel's own parameter.
pub fn of_kernel(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (name, types, result) = g.taken?;
    if result != scalar || g.item.is_none() {
        return None;
    }
    let pieces = form!("$($, $)", name, g.expr(types[0]), g.expr(types[1]));
    Some(Node::expr(row, scalar, pieces))
}
