//! What devices there are, and what they can do.

use super::api::{self, Api, Handle, create};
use super::compile::Programs;
use super::queue::{Queue, Queues};
use gridfn_codegen::{Target, opencl_c};
use gridfn_runtime::backend::DeviceKind;
use gridfn_runtime::cache::device_number;
use gridfn_runtime::{Capability, Error, Info, Limits, QueueOptions, Result};
use opencl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A device of an OpenCL platform. It lives as long as the process.
#[derive(Clone, Copy)]
pub struct Device(&'static Record);

/// What there is of each device once in the process.
struct Record {
    api: &'static Api,
    raw: Handle,
    number: u32,
    info: Info,
    target: Target,
    correct_division: bool,
    pocl: bool,
    turns: Option<Turns>,
    context: Mutex<Option<Handle>>,
    queues: Queues,
    programs: Programs,
    /// The queue of transfers for which the program gives none.
    transfers: OnceLock<Queue>,
}

/// What is in the name of PoCL's platform.
const POCL: &str = "Portable Computing Language";

static DEVICES: OnceLock<std::result::Result<Vec<Device>, String>> = OnceLock::new();

/// Every device of every platform, in the driver's order. The list is made once per process.
///
/// # Errors
///
/// Why there are none, for people.
pub fn devices() -> std::result::Result<&'static [Device], &'static str> {
    match DEVICES.get_or_init(enumerate) {
        Ok(devices) => Ok(devices),
        Err(reason) => Err(reason),
    }
}

/// Why a device of the program's own cannot be taken.
pub(super) enum Unusable {
    /// A call failed.
    Driver(Error),
    /// What it lacks, as the end of a sentence.
    Lacking(String),
}

/// The device of a context that is the program's, or ours after all. Both are live; `retain` retains the context.
pub(super) fn of_context(
    api: &'static Api,
    context: Handle,
    raw: Handle,
    retain: impl FnOnce() -> Result<()>,
) -> std::result::Result<Device, Unusable> {
    static TAKEN: Mutex<Vec<Device>> = Mutex::new(Vec::new());
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let ours = DEVICES.get().and_then(|devices| devices.as_ref().ok());
    let mut known = taken.iter().chain(ours.into_iter().flatten());
    if let Some(device) = known.find(|device| device.raw() == raw && device.has_context(context)) {
        return Ok(*device);
    }
    let platform = Platform {
        api,
        raw: Query { api, raw: raw.0 }.value::<usize>(CL_DEVICE_PLATFORM) as cl_platform_id,
    };
    let id = format!("opencl:raw:{}", taken.len());
    let mut record = record(&platform, raw.0, id).map_err(Unusable::Lacking)?;
    retain().map_err(Unusable::Driver)?;
    record.context = Mutex::new(Some(context));
    let device = Device(Box::leak(Box::new(record)));
    taken.push(device);
    Ok(device)
}

impl Device {
    /// What there is to know of it.
    pub fn info(&self) -> &'static Info {
        &self.0.info
    }

    pub(super) fn id(&self) -> &'static str {
        &self.0.info.id
    }

    #[inline]
    pub(super) fn api(&self) -> &'static Api {
        self.0.api
    }

    pub(super) fn raw(&self) -> Handle {
        self.0.raw
    }

    /// The device as caches name it.
    #[inline]
    pub(super) fn number(&self) -> u32 {
        self.0.number
    }

    /// The form in which it takes kernels.
    pub(super) fn target(&self) -> Target {
        self.0.target
    }

    /// Whether it is Oclgrind, an interpreter that needs care.
    pub(super) fn is_oclgrind(&self) -> bool {
        self.info().vendor.contains("Oclgrind")
    }

    /// Whether its driver is Mesa's Rusticl, whose compiler has faults of its own.
    pub(super) fn is_mesa(&self) -> bool {
        self.info().vendor.contains("Mesa")
    }

    /// Whether its driver is PoCL.
    pub(super) fn is_pocl(&self) -> bool {
        self.0.pocl
    }

    /// Whether it is the CPU by way of Mesa.
    pub(super) fn is_llvmpipe(&self) -> bool {
        self.info().name.contains("llvmpipe")
    }

    /// Whether it can divide `f32`s and take their square roots with correct rounding, if it is told to.
    pub(super) fn divides_correctly(&self) -> bool {
        self.0.correct_division
    }

    /// The right to give the device a command; `None` where every thread may at any time.
    #[inline]
    pub(super) fn turn(&self) -> Option<Turn> {
        self.0.turns.as_ref().and_then(Turns::take)
    }

    /// The right to wait for a command, or to make or release memory, likewise.
    pub(super) fn turn_to_wait(&self) -> Option<Turn> {
        let turns = self.0.turns.as_ref().filter(|turns| turns.for_waits);
        turns.and_then(Turns::take)
    }

    pub(super) fn queues(&self) -> &'static Queues {
        &self.0.queues
    }

    pub(super) fn programs(&self) -> &'static Programs {
        &self.0.programs
    }

    /// Whether its context was made, and is this one.
    fn has_context(&self, context: Handle) -> bool {
        *self.0.context.lock().unwrap_or_else(PoisonError::into_inner) == Some(context)
    }

    /// A queue for transfers for which the program gives none: made for the first one, and kept.
    pub(super) fn transfers(&self) -> Result<&'static Queue> {
        if let Some(queue) = self.0.transfers.get() {
            return Ok(queue);
        }
        let queue = Queue::new(*self, &QueueOptions::default())?;
        // Of two threads that make one at once, one drops its own.
        Ok(self.0.transfers.get_or_init(|| queue))
    }

    /// The device's context, which all its queues share, so that they can share buffers and events. It is made for
    /// the first queue and is never released.
    pub(super) fn context(&self) -> Result<Handle> {
        let mut context = self.0.context.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(context) = *context {
            return Ok(context);
        }
        let raw = self.raw().0;
        // SAFETY: one device, no properties, no callback.
        let new = unsafe { create!(self, clCreateContext(null(), 1, &raw, None, null_mut())) }?;
        *context = Some(new);
        Ok(new)
    }
}

/// For drivers that can be called by one thread at a time only, against the specification. Elsewhere nothing is locked
/// while the driver is called.
struct Turns {
    mutex: Mutex<()>,
    /// The thread whose turn it is, by the address of a variable that it alone has.
    holder: AtomicUsize,
    for_waits: bool,
}

/// A thread's turn.
pub(super) struct Turn {
    turns: &'static Turns,
    _guard: MutexGuard<'static, ()>,
}

impl Turns {
    /// PoCL's `basic` driver (3.1) runs a command where it is given; when another thread's command ends meanwhile, it
    /// runs what waited for that too, and locks an event that it has locked already. Oclgrind runs commands in waits,
    /// stops the process when it runs two at once, and keeps its list of memory objects without a lock.
    fn of(platform: &str, device: &str) -> Option<Turns> {
        let oclgrind = platform.contains("Oclgrind");
        let basic = platform.contains(POCL) && device.starts_with("basic");
        (oclgrind || basic).then(|| Turns {
            mutex: Mutex::default(),
            holder: AtomicUsize::new(0),
            for_waits: oclgrind,
        })
    }

    /// Waits for this thread's turn; `None` if it is that already, as in what a driver calls while it waits.
    fn take(&'static self) -> Option<Turn> {
        thread_local!(static THREAD: u8 = const { 0 });
        let thread = THREAD.with(|byte| std::ptr::from_ref(byte).addr());
        // Another thread never writes this one's address.
        if self.holder.load(Ordering::Relaxed) == thread {
            return None;
        }
        let guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.holder.store(thread, Ordering::Relaxed);
        Some(Turn {
            turns: self,
            _guard: guard,
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.holder.store(0, Ordering::Relaxed);
    }
}

impl PartialEq for Device {
    #[inline]
    fn eq(&self, other: &Device) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Device {}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.id(), self.0.info.name)
    }
}

fn enumerate() -> std::result::Result<Vec<Device>, String> {
    let api = api::load()?;
    let platforms = list(|room, ids, count| {
        // SAFETY: `list` gives room for as many handles as it says.
        unsafe { (api.clGetPlatformIDs)(room, ids, count) }
    })
    .map_err(|code| format!("OpenCL finds no platform: {} ({code})", super::error::name(code)))?;
    let mut devices = Vec::new();
    let mut left_out = Vec::new();
    for platform in platforms {
        let platform = Platform { api, raw: platform };
        let name = platform.text(CL_PLATFORM_NAME);
        match platform.devices() {
            Ok(raw) => {
                for device in raw {
                    match record(&platform, device, format!("opencl:{}", devices.len())) {
                        Ok(record) => devices.push(Device(Box::leak(Box::new(record)))),
                        Err(reason) => left_out.push(reason),
                    }
                }
            }
            // A broken platform must not hide the others.
            Err(code) => left_out.push(format!("`{name}`: {} ({code})", super::error::name(code))),
        }
    }
    if devices.is_empty() {
        left_out.insert(0, "OpenCL has no device that can be used".into());
        return Err(left_out.join("; "));
    }
    Ok(devices)
}

struct Platform {
    api: &'static Api,
    raw: cl_platform_id,
}

impl Platform {
    fn text(&self, what: cl_platform_info) -> String {
        text(|room, bytes, size| {
            // SAFETY: `text` gives room for as many bytes as it says.
            unsafe { (self.api.clGetPlatformInfo)(self.raw, what, room, bytes, size) }
        })
    }

    fn devices(&self) -> std::result::Result<Vec<cl_device_id>, cl_int> {
        list(|room, ids, count| {
            // SAFETY: `list` gives room for as many handles as it says.
            unsafe { (self.api.clGetDeviceIDs)(self.raw, CL_DEVICE_TYPE_ALL, room, ids, count) }
        })
    }
}

/// Sub-groups have powers of two of items; no device has more sizes.
const MOST_SUBGROUP_SIZES: usize = 16;

/// Asks one device.
struct Query {
    api: &'static Api,
    raw: cl_device_id,
}

impl Query {
    fn text(&self, what: cl_device_info) -> String {
        text(|room, bytes, size| {
            // SAFETY: `text` gives room for as many bytes as it says.
            unsafe { (self.api.clGetDeviceInfo)(self.raw, what, room, bytes, size) }
        })
    }

    /// The sizes of sub-groups: a vendor's extension says them, each in its own way. OpenCL itself asks a kernel only.
    fn subgroup_sizes(&self, extensions: &str) -> Vec<usize> {
        let one = |what| vec![self.value::<cl_uint>(what) as usize];
        let mut sizes = if extensions.contains("cl_intel_required_subgroup_size") {
            self.value::<[usize; MOST_SUBGROUP_SIZES]>(CL_DEVICE_SUB_GROUP_SIZES_INTEL)
                .to_vec()
        } else if extensions.contains("cl_nv_device_attribute_query") {
            one(CL_DEVICE_WARP_SIZE_NV)
        } else if extensions.contains("cl_amd_device_attribute_query") {
            one(CL_DEVICE_WAVEFRONT_WIDTH_AMD)
        } else {
            vec![]
        };
        sizes.retain(|size| *size > 0);
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Whether the items of sub-groups can exchange values: in SPIR-V 1.3, or by the extensions of OpenCL C.
    fn has_subgroups(&self, spirv: bool, extensions: &str) -> bool {
        let known = |name: &&str| extensions.split_whitespace().any(|known| known == *name);
        let [_, exchange @ ..] = &opencl_c::SUBGROUP_EXTENSIONS;
        let exchanges = exchange.iter().all(&known);
        if !exchanges || self.value::<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) == 0 {
            return false;
        }
        match spirv {
            true => self.text(CL_DEVICE_IL_VERSION).contains("SPIR-V_1.3"),
            false => opencl_c::SUBGROUP_EXTENSIONS.iter().all(known),
        }
    }

    /// A number or an array of numbers; zeros where the driver does not know it.
    fn value<T: Copy + Default>(&self, what: cl_device_info) -> T {
        let mut value = T::default();
        let room = (&raw mut value).cast::<c_void>();
        // SAFETY: the room is as large as said, and every bit pattern is a number.
        let code = unsafe { (self.api.clGetDeviceInfo)(self.raw, what, size_of::<T>(), room, null_mut()) };
        if code == CL_SUCCESS { value } else { T::default() }
    }
}

/// What is known of a device; or why it cannot be used.
fn record(platform: &Platform, raw: cl_device_id, id: String) -> std::result::Result<Record, String> {
    let query = Query {
        api: platform.api,
        raw,
    };
    let name = query.text(CL_DEVICE_NAME);
    let version = version(&query.text(CL_DEVICE_VERSION));
    check_usable(&query, version).map_err(|reason| format!("`{name}` {reason}"))?;

    let platform_name = platform.text(CL_PLATFORM_NAME);
    let spirv = version >= (2, 1)
        && self::version(&platform.text(CL_PLATFORM_VERSION)) >= (2, 1)
        && platform.api.clCreateProgramWithIL.is_some()
        && query.text(CL_DEVICE_IL_VERSION).contains("SPIR-V_1.")
        // Its clCreateProgramWithIL never returns.
        && !platform_name.contains("Oclgrind");
    let double: cl_device_fp_config = query.value(CL_DEVICE_DOUBLE_FP_CONFIG);
    let single: cl_device_fp_config = query.value(CL_DEVICE_SINGLE_FP_CONFIG);
    let sizes: [usize; 3] = query.value(CL_DEVICE_MAX_WORK_ITEM_SIZES);
    let turns = Turns::of(&platform_name, &name);
    let extensions = query.text(CL_DEVICE_EXTENSIONS);
    let priorities = version >= (2, 0)
        && platform.api.clCreateCommandQueueWithProperties.is_some()
        && extensions.contains("cl_khr_priority_hints");
    let atomics = ["cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"];
    let capabilities = [
        (Capability::Float64, double != 0),
        (
            Capability::AtomicInt64,
            atomics.iter().all(|name| extensions.contains(name)),
        ),
        (Capability::Subgroups, query.has_subgroups(spirv, &extensions)),
    ];
    let info = Info {
        id,
        name,
        vendor: vendor(&[
            &query.text(CL_DEVICE_VENDOR),
            &platform_name,
            &platform.text(CL_PLATFORM_VENDOR),
        ]),
        version: query.text(CL_DRIVER_VERSION),
        kind: kind(query.value(CL_DEVICE_TYPE)),
        code: if spirv { "SPIR-V" } else { "OpenCL C" },
        compute_units: query.value::<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS) as usize,
        memory: query.value(CL_DEVICE_GLOBAL_MEM_SIZE),
        limits: Limits {
            group_size: query.value::<usize>(CL_DEVICE_MAX_WORK_GROUP_SIZE).max(1),
            local_size: sizes.map(|n| n.max(1)),
            // OpenCL limits only the number of items, which `size_t` counts.
            num_groups: [isize::MAX as usize; 3],
            local_memory: query.value::<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE) as usize,
        },
        subgroup_sizes: query.subgroup_sizes(&extensions),
        priorities,
        capabilities: capabilities
            .into_iter()
            .filter_map(|(c, has)| has.then_some(c))
            .collect(),
    };
    Ok(Record {
        api: platform.api,
        raw: Handle(raw),
        number: device_number(),
        info,
        target: if spirv { Target::Spirv } else { Target::OpenClC },
        pocl: platform_name.contains(POCL),
        correct_division: single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0,
        turns,
        context: Mutex::new(None),
        queues: Queues::default(),
        programs: Programs::default(),
        transfers: OnceLock::new(),
    })
}

/// What every kernel needs: markers and fills of OpenCL 1.2, a compiler, and the host's `usize` and byte order.
fn check_usable(query: &Query, version: (u32, u32)) -> std::result::Result<(), &'static str> {
    let host_is_little = cl_bool::from(cfg!(target_endian = "little"));
    if query.value::<cl_bool>(CL_DEVICE_AVAILABLE) == 0 {
        Err("is not available")
    } else if version < (1, 2) {
        Err("has an OpenCL before 1.2")
    } else if query.value::<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE) == 0 {
        Err("has no compiler")
    } else if query.value::<cl_uint>(CL_DEVICE_ADDRESS_BITS) != 64 {
        Err("has no 64-bit addresses")
    } else if query.value::<cl_bool>(CL_DEVICE_ENDIAN_LITTLE) != host_is_little {
        Err("has another byte order")
    } else {
        Ok(())
    }
}

/// Everything by which people call a driver, in one string that `Device::select` can search: the device's vendor
/// alone does not tell PoCL's CPU from Intel's.
fn vendor(names: &[&str]) -> String {
    let mut vendor = String::new();
    for name in names.iter().filter(|name| !name.is_empty()) {
        if !vendor.contains(name) {
            if !vendor.is_empty() {
                vendor += ", ";
            }
            vendor += name;
        }
    }
    vendor
}

/// A simulator may say that it is everything at once; it runs on the CPU.
fn kind(bits: cl_device_type) -> DeviceKind {
    if bits & CL_DEVICE_TYPE_CPU != 0 {
        DeviceKind::Cpu
    } else if bits & CL_DEVICE_TYPE_GPU != 0 {
        DeviceKind::Gpu
    } else {
        DeviceKind::Accelerator
    }
}

/// The numbers in `OpenCL 3.0 …`; zeros if there are none.
fn version(text: &str) -> (u32, u32) {
    let numbers = text
        .strip_prefix("OpenCL ")
        .and_then(|text| text.split(' ').next());
    numbers
        .and_then(|numbers| numbers.split_once('.'))
        .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)))
        .unwrap_or((0, 0))
}

/// All handles that a call gives which tells first how many there are.
fn list(
    call: impl Fn(cl_uint, *mut *mut c_void, *mut cl_uint) -> cl_int,
) -> std::result::Result<Vec<*mut c_void>, cl_int> {
    let mut count = 0;
    match call(0, null_mut(), &mut count) {
        CL_SUCCESS => {}
        CL_DEVICE_NOT_FOUND => return Ok(Vec::new()),
        code => return Err(code),
    }
    let mut handles = vec![null_mut(); count as usize];
    if count > 0 {
        let code = call(count, handles.as_mut_ptr(), null_mut());
        if code != CL_SUCCESS {
            return Err(code);
        }
    }
    Ok(handles)
}

/// The text that a call gives which tells first how long it is; empty if the call fails.
pub(super) fn text(call: impl Fn(usize, *mut c_void, *mut usize) -> cl_int) -> String {
    let mut size = 0;
    if call(0, null_mut(), &mut size) != CL_SUCCESS {
        return String::new();
    }
    let mut bytes = vec![0u8; size];
    if call(size, bytes.as_mut_ptr().cast(), null_mut()) != CL_SUCCESS {
        return String::new();
    }
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(size);
    String::from_utf8_lossy(&bytes[..end]).trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version("OpenCL 3.0 PoCL HSTR: pthread"), (3, 0));
        assert_eq!(version("OpenCL 1.2"), (1, 2));
        assert_eq!(version("CUDA 12"), (0, 0));
        assert_eq!(version(""), (0, 0));
    }

    #[test]
    fn a_vendor_names_the_driver_too_and_nothing_twice() {
        assert_eq!(
            vendor(&["AuthenticAMD", "Portable Computing Language", "The pocl project"]),
            "AuthenticAMD, Portable Computing Language, The pocl project"
        );
        assert_eq!(vendor(&["Oclgrind", "Oclgrind", ""]), "Oclgrind");
    }

    #[test]
    fn a_device_that_is_everything_is_a_cpu() {
        assert_eq!(kind(CL_DEVICE_TYPE_GPU), DeviceKind::Gpu);
        assert_eq!(kind(CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU), DeviceKind::Cpu);
        assert_eq!(kind(CL_DEVICE_TYPE_ACCELERATOR), DeviceKind::Accelerator);
    }
}
