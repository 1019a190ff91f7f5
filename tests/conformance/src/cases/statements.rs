//! What only a whole kernel can show: returns, and places that are computed.

use crate::case::{Suite, case_path, check_eq};
use gridfn::prelude::*;

#[kernel]
fn returns(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if i >= x.len() {
        return;
    }
    y[i] = 1;
    if x[i] == 0 {
        return;
    }
    for k in 0..10u32 {
        y[i] += 10;
        let mut n = 0;
        loop {
            n += 1;
            if n * k > x[i] {
                return;
            }
            if n == 5 {
                break;
            }
        }
    }
    let doubled = 2 * if x[i] > 1000 { return } else { x[i] };
    y[i] += doubled;
    return;
}

fn plain_returns(x: u32) -> u32 {
    let mut y = 1;
    if x == 0 {
        return y;
    }
    for k in 0..10 {
        y += 10;
        for n in 1..=5 {
            if n * k > x {
                return y;
            }
        }
    }
    if x > 1000 { y } else { y + 2 * x }
}

/// Values are evaluated before places, and each once.
#[kernel]
unsafe fn order(y: &mut [u32], z: &mut [i16]) {
    let mut n = 0;
    y[{
        n += 1;
        n
    }] = {
        n += 4;
        n as u32 * 100
    };
    y[{
        n *= 2;
        n
    }] += {
        n -= 2;
        n as u32
    };
    z[{
        n += 1;
        n - 6
    }] <<= {
        n += 1;
        n - 5
    };
    z[0] -= {
        z[0] = 5;
        7
    };
    z[2] = z[0] + z[1];
}

/// The same in plain Rust.
fn plain_order(y: &mut [u32], z: &mut [i16]) {
    let mut n = 0;
    y[{
        n += 1;
        n
    }] = {
        n += 4;
        n as u32 * 100
    };
    y[{
        n *= 2;
        n
    }] += {
        n -= 2;
        n as u32
    };
    z[{
        n += 1;
        n - 6
    }] <<= {
        n += 1;
        n - 5
    };
    z[0] -= {
        z[0] = 5;
        7
    };
    z[2] = z[0] + z[1];
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<returns>();
    suite.kernel::<order>();
    suite.case(case_path!("returns"), &[], |device| {
        let queue = device.queue()?;
        let data: Vec<u32> = (0..60).chain([100, 1000, 1001, u32::MAX]).collect();
        let x = queue.upload(&data)?;
        let mut y = queue.zeros::<u32>(data.len())?;
        launch!(queue, returns(&x, &mut y), global = data.len() + 30)?;
        let expected: Vec<u32> = data.iter().map(|x| plain_returns(*x)).collect();
        check_eq!(queue.download(&y)?, expected);
        Ok(())
    });
    suite.case(case_path!("order"), &[], |device| {
        let queue = device.queue()?;
        let (mut y, mut z) = ([3u32; 12], [21i16, 9, 0]);
        let (mut there, mut too) = (queue.upload(&y)?, queue.upload(&z)?);
        // SAFETY: there is one item.
        launch!(queue, unsafe { order(&mut there, &mut too) }, global = ())?;
        plain_order(&mut y, &mut z);
        check_eq!(queue.download(&there)?, y);
        check_eq!(queue.download(&too)?, z);
        Ok(())
    });
}
