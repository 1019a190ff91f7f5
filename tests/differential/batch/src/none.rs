const KERNELS: &[gridfn_differential::harness::Entry] = &[];
