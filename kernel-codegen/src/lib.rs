//! Typed IR to the code that drivers take: SPIR-V, OpenCL C and PTX.
//!
//! Pure functions: no device, no input and no output. Each code form is a folder with the same file names, so that
//! knowing one is knowing all. Code for verified IR ([`gridfn_ir::verify`]) never panics.

use gridfn_ir::Scalar;
use gridfn_ir::straight::straightened;
use gridfn_ir::typed::{Atomic, AtomicOp, BinaryOp, Kernel, Math1, Op, ParamKind, Update, Value};

pub mod opencl_c;
pub mod ptx;
pub mod spirv;

/// A code form, and for which version of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Target {
    /// A SPIR-V module for OpenCL (`Kernel` capability, physical 64-bit addressing).
    Spirv,
    /// OpenCL C 1.2.
    OpenClC,
    /// PTX for one compute capability.
    Ptx {
        /// The compute capability as one number: 70, 80, 90, 100, ….
        sm: u32,
    },
}

impl Target {
    /// Whether the code form lacks accurate transcendental functions, so that kernels have to be lowered with a library
    /// of them.
    pub const fn needs_library(self) -> bool {
        match self {
            Target::Spirv | Target::OpenClC => false,
            Target::Ptx { .. } => true,
        }
    }

    /// Whether the code form has this cast; of one that it lacks, kernels have to be lowered with a library that has it.
    ///
    /// OpenCL's conversions of `f16` need a capability of the device, and there are none of `bf16`.
    pub const fn has_cast(self, from: Scalar, to: Scalar) -> bool {
        match self {
            Target::Spirv | Target::OpenClC => !from.is_half() && !to.is_half(),
            Target::Ptx { sm } => sm >= 80 || !matches!((from, to), (Scalar::F32, Scalar::Bf16)),
        }
    }

    /// Whether the code form adds to a float of that type atomically, and as exactly as `+` does.
    ///
    /// PTX has an instruction for `f32` too, but it takes subnormal numbers for 0. OpenCL's need an extension that few
    /// devices have.
    pub const fn has_atomic_add(self, ty: Scalar) -> bool {
        match self {
            Target::Spirv | Target::OpenClC => false,
            Target::Ptx { sm } => sm >= 60 && matches!(ty, Scalar::F64),
        }
    }

    /// The code form's name, without its version.
    const fn form(self) -> &'static str {
        match self {
            Target::Spirv => "SPIR-V",
            Target::OpenClC => "OpenCL C",
            Target::Ptx { .. } => "PTX",
        }
    }

    /// How files with the code as a person reads it end.
    pub const fn extension(self) -> &'static str {
        match self {
            Target::Spirv => "spvasm",
            Target::OpenClC => "cl",
            Target::Ptx { .. } => "ptx",
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Target::Spirv => f.write_str("SPIR-V"),
            Target::OpenClC => f.write_str("OpenCL C"),
            Target::Ptx { sm } => write!(f, "PTX for sm_{sm}"),
        }
    }
}

/// What the device's compiler needs to be told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// Divide `f32` and take its square root through `f64`, which gives the correctly rounded result on devices
    /// whose own is not.
    pub f32_division_through_f64: bool,
    /// In OpenCL C, copy a parameter block that has arrays to a variable first. The compiler of Mesa 22 crashes where
    /// an array that is passed by value is indexed inside control flow.
    pub arrays_are_copied: bool,
    /// In OpenCL C, write no fences around atomic operations. Mesa's llvmpipe (22.3) takes a `mem_fence` for a barrier, and
    /// loses the rounds of items that left a loop at different times; its atomics are sequentially consistent by
    /// themselves.
    pub atomics_are_fenced: bool,
    /// Put no barrier in a branch: see [`straightened`].
    pub barriers_stand_alone: bool,
}

impl Options {
    /// Whether code for `kernel` with these options may differ from code with the default ones.
    pub fn change(&self, kernel: &Kernel) -> bool {
        let divides = |value: &Value| {
            value.ty == Scalar::F32
                && matches!(
                    value.op,
                    Op::Binary(BinaryOp::Div, ..) | Op::Math1(Math1::Sqrt, _)
                )
        };
        let through_f64 =
            self.f32_division_through_f64 && kernel.values.iter().any(|(_, value)| divides(value));
        let fences = |atomic: &Atomic| atomic.order.acquires() || atomic.order.releases();
        let without_fences = self.atomics_are_fenced && kernel.atomics().into_iter().any(fences);
        let straight = self.barriers_stand_alone && kernel.waits_in_branches;
        through_f64 || without_fences || straight || self.copies(kernel)
    }

    /// Whether the parameter block is copied to a variable.
    pub(crate) fn copies(&self, kernel: &Kernel) -> bool {
        let is_array = |kind| matches!(kind, ParamKind::Array { .. });
        self.arrays_are_copied && kernel.params.iter().any(|(_, param)| is_array(param.kind))
    }
}

/// A kernel's code.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Code {
    /// OpenCL C or PTX.
    Text(String),
    /// SPIR-V.
    Words(Vec<u32>),
}

impl Code {
    /// The code as bytes, in the form in which drivers take it (SPIR-V in this machine's byte order).
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Code::Text(text) => text.clone().into_bytes(),
            Code::Words(words) => words.iter().flat_map(|w| w.to_ne_bytes()).collect(),
        }
    }
}

/// The code as a person reads it: text as it is, SPIR-V disassembled.
impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Code::Text(text) => f.write_str(text),
            Code::Words(words) => f.write_str(&spirv::disassemble(words)),
        }
    }
}

/// Why there is no code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The code form has no way to say something, yet.
    #[error("{what} has no {form} form yet")]
    Unsupported {
        /// What the kernel uses.
        what: String,
        /// The code form's name.
        form: &'static str,
    },
    /// The code form has no such function, and the kernel was lowered without a library that has it.
    #[error("{form} has no function `{function}` of `{ty}`: lower the kernel with a library")]
    NoFunction {
        /// The function, by its name in Rust.
        function: String,
        /// The type of its operands.
        ty: Scalar,
        /// The code form's name.
        form: &'static str,
    },
}

/// Generates the code of `kernel`, which [`gridfn_ir::verify`] accepts.
///
/// # Errors
///
/// If the code form cannot say something that the kernel uses.
pub fn generate(kernel: &Kernel, target: Target, options: Options) -> Result<Code, GenerateError> {
    if options.barriers_stand_alone && kernel.waits_in_branches {
        return generate(&straightened(kernel.clone()), target, options);
    }
    check_casts(kernel, target)?;
    check_atomics(kernel, target)?;
    match target {
        Target::Spirv => spirv::generate(kernel, options).map(Code::Words),
        Target::OpenClC => opencl_c::generate(kernel, options).map(Code::Text),
        Target::Ptx { sm } => ptx::generate(kernel, sm).map(Code::Text),
    }
}

fn check_casts(kernel: &Kernel, target: Target) -> Result<(), GenerateError> {
    for (_, value) in kernel.values.iter() {
        if let Op::Cast(operand) = value.op {
            let from = kernel.values[operand].ty;
            if !target.has_cast(from, value.ty) {
                return Err(GenerateError::NoFunction {
                    function: format!("as {}", value.ty),
                    ty: from,
                    form: target.form(),
                });
            }
        }
    }
    Ok(())
}

fn check_atomics(kernel: &Kernel, target: Target) -> Result<(), GenerateError> {
    let missing = kernel.atomics().into_iter().find_map(|atomic: &Atomic| {
        let AtomicOp::Update(Update::Add, value) = atomic.op else {
            return None;
        };
        let ty = kernel.values[value].ty;
        (ty.is_float() && !target.has_atomic_add(ty)).then_some(ty)
    });
    match missing {
        Some(ty) => Err(GenerateError::NoFunction {
            function: "fetch_add".into(),
            ty,
            form: target.form(),
        }),
        None => Ok(()),
    }
}
