//! The enum over the back ends.
