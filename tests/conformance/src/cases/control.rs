//! `let`, `if`, blocks, `while` and `loop`, labels.

#![allow(
    clippy::needless_late_init,
    clippy::never_loop,
    clippy::let_and_return,
    clippy::blocks_in_conditions,
    clippy::collapsible_if,
    clippy::collapsible_else_if,
    clippy::needless_bool,
    clippy::let_unit_value,
    clippy::no_effect,
    clippy::unnecessary_operation,
    clippy::while_immutable_condition,
    clippy::eq_op,
    clippy::ifs_same_cond,
    clippy::explicit_counter_loop,
    clippy::manual_range_contains,
    clippy::nonminimal_bool,
    unused_parens,
    unused_assignments,
    unused_variables,
    unused_must_use,
    path_statements,
    clippy::assign_op_pattern,
    reason = "odd forms are the point"
)]

use crate::elements::bodies;
use gridfn::prelude::*;

bodies! {
    /// A name may be bound again, with another type, and its value read while it is.
    fn shadowing(a: u32, b: u32) -> u64 {
        let x = a;
        let x = x as u64 + 1;
        let y = {
            let x = x * 2;
            let b = b as u64;
            x + b
        };
        let x = x ^ y;
        x
    }
    /// A binding without a value yet.
    fn deferred(a: i32, b: i32) -> i32 {
        let x;
        let y: i32;
        if a > b {
            x = a;
            y = 1;
        } else {
            x = b;
            y = 2;
        }
        x ^ y
    }
    /// A mutable one, assigned in a loop.
    fn deferred_mutable(a: u32) -> u32 {
        let mut x;
        x = a & 15;
        let mut n = 0;
        while x != 0 {
            x = x & (x - 1);
            n += 1;
        }
        n
    }
    /// `if` as a value, in another's condition and as an operand.
    fn if_as_value(a: i32, b: i32) -> i32 {
        let x = (if a > b { a } else { b }) ^ if a == b { 1 } else if a < 0 { 2 } else { 3 };
        if if a > 0 { b > 0 } else { b < 0 } { x } else { !x }
    }
    /// `if` as a statement.
    fn if_as_statement(a: i32, b: i32) -> i32 {
        let mut x = 0;
        if a > 10 {
            x += 1;
        }
        if b > 10 {
            x += 2;
        } else if b > 5 {
            x += 4;
        } else {
            x += 8;
        }
        if a > b {} else {
            x += 16;
        }
        x
    }
    /// The right side of `&&` and `||` runs only if it must.
    fn lazy(a: u32, b: u32) -> u32 {
        let mut ran = 0;
        let x = a > 5 && {
            ran += 1;
            b > 5
        };
        let y = a > 7 || {
            ran += 10;
            b > 7
        };
        let z = b != 0 && a / b > 2 || a == b;
        ran + x as u32 * 100 + y as u32 * 200 + z as u32 * 400
    }
    /// Blocks with statements in the middle of expressions.
    fn blocks_in_expressions(a: u32, b: u32) -> u32 {
        let mut n = a & 0xff;
        let x = n + {
            n = n + 1;
            n * 2
        } + {
            let k = n;
            k
        };
        x ^ b
    }
    /// Operands are evaluated from left to right.
    fn order_of_operands(a: u32) -> u32 {
        let mut n = a & 0xff;
        let x = n - n + {
            n += 3;
            n
        } * 2 + n;
        let y = { n *= 2; n } * 100 + { n += 1; n };
        x + y
    }
    /// A compound assignment evaluates its right side first.
    fn order_of_assignments(a: u32) -> u32 {
        let mut n = a & 0xff;
        n += {
            n = 5;
            10
        };
        n
    }
    /// A loop that counts.
    fn while_loop(a: u32) -> u32 {
        let mut n = a;
        let mut steps = 0;
        while n != 1 && steps < 50 {
            n = if n % 2 == 0 { n / 2 } else { (n % 100_000) * 3 + 1 };
            steps += 1;
        }
        steps * 7 + (n & 3)
    }
    /// A loop whose condition has statements.
    fn while_with_a_block(a: u32) -> u32 {
        let mut n = a & 31;
        while {
            n += 1;
            n % 8 != 0
        } {}
        n
    }
    /// A loop that is left with a value.
    fn loop_with_value(a: u32) -> u32 {
        let mut n = a & 0xffff;
        let steps = loop {
            if n < 10 {
                break n;
            }
            if n % 3 == 0 {
                n /= 3;
                continue;
            }
            n -= 1;
        };
        steps + n * 100
    }
    /// `break` and `continue` of loops around, through three levels.
    fn labels(a: u32, b: u32) -> u32 {
        let mut sum = 0u32;
        let p = a & 7;
        let q = b & 7;
        'outer: for i in 0..8u32 {
            'middle: for j in 0..8u32 {
                let mut k = 0;
                loop {
                    k += 1;
                    if k > 5 {
                        break;
                    }
                    if k == p {
                        continue;
                    }
                    if i * j == p * q {
                        continue 'middle;
                    }
                    if i + j + k == p + q {
                        continue 'outer;
                    }
                    if i > q && j > p {
                        break 'outer;
                    }
                    if k > i + 2 {
                        break 'middle;
                    }
                    sum += i * 100 + j * 10 + k;
                }
                sum += 1000;
            }
            sum += 100_000;
        }
        sum
    }
    /// A value out of three loops.
    fn labelled_value(a: u32, b: u32) -> u32 {
        let found = 'search: loop {
            let mut i = 0;
            loop {
                let inner = loop {
                    i += 1;
                    if i * i > (a & 0xfff) {
                        break 'search i;
                    }
                    if i % 3 == b % 3 {
                        break i * 2;
                    }
                };
                if inner > (b & 0xff) {
                    break 'search inner + 1000;
                }
            }
        };
        found
    }
    /// A name may be two labels, one behind the other.
    fn labels_of_one_name(a: u32) -> u32 {
        let mut n = 0;
        'again: loop {
            n += 1;
            if n > (a & 7) {
                break 'again;
            }
        }
        'again: while n < 100 {
            for i in 0..10 {
                n += 10;
                if i == (a & 3) {
                    continue 'again;
                }
            }
        }
        n
    }
    /// A block that is left early, with a value.
    fn labelled_block(a: i32, b: i32) -> i32 {
        let x = 'done: {
            if a < 0 {
                break 'done -1;
            }
            for i in 0..10 {
                if i == (b & 15) {
                    break 'done i * 10;
                }
            }
            7
        };
        'skip: {
            if x == 7 {
                break 'skip;
            }
        }
        x
    }
    /// A `break` of a loop inside a labelled block, and of the block inside the loop.
    fn block_around_a_loop(a: u32) -> u32 {
        let mut n = a & 63;
        'block: {
            while n > 0 {
                n -= 1;
                if n == 20 {
                    break 'block;
                }
                if n % 7 == 3 {
                    break;
                }
            }
            n += 1000;
        }
        n
    }
    /// Values of type `()`.
    fn units(a: u32) -> u32 {
        let mut n = a & 0xff;
        let nothing = n += 1;
        let none = ();
        let empty = {};
        let of_loop = while n % 4 != 0 {
            n += 1;
        };
        n
    }
    /// `_` takes a value and forgets it, but what computes it runs.
    fn discarded(a: u32) -> u32 {
        let mut n = a & 0xff;
        let _ = {
            n += 1;
            n
        };
        _ = {
            n += 2;
            n
        };
        n;
        n
    }
    /// A jump where a value is expected.
    fn jumps_as_values(a: u32, b: u32) -> u32 {
        let mut sum = 0u32;
        let mut i = 0;
        while i < 20 {
            i += 1;
            let x = if i % 3 == a % 3 { continue } else { i };
            let y: u32 = if x > (b & 15) + 3 {
                break;
            } else {
                x * 2
            };
            sum += x + y;
        }
        sum
    }
    /// Deep nesting.
    fn nested(a: u32, b: u32) -> u32 {
        let mut n = 0;
        if a > 1 {
            if b > 1 {
                while n < 10 {
                    if a & 1 == 0 {
                        loop {
                            n += 1;
                            if n & 3 == 0 {
                                if b & 1 == 0 {
                                    break;
                                } else {
                                    n += 2;
                                }
                            }
                            if n > 40 {
                                break;
                            }
                        }
                    } else {
                        n += 5;
                    }
                }
            } else {
                n = 100;
            }
        }
        n
    }
}
