//! OpenCL without gridfn: a kernel is compiled and launched, and memory is written, mapped, read and released. What
//! memcheck says of this program, it says of the driver.

use libloading::Library;
use opencl_sys::cl_function_types::*;
use opencl_sys::*;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

/// A loop, a sum and a store, as the kernels of the cases have them.
const SOURCE: &CStr = c"__kernel void sums(uint n, __global const uint *x, __global uint *y) {
    uint sum = 0;
    for (uint k = 0; k < n; k++) sum += x[k];
    y[get_global_id(0)] = sum;
}";

const LEN: usize = 16;
const BYTES: usize = LEN * size_of::<u32>();

/// Calls an entry point, found by its name, that gives a code.
macro_rules! call {
    ($library:expr, $function:ident: $ty:ident($($argument:expr),* $(,)?)) => {{
        let function: $ty = *$library.get(stringify!($function)).map_err(|e| e.to_string())?;
        let code = function.ok_or(stringify!($function))?($($argument),*);
        if code != CL_SUCCESS {
            return Err(format!("{}: {code}", stringify!($function)));
        }
    }};
}

/// Calls one that gives a handle.
macro_rules! create {
    ($library:expr, $function:ident: $ty:ident($($argument:expr),* $(,)?)) => {{
        let mut code = CL_SUCCESS;
        let function: $ty = *$library.get(stringify!($function)).map_err(|e| e.to_string())?;
        let handle = function.ok_or(stringify!($function))?($($argument,)* &mut code);
        if code != CL_SUCCESS {
            return Err(format!("{}: {code}", stringify!($function)));
        }
        handle
    }};
}

/// Runs it on the first device of the first platform.
pub(crate) fn run() -> Result<(), String> {
    // SAFETY: the ICD loader has these functions, they get live handles and room as large as said, and each handle is
    // released once.
    unsafe {
        let library = std::mem::ManuallyDrop::new(Library::new("libOpenCL.so.1").map_err(|e| e.to_string())?);
        let (mut count, mut platform, mut device) = (0, null_mut(), null_mut());
        // Asked twice, as programs do: how many, and which.
        call!(library, clGetPlatformIDs: clGetPlatformIDs_fn(0, null_mut(), &mut count));
        call!(library, clGetPlatformIDs: clGetPlatformIDs_fn(1, &mut platform, null_mut()));
        call!(library, clGetDeviceIDs: clGetDeviceIDs_fn(platform, CL_DEVICE_TYPE_ALL, 1, &mut device, null_mut()));
        let context =
            create!(library, clCreateContext: clCreateContext_fn(null(), 1, &device, None, null_mut()));
        let queue = create!(library, clCreateCommandQueue: clCreateCommandQueue_fn(context, device, 0));
        let mut memories = [null_mut(); 2];
        for memory in &mut memories {
            *memory = create!(library, clCreateBuffer: clCreateBuffer_fn(context, CL_MEM_READ_WRITE, BYTES, null_mut()));
            let data = [1u32; LEN];
            let (start, event) = (data.as_ptr().cast(), null_mut());
            call!(library, clEnqueueWriteBuffer: clEnqueueWriteBuffer_fn(
                queue, *memory, CL_TRUE, 0, BYTES, start, 0, null(), event
            ));
        }
        let mut start = SOURCE.as_ptr().cast();
        let program = create!(library, clCreateProgramWithSource: clCreateProgramWithSource_fn(
            context, 1, &mut start, null()
        ));
        call!(library, clBuildProgram: clBuildProgram_fn(program, 1, &device, c"".as_ptr(), None, null_mut()));
        let kernel = create!(library, clCreateKernel: clCreateKernel_fn(program, c"sums".as_ptr()));
        let n = LEN as u32;
        call!(library, clSetKernelArg: clSetKernelArg_fn(kernel, 0, size_of::<u32>(), (&raw const n).cast()));
        for (slot, memory) in (1..).zip(&memories) {
            let size = size_of::<*mut c_void>();
            call!(library, clSetKernelArg: clSetKernelArg_fn(kernel, slot, size, (&raw const *memory).cast()));
        }
        for _ in 0..3 {
            call!(library, clEnqueueNDRangeKernel: clEnqueueNDRangeKernel_fn(
                queue, kernel, 1, null(), &LEN, null(), 0, null(), null_mut()
            ));
        }
        let mapped = create!(library, clEnqueueMapBuffer: clEnqueueMapBuffer_fn(
            queue, memories[1], CL_TRUE, CL_MAP_READ, 0, BYTES, 0, null(), null_mut()
        ));
        call!(library, clEnqueueUnmapMemObject: clEnqueueUnmapMemObject_fn(
            queue, memories[1], mapped, 0, null(), null_mut()
        ));
        let (mut data, mut event) = ([0u32; LEN], null_mut());
        call!(library, clEnqueueReadBuffer: clEnqueueReadBuffer_fn(
            queue, memories[1], CL_FALSE, 0, BYTES, data.as_mut_ptr().cast(), 0, null(), &mut event
        ));
        call!(library, clFlush: clFlush_fn(queue));
        call!(library, clWaitForEvents: clWaitForEvents_fn(1, &event));
        call!(library, clReleaseEvent: clReleaseEvent_fn(event));
        if data != [n; LEN] {
            return Err(format!("wrong results: {data:?}"));
        }
        call!(library, clReleaseKernel: clReleaseKernel_fn(kernel));
        call!(library, clReleaseProgram: clReleaseProgram_fn(program));
        for memory in memories {
            call!(library, clReleaseMemObject: clReleaseMemObject_fn(memory));
        }
        call!(library, clFinish: clFinish_fn(queue));
        call!(library, clReleaseCommandQueue: clReleaseCommandQueue_fn(queue));
        call!(library, clReleaseContext: clReleaseContext_fn(context));
    }
    Ok(())
}
