//! Whether a matrix is the product of two others.

use super::{Result, failure, sample, within};

/// Matrices row by row, and how large they are.
pub(crate) struct Product<'a> {
    /// Rows of `a` and `c`, columns of `a` and rows of `b`, columns of `b` and `c`.
    pub(crate) sizes: [usize; 3],
    pub(crate) a: &'a [f32],
    pub(crate) b: &'a [f32],
    pub(crate) c: &'a [f32],
}

impl Product<'_> {
    /// Checks that `c` is `a · b`, all terms of an element added in their order.
    pub(crate) fn check(&self) -> Result {
        let [rows, inner, columns] = self.sizes;
        // Of many elements, some: they have the bits that plain Rust gives.
        let element = |i: usize| {
            let (row, column) = (i / columns, i % columns);
            (0..inner).fold(0.0, |sum, k| {
                sum + self.a[row * inner + k] * self.b[k * columns + column]
            })
        };
        let wrong = sample(self.c.len(), 20_000)
            .filter(|&i| self.c[i] != element(i))
            .count();
        println!("{rows}x{inner} · {inner}x{columns}");
        println!("wrong {wrong}");
        if wrong > 0 {
            return Err(failure("the results differ from plain Rust's"));
        }
        // Each of the additions rounds once.
        let bound = inner as f64 * f64::from(f32::EPSILON);
        within("max error", self.errors(), bound)
    }

    /// How far the rows of `a · b` are from those of `c`, as a share of what their terms add up to, by Freivalds' test:
    /// both are multiplied by a random vector, which takes far less time than a product of matrices.
    fn errors(&self) -> impl Iterator<Item = f64> {
        let mut random = fastrand::Rng::with_seed(2);
        let vector: Vec<f64> = (0..self.sizes[2])
            .map(|_| if random.bool() { 1.0 } else { -1.0 })
            .collect();
        let (product, sizes) = times(self.b, &vector);
        let (expected, _) = times(self.a, &product);
        let (_, sizes) = times(self.a, &sizes);
        let (found, _) = times(self.c, &vector);
        let rows = found.into_iter().zip(expected).zip(sizes);
        rows.map(|((found, expected), size)| (found - expected) / size)
    }
}

/// `m · v` in numbers of 64 bits, and the same product of all absolute values; `m` is row by row.
fn times(m: &[f32], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
    m.chunks(v.len())
        .map(|row| {
            let terms = || row.iter().zip(v).map(|(m, v)| f64::from(*m) * v);
            (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>())
        })
        .unzip()
}

/// Two matrices to multiply.
pub(crate) fn factors([rows, inner, columns]: [usize; 3]) -> (Vec<f32>, Vec<f32>) {
    let a = (0..rows * inner).map(|i| (i % 17) as f32 * 0.3 - 2.0).collect();
    let b = (0..inner * columns)
        .map(|i| (i % 23) as f32 * 0.7 - 7.0)
        .collect();
    (a, b)
}
