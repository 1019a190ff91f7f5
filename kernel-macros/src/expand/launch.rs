//! `launch!`

use crate::diagnostic::nearest;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, GenericArgument, PathArguments, Stmt, Token, parse_quote};

/// Expands `launch!`.
pub(crate) fn launch(input: TokenStream) -> TokenStream {
    match syn::parse2::<Launch>(input) {
        Ok(launch) => launch.expand(),
        Err(e) => e.into_compile_error(),
    }
}

/// `queue, kernel(arguments), global = …, local = …`
struct Launch {
    queue: Expr,
    call: Expr,
    extent: Extent,
    local: Option<Expr>,
}

enum Extent {
    Items(Expr),
    Groups(Expr),
}

const KEYS: &[&str] = &["global", "groups", "local"];

impl Parse for Launch {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let queue = input.parse()?;
        expect_comma(input, "expected `, kernel(arguments)` behind the queue")?;
        let mut call = input.parse()?;
        check_call(&mut call)?;
        let (mut global, mut groups, mut local) = (None, None, None);
        while !input.is_empty() {
            expect_comma(input, "expected `, global = …`")?;
            if input.is_empty() {
                break;
            }
            let key: Ident = input.parse()?;
            let slot = match key.to_string().as_str() {
                "global" => &mut global,
                "groups" => &mut groups,
                "local" => &mut local,
                name => {
                    let help = nearest(name, KEYS).map_or_else(
                        || "there are `global`, `groups` and `local`".into(),
                        |k| format!("did you mean `{k}`?"),
                    );
                    return Err(Error::new(
                        key.span(),
                        format!("`launch!` has no `{name}`: {help}"),
                    ));
                }
            };
            input.parse::<Token![=]>()?;
            let value: Expr = input.parse()?;
            check_dimensions(&value)?;
            if slot.replace((key.clone(), value)).is_some() {
                return Err(Error::new(key.span(), format!("`{key}` is given twice")));
            }
        }
        let extent = match (global, groups) {
            (Some((_, items)), None) => Extent::Items(items),
            (None, Some((key, groups))) => {
                if local.is_none() {
                    let help = "`groups` counts work-groups: give their size too, with `local = …`";
                    return Err(Error::new(key.span(), help));
                }
                Extent::Groups(groups)
            }
            (Some(_), Some((key, _))) => {
                let help =
                    "`global` and `groups` exclude each other: `global` counts items, `groups` work-groups";
                return Err(Error::new(key.span(), help));
            }
            (None, None) => return Err(input.error("expected `global = …`: the number of work-items")),
        };
        Ok(Launch {
            queue,
            call,
            extent,
            local: local.map(|(_, l)| l),
        })
    }
}

fn expect_comma(input: ParseStream<'_>, message: &str) -> syn::Result<()> {
    if input.peek(Token![,]) {
        input.parse::<Token![,]>().map(|_| ())
    } else {
        Err(input.error(message))
    }
}

/// A grid has at most three dimensions; one more is an error where it is written, if it is written.
fn check_dimensions(value: &Expr) -> syn::Result<()> {
    match value {
        Expr::Array(a) if a.elems.len() > 3 => Err(Error::new_spanned(
            &a.elems[3],
            "a grid has at most three dimensions: `[x, y, z]`",
        )),
        _ => Ok(()),
    }
}

/// The call's shape, and the back end's place behind the type arguments that the user wrote.
fn check_call(call: &mut Expr) -> syn::Result<()> {
    match call {
        Expr::Call(c) => {
            if let Expr::Path(p) = &mut *c.func
                && let Some(last) = p.path.segments.last_mut()
                && let PathArguments::AngleBracketed(args) = &mut last.arguments
            {
                let infer: GenericArgument = parse_quote!(_);
                args.args.push(infer);
            }
            Ok(())
        }
        Expr::Paren(p) => check_call(&mut p.expr),
        Expr::Group(g) => check_call(&mut g.expr),
        Expr::Unsafe(u) => match u.block.stmts.as_mut_slice() {
            [Stmt::Expr(e, None)] => check_call(e),
            _ => Ok(()),
        },
        Expr::Closure(c) => Err(Error::new_spanned(
            c.inputs_begin,
            "closures are not kernels yet: write a `#[kernel]` fn",
        )),
        // A variable that holds a call is as good as a call.
        _ => Ok(()),
    }
}

impl Launch {
    fn expand(&self) -> TokenStream {
        let Launch {
            queue,
            call,
            extent,
            local,
        } = self;
        let grid = |e: &Expr| quote!(::gridfn::__private::IntoGrid::into_grid(#e));
        let extent = match extent {
            Extent::Items(e) => {
                let grid = grid(e);
                quote!(::gridfn::__private::Extent::Items(#grid))
            }
            Extent::Groups(e) => {
                let grid = grid(e);
                quote!(::gridfn::__private::Extent::Groups(#grid))
            }
        };
        let local = match local {
            Some(e) => {
                let grid = grid(e);
                quote!(::core::option::Option::Some(#grid))
            }
            None => quote!(::core::option::Option::None),
        };
        // The grid comes first: the call may borrow what the grid reads.
        quote! {
            match (::gridfn::__private::Request { extent: #extent, local: #local }) {
                __request => (#queue).__launch(__request, #call),
            }
        }
    }
}
