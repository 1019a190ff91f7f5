//! OpenCL.
