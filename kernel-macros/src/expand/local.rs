//! `#[kernel(local = [16, 16])]`: the size of a kernel's work-groups.

#[cfg(feature = "aot")]
use gridfn_ir::FixedLocal;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::ParseStream;
use syn::{Error, Expr, ExprLit, Lit};

/// The size, as constant expressions in one to three dimensions.
pub(super) struct Local {
    sizes: Vec<Expr>,
}

impl Local {
    /// What stands behind `local =`: `n`, `[x, y]` or `[x, y, z]`.
    pub(super) fn parse(input: ParseStream<'_>) -> syn::Result<Local> {
        let whole: Expr = input.parse()?;
        let sizes: Vec<Expr> = match &whole {
            Expr::Array(array) => array.elems.iter().cloned().collect(),
            size => vec![size.clone()],
        };
        if !(1..=3).contains(&sizes.len()) {
            return Err(Error::new_spanned(
                whole,
                "a work-group has one to three dimensions: write `n`, `[x, y]` or `[x, y, z]`",
            ));
        }
        if let Some(zero) = sizes.iter().find(|size| literal(size) == Some(0)) {
            return Err(Error::new_spanned(
                zero,
                "a work-group needs at least 1 item in each dimension",
            ));
        }
        Ok(Local { sizes })
    }

    /// The expression of it; rustc evaluates the sizes.
    pub(super) fn tokens(&self) -> TokenStream {
        let (dimensions, sizes) = (self.sizes.len(), &self.sizes);
        let rest = vec![quote!(1); 3 - dimensions];
        quote!(::gridfn::__private::FixedLocal::new(#dimensions, [#(#sizes,)* #(#rest,)*]))
    }

    /// The size itself, where it is written in literals.
    #[cfg(feature = "aot")]
    pub(super) fn literals(&self) -> Option<FixedLocal> {
        let mut size = [1; 3];
        for (size, written) in size.iter_mut().zip(&self.sizes) {
            *size = literal(written)?;
        }
        Some(FixedLocal::new(self.sizes.len(), size))
    }
}

fn literal(size: &Expr) -> Option<usize> {
    match size {
        Expr::Lit(ExprLit {
            lit: Lit::Int(size), ..
        }) => size.base10_parse().ok(),
        _ => None,
    }
}
