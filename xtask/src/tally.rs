//! Counting tests.

use std::ops::AddAssign;

/// How many tests there were.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Tally {
    /// Those that passed.
    pub(crate) passed: usize,
    /// Those that failed.
    pub(crate) failed: usize,
    /// Those that were not run.
    pub(crate) ignored: usize,
}

impl Tally {
    /// One test.
    pub(crate) fn one(passed: bool) -> Tally {
        Tally {
            passed: passed.into(),
            failed: (!passed).into(),
            ignored: 0,
        }
    }

    /// What a line of a test program's output adds; most lines add nothing.
    ///
    /// The line that counts is `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; …`.
    pub(crate) fn of_line(line: &str) -> Tally {
        let Some(counts) = line.strip_prefix("test result: ") else {
            return Tally::default();
        };
        let count = |name: &str| {
            counts
                .split(';')
                .filter_map(|count| {
                    count
                        .trim()
                        .strip_suffix(name)?
                        .split_whitespace()
                        .last()?
                        .parse()
                        .ok()
                })
                .next()
                .unwrap_or(0)
        };
        Tally {
            passed: count(" passed"),
            failed: count(" failed"),
            ignored: count(" ignored"),
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_counted() {
        let tally = |passed, failed, ignored| Tally {
            passed,
            failed,
            ignored,
        };
        let ok =
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s";
        assert_eq!(Tally::of_line(ok), tally(12, 0, 1));
        let failed = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(Tally::of_line(failed), tally(3, 2, 0));
        let coloured = "test result: \u{1b}[32mok\u{1b}[m. 3 passed; 0 failed; 0 ignored";
        assert_eq!(Tally::of_line(coloured), tally(3, 0, 0));
        assert_eq!(Tally::of_line("test result_lines ... ok"), Tally::default());
        assert_eq!(Tally::of_line("9 passed; 9 failed"), Tally::default());
    }
}
