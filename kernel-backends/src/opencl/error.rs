//! The driver's error codes as errors.

use gridfn_runtime::{Error, Result};
use opencl_sys::*;

/// An error unless `code` is success.
#[inline]
pub(super) fn check(device: &str, call: &'static str, code: cl_int) -> Result<()> {
    if code == CL_SUCCESS {
        Ok(())
    } else {
        Err(failed(device, call, code))
    }
}

/// The error of a call.
#[cold]
pub(super) fn failed(device: &str, call: &'static str, code: cl_int) -> Error {
    Error::Driver {
        device: device.into(),
        call,
        code,
        name: name(code).into(),
    }
}

/// `error`, or [`Error::OutOfMemory`] if it says that there is no room for a buffer of `bytes` bytes.
pub(super) fn of_allocation(error: Error, bytes: usize) -> Error {
    match error {
        Error::Driver {
            device,
            code:
                CL_MEM_OBJECT_ALLOCATION_FAILURE
                | CL_OUT_OF_RESOURCES
                | CL_OUT_OF_HOST_MEMORY
                | CL_INVALID_BUFFER_SIZE,
            ..
        } => Error::OutOfMemory { device, bytes },
        other => other,
    }
}

macro_rules! names {
    ($($name:ident)*) => {
        /// The name of an error code.
        pub(super) fn name(code: cl_int) -> &'static str {
            match code {
                $($name => stringify!($name),)*
                _ => "an unknown error",
            }
        }
    };
}

names! {
    CL_DEVICE_NOT_FOUND
    CL_DEVICE_NOT_AVAILABLE
    CL_COMPILER_NOT_AVAILABLE
    CL_MEM_OBJECT_ALLOCATION_FAILURE
    CL_OUT_OF_RESOURCES
    CL_OUT_OF_HOST_MEMORY
    CL_PROFILING_INFO_NOT_AVAILABLE
    CL_MEM_COPY_OVERLAP
    CL_IMAGE_FORMAT_MISMATCH
    CL_IMAGE_FORMAT_NOT_SUPPORTED
    CL_BUILD_PROGRAM_FAILURE
    CL_MAP_FAILURE
    CL_MISALIGNED_SUB_BUFFER_OFFSET
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
    CL_COMPILE_PROGRAM_FAILURE
    CL_LINKER_NOT_AVAILABLE
    CL_LINK_PROGRAM_FAILURE
    CL_DEVICE_PARTITION_FAILED
    CL_KERNEL_ARG_INFO_NOT_AVAILABLE
    CL_INVALID_VALUE
    CL_INVALID_DEVICE_TYPE
    CL_INVALID_PLATFORM
    CL_INVALID_DEVICE
    CL_INVALID_CONTEXT
    CL_INVALID_QUEUE_PROPERTIES
    CL_INVALID_COMMAND_QUEUE
    CL_INVALID_HOST_PTR
    CL_INVALID_MEM_OBJECT
    CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
    CL_INVALID_IMAGE_SIZE
    CL_INVALID_SAMPLER
    CL_INVALID_BINARY
    CL_INVALID_BUILD_OPTIONS
    CL_INVALID_PROGRAM
    CL_INVALID_PROGRAM_EXECUTABLE
    CL_INVALID_KERNEL_NAME
    CL_INVALID_KERNEL_DEFINITION
    CL_INVALID_KERNEL
    CL_INVALID_ARG_INDEX
    CL_INVALID_ARG_VALUE
    CL_INVALID_ARG_SIZE
    CL_INVALID_KERNEL_ARGS
    CL_INVALID_WORK_DIMENSION
    CL_INVALID_WORK_GROUP_SIZE
    CL_INVALID_WORK_ITEM_SIZE
    CL_INVALID_GLOBAL_OFFSET
    CL_INVALID_EVENT_WAIT_LIST
    CL_INVALID_EVENT
    CL_INVALID_OPERATION
    CL_INVALID_GL_OBJECT
    CL_INVALID_BUFFER_SIZE
    CL_INVALID_MIP_LEVEL
    CL_INVALID_GLOBAL_WORK_SIZE
    CL_INVALID_PROPERTY
    CL_INVALID_IMAGE_DESCRIPTOR
    CL_INVALID_COMPILER_OPTIONS
    CL_INVALID_LINKER_OPTIONS
    CL_INVALID_DEVICE_PARTITION_COUNT
    CL_INVALID_PIPE_SIZE
    CL_INVALID_DEVICE_QUEUE
    CL_INVALID_SPEC_ID
    CL_MAX_SIZE_RESTRICTION_EXCEEDED
    CL_PLATFORM_NOT_FOUND_KHR
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_device_call_and_code() {
        let error = check("opencl:7", "clSetKernelArg", -51).unwrap_err();
        assert_eq!(
            error.to_string(),
            "clSetKernelArg of `opencl:7` failed with CL_INVALID_ARG_SIZE (-51)"
        );
        assert_eq!(name(-9999), "an unknown error");
    }

    #[test]
    fn only_a_lack_of_room_is_out_of_memory() {
        let error = |code| of_allocation(failed("opencl:0", "clCreateBuffer", code), 64);
        assert!(matches!(
            error(CL_INVALID_BUFFER_SIZE),
            Error::OutOfMemory { bytes: 64, .. }
        ));
        assert!(matches!(error(CL_INVALID_CONTEXT), Error::Driver { .. }));
    }
}
