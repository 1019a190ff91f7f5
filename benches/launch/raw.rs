//! The same launch in plain calls of the C API: a kernel written by hand, every argument set for every launch.

use crate::{Case, N};
use libloading::Library;
use opencl_sys::*;
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

type Error = Box<dyn std::error::Error>;

macro_rules! functions {
    ($($name:ident: $ty:ty,)*) => {
        #[expect(non_snake_case, reason = "the names of the functions")]
        struct Api {
            $($name: $ty,)*
            _library: Library,
        }
        impl Api {
            fn load() -> Result<Api, Error> {
                // SAFETY: the ICD loader's functions have these types.
                unsafe {
                    let library = Library::new("libOpenCL.so.1")?;
                    Ok(Api { $($name: *library.get::<$ty>(stringify!($name))?,)* _library: library })
                }
            }
        }
    };
}
functions! {
    clGetPlatformIDs: unsafe extern "C" fn(cl_uint, *mut cl_platform_id, *mut cl_uint) -> cl_int,
    clGetDeviceIDs: unsafe extern "C" fn(cl_platform_id, cl_device_type, cl_uint, *mut cl_device_id, *mut cl_uint) -> cl_int,
    clCreateContext: unsafe extern "C" fn(*const cl_context_properties, cl_uint, *const cl_device_id, *const c_void, *mut c_void, *mut cl_int) -> cl_context,
    clCreateCommandQueue: unsafe extern "C" fn(cl_context, cl_device_id, cl_command_queue_properties, *mut cl_int) -> cl_command_queue,
    clCreateProgramWithSource: unsafe extern "C" fn(cl_context, cl_uint, *const *const i8, *const usize, *mut cl_int) -> cl_program,
    clBuildProgram: unsafe extern "C" fn(cl_program, cl_uint, *const cl_device_id, *const i8, *const c_void, *mut c_void) -> cl_int,
    clCreateKernel: unsafe extern "C" fn(cl_program, *const i8, *mut cl_int) -> cl_kernel,
    clCreateBuffer: unsafe extern "C" fn(cl_context, cl_mem_flags, usize, *mut c_void, *mut cl_int) -> cl_mem,
    clSetKernelArg: unsafe extern "C" fn(cl_kernel, cl_uint, usize, *const c_void) -> cl_int,
    clEnqueueNDRangeKernel: unsafe extern "C" fn(cl_command_queue, cl_kernel, cl_uint, *const usize, *const usize, *const usize, cl_uint, *const cl_event, *mut cl_event) -> cl_int,
    clFinish: unsafe extern "C" fn(cl_command_queue) -> cl_int,
}

/// A kernel and what it takes. Its objects live as long as the process.
pub(crate) struct Raw {
    api: Api,
    queue: cl_command_queue,
    kernel: cl_kernel,
    buffers: Vec<cl_mem>,
    scalars: usize,
}

impl Raw {
    /// The kernel of `case`, on the `number`th device of all platforms.
    pub(crate) fn new(number: usize, case: &Case) -> Result<Raw, Error> {
        let api = Api::load()?;
        let (buffers, scalars) = if case.argtype == "buffer" {
            (case.args, 0)
        } else {
            (1, case.args - 1)
        };
        let source = source(buffers, scalars);
        // SAFETY: plain use of the API; every pointer is to live memory of the size that is said, and every result is
        // checked before it is used.
        unsafe {
            let device = *devices(&api)?.get(number).ok_or("the C API has fewer devices")?;
            let mut code = 0;
            let context = (api.clCreateContext)(null(), 1, &device, null(), null_mut(), &mut code);
            check("clCreateContext", code)?;
            let queue = (api.clCreateCommandQueue)(context, device, 0, &mut code);
            check("clCreateCommandQueue", code)?;
            let (text, length) = (source.as_ptr().cast(), source.len());
            let program = (api.clCreateProgramWithSource)(context, 1, &text, &length, &mut code);
            check("clCreateProgramWithSource", code)?;
            check(
                "clBuildProgram",
                (api.clBuildProgram)(program, 1, &device, null(), null(), null_mut()),
            )?;
            let name = CString::new("sum")?;
            let kernel = (api.clCreateKernel)(program, name.as_ptr(), &mut code);
            check("clCreateKernel", code)?;
            let mut memory = vec![];
            for _ in 0..buffers {
                memory.push((api.clCreateBuffer)(
                    context,
                    CL_MEM_READ_WRITE,
                    N * 4,
                    null_mut(),
                    &mut code,
                ));
                check("clCreateBuffer", code)?;
            }
            Ok(Raw {
                api,
                queue,
                kernel,
                buffers: memory,
                scalars,
            })
        }
    }

    /// One launch.
    pub(crate) fn launch(&self) {
        let mut slot = 0;
        // SAFETY: every argument is set, with its size; the buffers live as long as the process.
        unsafe {
            for buffer in &self.buffers {
                let code = (self.api.clSetKernelArg)(
                    self.kernel,
                    slot,
                    size_of::<cl_mem>(),
                    (&raw const *buffer).cast(),
                );
                assert_eq!(code, 0);
                slot += 1;
            }
            for _ in 0..self.scalars {
                let value = std::hint::black_box(1.0f32);
                let code = (self.api.clSetKernelArg)(self.kernel, slot, 4, (&raw const value).cast());
                assert_eq!(code, 0);
                slot += 1;
            }
            let code = (self.api.clEnqueueNDRangeKernel)(
                self.queue,
                self.kernel,
                1,
                null(),
                &N,
                &N,
                0,
                null(),
                null_mut(),
            );
            assert_eq!(code, 0);
        }
    }

    /// Waits for the launches.
    pub(crate) fn finish(&self) {
        // SAFETY: a live queue.
        assert_eq!(unsafe { (self.api.clFinish)(self.queue) }, 0);
    }
}

/// Every device of every platform, in order.
///
/// # Safety
///
/// The API is OpenCL's.
unsafe fn devices(api: &Api) -> Result<Vec<cl_device_id>, Error> {
    let mut all = vec![];
    // SAFETY: the lists are as long as the counts say.
    unsafe {
        let mut count = 0;
        check(
            "clGetPlatformIDs",
            (api.clGetPlatformIDs)(0, null_mut(), &mut count),
        )?;
        let mut platforms = vec![null_mut(); count as usize];
        check(
            "clGetPlatformIDs",
            (api.clGetPlatformIDs)(count, platforms.as_mut_ptr(), null_mut()),
        )?;
        for platform in platforms {
            let mut count = 0;
            if (api.clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 0, null_mut(), &mut count) != 0 {
                continue;
            }
            let mut devices = vec![null_mut(); count as usize];
            check(
                "clGetDeviceIDs",
                (api.clGetDeviceIDs)(
                    platform,
                    CL_DEVICE_TYPE_ALL,
                    count,
                    devices.as_mut_ptr(),
                    null_mut(),
                ),
            )?;
            all.extend(devices);
        }
    }
    Ok(all)
}

fn check(call: &str, code: cl_int) -> Result<(), Error> {
    if code == 0 {
        Ok(())
    } else {
        Err(format!("{call} failed with {code}").into())
    }
}

fn source(buffers: usize, scalars: usize) -> String {
    let inputs = (1..buffers).map(|n| format!(", global const float *x{n}"));
    let values = (0..scalars).map(|n| format!(", float s{n}"));
    let params: String = inputs.chain(values).collect();
    let sum: String = (1..buffers)
        .map(|n| format!(" + x{n}[i]"))
        .chain((0..scalars).map(|n| format!(" + s{n}")))
        .collect();
    format!("kernel void sum(global float *y{params}) {{ size_t i = get_global_id(0); y[i] = 0.0f{sum}; }}")
}
