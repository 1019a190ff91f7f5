//! What stands before the body: the parameter block, the fault record, the kernel's head and its mask.

use super::names::Names;
use super::types;
use crate::Options;
use gridfn_ir::Scalar;
use gridfn_ir::layout::{self, FAULT_VALUES, Layout};
use gridfn_ir::typed::{Kernel, ParamKind};

/// The names of a kernel's parameters: of the block's members, and of the slices' pointers.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// For each parameter the member of the block: its value, its elements or its length.
    pub(super) members: Vec<String>,
    /// For each parameter the pointer; empty for a scalar and an array.
    pub(super) pointers: Vec<String>,
    /// The member that fills the block's end.
    padding: String,
    /// The block as it was passed, where the body reads a copy.
    passed: Option<String>,
}

impl Parameters {
    /// Names the parameters; the pointers share a name space with the kernel's variables.
    pub(super) fn new(kernel: &Kernel, options: Options, variables: &mut Names) -> Parameters {
        let mut members = Names::default();
        for fixed in ["size", "offset", "tag"] {
            members.claim(fixed);
        }
        let mut parameters = Parameters::default();
        // Lengths last: the others keep their names where a length would take the same.
        let mut named = vec![String::new(); kernel.params.len()];
        for (id, param) in kernel.params.iter() {
            match param.kind {
                ParamKind::Scalar(_) | ParamKind::Array { .. } => {
                    named[id.index()] = members.claim(&param.name);
                }
                ParamKind::Slice { .. } => {}
            }
        }
        for (id, param) in kernel.params.iter() {
            parameters.pointers.push(match param.kind {
                ParamKind::Scalar(_) | ParamKind::Array { .. } => String::new(),
                ParamKind::Slice { .. } => {
                    named[id.index()] =
                        members.claim(&format!("{}_len", param.name.trim_start_matches("r#")));
                    variables.claim(&param.name)
                }
            });
        }
        parameters.members = named;
        parameters.padding = members.claim("padding");
        parameters.passed = options.copies(kernel).then(|| variables.claim("passed"));
        parameters
    }
}

/// The pragmas. Contraction is off, so that every device rounds as the host does.
pub(super) fn pragmas(kernel: &Kernel, uses_double: bool) -> String {
    let double = uses_double.then_some("cl_khr_fp64");
    let atomics: &[_] = match kernel.uses_atomics_of_64_bits() {
        true => &["cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"],
        false => &[],
    };
    let mut text = String::from("#pragma OPENCL FP_CONTRACT OFF\n");
    let subgroups: &[_] = match kernel.uses_subgroups() {
        true => &super::SUBGROUP_EXTENSIONS,
        false => &[],
    };
    for extension in double.iter().chain(atomics).chain(subgroups) {
        text += &format!("#pragma OPENCL EXTENSION {extension} : enable\n");
    }
    text
}

/// The block as a struct; its layout is that of [`layout`], since C puts members at their natural alignment too. The
/// padding at its end is a member, because Mesa otherwise leaves it out of the argument's size.
pub(super) fn block(kernel: &Kernel, parameters: &Parameters) -> String {
    let mut text = String::from("struct Block {\n    ulong size[3];\n    ulong offset[3];\n    ulong tag;\n");
    let mut end = layout::PARAMS;
    let Layout { offsets, size } = layout::of(kernel);
    for ((id, param), offset) in kernel.params.iter().zip(offsets) {
        let (ty, len, extent) = match param.kind {
            ParamKind::Scalar(scalar) => (scalar, 1, String::new()),
            // C has no arrays without elements, and the layout has no place for them.
            ParamKind::Array { len: 0, .. } => continue,
            ParamKind::Array { element, len } => (element, len, format!("[{len}]")),
            ParamKind::Slice { .. } => (Scalar::Usize, 1, String::new()),
        };
        let (name, member) = (types::memory_name(ty), &parameters.members[id.index()]);
        text += &format!("    {name} {member}{extent};\n");
        end = offset + len * ty.bytes();
    }
    if end < size {
        text += &format!("    uchar {}[{}];\n", parameters.padding, size - end);
    }
    text + "};\n"
}

/// The fault record, and the function that fills it: the first item to fault tells where. It takes the block by its
/// address: PoCL keeps a copy of what is passed by value for each call and work-item of a group, all on its stack.
pub(super) fn fault(kernel: &Kernel) -> String {
    let values = 0..kernel.fault_values();
    let parameters: String = values.clone().map(|n| format!(", ulong value_{n}")).collect();
    let stores: String = values
        .map(|n| format!("        fault->values[{n}] = value_{n};\n"))
        .collect();
    format!(
        "\
struct Fault {{
    uint count;
    uint site;
    ulong tag;
    ulong id[3];
    ulong values[{FAULT_VALUES}];
}};

static void record_fault(
    global struct Fault *fault, const struct Block *block, uint site{parameters}
) {{
    if (atomic_inc(&fault->count) == 0) {{
        fault->site = site;
        fault->tag = block->tag;
        for (uint d = 0; d < 3; d++) {{
            fault->id[d] = get_global_id(d) + block->offset[d];
        }}
{stores}    }}
}}
"
    )
}

/// The kernel's head, up to and with its brace, and the block's copy if there is one.
pub(super) fn head(kernel: &Kernel, entry: &str, parameters: &Parameters) -> String {
    let passed = parameters.passed.as_deref();
    let mut arguments = vec![format!("const struct Block {}", passed.unwrap_or("block"))];
    for (id, param) in kernel.params.iter() {
        if let ParamKind::Slice { element, writable } = param.kind {
            let (ty, name) = (types::memory_name(element), &parameters.pointers[id.index()]);
            // Nobody writes what is read-only, so the others' pointers need not be thought of.
            arguments.push(if writable {
                format!("global {ty} *{name}")
            } else {
                format!("global const {ty} *restrict {name}")
            });
        }
    }
    if !kernel.sites.is_empty() {
        arguments.push("global struct Fault *fault".into());
    }
    let mut list = arguments.join(", ");
    if list.len() > LINE {
        list = format!("\n    {}\n", arguments.join(",\n    "));
    }
    let copy = passed.map_or_else(String::new, |passed| {
        format!("    const struct Block block = {passed};\n")
    });
    let size = kernel.local.map_or_else(String::new, |[x, y, z]| {
        format!("__attribute__((reqd_work_group_size({x}, {y}, {z})))\n")
    });
    format!("kernel {size}void {entry}({list}) {{\n{copy}")
}

/// Items outside the exact size do nothing.
pub(super) const MASK: &str = "    if (get_global_id(0) >= block.size[0] || get_global_id(1) >= block.size[1]
        || get_global_id(2) >= block.size[2]) {
        return;
    }
";

/// The length from which on a list of parameters gets a line for each.
const LINE: usize = 80;
