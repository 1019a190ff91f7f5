//! What a queue can be asked to be.

/// How a new queue should be. More may come, so write `..QueueOptions::default()` for the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct QueueOptions {
    /// How urgent its work is, beside that of the device's other queues.
    pub priority: Priority,
}

/// How urgent a queue's work is: a hint, which changes no result.
///
/// Where [`Info::priorities`](crate::Info::priorities) is false, the device has none, and all queues are alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Priority {
    /// Other queues' work goes first.
    Low,
    /// As ever.
    #[default]
    Normal,
    /// Before other queues' work.
    High,
}
