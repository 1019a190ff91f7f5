//! Trees by hand, as the attribute would make them, in few words.

// Each test file uses its own part of this.
#![allow(dead_code)]

use crate::eval::{self, Argument, Fault, Item, Number};
use gridfn_ir::tree::{self, *};
use gridfn_ir::typed::Kernel;
use gridfn_ir::{Access, Body, Constant, IndexFunction, Link, LowerError, Method, Scalar, Type};

/// The file of every tree here; the trees begin at its line 10.
pub(crate) const FILE: &str = "src/k.rs";
const LINE: u32 = 10;

/// A function of the source and what fills its holes.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) tree: Tree,
    pub(crate) types: Vec<Type>,
    pub(crate) links: Vec<fn() -> Link>,
    pub(crate) constants: Vec<Constant>,
}

impl Source {
    /// A kernel; its parameters are the locals 0, 1, …
    pub(crate) fn kernel(params: &[(&str, Type)], body: Block) -> Source {
        let types: Vec<Type> = params.iter().map(|p| p.1).chain([Type::Unit]).collect();
        let holes = (0..).map(TypeRef::Hole);
        let params = params.iter().zip(holes).map(|((name, _), ty)| tree::Param {
            name: (*name).into(),
            mutable: false,
            ty: Some(ty),
        });
        let params: Vec<_> = params.collect();
        Source {
            tree: Tree {
                name: "k".into(),
                kind: Kind::Kernel,
                result: TypeRef::Hole(params.len() as u16),
                params,
                body,
                waits: false,
            },
            types,
            links: vec![],
            constants: vec![],
        }
    }

    /// A device function.
    pub(crate) fn device(name: &str, params: &[(&str, Type)], result: Type, body: Block) -> Source {
        let mut source = Source::kernel(params, body);
        source.tree.name = name.into();
        source.tree.kind = Kind::Device;
        source.types[params.len()] = result;
        source
    }

    pub(crate) fn links(mut self, links: &[fn() -> Link]) -> Source {
        self.links = links.to_vec();
        self
    }

    /// The instance, for ever: links name `'static` ones.
    pub(crate) fn leak(self) -> &'static Body<'static> {
        let bytes = postcard::to_stdvec(&self.tree).expect("a tree can be encoded");
        Box::leak(Box::new(Body {
            tree: bytes.leak(),
            types: self.types.leak(),
            links: self.links.leak(),
            constants: self.constants.leak(),
            file: FILE,
            line: LINE,
            local: None,
        }))
    }

    /// Lowers it. Tests run with `debug_assertions`, so the verifier has seen what comes back.
    pub(crate) fn lower(&self) -> Result<Kernel, LowerError> {
        gridfn_ir::lower(&Body {
            tree: &postcard::to_stdvec(&self.tree).expect("a tree can be encoded"),
            types: &self.types,
            links: &self.links,
            constants: &self.constants,
            file: FILE,
            line: LINE,
            local: None,
        })
    }

    /// Lowers it and runs one item.
    pub(crate) fn run(&self, arguments: &mut [Argument]) -> Result<(), Fault> {
        let kernel = self.lower().unwrap_or_else(|error| panic!("{error}"));
        eval::run(&kernel, arguments, &Item::default())
    }

    /// Runs it with these scalars and a last parameter `out: &mut [T]` of one element, whose value it gives.
    pub(crate) fn result<T: Number>(&self, scalars: &[u64]) -> Result<T, Fault> {
        let kernel = self.lower().unwrap_or_else(|error| panic!("{error}"));
        result(&kernel, scalars)
    }
}

/// The same for a kernel that is lowered already.
pub(crate) fn result<T: Number>(kernel: &Kernel, scalars: &[u64]) -> Result<T, Fault> {
    let mut arguments: Vec<_> = scalars.iter().copied().map(Argument::Scalar).collect();
    arguments.push(Argument::Slice(vec![0]));
    eval::run(kernel, &mut arguments, &Item::default())?;
    match arguments.pop() {
        Some(Argument::Slice(slice)) => Ok(T::from_bits(slice[0])),
        other => panic!("{other:?} is the output"),
    }
}

/// `fn k(a: …, b: …, out: &mut [T]) { out[0] = value }`, where `value` has the locals 0, 1, … for its operands.
pub(crate) fn store_result(operands: &[Scalar], result: Scalar, value: Expr) -> Source {
    let mut params: Vec<_> = ["a", "b", "c"]
        .into_iter()
        .zip(operands.iter().copied().map(Type::Scalar))
        .collect();
    params.push(("out", slice_mut(result)));
    let out = operands.len() as u16;
    Source::kernel(&params, stmts([assign(at(out, usize(0)), value)]))
}

/// The kernel that calls `method` on its scalar parameters and stores what comes back.
pub(crate) fn call_method(link: fn() -> Link, operands: &[Scalar], result: Scalar) -> Source {
    let arguments = (0..operands.len() as u16).map(local).collect();
    store_result(operands, result, call(0, arguments)).links(&[link])
}

macro_rules! method_links {
    ($($class:ident { $($variant:ident $name:ident $twin:ident $args:tt -> $result:ident;)* })*) => {
        /// The link of each method.
        pub(crate) fn method_link(method: Method) -> fn() -> Link {
            match method {
                $($(Method::$variant => || Link::Method(Method::$variant),)*)*
                Method::FloatFromBits => || Link::Method(Method::FloatFromBits),
            }
        }
    };
}
gridfn_ir::for_each_method!(method_links);

/// `global_id`
pub(crate) const GLOBAL_ID: fn() -> Link = || Link::Index(IndexFunction::GlobalId);

pub(crate) const fn scalar(ty: Scalar) -> Type {
    Type::Scalar(ty)
}
pub(crate) const fn slice(element: Scalar) -> Type {
    let access = Access::Shared;
    Type::Slice {
        element: element.ty(),
        access,
    }
}
pub(crate) const fn slice_mut(element: Scalar) -> Type {
    let access = Access::Unique;
    Type::Slice {
        element: element.ty(),
        access,
    }
}

pub(crate) fn pos(line: u32, column: u32) -> Position {
    Position { line, column }
}

pub(crate) fn block(statements: impl Into<Vec<Statement>>, tail: Expr) -> Block {
    Block {
        statements: statements.into(),
        tail: Some(Box::new(tail)),
    }
}
pub(crate) fn stmts(statements: impl Into<Vec<Statement>>) -> Block {
    Block {
        statements: statements.into(),
        tail: None,
    }
}
pub(crate) fn tail(expr: Expr) -> Block {
    block([], expr)
}

/// The pattern `name` or `mut name`.
pub(crate) fn name(local: u16, name: &str, mutable: bool) -> Pattern {
    let binding = Binding {
        local,
        name: name.into(),
        mutable,
        by_reference: None,
    };
    Pattern::Bind(binding, None)
}
pub(crate) fn let_pattern(pattern: Pattern, init: Expr) -> Statement {
    Statement::Let {
        pattern,
        ty: None,
        init: Some(init),
        otherwise: None,
    }
}
pub(crate) fn let_(local: u16, text: &str, init: Expr) -> Statement {
    let_pattern(name(local, text, false), init)
}
pub(crate) fn let_mut(local: u16, text: &str, init: Expr) -> Statement {
    let_pattern(name(local, text, true), init)
}
pub(crate) fn do_(expr: Expr) -> Statement {
    Statement::Expr(expr)
}

pub(crate) fn int(value: i64, ty: Scalar) -> Expr {
    Expr::Int {
        value: value.unsigned_abs(),
        negative: value < 0,
        ty: TypeRef::Known(ty),
    }
}
pub(crate) fn usize(value: u64) -> Expr {
    Expr::Int {
        value,
        negative: false,
        ty: TypeRef::Known(Scalar::Usize),
    }
}
/// A literal of any value of an integer type.
pub(crate) fn literal<T: Number>(value: T) -> Expr {
    Expr::Int {
        value: value.bits(),
        negative: false,
        ty: TypeRef::Known(T::TYPE),
    }
}
pub(crate) fn local(local: u16) -> Expr {
    Expr::Local(local)
}
pub(crate) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, a.into(), b.into(), pos(1, 5))
}
pub(crate) fn cast(a: Expr, ty: Scalar) -> Expr {
    Expr::Cast(a.into(), TypeRef::Known(ty))
}
pub(crate) fn index(slice: u16, index: Expr) -> Expr {
    Expr::Index(Box::new(Expr::Local(slice)), index.into(), pos(2, 9))
}
pub(crate) fn call(link: u16, arguments: Vec<Expr>) -> Expr {
    Expr::Call(link, arguments, pos(3, 7))
}
pub(crate) fn if_(condition: Expr, then: Block, otherwise: Option<Block>) -> Expr {
    let otherwise = otherwise.map(|block| Expr::Block(None, block).into());
    Expr::If(condition.into(), then, otherwise)
}

/// The place `slice[index]`
pub(crate) fn at(slice: u16, index: Expr) -> Expr {
    Expr::Index(Box::new(Expr::Local(slice)), index.into(), pos(2, 9))
}
pub(crate) fn assign(place: Expr, value: Expr) -> Statement {
    Statement::Expr(Expr::Assign(place.into(), value.into()))
}
pub(crate) fn assign_op(op: BinaryOp, place: Expr, value: Expr) -> Statement {
    Statement::Expr(Expr::AssignOp(op, place.into(), value.into(), pos(1, 5)))
}
pub(crate) fn set(to: u16, value: Expr) -> Statement {
    assign(local(to), value)
}

/// A constant of a built-in type.
pub(crate) fn constant<T: Number>(value: T) -> Constant {
    unsafe fn read<T: Number>(get: *const (), to: *mut u8) {
        // SAFETY: `get` is a `T` that was leaked below, and there is room for one.
        unsafe { std::ptr::copy_nonoverlapping(get.cast(), to, size_of::<T>()) }
    }
    Constant {
        ty: scalar(T::TYPE),
        read: read::<T>,
        get: std::ptr::from_ref(Box::leak(Box::new(value))).cast(),
        size: size_of::<T>(),
    }
}

/// A small generator of numbers (xorshift64*), with many that lie at the limits of types.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A value of a type.
    pub(crate) fn number<T: Number>(&mut self) -> T {
        let random = self.next();
        let bits = T::TYPE.bits();
        let raw = match random % 4 {
            // Near the limits of the type, or near 0.
            0 => (1u64 << (bits - 1)).wrapping_add(self.next() % 5).wrapping_sub(2),
            1 => (self.next() % 11).wrapping_sub(5),
            // Any width of the type.
            2 => self.next() >> (self.next() % u64::from(bits)),
            _ => self.next(),
        };
        match T::TYPE {
            Scalar::Bool => T::from_bits(raw & 1),
            Scalar::F32 => T::from_bits(self.float(raw, raw as i32 as f32).to_bits().into()),
            Scalar::F64 => T::from_bits(f64::from_bits(raw).to_bits()),
            _ => T::from_bits(T::TYPE.truncate(raw)),
        }
    }

    fn float(&mut self, raw: u64, whole: f32) -> f32 {
        const SPECIAL: [f32; 8] = [
            0.0,
            -0.0,
            1.0,
            -2.5,
            0.5,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        match self.next() % 4 {
            0 => SPECIAL[(self.next() % 8) as usize],
            1 => whole,
            2 => (raw % 2000) as f32 / 64.0 - 15.0,
            _ => f32::from_bits(raw as u32),
        }
    }
}
