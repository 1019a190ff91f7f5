//! Which version of the PTX ISA a compute capability needs.

use super::unsupported;
use crate::GenerateError;

/// The most parameter bytes that every version takes.
const PLAIN_PARAMETERS: usize = 4352;
/// The most parameter bytes from version 8.1 on, on compute capability 7.0 and later.
const LARGE_PARAMETERS: usize = 32764;

/// Major and minor number of the lowest version that says all we say, so that old drivers take it too.
pub(super) fn of(sm: u32, parameter_bytes: usize) -> Result<String, GenerateError> {
    let (major, minor) = match sm {
        50 | 52 | 53 | 60 | 61 | 62 | 70 | 72 | 75 | 80 => (7, 0),
        86 => (7, 1),
        87 => (7, 4),
        89 | 90 => (7, 8),
        100 | 101 => (8, 6),
        120 => (8, 7),
        103 | 121 => (8, 8),
        _ => return Err(unsupported(format!("compute capability {}.{}", sm / 10, sm % 10))),
    };
    let version = if parameter_bytes <= PLAIN_PARAMETERS {
        (major, minor)
    } else if parameter_bytes <= LARGE_PARAMETERS && sm >= 70 {
        (major, minor).max((8, 1))
    } else {
        return Err(unsupported(format!(
            "{parameter_bytes} bytes of parameters on sm_{sm}"
        )));
    };
    Ok(format!("{}.{}", version.0, version.1))
}
