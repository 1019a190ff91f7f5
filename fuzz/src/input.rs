//! What is fed to a macro.

use crate::grammar::Grammar;
use crate::mutate::mutate;
use crate::tree::{Shown, Tree};
use fastrand::Rng;
use std::fmt;

/// A macro of gridfn.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Macro {
    Kernel,
    Device,
    DeviceCopy,
    KernelArg,
    Closure,
    Launch,
}

impl Macro {
    pub(crate) const ALL: [Macro; 6] = [
        Macro::Kernel,
        Macro::Device,
        Macro::DeviceCopy,
        Macro::KernelArg,
        Macro::Closure,
        Macro::Launch,
    ];

    /// The rule of the grammar for what it is put on, or given.
    fn rule(self) -> &'static str {
        match self {
            Macro::Kernel => "function",
            Macro::Device => "device",
            Macro::DeviceCopy | Macro::KernelArg => "struct",
            Macro::Closure => "closure",
            Macro::Launch => "launch",
        }
    }
}

/// A call of a macro.
#[derive(Clone)]
pub(crate) struct Input {
    pub(crate) of: Macro,
    /// What stands in the attribute's parentheses, if the macro is an attribute.
    pub(crate) attribute: Vec<Tree>,
    /// The item, or what stands in the macro's parentheses.
    pub(crate) tokens: Vec<Tree>,
}

impl Input {
    /// An input of the grammar's, or a real one with some mistakes.
    pub(crate) fn make(random: &mut Rng, grammar: &Grammar, kernels: &[Input]) -> Input {
        let mut input = match random.choice(kernels) {
            Some(kernel) if random.u8(..5) > 1 => kernel.clone(),
            _ => {
                let of = Macro::ALL[random.usize(..Macro::ALL.len())];
                let mut input = Input {
                    of,
                    attribute: vec![],
                    tokens: grammar.expand(of.rule(), random),
                };
                if random.u8(..8) == 0 {
                    input.attribute = grammar.expand("options", random);
                }
                // Half of them stay as they are.
                if random.bool() {
                    return input;
                }
                input
            }
        };
        for _ in 0..=random.u8(..6).saturating_sub(2) {
            let trees = match random.u8(..20) {
                0 => &mut input.attribute,
                _ => &mut input.tokens,
            };
            mutate(trees, random, grammar, kernels);
        }
        if random.u8(..20) == 0 {
            input.of = Macro::ALL[random.usize(..Macro::ALL.len())];
        }
        input
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (attribute, tokens) = (Shown(&self.attribute), Shown(&self.tokens));
        match self.of {
            Macro::Kernel => write!(f, "#[kernel({attribute})] {tokens}"),
            Macro::Device => write!(f, "#[device({attribute})] {tokens}"),
            Macro::DeviceCopy => write!(f, "#[derive(DeviceCopy)] {tokens}"),
            Macro::KernelArg => write!(f, "#[derive(KernelArg)] {tokens}"),
            Macro::Closure => write!(f, "closure!({tokens})"),
            Macro::Launch => write!(f, "launch!({tokens})"),
        }
    }
}
