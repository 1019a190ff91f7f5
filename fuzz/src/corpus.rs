//! The macro calls of this repository, read from its sources.

use crate::input::{Input, Macro};
use crate::tree::{Tree, trees};
use proc_macro2::Delimiter;
use std::fs;
use std::path::{Path, PathBuf};

/// Where there are kernels.
const FOLDERS: &[&str] = &[
    "tests",
    "examples",
    "benches",
    "kernel-math",
    "kernel-backends/tests",
];

/// What few programs have.
const EMBEDDED: &str = r##"
    #[kernel(aot, crate = crate::gpu)]
    pub(in super::x) unsafe fn k<T: Float, F>(n: usize, (a, b): (&[f32], u8), y: &mut [T], f: F)
    where T: Int, F: Fn(T, u32) -> T {
        'a: for j in (0..=n).rev().step_by(2) {
            let mut s;
            s = T::ZERO;
            while s < f(1u8, -3) { if j == 3 { continue 'a; } else { break; } }
            y[j] = { s << 2 };
            return;
        }
    }
    #[device(crate = ::other)]
    const fn f(r#type: u32) -> u32 { const N: u32 = 3; let v = loop { break 'b: { r#type.pow(2) ^ !N } }; u32::max(v, b'x' as u32) }
    #[derive(KernelArg)]
    #[kernel_arg(crate = crate::gpu)]
    struct Pair<'a, T: Copy, B: Backend, const N: usize> where T: X { r#in: &'a Buffer<T, B>, pub out: [f32; 3], x: (T, u8) }
    #[derive(DeviceCopy)]
    #[repr(C, u8, align(16))]
    #[device_copy(crate = crate::gpu)]
    pub enum Shape<T: Copy = f32, const N: usize = 3> where T: X { Point = b'p', Disc(#[doc = "r"] T, [T; N]) = 2, r#Box { r#in: (T, T), b: Inner<T> } }
    #[device(crate = crate::gpu)]
    unsafe impl<T: Add<Output = T> + Scalar, const N: usize> Sum<T> for Pair<T, N> where T: X {
        type Output = [T; N];
        const ZERO: Self = Self { a: [T::ZERO; N] };
        fn sum<U, const M: usize>(&mut self, (a, _): (T, u8), others: &[Self]) -> Option<T> {
            let [first, .., Shape::Disc(mut r, ..)] = *others else { return None };
            if let Some(ref x) | Err(x @ &1..=3) = <T as Sum<U>>::sum(&self.a[1..], others.len()) && x > 0 { *self = Self { a, ..others[0] }; }
            let best = others.iter().zip(self.a.iter_mut()).enumerate().filter(|(i, _)| i % 2 == 0).map(|(_, x)| x).rev().take(3).fold(T::ZERO, |s, x| s + *x);
            others.chunks_exact(4).skip_while(|x| x[0] > 1).for_each(|x| self.a[0] += x.iter().copied().sum::<T>());
            match self { Shape::Point if best > a => Some(best?), Self { a: -1 | 2.., .. } => Self::ZERO.map(|x| x), _ => unreachable!() }
        }
    }
    #[device]
    pub trait Sum<U = Self>: Copy { type Output: Copy; const N: usize = 3; fn sum(self, by: U) -> U; fn twice(self) -> U where Self: Sized { self.sum(self.sum(1)) } }
    fn calls() {
        launch!(crate = crate::gpu, &self.queue, unsafe { k::<f32>(1, (&x, 2), &mut y, |v: f32, w| v * self.a + w) }, groups = (n, 2), local = 64);
        launch!(q, move |[x, mut y, _]| { self.out[x] += (*r).0.1 * r#in[y].max(K); }, global = [1, 2, 3],);
        closure!(crate = crate::gpu, fn move |a, b: f32| a.mul_add(b, self.c[0]));
    }
"##;

/// All of them.
pub(crate) fn collect() -> Vec<Input> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."));
    let mut files = vec![];
    FOLDERS
        .iter()
        .for_each(|folder| list(&root.join(folder), &mut files));
    // The order of a folder differs from machine to machine.
    files.sort();
    let mut inputs = vec![];
    let texts = files.iter().filter_map(|file| fs::read_to_string(file).ok());
    for text in texts.chain([EMBEDDED.to_string()]) {
        if let Ok(tokens) = text.parse() {
            calls(&trees(tokens), &mut inputs);
        }
    }
    inputs
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// The calls among some trees, also those inside other macros, where no parser of items would look.
fn calls(trees: &[Tree], inputs: &mut Vec<Input>) {
    for (n, tree) in trees.iter().enumerate() {
        let rest = &trees[n + 1..];
        match (tree, rest) {
            (Tree::Punct('#', _), [Tree::Group(Delimiter::Bracket, attribute), item @ ..]) => {
                attributed(attribute, item, inputs);
            }
            (Tree::Ident(name), [Tree::Punct('!', _), Tree::Group(_, tokens), ..]) => {
                let of = match name.as_str() {
                    "launch" => Some(Macro::Launch),
                    "closure" => Some(Macro::Closure),
                    _ => None,
                };
                inputs.extend(of.map(|of| Input {
                    of,
                    attribute: vec![],
                    tokens: tokens.clone(),
                }));
            }
            _ => {}
        }
        if let Tree::Group(_, inner) = tree {
            calls(inner, inputs);
        }
    }
}

/// An item behind `attribute`, which ends with its first brace: one input for each macro that the attribute names.
fn attributed(attribute: &[Tree], item: &[Tree], inputs: &mut Vec<Input>) {
    let is = |tree: &Tree, text: &str| matches!(tree, Tree::Ident(name) if name == text);
    let Some(name) = attribute.iter().rfind(|tree| matches!(tree, Tree::Ident(_))) else {
        return;
    };
    let end = item
        .iter()
        .position(|tree| matches!(tree, Tree::Group(Delimiter::Brace, _)));
    let Some(end) = end else { return };
    let mut note = |of, attribute| {
        inputs.push(Input {
            of,
            attribute,
            tokens: item[..=end].to_vec(),
        });
    };
    let of = match name {
        name if is(name, "kernel") => Some(Macro::Kernel),
        name if is(name, "device") => Some(Macro::Device),
        _ => None,
    };
    match (of, attribute) {
        (Some(of), [.., Tree::Group(_, options)]) => note(of, options.clone()),
        (Some(of), _) => note(of, vec![]),
        (None, [derive, Tree::Group(_, traits)]) if is(derive, "derive") => {
            for (name, of) in [("DeviceCopy", Macro::DeviceCopy), ("KernelArg", Macro::KernelArg)] {
                if traits.iter().any(|t| is(t, name)) {
                    note(of, vec![]);
                }
            }
        }
        (None, _) => {}
    }
}
