//! One launch, up to where a device would begin.

use super::device::ID;
use super::{Device, Memory, Null, Queue};
use crate::block::{Block, Room};
use crate::compile::{lowered, refused};
use gridfn_ir::layout::{self, Layout};
use gridfn_ir::typed::{Kernel as Typed, ParamKind};
use gridfn_ir::{Access, Type, verify};
use gridfn_runtime::{Error, Fill, Kernel, Result, Shape, Slots, leaves};
use std::cell::Cell;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// As many buffers as the parameter block has room for lengths of.
const SLOTS: usize = (Block::LIMIT - layout::PARAMS) / size_of::<u64>();

/// What a launch on the null device saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The geometry.
    pub shape: Shape,
    /// Bytes of the parameter block.
    pub bytes: usize,
    /// Buffers among the arguments.
    pub buffers: usize,
    /// The launches of this thread so far, this one included.
    pub launches: u64,
}

thread_local! {
    static LAST: Cell<Option<Seen>> = const { Cell::new(None) };
}

/// What this thread's last launch on the null device saw.
pub fn last_launch() -> Option<Seen> {
    LAST.get()
}

/// What is cached of a kernel.
#[derive(Debug)]
pub(super) struct Compiled {
    typed: Typed,
    layout: Layout,
}

/// The block and the slots of a launch.
struct Arguments<'k> {
    block: Block<'k>,
    slots: &'k mut [MaybeUninit<*mut u8>; SLOTS],
    buffers: usize,
    compiled: &'k Compiled,
    /// The number of the next argument, and the first that was not what the kernel takes. Only debug builds look.
    next: usize,
    wrong: Option<usize>,
}

impl Arguments<'_> {
    /// Compares the argument that has just been put, which ends at the block's end, with the kernel's parameter.
    #[inline(always)]
    fn check(&mut self, bytes: usize, is: impl Fn(ParamKind) -> bool) {
        if !cfg!(debug_assertions) {
            return;
        }
        let Compiled { typed, layout } = self.compiled;
        let param = typed.params.iter().nth(self.next).map(|(_, p)| p.kind);
        let right =
            layout.offsets.get(self.next) == Some(&(self.block.at() - bytes)) && param.is_some_and(is);
        if !right && self.wrong.is_none() {
            self.wrong = Some(self.next);
        }
        self.next += 1;
    }
}

impl Slots<Null> for Arguments<'_> {
    #[inline(always)]
    fn scalar<T>(&mut self, value: T) {
        self.block.put(value);
        self.check(size_of::<T>(), |kind| match kind {
            ParamKind::Scalar(scalar) => size_of::<T>() == scalar.bytes(),
            ParamKind::Array { element, len } => size_of::<T>() == len * element.bytes(),
            ParamKind::Slice { .. } => false,
        });
    }

    unsafe fn aggregate<T: Copy>(&mut self, ty: &'static Type, value: T) {
        // SAFETY: the caller's promise.
        unsafe {
            leaves::walk(ty, (&raw const value).cast(), &mut |leaf| {
                self.block.put_leaf(leaf);
                self.check(leaf.bytes(), |kind| match kind {
                    ParamKind::Scalar(scalar) => scalar == leaf.scalar(),
                    ParamKind::Array { element, len } => {
                        element == leaf.scalar() && leaf.bytes() == len * element.bytes()
                    }
                    ParamKind::Slice { .. } => false,
                });
            })
        }
    }

    #[inline(always)]
    fn buffer(&mut self, memory: &Memory, len: usize, access: Access) -> Result<()> {
        if let Some(slot) = self.slots.get_mut(self.buffers) {
            slot.write(memory.bytes().start());
        }
        self.buffers += 1;
        self.block.put(len as u64);
        self.check(size_of::<u64>(), |kind| match kind {
            ParamKind::Scalar(_) | ParamKind::Array { .. } => false,
            ParamKind::Slice { writable, .. } => writable == (access == Access::Unique),
        });
        Ok(())
    }
}

/// Does everything but run.
#[inline]
pub(super) fn launch<F: Fill<Null>>(
    queue: &Queue,
    kernel: &'static Kernel,
    shape: &Shape,
    call: F,
) -> Result<()> {
    let compiled = compiled(*queue.device(), kernel)?;
    let (mut room, mut slots) = (Room::new(), [const { MaybeUninit::uninit() }; SLOTS]);
    let mut arguments = Arguments {
        block: Block::new(&mut room),
        slots: &mut slots,
        buffers: 0,
        compiled,
        next: 0,
        wrong: None,
    };
    arguments.block.header(shape, (&raw const *compiled) as u64);
    call.fill(&mut arguments)?;
    if compiled.typed.prints.is_some() {
        arguments.block.put(0u64);
        arguments.block.put(0u32);
    }
    arguments.block.check(kernel, ID)?;
    let bytes = arguments.block.size();
    if bytes != compiled.layout.size || arguments.wrong.is_some() {
        return Err(contradiction(kernel, compiled, bytes, arguments.wrong));
    }
    // Here a driver would get them, so that nothing of the work can be left out.
    black_box((arguments.block.as_ptr(), arguments.slots.as_ptr()));
    LAST.set(Some(Seen {
        kernel: kernel.name,
        shape: *shape,
        bytes,
        buffers: arguments.buffers,
        launches: LAST.get().map_or(0, |seen| seen.launches) + 1,
    }));
    Ok(())
}

/// The typed form of a kernel and its layout, from the cache after the first time.
#[inline]
pub(super) fn compiled(device: Device, kernel: &'static Kernel) -> Result<&'static Compiled> {
    match kernel.cache.get(kernel, device.number()) {
        // SAFETY: `compile` put it there, under this device's number.
        Some(known) => Ok(unsafe { known.cast().as_ref() }),
        None => compile(device, kernel),
    }
}

#[cold]
fn compile(device: Device, kernel: &'static Kernel) -> Result<&'static Compiled> {
    let compiled = kernel.cache.get_or_make(kernel, device.number(), || {
        let typed = lowered(kernel, ID)?;
        verify::verify(&typed).map_err(|errors| {
            let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
            refused(kernel, ID, list.join("; "))
        })?;
        let layout = layout::of(&typed);
        let compiled: &Compiled = Box::leak(Box::new(Compiled { typed, layout }));
        Ok::<_, Error>(NonNull::from(compiled).cast())
    })?;
    // SAFETY: under this device's number there are only the records that are made above.
    Ok(unsafe { compiled.cast().as_ref() })
}

/// A bug in gridfn: the call and the code generators disagree.
#[cold]
fn contradiction(kernel: &Kernel, compiled: &Compiled, bytes: usize, wrong: Option<usize>) -> Error {
    let reason = match wrong {
        Some(n) => format!(
            "the call's `{}` is not what the kernel takes",
            kernel.parameter(n)
        ),
        None => format!(
            "the call wrote a block of {bytes} bytes, but the kernel takes {}",
            compiled.layout.size
        ),
    };
    refused(kernel, ID, reason + "; this is a bug in gridfn, please report it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridfn_ir::Scalar;
    use gridfn_ir::build::Builder;

    fn arguments_of<'k>(
        compiled: &'k Compiled,
        room: &'k mut Room,
        slots: &'k mut [MaybeUninit<*mut u8>; SLOTS],
    ) -> Arguments<'k> {
        let mut arguments = Arguments {
            block: Block::new(room),
            slots,
            buffers: 0,
            compiled,
            next: 0,
            wrong: None,
        };
        let shape = Shape {
            size: [1; 3],
            offset: [0; 3],
            dimensions: 1,
            local: None,
        };
        arguments.block.header(&shape, 0);
        arguments
    }

    #[test]
    fn arrays_stand_where_the_layout_has_them() {
        let mut b = Builder::new("k");
        for (element, len) in [
            (Scalar::Bool, 3),
            (Scalar::F64, 0),
            (Scalar::I8, 1),
            (Scalar::F32, 3),
        ] {
            b.param("t", ParamKind::Array { element, len });
        }
        b.param("n", ParamKind::Scalar(Scalar::U64));
        let typed = b.finish();
        let layout = layout::of(&typed);
        let compiled = Compiled { typed, layout };

        let (mut room, mut slots) = (Room::new(), [const { MaybeUninit::uninit() }; SLOTS]);
        let mut arguments = arguments_of(&compiled, &mut room, &mut slots);
        arguments.scalar([true, false, true]);
        arguments.scalar([0f64; 0]);
        arguments.scalar([1i8]);
        arguments.scalar([1f32, 2.0, 3.0]);
        arguments.scalar(5u64);
        assert_eq!(arguments.wrong, None);
        assert_eq!(arguments.block.size(), compiled.layout.size);

        let mut room = Room::new();
        let mut arguments = arguments_of(&compiled, &mut room, &mut slots);
        arguments.scalar([true, false]);
        let expected = if cfg!(debug_assertions) { Some(0) } else { None };
        assert_eq!(arguments.wrong, expected);
    }
}
