//! What the tests of all code forms share.
//!
//! * [`cases`]: one kernel for each operation and type; [`samples`]: what to run them on; [`oracle`]: what must come
//!   out;
//! * [`kernels`]: some larger kernels; [`arrays`]: those with array parameters; [`aggregates`]: those with what structs,
//!   enums and arrays are lowered to; [`atomics`]: those with atomic operations;
//! * [`opencl`]: an OpenCL device, and [`runs`]: the cases and kernels run on it;
//! * [`snapshot`]: generated code kept in files; [`tool`]: programs that check it.

// Each test program uses a part of this, and nothing outside it can.
#![allow(dead_code, unreachable_pub)]

pub mod aggregates;
pub mod arrays;
pub mod atomics;
pub mod cases;
pub mod kernels;
pub mod opencl;
pub mod oracle;
pub mod runs;
pub mod samples;
pub mod snapshot;
pub mod tool;
