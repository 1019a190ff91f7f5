//! OpenCL C 1.2, as a careful person would write it: with the user's names, and without needless variables.
//!
//! The text is deterministic. Devices must have 64-bit addresses, because `usize` has 64 bits and `size_t` is taken
//! for it.

mod atomics;
mod control;
mod expr;
mod helpers;
mod names;
mod print;
mod prologue;
mod subgroups;
mod tables;
mod types;
mod uses;
mod values;

pub use subgroups::EXTENSIONS as SUBGROUP_EXTENSIONS;

use crate::{GenerateError, Options};
use control::Scope;
use expr::Expr;
use gridfn_ir::typed::{Kernel, LocalId, Op, ParamId, ParamKind, Stmt, ValueId, visit};
use helpers::Helpers;
use names::Names;
use print::CStmt;
use prologue::Parameters;
use std::collections::HashSet;

/// Generates OpenCL C. The kernel's name in it is [`entry_name`].
///
/// # Errors
///
/// If the kernel uses what OpenCL C cannot say.
pub fn generate(kernel: &Kernel, options: Options) -> Result<String, GenerateError> {
    let mut function = Function::new(kernel, options);
    let body = function.block(&kernel.body)?;

    let mut text = prologue::pragmas(kernel, function.uses_double);
    text.push('\n');
    text += &prologue::block(kernel, &function.parameters);
    text.push('\n');
    if !kernel.sites.is_empty() {
        text += &prologue::fault(kernel);
        text.push('\n');
    }
    for definition in function.helpers.definitions() {
        text += definition;
        text.push('\n');
    }
    for (table, name) in kernel.tables.iter().zip(&function.table_names) {
        text += &tables::definition(table.1, name);
        text.push('\n');
    }
    text += &prologue::head(kernel, &entry_name(kernel), &function.parameters);
    for (id, _) in kernel.locals.iter().filter(|(_, local)| local.shared) {
        text += &format!("    local {};\n", function.declaration(id));
    }
    if !kernel.whole_groups {
        text += prologue::MASK;
    }
    print::statements(&mut text, &body, 1);
    text += "}\n";
    Ok(text)
}

/// The kernel's name in the generated code: its own, unless OpenCL C has other plans for that.
pub fn entry_name(kernel: &Kernel) -> String {
    names::identifier(&kernel.name)
}

/// The kernel's body while it is written.
struct Function<'a> {
    kernel: &'a Kernel,
    options: Options,
    /// Whether the code needs `double`.
    uses_double: bool,
    parameters: Parameters,
    helpers: Helpers,
    variables: Names,
    local_names: Vec<String>,
    table_names: Vec<String>,
    /// The names of the values that have a variable of their own.
    value_names: Vec<Option<String>>,
    uses: Vec<usize>,
    /// Values that wait, in the order of their definitions, to be folded into the one expression that uses them. A
    /// statement that would change one of them first gives it a variable.
    pending: Vec<(ValueId, Expr)>,
    /// Locals whose declaration waits for their first value.
    undeclared: HashSet<LocalId>,
    /// The loops and blocks around the current place.
    scopes: Vec<Scope>,
    /// The statements of the current block.
    out: Vec<CStmt>,
}

/// The length from which on an expression gets a variable of its own.
const LONG: usize = 80;

impl<'a> Function<'a> {
    fn new(kernel: &'a Kernel, options: Options) -> Function<'a> {
        let mut variables = Names::default();
        let parameters = Parameters::new(kernel, options, &mut variables);
        let mut local_names = vec![String::new(); kernel.locals.len()];
        let mut value_names = vec![None; kernel.values.len()];
        // The user's names come first, in the order of the source; what has none must not take one from them.
        visit(&kernel.body, &mut |statement| match statement {
            Stmt::Def(value) => {
                let value_of = &kernel.values[*value];
                match (&value_of.name, value_of.op) {
                    // What has no name but is read into one gets that: the results of `if`s, counters of loops.
                    (Some(name), Op::Read(local)) if is_nameless(kernel, &local_names, local) => {
                        local_names[local.index()] = variables.claim(name);
                    }
                    (Some(name), _) => value_names[value.index()] = Some(variables.claim(name)),
                    (None, _) => {}
                }
            }
            Stmt::Declare(local) => {
                if let Some(name) = &kernel.locals[*local].name {
                    local_names[local.index()] = variables.claim(name);
                }
            }
            Stmt::Set(..)
            | Stmt::SetElement(..)
            | Stmt::Store(..)
            | Stmt::LoadVector(..)
            | Stmt::StoreVector(..)
            | Stmt::Atomic(_)
            | Stmt::Subgroup(_)
            | Stmt::Barrier
            | Stmt::If(..)
            | Stmt::Loop { .. }
            | Stmt::Block { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return
            | Stmt::Fault(..)
            | Stmt::Record(..) => {}
        });
        for (id, local) in kernel.locals.iter().filter(|(_, local)| local.shared) {
            local_names[id.index()] = variables.claim(local.name.as_deref().unwrap_or("shared"));
        }
        for name in local_names.iter_mut().filter(|name| name.is_empty()) {
            *name = variables.claim("t");
        }
        let table_names = tables::names(kernel, &mut variables);
        Function {
            kernel,
            options,
            uses_double: kernel.uses_f64(),
            parameters,
            helpers: Helpers::default(),
            variables,
            local_names,
            table_names,
            value_names,
            uses: uses::count(kernel),
            pending: Vec::new(),
            undeclared: HashSet::new(),
            scopes: Vec::new(),
            out: Vec::new(),
        }
    }

    /// `value`, where it is used.
    fn operand(&mut self, value: ValueId) -> Result<Expr, GenerateError> {
        if let Some(name) = &self.value_names[value.index()] {
            return Ok(Expr::primary(name));
        }
        match self.pending.iter().position(|(pending, _)| *pending == value) {
            Some(at) => Ok(self.pending.remove(at).1),
            None => self.expression(value),
        }
    }

    /// A value is defined here, and `rest` follows in its block: it gets a variable if the user named it or needs it
    /// more than once; otherwise it waits for its use.
    fn define(&mut self, value: ValueId, rest: &[Stmt]) -> Result<(), GenerateError> {
        let uses = self.uses[value.index()];
        let named = self.kernel.values[value].name.is_some();
        let unused = uses == 0 && !named;
        if unused || (self.is_trivial(value) && !named) || self.is_its_local(value, rest) {
            return Ok(());
        }
        let expr = self.expression(value)?;
        if named || uses > 1 || expr.text().len() > LONG {
            self.give_variable(value, &expr);
        } else {
            self.pending.push((value, expr));
        }
        Ok(())
    }

    /// Whether a value is what a local holds for as long as the value is used, so that the local's name does.
    fn is_its_local(&self, value: ValueId, rest: &[Stmt]) -> bool {
        let Op::Read(local) = self.kernel.values[value].op else {
            return false;
        };
        // A value with a name of its own keeps it.
        self.value_names[value.index()].is_none()
            && uses::end_before_change(self.kernel, &self.uses, value, local, rest)
    }

    /// Whether a value is as well said again as given a name.
    fn is_trivial(&self, value: ValueId) -> bool {
        match self.kernel.values[value].op {
            Op::Const(_) | Op::Param(_) | Op::Len(_) => true,
            Op::Index(..)
            | Op::Read(_)
            | Op::ReadElement(..)
            | Op::Load(..)
            | Op::Component
            | Op::Element(..)
            | Op::Lookup(..)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Cast(_)
            | Op::Bits(_)
            | Op::Select(..)
            | Op::Math1(..)
            | Op::Math2(..)
            | Op::MulAdd(..) => false,
        }
    }

    /// Declares a constant for `value`.
    fn give_variable(&mut self, value: ValueId, expr: &Expr) {
        let name = match self.value_names[value.index()].take() {
            Some(name) => name,
            None => self
                .variables
                .claim(self.kernel.values[value].name.as_deref().unwrap_or("t")),
        };
        let ty = types::name(self.kernel.values[value].ty);
        self.out
            .push(CStmt::Declaration(format!("const {ty} {name} = {}", expr.text())));
        self.value_names[value.index()] = Some(name);
    }

    /// Gives a variable to each pending value that `must` not wait any longer.
    fn settle(&mut self, must: impl Fn(&Expr) -> bool) {
        let (settled, waiting) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|(_, expr)| must(expr));
        self.pending = waiting;
        for (value, expr) in &settled {
            self.give_variable(*value, expr);
        }
    }

    fn is_writable(&self, slice: ParamId) -> bool {
        matches!(
            self.kernel.params[slice].kind,
            ParamKind::Slice { writable: true, .. }
        )
    }
}

fn is_nameless(kernel: &Kernel, names: &[String], local: LocalId) -> bool {
    kernel.locals[local].name.is_none() && names[local.index()].is_empty()
}
