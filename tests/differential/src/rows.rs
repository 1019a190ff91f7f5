//! The rows of the language that random kernels use: the one list.
//!
//! To add a row, add a line here, and write the rule that it names: a function in `rules/` that makes one example, or
//! finds that it can't make one here. Rules are handed their row, so that rows that differ in a word share one.

use crate::ast::{Node, Param};
use crate::generator::Generator;
use crate::rules::*;
use crate::types::Type;
use gridfn_ir::{Class, DEVICE_MATH, Method};

/// How a row's rule makes an example.
#[derive(Clone, Copy)]
pub enum Rule {
    /// An expression of a type.
    Expr(fn(&mut Generator, Row, &Type) -> Option<Node>),
    /// A statement.
    Stmt(fn(&mut Generator, Row) -> Option<Node>),
    /// A parameter of the kernel.
    Param(fn(&mut Generator, Row) -> Option<Param>),
    /// None: it comes with something else.
    None,
}

macro_rules! rows {
    ($($row:ident $name:literal $kind:ident $(($rule:path))?;)*) => {
        /// A row of the language.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Row {
            $(#[doc = $name] $row,)*
            /// A method of a built-in type.
            Method(Method),
            /// A function of `DeviceMath`.
            DeviceMath(&'static str),
        }

        impl Row {
            /// Every row but the functions of tables, with its rule.
            pub const RULES: &'static [(Row, Rule)] = &[$((Row::$row, Rule::$kind $(($rule))?)),*];

            /// Every row, methods included; those of slices have rows of their own.
            pub fn all() -> impl Iterator<Item = Row> {
                let methods = Method::ALL.iter().filter(|method| method.class() != Class::Slice);
                Row::RULES
                    .iter()
                    .map(|(row, _)| *row)
                    .chain(methods.map(|method| Row::Method(*method)))
                    .chain(DEVICE_MATH.iter().map(|name| Row::DeviceMath(name)))
            }

            /// What the report calls it.
            pub fn name(self) -> String {
                match self {
                    $(Row::$row => $name.into(),)*
                    Row::Method(method) => format!("{:?}: {}", method.class(), method.name()),
                    Row::DeviceMath(name) => format!("DeviceMath: {name}"),
                }
            }
        }
    };
}

rows! {
    Literal "literals" Expr(literals::literal);
    Unsuffixed "literals without a suffix" Expr(literals::unsuffixed);
    Limits "constants of the built-in types" Expr(literals::limits);
    ModuleConst "constants of the module" Expr(constants::module);
    AssociatedConst "constants of a type" Expr(constants::associated);
    BodyConst "constants in a body" Stmt(constants::body);
    Static "statics of the module" Expr(constants::statics);
    BodyStatic "statics in a body" Stmt(constants::body);
    BodyUse "`use` in a body" Stmt(constants::use_);

    Variable "variables" None;
    Index "indexing" None;
    Field "fields of parameters" None;
    GlobalId "`global_id`" Expr(indices::id);
    GlobalSize "`global_size`" Expr(indices::size);
    GlobalLinearId "`global_linear_id`" Expr(indices::id);
    Unchecked "an index that may be outside" Expr(indices::unchecked);
    SliceLen "`len` of a slice or array" Expr(indices::len);
    SliceIsEmpty "`is_empty` of a slice or array" Expr(indices::is_empty);

    Add "`+`" Expr(operators::arithmetic);
    Sub "`-`" Expr(operators::arithmetic);
    Mul "`*`" Expr(operators::arithmetic);
    Div "`/`" Expr(operators::division);
    Rem "`%`" Expr(operators::division);
    And "`&`" Expr(operators::bits);
    Or "`|`" Expr(operators::bits);
    Xor "`^`" Expr(operators::bits);
    Shl "`<<`" Expr(operators::shift);
    Shr "`>>`" Expr(operators::shift);
    Neg "unary `-`" Expr(operators::neg);
    Not "`!`" Expr(operators::not);
    Eq "`==`" Expr(operators::comparison);
    Ne "`!=`" Expr(operators::comparison);
    Lt "`<`" Expr(operators::comparison);
    Le "`<=`" Expr(operators::comparison);
    Gt "`>`" Expr(operators::comparison);
    Ge "`>=`" Expr(operators::comparison);
    LazyAnd "`&&`" Expr(operators::lazy);
    LazyOr "`||`" Expr(operators::lazy);

    CastNumber "`as` between numbers" Expr(casts::number);
    CastChain "`as` through a narrower type" Expr(casts::chain);
    CastBool "`as` of `bool`" Expr(casts::of_bool);
    CastInferred "`as _`" Expr(casts::inferred);
    FromBits "`from_bits`" Expr(methods::from_bits);
    ByPath "methods by path" Expr(methods::by_path);
    Inexact "inexact functions" Stmt(inexact::any);
    SinCos "`sin_cos`" Stmt(inexact::sin_cos);

    IfValue "`if` as a value" Expr(branches::value);
    ElseIf "`else if`" Expr(branches::else_if);
    IfStatement "`if` as a statement" Stmt(branches::statement);
    Block "blocks as values" Expr(branches::block);
    BlockStatement "blocks as statements" Stmt(branches::block_statement);
    LabelledBlock "labelled blocks" Expr(branches::labelled_block);
    LabelledBlockStatement "labelled blocks without a value" Stmt(branches::labelled_statement);
    Return "`return`" Stmt(branches::return_);

    Let "`let`" Stmt(bindings::let_);
    LetMut "`let mut`" Stmt(bindings::let_);
    Shadow "shadowing" Stmt(bindings::shadow);
    Deferred "`let` without a value" Stmt(bindings::deferred);
    LetUnit "`let` of `()`" Stmt(bindings::unit);
    Discard "`let _` and `_ =`" Stmt(bindings::discard);
    ExprStatement "expressions as statements" Stmt(bindings::expression);
    Assign "`=`" Stmt(bindings::assign);
    AddAssign "`+=`" Stmt(bindings::arithmetic_assign);
    SubAssign "`-=`" Stmt(bindings::arithmetic_assign);
    MulAssign "`*=`" Stmt(bindings::arithmetic_assign);
    DivAssign "`/=`" Stmt(bindings::division_assign);
    RemAssign "`%=`" Stmt(bindings::division_assign);
    AndAssign "`&=`" Stmt(bindings::bits_assign);
    OrAssign "`|=`" Stmt(bindings::bits_assign);
    XorAssign "`^=`" Stmt(bindings::bits_assign);
    ShlAssign "`<<=`" Stmt(bindings::shift_assign);
    ShrAssign "`>>=`" Stmt(bindings::shift_assign);

    While "`while`" Stmt(loops::while_);
    WhileBlock "`while` with a block as its condition" Stmt(loops::while_);
    Loop "`loop`" Stmt(loops::loop_);
    LoopValue "`loop` as a value" Expr(loops::value);
    Break "`break`" Stmt(loops::jump);
    Continue "`continue`" Stmt(loops::jump);
    LabelledBreak "`break` with a label" Stmt(loops::labelled_jump);
    LabelledContinue "`continue` with a label" Stmt(loops::labelled_jump);
    JumpValue "jumps as values" Expr(loops::jump_value);

    For "`for` over `a..b`" Stmt(ranges::for_);
    ForInclusive "`for` over `a..=b`" Stmt(ranges::for_);
    ForRev "`rev`" Stmt(ranges::for_);
    ForStepBy "`step_by`" Stmt(ranges::for_);
    ForRevStepBy "`rev` and `step_by`" Stmt(ranges::for_);
    ForStepByRev "`step_by` and `rev`" Stmt(ranges::for_);
    ForLimits "`for` at the limits of a type" Stmt(ranges::limits);
    ForMut "`for mut`" None;
    ForNone "`for _`" None;

    Panic "`panic!`" Stmt(panics::panic);
    Unreachable "`unreachable!`, `todo!`, `unimplemented!`" Stmt(panics::panic);
    Assert "`assert!`" Stmt(panics::assert);
    AssertWords "`assert!` with a message" Stmt(panics::assert);
    AssertEq "`assert_eq!`, `assert_ne!`" Stmt(panics::assert_eq);
    AssertEqWords "`assert_eq!`, `assert_ne!` with a message" Stmt(panics::assert_eq);
    Expect "`expect`" Expr(panics::expect);

    Call "`#[device]` functions" Expr(functions::call);
    CallStatement "`#[device]` functions without a result" Stmt(functions::statement);
    CallGeneric "generic `#[device]` functions" Expr(functions::generic);
    CallSlice "slices passed to `#[device]` functions" Expr(functions::slice);
    CallBounded "functions with operators as bounds" Expr(functions::bounded);
    CallConst "functions with const parameters" Expr(functions::of_const);
    CallArray "functions with const parameters that are inferred" Expr(functions::of_array);
    PassedClosure "closures passed to functions" Expr(passed::call);
    PassedFunction "functions passed to functions" Expr(passed::call);
    PassedOn "functions passed on" Expr(passed::call);
    PassedOnce "`FnOnce`" Expr(passed::call);
    PassedMut "`FnMut`" Expr(passed::changes);
    KernelFunction "functions as parameters of kernels" Expr(passed::of_kernel);

    Tuple "tuples" Expr(aggregates::aggregate);
    Array "arrays of anything" Expr(aggregates::aggregate);
    ArrayElement "arrays by index" Expr(aggregates::element);
    StructNamed "structs" Expr(aggregates::aggregate);
    StructTuple "tuple structs" Expr(aggregates::aggregate);
    StructUnit "unit structs" Expr(aggregates::aggregate);
    StructGeneric "generic structs" Expr(aggregates::aggregate);
    Vector "small vectors" Expr(vectors::vector);
    Table "tables of constants" Expr(aggregates::table);

    Match "`match` of integers" Expr(patterns::integers);
    MatchEnum "`match` of enums" Expr(patterns::enums);
    MatchTuple "`match` of tuples" Expr(patterns::tuples);
    MatchArray "`match` of arrays" Expr(patterns::arrays);
    MatchReference "patterns on references" Expr(patterns::references);
    LetPattern "`let` of patterns" Stmt(patterns::lets);
    IfLet "`if let`" Expr(patterns::if_let);
    LetChain "chains of `let`" Expr(patterns::if_let);
    LetElse "`let … else`" Expr(patterns::let_else);
    WhileLet "`while let`" Stmt(patterns::while_let);
    Matches "`matches!`" Expr(patterns::matches);
    IsSome "`is_some` and `is_none`" Expr(patterns::is_some);
    Unwrap "`unwrap`" Expr(patterns::unwrap);
    UnwrapOr "`checked_…` and `unwrap_or`" Expr(patterns::unwrap);
    Overflowing "`overflowing_…`" Expr(patterns::overflowing);
    Question "`?`" Expr(patterns::question);

    Unique "`&mut` of variables" Expr(references::unique);
    Shared "`&` of variables" Expr(references::shared);
    PassedReference "references passed to functions" Expr(references::passed);
    Subslice "parts of slices" Expr(references::subslice);
    ChosenSlice "a slice that is one or the other" Expr(references::chosen);
    SliceSplitAt "`split_at`" Expr(references::split_at);
    SliceFirst "`first`" Expr(references::looked_up);
    SliceLast "`last`" Expr(references::looked_up);
    SliceGet "`get`" Expr(references::looked_up);
    SliceContains "`contains`" Expr(references::contains);
    SliceSwap "`swap`" Expr(references::changed);
    SliceFill "`fill`" Expr(references::changed);
    SliceReverse "`reverse`" Expr(references::changed);
    SliceCopy "`copy_from_slice`" Expr(references::changed);
    SliceSplit "`split_at_mut`" Expr(references::changed);
    SliceMut "`first_mut`, `last_mut`, `get_mut`" Expr(references::changed);

    SplitFirst "`split_first`" Expr(references::split_end);
    SplitLast "`split_last`" Expr(references::split_end);
    SlicePattern "patterns of slices" Expr(references::pattern);

    OptionMap "`map` of `Option`" Expr(options::of_option);
    OptionMapOr "`map_or`" Expr(options::of_option);
    OptionAndThen "`and_then`" Expr(options::of_option);
    OptionFilter "`filter` of `Option`" Expr(options::of_option);
    OptionIsSomeAnd "`is_some_and`" Expr(options::of_option);
    OptionUnwrapOrElse "`unwrap_or_else`" Expr(options::of_option);
    OptionOr "`or`" Expr(options::of_option);
    OptionOkOr "`ok_or`" Expr(options::of_option);
    ResultMatch "`match` of `Result`" Expr(options::of_result);
    ResultIsOk "`is_ok` and `is_err`" Expr(options::of_result);
    ResultOk "`ok`" Expr(options::of_result);
    ResultErr "`err`" Expr(options::of_result);
    ResultMap "`map` of `Result`" Expr(options::of_result);
    ResultMapErr "`map_err`" Expr(options::of_result);
    ResultUnwrapOr "`unwrap_or` of `Result`" Expr(options::of_result);
    ResultUnwrapOrElse "`unwrap_or_else` of `Result`" Expr(options::of_result);
    Then "`then`" Expr(options::of_bool);
    ThenSome "`then_some`" Expr(options::of_bool);

    Cmp "`cmp`" Expr(orders::compared);
    PartialCmp "`partial_cmp`" Expr(orders::compared);
    TotalCmp "`total_cmp`" Expr(orders::compared);
    OrderingThen "`then` and `reverse` of `Ordering`" Expr(orders::compared);
    OrderingIs "`is_lt` and kin" Expr(orders::compared);
    Classify "`classify`" Expr(orders::classified);
    ToBytes "`to_le_bytes` and kin" Expr(orders::to_bytes);
    FromBytes "`from_le_bytes` and kin" Expr(orders::from_bytes);

    AtomicLoad "`load` of atomics" Expr(atomics::loaded);
    AtomicStore "`store` of atomics" Expr(atomics::loaded);
    AtomicSwap "`swap` of atomics" Expr(atomics::changed);
    AtomicExchange "`compare_exchange`" Expr(atomics::exchanged);
    AtomicAdd "`fetch_add`" Expr(atomics::changed);
    AtomicSub "`fetch_sub`" Expr(atomics::changed);
    AtomicAnd "`fetch_and`" Expr(atomics::changed);
    AtomicNand "`fetch_nand`" Expr(atomics::changed);
    AtomicOr "`fetch_or`" Expr(atomics::changed);
    AtomicXor "`fetch_xor`" Expr(atomics::changed);
    AtomicMin "`fetch_min`" Expr(atomics::changed);
    AtomicMax "`fetch_max`" Expr(atomics::changed);
    AtomicShared "atomics that items share" Stmt(atomics::shared);

    Closure "closures in a body" Expr(closures::call);
    ClosureMut "closures that change a variable" Expr(closures::changes);

    IterSlice "`iter` of a slice" Expr(iterators::iterator);
    IterRange "iterators of ranges" Expr(iterators::iterator);
    IterArray "`iter` of an array" Expr(iterators::iterator);
    IterWindows "`windows`" Expr(iterators::iterator);
    IterChunks "`chunks_exact`" Expr(iterators::iterator);
    IterReference "`for` over `&x`" Expr(references::changed);
    IterMut "`iter_mut`" Expr(references::changed);
    IterMutReference "`for` over `&mut x`" Expr(references::changed);
    IterRev "`rev` of iterators" Expr(iterators::iterator);
    IterStepBy "`step_by` of iterators" Expr(iterators::iterator);
    IterSkip "`skip`" Expr(iterators::iterator);
    IterTake "`take`" Expr(iterators::iterator);
    IterEnumerate "`enumerate`" Expr(iterators::iterator);
    IterZip "`zip`" Expr(iterators::iterator);
    IterFilter "`filter`" Expr(iterators::iterator);
    IterMap "`map`" Expr(iterators::iterator);
    IterSum "`sum`" Expr(iterators::iterator);
    IterProduct "`product`" Expr(iterators::iterator);
    IterCount "`count`" Expr(iterators::iterator);
    IterMin "`min` of iterators" Expr(iterators::iterator);
    IterMax "`max` of iterators" Expr(iterators::iterator);
    IterLast "`last` of iterators" Expr(iterators::iterator);
    IterAny "`any`" Expr(iterators::iterator);
    IterAll "`all`" Expr(iterators::iterator);
    IterPosition "`position`" Expr(iterators::iterator);
    IterFind "`find`" Expr(iterators::iterator);
    IterFold "`fold`" Expr(iterators::iterator);
    IterForEach "`for_each`" Expr(iterators::iterator);
    IterFor "`for` over iterators" Expr(iterators::iterator);

    UserMethod "methods of users' types" Expr(users::methods);
    UserOperator "operators of users' types" Expr(users::operators);
    UserAssign "assignment operators of users' types" Expr(users::operators);
    UserNeg "unary operators of users' types" Expr(users::operators);
    UserEq "`==` of users' types" Expr(users::equality);
    UserTrait "traits of users'" Expr(users::traits);
    UserWhere "`where`, and types of traits" Expr(users::associated_type);
    ConstParameter "const parameters" Expr(users::const_parameter);

    SliceParam "`&[T]`" Param(parameters::slice);
    ScalarParam "scalar parameters" Param(parameters::scalar);
    MutParam "`mut` parameters" Param(parameters::scalar);
    TupleParam "tuple parameters" Param(parameters::value);
    ValueParam "struct parameters" Param(parameters::value);
    EnumParam "enum parameters" Param(parameters::value);
    VectorParam "small vectors as parameters" Param(parameters::value);
    ArrayParam "array parameters" Param(parameters::array);
    StructParam "structs of parameters" Param(parameters::struct_);
    AggregateSlice "slices of tuples and arrays" Param(parameters::slice_of_aggregates);
    AggregateOutput "outputs of tuples and arrays" Param(parameters::output_of_aggregates);
    StructSlice "slices of structs" Param(parameters::slice_of_aggregates);
    StructOutput "outputs of structs" Param(parameters::output_of_aggregates);
    EnumSlice "slices of enums" Param(parameters::slice_of_aggregates);
    EnumOutput "outputs of enums" Param(parameters::output_of_aggregates);
    VectorSlice "slices of small vectors" Param(parameters::slice_of_aggregates);
    VectorOutput "outputs of small vectors" Param(parameters::output_of_aggregates);
    Output "`&mut [T]`" None;
    AtomicParam "atomics of each item" Param(atomics::param);
    AtomicSharedParam "atomics of all items" Param(atomics::param);
    FunctionParam "functions taken by kernels" Param(parameters::function);
    ConstParam "const parameters of kernels" Param(parameters::const_);
    GenericKernel "generic kernels" None;
    ClosureKernel "closures as kernels" None;
    FixedLocal "`#[kernel(local = …)]`" None;
}
