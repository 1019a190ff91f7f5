//! gridfn-backends
