//! C statements, and how they are written down.

use super::expr::Expr;
use gridfn_ir::typed::LocalId;

/// A C statement.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum CStmt {
    /// An assignment or a call, without the semicolon.
    Expression(String),
    /// The declaration of a constant, or of a variable without a value.
    Declaration(String),
    /// The declaration of a variable with its first value.
    Variable(LocalId, String),
    /// `break`, `continue`, `goto …` or `return`.
    Jump(String),
    /// `if`, where `otherwise` may be empty.
    If {
        condition: Expr,
        then: Vec<CStmt>,
        otherwise: Vec<CStmt>,
    },
    /// A loop; the three parts of its head may be empty.
    Loop {
        first: String,
        condition: String,
        step: String,
        body: Vec<CStmt>,
    },
    /// Statements in a scope of their own.
    Scope(Vec<CStmt>),
    /// A label and an empty statement, since C allows no label in front of a declaration or a brace.
    Label(String),
}

impl CStmt {
    /// Whether this leaves the innermost loop.
    pub(super) fn is_break(&self) -> bool {
        matches!(self, CStmt::Jump(jump) if jump == "break")
    }
}

/// Appends `statements`, indented by `depth` steps.
pub(super) fn statements(out: &mut String, statements: &[CStmt], depth: usize) {
    for statement in statements {
        self::statement(out, statement, depth);
    }
}

fn statement(out: &mut String, statement: &CStmt, depth: usize) {
    match statement {
        CStmt::Expression(text) | CStmt::Declaration(text) | CStmt::Variable(_, text) | CStmt::Jump(text) => {
            line(out, depth, &format!("{text};"))
        }
        CStmt::If { .. } => {
            indent(out, depth);
            if_statement(out, statement, depth);
        }
        CStmt::Loop {
            first,
            condition,
            step,
            body,
        } => {
            let head = match (first.as_str(), condition.as_str(), step.as_str()) {
                ("", "", "") => "for (;;)".into(),
                ("", condition, "") => format!("while ({condition})"),
                (first, condition, step) => format!("for ({first};{};{})", spaced(condition), spaced(step)),
            };
            line(out, depth, &format!("{head} {{"));
            statements(out, body, depth + 1);
            line(out, depth, "}");
        }
        CStmt::Scope(body) => {
            line(out, depth, "{");
            statements(out, body, depth + 1);
            line(out, depth, "}");
        }
        CStmt::Label(label) => line(out, depth.saturating_sub(1), &format!("{label}:;")),
    }
}

/// An `if` whose first line is indented already. An `else` that holds just one more `if` continues on its line.
fn if_statement(out: &mut String, statement: &CStmt, depth: usize) {
    let CStmt::If {
        condition,
        then,
        otherwise,
    } = statement
    else {
        return;
    };
    out.push_str(&format!("if ({}) {{\n", condition.text()));
    statements(out, then, depth + 1);
    match otherwise.as_slice() {
        [] => line(out, depth, "}"),
        [only @ CStmt::If { .. }] => {
            indent(out, depth);
            out.push_str("} else ");
            if_statement(out, only, depth);
        }
        otherwise => {
            line(out, depth, "} else {");
            statements(out, otherwise, depth + 1);
            line(out, depth, "}");
        }
    }
}

fn spaced(part: &str) -> String {
    if part.is_empty() {
        String::new()
    } else {
        format!(" {part}")
    }
}

fn line(out: &mut String, depth: usize, text: &str) {
    indent(out, depth);
    out.push_str(text);
    out.push('\n');
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("    ", depth));
}
