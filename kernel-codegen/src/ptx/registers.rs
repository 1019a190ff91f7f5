//! The registers of an entry: unique names that carry the user's, and their declarations.

use super::types::Class;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::rc::Rc;

/// A register's name, or a literal in its place.
pub(super) type Reg = Rc<str>;

/// Every register of an entry.
///
/// The user's variable `x` is `$x`, the next of that name `$x$1`; what has no name is `%r1`, `%f2`, …. The user's
/// names do not begin with `%` because they would meet the special registers: a variable `tid` is not `%tid`.
#[derive(Default)]
pub(super) struct Registers {
    named: HashMap<String, u32>,
    declared: BTreeMap<Class, Vec<Reg>>,
    unnamed: BTreeMap<Class, u32>,
}

impl Registers {
    /// A new register, called after `name` if there is one.
    pub(super) fn add(&mut self, name: Option<&str>, class: Class) -> Reg {
        match name {
            Some(name) => self.named(name, class),
            None => self.temporary(class),
        }
    }

    /// A new register called after `name`.
    pub(super) fn named(&mut self, name: &str, class: Class) -> Reg {
        // Rust's identifiers may hold letters that PTX's may not.
        let name: String = name
            .trim_start_matches("r#")
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        // `$` stands in no Rust name, so that a number after it makes a name unlike all others.
        let uses = self.named.entry(name.clone()).or_insert(0);
        let unique = match *uses {
            0 => format!("${name}"),
            n => format!("${name}${n}"),
        };
        *uses += 1;
        self.declare(unique, class)
    }

    /// A new register without a name.
    pub(super) fn temporary(&mut self, class: Class) -> Reg {
        let number = self.unnamed.entry(class).or_insert(0);
        *number += 1;
        let name = format!("%{}{number}", class.prefix());
        self.declare(name, class)
    }

    fn declare(&mut self, name: String, class: Class) -> Reg {
        let register = Reg::from(name);
        self.declared.entry(class).or_default().push(register.clone());
        register
    }

    /// The declarations of all registers so far.
    pub(super) fn declarations(&self) -> String {
        const WIDTH: usize = 100;
        let mut text = String::new();
        for (class, registers) in &self.declared {
            let head = format!("    .reg {} ", class.declaration());
            let mut line = String::new();
            for register in registers {
                if head.len() + line.len() + register.len() > WIDTH && !line.is_empty() {
                    let _ = writeln!(text, "{head}{line};");
                    line.clear();
                }
                if !line.is_empty() {
                    line.push_str(", ");
                }
                line.push_str(register);
            }
            let _ = writeln!(text, "{head}{line};");
        }
        text
    }
}
