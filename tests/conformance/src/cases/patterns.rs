//! Patterns: in `match`, `let`, `if let`, `while let`, chains, `matches!`, loops and parameters.

#![allow(
    clippy::manual_range_patterns,
    clippy::match_like_matches_macro,
    clippy::redundant_pattern,
    clippy::single_match,
    clippy::toplevel_ref_arg,
    clippy::match_ref_pats,
    clippy::needless_borrowed_reference,
    clippy::collapsible_else_if,
    clippy::manual_unwrap_or,
    clippy::manual_let_else,
    clippy::infallible_destructuring_match,
    clippy::match_single_binding,
    clippy::never_loop,
    clippy::collapsible_if,
    clippy::collapsible_match,
    clippy::bool_comparison,
    clippy::match_bool,
    clippy::single_element_loop,
    reason = "odd forms are the point"
)]

use crate::case::{Outcome, Suite, case_path, check_eq};
use crate::elements::bodies;
use crate::samples::{Random, Value};
use gridfn::Device;
use gridfn::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Point {
    x: i32,
    y: i32,
}

/// Its layout is rustc's own.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
enum E {
    A,
    B(i32),
    C { x: f32, y: bool },
}

const GIVEN: E = E::B(-7);
const PAIR: (E, i32) = (E::C { x: 6.5, y: false }, 100);
const NOTHING: Option<(u8, bool)> = None;
const SOMETHING: Option<(u8, bool)> = Some((3, true));

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Wrapper(u32, Point);

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Empty;

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(C)]
enum Token {
    Number(i32),
    Plus,
    Minus,
    Shift { by: u32, left: bool },
    At(Point),
    END,
}

const LIMIT: u32 = 17;
const NEGATIVE: i32 = -5;
const HALF: f32 = 0.5;

mod elsewhere {
    pub(super) const TWENTY: u32 = 20;
    pub(super) const THIRTY: u32 = 30;
}
use elsewhere::THIRTY;

#[device]
fn token(n: u32) -> Token {
    match n % 7 {
        0 => Token::Number(n as i32),
        1 => Token::Plus,
        2 => Token::Minus,
        3 | 4 => Token::Shift {
            by: n % 5,
            left: n & 8 == 0,
        },
        5 => Token::At(Point {
            x: n as i32 % 10,
            y: 3,
        }),
        _ => Token::END,
    }
}

#[device]
fn in_parameters(Point { x, .. }: Point, (a, mut b): (i32, i32), [_, c]: [i32; 2], _: u8) -> i32 {
    b ^= x;
    a ^ b ^ c
}

#[device]
fn evaluate(token: Token, value: i32) -> Option<i32> {
    Some(match token {
        Token::Number(n) if n % 2 == 0 => n,
        Token::Number(n @ 1..=1000) => -n,
        Token::Number(_) => return None,
        Token::Plus => value.wrapping_add(1),
        Token::Minus => value.wrapping_sub(1),
        Token::Shift { by, left: true } => value << by,
        Token::Shift { by: 0, .. } => value ^ 1,
        Token::Shift { by: amount, left: _ } => value >> amount,
        Token::At(Point { x: 3..=6, y }) => y,
        Token::At(p) => p.x,
        Token::END => 0,
    })
}

bodies! {
    /// Literals, ranges, alternatives, constants and bindings.
    fn integers(a: u32, b: i32) -> u32 {
        let x = match a {
            0 => 10,
            1 | 2 => 11,
            3..10 => 12,
            10..=16 => 13,
            LIMIT => 14,
            elsewhere::TWENTY | THIRTY => 15,
            n @ (40..50 | 60..70) => n,
            4294967295 => 16,
            n if n % 2 == 1 => n ^ 1,
            100.. => 17,
            _ => 18,
        };
        let y = match b {
            NEGATIVE..=-1 => 1,
            i32::MIN..NEGATIVE => 2,
            0 => 3,
            1..=i32::MAX => 4,
        };
        x ^ y << 8
    }
    /// Other types.
    fn other_types(a: f32, b: u32) -> u32 {
        let x = match a {
            0.0 => 1,
            HALF => 2,
            -1.5 => 3,
            1.0..=10.0 => 4,
            ..0.0 => 5,
            _ => 6,
        };
        let y = match b > 5 {
            true => 1,
            false => 2,
        };
        let z = match b as u8 {
            b'a'..=b'z' => 1,
            b'A' => 2,
            200u8.. => 3,
            _ => 4,
        };
        x ^ y << 4 ^ z << 8
    }
    /// Enums.
    fn enums(a: u32, b: i32) -> i32 {
        match evaluate(token(a), b) {
            Some(n) => n,
            None => -1,
        }
    }
    /// Tuples of values that are looked at together.
    fn tuples(a: u32, b: u32) -> u32 {
        match (a % 4, b % 4, a > b) {
            (0, 0, _) => 1,
            (0, n, true) | (n, 0, false) => 10 + n,
            (x, y, _) if x == y => 20 + x,
            (.., true) => 30,
            (1, ..) => 31,
            (2, _, false) => 32,
            (3.., ..) => 33,
            (_, _, false) => 34,
        }
    }
    /// Structs in tuples in arrays.
    fn nested(a: u32, b: i32) -> i32 {
        let all = [Wrapper(a, Point { x: b, y: 1 }), Wrapper(2, Point { x: 3, y: a as i32 & 15 })];
        match (all, Empty) {
            ([Wrapper(0..=9, Point { x, .. }), _], Empty) => x,
            ([.., Wrapper(_, Point { y: 3 | 4, x })], _) => x ^ 1,
            ([Wrapper(n, _), Wrapper { 1: p, .. }], _) if n & 16 == 0 => p.y,
            ([first, ref last], Empty) => first.1.x ^ last.1.y,
        }
    }
    /// Arrays.
    fn arrays(a: u32, b: u32) -> u32 {
        let array = [a % 3, b % 3, a ^ b, a & b, 5];
        let x = match &array {
            [0, ..] => 1,
            [.., 4] => 2,
            [1, middle @ .., _] => middle[0] ^ middle[2],
            [_, y, rest @ ..] => *y ^ rest[0],
        };
        let [p, q, ..] = array;
        let [.., s] = array;
        x ^ p << 4 ^ q << 6 ^ s << 8
    }
    /// `let` takes apart.
    fn lets(a: u32, b: i32) -> i32 {
        let (x, mut y) = (a, b);
        y ^= 1;
        let Wrapper(n, Point { x: px, y: py }) = Wrapper(x, Point { x: y, y: 7 });
        let (_, _, last) = (1, 2, n);
        let whole @ (first, _) = (px, py);
        let [mut p, _] = [whole.1, first];
        p ^= whole.0;
        let Empty = Empty;
        let _ = p;
        p ^ last as i32 ^ py
    }
    /// `let … else`.
    fn let_else(a: u32) -> i32 {
        let mut sum = 0i32;
        for i in 0..7 {
            let Token::Number(n) = token(a.wrapping_add(i)) else {
                sum ^= 1;
                continue;
            };
            sum = sum.wrapping_add(n);
            let ((1, k) | (k, 3)) = (n & 1, i as i32) else { break };
            sum ^= k;
        }
        sum
    }
    /// `if let` and chains.
    fn if_let(a: u32, b: i32) -> i32 {
        let t = token(a);
        let x = if let Token::At(Point { x, y }) = t { x ^ y } else if let Token::Shift { by, .. } = t { by as i32 } else { -1 };
        let y = if let Token::Number(n) = t && n > 50 && let Some(m) = evaluate(t, b) { m ^ n } else { 0 };
        if b > 0 && let 0..=9 = x { y } else { x ^ y }
    }
    /// `while let`.
    fn while_let(a: u32) -> u32 {
        let mut n = a % 1000;
        let mut steps = 0;
        while let Some(half) = if n % 2 == 0 && n > 0 { Some(n / 2) } else { None } {
            n = half;
            steps += 1;
        }
        'outer: while let m @ 3.. = n && steps < 20 {
            n = m - 3;
            loop {
                steps += 1;
                if steps % 5 == 0 { continue 'outer; }
                break;
            }
        }
        n ^ steps << 10
    }
    /// `matches!`.
    fn matches_macro(a: u32, b: i32) -> u32 {
        let t = token(a);
        let mut bits = matches!(t, Token::Plus | Token::Minus) as u32;
        bits |= (matches!(t, Token::Number(n) if n > b) as u32) << 1;
        bits |= (std::matches!(a, LIMIT | 0..=3) as u32) << 2;
        if !core::matches!((a, b), (0..=100, 0..=100),) { bits |= 8; }
        bits
    }
    /// Variants of one letter, and constants of enums whose layout is rustc's own.
    fn short_names(a: u32, b: i32) -> i32 {
        let e = match a % 4 {
            0 => E::A,
            1 => E::B(b),
            2 => E::C { x: 0.5, y: true },
            _ => GIVEN,
        };
        let option = if b > 3 { NOTHING } else { SOMETHING };
        let n = match e {
            E::A => 1,
            GIVEN => 2,
            E::B(n) => n,
            E::C { y, .. } => y as i32 + 4,
        };
        n ^ match option {
            SOMETHING => 16,
            Some((n, _)) => n as i32,
            NOTHING => 32,
        } ^ match PAIR { (E::C { x, .. }, k) => x as i32 ^ k, _ => 0 }
    }
    /// Slices, of which a pattern tells the length.
    fn slices(a: u32, b: u32) -> u32 {
        let array = [a, b, 7, a ^ b, 2];
        let k = (a % 6) as usize;
        let mut rest = &array[k..];
        let mut n = match rest {
            [] => 1,
            [x] => *x,
            [0..=99, 7, ..] => 3,
            [x, .., y] if x > y => x ^ y,
            [_, middle @ .., _] => middle.len() as u32,
        };
        if let [first, .., last] = &array[..k] { n ^= first ^ last; }
        while let [first, tail @ ..] = rest {
            n = n.rotate_left(3) ^ first;
            rest = tail;
        }
        let [x, y, ..] = &array[..] else { unreachable!() };
        n ^ match &array[..] { [_, _] => 1, [_, _, _, _, z] => x ^ y ^ z, [..] => 2 }
    }
    /// A pattern's names hide others, in the arm and the guard only.
    fn scopes(a: u32, b: u32) -> u32 {
        let x = a;
        let y = match b {
            x if x > 5 => x ^ 1,
            x => { let x = x + 1; x * 2 }
        };
        let z = if let Some(x) = Some(y) { x } else { x };
        x ^ y ^ z
    }
    /// Variants in capitals, and plain ones by `==`.
    fn capitals(a: u32) -> u32 {
        match token(a) {
            Token::END => 1,
            Token::Plus => 2,
            _ => 3,
        }
    }
    /// Patterns of parameters.
    fn parameters(a: i32, b: i32) -> i32 {
        in_parameters(Point { x: a, y: 0 }, (b, 2), [1, a ^ b], 9)
    }
    /// References in patterns, and what binds by reference.
    fn references(a: u32, b: i32) -> i32 {
        let mut w = Wrapper(a, Point { x: b, y: 2 });
        match &mut w {
            Wrapper(0..=99, p) => p.x ^= 1,
            Wrapper(n, Point { x, y }) => {
                *n ^= 3;
                *y = *x ^ 5;
            }
        }
        match w {
            Wrapper(ref mut n, Point { ref x, .. }) if *x > 0 => *n = *x as u32,
            Wrapper(_, ref mut p) => *p = Point { x: 1, y: 2 },
        }
        let &Wrapper(n, ref p) = &w;
        let Point { x, y } = p;
        let ref z = n;
        let (&c, d) = (&b, &b);
        (*z) as i32 ^ *x ^ *y ^ c ^ *d
    }
}

/// Patterns on elements of buffers, and on what they hold.
#[kernel]
fn rewrite(limit: u32, tokens: &mut [Token], log: &mut [i32]) {
    let i = global_id(0);
    match &mut tokens[i] {
        Token::Number(n) => *n = n.wrapping_mul(2),
        Token::Shift { by, left } if *by > limit => {
            *left = !*left;
            *by = limit;
        }
        t @ Token::Plus => *t = Token::Minus,
        _ => {}
    }
    if let Token::At(ref mut p) = tokens[i] {
        p.y = p.x;
    }
    log[i] = match tokens[i] {
        Token::At(Point { x, y }) => x ^ y,
        Token::Number(n) => n,
        _ => -1,
    };
}

fn elements(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut random = Random::of("tokens");
    let tokens: Vec<Token> = (0..60).map(|_| token(u32::random(&mut random))).collect();
    let (mut tb, mut log) = (queue.upload(&tokens)?, queue.zeros::<i32>(60)?);
    launch!(queue, rewrite(2, &mut tb, &mut log), global = 60)?;
    let expected: Vec<Token> = tokens
        .iter()
        .map(|t| match *t {
            Token::Number(n) => Token::Number(n.wrapping_mul(2)),
            Token::Shift { by, left } if by > 2 => Token::Shift { by: 2, left: !left },
            Token::Plus => Token::Minus,
            Token::At(p) => Token::At(Point { x: p.x, y: p.x }),
            t => t,
        })
        .collect();
    check_eq!(queue.download(&tb)?, expected);
    let expected: Vec<i32> = expected
        .iter()
        .map(|t| match t {
            Token::At(_) => 0,
            Token::Number(n) => *n,
            _ => -1,
        })
        .collect();
    check_eq!(queue.download(&log)?, expected);
    Ok(())
}

/// The patterns of closures, and the constants in them, which are no captures.
fn closures(device: &Device) -> Outcome {
    let queue = device.queue()?;
    const LOCAL: u32 = 4;
    let (x, t) = ((0..40).collect::<Vec<u32>>(), (7u32, Point { x: 1, y: -1 }));
    let (xb, mut y) = (queue.upload(&x)?, queue.zeros::<u32>(40)?);
    launch!(
        queue,
        |i| {
            const INNER: u32 = 5;
            let (k, Point { x: px, .. }) = t;
            y[i] = match xb[i] {
                LIMIT => 1,
                LOCAL => 2,
                INNER => 3,
                elsewhere::TWENTY..THIRTY => k,
                n if matches!(n % 2, 1) => px as u32,
                n => n,
            };
        },
        global = 40
    )?;
    let expected: Vec<u32> = x
        .iter()
        .map(|n| match n {
            17 => 1,
            4 => 2,
            5 => 3,
            20..30 => 7,
            n if n % 2 == 1 => 1,
            n => *n,
        })
        .collect();
    check_eq!(queue.download(&y)?, expected);
    Ok(())
}

pub(super) fn all(suite: &mut Suite) {
    add_to(suite);
    suite.kernel::<rewrite>();
    suite.case(case_path!("elements"), &[], elements);
    suite.case(case_path!("closures"), &[], closures);
}
