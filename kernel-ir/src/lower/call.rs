//! Calls of `#[device]` functions: the body is inlined where it is called.

use super::operand::{Operand, Place, Slice};
use super::{Frame, Lowered, Lowering, Stop};
use crate::body::Body;
use crate::tree::{self, Expr};
use crate::typed::ValueId;
use crate::{Access, Type};

/// The most operations that a kernel may have before another call is inlined into it.
const MAX_VALUES: usize = 200_000;
/// The most calls that may be under way at once.
const MAX_DEPTH: usize = 100;

impl<'a> Lowering<'a> {
    /// A call: arguments are places, so that a receiver can be passed by reference.
    pub(super) fn inline(&mut self, callee: &'a Body<'a>, arguments: &[Expr]) -> Lowered<Operand> {
        let types = self.parameter_types(callee)?;
        let mut operands = Vec::with_capacity(arguments.len());
        for (argument, ty) in arguments.iter().zip(&types) {
            let place = self.place(argument)?;
            operands.push(self.argument(place, *ty)?);
        }
        if arguments.len() != types.len() {
            let (given, taken) = (arguments.len(), types.len());
            return Err(self.bug(format_args!(
                "a function has {taken} parameters and {given} arguments"
            )));
        }
        self.inline_operands(callee, operands)
    }

    /// A call whose arguments are places that have been evaluated.
    pub(super) fn inline_places(&mut self, callee: &'a Body<'a>, places: Vec<Place>) -> Lowered<Operand> {
        let types = self.parameter_types(callee)?;
        let arguments = places.into_iter().zip(types);
        let operands: Lowered<Vec<_>> = arguments.map(|(place, ty)| self.argument(place, ty)).collect();
        self.inline_operands(callee, operands?)
    }

    /// A function of the library: its body, here.
    pub(super) fn inline_values(&mut self, callee: &'a Body<'a>, arguments: &[ValueId]) -> Lowered<ValueId> {
        let operands = arguments.iter().copied().map(Operand::Value).collect();
        match self.inline_operands(callee, operands)? {
            Operand::Value(value) => Ok(value),
            _ => Err(self.bug("a function of the library without a result")),
        }
    }

    /// The types of the parameters, of which functions have none.
    fn parameter_types(&mut self, callee: &'a Body<'a>) -> Lowered<Vec<Option<Type>>> {
        let caller = std::mem::replace(&mut self.frame, Frame::new(callee));
        let types = self.tree().and_then(|tree| {
            let types = tree.params.iter().map(|param| param.ty);
            types
                .map(|ty| ty.map(|ty| self.resolve(ty)).transpose())
                .collect()
        });
        self.frame = caller;
        types
    }

    /// What is at a place as an argument of a type: Rust borrows receivers, and makes slices of arrays, by itself.
    fn argument(&mut self, place: Place, ty: Option<Type>) -> Lowered<Operand> {
        let Some(ty) = ty else {
            return match self.load(&place)? {
                function @ Operand::Function(_) => Ok(function),
                other => Err(self.bug(format_args!("{} is passed as a function", self.describe(&other)))),
            };
        };
        match ty {
            Type::Reference { .. } if self.is_reference(&place) => self.load(&place),
            Type::Reference { access, .. } => self.reference_to(place, access),
            Type::Slice { access, .. } => {
                let slice = self.slice_at(place)?;
                Ok(Operand::Slice(Slice {
                    writable: slice.writable && access == Access::Unique,
                    ..slice
                }))
            }
            Type::Unit
            | Type::Scalar(_)
            | Type::Atomic(_)
            | Type::Array { .. }
            | Type::Struct(_)
            | Type::Enum(_) => {
                let place = self.referent(place)?;
                self.load(&place)
            }
        }
    }

    /// A function whose arguments are lowered already: its body, here.
    fn inline_operands(&mut self, callee: &'a Body<'a>, operands: Vec<Operand>) -> Lowered<Operand> {
        self.check_growth()?;
        let exit = self.exit();
        let caller = std::mem::replace(&mut self.frame, Frame::new(callee));
        self.frame.exit = Some(exit.clone());
        self.frame.name.clone_from(&caller.name);
        self.callers.push(caller);

        let tree = self.tree()?;
        self.frame.name.clone_from(&tree.name);
        let caller_is = self.callers.last().is_some_and(|caller| caller.in_method);
        self.frame.in_method = caller_is || tree.kind == tree::Kind::Method;
        self.check_recursion()?;
        self.frame.result = self.resolve(tree.result)?;
        let (body, end) = self.nested(|s| {
            s.bind_arguments(&tree, operands)?;
            s.block(&tree.body)
        })?;
        let exit = self.frame.exit.clone().unwrap_or(exit);
        let result = match self.close_block(body, end, exit) {
            Ok(operand) => {
                self.expect("its result", &operand, self.frame.result)?;
                Ok(operand)
            }
            stop @ Err(_) => stop,
        };
        if let Some(caller) = self.callers.pop() {
            self.frame = caller;
        }
        result
    }

    fn bind_arguments(&mut self, tree: &tree::Tree, operands: Vec<Operand>) -> Lowered<()> {
        let (given, taken) = (operands.len(), tree.params.len());
        if given != taken {
            return Err(self.bug(format_args!("it has {taken} parameters and {given} arguments")));
        }
        for ((local, param), operand) in (0..).zip(&tree.params).zip(operands) {
            if let Some(ty) = param.ty {
                let ty = self.resolve(ty)?;
                self.expect(format_args!("`{}`", param.name), &operand, ty)?;
            }
            self.bind(local, &param.name, param.mutable, operand)?;
        }
        Ok(())
    }

    /// Refuses what would grow beyond all measure: n functions of two lines can stand for 2ⁿ operations.
    fn check_growth(&mut self) -> Lowered<()> {
        self.calls += 1;
        if self.builder.kernel().values.len() + self.calls > MAX_VALUES {
            return Err(self.error(format_args!(
                "the kernel is too large: with its device functions inlined it has more than {MAX_VALUES} operations"
            )));
        }
        Ok(())
    }

    /// Refuses a function that is called while it runs. `frame` is the newest call.
    fn check_recursion(&self) -> Lowered<()> {
        let name = &self.frame.name;
        let first = self
            .callers
            .iter()
            .position(|f| std::ptr::eq(f.body, self.frame.body));
        if let Some(first) = first {
            let chain: Vec<&str> = self.callers[first..].iter().map(|f| f.name.as_str()).collect();
            return Err(self.error_at_call(format_args!(
                "`{name}` calls itself: {} -> {name}; kernels cannot recurse",
                chain.join(" -> ")
            )));
        }
        if self.callers.len() + self.aside > MAX_DEPTH {
            return Err(self.error_at_call(format_args!(
                "the call of `{name}` is nested more than {MAX_DEPTH} calls deep"
            )));
        }
        Ok(())
    }

    fn error_at_call(&self, message: impl std::fmt::Display) -> Stop {
        match self.callers.last() {
            Some(caller) => caller.error(message),
            None => self.error(message),
        }
    }
}
