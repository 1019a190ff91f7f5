//! The null back end.
