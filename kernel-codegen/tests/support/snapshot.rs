//! Generated code, kept in files beside the tests.

use std::path::Path;

/// Compares `text` with the file `name` in `tests/snapshots`. With `GRIDFN_BLESS=1` it writes the file instead.
///
/// # Panics
///
/// If they differ, or the file can't be read or written.
pub fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/snapshots")
        .join(name);
    if std::env::var_os("GRIDFN_BLESS").is_some_and(|v| v == "1") {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        }
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        return;
    }
    let kept = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{}: {e}; GRIDFN_BLESS=1 writes it", path.display()));
    if let Some((line, (old, new))) = first_difference(&kept, text) {
        panic!(
            "{} differs at line {line}; GRIDFN_BLESS=1 rewrites it\n  kept: {old}\n   now: {new}",
            path.display()
        );
    }
}

fn first_difference<'a>(kept: &'a str, now: &'a str) -> Option<(usize, (&'a str, &'a str))> {
    let end = std::iter::repeat("<end>");
    let lines = kept.lines().count().max(now.lines().count());
    let pairs = kept.lines().chain(end.clone()).zip(now.lines().chain(end));
    (1..).zip(pairs.take(lines)).find(|(_, (old, new))| old != new)
}
