//! Programs that check generated code.

use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

/// Runs `tool` with `input` on its standard input.
///
/// Returns whether the tool is there. If not, this says so, and fails where `GRIDFN_REQUIRE` names the tool.
///
/// # Panics
///
/// If the tool refuses the input; `what` names it.
pub fn check(tool: &str, arguments: &[&str], input: &[u8], what: &str) -> bool {
    let child = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let required = std::env::var("GRIDFN_REQUIRE").unwrap_or_default();
            assert!(
                !required.split(',').any(|name| name.trim() == tool),
                "{tool} is required, and is not there"
            );
            println!("NOT CHECKED: {what}: {tool} is not there");
            return false;
        }
        other => other.unwrap_or_else(|e| panic!("{tool}: {e}")),
    };
    if let Some(mut stdin) = child.stdin.take() {
        // A tool that refuses early may not read it all; its exit status tells.
        let _ = stdin.write_all(input);
    }
    let output = child.wait_with_output().unwrap_or_else(|e| panic!("{tool}: {e}"));
    assert!(
        output.status.success(),
        "{tool} refuses {what}:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    true
}
