//! The device that isn't one.

use gridfn_runtime::backend::DeviceKind;
use gridfn_runtime::cache::device_number;
use gridfn_runtime::{Capability, Info, Limits};
use std::sync::LazyLock;

/// How `select` names the null device.
pub(super) const ID: &str = "null";

/// The null device. There is one.
#[derive(Clone, Copy, Debug)]
pub struct Device(&'static Properties);

#[derive(Debug)]
struct Properties {
    info: Info,
    number: u32,
}

impl Device {
    /// The null device.
    pub fn get() -> Device {
        static PROPERTIES: LazyLock<Properties> = LazyLock::new(|| Properties {
            info: Info {
                id: ID.into(),
                name: "null".into(),
                vendor: "gridfn".into(),
                version: env!("CARGO_PKG_VERSION").into(),
                kind: DeviceKind::Null,
                code: "none",
                compute_units: 1,
                memory: isize::MAX as u64,
                limits: Limits {
                    group_size: 1024,
                    local_size: [1024; 3],
                    num_groups: [isize::MAX as usize; 3],
                    local_memory: 1 << 20,
                },
                subgroup_sizes: vec![],
                priorities: false,
                capabilities: vec![
                    Capability::Float64,
                    Capability::AtomicInt64,
                    Capability::Subgroups,
                ],
            },
            number: device_number(),
        });
        Device(&PROPERTIES)
    }

    /// What there is to know of it.
    #[inline]
    pub fn info(self) -> &'static Info {
        &self.0.info
    }

    /// Its number in the kernels' caches.
    #[inline]
    pub(super) fn number(self) -> u32 {
        self.0.number
    }
}
