//! Says where the kernels of this batch are; without a batch, that there are none.

use std::env;

fn main() {
    println!("cargo::rerun-if-env-changed=GRIDFN_BATCH");
    println!("cargo::rerun-if-changed=build.rs");
    let file = match env::var("GRIDFN_BATCH") {
        Ok(folder) => format!("{folder}/oracle.rs"),
        Err(_) => concat!(env!("CARGO_MANIFEST_DIR"), "/src/none.rs").into(),
    };
    println!("cargo::rustc-env=GRIDFN_BATCH_ORACLE={file}");
}
