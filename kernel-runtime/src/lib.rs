//! gridfn-runtime
