//! The attributes `#[kernel]` and `#[device]`, and `launch!`.
//!
//! A body goes through three folders, in this order: `parse` turns `syn`'s tree into our own and refuses what
//! kernels cannot say, `check` proves that a safe kernel's items do not meet, `expand` emits the call's builder, the
//! closure that is host version and type source at once, and the tree as bytes. `ahead` compiles plain kernels
//! while the program is built. Between the stages stands `diagnostic::Errors`: a stage runs only if the one before
//! had nothing to report.

use proc_macro::TokenStream;

#[cfg(feature = "aot")]
mod ahead;
mod check;
mod diagnostic;
mod expand;
mod parse;

/// Makes a function a kernel: code that every work-item of a launch runs, on any device.
///
/// See the documentation of the crate `gridfn`.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernel(attribute.into(), item.into()).into()
}

/// Makes a function one that kernels may call. On the host it stays the function that it is.
///
/// See the documentation of the crate `gridfn`.
#[proc_macro_attribute]
pub fn device(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::device(attribute.into(), item.into()).into()
}

/// Makes a struct or enum one that kernels may hold.
///
/// See the documentation of the crate `gridfn`.
#[proc_macro_derive(DeviceCopy, attributes(device_copy))]
pub fn device_copy(input: TokenStream) -> TokenStream {
    expand::device_copy(input.into()).into()
}

/// Makes a struct several arguments of a kernel in one.
///
/// See the documentation of the crate `gridfn`.
#[proc_macro_derive(KernelArg, attributes(kernel_arg))]
pub fn kernel_arg(input: TokenStream) -> TokenStream {
    expand::kernel_arg(input.into()).into()
}

/// Makes a closure a kernel, as a value that owns or borrows what it captured.
///
/// See the documentation of the crate `gridfn`.
#[proc_macro]
pub fn closure(input: TokenStream) -> TokenStream {
    expand::closure(input.into()).into()
}

/// Queues one launch of a kernel.
///
/// See the documentation of the crate `gridfn`.
#[proc_macro]
pub fn launch(input: TokenStream) -> TokenStream {
    expand::launch(input.into()).into()
}
