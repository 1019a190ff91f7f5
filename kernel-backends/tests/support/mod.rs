//! Kernels as the attribute would make them, written by hand, so that back ends can be tested without it.

#![allow(dead_code, reason = "no test uses all of it")]

use gridfn_ir::tree::{self, Binding, Expr, Kind, Pattern, Position, Statement, Tree, TypeRef};
use gridfn_ir::{Body, Constant, IndexFunction, Link, Scalar, Type};
use gridfn_runtime::argument::{Parameters, Shared, Unique};
use gridfn_runtime::closure::ByValue;
use gridfn_runtime::host::HostCode;
use gridfn_runtime::private::{
    Avx2, Baseline, Cache, Extent, Item, Reader, Request, SliceMut, entry, signature,
};
use gridfn_runtime::{Backend, Call, Fill, Grid, IntoGrid, Kernel, Parameter, Put, Queue, Result, Slots};
use std::marker::PhantomData;
use std::sync::LazyLock;

/// A list of parameters.
pub(crate) struct List<T>(PhantomData<T>);

/// A call: the kernel, and its arguments as a tuple.
pub(crate) struct Args<T>(pub(crate) &'static Kernel, pub(crate) T);

impl<B: Backend, T> Call<B> for Args<T>
where
    Args<T>: Fill<B>,
{
    type Kernel = ();
    fn kernel(&self) -> &'static Kernel {
        self.0
    }
}

macro_rules! tuples {
    ($(($($name:ident)+);)*) => {$(
        // SAFETY: reads one parameter after the other, as `Fill` writes them.
        unsafe impl<$($name: Parameter),+> Parameters for List<($($name,)+)> {
            type View<'v> = ($($name::View<'v>,)+);
            #[inline(always)]
            unsafe fn read<'v>(reader: &mut Reader<'v>) -> Self::View<'v> {
                // SAFETY: the caller's promise.
                unsafe { ($($name::read(reader),)+) }
            }
        }
        impl<Back: Backend, $($name: Put<Back>),+> Fill<Back> for Args<($($name,)+)> {
            #[inline(always)]
            #[allow(non_snake_case)]
            fn fill<S: Slots<Back>>(&self, slots: &mut S) -> Result<()> {
                let ($($name,)+) = &self.1;
                $($name.put(slots)?;)+
                Ok(())
            }
        }
    )*};
}
tuples! {
    (A);
    (A B);
    (A B C);
    (A B C D E F G);
}

/// The host version of a closure that is a kernel.
macro_rules! host_code {
    ($parameters:ty, $body:expr) => {
        const {
            HostCode {
                baseline: entry::<$parameters, Baseline, _>(&signature::<$parameters, _>($body)),
                avx2: if cfg!(debug_assertions) {
                    None
                } else {
                    Some(entry::<$parameters, Avx2, _>(&signature::<$parameters, _>(
                        $body,
                    )))
                },
                unit: gridfn_runtime::host::Unit::Item,
            }
        }
    };
}

/// A kernel with no tree: it runs on the host, and no device can compile it.
macro_rules! host_kernel {
    ($name:ident, ($($parameter:ty),+ $(,)?), $body:expr) => {
        pub(crate) static $name: LazyLock<&'static Kernel> =
            LazyLock::new(|| kernel(stringify!($name), host_code!(List<($($parameter,)+)>, $body), no_body()));
    };
}
pub(crate) fn kernel(name: &'static str, host: HostCode, body: Body<'static>) -> &'static Kernel {
    Box::leak(Box::new(Kernel {
        name,
        safe_dimensions: 3,
        dimensions: None,
        body,
        host,
        cache: Box::leak(Box::new(Cache::new())),
        ahead: &[],
    }))
}

pub(crate) fn no_body() -> Body<'static> {
    Body {
        tree: &[],
        types: &[],
        links: &[],
        constants: &[],
        file: file!(),
        line: 1,
        local: None,
    }
}

/// A body whose type holes are those of the parameters, then `()`; its links are `links`.
fn body(
    name: &str,
    params: &[(&str, Type)],
    links: &'static [fn() -> Link],
    statements: Vec<Statement>,
) -> Body<'static> {
    let tree = Tree {
        name: name.into(),
        kind: Kind::Kernel,
        params: (0..)
            .zip(params)
            .map(|(hole, (name, _))| tree::Param {
                name: (*name).into(),
                mutable: false,
                ty: Some(TypeRef::Hole(hole)),
            })
            .collect(),
        result: TypeRef::Hole(params.len() as u16),
        body: tree::Block {
            statements,
            tail: None,
        },
        waits: false,
    };
    let mut types: Vec<Type> = params.iter().map(|(_, ty)| *ty).collect();
    types.push(Type::Unit);
    const CONSTANTS: &[Constant] = &[];
    Body {
        tree: Vec::leak(postcard::to_stdvec(&tree).expect("a tree can be encoded")),
        types: Vec::leak(types),
        links,
        constants: CONSTANTS,
        file: file!(),
        line: 1,
        local: None,
    }
}

const AT: Position = Position { line: 0, column: 1 };

/// `let i = global_id(0);`, with `i` as local `local`; the link is the first.
fn let_i(local: u16) -> Statement {
    let zero = Expr::Int {
        value: 0,
        negative: false,
        ty: TypeRef::Known(Scalar::Usize),
    };
    let i = Binding {
        local,
        name: "i".into(),
        mutable: false,
        by_reference: None,
    };
    Statement::Let {
        pattern: Pattern::Bind(i, None),
        ty: None,
        init: Some(Expr::Call(0, vec![zero], AT)),
        otherwise: None,
    }
}

const GLOBAL_ID: &[fn() -> Link] = &[|| Link::Index(IndexFunction::GlobalId)];

/// `fn saxpy(a: f32, x: &[f32], y: &mut [f32]) { let i = global_id(0); y[i] += a * x[i]; }`
pub(crate) static SAXPY: LazyLock<&'static Kernel> = LazyLock::new(|| {
    type P = List<(ByValue<f32>, Shared<f32>, Unique<f32>)>;
    let product = Expr::Binary(
        tree::BinaryOp::Mul,
        Box::new(Expr::Local(0)),
        Box::new(Expr::Index(
            Box::new(Expr::Local(1)),
            Box::new(Expr::Local(3)),
            AT,
        )),
        AT,
    );
    let element = Expr::Index(Box::new(Expr::Local(2)), Box::new(Expr::Local(3)), AT);
    let add = Expr::AssignOp(tree::BinaryOp::Add, Box::new(element), Box::new(product), AT);
    let types = [
        <ByValue<f32>>::TYPE_,
        <Shared<f32> as Parameter>::TYPE,
        <Unique<f32> as Parameter>::TYPE,
    ];
    kernel(
        "saxpy",
        host_code!(P, |item: &Item, (a, x, mut y)| {
            let i = item.global_id(0);
            let ax = a * x[i];
            y[i] += ax;
        }),
        body(
            "saxpy",
            &[("a", types[0]), ("x", types[1]), ("y", types[2])],
            GLOBAL_ID,
            vec![let_i(3), Statement::Expr(add)],
        ),
    )
});

trait TypeOf {
    const TYPE_: Type;
}
impl<T: Parameter> TypeOf for T {
    const TYPE_: Type = T::TYPE;
}

/// Scalars of every alignment between buffers:
/// `fn mixed(a: u8, b: u64, c: bool, x: &[i16], d: i16, e: f64, y: &mut [f64]) { y[global_id(0)] = e; }`
pub(crate) static MIXED: LazyLock<&'static Kernel> = LazyLock::new(|| {
    type P = List<(
        ByValue<u8>,
        ByValue<u64>,
        ByValue<bool>,
        Shared<i16>,
        ByValue<i16>,
        ByValue<f64>,
        Unique<f64>,
    )>;
    let store = Expr::Assign(
        Box::new(Expr::Index(
            Box::new(Expr::Local(6)),
            Box::new(Expr::Local(7)),
            AT,
        )),
        Box::new(Expr::Local(5)),
    );
    kernel(
        "mixed",
        host_code!(P, |item: &Item, (a, b, c, x, d, e, mut y)| {
            let i = item.global_id(0);
            let sum = u64::from(a) + b + u64::from(c) + x[i] as u64 + d as u64;
            y[i] = sum as f64 + e;
        }),
        body(
            "mixed",
            &[
                ("a", <ByValue<u8>>::TYPE_),
                ("b", <ByValue<u64>>::TYPE_),
                ("c", <ByValue<bool>>::TYPE_),
                ("x", <Shared<i16>>::TYPE_),
                ("d", <ByValue<i16>>::TYPE_),
                ("e", <ByValue<f64>>::TYPE_),
                ("y", <Unique<f64>>::TYPE_),
            ],
            GLOBAL_ID,
            vec![let_i(7), Statement::Expr(store)],
        ),
    )
});

host_kernel!(DIVIDE, (Shared<i32>, Unique<i32>), |item: &Item, (x, mut y)| {
    let i = item.global_linear_id();
    y[i] = 100 / x[i];
});

// Every item notes how often it ran, in its element, with what it sees in the bits above.
host_kernel!(
    IDS,
    (Unique<u64>,),
    |item: &Item, (mut y,): (SliceMut<'_, u64>,)| {
        let seen = (0..3).fold(0, |seen, d| {
            let rebuilt = item.group_id(d) * item.local_size(d) + item.local_id(d);
            let groups = item.global_size(d).div_ceil(item.local_size(d));
            assert!(item.local_id(d) < item.local_size(d) && item.group_id(d) < groups);
            assert!(item.num_groups(d) == groups);
            assert!(rebuilt < item.global_size(d));
            seen << 16 | item.global_id(d) as u64
        });
        let i = item.global_linear_id();
        y[i] += seen << 8 | 1;
    }
);

/// What `launch!(queue, call, global = grid)` expands to.
pub(crate) fn launch<B: Backend, T>(queue: &Queue<B>, call: Args<T>, grid: impl IntoGrid) -> Result<()>
where
    Args<T>: Fill<B>,
{
    launch_in(queue, call, grid.into_grid(), None)
}

/// The same with `local = …`.
pub(crate) fn launch_in<B: Backend, T>(
    queue: &Queue<B>,
    call: Args<T>,
    grid: Grid,
    local: Option<Grid>,
) -> Result<()>
where
    Args<T>: Fill<B>,
{
    let extent = Extent::Items(grid);
    queue.__launch(Request { extent, local }, call)
}
