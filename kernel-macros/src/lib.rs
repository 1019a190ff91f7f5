//! gridfn-macros
