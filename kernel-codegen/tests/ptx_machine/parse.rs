//! Text to functions.

use super::decode::{self, Operand};
use super::{Function, Program};
use std::collections::HashMap;

/// Words (names, numbers, opcodes with their modifiers, directives) and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let word = |c: char| c.is_ascii_alphanumeric() || "_$%.".contains(c);
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.split("//").next().unwrap_or("");
        assert!(line.is_ascii(), "PTX is ASCII");
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|c| !word(c)).unwrap_or(rest.len()).max(1);
            let (token, after) = rest.split_at(length);
            if !first.is_whitespace() {
                tokens.push(token);
            }
            rest = after;
        }
    }
    tokens
}

struct Parser<'t> {
    tokens: Vec<&'t str>,
    at: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    fn next(&mut self) -> &'t str {
        self.at += 1;
        self.tokens[self.at - 1]
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) {
        assert_eq!(self.next(), token, "before {:?}", &self.tokens[self.at..][..5]);
    }
}

/// Names in a function.
#[derive(Default)]
struct Scope<'t> {
    registers: HashMap<&'t str, usize>,
    labels: HashMap<&'t str, usize>,
    /// Variables in the local state space.
    locals: Vec<&'t str>,
}

/// What a module declares in front of a function.
#[derive(Default)]
struct Known<'t> {
    functions: Vec<Function>,
    /// The names of the tables in the state space of constants, and their bytes.
    tables: Vec<&'t str>,
    constants: Vec<Vec<u8>>,
}

/// A module.
pub(super) fn program(text: &str) -> Program {
    let mut p = Parser {
        tokens: tokens(text),
        at: 0,
    };
    for directive in [".version", ".target", ".address_size"] {
        p.expect(directive);
        p.next();
    }
    let mut known = Known::default();
    while !p.peek().is_empty() {
        if p.eat(".const") {
            table(&mut p, &mut known);
        } else {
            let function = function(&mut p, &known);
            known.functions.push(function);
        }
    }
    let Known {
        functions, constants, ..
    } = known;
    Program { functions, constants }
}

/// An array in a state space.
struct Array<'t> {
    name: &'t str,
    align: usize,
    /// The bytes of one element.
    size: usize,
    len: usize,
}

fn array<'t>(p: &mut Parser<'t>) -> Array<'t> {
    p.expect(".align");
    let align = number(p.next()).expect("an alignment") as usize;
    let size = width(p.next()) as usize / 8;
    let name = p.next();
    p.expect("[");
    let len = number(p.next()).expect("a length") as usize;
    p.expect("]");
    assert!(align >= size, "alignment {align} of elements of {size} bytes");
    Array {
        name,
        align,
        size,
        len,
    }
}

/// A table in the state space of constants.
fn table<'t>(p: &mut Parser<'t>, known: &mut Known<'t>) {
    let Array { name, size, len, .. } = array(p);
    p.expect("=");
    p.expect("{");
    let mut bytes = Vec::new();
    for n in 0..len {
        if n > 0 {
            p.expect(",");
        }
        let negative = p.eat("-");
        let element = number(p.next()).expect("a number");
        let element = if negative { element.wrapping_neg() } else { element };
        bytes.extend_from_slice(&element.to_le_bytes()[..size]);
    }
    p.expect("}");
    p.expect(";");
    known.tables.push(name);
    known.constants.push(bytes);
}

fn function<'t>(p: &mut Parser<'t>, known: &Known<'t>) -> Function {
    let mut f = Function::default();
    let mut scope = Scope::default();
    if p.eat(".func") {
        f.results = register_parameters(p, &mut f, &mut scope);
        f.name = p.next().into();
        f.arguments = register_parameters(p, &mut f, &mut scope);
    } else {
        p.expect(".visible");
        p.expect(".entry");
        f.is_entry = true;
        f.name = p.next().into();
        p.expect("(");
        while !p.eat(")") {
            // The name is the last word of a parameter, but for an array's size.
            let mut words = Vec::new();
            while !matches!(p.peek(), "," | ")") {
                words.push(p.next());
            }
            let end = words.iter().position(|w| *w == "[").unwrap_or(words.len());
            f.parameters.push(words[end - 1].into());
            p.eat(",");
        }
    }
    p.expect("{");
    let mut statements = Vec::new();
    while !p.eat("}") {
        if p.eat(".reg") {
            let bits = width(p.next());
            loop {
                declare(&mut f, &mut scope, p.next(), bits);
                if !p.eat(",") {
                    break;
                }
            }
            p.expect(";");
        } else if p.eat(".local") {
            let local = array(p);
            f.locals.push((local.size * local.len, local.align));
            scope.locals.push(local.name);
            p.expect(";");
        } else if p.tokens[p.at + 1] == ":" {
            let label = p.next();
            p.next();
            assert!(
                scope.labels.insert(label, statements.len()).is_none(),
                "two labels {label}"
            );
        } else {
            statements.push(statement(p));
        }
    }
    f.code = statements
        .into_iter()
        .map(|(guard, opcode, operands)| {
            let guard = guard.map(|(name, expected)| (scope.registers[name], expected));
            let operands = operands
                .into_iter()
                .map(|o| resolve(o, &scope, &f, known))
                .collect();
            decode::instruction(guard, opcode, operands)
        })
        .collect();
    f
}

fn register_parameters<'t>(p: &mut Parser<'t>, f: &mut Function, scope: &mut Scope<'t>) -> Vec<usize> {
    let mut registers = Vec::new();
    p.expect("(");
    while !p.eat(")") {
        p.expect(".reg");
        let bits = width(p.next());
        registers.push(declare(f, scope, p.next(), bits));
        p.eat(",");
    }
    registers
}

fn declare<'t>(f: &mut Function, scope: &mut Scope<'t>, name: &'t str, bits: u32) -> usize {
    f.registers.push(bits);
    let number = f.registers.len() - 1;
    assert!(
        scope.registers.insert(name, number).is_none(),
        "two registers {name}"
    );
    number
}

fn width(ty: &str) -> u32 {
    match ty {
        ".pred" => 1,
        _ => ty[2..].parse().expect("a width"),
    }
}

/// An operand as it is written.
enum Written<'t> {
    Word(&'t str),
    Negative(&'t str),
    Address(&'t str, u64),
    Sum(&'t str, u64),
    List(Vec<Written<'t>>),
}

type Statement<'t> = (Option<(&'t str, bool)>, &'t str, Vec<Written<'t>>);

fn statement<'t>(p: &mut Parser<'t>) -> Statement<'t> {
    let guard = p.eat("@").then(|| {
        let expected = !p.eat("!");
        (p.next(), expected)
    });
    let opcode = p.next();
    let mut operands = Vec::new();
    while !p.eat(";") {
        operands.push(operand(p));
        if p.peek() != ";" {
            p.expect(",");
        }
    }
    (guard, opcode, operands)
}

fn operand<'t>(p: &mut Parser<'t>) -> Written<'t> {
    if p.eat("-") {
        Written::Negative(p.next())
    } else if p.eat("[") {
        let base = p.next();
        let offset = if p.eat("+") {
            number(p.next()).expect("an offset")
        } else {
            0
        };
        p.expect("]");
        Written::Address(base, offset)
    } else if matches!(p.peek(), "(" | "{") {
        let end = if p.next() == "(" { ")" } else { "}" };
        let mut list = Vec::new();
        while !p.eat(end) {
            list.push(operand(p));
            p.eat(",");
        }
        Written::List(list)
    } else {
        let word = p.next();
        if p.eat("+") {
            Written::Sum(word, number(p.next()).expect("an offset"))
        } else {
            Written::Word(word)
        }
    }
}

fn number(word: &str) -> Option<u64> {
    if let Some(hex) = word
        .strip_prefix("0x")
        .or(word.strip_prefix("0f"))
        .or(word.strip_prefix("0d"))
    {
        return u64::from_str_radix(hex, 16).ok();
    }
    word.parse().ok()
}

impl Function {
    fn parameter(&self, name: &str) -> usize {
        let parameter = self.parameters.iter().position(|p| p == name);
        parameter.unwrap_or_else(|| panic!("no parameter {name}"))
    }
}

fn resolve(written: Written<'_>, scope: &Scope<'_>, f: &Function, known: &Known<'_>) -> Operand {
    match written {
        Written::Negative(word) => Operand::Literal(number(word).expect("a number").wrapping_neg()),
        Written::Address(base, offset) => match scope.registers.get(base) {
            Some(register) => Operand::Address(*register, offset),
            None => Operand::Parameter(f.parameter(base), offset as usize),
        },
        Written::Sum(base, offset) => Operand::ParameterAddress(f.parameter(base), offset as usize),
        Written::List(list) => Operand::List(list.into_iter().map(|o| resolve(o, scope, f, known)).collect()),
        Written::Word(word) => {
            if let Some(register) = scope.registers.get(word) {
                Operand::Register(*register)
            } else if let Some(label) = scope.labels.get(word) {
                Operand::Label(*label)
            } else if let Some(value) = number(word) {
                Operand::Literal(value)
            } else if let Some(local) = scope.locals.iter().position(|name| *name == word) {
                Operand::LocalAddress(local)
            } else if let Some(table) = known.tables.iter().position(|name| *name == word) {
                Operand::ConstantAddress(table)
            } else if let Some(function) = known.functions.iter().position(|f| f.name == word) {
                Operand::Function(function)
            } else {
                decode::special(word).unwrap_or_else(|| panic!("unknown operand {word}"))
            }
        }
    }
}
