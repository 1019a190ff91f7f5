//! Which values the code needs, and how often.

use gridfn_ir::typed::{Kernel, LocalId, Op, Stmt, ValueId, visit};

/// For each value the number of places that use it. A value that only unused ones use counts 0 too, unless it has
/// a name.
pub(super) fn count(kernel: &Kernel) -> Vec<usize> {
    let mut uses = vec![0; kernel.values.len()];
    let mut roots = Vec::new();
    visit(&kernel.body, &mut |statement| match statement {
        Stmt::Def(value) if kernel.values[*value].name.is_some() => {
            roots.extend(operands(kernel.values[*value].op));
        }
        Stmt::Set(_, value) | Stmt::If(value, ..) => roots.push(*value),
        Stmt::SetElement(_, index, value) | Stmt::Store(_, index, value) => roots.extend([*index, *value]),
        Stmt::LoadVector(_, index, _) => roots.push(*index),
        Stmt::StoreVector(_, index, values) => {
            roots.push(*index);
            roots.extend(values);
        }
        Stmt::Atomic(atomic) => roots.extend(atomic.uses()),
        Stmt::Subgroup(subgroup) => roots.extend(subgroup.op.operands()),
        Stmt::Fault(_, values) | Stmt::Record(_, values) => roots.extend(values),
        Stmt::Def(_)
        | Stmt::Declare(_)
        | Stmt::Barrier
        | Stmt::Loop { .. }
        | Stmt::Block { .. }
        | Stmt::Break(_)
        | Stmt::Continue(_)
        | Stmt::Return => {}
    });
    while let Some(value) = roots.pop() {
        uses[value.index()] += 1;
        // A named value's operands were counted above, an unnamed one's are when the first use is seen.
        if uses[value.index()] == 1 && kernel.values[value].name.is_none() {
            roots.extend(operands(kernel.values[value].op));
        }
    }
    uses
}

/// How often `block` reads or sets `local`, a scalar.
pub(super) fn of_local(kernel: &Kernel, block: &[Stmt], local: LocalId) -> usize {
    let mut uses = 0;
    visit(block, &mut |statement| match statement {
        Stmt::Def(value) if kernel.values[*value].op == Op::Read(local) => uses += 1,
        Stmt::Set(set, _) if *set == local => uses += 1,
        Stmt::Def(_)
        | Stmt::Declare(_)
        | Stmt::Set(..)
        | Stmt::SetElement(..)
        | Stmt::Store(..)
        | Stmt::LoadVector(..)
        | Stmt::StoreVector(..)
        | Stmt::Atomic(_)
        | Stmt::Subgroup(_)
        | Stmt::Barrier
        | Stmt::If(..)
        | Stmt::Loop { .. }
        | Stmt::Block { .. }
        | Stmt::Break(_)
        | Stmt::Continue(_)
        | Stmt::Return
        | Stmt::Fault(..)
        | Stmt::Record(..) => {}
    });
    uses
}

/// Whether all uses of `value` stand in `rest` before anything changes `local`, a scalar. What is folded into other expressions
/// counts where it is folded.
pub(super) fn end_before_change(
    kernel: &Kernel,
    uses: &[usize],
    value: ValueId,
    local: LocalId,
    rest: &[Stmt],
) -> bool {
    let mut left = uses[value.index()];
    for statement in rest {
        if left == 0 {
            break;
        }
        let mut changes = false;
        visit(std::slice::from_ref(statement), &mut |inner| {
            let used = match inner {
                Stmt::Def(def) if uses[def.index()] > 0 || kernel.values[*def].name.is_some() => {
                    operands(kernel.values[*def].op)
                        .filter(|operand| *operand == value)
                        .count()
                }
                Stmt::Set(set, new) => {
                    changes |= *set == local;
                    usize::from(*new == value)
                }
                Stmt::If(condition, ..) => usize::from(*condition == value),
                Stmt::SetElement(_, index, new) | Stmt::Store(_, index, new) => {
                    usize::from(*index == value) + usize::from(*new == value)
                }
                Stmt::LoadVector(_, index, _) => usize::from(*index == value),
                Stmt::StoreVector(_, index, values) => std::iter::once(index)
                    .chain(values)
                    .filter(|used| **used == value)
                    .count(),
                Stmt::Atomic(atomic) => atomic.uses().filter(|used| *used == value).count(),
                Stmt::Subgroup(subgroup) => subgroup.op.operands().filter(|used| *used == value).count(),
                Stmt::Fault(_, values) | Stmt::Record(_, values) => {
                    values.iter().filter(|told| **told == value).count()
                }
                Stmt::Def(_)
                | Stmt::Declare(_)
                | Stmt::Barrier
                | Stmt::Loop { .. }
                | Stmt::Block { .. }
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return => 0,
            };
            left = left.saturating_sub(used);
        });
        // `Set` takes its operand first; what else changes the local may do so before it uses the value.
        if changes && !(left == 0 && matches!(statement, Stmt::Set(..))) {
            return false;
        }
    }
    left == 0
}

fn operands(op: Op) -> impl Iterator<Item = ValueId> {
    let operands = match op {
        Op::Const(_) | Op::Param(_) | Op::Len(_) | Op::Index(..) | Op::Read(_) | Op::Component => [None; 3],
        Op::Load(_, a)
        | Op::Element(_, a)
        | Op::ReadElement(_, a)
        | Op::Lookup(_, a)
        | Op::Unary(_, a)
        | Op::Cast(a)
        | Op::Bits(a)
        | Op::Math1(_, a) => [Some(a), None, None],
        Op::Binary(_, a, b) | Op::Compare(_, a, b) | Op::Math2(_, a, b) => [Some(a), Some(b), None],
        Op::Select(a, b, c) | Op::MulAdd(a, b, c) => [Some(a), Some(b), Some(c)],
    };
    operands.into_iter().flatten()
}
