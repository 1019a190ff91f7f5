//! An OpenCL device that runs generated code.

use gridfn_codegen::{Code, Options};
use gridfn_ir::layout::{self, FaultRecord};
use gridfn_ir::typed::{Kernel, ParamKind};
use gridfn_ir::{Scalar, layout::Layout};
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{
    CL_DEVICE_TYPE_ALL, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, CL_FP_DENORM, Device as ClDevice,
    get_all_devices,
};
use opencl3::kernel::{Kernel as ClKernel, set_kernel_arg};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::program::Program;
use opencl3::types::{CL_BLOCKING, cl_mem};
use std::ptr::null_mut;

/// The first device there is.
pub struct Device {
    id: ClDevice,
    context: Context,
    queue: CommandQueue,
}

/// What a launch gets for a parameter; all as the low bits of words.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    Scalar(u64),
    Array(Vec<u64>),
    Slice(Vec<u64>),
}

/// Where and with what a kernel runs.
#[derive(Clone, Debug)]
pub struct Launch {
    pub size: [u64; 3],
    pub offset: [u64; 3],
    pub local: [usize; 3],
    pub tag: u64,
    pub args: Vec<Arg>,
}

impl Launch {
    /// A launch in one dimension, in groups of 64.
    pub fn linear(size: u64, args: Vec<Arg>) -> Launch {
        Launch {
            size: [size, 1, 1],
            offset: [0; 3],
            local: [64, 1, 1],
            tag: 0,
            args,
        }
    }
}

/// What is there after a launch.
#[derive(Debug)]
pub struct Outcome {
    /// The elements of each slice, in the order of the parameters.
    pub slices: Vec<Vec<u64>>,
    /// All zero for a kernel that has no fault record.
    pub fault: FaultRecord,
}

type Result<T> = std::result::Result<T, String>;

impl Device {
    /// The first device of the ICD loader's platforms; `OCL_ICD_VENDORS` chooses among those.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn first() -> Result<Device> {
        let ids = get_all_devices(CL_DEVICE_TYPE_ALL).map_err(say("devices"))?;
        let id = ClDevice::new(*ids.first().ok_or("there is no OpenCL device")?);
        let context = Context::from_device(&id).map_err(say("context"))?;
        let queue = CommandQueue::create_default_with_properties(&context, 0, 0).map_err(say("queue"))?;
        Ok(Device { id, context, queue })
    }

    /// Whether it takes SPIR-V.
    pub fn takes_il(&self) -> bool {
        self.id.il_version().is_ok_and(|version| !version.is_empty())
    }

    fn rounds_division(&self) -> bool {
        let config = self.id.single_fp_config().unwrap_or(0);
        config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0
    }

    /// Whether it has 64-bit floats.
    pub fn has_f64(&self) -> bool {
        self.id.double_fp_config().is_ok_and(|config| config != 0)
    }

    fn has_atomics_of_64_bits(&self) -> bool {
        let needed = ["cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"];
        self.id
            .extensions()
            .is_ok_and(|extensions| needed.iter().all(|name| extensions.contains(name)))
    }

    /// Whether it keeps subnormal `f32`s.
    pub fn keeps_subnormals(&self) -> bool {
        self.id
            .single_fp_config()
            .is_ok_and(|config| config & CL_FP_DENORM != 0)
    }

    /// Whether it can run `kernel`; says so if not.
    pub fn can_run(&self, kernel: &Kernel) -> bool {
        let lacks = if kernel.uses_f64() && !self.has_f64() {
            "f64"
        } else if kernel.uses_atomics_of_64_bits() && !self.has_atomics_of_64_bits() {
            "atomic operations on 64 bits"
        } else {
            return true;
        };
        println!("NOT RUN: {}: the device has no {lacks}", kernel.name);
        false
    }

    /// The options with which its code is to be generated. A device that neither rounds its divisions correctly nor
    /// has `f64` must do as it is.
    pub fn options(&self) -> Options {
        Options {
            f32_division_through_f64: !self.rounds_division() && self.has_f64(),
            arrays_are_copied: self.id.vendor().is_ok_and(|vendor| vendor.contains("Mesa")),
            atomics_are_fenced: self.id.name().is_ok_and(|name| name.contains("llvmpipe")),
            barriers_stand_alone: false,
        }
    }

    /// Compiles a kernel's code.
    ///
    /// # Errors
    ///
    /// What the driver says.
    pub fn build(&self, name: &str, code: &Code) -> Result<ClKernel> {
        let program = match code {
            Code::Text(text) => Program::create_from_source(&self.context, text),
            Code::Words(_) => Program::create_from_il(&self.context, &code.bytes()),
        };
        let mut program = program.map_err(say("program"))?;
        let options = match (code, self.rounds_division()) {
            (Code::Text(_), true) => "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt",
            (Code::Text(_), false) => "-cl-std=CL1.2",
            (Code::Words(_), true) => "-cl-fp32-correctly-rounded-divide-sqrt",
            (Code::Words(_), false) => "",
        };
        // Oclgrind's interpreter lacks some of the intrinsics that its own optimizer makes of shifts and masks.
        let simulator = self.id.name().is_ok_and(|name| name.contains("Oclgrind"));
        let options = format!("{options}{}", if simulator { " -cl-opt-disable" } else { "" });
        if let Err(e) = program.build(self.context.devices(), &options) {
            let log = program.get_build_log(self.id.id()).unwrap_or_default();
            return Err(format!("build of {name}: {e}\n{log}\n{code}"));
        }
        ClKernel::create(&program, name).map_err(say("kernel"))
    }

    /// Compiles a kernel's code, runs it, and waits for the end.
    ///
    /// # Errors
    ///
    /// What the driver says.
    pub fn run(&self, kernel: &Kernel, code: &Code, launch: &Launch) -> Result<Outcome> {
        let compiled = self.build(&kernel.name, code)?;
        let block = block(kernel, launch);
        // SAFETY: the block is as large as the kernel's first parameter, which `layout` fixes.
        unsafe { set_kernel_arg(compiled.get(), 0, block.len(), block.as_ptr().cast()) }
            .map_err(say("block"))?;

        let mut memory = Vec::new();
        for ((_, param), arg) in kernel.params.iter().zip(&launch.args) {
            if let (ParamKind::Slice { element, .. }, Arg::Slice(words)) = (param.kind, arg) {
                memory.push(self.upload(&pack(element, words))?);
            }
        }
        if !kernel.sites.is_empty() {
            memory.push(self.upload(&[0; size_of::<FaultRecord>()])?);
        }
        for (at, buffer) in (1..).zip(&memory) {
            let handle: cl_mem = buffer.get();
            // SAFETY: the parameters after the first are pointers, each of which takes one buffer.
            unsafe { compiled.set_arg(at, &handle) }.map_err(say("slot"))?;
        }

        // Groups are whole; the kernel masks the items that are too many.
        let global: Vec<usize> = (0..3)
            .map(|d| (launch.size[d] as usize).next_multiple_of(launch.local[d]))
            .collect();
        // SAFETY: all parameters are set, to buffers as long as the lengths in the block say, which outlive the
        // launch: `finish` waits for it.
        unsafe {
            let launched = self.queue.enqueue_nd_range_kernel(
                compiled.get(),
                3,
                null_mut(),
                global.as_ptr(),
                launch.local.as_ptr(),
                &[],
            );
            launched.map_err(say("launch"))?;
        }
        self.queue.finish().map_err(say("finish"))?;
        self.outcome(kernel, launch, &memory)
    }

    fn outcome(&self, kernel: &Kernel, launch: &Launch, memory: &[Buffer<u8>]) -> Result<Outcome> {
        let mut slices = Vec::new();
        let mut memory = memory.iter();
        for ((_, param), arg) in kernel.params.iter().zip(&launch.args) {
            if let (ParamKind::Slice { element, .. }, Arg::Slice(words)) = (param.kind, arg) {
                let buffer = memory.next().ok_or("a slice has no buffer")?;
                slices.push(unpack(
                    element,
                    &self.download(buffer, words.len() * element.bytes())?,
                ));
            }
        }
        let fault = match memory.next() {
            Some(buffer) => record(&self.download(buffer, size_of::<FaultRecord>())?),
            None => FaultRecord::default(),
        };
        Ok(Outcome { slices, fault })
    }

    fn upload(&self, bytes: &[u8]) -> Result<Buffer<u8>> {
        // SAFETY: without a host pointer, nothing of the host's is used.
        let buffer =
            unsafe { Buffer::create(&self.context, CL_MEM_READ_WRITE, bytes.len().max(1), null_mut()) };
        let mut buffer = buffer.map_err(say("buffer"))?;
        if !bytes.is_empty() {
            // SAFETY: the write blocks until it is done, and the buffer is as long as the bytes.
            unsafe {
                self.queue
                    .enqueue_write_buffer(&mut buffer, CL_BLOCKING, 0, bytes, &[])
            }
            .map_err(say("upload"))?;
        }
        Ok(buffer)
    }

    fn download(&self, buffer: &Buffer<u8>, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        if length > 0 {
            // SAFETY: the read blocks until it is done, and the buffer is at least as long.
            unsafe {
                self.queue
                    .enqueue_read_buffer(buffer, CL_BLOCKING, 0, &mut bytes, &[])
            }
            .map_err(say("download"))?;
        }
        Ok(bytes)
    }
}

fn say<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> String {
    move |e| format!("{what}: {e}")
}

/// The parameter block.
fn block(kernel: &Kernel, launch: &Launch) -> Vec<u8> {
    let Layout { offsets, size } = layout::of(kernel);
    let mut block = vec![0; size];
    let mut put = |at: usize, word: u64, bytes: usize| {
        block[at..at + bytes].copy_from_slice(&word.to_le_bytes()[..bytes]);
    };
    for d in 0..3 {
        put(layout::SIZE + 8 * d, launch.size[d], 8);
        put(layout::OFFSET + 8 * d, launch.offset[d], 8);
    }
    put(layout::TAG, launch.tag, 8);
    for (((_, param), arg), at) in kernel.params.iter().zip(&launch.args).zip(offsets) {
        match (param.kind, arg) {
            (ParamKind::Scalar(ty), Arg::Scalar(bits)) => put(at, *bits, ty.bytes()),
            (ParamKind::Array { element, len }, Arg::Array(words)) if words.len() == len => {
                for (n, word) in words.iter().enumerate() {
                    put(at + n * element.bytes(), *word, element.bytes());
                }
            }
            (ParamKind::Slice { .. }, Arg::Slice(words)) => put(at, words.len() as u64, 8),
            (kind, arg) => unreachable!("{arg:?} for {kind:?}"),
        }
    }
    block
}

fn pack(ty: Scalar, words: &[u64]) -> Vec<u8> {
    words
        .iter()
        .flat_map(|word| word.to_le_bytes().into_iter().take(ty.bytes()))
        .collect()
}

fn unpack(ty: Scalar, bytes: &[u8]) -> Vec<u64> {
    let word = |element: &[u8]| {
        element
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    bytes.chunks_exact(ty.bytes()).map(word).collect()
}

fn record(bytes: &[u8]) -> FaultRecord {
    let words = unpack(Scalar::U64, bytes);
    FaultRecord {
        count: words[0] as u32,
        site: (words[0] >> 32) as u32,
        tag: words[1],
        id: [words[2], words[3], words[4]],
        values: std::array::from_fn(|n| words[5 + n]),
    }
}
