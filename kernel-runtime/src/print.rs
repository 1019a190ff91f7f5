//! `println!` in kernels: where lines go, and how they come from a device.
//!
//! The text of a line is made on the host, by the closure that also makes it in the host version ([`Words`]). There an item
//! prints at once. A device writes the values into a buffer of the queue ([`gridfn_ir::layout`], "Printing"), which the
//! next wait on the queue reads.

use gridfn_ir::layout::{LINE, LINES, LOST, PRINTED};
use gridfn_ir::typed::Words;
use std::cell::Cell;
use std::ptr::null;
use std::sync::{Mutex, PoisonError};

/// What gets the lines.
type Hook = Box<dyn FnMut(&str) + Send>;

/// Where the lines of a queue's kernels go: to the program's standard output, or to a hook.
#[derive(Default)]
pub struct Printer(Mutex<Option<Hook>>);

impl Printer {
    /// Sends lines to `hook` from now on.
    pub fn set(&self, hook: impl FnMut(&str) + Send + 'static) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(hook));
    }

    /// Prints one line, between those of other threads.
    pub fn line(&self, text: &str) {
        let mut hook = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *hook {
            Some(hook) => hook(text),
            None => println!("{text}"),
        }
    }

    /// Prints what a device wrote into a print buffer. `find` gives a line's words by the kernel's tag and the line's number.
    pub fn lines(&self, buffer: &[u32], find: impl Fn(u32, u32) -> Option<Words>) {
        let end = buffer
            .len()
            .min(LINES + buffer.get(PRINTED).map_or(0, |n| *n as usize));
        let mut rest = buffer.get(LINES..end).unwrap_or_default();
        // Only an `unsafe` kernel that wrote past its own buffers leaves anything else than whole lines.
        while let [len, tag, line, ..] = *rest {
            let Some((words, after)) = rest.split_at_checked(len as usize) else {
                break;
            };
            let (Some(values), Some(words_of)) = (words.get(LINE..), find(tag, line)) else {
                break;
            };
            let (values, _) = values.as_chunks();
            let values: Vec<u64> = values
                .iter()
                .map(|[lower, upper]| u64::from(*upper) << 32 | u64::from(*lower))
                .collect();
            self.line(&(words_of.message)(&values));
            rest = after;
        }
        match buffer.get(LOST).copied().unwrap_or(0) {
            0 => {}
            1 => self.line("[1 line more was printed, for which the device had no room: it is lost]"),
            n => self.line(&format!(
                "[{n} lines more were printed, for which the device had no room: they are lost]"
            )),
        }
    }
}

impl std::fmt::Debug for Printer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Printer")
    }
}

thread_local! {
    /// The printer of the launch whose items this thread runs; null where it runs none.
    static PRINTER: Cell<*const Printer> = const { Cell::new(null()) };
}

/// Runs items of a launch, whose lines go to `printer`.
#[inline(always)]
pub fn printing_to<R>(printer: &Printer, run: impl FnOnce() -> R) -> R {
    struct Before(*const Printer);
    impl Drop for Before {
        #[inline(always)]
        fn drop(&mut self) {
            PRINTER.set(self.0);
        }
    }
    let _before = Before(PRINTER.replace(printer));
    run()
}

/// Prints a line of an item on the host. Outside of launches it is an ordinary `println!`.
#[cold]
#[inline(never)]
pub(crate) fn print(text: &str) {
    let printer = PRINTER.get();
    // SAFETY: `printing_to` holds a reference to it as long as it is there.
    match unsafe { printer.as_ref() } {
        Some(printer) => printer.line(text),
        None => println!("{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn printed(buffer: &[u32]) -> Vec<String> {
        let (printer, lines) = (Printer::default(), Arc::new(Mutex::new(vec![])));
        let to = lines.clone();
        printer.set(move |line| to.lock().unwrap().push(line.to_string()));
        let words = |tag, line| {
            (tag == 7 && line == 1).then_some(Words {
                message: |values| format!("{values:?}"),
                values: 1,
            })
        };
        printer.lines(buffer, words);
        std::mem::take(&mut *lines.lock().unwrap())
    }

    #[test]
    fn lines_stand_one_behind_the_other() {
        let buffer = [8, 0, 5, 7, 1, 10, 1, 3, 7, 1, 0, 0];
        assert_eq!(printed(&buffer), ["[4294967306]", "[]"]);
        assert_eq!(printed(&[0, 0, 0, 0]), Vec::<String>::new());
    }

    #[test]
    fn what_was_lost_is_told() {
        assert_eq!(
            printed(&[9, 2, 5, 7, 1, 1, 0, 0, 0, 0]),
            [
                "[1]",
                "[2 lines more were printed, for which the device had no room: they are lost]"
            ]
        );
    }

    #[test]
    fn what_is_no_line_is_not_printed() {
        for buffer in [
            &[][..],
            &[5],
            &[9, 0, 99, 7, 1],
            &[9, 0, 1, 7, 1, 0],
            &[9, 0, 3, 8, 1],
            &[9, 0, 0, 7, 1],
        ] {
            assert_eq!(printed(buffer), Vec::<String>::new(), "{buffer:?}");
        }
    }
}
