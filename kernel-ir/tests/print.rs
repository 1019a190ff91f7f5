//! `println!`: what an item leaves in the print buffer.

mod eval;
mod source;

use eval::{Argument, Item};
use gridfn_ir::layout::{LINES, LOST, PRINTED};
use gridfn_ir::tree::Expr;
use gridfn_ir::typed::{Kernel, Words};
use gridfn_ir::verify::verify;
use gridfn_ir::{Link, Scalar, Type};
use source::*;

const LINE_OF_TWO: fn() -> Link = || {
    Link::Words(Words {
        message: |values| format!("{values:?}"),
        values: 2,
    })
};
const EMPTY_LINE: fn() -> Link = || {
    Link::Words(Words {
        message: |_| String::new(),
        values: 0,
    })
};

/// `fn k(n: u32) { println!("{} {}", n, -1i64); println!(); println!("{} {}", n, -1i64); }`
fn kernel() -> Kernel {
    let line = || {
        let shown = Expr::Tuple(vec![
            local(0),
            Expr::Tuple(vec![int(-1, Scalar::I64), Expr::Unit]),
        ]);
        do_(Expr::Print(0, Box::new(shown)))
    };
    let empty = do_(Expr::Print(1, Box::new(Expr::Unit)));
    Source::kernel(
        &[("n", Type::Scalar(Scalar::U32))],
        stmts([line(), empty, line()]),
    )
    .links(&[LINE_OF_TWO, EMPTY_LINE])
    .lower()
    .unwrap_or_else(|error| panic!("{error}"))
}

/// The print buffer of `words` words after one item.
fn printed(words: usize, before: u64) -> Vec<u64> {
    let mut buffer = vec![0; words];
    buffer[PRINTED] = before;
    let mut arguments = [Argument::Scalar(5), Argument::Slice(buffer), Argument::Scalar(3)];
    let ran = eval::run(&kernel(), &mut arguments, &Item::default());
    ran.unwrap_or_else(|fault| panic!("{fault:?}"));
    let [_, Argument::Slice(buffer), _] = arguments else {
        panic!("the print buffer is a slice");
    };
    buffer
}

#[test]
fn lines_stand_one_behind_the_other() {
    let max = u64::from(u32::MAX);
    let line = [7, 3, 0, 5, 0, max, max];
    let expected = [&[17, 0][..], &line, &[3, 3, 1], &line, &[0]].concat();
    assert_eq!(printed(LINES + 18, 0), expected);
}

#[test]
fn what_does_not_fit_is_counted() {
    let buffer = printed(LINES + 9, 0);
    assert_eq!((buffer[PRINTED], buffer[LOST]), (10, 2));
    assert_eq!(buffer[LINES + 7..], [0, 0]);
    // Nobody asks for words once there are none: their number would wrap in the end.
    let buffer = printed(LINES + 9, 9);
    assert_eq!((buffer[PRINTED], buffer[LOST]), (9, 3));
    assert_eq!(buffer[LINES..], [0; 9]);
}

#[test]
fn equal_lines_are_one_and_what_prints_nothing_takes_nothing() {
    let kernel = kernel();
    assert_eq!(kernel.prints.as_ref().map(|prints| prints.lines.len()), Some(2));
    assert_eq!(kernel.params.len(), 3);
    let silent = Source::kernel(&[], stmts([]))
        .lower()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((silent.prints, silent.params.len()), (None, 0));
}

#[test]
fn rule_15_the_last_parameters_are_those_of_printing() {
    let mut kernel = kernel();
    if let Some(prints) = &mut kernel.prints {
        (prints.buffer, prints.tag) = (prints.tag, prints.buffer);
    }
    let errors = verify(&kernel).expect_err("the two are exchanged");
    assert_eq!(errors.iter().map(|e| e.rule).collect::<Vec<_>>(), [15]);
}
