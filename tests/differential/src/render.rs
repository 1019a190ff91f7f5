//! Printing a kernel: as the attribute sees it, as plain Rust, and what compares the two.

use crate::ast::{Kernel, Node, Param, Piece, Role, Side};
use crate::types::Type;
use std::fmt::Write;

/// The kernel's text for one side.
pub fn kernel(kernel: &Kernel, side: Side) -> String {
    let printer = Printer { kernel, side };
    let mut text = String::new();
    for item in &kernel.items {
        text += &printer.node(item);
        text += "\n";
    }
    printer.structs(&mut text);
    let params: Vec<String> = kernel.params.iter().map(|param| printer.param(param)).collect();
    text += &match (side, kernel.generic) {
        (Side::Kernel, None) => "#[kernel]\nfn kernel(".into(),
        (Side::Kernel, Some((bound, _))) => format!("#[kernel]\nfn kernel<T: {}>(", bound.name()),
        (Side::Oracle, generic) => {
            // A generic function would be compiled where it is used, and there integers are checked for overflow.
            let t = generic.map_or(String::new(), |(_, scalar)| {
                format!("type T = {};\n", scalar.name())
            });
            t + "#[inline(never)]\npub fn kernel(item: usize, items: usize, "
        }
    };
    text += &params.join(", ");
    text += ") {\n";
    for node in &kernel.body {
        text += &printer.node(node);
        text.push('\n');
    }
    text + "}\n"
}

struct Printer<'a> {
    kernel: &'a Kernel,
    side: Side,
}

impl Printer<'_> {
    fn node(&self, node: &Node) -> String {
        let mut text = String::new();
        for piece in &node.pieces {
            match piece {
                Piece::Text(piece) => text += piece,
                Piece::Sides { kernel, oracle } => match self.side {
                    Side::Kernel => text += kernel,
                    Side::Oracle => text += oracle,
                },
                Piece::Node(node) => text += &self.node(node),
                Piece::Body(body) => {
                    for node in body {
                        text += "\n";
                        text += &self.node(node);
                    }
                    text += "\n";
                }
                Piece::Bind(name) | Piece::Use(name) => text += &self.kernel.names[name.0],
                Piece::Silent(_) => {}
            }
        }
        text
    }

    fn name(&self, param: &Param) -> &str {
        &self.kernel.names[param.name.0]
    }

    fn param(&self, param: &Param) -> String {
        let (name, mutable) = (self.name(param), if param.mutable { "mut " } else { "" });
        match &param.role {
            Role::Slice(ty, _) => format!("{mutable}{name}: &[{}]", ty.name()),
            Role::Value(ty) => format!("{mutable}{name}: {ty}"),
            Role::Output(ty, _) => format!("{mutable}{name}: &mut [{}]", ty.name()),
            // Plain Rust writes through the references in a struct only if it is mutable.
            Role::Struct(ty, fields) => {
                let mutable = if self.side == Side::Oracle {
                    "mut "
                } else {
                    mutable
                };
                format!(
                    "{mutable}{name}: {ty}{}",
                    if has_buffers(fields) { "<'_>" } else { "" }
                )
            }
        }
    }

    fn structs(&self, text: &mut String) {
        for param in &self.kernel.params {
            let Role::Struct(ty, fields) = &param.role else {
                continue;
            };
            let lifetime = if has_buffers(fields) { "<'a>" } else { "" };
            *text += match self.side {
                Side::Kernel => "#[derive(KernelArg)]\nstruct ",
                Side::Oracle => "pub struct ",
            };
            let _ = write!(text, "{ty}{lifetime} {{ ");
            for field in fields {
                let _ = write!(text, "pub {}: {}, ", self.name(field), self.field(field));
            }
            *text += "}\n";
        }
    }

    fn field(&self, field: &Param) -> String {
        let of = |ty: &Type| match self.side {
            Side::Kernel => format!("Buffer<{}>", ty.name()),
            Side::Oracle => format!("[{}]", ty.name()),
        };
        match &field.role {
            Role::Slice(ty, _) => format!("&'a {}", of(ty)),
            Role::Output(ty, _) => format!("&'a mut {}", of(ty)),
            Role::Value(ty) => ty.clone(),
            Role::Struct(ty, _) => ty.clone(),
        }
    }
}

fn has_buffers(fields: &[Param]) -> bool {
    fields
        .iter()
        .any(|field| matches!(field.role, Role::Slice(..) | Role::Output(..)))
}

/// The function `check` that feeds both and compares; `module` is the name of both modules.
pub fn check(kernel: &Kernel, module: &str) -> String {
    let mut check = Check::new(kernel, module);
    let arguments: Vec<String> = kernel.params.iter().map(|param| check.param(param)).collect();
    let plain: Vec<String> = kernel.params.iter().map(|param| check.plain(param)).collect();
    let Check {
        inputs,
        expected,
        uploads,
        results,
        ..
    } = check;
    let (seed, arguments, plain) = (kernel.seed, arguments.join(", "), plain.join(", "));
    format!(
        "pub(crate) fn check(run: &Run) {{
    for mut case in run.cases({module:?}, {seed}) {{
{inputs}{expected}        let faults = case.expect(&mut |item, items| oracle::{module}::kernel(item, items, {plain}));
        for device in run.devices() {{
            case.on(device, faults, &mut || {{
                let queue = device.queue()?;
{uploads}                launch!(queue, kernel({arguments}), global = case.items())?;
                let faults = Run::faults(queue.synchronize())?;
                Ok((faults, vec![{results}]))
            }});
        }}
    }}
}}
"
    )
}

struct Check<'a> {
    kernel: &'a Kernel,
    module: &'a str,
    inputs: String,
    expected: String,
    uploads: String,
    results: String,
}

impl<'a> Check<'a> {
    fn new(kernel: &'a Kernel, module: &'a str) -> Check<'a> {
        Check {
            kernel,
            module,
            inputs: String::new(),
            expected: String::new(),
            uploads: String::new(),
            results: String::new(),
        }
    }

    /// The type of elements, with the instance's in place of a type parameter.
    fn element(&self, ty: &Type) -> String {
        match (ty, self.kernel.generic) {
            (Type::T(_), Some((_, scalar))) => scalar.name().into(),
            _ => ty.name(),
        }
    }

    /// Writes what makes an argument, and gives the argument.
    fn param(&mut self, param: &Param) -> String {
        let n = param.name.0;
        match &param.role {
            Role::Slice(ty, len) => {
                let ty = self.element(ty);
                self.inputs += &format!("        let p{n} = case.slice::<{ty}>({len});\n");
                self.uploads += &format!("                let b{n} = Element::upload(&queue, &p{n})?;\n");
                format!("&b{n}")
            }
            Role::Value(ty) => {
                let ty = if ty == "T" {
                    self.kernel.generic.map_or("", |(_, s)| s.name())
                } else {
                    ty
                };
                self.inputs += &format!("        let p{n} = case.value::<{ty}>();\n");
                format!("p{n}")
            }
            Role::Output(ty, ulps) => {
                let ty = self.element(ty);
                let name = &self.kernel.names[n];
                self.inputs += &format!("        let p{n} = case.slice::<{ty}>(case.items());\n");
                self.expected += &format!("        let mut e{n} = p{n}.clone();\n");
                self.uploads += &format!("                let mut b{n} = Element::upload(&queue, &p{n})?;\n");
                self.results += &format!("Element::check(&queue, {name:?}, &e{n}, &b{n}, {ulps:?})?, ");
                format!("&mut b{n}")
            }
            Role::Struct(ty, fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|field| format!("{}: {}", self.kernel.names[field.name.0], self.param(field)))
                    .collect();
                format!("{ty} {{ {} }}", fields.join(", "))
            }
        }
    }

    fn plain(&self, param: &Param) -> String {
        let n = param.name.0;
        match &param.role {
            Role::Slice(..) => format!("&p{n}"),
            Role::Value(_) => format!("p{n}"),
            Role::Output(..) => format!("&mut e{n}"),
            Role::Struct(ty, fields) => {
                let field =
                    |field: &Param| format!("{}: {}", self.kernel.names[field.name.0], self.plain(field));
                let fields: Vec<String> = fields.iter().map(field).collect();
                format!("oracle::{}::{ty} {{ {} }}", self.module, fields.join(", "))
            }
        }
    }
}
