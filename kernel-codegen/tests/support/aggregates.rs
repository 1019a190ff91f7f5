//! Kernels with what aggregates are lowered to: array variables, tables of constants and slices whose memory holds
//! several types. What to run them on, and what must come out.

use super::arrays::Run;
use super::kernels::{output, slice};
use gridfn_ir::build::Builder;
use gridfn_ir::typed::{BinaryOp, CompareOp, Kernel, Op, ParamId, Stmt, UnaryOp, ValueId};
use gridfn_ir::{IndexFunction, Scalar};

/// Every launch here; the kernels' names differ.
pub fn runs() -> Vec<Run> {
    let mut runs = vec![bodies_run()];
    runs.extend([Scalar::F64, Scalar::I64].map(payloads_run));
    runs.extend([Scalar::F64, Scalar::U64, Scalar::F32, Scalar::I16].map(fields_run));
    runs.extend(Scalar::PRIMITIVES.map(variables_run));
    runs.extend(Scalar::PRIMITIVES.map(table_run));
    let all = Scalar::PRIMITIVES.into_iter().chain(Scalar::HALVES);
    for ty in all.filter(|ty| *ty != Scalar::Bool) {
        runs.extend(
            [2, 4]
                .into_iter()
                .filter(|n| n * ty.bytes() <= 16)
                .map(|n| vectors_run(ty, n)),
        );
    }
    runs
}

/// A value of a type, different for each of a few numbers but for `bool`.
fn sample(ty: Scalar, n: u64) -> u64 {
    match ty {
        Scalar::Bool => n % 3 % 2,
        Scalar::F32 => (1.5 * n as f32 - 20.0).to_bits().into(),
        Scalar::F64 => (1.5 * n as f64 - 20.0).to_bits(),
        integer => integer.truncate(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(n + 1)),
    }
}

fn index(b: &mut Builder, n: usize) -> ValueId {
    b.constant(Scalar::Usize, n as u64)
}

/// `a * factor + term`
fn scaled(b: &mut Builder, a: ValueId, factor: usize, term: usize) -> ValueId {
    let (factor, term) = (index(b, factor), index(b, term));
    let product = b.binary(BinaryOp::Mul, a, factor);
    b.binary(BinaryOp::Add, product, term)
}

/// `(a + b) % n`
fn sum_modulo(b: &mut Builder, x: ValueId, y: ValueId, n: usize) -> ValueId {
    let sum = b.binary(BinaryOp::Add, x, y);
    let n = index(b, n);
    b.binary(BinaryOp::Rem, sum, n)
}

/// `for j in 0..n { body(j) }`
fn repeat(b: &mut Builder, n: usize, body: impl FnOnce(&mut Builder, ValueId)) {
    let zero = index(b, 0);
    let j = b.local_of(Some("j"), zero);
    let label = b.label();
    let (body, ()) = b.block(|b| {
        let now = b.read(j);
        let n = index(b, n);
        let ends = b.compare(CompareOp::Ge, now, n);
        b.push(Stmt::If(ends, vec![Stmt::Break(label)], vec![]));
        body(b, now);
    });
    let (next, ()) = b.block(|b| {
        let (now, one) = (b.read(j), index(b, 1));
        let new = b.binary(BinaryOp::Add, now, one);
        b.push(Stmt::Set(j, new));
    });
    b.push(Stmt::Loop { label, body, next });
}

fn load(b: &mut Builder, ty: Scalar, slice: ParamId, at: ValueId) -> ValueId {
    b.def(ty, Op::Load(slice, at))
}

/// The weights in [`bodies`].
const WEIGHTS: [f32; 3] = [0.5, -0.1, 3e20];

/// A struct in memory, an array and a table, with names that C and PTX would stumble over:
///
/// ```text
/// struct Body { tag: u8, count: u32, mass: f64 }
/// let mut local = [0.0; 4];
/// for j in 0..4 { local[j] = bodies[(i + j) % 10].mass * WEIGHTS[j % 3] as f64; }
/// let Body { tag, count, mass } = bodies[i % 10];
/// bodies_out[i] = Body { tag: !tag, count: count + 1, mass: mass + local[tag as usize % 4] };
/// ```
pub fn bodies() -> Kernel {
    const N: usize = 10;
    let mut b = Builder::new("bodies");
    let bodies = b.param("bodies", slice(Scalar::F64));
    let out = b.param("bodies_out", output(Scalar::F64));
    let weights = WEIGHTS.map(|x| x.to_bits().into());
    let weights = b.table(Some("r#const"), Scalar::F32, weights.into());
    let i = b.index(IndexFunction::GlobalId, 0);
    b.name(i, "i");
    let array = b.array(Some("local"), Scalar::F64, 4);
    repeat(&mut b, 4, |b, j| {
        let body = sum_modulo(b, i, j, N);
        let at = scaled(b, body, 2, 1);
        let mass = load(b, Scalar::F64, bodies, at);
        let zero = index(b, 0);
        let at = sum_modulo(b, j, zero, WEIGHTS.len());
        let weight = b.lookup(weights, at);
        let weight = b.cast(weight, Scalar::F64);
        let product = b.binary(BinaryOp::Mul, mass, weight);
        b.push(Stmt::SetElement(array, j, product));
    });
    let zero = index(&mut b, 0);
    let body = sum_modulo(&mut b, i, zero, N);
    let fields = [(Scalar::U8, 16, 0), (Scalar::U32, 4, 1), (Scalar::F64, 2, 1)];
    let [tag, count, mass] = fields.map(|(ty, factor, term)| {
        let at = scaled(&mut b, body, factor, term);
        load(&mut b, ty, bodies, at)
    });
    b.name(tag, "tag");
    let at = b.cast(tag, Scalar::Usize);
    let at = sum_modulo(&mut b, at, zero, 4);
    let element = b.read_element(array, at);
    let one = b.constant(Scalar::U32, 1);
    let new = [
        b.unary(UnaryOp::Not, tag),
        b.binary(BinaryOp::Add, count, one),
        b.binary(BinaryOp::Add, mass, element),
    ];
    for ((_, factor, term), value) in fields.into_iter().zip(new) {
        let at = scaled(&mut b, i, factor, term);
        b.push(Stmt::Store(out, at, value));
    }
    b.finish()
}

fn bodies_run() -> Run {
    const ITEMS: usize = 70;
    let input: Vec<(u8, u32, f64)> = (0..10u8)
        .map(|n| {
            (
                n.wrapping_mul(77),
                u32::MAX - u32::from(n) % 3,
                0.3 * f64::from(n),
            )
        })
        .collect();
    let words =
        |(tag, count, mass): (u8, u32, f64)| [u64::from(tag) | u64::from(count) << 32, mass.to_bits()];
    let new = |i: usize| {
        let local: [f64; 4] = std::array::from_fn(|j| input[(i + j) % 10].2 * f64::from(WEIGHTS[j % 3]));
        let (tag, count, mass) = input[i % 10];
        (!tag, count.wrapping_add(1), mass + local[usize::from(tag) % 4])
    };
    let memory: Vec<u64> = input.iter().copied().flat_map(words).collect();
    Run {
        kernel: bodies(),
        items: ITEMS as u64,
        arguments: vec![memory.clone(), vec![0; 2 * ITEMS]],
        expected: vec![memory, (0..ITEMS).flat_map(|i| words(new(i))).collect()],
    }
}

/// What an enum's payload is: the same bytes as several types, each written and then read as another. The payload's
/// largest scalar is `ty`, of 64 bits.
///
/// ```text
/// words[i] = input[i];
/// let (low, high) = words[i];             // as (u32, u32)
/// words[i] = (high, low);
/// let whole = words[i];                   // as u64
/// words[i].1 = 1.5f32;
/// sums[i] = whole + words[i] as i64;
/// ```
pub fn payloads(ty: Scalar) -> Kernel {
    let mut b = Builder::new(format!("payloads_of_{ty}"));
    let input = b.param("input", slice(ty));
    let words = b.param("words", output(ty));
    let sums = b.param("sums", output(Scalar::U64));
    let i = b.index(IndexFunction::GlobalId, 0);
    b.name(i, "i");
    let value = load(&mut b, ty, input, i);
    b.push(Stmt::Store(words, i, value));
    let [first, second] = [0, 1].map(|term| scaled(&mut b, i, 2, term));
    let low = load(&mut b, Scalar::U32, words, first);
    let high = load(&mut b, Scalar::U32, words, second);
    b.push(Stmt::Store(words, first, high));
    b.push(Stmt::Store(words, second, low));
    let whole = load(&mut b, Scalar::U64, words, i);
    let float = b.constant(Scalar::F32, 1.5f32.to_bits().into());
    b.push(Stmt::Store(words, second, float));
    let changed = load(&mut b, Scalar::I64, words, i);
    let changed = b.cast(changed, Scalar::U64);
    let sum = b.binary(BinaryOp::Add, whole, changed);
    b.push(Stmt::Store(sums, i, sum));
    b.finish()
}

fn payloads_run(ty: Scalar) -> Run {
    let input: Vec<u64> = (0..50).map(|n| sample(ty, n)).collect();
    let high = u64::from(1.5f32.to_bits()) << 32;
    let changed = |word: &u64| word >> 32 | high;
    let sum = |word: &u64| word.rotate_left(32).wrapping_add(changed(word));
    Run {
        kernel: payloads(ty),
        items: input.len() as u64,
        expected: vec![
            input.clone(),
            input.iter().map(changed).collect(),
            input.iter().map(sum).collect(),
        ],
        arguments: vec![input, vec![0; 50], vec![0; 50]],
    }
}

/// Vectors of `n` values, read from one slice at once, and written to another at once in the opposite order.
pub fn vectors(ty: Scalar, n: usize) -> Kernel {
    let mut b = Builder::new(format!("vectors_of_{n}_{ty}"));
    let input = b.param("input", slice(ty));
    let out = b.param("out", output(ty));
    let i = b.index(IndexFunction::GlobalId, 0);
    let at = scaled(&mut b, i, n, 0);
    let mut values = b.load_vector(input, ty, at, n);
    values.reverse();
    b.push(Stmt::StoreVector(out, at, values));
    b.finish()
}

fn vectors_run(ty: Scalar, n: usize) -> Run {
    const ITEMS: usize = 40;
    let input: Vec<u64> = (0..(ITEMS * n) as u64).map(|n| sample(ty, n)).collect();
    let reversed = input.chunks(n).flat_map(|vector| vector.iter().rev());
    let reversed: Vec<u64> = reversed.copied().collect();
    Run {
        kernel: vectors(ty, n),
        items: ITEMS as u64,
        expected: vec![input.clone(), reversed],
        arguments: vec![input, vec![0; ITEMS * n]],
    }
}

/// The types that [`fields`] copies: all that are no larger than `element`, and `f64` only where that is it, because
/// some devices have none.
fn held_in(element: Scalar) -> Vec<Scalar> {
    let holds = |ty: &Scalar| ty.bytes() <= element.bytes() && (*ty != Scalar::F64 || *ty == element);
    Scalar::PRIMITIVES.into_iter().filter(holds).collect()
}

/// A value of each type in an element of its own: the last one in it, and nothing else in it may be touched. The
/// `n`-th element of an item's output gets that of the element after it in the input.
pub fn fields(element: Scalar) -> Kernel {
    let types = held_in(element);
    let mut b = Builder::new(format!("fields_in_{element}"));
    let input = b.param("input", slice(element));
    let out = b.param("out", output(element));
    let i = b.index(IndexFunction::GlobalId, 0);
    for (n, ty) in types.iter().enumerate() {
        let parts = element.bytes() / ty.bytes();
        let [from, to] =
            [n + 1, n].map(|place| scaled(&mut b, i, types.len() * parts, place * parts + parts - 1));
        let value = load(&mut b, *ty, input, from);
        b.push(Stmt::Store(out, to, value));
    }
    b.finish()
}

fn fields_run(element: Scalar) -> Run {
    const ITEMS: usize = 40;
    let types = held_in(element);
    let places = ITEMS * types.len();
    // Bytes 0 and 1 alone, so that each is a `bool` too.
    let bytes = |n: usize| 0x0101_0101_0101_0101u64 & 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(n as u64 + 1);
    let input: Vec<u64> = (0..places + 1).map(|n| element.truncate(bytes(n))).collect();
    let old = element.truncate(0xa5a5_a5a5_a5a5_a5a5);
    let new = |place: usize| {
        let ty = types[place % types.len()];
        let kept = (1u128 << (element.bits() - ty.bits())) as u64 - 1;
        old & kept | input[place + 1] & !kept
    };
    Run {
        kernel: fields(element),
        items: ITEMS as u64,
        expected: vec![input.clone(), (0..places).map(new).collect()],
        arguments: vec![input, vec![old; places]],
    }
}

/// The length of the arrays in [`variables`].
const LEN: usize = 5;

/// An array variable of one type, filled and read in loops, with two elements exchanged between:
///
/// ```text
/// let mut array = [_; 5];
/// for j in 0..5 { array[(i + j) % 5] = input[j]; }
/// let (x, y) = (array[i % 5], array[(i + 2) % 5]);
/// array[i % 5] = y;
/// array[(i + 2) % 5] = x;
/// for j in 0..5 { out[5 * i + j] = array[j]; }
/// ```
pub fn variables(ty: Scalar) -> Kernel {
    let mut b = Builder::new(format!("variables_of_{ty}"));
    let input = b.param("input", slice(ty));
    let out = b.param("out", output(ty));
    let i = b.index(IndexFunction::GlobalId, 0);
    let array = b.array(None, ty, LEN);
    repeat(&mut b, LEN, |b, j| {
        let value = load(b, ty, input, j);
        let at = sum_modulo(b, i, j, LEN);
        b.push(Stmt::SetElement(array, at, value));
    });
    let [first, second] = [0, 2].map(|n| {
        let n = index(&mut b, n);
        sum_modulo(&mut b, i, n, LEN)
    });
    let (x, y) = (b.read_element(array, first), b.read_element(array, second));
    b.push(Stmt::SetElement(array, first, y));
    b.push(Stmt::SetElement(array, second, x));
    repeat(&mut b, LEN, |b, j| {
        let value = b.read_element(array, j);
        let start = scaled(b, i, LEN, 0);
        let to = b.binary(BinaryOp::Add, start, j);
        b.push(Stmt::Store(out, to, value));
    });
    b.finish()
}

fn variables_run(ty: Scalar) -> Run {
    const ITEMS: usize = 70;
    let input: Vec<u64> = (0..LEN as u64).map(|n| sample(ty, n)).collect();
    let mut expected = Vec::new();
    for i in 0..ITEMS {
        let mut array = [0; LEN];
        for j in 0..LEN {
            array[(i + j) % LEN] = input[j];
        }
        array.swap(i % LEN, (i + 2) % LEN);
        expected.extend(array);
    }
    Run {
        kernel: variables(ty),
        items: ITEMS as u64,
        arguments: vec![input.clone(), vec![0; LEN * ITEMS]],
        expected: vec![input, expected],
    }
}

/// The table in [`table`]; long enough for several lines, with each type's least and largest values.
fn constants(ty: Scalar) -> Vec<u64> {
    let mut constants: Vec<u64> = (0..30).map(|n| sample(ty, n)).collect();
    constants.extend(match ty {
        Scalar::Bool => vec![1, 0],
        Scalar::F32 => [f32::NAN, f32::NEG_INFINITY, f32::MAX, -0.0, 1e-45]
            .map(|x| x.to_bits().into())
            .into(),
        // Without infinities, so that it is held as floats where the other is held as bits.
        Scalar::F64 => [f64::MAX, -0.0, 5e-324, 0.1].map(f64::to_bits).into(),
        integer => {
            let all = integer.truncate(u64::MAX);
            vec![integer.min_bits(), all, all & !integer.min_bits()]
        }
    });
    constants
}

/// A table of one type, and one of a single element: `out[i] = TABLE[i % n]; ones[i] = ONE[0]`
pub fn table(ty: Scalar) -> Kernel {
    let mut b = Builder::new(format!("table_of_{ty}"));
    let out = b.param("out", output(ty));
    let ones = b.param("ones", output(ty));
    let constants = constants(ty);
    let (n, one) = (constants.len(), constants[1]);
    let many = b.table(Some("TABLE"), ty, constants);
    let one = b.table(None, ty, vec![one]);
    let i = b.index(IndexFunction::GlobalId, 0);
    let zero = index(&mut b, 0);
    for (table, n, to) in [(many, n, out), (one, 1, ones)] {
        let at = sum_modulo(&mut b, i, zero, n);
        let element = b.lookup(table, at);
        b.push(Stmt::Store(to, i, element));
    }
    b.finish()
}

fn table_run(ty: Scalar) -> Run {
    const ITEMS: usize = 70;
    let constants = constants(ty);
    Run {
        kernel: table(ty),
        items: ITEMS as u64,
        arguments: vec![vec![0; ITEMS]; 2],
        expected: vec![
            constants.iter().copied().cycle().take(ITEMS).collect(),
            vec![constants[1]; ITEMS],
        ],
    }
}
