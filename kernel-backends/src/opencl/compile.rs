//! From an instance to a kernel that the driver can launch, once per device.
//!
//! Two tables per device, each locked only to find an entry: by the instance's address, so that threads which ask
//! for one kernel at once compile it once; and by the code, so that instances with the same code, such as those of
//! two crates, share one program. A failure is told and not kept: the next launch tries again.

use super::api::{Handle, call, create};
use super::device::{Device, text};
use super::{error, fault};
use crate::compile::{generated, lowered, refused};
use crate::dump::dump;
use gridfn_codegen::{Code, Options, Target, opencl_c};
use gridfn_ir::{layout, typed};
use gridfn_runtime::backend::KernelInfo;
use gridfn_runtime::kernel::Ahead;
use gridfn_runtime::{Capability, Error, Kernel, Result};
use opencl_sys::*;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::hash::Hash;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// One instance, ready to launch on one device. Kept for ever, as the device is.
pub(super) struct Compiled {
    program: &'static Program,
    /// The kernel's number in fault records, if it can fault.
    tag: Option<u64>,
}

impl Compiled {
    #[inline]
    pub(super) fn program(&self) -> &'static Program {
        self.program
    }

    #[inline]
    pub(super) fn tag(&self) -> Option<u64> {
        self.tag
    }

    #[inline]
    pub(super) fn info(&self) -> KernelInfo {
        self.program.info
    }
}

/// What was compiled for one device.
#[derive(Default)]
pub(super) struct Programs {
    instances: Table<usize, Compiled>,
    programs: Table<(Code, CString), Program>,
}

/// `kernel`, compiled for `device` now or before.
#[inline]
pub(super) fn compiled(device: Device, kernel: &'static Kernel) -> Result<&'static Compiled> {
    match kernel.cache.get(kernel, device.number()) {
        // SAFETY: under the number of one of our devices there are only the records that `compile` inserts.
        Some(compiled) => Ok(unsafe { compiled.cast::<Compiled>().as_ref() }),
        None => compile(device, kernel),
    }
}

#[cold]
fn compile(device: Device, kernel: &'static Kernel) -> Result<&'static Compiled> {
    let address = std::ptr::from_ref(kernel).addr();
    let programs = device.programs();
    let (compiled, new) = programs.instances.get_or_make(address, || {
        let target = device.target();
        let typed = lowered(kernel, target)?;
        check_capabilities(device, kernel, &typed)?;
        let code = code(device, kernel, &typed)?;
        let name = match target {
            Target::OpenClC => opencl_c::entry_name(&typed),
            _ => typed.name.clone(),
        };
        let name = CString::new(name).map_err(|error| refused(kernel, target, error))?;
        let make = || {
            dump(kernel.name, target, &code);
            Program::build(device, kernel, &code, &name, Arguments::of(&typed))
        };
        let (program, _) = programs
            .programs
            .get_or_make((code.clone(), name.clone()), make)?;
        let sites: Vec<_> = typed.sites.iter().map(|(_, site)| site.clone()).collect();
        let tag = (!sites.is_empty()).then(|| fault::tag(kernel.name, sites));
        Ok(Compiled { program, tag })
    })?;
    if new {
        kernel
            .cache
            .insert(kernel, device.number(), NonNull::from(compiled).cast());
    }
    Ok(compiled)
}

/// What a kernel takes.
#[derive(Clone, Copy)]
struct Arguments {
    /// The number of arguments: the block, the slices, and the fault record if it can fault.
    slots: usize,
    /// Bytes of the parameter block.
    block: usize,
}

impl Arguments {
    fn of(typed: &typed::Kernel) -> Arguments {
        let slices = typed
            .params
            .iter()
            .filter(|(_, p)| matches!(p.kind, typed::ParamKind::Slice { .. }));
        let slots = 1 + slices.count() + usize::from(!typed.sites.is_empty());
        Arguments {
            slots,
            block: layout::of(typed).size,
        }
    }
}

fn check_capabilities(device: Device, kernel: &Kernel, typed: &typed::Kernel) -> Result<()> {
    if typed.uses_f64() && !device.info().has(Capability::Float64) {
        return Err(Error::Unsupported {
            kernel: kernel.name.into(),
            capability: Capability::Float64,
            device: device.id().into(),
        });
    }
    Ok(())
}

/// The kernel's code in the form that the device takes: what the attribute made already, if that is what is wanted.
fn code(device: Device, kernel: &Kernel, typed: &typed::Kernel) -> Result<Code> {
    let options = Options {
        // A device that has neither correct rounding nor `f64` divides as it can.
        f32_division_through_f64: !device.divides_correctly() && device.info().has(Capability::Float64),
    };
    let target = device.target();
    if !options.change(typed) {
        let ahead = kernel.ahead.iter().find_map(|ahead| match (ahead, target) {
            (Ahead::OpenClC(text), Target::OpenClC) => Some(Code::Text((*text).into())),
            (Ahead::Spirv(bytes), Target::Spirv) => Some(Code::Words(words(bytes))),
            (Ahead::OpenClC(_) | Ahead::Spirv(_), _) => None,
        });
        if let Some(code) = ahead {
            return Ok(code);
        }
    }
    generated(kernel, typed, target, options)
}

fn words(little_endian: &[u8]) -> Vec<u32> {
    let (words, _) = little_endian.as_chunks();
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// How many `cl_kernel`s a program keeps: as many launches of it can be under way at once without making new ones.
const POOL: usize = 16;

/// A program of one kernel, built for a device.
pub(super) struct Program {
    device: Device,
    raw: Handle,
    name: CString,
    info: KernelInfo,
    arguments: Arguments,
    /// A `cl_kernel` holds the arguments that were set last, so each is taken by one thread at a time.
    pool: [AtomicPtr<Launchable>; POOL],
}

/// A `cl_kernel`, and what its arguments are.
struct Launchable {
    device: Device,
    raw: Handle,
    /// For each argument the identity of the memory that was set last; 0 for none. Handles would not do: a driver may
    /// give the handle of a released object to a new one.
    set: Box<[u64]>,
    /// The parameter block that was set last; empty for none.
    block: Vec<u8>,
}

impl Drop for Launchable {
    fn drop(&mut self) {
        // SAFETY: the kernel is ours and is released once; the driver keeps it while commands use it.
        let _ = unsafe { call!(self.device, clReleaseKernel(self.raw.0)) };
    }
}

/// A number that no other memory object of the process ever has.
pub(super) fn identity() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Program {
    fn build(
        device: Device,
        kernel: &Kernel,
        code: &Code,
        name: &CStr,
        arguments: Arguments,
    ) -> Result<Program> {
        let raw = create_program(device, code)?;
        let mut program = Program {
            device,
            raw,
            name: name.into(),
            info: KernelInfo {
                group_size: 1,
                preferred_multiple: 1,
            },
            arguments,
            pool: [const { AtomicPtr::new(null_mut()) }; POOL],
        };
        let mut options = String::new();
        if device.target() == Target::OpenClC {
            options += "-cl-std=CL1.2 ";
        }
        if device.is_oclgrind() {
            // Its optimizer makes intrinsics that its interpreter does not know, such as `llvm.bitreverse`.
            options += "-cl-opt-disable ";
        }
        if device.divides_correctly() {
            options += "-cl-fp32-correctly-rounded-divide-sqrt";
        }
        let options = CString::new(options).map_err(|error| refused(kernel, device.target(), error))?;
        let id = device.raw().0;
        // SAFETY: a live program of this device's context, and no callback: the call returns when it is built.
        let built = unsafe {
            call!(
                device,
                clBuildProgram(raw.0, 1, &id, options.as_ptr(), None, null_mut())
            )
        };
        if let Err(error) = built {
            let log = program.log();
            return Err(Error::Build {
                kernel: kernel.name.into(),
                device: device.id().into(),
                log: if log.is_empty() { error.to_string() } else { log },
            });
        }
        let info = program.take()?.info()?;
        program.info = info;
        Ok(program)
    }

    /// What the driver's compiler said.
    fn log(&self) -> String {
        text(|room, bytes, size| {
            // SAFETY: a live program of this device; `text` gives room for as many bytes as it says.
            unsafe {
                (self.device.api().clGetProgramBuildInfo)(
                    self.raw.0,
                    self.device.raw().0,
                    CL_PROGRAM_BUILD_LOG,
                    room,
                    bytes,
                    size,
                )
            }
        })
    }

    /// Bytes of the parameter block.
    #[inline]
    pub(super) fn block(&self) -> usize {
        self.arguments.block
    }

    /// Takes a `cl_kernel` for one launch.
    #[inline]
    pub(super) fn take(&self) -> Result<Taken<'_>> {
        for place in &self.pool {
            // Most of the pool is empty most of the time; a look is cheaper than a swap.
            if place.load(Ordering::Relaxed).is_null() {
                continue;
            }
            if let Some(kernel) = NonNull::new(place.swap(null_mut(), Ordering::Acquire)) {
                return Ok(Taken {
                    program: self,
                    kernel,
                });
            }
        }
        // SAFETY: a built program and a name that ends in zero.
        let raw = unsafe { create!(self.device, clCreateKernel(self.raw.0, self.name.as_ptr())) }?;
        let set = vec![0; self.arguments.slots].into_boxed_slice();
        let kernel = Box::new(Launchable {
            device: self.device,
            raw,
            set,
            block: vec![],
        });
        Ok(Taken {
            program: self,
            kernel: NonNull::from(Box::leak(kernel)),
        })
    }
}

impl Drop for Program {
    /// Only a program that could not be built is ever dropped.
    fn drop(&mut self) {
        for place in &mut self.pool {
            if !place.get_mut().is_null() {
                // SAFETY: a leaked box that nobody has taken.
                drop(unsafe { Box::from_raw(*place.get_mut()) });
            }
        }
        // SAFETY: the program is ours and is released once.
        let _ = unsafe { call!(self.device, clReleaseProgram(self.raw.0)) };
    }
}

fn create_program(device: Device, code: &Code) -> Result<Handle> {
    let context = device.context()?;
    match code {
        Code::Text(text) => {
            let (mut start, length) = (text.as_ptr().cast(), text.len());
            // SAFETY: one string of that length.
            unsafe {
                create!(
                    device,
                    clCreateProgramWithSource(context.0, 1, &mut start, &length)
                )
            }
        }
        Code::Words(words) => {
            const CALL: &str = "clCreateProgramWithIL";
            let mut code = CL_INVALID_OPERATION;
            let mut program = null_mut();
            if let Some(create) = device.api().clCreateProgramWithIL {
                // SAFETY: the module is as long as said.
                program = unsafe {
                    create(
                        context.0,
                        words.as_ptr().cast(),
                        size_of_val(&words[..]),
                        &mut code,
                    )
                };
            }
            error::check(device.id(), CALL, code).map(|()| Handle(program))
        }
    }
}

/// A `cl_kernel` that was taken from its program's pool, and goes back there.
pub(super) struct Taken<'p> {
    program: &'p Program,
    /// A leaked box, which is ours alone while it is taken.
    kernel: NonNull<Launchable>,
}

impl Taken<'_> {
    #[inline]
    pub(super) fn raw(&self) -> Handle {
        // SAFETY: ours alone.
        unsafe { self.kernel.as_ref() }.raw
    }

    /// Sets the parameter block. What is set already is not set again.
    #[inline]
    pub(super) fn set_block(&mut self, block: &[u8]) -> Result<()> {
        // SAFETY: ours alone.
        let kernel = unsafe { self.kernel.as_mut() };
        if kernel.block == block {
            return Ok(());
        }
        kernel.block.clear();
        // SAFETY: the driver copies as many bytes as there are.
        unsafe {
            call!(
                kernel.device,
                clSetKernelArg(kernel.raw.0, 0, block.len(), block.as_ptr().cast())
            )?
        };
        // A kernel's blocks are all of one size, so this allocates once.
        kernel.block.extend_from_slice(block);
        Ok(())
    }

    /// Sets an argument to a memory object, whose identity is [`identity`]'s. What is set already is not set again.
    #[inline]
    pub(super) fn set_memory(&mut self, slot: usize, raw: Handle, identity: u64) -> Result<()> {
        // SAFETY: ours alone.
        let kernel = unsafe { self.kernel.as_mut() };
        let Some(set) = kernel.set.get_mut(slot) else {
            // More arguments than the kernel has: the driver says so.
            return set_argument(kernel.device, kernel.raw, slot, raw);
        };
        if *set == identity {
            return Ok(());
        }
        *set = 0;
        set_argument(kernel.device, kernel.raw, slot, raw)?;
        *set = identity;
        Ok(())
    }

    fn info(&self) -> Result<KernelInfo> {
        Ok(KernelInfo {
            group_size: self.number(CL_KERNEL_WORK_GROUP_SIZE)?,
            preferred_multiple: self.number(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)?,
        })
    }

    /// One of the kernel's numbers; 1 at least.
    fn number(&self, what: cl_kernel_work_group_info) -> Result<usize> {
        let mut number = 0usize;
        let device = self.program.device;
        // SAFETY: a live kernel of this device, and room for one `size_t`.
        unsafe {
            call!(
                device,
                clGetKernelWorkGroupInfo(
                    self.raw().0,
                    device.raw().0,
                    what,
                    size_of::<usize>(),
                    (&raw mut number).cast(),
                    null_mut()
                )
            )?;
        }
        Ok(number.max(1))
    }
}

impl Drop for Taken<'_> {
    #[inline]
    fn drop(&mut self) {
        for place in &self.program.pool {
            let kernel = self.kernel.as_ptr();
            let back = place.compare_exchange(null_mut(), kernel, Ordering::Release, Ordering::Relaxed);
            if back.is_ok() {
                return;
            }
        }
        // SAFETY: a leaked box that is ours alone.
        drop(unsafe { Box::from_raw(self.kernel.as_ptr()) });
    }
}

fn set_argument(device: Device, kernel: Handle, slot: usize, memory: Handle) -> Result<()> {
    // SAFETY: the argument is a live memory object; the driver copies the handle.
    unsafe {
        call!(
            device,
            clSetKernelArg(
                kernel.0,
                slot as u32,
                size_of::<*mut c_void>(),
                (&raw const memory.0).cast()
            )
        )
    }
}

/// Values that are made once each and kept for ever. Who asks for a value that is being made waits; who asks for
/// another does not.
struct Table<K, V: 'static>(Mutex<HashMap<K, Cell<V>>>);

type Cell<V> = Arc<Mutex<Option<&'static V>>>;

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table(Mutex::default())
    }
}

impl<K: Eq + Hash, V> Table<K, V> {
    /// The value of `key`, and whether this call has made it.
    fn get_or_make(&self, key: K, make: impl FnOnce() -> Result<V>) -> Result<(&'static V, bool)> {
        let cell = {
            let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            cells.entry(key).or_default().clone()
        };
        let mut value = cell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = *value {
            return Ok((value, false));
        }
        let made: &V = Box::leak(Box::new(make()?));
        *value = Some(made);
        Ok((made, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn threads_that_ask_at_once_make_a_value_once() {
        let (table, made) = (Table::<u8, usize>::default(), AtomicUsize::new(0));
        let news: usize = std::thread::scope(|scope| {
            let ask = || {
                table.get_or_make(1, || {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                    Ok(made.fetch_add(1, Ordering::Relaxed))
                })
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            let results = threads.into_iter().map(|thread| thread.join().unwrap().unwrap());
            results.map(|(value, new)| *value + usize::from(new)).sum()
        });
        assert_eq!((news, made.into_inner()), (1, 1));
    }

    #[test]
    fn a_failure_is_not_kept() {
        let table = Table::<u8, u8>::default();
        let failure = Error::Length {
            expected: 0,
            found: 1,
        };
        assert_eq!(
            table.get_or_make(1, || Err(failure.clone())).unwrap_err(),
            failure
        );
        assert_eq!(table.get_or_make(1, || Ok(7)).unwrap(), (&7, true));
        assert_eq!(table.get_or_make(1, || Ok(8)).unwrap(), (&7, false));
    }
}
