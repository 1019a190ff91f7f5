//! Printing a kernel: as the attribute sees it, as plain Rust, and what compares the two.

use crate::ast::{Kernel, Name, Node, Param, Piece, Role, Side};
use crate::rules::atomics;
use crate::shape::Shape;
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
    if kernel.is_closure && side == Side::Kernel {
        return text;
    }
    let params: Vec<String> = kernel
        .params
        .iter()
        .filter_map(|param| printer.param(param))
        .collect();
    text += &match side {
        Side::Kernel => format!("#[kernel{}]\nfn kernel{}(", printer.options(), printer.generics()),
        Side::Oracle => printer.constants() + "#[inline(never)]\npub fn kernel(item: usize, items: usize, ",
    };
    text += &params.join(", ");
    text += ") ";
    text + &printer.body() + "\n"
}

struct Printer<'a> {
    kernel: &'a Kernel,
    side: Side,
}

impl Printer<'_> {
    fn node(&self, node: &Node) -> String {
        self.pieces(&node.pieces)
    }

    fn pieces(&self, pieces: &[Piece]) -> String {
        let mut text = String::new();
        for piece in pieces {
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

    /// What the attribute says.
    fn options(&self) -> String {
        self.kernel
            .local
            .map_or(String::new(), |local| format!("(local = {local})"))
    }

    /// The kernel's own parameters in angle brackets.
    fn generics(&self) -> String {
        let mut all: Vec<String> = self
            .kernel
            .generic
            .map(|(bound, _)| format!("T: {}", bound.name()))
            .into_iter()
            .collect();
        for param in &self.kernel.params {
            let name = self.name(param);
            match &param.role {
                Role::Function([a, b], result, _) => {
                    all.push(format!("F: Fn({}, {}) -> {}", a.name(), b.name(), result.name()));
                }
                Role::Const(ty, _) => all.push(format!("const {name}: {}", ty.name())),
                Role::Slice(..)
                | Role::Value(_)
                | Role::Output(..)
                | Role::Atomics(..)
                | Role::Struct(..) => {}
            }
        }
        if all.is_empty() {
            String::new()
        } else {
            format!("<{}>", all.join(", "))
        }
    }

    /// What plain Rust has in place of them. A generic function would be compiled where it is used, and there integers are
    /// checked for overflow.
    fn constants(&self) -> String {
        let mut text = String::new();
        if let Some((_, scalar)) = self.kernel.generic {
            text += &format!("type T = {};\n", scalar.name());
        }
        for param in &self.kernel.params {
            if let Role::Const(ty, value) = &param.role {
                text += &format!(
                    "const {}: {} = {};\n",
                    self.name(param),
                    ty.name(),
                    self.node(value)
                );
            }
        }
        text
    }

    fn body(&self) -> String {
        let mut text = String::from("{\n");
        for param in &self.kernel.params {
            if let (Side::Oracle, Role::Function(_, _, argument)) = (self.side, &param.role) {
                text += &format!("let {} = {};\n", self.name(param), self.node(argument));
            }
        }
        for node in &self.kernel.body {
            text += &self.node(node);
            text.push('\n');
        }
        text + "}"
    }

    fn ty(&self, shape: &Shape) -> String {
        self.pieces(&shape.ty())
    }

    fn name(&self, param: &Param) -> &str {
        &self.kernel.names[param.name.0]
    }

    fn param(&self, param: &Param) -> Option<String> {
        let (name, mutable) = (self.name(param), if param.mutable { "mut " } else { "" });
        Some(match &param.role {
            Role::Const(..) => return None,
            Role::Function(..) if self.side == Side::Oracle => return None,
            Role::Function(..) => format!("{name}: F"),
            Role::Slice(ty, _) => format!("{mutable}{name}: &[{}]", self.ty(ty)),
            Role::Value(ty) => format!("{mutable}{name}: {}", self.ty(ty)),
            Role::Atomics(of, _) => format!("{name}: &[{}]", atomics::name(*of)),
            Role::Output(ty, _) => format!("{mutable}{name}: &mut [{}]", self.ty(ty)),
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
        })
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
        let of = |ty: &Shape| match self.side {
            Side::Kernel => format!("Buffer<{}>", self.ty(ty)),
            Side::Oracle => format!("[{}]", self.ty(ty)),
        };
        match &field.role {
            Role::Slice(ty, _) => format!("&'a {}", of(ty)),
            Role::Output(ty, _) => format!("&'a mut {}", of(ty)),
            Role::Value(ty) => self.ty(ty),
            Role::Struct(ty, _) => ty.clone(),
            Role::Function(..) | Role::Const(..) | Role::Atomics(..) => unreachable!("they are no fields"),
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
    let arguments: Vec<String> = kernel
        .params
        .iter()
        .filter_map(|param| check.param(param))
        .collect();
    let plain: Vec<String> = kernel
        .params
        .iter()
        .filter_map(|param| check.plain(param))
        .collect();
    let launched = if kernel.is_closure {
        // What is captured has the names that parameters would have.
        for (param, argument) in kernel.params.iter().zip(&arguments) {
            let name = &kernel.names[param.name.0];
            check.uploads += &format!("                let {name} = {argument};\n");
        }
        let side = Side::Kernel;
        format!("|_| {}", Printer { kernel, side }.body())
    } else {
        format!("kernel{}({})", check.turbofish(), arguments.join(", "))
    };
    let Check {
        inputs,
        expected,
        uploads,
        results,
        ..
    } = check;
    let (seed, plain) = (kernel.seed, plain.join(", "));
    format!(
        "pub(crate) fn check(run: &Run) {{
    for mut case in run.cases({module:?}, {seed}) {{
{inputs}{expected}        let faults = case.expect(&mut |item, items| oracle::{module}::kernel(item, items, {plain}));
        for device in run.devices() {{
            case.on(device, &faults, &mut || {{
                let queue = device.queue()?;
{uploads}                launch!(queue, {launched}, global = case.items())?;
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

    /// What the harness has in place of a type.
    fn model(&self, shape: &Shape) -> String {
        shape.model(self.kernel.generic.map_or("", |(_, scalar)| scalar.name()))
    }

    /// The value of a side that the model `m` stands for.
    fn of_model(&self, shape: &Shape, m: &str, side: Side) -> String {
        let vectors = if side == Side::Oracle { "oracle::" } else { "" };
        shape.of_model(m, &|name| self.path(name, side), vectors)
    }

    fn to_model(&self, shape: &Shape, side: Side) -> String {
        shape.to_model("v", &|name| self.path(name, side))
    }

    /// The path of a type of the user's.
    fn path(&self, name: Name, side: Side) -> String {
        let name = &self.kernel.names[name.0];
        match side {
            Side::Kernel => name.clone(),
            Side::Oracle => format!("oracle::{}::{name}", self.module),
        }
    }

    /// What a launch says besides, if there are const parameters.
    fn turbofish(&self) -> String {
        let printer = Printer {
            kernel: self.kernel,
            side: Side::Kernel,
        };
        let of = |param: &Param| match &param.role {
            Role::Function(..) => Some("_".to_string()),
            Role::Const(_, value) => Some(format!("{{ {} }}", printer.node(value))),
            Role::Slice(..) | Role::Value(_) | Role::Output(..) | Role::Atomics(..) | Role::Struct(..) => {
                None
            }
        };
        let is_const = |param: &Param| matches!(param.role, Role::Const(..));
        if !self.kernel.params.iter().any(is_const) {
            return String::new();
        }
        let first = self.kernel.generic.map(|_| "_".to_string());
        let all: Vec<String> = first
            .into_iter()
            .chain(self.kernel.params.iter().filter_map(of))
            .collect();
        format!("::<{}>", all.join(", "))
    }

    /// Writes what makes an argument, and gives the argument; const parameters have none.
    fn param(&mut self, param: &Param) -> Option<String> {
        let n = param.name.0;
        Some(match &param.role {
            Role::Const(..) => return None,
            Role::Function(_, _, argument) => {
                let (kernel, side) = (self.kernel, Side::Kernel);
                let text = Printer { kernel, side }.node(argument);
                // Beside type arguments a closure must be a value of its own.
                if text.starts_with('|') && !self.turbofish().is_empty() {
                    format!("closure!(fn {text})")
                } else {
                    text
                }
            }
            Role::Slice(shape, len) => {
                self.input(n, shape, &len.to_string());
                self.upload(n, shape, "b");
                format!("&b{n}")
            }
            Role::Atomics(of, len) => {
                let (shape, ty) = (Shape::Scalar(*of), atomics::name(*of));
                let name = self.kernel.names[n].clone();
                self.input(n, &shape, &len.to_string());
                self.upload(n, &shape, "mut b");
                self.expected +=
                    &format!("        let e{n}: Vec<{ty}> = p{n}.iter().map(|v| {ty}::new(*v)).collect();\n");
                let found = format!("e{n}.iter().map(|v| v.load(Ordering::Relaxed)).collect::<Vec<_>>()");
                self.results += &format!("Element::check(&queue, {name:?}, &{found}, &b{n}, None)?, ");
                format!("&mut b{n}")
            }
            Role::Value(shape) => {
                let model = self.model(shape);
                self.inputs += &format!("        let p{n} = case.value::<{model}>();\n");
                self.of_model(shape, &format!("p{n}"), Side::Kernel)
            }
            Role::Output(shape, ulps) => {
                let name = self.kernel.names[n].clone();
                self.input(n, shape, "case.items()");
                self.upload(n, shape, "mut b");
                if shape.is_two_types() {
                    let model = self.model(shape);
                    let [plain, kernel] = [Side::Oracle, Side::Kernel].map(|side| self.to_model(shape, side));
                    self.expected += &format!("        let mut e{n} = q{n}.clone();\n");
                    self.results += &format!(
                        "check_models::<{model}, _, _>(&queue, {name:?}, (&e{n}, &|v| {plain}), (&b{n}, &|v| {kernel}))?, "
                    );
                } else {
                    self.expected += &format!("        let mut e{n} = p{n}.clone();\n");
                    self.results += &format!("Element::check(&queue, {name:?}, &e{n}, &b{n}, {ulps:?})?, ");
                }
                format!("&mut b{n}")
            }
            Role::Struct(ty, fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .filter_map(|field| {
                        let name = self.kernel.names[field.name.0].clone();
                        Some(format!("{name}: {}", self.param(field)?))
                    })
                    .collect();
                format!("{ty} {{ {} }}", fields.join(", "))
            }
        })
    }

    /// The elements `p` of a buffer, or their models, and for plain Rust then also the elements `q`.
    fn input(&mut self, n: usize, shape: &Shape, len: &str) {
        let model = self.model(shape);
        if shape.is_two_types() {
            let of = self.of_model(shape, "m", Side::Oracle);
            self.inputs += &format!("        let p{n} = case.models::<{model}>({len});\n");
            self.inputs += &format!("        let q{n}: Vec<_> = p{n}.iter().map(|&m| {of}).collect();\n");
        } else {
            self.inputs += &format!("        let p{n} = case.slice::<{model}>({len});\n");
        }
    }

    fn upload(&mut self, n: usize, shape: &Shape, name: &str) {
        let upload = if shape.is_two_types() {
            let of = self.of_model(shape, "m", Side::Kernel);
            format!("upload_models(&queue, &p{n}, &|m: {}| {of})", self.model(shape))
        } else {
            format!("Element::upload(&queue, &p{n})")
        };
        self.uploads += &format!("                let {name}{n} = {upload}?;\n");
    }

    fn plain(&self, param: &Param) -> Option<String> {
        let n = param.name.0;
        Some(match &param.role {
            Role::Const(..) | Role::Function(..) => return None,
            Role::Slice(shape, _) if shape.is_two_types() => format!("&q{n}"),
            Role::Slice(..) => format!("&p{n}"),
            Role::Value(shape) => self.of_model(shape, &format!("p{n}"), Side::Oracle),
            Role::Output(..) => format!("&mut e{n}"),
            Role::Atomics(..) => format!("&e{n}"),
            Role::Struct(ty, fields) => {
                let field = |field: &Param| {
                    let name = &self.kernel.names[field.name.0];
                    Some(format!("{name}: {}", self.plain(field)?))
                };
                let fields: Vec<String> = fields.iter().filter_map(field).collect();
                format!("oracle::{}::{ty} {{ {} }}", self.module, fields.join(", "))
            }
        })
    }
}
