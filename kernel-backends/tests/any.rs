//! Devices, and the enum over the back ends.

mod support;

use gridfn_backends::null::last_launch;
use gridfn_backends::{Device, emit};
use gridfn_codegen::Target;
use gridfn_runtime::backend::DeviceKind;
use gridfn_runtime::{Capability, Error, Result};
use std::path::Path;
use std::process::Command;
use support::*;

#[test]
fn the_host_is_there_and_comes_first() -> Result<()> {
    assert_eq!(Device::all()[0], Device::host());
    assert_eq!(Device::select("HOST")?, Device::host());
    assert_eq!(Device::select("null")?, Device::null());
    let host = Device::host();
    assert_eq!(
        (host.info().id.as_str(), host.info().kind),
        ("host", DeviceKind::Host)
    );
    assert!(host.has(Capability::Float64));
    assert!(host.info().compute_units > 0 && host.info().memory > 0);
    assert!(
        Device::all()
            .iter()
            .all(|device| device.info().kind != DeviceKind::Null)
    );
    Ok(())
}

#[test]
fn a_device_that_is_not_there_is_an_error_that_lists_those_that_are() {
    let Err(Error::NoDevice { wanted, reason }) = Device::select("no such device") else {
        panic!("a device of that name");
    };
    assert_eq!(wanted, "no such device");
    for device in Device::all() {
        assert!(reason.contains(&device.to_string()), "{reason}");
    }
    if Device::all().len() == 1 {
        assert!(reason.contains("OpenCL"), "{reason}");
    }
}

#[test]
fn every_device_does_saxpy() -> Result<()> {
    for device in Device::all() {
        let queue = device.queue()?;
        let x = queue.upload(&vec![2.0f32; 1000])?;
        let mut y = queue.upload(&vec![1.0f32; 1000])?;
        launch(&queue, Args(*SAXPY, (3.0f32, &x, &mut y)), 1000)?;
        drop(x);
        assert_eq!(queue.download(&y)?, vec![7.0; 1000], "{device}");
    }
    Ok(())
}

#[test]
fn an_argument_of_another_device_is_named() -> Result<()> {
    let mut devices = Device::all();
    devices.push(Device::null());
    for (here, there) in devices
        .iter()
        .flat_map(|here| devices.iter().map(move |there| (here, there)))
    {
        if here == there {
            continue;
        }
        let (queue, other) = (here.queue()?, there.queue()?);
        let (x, mut y) = (queue.upload(&[1.0f32])?, queue.upload(&[1.0f32])?);
        let (foreign_x, mut foreign_y) = (other.upload(&[1.0f32])?, other.upload(&[1.0f32])?);
        let error = |parameter: &str| {
            Err(Error::ForeignBuffer {
                kernel: "saxpy".into(),
                parameter: parameter.into(),
                buffer_device: there.info().id.clone(),
                queue_device: here.info().id.clone(),
            })
        };
        let before = last_launch();
        assert_eq!(
            launch(&queue, Args(*SAXPY, (1.0f32, &foreign_x, &mut y)), 1),
            error("x")
        );
        assert_eq!(
            launch(&queue, Args(*SAXPY, (1.0f32, &x, &mut foreign_y)), 1),
            error("y")
        );
        assert_eq!(last_launch(), before);
        // Nothing ran, and the right call still does.
        launch(&queue, Args(*SAXPY, (1.0f32, &x, &mut y)), 1)?;
        let runs = *here != Device::null();
        assert_eq!(queue.download(&y)?, [if runs { 2.0 } else { 1.0 }], "{here}");
        assert_eq!(other.download(&foreign_y)?, [1.0], "{there}");
    }
    Ok(())
}

#[test]
fn a_transfer_of_another_device_is_an_error() -> Result<()> {
    let (host, null) = (Device::host().queue()?, Device::null().queue()?);
    let mut theirs = null.upload(&[1u32])?;
    let mut ours = host.upload(&[1u32])?;
    let foreign = Error::ForeignTransfer {
        buffer_device: "null".into(),
        queue_device: "host".into(),
    };
    assert_eq!(host.download(&theirs), Err(foreign.clone()));
    assert_eq!(host.write(&mut theirs, &[2]), Err(foreign.clone()));
    assert_eq!(host.fill(&mut theirs, 2), Err(foreign.clone()));
    assert_eq!(host.copy(&ours, &mut theirs), Err(foreign.clone()));
    assert_eq!(host.copy(&theirs, &mut ours), Err(foreign));
    assert_eq!(host.download(&ours)?, [1]);
    assert_eq!(null.download(&theirs)?, [1]);
    Ok(())
}

#[test]
fn the_null_device_sees_launches() -> Result<()> {
    let queue = Device::null().queue()?;
    let x = queue.upload(&[1.0f32])?;
    let mut y = queue.upload(&[1.0f32])?;
    launch(&queue, Args(*SAXPY, (1.0f32, &x, &mut y)), 1)?;
    let seen = last_launch().expect("a launch");
    assert_eq!((seen.kernel, seen.bytes, seen.buffers), ("saxpy", 80, 2));
    assert_eq!(queue.download(&y)?, [1.0]);
    Ok(())
}

#[test]
fn code_is_emitted_without_a_device() -> Result<()> {
    let text = emit(&SAXPY, Target::OpenClC)?.to_string();
    assert!(text.contains("saxpy"), "{text}");
    let error = emit(&IDS, Target::OpenClC).unwrap_err();
    assert!(
        matches!(&error, Error::Code { target, .. } if target == "OpenCL C"),
        "{error}"
    );
    Ok(())
}

/// The environment is the process's, so each case runs in one of its own.
#[test]
fn best_is_what_the_environment_says() {
    for (wanted, best) in [
        ("null", "null"),
        ("host", "host"),
        ("no such device", "error"),
        ("", "any"),
    ] {
        expect_best(wanted, best, &[]);
    }
}

/// The ICD loader passes over a driver that it cannot load; then there is no platform, and the error says so.
#[test]
fn a_driver_that_does_not_load_is_told() {
    let file = std::env::temp_dir().join(format!("gridfn-no-driver-{}.so", std::process::id()));
    std::fs::write(&file, "not a library").unwrap();
    expect_best("opencl:0", "no OpenCL", &[("OCL_ICD_VENDORS", &file)]);
    expect_best(
        "opencl:0",
        "no OpenCL",
        &[("OCL_ICD_VENDORS", Path::new("/no/such/driver.so"))],
    );
    std::fs::remove_file(&file).unwrap();
}

/// Runs `best_is_expected` in a process of its own.
fn expect_best(wanted: &str, best: &str, environment: &[(&str, &Path)]) {
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "best_is_expected"])
        .env("GRIDFN_DEVICE", wanted)
        .env("EXPECTED", best)
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success() && text.contains("1 passed"),
        "{wanted}:\n{text}"
    );
}

#[test]
#[ignore = "run by other tests, in an environment of their own"]
fn best_is_expected() {
    let best = Device::best().map(|device| device.info().id.clone());
    match std::env::var("EXPECTED").expect("set by the caller").as_str() {
        "error" => assert!(matches!(best, Err(Error::NoDevice { .. }))),
        "no OpenCL" => match best {
            Err(Error::NoDevice { reason, .. }) => assert!(reason.contains("OpenCL"), "{reason}"),
            other => panic!("{other:?}"),
        },
        "any" => assert!(best.is_ok()),
        expected => assert_eq!(best.as_deref(), Ok(expected)),
    }
}
