//! From an instance to a kernel that the driver can launch, once per device.
//!
//! Threads which ask for one kernel at once compile it once (`Cache::get_or_make`). Each device has a table by the
//! code besides, so that instances with the same code, such as those of two crates, share one program; it is locked
//! only to find an entry. A failure is told and not kept: the next launch tries again.

use super::api::{Handle, call, create};
use super::device::{Device, text};
use super::pool::{Pool, Taken};
use super::{error, fault, print};
use crate::compile::{generated, library, lowered_with, refused};
use crate::dump::dump;
use gridfn_codegen::{Code, Options, Target, opencl_c};
use gridfn_ir::{layout, typed};
use gridfn_runtime::backend::KernelInfo;
use gridfn_runtime::kernel::Ahead;
use gridfn_runtime::{Capability, Error, Kernel, Result};
use opencl_sys::*;
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::hash::Hash;
use std::ptr::{NonNull, null_mut};
use std::sync::{Arc, Mutex, PoisonError};

/// One instance, ready to launch on one device. Kept for ever, as the device is.
pub(super) struct Compiled {
    program: &'static Program,
    /// The kernel's number in fault records, if it can fault.
    tag: Option<u64>,
    /// The kernel's number in print buffers, if it prints.
    prints: Option<u32>,
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
    pub(super) fn prints(&self) -> Option<u32> {
        self.prints
    }

    #[inline]
    pub(super) fn info(&self) -> KernelInfo {
        self.program.info
    }
}

/// What was compiled for one device, by the code and the kernel's name in it.
pub(super) type Programs = Table<(Code, CString), Program>;

/// `kernel`, compiled for `device` now or before.
#[inline]
pub(super) fn compiled(device: Device, kernel: &'static Kernel) -> Result<&'static Compiled> {
    match kernel.cache.get(kernel, device.number()) {
        // SAFETY: under the number of one of our devices there are only the records that `compile` makes.
        Some(compiled) => Ok(unsafe { compiled.cast::<Compiled>().as_ref() }),
        None => compile(device, kernel),
    }
}

#[cold]
fn compile(device: Device, kernel: &'static Kernel) -> Result<&'static Compiled> {
    let compiled = kernel.cache.get_or_make(kernel, device.number(), || {
        let target = device.target();
        let typed = lowered_with(kernel, &library(target), target)?;
        check_capabilities(device, kernel, &typed)?;
        check_local_memory(device, kernel, &typed)?;
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
        let program = device
            .programs()
            .get_or_make((code.clone(), name.clone()), make)?;
        let sites: Vec<_> = typed.sites.iter().map(|(_, site)| site.clone()).collect();
        let tag = (!sites.is_empty()).then(|| fault::tag(kernel.name, sites));
        let prints = typed
            .prints
            .as_ref()
            .map(|prints| print::tag(prints.lines.clone()));
        let compiled: &Compiled = Box::leak(Box::new(Compiled { program, tag, prints }));
        Ok::<_, Error>(NonNull::from(compiled).cast())
    })?;
    // SAFETY: under the number of one of our devices there are only the records that are made above.
    Ok(unsafe { compiled.cast::<Compiled>().as_ref() })
}

/// What a kernel takes.
#[derive(Clone, Copy)]
struct Arguments {
    /// The number of arguments: the block, the slices, and the fault record if it can fault.
    slots: usize,
    /// Bytes of the parameter block.
    block: usize,
    /// The version of OpenCL C that its text is in: the extension of sub-groups is one to 2.0.
    version: &'static str,
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
            version: if typed.uses_subgroups() { "CL2.0" } else { "CL1.2" },
        }
    }
}

fn check_capabilities(device: Device, kernel: &Kernel, typed: &typed::Kernel) -> Result<()> {
    let needed = [
        (Capability::Float64, typed.uses_f64()),
        (Capability::AtomicInt64, typed.uses_atomics_of_64_bits()),
        (Capability::Subgroups, typed.uses_subgroups()),
    ];
    match needed
        .into_iter()
        .find(|(c, needed)| *needed && !device.info().has(*c))
    {
        Some((capability, _)) => Err(Error::Unsupported {
            kernel: kernel.name.into(),
            capability,
            device: device.id().into(),
        }),
        None => Ok(()),
    }
}

fn check_local_memory(device: Device, kernel: &Kernel, typed: &typed::Kernel) -> Result<()> {
    let (asked, available) = (typed.shared_bytes(), device.info().limits.local_memory);
    if asked > available {
        return Err(Error::LocalMemory {
            kernel: kernel.name.into(),
            device: device.id().into(),
            asked,
            available,
        });
    }
    Ok(())
}

/// The kernel's code in the form that the device takes: what the attribute made already, if that is what is wanted.
fn code(device: Device, kernel: &Kernel, typed: &typed::Kernel) -> Result<Code> {
    let options = Options {
        // A device that has neither correct rounding nor `f64` divides as it can.
        f32_division_through_f64: !device.divides_correctly() && device.info().has(Capability::Float64),
        arrays_are_copied: device.is_mesa(),
        atomics_are_fenced: device.is_llvmpipe(),
        barriers_stand_alone: device.is_pocl(),
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

/// A program of one kernel, built for a device.
pub(super) struct Program {
    device: Device,
    raw: Handle,
    info: KernelInfo,
    /// Bytes of the parameter block.
    block: usize,
    kernels: Pool,
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
            info: KernelInfo {
                group_size: 1,
                preferred_multiple: 1,
                subgroup_size: None,
            },
            block: arguments.block,
            kernels: Pool::new(device, raw, name, arguments.slots),
        };
        let mut options = String::new();
        if device.target() == Target::OpenClC {
            options += "-cl-std=";
            options += arguments.version;
            options += " ";
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
        self.block
    }

    /// Takes a `cl_kernel` for one launch.
    #[inline]
    pub(super) fn take(&self) -> Result<Taken<'_>> {
        self.kernels.take()
    }
}

impl Drop for Program {
    /// Only a program that could not be built is ever dropped.
    fn drop(&mut self) {
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

/// Values that are made once each and kept for ever. Who asks for a value that is being made waits; who asks for
/// another does not.
pub(super) struct Table<K, V: 'static>(Mutex<HashMap<K, Cell<V>>>);

type Cell<V> = Arc<Mutex<Option<&'static V>>>;

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table(Mutex::default())
    }
}

impl<K: Eq + Hash, V> Table<K, V> {
    fn get_or_make(&self, key: K, make: impl FnOnce() -> Result<V>) -> Result<&'static V> {
        let cell = {
            let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            cells.entry(key).or_default().clone()
        };
        let mut value = cell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = *value {
            return Ok(value);
        }
        let made: &V = Box::leak(Box::new(make()?));
        *value = Some(made);
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn threads_that_ask_at_once_make_a_value_once() {
        let (table, made) = (Table::<u8, usize>::default(), AtomicUsize::new(0));
        let values: Vec<usize> = std::thread::scope(|scope| {
            let ask = || {
                table.get_or_make(1, || {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                    Ok(made.fetch_add(1, Ordering::Relaxed))
                })
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            let results = threads.into_iter().map(|thread| thread.join().unwrap().unwrap());
            results.copied().collect()
        });
        assert_eq!((values, made.into_inner()), (vec![0; 8], 1));
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
        assert_eq!(table.get_or_make(1, || Ok(7)).unwrap(), &7);
        assert_eq!(table.get_or_make(1, || Ok(8)).unwrap(), &7);
    }
}
