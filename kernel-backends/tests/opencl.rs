//! The OpenCL back end, on every device that OpenCL has here.
//!
//! `GRIDFN_TEST_DEVICE` takes only the devices whose id, name or vendor it is a part of. Without a device the tests
//! are ignored; `GRIDFN_REQUIRE=opencl` turns that into a failure.

#[cfg(feature = "opencl")]
#[path = "opencl/cases.rs"]
mod cases;
#[cfg(feature = "opencl")]
#[path = "opencl/counting.rs"]
mod counting;
#[cfg(feature = "opencl")]
#[path = "opencl/raw.rs"]
mod raw;
#[cfg(feature = "opencl")]
mod support;

#[cfg(feature = "opencl")]
fn main() -> std::process::ExitCode {
    use gridfn_backends::opencl::{Device, devices};
    use libtest_mimic::{Arguments, Failed, Trial};

    fn chosen(device: &Device) -> bool {
        let wanted = std::env::var("GRIDFN_TEST_DEVICE")
            .unwrap_or_default()
            .to_lowercase();
        let info = device.info();
        let names = [&info.id, &info.name, &info.vendor];
        names.iter().any(|name| name.to_lowercase().contains(&wanted))
    }

    let (all, reason) = match devices() {
        Ok(devices) => (devices, "no device is chosen by GRIDFN_TEST_DEVICE"),
        Err(reason) => (&[][..], reason),
    };
    // Oclgrind asserts that there is one thread.
    let single = |device: &Device| device.info().vendor.contains("Oclgrind");
    let mut arguments = Arguments::from_args();
    if all.iter().any(single) {
        arguments.test_threads = Some(1);
    }

    let mut trials = Vec::new();
    for case in cases::CASES {
        let name = case.name;
        let devices: Vec<_> = all.iter().filter(|device| chosen(device)).collect();
        for device in &devices {
            let device = *device;
            let run = move || (case.run)(device).map_err(|error| Failed::from(error.to_string()));
            let ignored = case.threads && single(device);
            trials.push(Trial::test(format!("{name}: {device:?}"), run).with_ignored_flag(ignored));
        }
        if devices.is_empty() {
            let required = std::env::var("GRIDFN_REQUIRE").is_ok_and(|names| names.contains("opencl"));
            let run = move || Err(Failed::from(reason));
            trials.push(Trial::test(format!("{name}: {reason}"), run).with_ignored_flag(!required));
        }
    }
    for (name, case) in cases::PAIRS {
        let pair = all
            .iter()
            .find(|device| chosen(device))
            .and_then(|a| Some((a, all.iter().find(|b| *b != a)?)));
        trials.push(match pair {
            Some((a, b)) => {
                let run = move || case(a, b).map_err(|error| Failed::from(error.to_string()));
                Trial::test(format!("{name}: {a:?}, {b:?}"), run)
            }
            None => {
                Trial::test(format!("{name}: there are no two devices"), || Ok(())).with_ignored_flag(true)
            }
        });
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

#[cfg(not(feature = "opencl"))]
fn main() {
    println!("the feature `opencl` is off");
}
