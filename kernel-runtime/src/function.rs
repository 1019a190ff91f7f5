//! Functions as arguments of kernels: closures with their captures, and `#[device]` functions.
//!
//! A kernel's parameter `f: F` with `F: Fn(T) -> T` becomes one of a type that is [`DeviceFn`]. Its argument is what
//! the function captured, as a struct of parameters; its code is a link of the kernel's instance.

use crate::argument::{KernelArg, Parameter, Put, Reader, Slots};
use crate::backend::Backend;
use crate::closure::{Captures, Source, Views};
use crate::error::Result;
use crate::host::conjure;
use crate::index::Item;
use crate::private::ViewOf;
use gridfn_ir::{Link, Struct, Type};
use std::marker::PhantomData;

/// A function that kernels can take and call with the arguments `A`, a tuple.
#[diagnostic::on_unimplemented(
    message = "this cannot be called with `{A}` in a kernel",
    label = "not a function for kernels",
    note = "pass a closure in `launch!`, `closure!(fn |v: f32| …)`, or a `#[device]` function as `name {{}}`"
)]
pub trait DeviceFn<A>: KernelArg + Sized {
    /// What it returns.
    type Output;
    /// Itself. By this name a launch asks for what it can only be asked once it is a function for kernels, so that
    /// what is none is told once.
    type This;
    /// See [`DeviceFn::This`].
    fn this(&self) -> &Self::This;
    /// What devices call.
    const LINK: fn() -> Link;
    /// Calls it on the host.
    fn call(item: &Item, captures: ViewOf<'_, Self>, arguments: A) -> Self::Output;
}

/// The captures of a function that has none.
pub struct NoCaptures;
// SAFETY: nothing is written and nothing is read.
unsafe impl Parameter for NoCaptures {
    const TYPE: Type = Type::Struct(&Struct {
        name: "",
        fields: &[],
        size: 0,
        align: 1,
    });
    type View<'v> = ();
    #[inline(always)]
    unsafe fn read<'v>(_: &mut Reader<'v>) {}
}

/// A closure as an argument of a kernel, with what it captured.
pub struct Function<S, C, H, F, B> {
    captures: C,
    of: PhantomData<Parts<S, H, F, B>>,
}

/// What a closure is made of, without values.
type Parts<S, H, F, B> = fn() -> (S, H, F, B);

/// A closure's captures and source, before the closure itself is known.
///
/// A kernel's builder takes the closure last, because rustc knows the types of its parameters only then.
pub struct Unbound<S, C, H, B> {
    captures: C,
    of: PhantomData<Parts<S, H, (), B>>,
}

/// Makes what a closure is but for its host version.
#[inline(always)]
pub fn unbound<S, C: Views<B>, H, B: Backend>(_: S, captures: C, _: H) -> Unbound<S, C, H, B> {
    Unbound {
        captures,
        of: PhantomData,
    }
}

impl<S, C: Views<B>, H, B: Backend> Unbound<S, C, H, B> {
    /// With the host version.
    #[inline(always)]
    pub fn bind<A, R, F>(self, _: F) -> Function<S, C, H, F, B>
    where
        F: for<'v, 'i> Fn(&'i Item, C::Views<'v>, A) -> R + Copy,
    {
        Function {
            captures: self.captures,
            of: PhantomData,
        }
    }
}

/// The captures as a parameter.
pub struct Environment<S, C, H, B>(PhantomData<(S, C, H, B)>);
// SAFETY: reads what `Put` for the function wrote.
unsafe impl<S: Source<C, H, B>, C: Captures<B>, H, B: Backend> Parameter for Environment<S, C, H, B> {
    const TYPE: Type = S::ENVIRONMENT;
    type View<'v> = C::Views<'v>;
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> C::Views<'v> {
        // SAFETY: the caller's promise.
        unsafe { C::read(reader) }
    }
}

impl<S: Source<C, H, B>, C: Captures<B>, H, F, B: Backend> KernelArg for Function<S, C, H, F, B> {
    type Parameter = Environment<S, C, H, B>;
}

impl<S, C: Captures<B>, H, F, B: Backend> Put<B> for Function<S, C, H, F, B> {
    #[inline(always)]
    fn put<W: Slots<B>>(&self, slots: &mut W) -> Result<()> {
        self.captures.put(slots)
    }
}

impl<S: Source<C, H, B>, C: Captures<B>, H, A, R, F, B: Backend> DeviceFn<A> for Function<S, C, H, F, B>
where
    F: for<'v, 'i> Fn(&'i Item, C::Views<'v>, A) -> R + Copy,
{
    type Output = R;
    type This = Self;
    #[inline(always)]
    fn this(&self) -> &Self {
        self
    }
    const LINK: fn() -> Link = || Link::Function(const { &S::BODY });
    #[inline(always)]
    fn call(item: &Item, captures: C::Views<'_>, arguments: A) -> R {
        conjure::<F>()(item, captures, arguments)
    }
}

impl<S, C, H, F, B> std::fmt::Debug for Function<S, C, H, F, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Function")
    }
}
