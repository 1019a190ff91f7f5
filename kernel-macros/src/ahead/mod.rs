//! Compiling plain kernels while the program is built.
//!
//! Where [`fill`] can fill every hole from the source alone, the attribute runs the same lowering and the same
//! generators that a program runs at a kernel's first use, and embeds the code. What was filled is compared with what
//! rustc fills, in a `const`: a difference does not compile.

mod fill;

use crate::parse::ast::*;
use fill::Filled;
use gridfn_codegen::{Code, Options, Target, generate};
use gridfn_ir::typed::Kernel;
use gridfn_ir::{Body, FixedLocal, Link, Method, lower, tree};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

/// What was compiled.
pub(crate) struct Compiled {
    /// The expressions of the instance's `ahead` list.
    pub forms: Vec<TokenStream>,
    /// The assertion that rustc fills the holes alike.
    pub check: TokenStream,
}

/// Compiles a kernel, if every hole can be filled without rustc. `local` is the size of its work-groups, where it fixes
/// them.
pub(crate) fn compile(f: &Function, encoded: &[u8], local: Option<FixedLocal>) -> Option<Compiled> {
    if !f.generics.params.is_empty() {
        return None;
    }
    let tree: tree::Tree = postcard::from_bytes(encoded).ok()?;
    let mut filled = fill::fill(f, &tree)?;
    if std::env::var_os("GRIDFN_TEST_WRONG_FILL").is_some() {
        filled.spoil();
    }
    let links: Vec<fn() -> Link> = filled.links.iter().map(|link| link.callee()).collect();
    let body = Body {
        tree: encoded,
        types: &filled.types,
        links: &links,
        constants: &[],
        file: "",
        line: 0,
        local,
    };
    // What was filled is checked even where no code comes of it: a wrong fill may well be one that does not lower.
    let forms = lower(&body).map_or_else(|_| vec![], |kernel| forms(&kernel));
    Some(Compiled {
        forms,
        check: check(f, &filled),
    })
}

/// The kernel in the forms that devices take, as far as they can say it.
fn forms(kernel: &Kernel) -> Vec<TokenStream> {
    let code = |target| generate(kernel, target, Options::default()).ok();
    [code(Target::OpenClC), code(Target::Spirv)]
        .into_iter()
        .flatten()
        .map(|code| match code {
            Code::Text(text) => quote!(::gridfn::__private::Ahead::OpenClC(#text)),
            Code::Words(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                let bytes = Literal::byte_string(&bytes);
                quote!(::gridfn::__private::Ahead::Spirv(#bytes))
            }
        })
        .collect()
}

fn check(f: &Function, filled: &Filled) -> TokenStream {
    let name = &f.name;
    let types = filled.types.iter().map(|ty| match ty {
        gridfn_ir::Type::Atomic(_)
        | gridfn_ir::Type::Array { .. }
        | gridfn_ir::Type::Struct(_)
        | gridfn_ir::Type::Enum(_)
        | gridfn_ir::Type::Reference { .. } => {
            unreachable!("filling ahead of time gives up at a parameter whose type it cannot read")
        }
        gridfn_ir::Type::Unit => quote!(::gridfn::__private::Type::Unit),
        gridfn_ir::Type::Scalar(scalar) => {
            let scalar = format_ident!("{scalar:?}");
            quote!(::gridfn::__private::Type::Scalar(::gridfn::__private::ScalarType::#scalar))
        }
        gridfn_ir::Type::Slice { element, access } => {
            let gridfn_ir::Type::Scalar(element) = element else {
                unreachable!("filling ahead of time gives up at an element that is no scalar")
            };
            let (element, access) = (format_ident!("{element:?}"), format_ident!("{access:?}"));
            quote!(::gridfn::__private::Type::Slice {
                element: ::gridfn::__private::ScalarType::#element.ty(),
                access: ::gridfn::__private::Access::#access,
            })
        }
    });
    let codes = filled.links.iter().map(|link| link.code());
    let message = format!(
        "gridfn: what was filled ahead of time for `{name}` differs from what rustc fills; this is a bug in gridfn, \
         please report it"
    );
    quote! {
        const _: () = assert!(
            ::gridfn::__private::same_types(
                <#name as ::gridfn::__private::KernelType>::KERNEL.body.types,
                &[#(#types),*],
            ) && ::gridfn::__private::same_codes(
                __Instance::<::gridfn::__private::Baseline>::PARTS.2,
                &[#(#codes),*],
            ),
            #message,
        );
    }
}

/// A callee that the source tells.
#[derive(Clone, Copy)]
enum Callee {
    Method(Method),
    Index(gridfn_ir::IndexFunction),
}

impl Callee {
    fn code(self) -> u16 {
        match self {
            Callee::Method(method) => method.code(),
            Callee::Index(index) => index.code(),
        }
    }

    /// The callee as a body's list of links holds it.
    fn callee(self) -> fn() -> Link {
        match self {
            Callee::Method(method) => method.link(),
            Callee::Index(index) => index.link(),
        }
    }
}
