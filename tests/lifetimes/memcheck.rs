//! The cases under valgrind's memcheck: `cargo test --release --test lifetimes -- --memcheck`.
//!
//! On a driver, where each kernel takes valgrind some ten seconds to compile, those cases that drop and map. A driver
//! and its compiler have errors of their own: what [`plain`](crate::plain) makes them do, which knows nothing of
//! gridfn, is suppressed, and nothing else. What a driver leaks it leaks by chance, so there leaks are not looked for:
//! [`check`] counts our objects, and on the host and the null device valgrind looks for leaks too.

use crate::work::On;
use crate::{CASES, Leaves, check};
use gridfn::prelude::*;
use libtest_mimic::Failed;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs, io};

/// Runs this program under valgrind.
pub(crate) const MEMCHECK: &str = "--memcheck";
/// What runs there: all cases in a row.
pub(crate) const CHECKED: &str = "--checked";
/// What runs there first: the driver without gridfn.
pub(crate) const PLAIN: &str = "--plain";

/// The status with which valgrind ends for errors.
const ERRORS: i32 = 99;

/// Runs the cases under valgrind on the device that `GRIDFN_DEVICE` names, and prints the result as libtest does.
pub(crate) fn run() -> ExitCode {
    match under_valgrind() {
        Ok(()) => {
            println!("test result: ok. 1 passed; 0 failed; 0 ignored");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            println!("memcheck: {reason}");
            println!("test result: FAILED. 0 passed; 1 failed; 0 ignored");
            ExitCode::FAILURE
        }
    }
}

fn under_valgrind() -> Result<(), Box<dyn std::error::Error>> {
    let folder = env::temp_dir().join(format!("gridfn-memcheck-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let done = in_folder(&folder);
    fs::remove_dir_all(&folder)?;
    done
}

fn in_folder(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let (log, suppressions) = (folder.join("log"), folder.join("suppressions"));
    let (mut found, mut leaks) = (String::new(), "full");
    if has_driver(&Device::best()?) {
        leaks = "no";
        let option = format!("--log-file={}", log.display());
        let options = ["--gen-suppressions=all", "--leak-check=no", &option];
        let status = valgrind(folder, &options, PLAIN)?.status()?;
        let text = fs::read_to_string(log)?;
        if !status.success() || !text.contains("ERROR SUMMARY") {
            return Err(format!("the plain program ended with {status}:\n{text}").into());
        }
        found = suppressions_of(&text)?;
        println!("suppressed, as a plain program has it:\n{found}");
    }
    fs::write(&suppressions, &found)?;
    let options = [
        format!("--suppressions={}", suppressions.display()),
        format!("--error-exitcode={ERRORS}"),
        format!("--leak-check={leaks}"),
        "--errors-for-leak-kinds=definite".into(),
        "--show-leak-kinds=definite".into(),
    ];
    let status = valgrind(folder, &options.each_ref().map(String::as_str), CHECKED)?.status()?;
    match status.code() {
        Some(0) => Ok(()),
        Some(ERRORS) => Err("valgrind found errors".into()),
        _ => Err(format!("the cases ended with {status}").into()),
    }
}

/// A call of this program under valgrind.
fn valgrind(folder: &Path, options: &[&str], argument: &str) -> io::Result<Command> {
    let mut command = Command::new("valgrind");
    command
        .arg("--num-callers=24")
        .args(options)
        .arg(env::current_exe()?)
        .arg(argument)
        // What PoCL has compiled for other programs is not used, so that every run does the same.
        .env("POCL_CACHE_DIR", folder);
    Ok(command)
}

/// The suppressions in a log, without the frames of this program: what is below `cl…` differs from program to program.
fn suppressions_of(log: &str) -> Result<String, String> {
    let mut all = String::new();
    let mut lines = log.lines();
    while lines.by_ref().any(|line| line == "{") {
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
        let ours = |line: &&str| line.contains("lifetimes") || line.contains("gridfn");
        let theirs: Vec<&str> = block.iter().copied().take_while(|line| !ours(line)).collect();
        let frames = theirs
            .iter()
            .filter(|line| line.contains("fun:") || line.contains("obj:"))
            .count();
        // One frame is the allocator's, and two would suppress too much.
        if frames < 3 {
            return Err(format!(
                "the plain program has an error of its own:\n{}",
                block.join("\n")
            ));
        }
        all += &format!("{{\n{}\n}}\n", theirs.join("\n"));
    }
    Ok(all)
}

fn has_driver(device: &Device) -> bool {
    ![Device::host(), Device::null()].contains(device)
}

/// All cases in a row; under valgrind.
pub(crate) fn checked() -> Result<(), Failed> {
    let device = Device::best()?;
    let on = On::new(&device);
    for &(leaves, name, case) in CASES {
        // Valgrind runs one thread at a time, so there is nothing to see of two that launch at once.
        let fit = if has_driver(&device) {
            name.starts_with("dropped::") || name == "swapped::mappings"
        } else {
            name != "shared::a_launch_while_another_runs"
        };
        if leaves == Leaves::Nothing && fit {
            println!("{name}");
            io::stdout().flush()?;
            check(&on, leaves, case)?;
        }
    }
    Ok(())
}
