//! The rules that typed IR keeps.
