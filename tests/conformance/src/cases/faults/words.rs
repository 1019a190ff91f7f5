//! `panic!`, `assert!` and kin: the user's words, with values in them, are the same from every device.

use super::{Expected, Source, check_fault, check_usable};
use crate::case::{Outcome, Suite, case_path, check_eq};
use gridfn::Device;
use gridfn::prelude::*;

const HERE: Source = Source {
    file: "cases/faults/words.rs",
    text: include_str!("words.rs"),
};

/// Shown by its `Debug`.
#[derive(Clone, Copy, DeviceCopy, Debug, PartialEq)]
struct Pair {
    a: u8,
    b: i64,
}

#[derive(Clone, Copy, DeviceCopy, Debug, PartialEq)]
#[repr(u8)]
enum Shape {
    Empty,
    Square(f32, i16),
    Named { x: u32 },
}

#[device]
fn half(x: u32) -> u32 {
    /*@half*/
    assert!(x % 2 == 0, "{x} is odd");
    x / 2
}

#[device]
fn positive(x: u32) -> Option<u32> {
    if x > 0 { Some(x) } else { None }
}

#[device]
impl Pair {
    /// The sum wraps, inside of the assertion too.
    fn checked(self) -> u8 {
        /*@method*/
        assert_eq!(self.a + 255, 0, "a is {}", self.a);
        self.a
    }

    fn smaller(self, than: u8) -> u8 {
        /*@method_text*/
        assert!(self.a + 250 < than);
        self.a
    }
}

#[kernel]
fn words(n: u32, t: f32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 7;
    match n {
        0 => {
            /*@0*/
            panic!()
        }
        1 => {
            /*@1*/
            panic!("item {i} has {:>6.2}|{t:?}|{0:e}", x[i] as f32)
        }
        2 => {
            /*@2*/
            assert!(x[i] > 100)
        }
        3 => {
            /*@3*/
            assert!(x[i] > 100, "too small: {{{}}} {w:04}", x[i], w = i)
        }
        4 => {
            /*@4*/
            assert_eq!(x[i], 3)
        }
        5 => {
            /*@5*/
            assert_ne!(x[i] * 2, 2 * x[i], "for {}", i)
        }
        6 => {
            /*@6*/
            unreachable!()
        }
        7 => {
            /*@7*/
            unreachable!("x {}", true)
        }
        8 => y[i] = half(x[i]),
        9 => {
            let p = Pair { a: 3, b: -5 };
            /*@9*/
            panic!(
                "{p:?} {:?} {:?} {:?}",
                Shape::Square(1.5, -3),
                Shape::Named { x: 9 },
                Shape::Empty
            );
        }
        10 => y[i] = Pair { a: 3, b: 0 }.checked() as u32,
        11 => y[i] = positive(x[i] - 1)./*@11*/ expect("not {positive}"),
        12 => {
            let r = &x[i];
            let a = [[1i8, -2], [3, 4]];
            /*@12*/
            panic!("{r} {a:?} {:#x?}", (true, x[i]));
        }
        13 => {
            for v in x.iter() {
                /*@13*/
                assert!(*v != 2, "v {v}");
            }
        }
        14 => {
            let Some(v) = positive(x[i] - 1) else {
                /*@14*/
                panic!("nothing left of {}", x[i])
            };
            y[i] = v;
        }
        15 => {
            /*@15*/
            todo!()
        }
        16 => {
            /*@16*/
            std::unimplemented!("{:x}", x[i] + 300)
        }
        17 => y[i] = Pair { a: 9, b: 0 }.smaller(2) as u32,
        18 => y[i] = Pair { a: 7, b: 0 }.smaller(2) as u32,
        _ => assert!(x[i] == 1 && y[i] == 7, "not reached {}", y[i]),
    }
}

/// For each number that the kernel takes, where it faults, and its words.
const FAULTS: &[(&str, &str)] = &[
    ("0", "explicit panic"),
    ("1", "item 0 has   1.00|2.5|1e0"),
    ("2", "assertion failed: x[i] > 100"),
    ("3", "too small: {1} 0000"),
    ("4", "assertion `left == right` failed\n  left: 1\n right: 3"),
    (
        "5",
        "assertion `left != right` failed: for 0\n  left: 2\n right: 2",
    ),
    ("6", "internal error: entered unreachable code"),
    ("7", "internal error: entered unreachable code: x true"),
    ("half", "1 is odd"),
    ("9", "Pair { a: 3, b: -5 } Square(1.5, -3) Named { x: 9 } Empty"),
    (
        "method",
        "assertion `left == right` failed: a is 3\n  left: 2\n right: 0",
    ),
    ("11", "not {positive}"),
    ("12", "1 [[1, -2], [3, 4]] (\n    true,\n    0x1,\n)"),
    ("13", "v 2"),
    ("14", "nothing left of 1"),
    ("15", "not yet implemented"),
    ("16", "not implemented: 12d"),
    ("method_text", "assertion failed: self.a + 250 < than"),
];

fn told(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let x = queue.upload(&[1u32, 2, 3])?;
    let mut y = queue.zeros::<u32>(3)?;
    for (n, (place, message)) in (0..).zip(FAULTS) {
        launch!(queue, words(n, 2.5, &x, &mut y), global = 1)?;
        let expected = Expected {
            kernel: "words",
            place,
            message,
            items: &[0],
        };
        check_fault(&HERE, queue.synchronize(), &expected)?;
    }
    for n in [18, 19] {
        launch!(queue, words(n, 2.5, &x, &mut y), global = 1)?;
        queue.synchronize()?;
    }
    check_eq!(queue.download(&y)?[0], 7);
    check_usable(&queue)
}

fn in_closures(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (x, mut y) = (queue.upload(&[1u32, 2, 3])?, queue.zeros::<u32>(3)?);
    let most = 2u32;
    launch!(
        queue,
        |i| {
            /*@closure*/
            assert!(x[i] <= most, "{} is more than {most}", x[i]);
            y[i] = x[i];
        },
        global = 3
    )?;
    let expected = Expected {
        kernel: "closure",
        place: "closure",
        message: "3 is more than 2",
        items: &[2],
    };
    check_fault(&HERE, queue.synchronize(), &expected)?;
    check_eq!(queue.download(&y)?, [1, 2, 0]);
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<words>();
    suite.case(case_path!("told"), &[], told);
    suite.case(case_path!("in_closures"), &[], in_closures);
}
