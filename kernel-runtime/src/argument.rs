//! The two sides of a kernel argument, and the path between them.
//!
//! The caller's side is [`Put`]: a value or a buffer writes itself into the back end's [`Slots`]. The kernel's side
//! is [`Parameter`]: on the host it reads itself back, in the order written. Between them nothing is boxed, counted
//! or collected: a call's [`Fill`] is generated per kernel and inlines into one straight line of stores.

use crate::backend::Backend;
use crate::buffer::Buffer;
use crate::closure::ByValue;
use crate::element::{DeviceCopy, element_of};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::leaves;
use crate::view::SliceMut;
use gridfn_ir::{Access, Type};
use std::marker::PhantomData;

/// Where a back end takes the arguments of one launch, in the order of the parameters.
pub trait Slots<B: Backend> {
    /// A scalar, or an array of scalars, at its natural alignment in the parameter block.
    ///
    /// `T` is a [`DeviceCopy`]. The bound is not repeated here: a kernel asks for it once, where the parameter's type
    /// stands, so that a type that no kernel can hold is one error and not one per use.
    fn scalar<T>(&mut self, value: T);

    /// Any other value: its [`leaves`], each at its natural alignment in the parameter block.
    ///
    /// # Safety
    ///
    /// `ty` is the type of `T`, and has a size.
    unsafe fn aggregate<T: Copy>(&mut self, ty: &'static Type, value: T);

    /// A buffer of `len` elements: its memory into a slot, its length into the parameter block.
    ///
    /// # Errors
    ///
    /// If the memory belongs to another device, or the driver refuses it.
    fn buffer(&mut self, memory: &B::Memory, len: usize, access: Access) -> Result<()>;
}

/// Something that writes arguments into slots: a kernel call.
///
/// One generic method, so that a back end may bring any writer, and may bring several. It borrows the call, which may
/// own buffers: they live until `Backend::launch` drops it.
pub trait Fill<B: Backend> {
    /// Writes every argument, in order.
    ///
    /// # Errors
    ///
    /// Those of [`Slots::buffer`].
    fn fill<S: Slots<B>>(&self, slots: &mut S) -> Result<()>;
}

/// A call of a kernel, as `kernel(arguments)` builds it and `launch!` takes it.
#[diagnostic::on_unimplemented(
    message = "this cannot be launched on a queue of the back end `{B}`",
    label = "expected `kernel(arguments)` or a closure, with buffers of the queue's back end",
    note = "`launch!` takes a call of a function that is marked `#[kernel]`, a closure, or `&mut` of what `closure!` made"
)]
pub trait Call<B: Backend>: Fill<B> {
    /// The kernel's own type.
    type Kernel;

    /// The instance that is called.
    fn kernel(&self) -> &'static Kernel;
}

/// The caller's side of one argument.
pub trait Put<B: Backend> {
    /// Writes the argument.
    ///
    /// # Errors
    ///
    /// Those of [`Slots::buffer`].
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()>;
}

impl<T: DeviceCopy, B: Backend> Put<B> for T {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        // SAFETY: the type is that of `T`.
        unsafe { put_value::<T, ByValue<T>, B, S>(*self, slots) };
        Ok(())
    }
}

/// Puts a value, of the type that the parameter `P` has.
///
/// # Safety
///
/// That is the type of `T`.
#[inline(always)]
pub(crate) unsafe fn put_value<T: Copy, P: Parameter, B: Backend, S: Slots<B>>(value: T, slots: &mut S) {
    if const { leaves::is_plain(&P::TYPE) } {
        slots.scalar(value);
    } else {
        // SAFETY: the caller's promise; a parameter's type has a size.
        unsafe { slots.aggregate(&P::TYPE, value) };
    }
}

impl<T, B: Backend> Put<B> for &Buffer<T, B> {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        slots.buffer(self.memory(), self.len(), Access::Shared)
    }
}

impl<T, B: Backend> Put<B> for &mut Buffer<T, B> {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        slots.buffer(self.memory(), self.len(), Access::Unique)
    }
}

/// The kernel's side of one parameter.
///
/// # Safety
///
/// `read` reads exactly what [`Put`] of the matching argument wrote.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a kernel parameter",
    label = "not a kernel parameter",
    note = "kernels take integers of 8 to 64 bits, `f32`, `f64`, `bool`, arrays and tuples of these, structs and enums \
            with `#[derive(DeviceCopy)]`, `&[T]` and `&mut [T]` of all these, and structs with `#[derive(KernelArg)]`"
)]
pub unsafe trait Parameter {
    /// Its type, as code generators see it.
    const TYPE: Type;
    /// What the host version of the body gets.
    type View<'v>: Copy;

    /// Reads the parameter on the host.
    ///
    /// # Safety
    ///
    /// The reader stands at an argument that was written for this parameter.
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> Self::View<'v>;
}

/// What stands for one or several parameters of a kernel at its launch, by `#[derive(KernelArg)]`.
///
/// It says which parameter each field of such a struct is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to a kernel",
    label = "not a kernel argument",
    note = "a struct with `#[derive(KernelArg)]` holds numbers, `bool`, what has `#[derive(DeviceCopy)]`, arrays of \
            these, `&Buffer<T>`, `&mut Buffer<T>`, and other such structs"
)]
pub trait KernelArg {
    /// The kernel's side.
    type Parameter: Parameter;
}

impl<T: DeviceCopy, B: Backend> KernelArg for &Buffer<T, B> {
    type Parameter = Shared<T>;
}
impl<T: DeviceCopy, B: Backend> KernelArg for &mut Buffer<T, B> {
    type Parameter = Unique<T>;
}

/// The parameter `&[T]`.
pub struct Shared<T>(PhantomData<T>);
/// The parameter `&mut [T]`.
pub struct Unique<T>(PhantomData<T>);

// SAFETY: reads the pointer and length that the host's slots wrote for `&Buffer<T>`.
unsafe impl<T: DeviceCopy> Parameter for Shared<T> {
    const TYPE: Type = Type::Slice {
        element: element_of::<T>(),
        access: Access::Shared,
    };
    type View<'v> = &'v [T];
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> &'v [T] {
        // SAFETY: the caller's promise.
        unsafe { reader.shared() }
    }
}

// SAFETY: reads the pointer and length that the host's slots wrote for `&mut Buffer<T>`.
unsafe impl<T: DeviceCopy> Parameter for Unique<T> {
    const TYPE: Type = Type::Slice {
        element: element_of::<T>(),
        access: Access::Unique,
    };
    type View<'v> = SliceMut<'v, T>;
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> SliceMut<'v, T> {
        // SAFETY: the caller's promise.
        unsafe { reader.unique() }
    }
}

/// All parameters of one kernel, as a tuple.
///
/// # Safety
///
/// `read` reads exactly what the kernel's calls write.
pub unsafe trait Parameters {
    /// The tuple of views, each of which is `Copy`. It is not a bound for the reason that [`Slots::scalar`] gives.
    type View<'v>;

    /// Reads all parameters on the host.
    ///
    /// # Safety
    ///
    /// The reader stands at the first argument of a call of this kernel.
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> Self::View<'v>;
}

/// Reads the arguments of one launch back on the host, in the order in which they were put.
///
/// The host's block holds values as they are and buffers as pointer and length, each at its natural alignment, but none
/// at more than 8.
#[derive(Clone, Copy)]
pub struct Reader<'v> {
    block: *const u8,
    at: usize,
    lifetime: PhantomData<&'v ()>,
}

impl<'v> Reader<'v> {
    /// A reader at the start of `block`.
    ///
    /// # Safety
    ///
    /// The block holds a call's arguments as the host's slots write them, and lives for `'v`, as do its buffers.
    pub unsafe fn new(block: *const u8) -> Reader<'v> {
        Reader {
            block,
            at: 0,
            lifetime: PhantomData,
        }
    }

    /// The next value: a scalar, an array or another aggregate.
    ///
    /// # Safety
    ///
    /// A `T` was written next, and `T` is a [`DeviceCopy`].
    #[inline(always)]
    pub unsafe fn scalar<T>(&mut self) -> T {
        let at = gridfn_ir::layout::align_up(self.at, align_of::<T>().min(align_of::<u64>()));
        // What has no bytes takes nothing, not even what would align it.
        if size_of::<T>() > 0 {
            self.at = at + size_of::<T>();
        }
        // SAFETY: the caller's promise; the block itself is aligned to 8 at least.
        unsafe {
            let value = self.block.add(at).cast::<T>();
            if align_of::<T>() <= align_of::<u64>() {
                value.read()
            } else {
                value.read_unaligned()
            }
        }
    }

    /// The next buffer, which the kernel only reads.
    ///
    /// # Safety
    ///
    /// A `&Buffer<T>` was written next, and `T` is a [`DeviceCopy`].
    #[inline(always)]
    pub unsafe fn shared<T>(&mut self) -> &'v [T] {
        // SAFETY: the caller's promise; a `&Buffer<T>` holds `len` elements, which nobody writes meanwhile.
        unsafe {
            let (pointer, len) = (self.scalar::<*const T>(), self.scalar::<usize>());
            std::slice::from_raw_parts(pointer, len)
        }
    }

    /// The next buffer, whose elements the kernel uses as atomics.
    ///
    /// # Safety
    ///
    /// A `&mut Buffer` of what `A` holds was written next, and `A` is an [`Atomic`](crate::atomic::Atomic).
    #[inline(always)]
    pub unsafe fn atomics<A>(&mut self) -> &'v [A] {
        // SAFETY: the caller's promise; only this launch touches the elements of a `&mut Buffer`, and it knows them as
        // atomics, which lie in memory as what they hold.
        unsafe {
            let (pointer, len) = (self.scalar::<*mut A>(), self.scalar::<usize>());
            std::slice::from_raw_parts(pointer, len)
        }
    }

    /// The next buffer, which the kernel may write.
    ///
    /// # Safety
    ///
    /// A `&mut Buffer<T>` was written next, and `T` is a [`DeviceCopy`].
    #[inline(always)]
    pub unsafe fn unique<T>(&mut self) -> SliceMut<'v, T> {
        // SAFETY: the caller's promise; a `&mut Buffer<T>` holds `len` elements, which only this launch touches.
        unsafe {
            let (pointer, len) = (self.scalar::<*mut T>(), self.scalar::<usize>());
            SliceMut::new(pointer, len)
        }
    }
}
