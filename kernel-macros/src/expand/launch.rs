//! `launch!` and `closure!`.

use super::closure_kernel::{ClosureKernel, PassedClosure, closure_kernel, passed_closure};
use super::root::{path, rooted};
use super::signature::{allow, twins};
use crate::diagnostic::nearest;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprClosure, GenericArgument, Path, PathArguments, Stmt, Token, parse_quote};

/// Expands `launch!`.
pub(crate) fn launch(input: TokenStream) -> TokenStream {
    let expansion = syn::parse2::<Rooted<Launch>>(input)
        .and_then(|Rooted { root, rest }| rest.expand().map(|tokens| rooted(tokens, root.as_ref())));
    expansion.unwrap_or_else(Error::into_compile_error)
}

/// `crate = path, …`: where gridfn is, in front of all else.
struct Rooted<T> {
    root: Option<Path>,
    rest: T,
}

impl<T: Parse> Parse for Rooted<T> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut root = None;
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            root = Some(input.call(path)?);
            input.parse::<Token![,]>()?;
        }
        let rest = input.parse()?;
        Ok(Rooted { root, rest })
    }
}

/// Expands `closure!`.
pub(crate) fn closure(input: TokenStream) -> TokenStream {
    let expansion = syn::parse2::<Rooted<Value>>(input).and_then(|Rooted { root, rest }| {
        let tokens = match rest {
            Value::Passed(c) => {
                let closure = passed_closure(&c, 0)?;
                let host = closure.host.clone();
                in_scope(&[closure], quote!(__unbound0.bind(#host)), |value| quote!(#value))
            }
            Value::Kernel(e) => match kernel_of(&e) {
                Some((closure, unsafety)) => {
                    let ClosureKernel { setup, name, .. } = closure_kernel(closure, unsafety)?;
                    quote!({ #setup #name })
                }
                None => {
                    let help = "expected a closure: `|i| …`, `|[x, y]| …` or `|[x, y, z]| …`, or `fn |v: f32| …`, \
                                which is passed to a kernel";
                    return Err(Error::new_spanned(e, help));
                }
            },
        };
        Ok(rooted(tokens, root.as_ref()))
    });
    expansion.unwrap_or_else(Error::into_compile_error)
}

/// What stands in `closure!`.
enum Value {
    /// `fn |v: f32| …`: a closure that is passed to a kernel.
    Passed(ExprClosure),
    /// A closure that is a kernel.
    Kernel(Expr),
}

impl Parse for Value {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![fn]) {
            input.parse::<Token![fn]>()?;
            return input.parse().map(Value::Passed);
        }
        input.parse().map(Value::Kernel)
    }
}

/// What `then` makes of `value`, in which the closures' captures are `__unbound0`, …; their probes are checked. Temporaries
/// of the user's in `value` live until the end.
fn in_scope(
    closures: &[PassedClosure],
    value: TokenStream,
    then: impl Fn(&Ident) -> TokenStream,
) -> TokenStream {
    let (twins, allow) = (twins(), allow());
    let setups = closures.iter().map(|c| &c.setup);
    let probes = closures.iter().map(|c| &c.probes);
    let names = (0..closures.len()).map(|n| quote::format_ident!("__unbound{n}"));
    let unbound = closures.iter().map(|c| &c.unbound);
    let [name, result] = ["__value", "__result"].map(|name| Ident::new(name, Span::mixed_site()));
    let then = then(&name);
    quote!({
        #twins
        use ::gridfn::__private::closure::UniqueFallback as _;
        #(#setups)*
        #(#allow let #names = #unbound;)*
        #allow
        let #result = match #value {
            #name => {
                #(#probes)*
                #then
            }
        };
        #result
    })
}

/// The call with its closures: each is passed in two parts, the second behind all other arguments, where rustc knows
/// the types of its parameters.
fn call_with_closures(call: &Expr, then: impl Fn(&Ident) -> TokenStream) -> syn::Result<Option<TokenStream>> {
    let (call, unsafety) = match call {
        Expr::Unsafe(u) => match u.block.stmts.as_slice() {
            [Stmt::Expr(e, None)] => (e, Some(u.unsafe_token)),
            _ => return Ok(None),
        },
        e => (e, None),
    };
    let Expr::Call(call) = call else { return Ok(None) };
    if !call.args.iter().any(|a| matches!(a, Expr::Closure(_))) {
        return Ok(None);
    }
    let Expr::Path(function) = &*call.func else {
        return Err(Error::new_spanned(&call.func, "expected the name of a kernel"));
    };
    let last = function.path.segments.last();
    if let Some(last) = last.filter(|s| !s.arguments.is_none()) {
        let help = "type arguments beside a closure: write the closure as `closure!(fn |v: f32| …)`";
        return Err(Error::new_spanned(&last.arguments, help));
    }
    let (mut closures, mut args, mut name) = (vec![], vec![], String::from("__with"));
    for (n, arg) in call.args.iter().enumerate() {
        match arg {
            Expr::Closure(c) => {
                let unbound = quote::format_ident!("__unbound{}", closures.len());
                args.push(quote!(#unbound));
                closures.push(passed_closure(c, closures.len())?);
                name.push_str(&format!("_{n}"));
            }
            arg => args.push(quote!(#arg)),
        }
    }
    let (path, name) = (&function.path, Ident::new(&name, call.func.span()));
    let hosts = closures.iter().map(|c| &c.host);
    let built = quote!(<#path>::#name(#(#args,)* #(#hosts,)*));
    let built = match unsafety {
        Some(token) => quote!(#token { #built }),
        None => built,
    };
    Ok(Some(in_scope(&closures, built, then)))
}

/// The closure that `e` is, and the `unsafe` of a block around it.
fn kernel_of(e: &Expr) -> Option<(&ExprClosure, Option<Token![unsafe]>)> {
    match e {
        Expr::Closure(c) => Some((c, None)),
        Expr::Paren(e) => kernel_of(&e.expr),
        Expr::Group(e) => kernel_of(&e.expr),
        Expr::Unsafe(u) => match u.block.stmts.as_slice() {
            [Stmt::Expr(Expr::Closure(c), None)] => Some((c, Some(u.unsafe_token))),
            _ => None,
        },
        _ => None,
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
        // A variable that holds a call is as good as a call.
        _ => Ok(()),
    }
}

impl Launch {
    fn expand(&self) -> syn::Result<TokenStream> {
        let Launch {
            queue,
            call,
            extent,
            local,
        } = self;
        let kernel = match kernel_of(call) {
            Some((closure, unsafety)) => Some(closure_kernel(closure, unsafety)?),
            None => None,
        };
        let grid = |e: &Expr| quote!(::gridfn::__private::IntoGrid::into_grid(#e));
        // A closure's indices tell the dimensions of its grid.
        let whole = |e: &Expr| match &kernel {
            Some(kernel) => {
                let (n, span) = (kernel.dimensions, super::mixed(e.span()));
                quote_spanned!(span=> ::gridfn::__private::grid_of::<#n, _>(#e))
            }
            None => grid(e),
        };
        let extent = match extent {
            Extent::Items(e) => {
                let grid = whole(e);
                quote!(::gridfn::__private::Extent::Items(#grid))
            }
            Extent::Groups(e) => {
                let grid = whole(e);
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
        // The user's own names must not be hidden by these.
        let [request, result] = ["__request", "__result"].map(|name| Ident::new(name, Span::mixed_site()));
        // An error about the method is one about the queue.
        let launch = Ident::new("__launch", super::mixed(queue.span()));
        let launched = match kernel {
            Some(ClosureKernel { setup, name, .. }) => quote!({
                #setup
                // A statement of its own, so that nothing borrows the closure when it is dropped.
                let #result = (#queue).#launch(#request, &mut #name);
                #result
            }),
            // But a closure that does not fit is told at the whole, and at the same place only once.
            None => match call_with_closures(call, |call| quote!((#queue).__launch(#request, #call)))? {
                Some(launched) => launched,
                None => quote!((#queue).#launch(#request, #call)),
            },
        };
        // The grid comes first: the call may borrow what the grid reads.
        Ok(quote! {
            match (::gridfn::__private::Request { extent: #extent, local: #local }) {
                #request => {
                    #[allow(unused_imports)]
                    use ::gridfn::__private::LaunchOn as _;
                    #launched
                }
            }
        })
    }
}
