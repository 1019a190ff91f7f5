//! Rust functions as data-parallel kernels, on stable Rust, on whatever device is there.
//!
//! A function marked [`#[kernel]`](macro@kernel) runs once per *work-item* of a launch: on the CPU itself, or on any
//! OpenCL device. The same function, the same results, bit for bit.
//!
//! ```
//! use gridfn::prelude::*;
//!
//! #[kernel]
//! fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
//!     let i = global_id(0);
//!     y[i] += a * x[i];
//! }
//!
//! # fn main() -> gridfn::Result<()> {
//! let queue = Device::best()?.queue()?;
//! let x = queue.upload(&vec![1.0f32; 1 << 20])?;
//! let mut y = queue.upload(&vec![2.0f32; 1 << 20])?;
//! launch!(queue, saxpy(3.0, &x, &mut y), global = x.len())?;
//! assert_eq!(queue.download(&y)?[0], 5.0);
//! # Ok(())
//! # }
//! ```
//!
//! # Kernels
//!
//! A kernel is a function that returns nothing and takes numbers, `bool`s, `&[T]` and `&mut [T]`; callers pass
//! numbers, `&Buffer<T>` and `&mut Buffer<T>`. Arrays of numbers, tuples, and structs with
//! [`#[derive(KernelArg)]`](derive@KernelArg) are parameters too. A closure in [`launch!`] is a kernel that captures its
//! arguments. It may be generic over [`Scalar`], [`Int`] and [`Float`]. Its body is
//! ordinary Rust over the built-in types: `let`, every operator, `as`, `if`, `while`, `loop`, `for` over ranges,
//! labels, `return`, constants, the methods of the number types, and calls of [`#[device]`](macro@device) functions.
//! What it does not support is an error at its own token, with what to write instead.
//!
//! Types are rustc's: the body is compiled as Rust too, and what rustc infers is what devices get.
//!
//! Where an item is in the grid, it asks [`global_id`](prelude::global_id) and its kin; 0 is x, the fastest dimension.
//!
//! # Safety
//!
//! A `fn` kernel compiles only if no two work-items can touch the same element of a `&mut [T]`: it accesses them at
//! `global_id(0)` or `global_linear_id()`. Any other kernel is an `unsafe fn`, and its call stands in `unsafe`:
//!
//! ```
//! # use gridfn::prelude::*;
//! /// # Safety
//! ///
//! /// No two elements of `to` are the same.
//! #[kernel]
//! unsafe fn scatter(to: &[u32], x: &[f32], y: &mut [f32]) {
//!     let i = global_id(0);
//!     y[to[i] as usize] = x[i];
//! }
//!
//! # fn main() -> gridfn::Result<()> {
//! let queue = Device::host().queue()?;
//! let (to, x) = (queue.upload(&[1u32, 0])?, queue.upload(&[1.0f32, 2.0])?);
//! let mut y = queue.zeros::<f32>(2)?;
//! // SAFETY: the elements of `to` differ.
//! launch!(queue, unsafe { scatter(&to, &x, &mut y) }, global = 2)?;
//! assert_eq!(queue.download(&y)?, [2.0, 1.0]);
//! # Ok(())
//! # }
//! ```
//!
//! Where items do meet, they use atomics, at any index: a `&mut Buffer<u32>` passes for a parameter `&[AtomicU32]` (module
//! [`atomic`]).
//!
//! ```
//! # use gridfn::prelude::*;
//! use std::sync::atomic::{AtomicU32, Ordering};
//!
//! #[kernel]
//! fn histogram(x: &[u32], bins: &[AtomicU32]) {
//!     bins[x[global_id(0)] as usize % bins.len()].fetch_add(1, Ordering::Relaxed);
//! }
//!
//! # fn main() -> gridfn::Result<()> {
//! let queue = Device::host().queue()?;
//! let (x, mut bins) = (queue.upload(&[1u32, 7, 4, 1])?, queue.zeros::<u32>(3)?);
//! launch!(queue, histogram(&x, &mut bins), global = x.len())?;
//! assert_eq!(queue.download(&bins)?, [0, 4, 0]);
//! # Ok(())
//! # }
//! ```
//!
//! A [`View`] is a buffer, or a part of one, with a shape of up to three dimensions, the last index the fastest. A safe
//! kernel writes a [`ViewMut`] at the item's own indices:
//!
//! ```
//! # use gridfn::prelude::*;
//! #[kernel]
//! fn brighten(by: f32, image: View<f32, 2>, out: ViewMut<f32, 2>) {
//!     let (x, y) = (global_id(0), global_id(1));
//!     out[[y, x]] = by * image[[y, x]];
//! }
//!
//! # fn main() -> gridfn::Result<()> {
//! let queue = Device::host().queue()?;
//! let (rows, columns) = (2, 3);
//! let image = queue.upload(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
//! let mut out = queue.zeros::<f32>(2)?;
//! let right = image.view([rows, columns])?.part([0..rows, 2..3])?;
//! launch!(queue, brighten(10.0, right, out.view_mut([rows, 1])?), global = [1, rows])?;
//! assert_eq!(queue.download(&out)?, [30.0, 60.0]);
//! # Ok(())
//! # }
//! ```
//!
//! Indices are always checked. An item that goes out of bounds, or divides by zero, ends there; the others go on, and
//! the next wait on the queue tells of it as [`Error::Fault`], with the place in the source:
//!
//! ```
//! # use gridfn::prelude::*;
//! #[kernel]
//! fn shifted(x: &[f32], y: &mut [f32]) {
//!     let i = global_id(0);
//!     y[i] = x[i + 1];
//! }
//!
//! # fn main() -> gridfn::Result<()> {
//! let queue = Device::host().queue()?;
//! let x = queue.upload(&[1.0f32, 2.0, 3.0])?;
//! let mut y = queue.zeros::<f32>(3)?;
//! launch!(queue, shifted(&x, &mut y), global = 3)?;
//! let Err(gridfn::Error::Fault(fault)) = queue.synchronize() else { panic!() };
//! assert_eq!(fault.message, "index out of bounds: the len is 3 but the index is 3");
//! assert_eq!(fault.id, [2, 0, 0]);
//! assert_eq!(queue.download(&y)?, [2.0, 3.0, 0.0]);
//! # Ok(())
//! # }
//! ```
//!
//! A kernel prints whole lines with `println!`, to the program's output, or to what [`Queue::on_print`](runtime::Queue::on_print)
//! is given; on a device they come with the next wait:
//!
//! ```
//! # use gridfn::prelude::*;
//! #[kernel]
//! fn thirds(x: &[u32]) {
//!     let v = x[global_id(0)];
//!     if v % 3 != 0 {
//!         println!("{v:#x} is {:.2} thirds", v as f32 * 3.0);
//!     }
//! }
//!
//! # fn main() -> gridfn::Result<()> {
//! let queue = Device::host().queue()?;
//! let (sender, lines) = std::sync::mpsc::channel();
//! queue.on_print(move |line| sender.send(line.to_string()).unwrap());
//! let x = queue.upload(&[3u32, 18, 20])?;
//! launch!(queue, thirds(&x), global = 3)?;
//! queue.synchronize()?;
//! assert_eq!(lines.try_iter().collect::<Vec<_>>(), ["0x14 is 60.00 thirds"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Semantics
//!
//! Those of Rust, the same on every device. Integers wrap, in debug builds too. `as` saturates. Floats are not
//! contracted and not reordered; `+ - * /`, `sqrt`, `mul_add`, casts and all integers give the same bits everywhere.
//! Excepted are the payload and sign of NaN, and the sign of a zero from `min` and `max`. The other functions (`exp`,
//! `sin`, …) stay within the error bounds of OpenCL's table. What std lacks (`erf`, `tgamma`, `rsqrt`, …) are the methods
//! of [`DeviceMath`], with the same bits everywhere.
//!
//! # Devices
//!
//! [`Device::host`] is always there. OpenCL is loaded when a device of it is first asked for, so a program builds and
//! starts without it. [`Device::best`] is a GPU if there is one, else the host; the environment variable
//! `GRIDFN_DEVICE` overrides it with what [`Device::select`] takes. `GRIDFN_DUMP=folder` writes the code of every
//! kernel that is compiled.
//!
//! # Queues, threads and memory
//!
//! A [`Queue`] runs what it is given in order; queues of one device order themselves where they share buffers. An
//! [`Event`] marks a point of a queue, for other queues, for the program and for `.await`. [`Device`], [`Queue`],
//! [`Buffer`], [`View`], [`Event`], [`Prepared`], [`Error`], [`Grid`] and the guards [`Mapped`] and [`MappedMut`] are all `Send` and
//! `Sync`; a kernel that many threads launch for the first time is compiled once.
//!
//! A `Vec` becomes a buffer by [`Queue::adopt`](runtime::Queue::adopt) and comes back by
//! [`Buffer::into_vec`](runtime::Buffer::into_vec), without a copy on the host.
//! [`Queue::map`](runtime::Queue::map) and [`Queue::map_mut`](runtime::Queue::map_mut) give a buffer as a slice, and
//! [`Queue::copy_from`](runtime::Queue::copy_from) copies between devices.

#[cfg(feature = "opencl")]
pub use gridfn_backends::any::opencl;
pub use gridfn_backends::{Buffer, Device, Event, Mapped, MappedMut, Prepared, Queue};
/// ```
/// use gridfn::prelude::*;
///
/// #[kernel]
/// fn transpose(a: View<f32, 2>, b: ViewMut<f32, 2>) {
///     let (x, y) = (global_id(0), global_id(1));
///     b[[y, x]] = a[[x, y]];
/// }
///
/// # fn main() -> gridfn::Result<()> {
/// let queue = Device::host().queue()?;
/// let a = queue.upload(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let mut b = queue.zeros::<f32>(6)?;
/// launch!(queue, transpose(a.view([2, 3])?, b.view_mut([3, 2])?), global = [2, 3])?;
/// assert_eq!(queue.download(&b)?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// # Ok(())
/// # }
/// ```
pub use gridfn_backends::{View, ViewMut};
pub use gridfn_codegen::{Code, Target};
pub use gridfn_math::{DeviceMath, vector};
pub use gridfn_runtime as runtime;
pub use gridfn_runtime::atomic;
/// ```
/// use gridfn::prelude::*;
///
/// /// The sum up to each element, in each sub-group for itself.
/// #[kernel]
/// fn sums(x: &[u32], y: &mut [u32], widths: &mut [u32]) {
///     let i = global_id(0);
///     y[i] = subgroup::inclusive_scan(x[i], |a, b| a + b);
///     widths[i] = subgroup::size() as u32;
/// }
///
/// # fn main() -> gridfn::Result<()> {
/// let queue = Device::host().queue()?;
/// let x = queue.upload(&[1u32; 64])?;
/// let (mut y, mut widths) = (queue.zeros::<u32>(64)?, queue.zeros::<u32>(64)?);
/// launch!(queue, sums(&x, &mut y, &mut widths), global = 64, local = 64)?;
/// let width = queue.download(&widths)?[0];
/// for (i, sum) in (0..).zip(queue.download(&y)?) {
///     assert_eq!(sum, i % width + 1);
/// }
/// # Ok(())
/// # }
/// ```
pub use gridfn_runtime::subgroup;
pub use gridfn_runtime::{
    Capability, DeviceCopy, Error, Fault, Float, GeometryError, Grid, Info, Int, IntoGrid, KernelArg, Limits,
    Priority, QueueOptions, Result, Scalar, Zeroable,
};
/// The floats of 16 bits of the crate `half`, in kernels with the feature `half`.
#[cfg(feature = "half")]
pub use gridfn_runtime::{bf16, f16};

/// Makes a struct or enum one that kernels may hold, pass and index.
///
/// Its fields are what kernels hold: numbers, `bool`, and arrays, tuples, structs and enums of these. It may be generic
/// over such types and over constants. Nothing needs `repr`: devices read each field where rustc has put it.
///
/// ```
/// use gridfn::prelude::*;
///
/// #[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
/// struct Particle {
///     position: [f32; 3],
///     velocity: [f32; 3],
///     alive: bool,
/// }
///
/// # fn main() -> gridfn::Result<()> {
/// let queue = Device::host().queue()?;
/// let p = Particle { position: [0.0; 3], velocity: [1.0, 2.0, 3.0], alive: true };
/// let mut particles = queue.upload(&[p; 100])?;
/// queue.fill(&mut particles, Particle { alive: false, ..p })?;
/// assert!(!queue.download(&particles)?[99].alive);
/// # Ok(())
/// # }
/// ```
///
/// So it is with enums, of which those with fields have a layout that devices know only with `#[repr(u8)]`, another
/// integer, or `#[repr(C)]`. Without it, and so has `Option`, they are values inside kernels only, and neither in buffers
/// nor arguments.
///
/// ```
/// use gridfn::prelude::*;
///
/// #[derive(Clone, Copy, DeviceCopy)]
/// #[repr(u8)]
/// enum Shape {
///     Circle { radius: f32 },
///     Box(f32, f32),
/// }
/// # let _ = [Shape::Circle { radius: 1.0 }, Shape::Box(1.0, 2.0)];
/// ```
///
/// [`Queue::zeros`](runtime::Queue::zeros) also asks for [`Zeroable`], which says that all zeros are a value of the type.
///
/// # Errors
///
/// References, unions and `repr(packed)` are compile errors at their token, and so is a field of a type that kernels
/// cannot hold.
pub use gridfn_macros::DeviceCopy;

/// Makes a function a kernel: code that every work-item of a launch runs, on any device.
///
/// The function's name then builds calls, which [`launch!`] queues, and names the kernel itself:
/// `saxpy::prepare(&queue)` compiles it, `saxpy::emit(Target::OpenClC)` shows its code.
///
/// `#[kernel(aot)]` asks that the kernel be compiled while the program is built, and makes it an error where its types
/// cannot be told from the source alone. Without it, kernels are compiled so where they can be.
///
/// ```
/// use gridfn::prelude::*;
///
/// #[kernel]
/// fn axpy<T: Float>(a: T, x: &[T], y: &mut [T]) {
///     let i = global_id(0);
///     y[i] += a * x[i];
/// }
///
/// # fn main() -> gridfn::Result<()> {
/// println!("{}", axpy::emit::<f64>(gridfn::Target::OpenClC)?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// What kernels do not support is a compile error at its own token.
pub use gridfn_macros::kernel;

/// Makes a function one that kernels may call. On the host it stays the function that it is.
///
/// ```
/// use gridfn::prelude::*;
///
/// #[device]
/// fn lerp<T: Float>(a: T, b: T, t: T) -> T {
///     a * (T::ONE - t) + b * t
/// }
///
/// #[kernel]
/// fn blend(x: &[f32], y: &mut [f32]) {
///     let i = global_id(0);
///     y[i] = lerp(x[i], y[i], 0.25);
/// }
///
/// assert_eq!(lerp(1.0, 3.0, 0.5), 2.0);
/// ```
///
/// It goes on `impl` blocks and traits too: kernels then call their methods and functions, also where they are generic over
/// a trait, and use their constants. On the `impl` of an operator (`Add`, `MulAssign`, `Neg`, `PartialEq`, …) it lets kernels
/// use that operator.
///
/// ```
/// use core::ops::Mul;
/// use gridfn::prelude::*;
///
/// #[derive(Clone, Copy, DeviceCopy)]
/// struct Complex {
///     re: f32,
///     im: f32,
/// }
///
/// #[device]
/// impl Mul for Complex {
///     type Output = Complex;
///     fn mul(self, b: Complex) -> Complex {
///         Complex { re: self.re * b.re - self.im * b.im, im: self.re * b.im + self.im * b.re }
///     }
/// }
///
/// #[device]
/// trait Energy {
///     const SCALE: f32;
///     fn energy(&self) -> f32;
///     fn scaled(&self) -> f32 {
///         self.energy() * Self::SCALE
///     }
/// }
///
/// #[device]
/// impl Energy for Complex {
///     const SCALE: f32 = 0.5;
///     fn energy(&self) -> f32 {
///         self.re * self.re + self.im * self.im
///     }
/// }
///
/// #[device]
/// fn energy_of<E: Energy>(e: E) -> f32 {
///     e.scaled()
/// }
///
/// #[kernel]
/// fn square(z: &mut [Complex], energies: &mut [f32]) {
///     let i = global_id(0);
///     z[i] = z[i] * z[i];
///     energies[i] = energy_of(z[i]);
/// }
/// ```
///
/// Type parameters of device code are types that kernels hold. A method has no place in the grid: pass it the index as an
/// argument. With type parameters of its own it is called by its path, `Type::method(value, …)`.
///
/// # Functions of work-groups
///
/// `#[device(group)]` makes a function one that all items of a work-group call together, as `group!(f(x))`: so it may hold
/// barriers, local arrays, `uniform`, and calls of other group functions.
///
/// ```
/// use gridfn::prelude::*;
///
/// /// What the item has that is `by` further on, around the group's end.
/// #[device(group)]
/// fn rotated<T: DeviceCopy>(value: T, #[uniform] by: usize) -> T {
///     let mut tile = local_array::<T, 256>();
///     let n = local_size(0).min(global_size(0) - group_id(0) * local_size(0));
///     tile[local_id(0)] = value;
///     barrier();
///     tile[(local_id(0) + by) % n]
/// }
///
/// #[kernel]
/// fn differences(x: &[f32], y: &mut [f32]) {
///     let i = global_id(0);
///     y[i] = group!(rotated(x[i], 1)) - x[i];
/// }
///
/// # fn main() -> gridfn::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let x = queue.upload(&[1.0f32, 4.0, 9.0, 16.0])?;
/// let mut y = queue.zeros::<f32>(4)?;
/// launch!(queue, differences(&x, &mut y), global = 4, local = 4)?;
/// assert_eq!(queue.download(&y)?, [3.0, 5.0, 7.0, -15.0]);
/// # Ok(())
/// # }
/// ```
///
/// Values are each item's own; one that is `#[uniform]` is the same for all, which the caller's is proven to be. What the items
/// share goes by reference: slices and local arrays. Functions can be passed too. Each item has its own result. Local arrays
/// of the function are the same ones in each call, with unspecified contents at first. Outside of kernels a call panics.
pub use gridfn_macros::device;

/// Queues one launch: `launch!(queue, kernel(arguments), global = …)`.
///
/// * `queue` is a [`Queue`], or a [`Prepared`] kernel in its place; a reference or an `Arc` will do.
/// * `global` is the exact number of work-items: `n`, a range `a..b` (ids then run from `a`), `[x, y]`, `[x, y, z]`, an
///   array of ranges, or `()` for one item. Instead, `groups` counts work-groups.
/// * `local`, which may be left out, is the size of a work-group in items.
///
/// The grid is evaluated before the call. The value is a [`Result<()>`](Result): the launch is queued, or nothing runs.
/// A zero in the grid launches nothing and is `Ok`.
///
/// ```
/// use gridfn::prelude::*;
///
/// #[kernel]
/// fn fill(value: u32, y: &mut [u32]) {
///     y[global_linear_id()] = value;
/// }
///
/// # fn main() -> gridfn::Result<()> {
/// let queue = Device::host().queue()?;
/// let mut y = queue.zeros::<u32>(12)?;
/// launch!(queue, fill(1, &mut y), global = [3, 4])?;
/// launch!(queue, fill(2, &mut y), groups = 3, local = 2)?;
/// assert_eq!(queue.download(&y)?, [2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Closures
///
/// In the place of a call, a closure may be the kernel. It takes the index of its item, `|i|`, `|[x, y]|` or
/// `|[x, y, z]|`, whose number is that of the grid's dimensions, and captures what else it names:
///
/// ```
/// use gridfn::prelude::*;
///
/// struct Wave {
///     u: Buffer<f32>,
///     v: Buffer<f32>,
///     dt: f32,
/// }
///
/// impl Wave {
///     fn step(&mut self, queue: &Queue) -> gridfn::Result<()> {
///         launch!(queue, |i| self.u[i] += self.dt * self.v[i], global = self.u.len())
///     }
/// }
///
/// # fn main() -> gridfn::Result<()> {
/// let queue = Device::host().queue()?;
/// let mut wave = Wave { u: queue.zeros(100)?, v: queue.upload(&[2.0; 100])?, dt: 0.5 };
/// wave.step(&queue)?;
/// wave.step(&queue)?;
/// assert_eq!(queue.download(&wave.u)?, [2.0; 100]);
///
/// let (width, weights) = (10, [1.0, 0.5]);
/// let (x, mut y) = (&wave.u, queue.zeros::<f32>(100)?);
/// launch!(queue, |[column, row]| {
///     let i = global_linear_id();
///     y[i] = x[row * width] * weights[column % 2];
/// }, global = [width, 10])?;
/// assert_eq!(queue.download(&y)?[..2], [2.0, 1.0]);
/// # Ok(())
/// # }
/// ```
///
/// What is captured is a *place*, as in Rust: a variable, a field of one (`self.u`, and not all of `self`), what a
/// reference refers to (`*r`), or a constant. How, the body tells:
///
/// | in the body | is captured | and may be |
/// |---|---|---|
/// | a value: `dt` | by value, where the closure is made | a number or `bool`; of a reference to one, write `*dt` |
/// | elements that are read: `x[i]`, `x.len()` | by `&` | a `Buffer`, a reference, `Box`, `Rc` or `Arc` of one, or an array of numbers |
/// | elements that are written: `y[i] = …` | by `&mut` | a `Buffer`, or a `&mut` or `Box` of one |
///
/// `move |i| …` moves buffers into the closure instead; the launch keeps them as long as it needs them. What a
/// reference leads to cannot be moved: bind the reference to a variable first.
///
/// A closure compiles only if its items cannot meet, as a `fn` kernel does: what it writes it accesses at the index of
/// `|i|` or at `global_linear_id()`. Any other stands in `unsafe`, which promises that no two of its items touch one
/// element of a buffer that it writes:
///
/// ```
/// # use gridfn::prelude::*;
/// # fn main() -> gridfn::Result<()> {
/// # let queue = Device::host().queue()?;
/// let (x, mut y) = (queue.upload(&[1u32, 2, 3])?, queue.zeros::<u32>(3)?);
/// // SAFETY: each item has an element of its own.
/// launch!(queue, unsafe { |i| y[2 - i] = x[i] }, global = 3)?;
/// assert_eq!(queue.download(&y)?, [3, 2, 1]);
/// # Ok(())
/// # }
/// ```
///
/// [`closure!`] makes such a kernel as a value. In messages and faults it is called `closure`, with file and line.
///
/// # Errors
///
/// [`Error::Geometry`] for a grid or work-group that is none, [`Error::ForeignBuffer`] for a buffer of another device,
/// [`Error::Unsupported`] if the device lacks what the kernel needs, or the driver's refusal. The number, types and
/// borrows of the arguments are checked by rustc.
pub use gridfn_macros::launch;

/// Makes a closure a kernel, as a value: to launch it more than once, to compile it ahead with `prepare`, or to send
/// it to another thread.
///
/// Its captures are those of a closure in [`launch!`](macro@launch#closures). A number is copied where the closure is
/// made; a buffer is borrowed as long as the closure lives, or owned by it with `move`. It is launched as
/// `&mut closure`, or as `&closure` if it writes to nothing that it captured.
///
/// ```
/// use gridfn::prelude::*;
///
/// # fn main() -> gridfn::Result<()> {
/// let queue = Device::host().queue()?;
/// let (x, k) = (queue.upload(&[1u32, 2, 3])?, 10);
/// let mut y = queue.zeros::<u32>(3)?;
/// let mut add = closure!(|i| y[i] += k * x[i]);
/// let prepared = add.prepare(&queue)?;
/// launch!(prepared, &mut add, global = 3)?;
/// launch!(queue, &mut add, global = 1..3)?;
/// // The borrow of `y` ends with the last launch.
/// assert_eq!(queue.download(&y)?, [10, 40, 60]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// A launch over a grid of other dimensions than the closure has indices is an [`Error::Geometry`].
pub use gridfn_macros::closure;

/// Makes a struct several arguments of a kernel in one.
///
/// Its fields are named, and are what kernels take: numbers, `bool`, arrays of these, `&Buffer<T>`, `&mut Buffer<T>`, and
/// other such structs. It may be generic over the types of elements. In the kernel a field is used as a parameter of
/// its own would be, `f.u[i]`, `f.u.len()` and `f.dt`: nothing is copied on the device, and the proof that items do not
/// meet is made for each buffer by itself.
///
/// ```
/// use gridfn::prelude::*;
///
/// #[derive(KernelArg)]
/// struct Field<'a, T: Float> {
///     u: &'a Buffer<T>,
///     v: &'a mut Buffer<T>,
///     dt: T,
/// }
///
/// #[kernel]
/// fn step<T: Float>(f: Field<'_, T>, weights: [T; 2], range: (T, T)) {
///     let i = global_id(0);
///     let v = f.v[i] + f.dt * f.u[i] * weights[i % 2];
///     f.v[i] = v.clamp(range.0, range.1);
/// }
///
/// # fn main() -> gridfn::Result<()> {
/// let queue = Device::host().queue()?;
/// let (u, mut v) = (queue.upload(&[1.0f32, 2.0, 8.0])?, queue.zeros::<f32>(3)?);
/// let f = Field { u: &u, v: &mut v, dt: 0.5 };
/// launch!(queue, step(f, [1.0, 10.0], (0.0, 9.0)), global = 3)?;
/// assert_eq!(queue.download(&v)?, [0.5, 9.0, 4.0]);
/// # Ok(())
/// # }
/// ```
pub use gridfn_macros::KernelArg;

pub mod group;

/// Calls a `#[device(group)]` function, by all items of a work-group together.
#[macro_export]
macro_rules! group {
    ($($call:tt)*) => {
        ::core::compile_error!("`group!` stands in kernels and in `#[device(group)]` functions")
    };
}

/// What kernels and the programs around them need.
pub mod prelude {
    pub use crate::group;
    pub use crate::{
        Buffer, Device, DeviceCopy, DeviceMath, Float, Int, KernelArg, Queue, Scalar, View, ViewMut, closure,
        device, kernel, launch,
    };
    pub use gridfn_runtime::atomic::{AtomicF32, AtomicF64};
    pub use gridfn_runtime::index::{
        global_id, global_linear_id, global_size, group_id, local_id, local_linear_id, local_size, num_groups,
    };
    pub use gridfn_runtime::subgroup;
    pub use gridfn_runtime::workgroup::{barrier, local_array, uniform};
}

#[doc(hidden)]
pub mod __private {
    pub use gridfn_backends::compile::library;
    pub use gridfn_backends::emit;
    pub use gridfn_runtime::private::*;
}

/// The README's code, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
