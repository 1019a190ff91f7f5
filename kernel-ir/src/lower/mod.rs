//! Tree and filled holes to typed IR.
//!
//! One walk, bottom-up, in Rust's order of evaluation. Nothing is inferred: a type is a hole that rustc has filled,
//! or that of the operands. What rustc has checked is checked again on the way, because holes are filled by hand
//! when a kernel is compiled ahead of time; a mismatch is a bug in the attribute and is worded so.
//!
//! * `expr`: expressions and statements.
//! * `operand`: what expressions give; `place`: what they name; `storage`: what variables consist of, reading and
//!   writing; `memory`: the same of slices; `aggregate`: structs, enums and arrays made of their parts.
//! * `control`: branches, loops and jumps; `matching`: `match` and `let` in conditions; `pattern`: patterns.
//! * `panic`: `panic!` and kin, with the values that their messages show; `print`: `println!`.
//! * `call`: calls of `#[device]` functions, which are inlined; `function`: functions as values.
//! * `view`: views of buffers.
//! * `group`: what items of a work-group do together; `subgroup`: those of a sub-group; `whole`: how a group ends in which an item has failed.
//! * `range`: `for` over ranges, right at the limits of every type; `iterator`: iterators.
//! * `arith`: operators with their checks; `integer`: what takes several of them; `half`: those of floats of 16 bits.
//! * `method`: the methods of the built-in types; `core`: those of slices, `Option` and `Result`; `atomic`: of atomics;
//!   `overflow`: of integers that tell whether they overflow; functions of a [`Library`] are inlined like `#[device]` functions.

mod aggregate;
mod arith;
mod atomic;
mod bytes;
mod call;
mod control;
mod core;
mod expr;
mod function;
mod group;
mod half;
mod integer;
mod iterator;
mod matching;
mod memory;
mod method;
mod operand;
mod option;
mod ordering;
mod overflow;
mod panic;
mod pattern;
mod place;
mod print;
mod range;
mod storage;
mod subgroup;
mod view;
mod whole;

use crate::body::Body;
use crate::build::Builder;
use crate::tree::{self, Position, Tree, TypeRef};
use crate::typed::{self, FaultKind, Kernel, Op, ParamKind, Site, SiteId, Stmt, ValueId};
use crate::view::ELEMENTS;
use crate::{Access, Field, Library, Scalar, Type};
use operand::{Array, EnumValue, Length, Memory, Operand, Place, Slice, Struct};
use std::collections::HashMap;
use std::fmt::Display;
use std::rc::Rc;
use storage::{Leaf, Storage, variable};

/// Why a tree could not be lowered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LowerError {
    /// What is wrong, for the user.
    pub message: String,
}

/// Lowers one instance of a kernel, for a code form that has every function.
///
/// # Errors
///
/// Those of [`lower_with`].
pub fn lower(body: &Body<'_>) -> Result<Kernel, LowerError> {
    lower_with(body, &Library::NONE)
}

/// Lowers one instance of a kernel; functions that are in `library` are inlined from there.
///
/// # Errors
///
/// If the kernel recurses, calls too deeply or grows too large once its device functions are inlined, if an index
/// function's dimension is not a literal, or if tree and filled holes contradict each other, which would be a bug.
pub fn lower_with(body: &Body<'_>, library: &Library) -> Result<Kernel, LowerError> {
    let mut lowering = Lowering {
        builder: Builder::default(),
        library,
        sites: HashMap::new(),
        frame: Frame::new(body),
        callers: Vec::new(),
        prints: None,
        calls: 0,
        aside: 0,
        group: None,
        arrays: HashMap::new(),
    };
    match lowering.kernel() {
        Ok(()) | Err(Stop::Never) => {}
        Err(Stop::Error(error)) => return Err(error),
    }
    let mut kernel = match lowering.group {
        Some(group) => whole::finish(lowering.builder, &group),
        None => lowering.builder.finish(),
    };
    kernel.prints = lowering.prints;
    #[cfg(feature = "planted-bugs")]
    crate::planted::spoil(&mut kernel);
    if cfg!(debug_assertions)
        && let Err(errors) = crate::verify::verify(&kernel)
    {
        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
        return Err(LowerError {
            message: format!(
                "kernel `{}` was lowered to invalid typed IR: {}; this is a bug in gridfn, please report it",
                kernel.name,
                list.join("; ")
            ),
        });
    }
    Ok(kernel)
}

/// What ends the lowering of an expression before it has given a value.
enum Stop {
    /// Control never gets past it: it returns, breaks, continues or loops for ever. Nothing is emitted for what
    /// would come after, up to the end of the branch, loop or block that holds it.
    Never,
    /// The tree can't be lowered.
    Error(LowerError),
}

type Lowered<T> = Result<T, Stop>;

/// What a name in the source stands for.
#[derive(Clone)]
enum Binding {
    /// What does not change is what it was bound to.
    Operand(Operand),
    /// A mutable variable.
    Variable(Rc<Storage>),
}

/// Where a `break` or `return` goes.
#[derive(Clone)]
struct Exit {
    label: typed::Label,
    /// Whether anything leaves by it.
    taken: bool,
    /// Holds the value that it takes along, if any.
    result: Option<Rc<Storage>>,
    /// What `result` consists of: declared before what is left.
    made: Vec<typed::LocalId>,
}

/// The function that is being lowered.
struct Frame<'a> {
    body: &'a Body<'a>,
    name: String,
    /// Whether it is a method, or is called by one.
    in_method: bool,
    bindings: HashMap<tree::LocalId, Binding>,
    labels: HashMap<tree::LabelId, Exit>,
    /// Where `return` goes; in a kernel it ends the work-item.
    exit: Option<Exit>,
    result: Type,
    /// The last position met, for messages.
    at: Position,
}

impl<'a> Frame<'a> {
    fn new(body: &'a Body<'a>) -> Frame<'a> {
        Frame {
            body,
            name: String::new(),
            in_method: false,
            bindings: HashMap::new(),
            labels: HashMap::new(),
            exit: None,
            result: Type::Unit,
            at: Position { line: 0, column: 1 },
        }
    }

    /// An error in what the user wrote.
    fn error(&self, message: impl Display) -> Stop {
        let Frame { body, at, .. } = self;
        Stop::Error(LowerError {
            message: format!("{message} ({}:{}:{})", body.file, body.line + at.line, at.column),
        })
    }
}

struct Lowering<'a> {
    builder: Builder,
    library: &'a Library,
    sites: HashMap<Site, SiteId>,
    frame: Frame<'a>,
    /// The functions whose calls are being inlined, outermost first: `frame`'s caller is the last.
    callers: Vec<Frame<'a>>,
    /// What the kernel takes to print, once it does.
    prints: Option<typed::Prints>,
    /// The number of calls that have been inlined.
    calls: usize,
    /// The number of calls that are set aside while closures run that were passed to them.
    aside: usize,
    /// Of a kernel whose items wait for each other.
    group: Option<group::Group>,
    /// The local arrays that have been met, by the place in the source: the function's instance and the hole.
    arrays: HashMap<(*const Body<'static>, TypeRef), Rc<Storage>>,
}

impl Lowering<'_> {
    fn kernel(&mut self) -> Lowered<()> {
        let tree = self.tree()?;
        self.builder = Builder::new(identifier(&tree.name));
        if let Some(local) = self.frame.body.local {
            self.builder.fix_local(local.size);
        }
        for (local, param) in (0..).zip(&tree.params) {
            let name = param.name.as_str();
            let Some(ty) = param.ty else {
                return Err(self.bug(format_args!("`{name}` is a function")));
            };
            let ty = self.resolve(ty)?;
            let operand = self.parameter(name, ty)?;
            self.bind(local, name, param.mutable, operand)?;
        }
        self.frame.name = tree.name;
        if tree.waits {
            self.open_group();
        }
        match self.block(&tree.body)? {
            Operand::Unit => Ok(()),
            _ => Err(self.bug("a kernel with a result")),
        }
    }

    /// Declares a parameter. A struct is declared part by part, so that a back end sees scalars, arrays and slices.
    fn parameter(&mut self, name: &str, ty: Type) -> Lowered<Operand> {
        Ok(match ty {
            Type::Unit => Operand::Unit,
            Type::Scalar(ty) => {
                let param = self.builder.param(name, ParamKind::Scalar(ty));
                Operand::Value(self.builder.def(ty, Op::Param(param)))
            }
            Type::Slice { element, access } => {
                let writable = access == Access::Unique || matches!(element, Type::Atomic(_));
                let kind = ParamKind::Slice {
                    // What has no bytes is never read.
                    element: element.widest().unwrap_or(Scalar::U8),
                    writable,
                };
                let param = self.builder.param(name, kind);
                let memory = Memory {
                    param,
                    writable,
                    ty,
                    terms: vec![],
                    offset: 0,
                };
                Operand::Slice(Slice {
                    base: Rc::new(Place::Memory(memory)),
                    start: None,
                    len: Length::Param(param),
                    writable,
                })
            }
            Type::Array { .. } => {
                let storage = self.array_parameter(name, ty, 1)?;
                Operand::Array(Array {
                    place: Rc::new(variable(&storage)),
                    fresh: false,
                })
            }
            Type::Struct(s) => Operand::Struct(Rc::new(Struct {
                name: s.name.into(),
                fields: self.parameters_of(name, s.fields)?,
            })),
            Type::Enum(def) => {
                let tag = self.builder.param(name, ParamKind::Scalar(def.tag));
                let tag = self.builder.def(def.tag, Op::Param(tag));
                let mut variants = Vec::with_capacity(def.variants.len());
                for variant in def.variants {
                    let fields = self.parameters_of(&format!("{name}_{}", variant.name), variant.fields)?;
                    variants.push(fields.into_iter().map(|(_, field)| field).collect());
                }
                Operand::Enum(Rc::new(EnumValue { def, tag, variants }))
            }
            Type::Atomic(_) | Type::Reference { .. } => return Err(self.bug("a kernel takes a reference")),
        })
    }

    fn parameters_of(&mut self, name: &str, fields: &[Field]) -> Lowered<Vec<(String, Operand)>> {
        let fields = fields.iter().map(|field| {
            let operand = match field.name {
                ELEMENTS => self.parameter(name, field.ty)?,
                part => self.parameter(&format!("{name}_{part}"), field.ty)?,
            };
            Ok((field.name.to_string(), operand))
        });
        fields.collect()
    }

    /// Declares a parameter of which there are `count`: an array of structs is an array of each scalar in them.
    fn array_parameter(&mut self, name: &str, ty: Type, count: usize) -> Lowered<Storage> {
        let leaf = |s: &mut Self, name: &str, element| {
            Leaf::Param(s.builder.param(name, ParamKind::Array { element, len: count }))
        };
        Ok(match ty {
            Type::Unit => Storage::Unit,
            Type::Scalar(scalar) => Storage::Scalar(scalar, leaf(self, name, scalar)),
            Type::Array { element, len } => {
                let element = self.array_parameter(name, *element, count * len)?;
                Storage::Array(Rc::new(element), len)
            }
            Type::Struct(s) => {
                let mut fields = Vec::with_capacity(s.fields.len());
                for field in s.fields {
                    let storage = self.array_parameter(&format!("{name}_{}", field.name), field.ty, count)?;
                    fields.push((field.name.to_string(), Rc::new(storage)));
                }
                Storage::Struct(s.name.into(), fields)
            }
            Type::Enum(def) => {
                let tag = leaf(self, name, def.tag);
                let mut variants = Vec::with_capacity(def.variants.len());
                for variant in def.variants {
                    let mut fields = Vec::with_capacity(variant.fields.len());
                    for field in variant.fields {
                        let name = format!("{name}_{}_{}", variant.name, field.name);
                        fields.push(Rc::new(self.array_parameter(&name, field.ty, count)?));
                    }
                    variants.push(fields);
                }
                Storage::Enum { def, tag, variants }
            }
            Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => {
                return Err(self.bug(format_args!("an array of {ty} as a parameter")));
            }
        })
    }

    /// The tree of the current function.
    fn tree(&self) -> Lowered<Tree> {
        postcard::from_bytes(self.frame.body.tree)
            .map_err(|error| self.bug(format_args!("the function's tree can't be read: {error}")))
    }

    fn binding(&self, local: tree::LocalId) -> Lowered<Binding> {
        let binding = self.frame.bindings.get(&local).cloned();
        binding.ok_or_else(|| self.bug(format_args!("local {local} is used before it is bound")))
    }

    fn resolve(&self, ty: TypeRef) -> Lowered<Type> {
        match ty {
            TypeRef::Known(scalar) => Ok(Type::Scalar(scalar)),
            TypeRef::Hole(hole) => {
                let filled = self.frame.body.types.get(usize::from(hole)).copied();
                filled.ok_or_else(|| self.bug(format_args!("type hole {hole} is not filled")))
            }
        }
    }

    fn scalar(&self, ty: TypeRef) -> Lowered<Scalar> {
        match self.resolve(ty)? {
            Type::Scalar(scalar) => Ok(scalar),
            other => Err(self.bug(format_args!("a scalar of type {other}"))),
        }
    }

    /// Runs `f` with a new innermost block; gives that block, and what `f` gave if control gets to its end.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(typed::Block, Option<T>)> {
        let outer = self.builder.enter();
        let result = f(self);
        let block = self.builder.leave(outer);
        match result {
            Ok(value) => Ok((block, Some(value))),
            Err(Stop::Never) => Ok((block, None)),
            Err(error @ Stop::Error(_)) => Err(error),
        }
    }

    /// The site of a fault. A place that is inlined twice is one site.
    fn site(&mut self, kind: FaultKind, at: Position) -> SiteId {
        let body = self.frame.body;
        let site = Site {
            kind,
            file: body.file.into(),
            line: body.line + at.line,
            column: at.column,
        };
        let builder = &mut self.builder;
        *self
            .sites
            .entry(site)
            .or_insert_with_key(|site| builder.site(site.clone()))
    }

    /// A fault without values for its message, if `condition` is true.
    fn fault_if(&mut self, condition: ValueId, kind: FaultKind, at: Position) {
        let site = self.site(kind, at);
        let (block, ()) = self.builder.block(|builder| {
            let zero = builder.number(Scalar::U64, 0);
            builder.push(Stmt::Fault(site, vec![zero, zero]));
        });
        self.builder.push(Stmt::If(condition, block, vec![]));
    }

    /// An error in what the user wrote.
    fn error(&self, message: impl Display) -> Stop {
        self.frame.error(message)
    }

    /// A tree that contradicts itself or its holes.
    fn bug(&self, what: impl Display) -> Stop {
        self.error(format_args!(
            "in `{}`: {what}; this is a bug in gridfn, please report it",
            self.frame.name
        ))
    }
}

/// `name` as an identifier of C: without `r#`, and what is not ASCII as `_u` and its number in hexadecimal.
fn identifier(name: &str) -> String {
    let mut identifier = String::new();
    for c in name.strip_prefix("r#").unwrap_or(name).chars() {
        if c.is_ascii() {
            identifier.push(c);
        } else {
            identifier += &format!("_u{:04x}", u32::from(c));
        }
    }
    identifier
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn names_become_identifiers_of_c() {
        for (name, expected) in [
            ("saxpy", "saxpy"),
            ("r#while", "while"),
            ("größe", "gr_u00f6_u00dfe"),
            ("_1", "_1"),
        ] {
            assert_eq!(identifier(name), expected);
        }
    }
}
