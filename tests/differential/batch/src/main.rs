//! Runs the kernels of one batch, and says how each went.

include!(env!("GRIDFN_BATCH_KERNELS"));

fn main() {
    gridfn_differential::harness::main(KERNELS);
}
