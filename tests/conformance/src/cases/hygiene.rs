//! Names and labels that a `macro_rules!` writes beside the user's, with the same text: in a kernel they are resolved by
//! their text, on every device alike, and the proof that items do not meet holds for what was resolved.

#![allow(
    unused_labels,
    reason = "no `continue` means the outer loop, which is the point"
)]

use crate::case::{Suite, case_path, check_eq};
use gridfn::prelude::*;

macro_rules! named {
    ($i:ident, $label:lifetime) => {
        /// By rustc's hygiene `$i` would be the first binding, and every item would write element 7.
        #[kernel]
        fn own_element(y: &mut [u32]) {
            let $i = 7usize;
            let first = $i;
            let i = global_id(0);
            y[$i] = (first * 100 + i) as u32;
        }

        /// By rustc's hygiene `$label` would be the outer loop.
        #[kernel]
        fn inner_loop(y: &mut [u32]) {
            let n = global_id(0);
            let mut rounds = 0;
            $label: for _ in 0..3 {
                'a: for _ in 0..5 {
                    rounds += 1;
                    if rounds > 100 {
                        break 'a;
                    }
                    continue $label;
                }
                rounds += 10;
            }
            y[n] = rounds;
        }
    };
}
named!(i, 'a);

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<own_element>();
    suite.kernel::<inner_loop>();
    suite.case(case_path!("an_item_writes_its_own_element"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(16)?;
        launch!(queue, own_element(&mut y), global = 16)?;
        let expected: Vec<u32> = (0..16).map(|i| 700 + i).collect();
        check_eq!(queue.download(&y)?, expected);
        Ok(())
    });
    suite.case(
        case_path!("a_label_is_the_innermost_of_its_text"),
        &[],
        |device| {
            let queue = device.queue()?;
            let mut y = queue.zeros::<u32>(4)?;
            launch!(queue, inner_loop(&mut y), global = 4)?;
            check_eq!(queue.download(&y)?, [45; 4]);
            Ok(())
        },
    );
}
