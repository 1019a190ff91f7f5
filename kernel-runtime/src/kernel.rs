//! One instance of a kernel, as the attribute's `const` holds it.

use crate::cache::Cache;
use crate::host::HostCode;
use gridfn_ir::{Body, tree};

/// One instance of a kernel: its body with the holes filled, its host version, and its cache.
///
/// The attribute makes one per kernel, and one per set of type arguments of a generic kernel.
pub struct Kernel {
    /// The function's name.
    pub name: &'static str,
    /// Whether the kernel is safe only in a grid of one dimension.
    pub one_dimensional: bool,
    /// The number of dimensions that the grid must have: of a closure, that of its indices.
    pub dimensions: Option<usize>,
    /// What devices compile.
    pub body: Body<'static>,
    /// What the host runs.
    pub host: HostCode,
    /// What was compiled, per device; shared by all instances of the kernel.
    pub cache: &'static Cache,
    /// Code that the attribute compiled already.
    pub ahead: &'static [Ahead],
}

/// Code that was generated while the program was built, for the default options.
#[derive(Clone, Copy, Debug)]
pub enum Ahead {
    /// OpenCL C.
    OpenClC(&'static str),
    /// SPIR-V, little-endian.
    Spirv(&'static [u8]),
}

/// The type of a kernel: `saxpy`, `axpy<f32>`.
pub trait KernelType {
    /// Its instance.
    const KERNEL: &'static Kernel;
}

impl Kernel {
    /// The name of parameter `n`, for messages.
    pub fn parameter(&self, n: usize) -> String {
        postcard::from_bytes::<tree::Tree>(self.body.tree)
            .ok()
            .and_then(|tree| tree.params.into_iter().nth(n))
            .map_or_else(|| format!("argument {n}"), |param| param.name)
    }
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
