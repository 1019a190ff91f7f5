//! A local array stays where it is declared.

use gridfn::prelude::*;

#[kernel]
fn moved(y: &mut [u32]) {
    let tile = local_array::<u32, 64>();
    let other = tile;
    y[global_id(0)] = other[0];
}

#[kernel]
fn kept(y: &mut [u32]) {
    let mut kept = local_array::<u32, 64>();
    for n in 0..3 {
        let mut tile = local_array::<u32, 64>();
        tile[0] = n;
        kept = tile;
    }
    y[global_id(0)] = kept[0];
}

fn main() {}
