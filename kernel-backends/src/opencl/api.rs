//! The driver's entry points, found when the program runs: without OpenCL there are none, and the program starts
//! all the same.
//!
//! Types and constants are those of `opencl-sys`. The wrappers of `cl3` and `opencl3` are not used: every enqueue of
//! theirs makes an event, and their `dynamic` feature calls C functions through pointers of Rust's own ABI.

use libloading::Library;
use opencl_sys::cl_function_types::*;
use std::error::Error;
use std::ffi::c_void;
use std::sync::OnceLock;

/// An object of the driver.
///
/// Handles may go from thread to thread: all of the API is thread-safe, but for changes to one `cl_kernel` (OpenCL
/// 3.0, appendix A.2, "Multiple Host Threads"), and those are made by whoever took it from its pool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Handle(pub(super) *mut c_void);
// SAFETY: see above.
unsafe impl Send for Handle {}
// SAFETY: see above.
unsafe impl Sync for Handle {}

/// The function pointer in an optional one, as `opencl-sys` declares them.
pub(super) trait Entry {
    type Pointer: Copy;
}
impl<P: Copy> Entry for Option<P> {
    type Pointer = P;
}

macro_rules! entry_points {
    ({ $($name:ident: $ty:ident,)* } optional { $($late:ident: $late_ty:ident,)* }) => {
        /// The functions of OpenCL 1.2 that are used here, and later ones where the loader has them.
        #[expect(non_snake_case, reason = "the names of the functions")]
        pub(super) struct Api {
            $(pub(super) $name: <$ty as Entry>::Pointer,)*
            $(pub(super) $late: $late_ty,)*
        }

        impl Api {
            /// The functions, or the name of the one that is missing.
            ///
            /// # Safety
            ///
            /// `library` is an OpenCL ICD loader or driver.
            unsafe fn find(library: &Library) -> Result<Api, &'static str> {
                // SAFETY: an OpenCL library has functions of these types under these names. The pointers are used
                // for as long as the process lives; `load` never unloads the library.
                unsafe {
                    Ok(Api {
                        $($name: library
                            .get::<<$ty as Entry>::Pointer>(stringify!($name))
                            .map(|symbol| *symbol)
                            .map_err(|_| stringify!($name))?,)*
                        $($late: library
                            .get::<<$late_ty as Entry>::Pointer>(stringify!($late))
                            .ok()
                            .map(|symbol| *symbol),)*
                    })
                }
            }
        }
    };
}

entry_points! {
    {
        clGetPlatformIDs: clGetPlatformIDs_fn,
        clGetPlatformInfo: clGetPlatformInfo_fn,
        clGetDeviceIDs: clGetDeviceIDs_fn,
        clGetDeviceInfo: clGetDeviceInfo_fn,
        clCreateContext: clCreateContext_fn,
        clRetainContext: clRetainContext_fn,
        clGetContextInfo: clGetContextInfo_fn,
        clCreateCommandQueue: clCreateCommandQueue_fn,
        clRetainCommandQueue: clRetainCommandQueue_fn,
        clReleaseCommandQueue: clReleaseCommandQueue_fn,
        clGetCommandQueueInfo: clGetCommandQueueInfo_fn,
        clFlush: clFlush_fn,
        clFinish: clFinish_fn,
        clCreateBuffer: clCreateBuffer_fn,
        clRetainMemObject: clRetainMemObject_fn,
        clReleaseMemObject: clReleaseMemObject_fn,
        clGetMemObjectInfo: clGetMemObjectInfo_fn,
        clEnqueueReadBuffer: clEnqueueReadBuffer_fn,
        clEnqueueWriteBuffer: clEnqueueWriteBuffer_fn,
        clEnqueueFillBuffer: clEnqueueFillBuffer_fn,
        clEnqueueCopyBuffer: clEnqueueCopyBuffer_fn,
        clEnqueueMapBuffer: clEnqueueMapBuffer_fn,
        clEnqueueUnmapMemObject: clEnqueueUnmapMemObject_fn,
        clEnqueueMarkerWithWaitList: clEnqueueMarkerWithWaitList_fn,
        clEnqueueBarrierWithWaitList: clEnqueueBarrierWithWaitList_fn,
        clWaitForEvents: clWaitForEvents_fn,
        clGetEventInfo: clGetEventInfo_fn,
        clSetEventCallback: clSetEventCallback_fn,
        clReleaseEvent: clReleaseEvent_fn,
        clCreateProgramWithSource: clCreateProgramWithSource_fn,
        clBuildProgram: clBuildProgram_fn,
        clGetProgramBuildInfo: clGetProgramBuildInfo_fn,
        clReleaseProgram: clReleaseProgram_fn,
        clCreateKernel: clCreateKernel_fn,
        clReleaseKernel: clReleaseKernel_fn,
        clSetKernelArg: clSetKernelArg_fn,
        clGetKernelWorkGroupInfo: clGetKernelWorkGroupInfo_fn,
        clEnqueueNDRangeKernel: clEnqueueNDRangeKernel_fn,
    } optional {
        clCreateCommandQueueWithProperties: clCreateCommandQueueWithProperties_fn,
        clCreateProgramWithIL: clCreateProgramWithIL_fn,
        clGetKernelSubGroupInfo: clGetKernelSubGroupInfo_fn,
    }
}

const LIBRARIES: &[&str] = if cfg!(windows) {
    &["OpenCL.dll"]
} else if cfg!(target_os = "macos") {
    &["/System/Library/Frameworks/OpenCL.framework/OpenCL"]
} else {
    &["libOpenCL.so.1", "libOpenCL.so"]
};

/// Loads the library, once per process.
///
/// # Errors
///
/// Why there is none, for people.
pub(super) fn load() -> Result<&'static Api, &'static str> {
    static API: OnceLock<Result<Api, String>> = OnceLock::new();
    API.get_or_init(|| first_of(LIBRARIES))
        .as_ref()
        .map_err(String::as_str)
}

/// The first of `names` that is an OpenCL library; else why the first is none.
fn first_of(names: &[&str]) -> Result<Api, String> {
    let mut reasons = names
        .iter()
        .map(|name| open(name).map_err(|reason| format!("OpenCL could not be loaded: {reason}")));
    let first = reasons.next().unwrap_or_else(|| Err(String::new()));
    first.or_else(|reason| reasons.find_map(Result::ok).ok_or(reason))
}

fn open(name: &str) -> Result<Api, String> {
    // SAFETY: loading an ICD loader runs its initialisers, which expect nothing of the program.
    let library = unsafe { Library::new(name) }.map_err(|error| {
        // What the system says is the source.
        let source = error.source().map(|source| format!(": {source}"));
        format!("{name}: {error}{}", source.unwrap_or_default())
    })?;
    // The drivers behind it have threads and exit handlers: it stays loaded.
    let library = std::mem::ManuallyDrop::new(library);
    // SAFETY: the library carries the name of the ICD loader.
    unsafe { Api::find(&library) }.map_err(|missing| format!("{name} has no {missing}"))
}

/// Calls an entry point for a device; an error code becomes an [`Error`](gridfn_runtime::Error) that names the call.
macro_rules! call {
    ($device:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let device = $device;
        let code = (device.api().$function)($($argument),*);
        $crate::opencl::error::check(device.id(), stringify!($function), code)
    }};
}

/// [`call!`] of an entry point that gives a queue a command, or lets it start them.
macro_rules! enqueue {
    ($device:expr, $($call:tt)*) => {{
        let device = $device;
        let _turn = device.turn();
        $crate::opencl::api::call!(device, $($call)*)
    }};
}

/// Calls an entry point that gives a handle and writes its error code through its last parameter.
macro_rules! create {
    ($device:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let device = $device;
        let mut code = opencl_sys::CL_SUCCESS;
        let handle = (device.api().$function)($($argument,)* &mut code);
        $crate::opencl::error::check(device.id(), stringify!($function), code)
            .map(|()| $crate::opencl::api::Handle(handle))
    }};
}

pub(super) use {call, create, enqueue};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_an_error_that_names_it() {
        let error = first_of(&["libno-such-opencl.so.1", "libno-such-opencl.so"]).err();
        let error = error.unwrap_or_default();
        assert!(error.contains("libno-such-opencl.so.1"), "{error}");
    }

    #[test]
    fn a_library_that_is_no_opencl_is_an_error_that_names_the_function() {
        let error = first_of(&["libc.so.6"]).err().unwrap_or_default();
        assert!(error.contains("clGetPlatformIDs"), "{error}");
    }
}
