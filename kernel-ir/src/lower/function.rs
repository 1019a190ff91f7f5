//! Functions as values: closures, and `#[device]` functions that are passed on.
//!
//! Calls are inlined, so what is called is known wherever it goes, and no code form needs a pointer to a function.

use super::operand::{Callee, Function, Operand, Place};
use super::{Lowered, Lowering};
use crate::body::Link;
use crate::tree::{Closure, Expr, LinkHole};
use std::rc::Rc;

impl Lowering<'_> {
    /// A closure of the function that is being lowered.
    pub(super) fn closure(&self, closure: &Closure) -> Operand {
        Operand::Function(Rc::new(Function::Closure(closure.clone(), self.callers.len())))
    }

    /// A function of the source, or one that the kernel takes.
    pub(super) fn function(&mut self, hole: LinkHole, captures: Option<&Expr>) -> Lowered<Operand> {
        let function = match (self.link(hole)?, captures) {
            (Link::Passed(body), _) | (Link::Function(body), None) => Function::Device(Callee(body), None),
            (Link::Function(body), Some(captures)) => {
                Function::Device(Callee(body), Some(self.expr(captures)?))
            }
            (Link::Method(_) | Link::Core(_) | Link::FromBytes(..) | Link::Index(_) | Link::Words(_), _) => {
                return Err(self.bug("a method as a value"));
            }
        };
        Ok(Operand::Function(Rc::new(function)))
    }

    /// The call of a function that is a value.
    pub(super) fn call_function(&mut self, function: &Function, arguments: Vec<Place>) -> Lowered<Operand> {
        match function {
            Function::Closure(closure, depth) => self.within(*depth, |s| s.call_closure(closure, &arguments)),
            Function::Device(Callee(body), captures) => {
                let captures = captures.clone().map(Place::Value);
                self.inline_places(body, captures.into_iter().chain(arguments).collect())
            }
        }
    }

    /// Runs `f` where `depth` calls are under way. Those above it are set aside: a closure sees the variables of the
    /// call that it stands in, and what it calls is not called by those that it was passed to.
    fn within<T>(&mut self, depth: usize, f: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        if depth >= self.callers.len() {
            return f(self);
        }
        let mut above = self.callers.split_off(depth);
        let here = above.remove(0);
        above.push(std::mem::replace(&mut self.frame, here));
        self.aside += above.len();
        let result = f(self);
        self.aside -= above.len();
        if let Some(top) = above.pop() {
            self.callers.push(std::mem::replace(&mut self.frame, top));
        }
        self.callers.append(&mut above);
        result
    }

    /// The call of a closure: its body, here. What it captured it sees as it is now, as Rust's borrows see it.
    pub(super) fn call_closure(&mut self, closure: &Closure, arguments: &[Place]) -> Lowered<Operand> {
        if closure.params.len() != arguments.len() {
            return Err(self.bug("a closure with the wrong number of arguments"));
        }
        let exit = self.exit();
        let outer = self.frame.exit.replace(exit);
        let lowered = self.nested(|s| {
            for (pattern, argument) in closure.params.iter().zip(arguments) {
                s.bind_pattern(pattern, argument, false)?;
            }
            s.expr(&closure.body)
        });
        let exit = std::mem::replace(&mut self.frame.exit, outer);
        let (body, end) = lowered?;
        match exit {
            Some(exit) => self.close_block(body, end, exit),
            None => Err(self.bug("a closure without a way out")),
        }
    }
}
