//! What is printed at the end of all tests.

use crate::process::End;
use crate::tally::Tally;
use std::process::ExitCode;
use std::time::Duration;

/// All that was run, and what could not be.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
    notes: Vec<String>,
}

struct Row {
    name: String,
    time: Duration,
    budget: Duration,
    tally: Tally,
    end: End,
}

impl Report {
    /// Adds a part that was run.
    ///
    /// A part that counts nothing itself, such as a lint, counts as one test; and so does one that failed without
    /// a failed test, say by not compiling.
    pub(crate) fn ran(&mut self, name: String, time: Duration, budget: Duration, mut tally: Tally, end: End) {
        let passed = end == End::Success;
        if tally == Tally::default() || (!passed && tally.failed == 0) {
            tally += Tally::one(passed);
        }
        self.rows.push(Row {
            name,
            time,
            budget,
            tally,
            end,
        });
    }

    /// Adds a failure of something that was not run.
    pub(crate) fn failed(&mut self, name: String) {
        self.ran(
            name,
            Duration::ZERO,
            Duration::ZERO,
            Tally::default(),
            End::Failure,
        );
    }

    /// Adds something that is said at the end.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Prints all, the sum as the last line.
    pub(crate) fn print(&self) -> ExitCode {
        let width = self
            .rows
            .iter()
            .map(|row| row.name.chars().count())
            .max()
            .unwrap_or(0);
        println!(
            "\n{:width$} {:>8} {:>8}  {:>6} {:>6} {:>7}",
            "part", "seconds", "budget", "passed", "failed", "ignored"
        );
        let mut sum = Tally::default();
        for row in &self.rows {
            sum += row.tally;
            println!(
                "{:width$} {:>8.1} {:>8}  {:>6} {:>6} {:>7}{}{}",
                row.name,
                row.time.as_secs_f64(),
                row.budget.as_secs(),
                row.tally.passed,
                row.tally.failed,
                row.tally.ignored,
                if row.time > row.budget {
                    "  over its budget"
                } else {
                    ""
                },
                match row.end {
                    End::Success if row.tally.failed == 0 => "",
                    End::Success | End::Failure => "  FAILED",
                    End::TimeOut => "  FAILED: killed, it hung",
                },
            );
        }
        let time: Duration = self.rows.iter().map(|row| row.time).sum();
        let budget: Duration = self.rows.iter().map(|row| row.budget).sum();
        println!(
            "{:width$} {:>8.1} {:>8}",
            "all",
            time.as_secs_f64(),
            budget.as_secs()
        );
        for note in &self.notes {
            println!("{note}");
        }
        println!("{} passed, {} failed", sum.passed, sum.failed);
        if sum.failed == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
