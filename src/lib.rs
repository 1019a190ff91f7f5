//! gridfn
