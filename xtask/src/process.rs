//! Running a command within a time limit, reading along.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// With status 0.
    Success,
    /// With another status, or by a signal.
    Failure,
    /// Killed: it ran past its limit.
    TimeOut,
}

/// Runs a command and all that it starts for at most `limit`; `line` gets the lines of its standard output.
///
/// # Errors
///
/// If it cannot be started.
pub(crate) fn run(command: &mut Command, limit: Duration, mut line: impl FnMut(&str)) -> io::Result<End> {
    let deadline = Instant::now() + limit;
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let (sender, lines) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        // The thread is not joined: a process that outlives the command may keep its output open for ever.
        thread::spawn(move || read(output, &sender));
    }
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(text) => line(&text),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => return kill(&mut child).map(|()| End::TimeOut),
        }
    }
    // A command may close its output long before it ends.
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(End::Success),
            Some(_) => return Ok(End::Failure),
            None if Instant::now() >= deadline => return kill(&mut child).map(|()| End::TimeOut),
            None => thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn read(output: impl Read, lines: &Sender<String>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while output.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let text = String::from_utf8_lossy(&bytes);
        if lines.send(text.trim_end_matches('\n').into()).is_err() {
            return;
        }
        bytes.clear();
    }
}

/// Kills a command with all that it started: the program that hangs is mostly not cargo but its child. A process
/// group would do too, but then Ctrl-C would not reach them.
fn kill(child: &mut Child) -> io::Result<()> {
    let doomed = descendants(child.id());
    child.kill()?;
    let mut kill = Command::new("sh");
    kill.args(["-c", "kill -KILL \"$@\"", "sh"]);
    kill.args(doomed.iter().map(u32::to_string)).stderr(Stdio::null());
    if !doomed.is_empty() {
        // It fails if one of them has ended by itself.
        kill.status()?;
    }
    child.wait().map(drop)
}

/// The processes that `root` started, and those that they started.
fn descendants(root: u32) -> Vec<u32> {
    let processes: Vec<(u32, u32)> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            Some((id, parent(&fs::read_to_string(entry.path().join("stat")).ok()?)?))
        })
        .collect();
    let mut family = vec![root];
    let mut next = 0;
    while let Some(&member) = family.get(next) {
        family.extend(
            processes
                .iter()
                .filter(|(_, parent)| *parent == member)
                .map(|(id, _)| *id),
        );
        next += 1;
    }
    family.remove(0);
    family
}

/// The parent in the text of `/proc/N/stat`: `id (name) state parent …`, where the name may hold anything.
fn parent(stat: &str) -> Option<u32> {
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> (End, Vec<String>) {
        let mut lines = Vec::new();
        let end = run(Command::new("sh").args(["-c", script]), limit, |line| {
            lines.push(line.into())
        });
        (end.unwrap(), lines)
    }

    #[test]
    fn output_is_read_and_the_status_told() {
        let minute = Duration::from_secs(60);
        assert_eq!(
            shell("echo a; echo b", minute),
            (End::Success, vec!["a".into(), "b".into()])
        );
        assert_eq!(
            shell("printf a; exit 3", minute),
            (End::Failure, vec!["a".into()])
        );
        assert_eq!(
            shell("exec >&-; sleep 0.1; exit 1", minute),
            (End::Failure, vec![])
        );
        assert!(run(&mut Command::new("/no/such"), minute, |_| ()).is_err());
    }

    #[test]
    fn what_hangs_is_killed_with_its_children() {
        let before = Instant::now();
        // The shell waits for a child whose id it prints.
        let (end, lines) = shell("sleep 600 & echo $!; wait", Duration::from_secs(1));
        assert_eq!(end, End::TimeOut);
        // The signal takes a moment; then it is gone, or a zombie for whom nobody has waited yet.
        let lives = || {
            let stat = fs::read_to_string(format!("/proc/{}/stat", lines[0]));
            stat.is_ok_and(|stat| !stat.contains(") Z "))
        };
        while lives() {
            assert!(before.elapsed() < Duration::from_secs(60), "it was not killed");
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn names_of_processes_may_hold_anything() {
        assert_eq!(parent("12 (a) b) S 7 12 12 0"), Some(7));
        assert_eq!(parent(""), None);
    }
}
