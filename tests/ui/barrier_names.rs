//! The functions of work-groups are gridfn's, and called by their own names; local arrays hold what any bits are.

mod renamed {
    use gridfn::prelude::*;
    use gridfn::prelude::barrier as sync;

    #[kernel]
    fn by_another_name(y: &mut [u32]) {
        let i = global_id(0);
        sync();
        y[i] = 1;
    }
}

mod of_ones_own {
    use gridfn::prelude::{device, global_id, kernel};

    fn barrier() {}

    fn uniform(x: u32) -> u32 {
        x
    }

    #[kernel]
    fn named_alike(y: &mut [u32]) {
        let i = global_id(0);
        barrier();
        y[i] = uniform(3);
    }
}

mod elements {
    use gridfn::prelude::*;

    #[kernel]
    fn of_bools(y: &mut [u32]) {
        let mut t = local_array::<bool, 8>();
        let i = global_id(0);
        t[local_id(0)] = true;
        y[i] = 1;
    }
}

fn main() {}
