//! A program that uses OpenCL itself, beside gridfn, on one context.

use crate::support::*;
use gridfn_backends::any::opencl::*;
use gridfn_backends::{Device, opencl};
use gridfn_runtime::{Error, Result};
use libloading::Library;
use opencl_sys::cl_function_types::*;
use opencl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

/// Declares the functions that the tests call, and finds them.
macro_rules! functions {
    ($($name:ident: $ty:ident,)*) => {
        #[expect(non_snake_case, reason = "the names of the functions")]
        struct Api { $($name: $ty,)* }

        impl Api {
            fn load() -> Api {
                let name = if cfg!(windows) { "OpenCL.dll" } else { "libOpenCL.so.1" };
                // SAFETY: the library has been loaded already; its functions have these types.
                unsafe {
                    let library = std::mem::ManuallyDrop::new(Library::new(name).expect("the ICD loader"));
                    Api { $($name: *library.get(stringify!($name)).expect(stringify!($name)),)* }
                }
            }
        }
    };
}
functions! {
    clCreateContext: clCreateContext_fn,
    clReleaseContext: clReleaseContext_fn,
    clCreateCommandQueue: clCreateCommandQueue_fn,
    clReleaseCommandQueue: clReleaseCommandQueue_fn,
    clGetCommandQueueInfo: clGetCommandQueueInfo_fn,
    clCreateBuffer: clCreateBuffer_fn,
    clReleaseMemObject: clReleaseMemObject_fn,
    clGetMemObjectInfo: clGetMemObjectInfo_fn,
    clGetDeviceInfo: clGetDeviceInfo_fn,
    clEnqueueWriteBuffer: clEnqueueWriteBuffer_fn,
    clEnqueueReadBuffer: clEnqueueReadBuffer_fn,
    clFinish: clFinish_fn,
}

/// Calls a function that gives a code, which must be success.
macro_rules! call {
    ($api:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: live handles, and room as large as said, in every call of these tests.
        let code = unsafe { $api.$function.expect("found")($($argument),*) };
        assert_eq!(code, CL_SUCCESS, stringify!($function));
    }};
}

/// Calls a function that gives a handle.
macro_rules! create {
    ($api:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let mut code = CL_SUCCESS;
        // SAFETY: as in `call!`.
        let handle = unsafe { $api.$function.expect("found")($($argument,)* &mut code) };
        assert_eq!(code, CL_SUCCESS, stringify!($function));
        handle
    }};
}

/// What a program that uses OpenCL has.
struct Program {
    api: Api,
    id: cl_device_id,
    context: cl_context,
    queue: cl_command_queue,
}

impl Program {
    fn new(device: &opencl::Device) -> Result<Program> {
        let (api, (_, id)) = (Api::load(), device.as_raw()?);
        let context = create!(api, clCreateContext(null(), 1, &id, None, null_mut()));
        let queue = create!(api, clCreateCommandQueue(context, id, 0));
        Ok(Program {
            api,
            id,
            context,
            queue,
        })
    }

    fn buffer(&self, flags: cl_mem_flags, bytes: usize) -> cl_mem {
        create!(self.api, clCreateBuffer(self.context, flags, bytes, null_mut()))
    }

    fn write(&self, memory: cl_mem, data: &[f32]) {
        let (bytes, start) = (size_of_val(data), data.as_ptr().cast::<c_void>());
        call!(
            self.api,
            clEnqueueWriteBuffer(
                self.queue,
                memory,
                CL_TRUE,
                0,
                bytes,
                start,
                0,
                null(),
                null_mut()
            )
        );
    }

    fn read(&self, queue: cl_command_queue, memory: cl_mem, len: usize) -> Vec<f32> {
        let mut data = vec![0.0f32; len];
        let (bytes, start) = (size_of_val(&data[..]), data.as_mut_ptr().cast::<c_void>());
        call!(
            self.api,
            clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, start, 0, null(), null_mut())
        );
        call!(self.api, clFinish(queue));
        data
    }

    /// The reference counts of the queue and of a memory object.
    fn references(&self, memory: cl_mem) -> [cl_uint; 2] {
        let mut counts = [0; 2];
        let [of_queue, of_memory] = &mut counts;
        let bytes = size_of::<cl_uint>();
        let room = std::ptr::from_mut(of_queue).cast();
        call!(
            self.api,
            clGetCommandQueueInfo(self.queue, CL_QUEUE_REFERENCE_COUNT, bytes, room, null_mut())
        );
        let room = std::ptr::from_mut(of_memory).cast();
        call!(
            self.api,
            clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, bytes, room, null_mut())
        );
        counts
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        call!(self.api, clReleaseCommandQueue(self.queue));
        call!(self.api, clReleaseContext(self.context));
    }
}

/// A context, a queue and two buffers of the program's own, used by turns.
pub(crate) fn beside_gridfn(device: &opencl::Device) -> Result<()> {
    const N: usize = 1000;
    let program = Program::new(device)?;
    let (x, y) = (
        program.buffer(CL_MEM_READ_WRITE, N * 4),
        program.buffer(CL_MEM_READ_WRITE, N * 4),
    );
    program.write(x, &[2.0; N]);
    program.write(y, &[1.0; N]);
    let held = {
        // SAFETY: live handles, and buffers full of numbers, which the program uses on this one queue alone.
        let (theirs, queue, x_buffer, mut y_buffer) = unsafe {
            let theirs = device_from_raw(program.context, program.id)?;
            let queue = queue_from_raw(program.queue)?;
            assert_eq!(*queue.device(), theirs);
            let x_buffer = buffer_from_raw::<f32>(&theirs, x, N)?;
            let y_buffer = buffer_from_raw::<f32>(&theirs, y, N - 1)?;
            (theirs, queue, x_buffer, y_buffer)
        };
        assert_ne!(theirs, Device::from(*device), "buffers of the two cannot meet");
        assert_eq!(device_as_raw(&theirs)?, (program.context, program.id));
        assert_eq!(queue_as_raw(&queue)?, program.queue);
        assert_eq!(buffer_as_raw(&y_buffer)?, y);
        for round in 1..=5u8 {
            launch(&queue, Args(*SAXPY, (3.0f32, &x_buffer, &mut y_buffer)), N - 1)?;
            // The program's own command comes after the launch, because the queue is in order.
            let found = program.read(program.queue, y, N);
            assert_eq!(found[..N - 1], vec![1.0 + 6.0 * f32::from(round); N - 1][..]);
            assert_eq!(found[N - 1], 1.0, "the last element is not the buffer's");
        }
        // Another queue of gridfn's on the same device, and all that gridfn does itself.
        let other = theirs.queue()?;
        launch(&other, Args(*SAXPY, (1.0f32, &x_buffer, &mut y_buffer)), N - 1)?;
        queue.wait(&other.record()?)?;
        assert_eq!(program.read(program.queue, y, 3), [33.0; 3]);
        assert_eq!(other.map(&y_buffer)?[..], [33.0; N - 1]);
        assert_eq!(y_buffer.into_vec()?, vec![33.0; N - 1]);
        program.references(x)
    };
    // gridfn has released what it retained. Drivers count references of their kernels and commands too, and may give
    // those back a moment later.
    let start = Instant::now();
    while program.references(x) != [1, held[1] - 1] {
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "gridfn keeps a reference"
        );
    }
    call!(program.api, clReleaseMemObject(x));
    call!(program.api, clReleaseMemObject(y));
    Ok(())
}

/// The program takes gridfn's own handles.
pub(crate) fn in_gridfn(device: &opencl::Device) -> Result<()> {
    let api = Api::load();
    let device = Device::from(*device);
    let queue = device.queue()?;
    let x = queue.upload(&[2.0f32; 100])?;
    let mut y = queue.zeros::<f32>(100)?;
    launch(&queue, Args(*SAXPY, (1.0f32, &x, &mut y)), 100)?;
    let (context, id) = device_as_raw(&device)?;
    let own = Program {
        queue: create!(api, clCreateCommandQueue(context, id, 0)),
        api,
        id,
        context,
    };
    queue.synchronize()?;
    assert_eq!(own.read(own.queue, buffer_as_raw(&y)?, 100), [2.0; 100]);
    assert_eq!(
        own.read(queue_as_raw(&queue)?, buffer_as_raw(&x)?, 100),
        [2.0; 100]
    );
    // SAFETY: live handles; the buffer is used by one owner at a time.
    unsafe {
        assert_eq!(
            device_from_raw(context, id)?,
            device,
            "its own handles are the device"
        );
        let wrapped = queue_from_raw(own.queue)?;
        let mut again = buffer_from_raw::<f32>(&device, buffer_as_raw(&y)?, 100)?;
        launch(&wrapped, Args(*SAXPY, (1.0f32, &x, &mut again)), 100)?;
        wrapped.synchronize()?;
        drop(again);
    }
    assert_eq!(queue.download(&y)?, [4.0; 100]);
    // The context is gridfn's: it is not the program's to release.
    call!(own.api, clReleaseCommandQueue(own.queue));
    std::mem::forget(own);
    Ok(())
}

/// The next use that conflicts with what a forgotten guard has left ends it: the driver says so.
pub(crate) fn forgotten_guards(device: &opencl::Device) -> Result<()> {
    let api = Api::load();
    let device = Device::from(*device);
    let (queue, other) = (device.queue()?, device.queue()?);
    let mut y = queue.upload(&[1.0f32; 100])?;
    let mut sink = queue.zeros::<f32>(100)?;
    let memory = buffer_as_raw(&y)?;
    let maps = || {
        let mut count: cl_uint = 0;
        let (bytes, room) = (size_of_val(&count), (&raw mut count).cast());
        call!(
            api,
            clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, bytes, room, null_mut())
        );
        count
    };
    std::mem::forget(queue.map_mut(&mut y)?);
    match maps() {
        1 => {}
        // Rusticl and Oclgrind do not count; Oclgrind complains itself of what is used while it is mapped.
        0 => return queue.fill(&mut y, 0.0),
        count => panic!("mapped {count} times"),
    }
    launch(&other, Args(*SAXPY, (1.0f32, &y, &mut sink)), 100)?;
    other.synchronize()?;
    assert_eq!(maps(), 0, "a reader ends what was mapped to be written");
    std::mem::forget(queue.map(&y)?);
    std::mem::forget(other.map(&y)?);
    launch(&other, Args(*SAXPY, (1.0f32, &y, &mut sink)), 100)?;
    other.synchronize()?;
    assert_eq!(maps(), 2, "a reader leaves what was mapped to be read");
    let guard = queue.map(&y)?;
    guard.unmap()?;
    queue.synchronize()?;
    assert_eq!(maps(), 2, "a guard ends its own mapping alone");
    launch(&queue, Args(*SAXPY, (1.0f32, &sink, &mut y)), 100)?;
    queue.synchronize()?;
    assert_eq!(maps(), 0, "a writer ends every mapping");
    assert_eq!(queue.download(&y)?, [3.0; 100]);
    Ok(())
}

fn reason<T>(result: Result<T>) -> String {
    match result {
        Err(error @ Error::RawHandle { .. }) => error.to_string(),
        Err(other) => panic!("expected another error than {other}"),
        Ok(_) => panic!("expected an error"),
    }
}

/// What cannot be taken is told with what would do.
pub(crate) fn refused(device: &opencl::Device) -> Result<()> {
    let program = Program::new(device)?;
    let memory = program.buffer(CL_MEM_READ_WRITE, 64);
    let constant = program.buffer(CL_MEM_READ_ONLY, 64);
    let theirs = {
        let host = Device::host();
        assert!(reason(device_as_raw(&host)).contains("`host` is no OpenCL device"));
        assert!(reason(queue_as_raw(&host.queue()?)).contains("opencl:0"));
        assert!(reason(buffer_as_raw(&host.queue()?.upload(&[1u8])?)).contains("cl_mem"));
        // SAFETY: live handles.
        unsafe {
            assert!(reason(buffer_from_raw::<u8>(&host, memory, 1)).contains("`host`"));
            device_from_raw(program.context, program.id)?
        }
    };
    // SAFETY: live handles, and nothing is made of them.
    unsafe {
        assert!(
            reason(buffer_from_raw::<u64>(&theirs, memory, 9))
                .contains("it has 64 bytes, but the elements take 72")
        );
        assert!(reason(buffer_from_raw::<u8>(&theirs, constant, 9)).contains("CL_MEM_READ_WRITE"));
        let ours = Device::from(*device);
        assert!(reason(buffer_from_raw::<u8>(&ours, memory, 9)).contains("another context"));
        assert!(matches!(
            buffer_from_raw::<u64>(&theirs, memory, usize::MAX),
            Err(Error::OutOfMemory { .. })
        ));
    }
    let out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    let mut properties: cl_command_queue_properties = 0;
    let (bytes, room) = (size_of_val(&properties), (&raw mut properties).cast());
    call!(
        program.api,
        clGetDeviceInfo(
            program.id,
            CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
            bytes,
            room,
            null_mut()
        )
    );
    if properties & out_of_order != 0 {
        let queue = create!(
            program.api,
            clCreateCommandQueue(program.context, program.id, out_of_order)
        );
        // SAFETY: a live handle.
        let told = reason(unsafe { queue_from_raw(queue) });
        assert_eq!(
            told,
            "this cl_command_queue cannot be used: it runs commands out of order: make one without \
             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE"
        );
        call!(program.api, clReleaseCommandQueue(queue));
    }
    assert_eq!(program.references(memory), [1, 1]);
    call!(program.api, clReleaseMemObject(memory));
    call!(program.api, clReleaseMemObject(constant));
    Ok(())
}
