//! Instructions per launch on the null device, counted by callgrind: repeatable, whatever else the machine does.
//!
//! The bench runs itself under valgrind twice, with different numbers of launches; the difference of the totals is
//! what the launches cost, without anything around them.

use crate::{CASES, Case, Setup};
use gridfn::Device;
use std::process::Command;

/// The flag by which the bench knows that it is counted.
pub(crate) const FLAG: &str = "--count-instructions";

const FEW: u64 = 1000;
const MANY: u64 = 3000;

/// What the counted process does: launches of one case.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [case, launches] = arguments else {
        return Err("expected a case and a number of launches".into());
    };
    let case = CASES.get(case.parse::<usize>()?).ok_or("no such case")?;
    let device = std::env::var("GRIDFN_DEVICE").unwrap_or_else(|_| "null".into());
    let mut setup = Setup::new(&Device::select(&device)?)?;
    for _ in 0..launches.parse::<u64>()? {
        setup.launch(case)?;
    }
    Ok(())
}

/// Instructions per launch; `None` where valgrind is not installed.
pub(crate) fn count(case: &Case) -> Option<f64> {
    let number = CASES
        .iter()
        .position(|c| (c.args, c.argtype) == (case.args, case.argtype))?;
    let (few, many) = (total(number, FEW)?, total(number, MANY)?);
    Some((many as f64 - few as f64) / (MANY - FEW) as f64)
}

fn total(case: usize, launches: u64) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .args([FLAG, &case.to_string(), &launches.to_string()])
        .output()
        .ok()?;
    // `==123== Collected : 4567`
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(' ').next()?.parse().ok()
}
