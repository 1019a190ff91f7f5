//! One instance of a kernel, as the attribute's `const` holds it.

use crate::cache::Cache;
use crate::host::HostCode;
use crate::leaves;
use gridfn_ir::view::ELEMENTS;
use gridfn_ir::{Body, Type, tree};

/// One instance of a kernel: its body with the holes filled, its host version, and its cache.
///
/// The attribute makes one per kernel, and one per set of type arguments of a generic kernel.
pub struct Kernel {
    /// The function's name.
    pub name: &'static str,
    /// The dimensions of the grid, up to which the kernel is safe.
    pub safe_dimensions: usize,
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
    /// The name of parameter `n`, for messages: of a part of a struct or tuple, its path.
    pub fn parameter(&self, n: usize) -> String {
        let mut names = vec![];
        if let Ok(tree) = postcard::from_bytes::<tree::Tree>(self.body.tree) {
            for param in tree.params {
                let ty = param.ty.and_then(|ty| match ty {
                    tree::TypeRef::Known(scalar) => Some(Type::Scalar(scalar)),
                    tree::TypeRef::Hole(hole) => self.body.types.get(usize::from(hole)).copied(),
                });
                parts(param.name, ty, &mut names);
            }
        }
        names
            .into_iter()
            .nth(n)
            .unwrap_or_else(|| format!("argument {n}"))
    }
}

/// The names of all that is passed for a parameter: of its leaves ([`crate::leaves`]) and slices, in their order.
fn parts(name: String, ty: Option<Type>, names: &mut Vec<String>) {
    match ty {
        Some(Type::Struct(s)) => {
            for field in s.fields {
                let name = match field.name {
                    ELEMENTS => name.clone(),
                    part => format!("{name}.{part}"),
                };
                parts(name, Some(field.ty), names);
            }
        }
        Some(Type::Enum(e)) => {
            names.push(name.clone());
            for variant in e.variants {
                for field in variant.fields {
                    let name = format!("{name}.{}.{}", variant.name, field.name);
                    parts(name, Some(field.ty), names);
                }
            }
        }
        Some(ty @ Type::Array { .. }) if leaves::is_plain(&ty) => names.push(name),
        Some(Type::Array { element, .. }) => parts(format!("{name}[..]"), Some(*element), names),
        Some(Type::Unit) => {}
        Some(Type::Scalar(_) | Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. }) | None => {
            names.push(name);
        }
    }
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
