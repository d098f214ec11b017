//! Local arrays: `[0.0; n]`, `[a, b]`, `vec![x; n]`, `Array2::zeros((n, m))`, and copies of parts of arrays.

use super::Converter;
use super::expr::plain;
use super::scope::{Form, View};
use crate::offload::ast::{Expr as Ast, ExprKind, Neutral, Scalar, Stmt, StmtKind, shown};
use quote::ToTokens;
use syn::{Expr, ExprCall, GenericArgument, PathArguments, Type};

/// A local array as it is written: its sizes, what fills it, and elements that differ.
pub struct Made {
    ty: Option<Scalar>,
    dims: Vec<Ast>,
    fill: Ast,
    elements: Vec<Ast>,
    form: Form,
    /// Whether an array of ndarray has its rows dense, as is not known of copies.
    rows_dense: bool,
}

impl Made {
    /// These numbers, with zero before they are stored.
    pub fn listed(elements: Vec<Ast>, len: Ast, zero: Ast) -> Self {
        Self { elements, ..Self::filled(None, vec![len], zero, Form::Fixed) }
    }

    /// An array of which all elements are the same.
    pub fn filled(ty: Option<Scalar>, dims: Vec<Ast>, fill: Ast, form: Form) -> Self {
        Self { ty, dims, fill, elements: Vec::new(), form, rows_dense: false }
    }

    /// The same with dense rows.
    pub fn in_order(self) -> Self {
        Self { rows_dense: true, ..self }
    }
}

impl Converter {
    /// A local array, under a name that is like this one.
    pub fn array_local(
        &mut self,
        shown: &str,
        mutable: bool,
        made: Made,
        at: &impl ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Option<View> {
        let own = self.fresh(shown);
        self.array_named(own, mutable, made, at, out)
    }

    /// The same under this name of the loop AST.
    pub fn array_named(
        &mut self,
        own: String,
        mutable: bool,
        made: Made,
        at: &impl ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Option<View> {
        let span = self.span(at);
        let Made { ty, dims, fill, elements, form, rows_dense } = made;
        let held: Vec<String> = elements.into_iter().map(|value| self.hold(value, "held", at, out)).collect();
        let view = View { mutable, changes: mutable, ..View::whole(own.clone(), dims.len(), form) };
        let sizes: Vec<usize> = dims.iter().map(|size| constant(size).unwrap_or(1)).collect();
        let name = self.named(&own, at);
        // Rust has checked what may be stored into; here it is filled.
        if rows_dense {
            self.in_order.push(own.clone());
        }
        out.push(Stmt { kind: StmtKind::LetArray { name, ty, mutable: true, dims, fill }, span });
        for (number, held) in held.into_iter().enumerate() {
            let subs = numbered(number, &sizes).into_iter().map(|sub| self.made(ExprKind::Int(sub as i128, None), at));
            let subs = subs.collect();
            let element = self.element_of(&view, subs, at);
            let value = self.variable(&held, at);
            out.push(self.stored(element, None, value, at)?);
        }
        Some(view)
    }

    /// A copy of a part of an array: an array of its shape, and a loop that fills it.
    pub fn copy_of(
        &mut self,
        source: &View,
        form: Form,
        at: &impl ToTokens,
        mutable: bool,
        out: &mut Vec<Stmt>,
    ) -> Option<View> {
        let dims = (0..source.free().len()).map(|axis| self.extent_of(source, axis, at)).collect();
        let fill = self.made(ExprKind::Neutral(Neutral::Zero), at);
        let shown = shown(&source.array).to_owned();
        let view = self.array_local(&shown, mutable, Made::filled(None, dims, fill, form), at, out)?;
        self.made_straight(&view, vec![source.clone()]);
        self.each(&view, None, at, out, |this, counters| this.counted(source, counters, at))?;
        Some(view)
    }

    /// The local array that an expression makes.
    pub fn array_of(&mut self, value: &Expr, ty: Option<&Type>) -> Option<Made> {
        match plain(value) {
            Expr::Repeat(repeat) => {
                let len = self.expr(&repeat.len)?;
                let before = self.problems.len();
                let inner = self.array_of(&repeat.expr, None);
                if self.problems.len() > before {
                    return None;
                }
                if let Some(inner) = inner {
                    let dims = std::iter::once(len).chain(inner.dims).collect();
                    if !inner.elements.is_empty() {
                        let help = "write all elements, or store them in a loop";
                        self.refuse(value, "a list that is repeated is not taken", help);
                    }
                    let ty = self.element_type(ty)?.or(inner.ty);
                    return Some(Made { ty, dims, ..inner });
                }
                let fill = self.expr(&repeat.expr)?;
                let ty = self.element_type(ty)?;
                Some(Made::filled(ty, vec![len], fill, Form::Fixed))
            }
            Expr::Array(list) if !list.elems.is_empty() => {
                let (dims, elements) = self.listed(list)?;
                let ty = self.element_type(ty)?;
                // All elements are stored afterwards, and tell the class.
                let fill = self.made(ExprKind::Neutral(Neutral::Zero), list);
                Some(Made { elements, ..Made::filled(ty, dims, fill, Form::Fixed) })
            }
            Expr::Macro(call) if call.mac.path.is_ident("vec") && !self.outer.has_macro("vec") => {
                let repeat: syn::Result<Expr> = syn::parse2(bracketed(&call.mac.tokens));
                let made = self.array_of(&repeat.ok()?, ty)?;
                Some(Made { form: Form::Vector, ..made })
            }
            Expr::Call(call) => self.array_call(call, ty),
            _ => None,
        }
    }

    /// The class of elements that a declared type names; `None` within if it leaves it open.
    pub fn element_type(&mut self, ty: Option<&Type>) -> Option<Option<Scalar>> {
        let Some(ty) = ty else { return Some(None) };
        let (written, place) = self.resolved(ty);
        let found = self.at_place(place, |this| this.elements_of(&written));
        if found.is_none() {
            let help = "write it out, as in `[f64; 3]`, `Vec<f64>` or `Array1<f64>`";
            self.refuse(ty, "the type of this array's elements is not known", help);
        }
        found
    }

    fn elements_of(&mut self, ty: &Type) -> Option<Option<Scalar>> {
        let element = match ty {
            Type::Array(array) => &*array.elem,
            Type::Slice(slice) => &*slice.elem,
            Type::Path(path) => match &path.path.segments.last()?.arguments {
                PathArguments::AngleBracketed(args) => args.args.iter().find_map(|arg| match arg {
                    GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                })?,
                PathArguments::None | PathArguments::Parenthesized(_) => return None,
            },
            Type::Infer(_) => return Some(None),
            _ => return None,
        };
        match (element, self.scalar_type(element)) {
            (Type::Infer(_), _) => Some(None),
            (_, Some(scalar)) => Some(Some(scalar)),
            (inner, None) => {
                let (inner, place) = self.resolved(inner);
                self.at_place(place, |this| this.elements_of(&inner))
            }
        }
    }

    /// The sizes and the elements of `[a, b]` or `[[a, b], [c, d]]`, rows first.
    fn listed(&mut self, list: &syn::ExprArray) -> Option<(Vec<Ast>, Vec<Ast>)> {
        let len = self.made(ExprKind::Int(list.elems.len() as i128, None), list);
        let (mut dims, mut elements) = (vec![len], Vec::new());
        for element in &list.elems {
            match plain(element) {
                Expr::Array(row) => {
                    let (inner, row) = self.listed(row)?;
                    dims.splice(1.., inner);
                    elements.extend(row);
                }
                number => elements.push(self.expr(number)?),
            }
        }
        Some((dims, elements))
    }

    /// The sizes of a shape.
    pub fn sizes(&mut self, shape: &Expr) -> Option<Vec<Ast>> {
        match plain(shape) {
            Expr::Tuple(sizes) => sizes.elems.iter().map(|size| self.expr(size)).collect(),
            Expr::Array(sizes) => sizes.elems.iter().map(|size| self.expr(size)).collect(),
            other => match self.dim(other) {
                Some(sizes) => Some(sizes),
                None => Some(vec![self.expr(other)?]),
            },
        }
    }

    /// `Array2::<f64>::zeros((n, m))` and its like.
    fn array_call(&mut self, call: &ExprCall, ty: Option<&Type>) -> Option<Made> {
        let Expr::Path(path) = plain(&call.func) else { return None };
        let segments: Vec<&syn::PathSegment> = path.path.segments.iter().collect();
        let [.., class, maker] = segments[..] else { return None };
        if !class.ident.to_string().starts_with("Array") {
            return None;
        }
        let named = match &class.arguments {
            PathArguments::AngleBracketed(args) => args.args.iter().find_map(|arg| match arg {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            }),
            PathArguments::None | PathArguments::Parenthesized(_) => None,
        };
        let ty = match named {
            None | Some(Type::Infer(_)) => self.element_type(ty)?,
            Some(named) => {
                let scalar = self.scalar_type(named);
                if scalar.is_none() {
                    self.refuse(
                        named,
                        "the type of this array's elements is not known",
                        "name one of Rust's types of numbers",
                    );
                    return None;
                }
                scalar
            }
        };
        let maker = maker.ident.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        let (shape, fill) = match (&maker[..], &args[..]) {
            ("zeros", [shape]) => (shape, self.made(ExprKind::Neutral(Neutral::Zero), call)),
            ("ones", [shape]) => (shape, self.made(ExprKind::Neutral(Neutral::One), call)),
            ("from_elem", [shape, value]) => (shape, self.expr(value)?),
            _ => return None,
        };
        let dims = self.sizes(shape)?;
        Some(Made::filled(ty, dims, fill, Form::Ndarray).in_order())
    }
}

/// The subscripts of an element by its number, rows first.
fn numbered(number: usize, sizes: &[usize]) -> Vec<usize> {
    let mut rest = number;
    let mut subs: Vec<usize> = Vec::new();
    for size in sizes.iter().rev() {
        subs.insert(0, rest % size.max(&1));
        rest /= size.max(&1);
    }
    subs
}

fn constant(size: &Ast) -> Option<usize> {
    match size.kind {
        ExprKind::Int(number, _) => usize::try_from(number).ok(),
        _ => None,
    }
}

/// The contents of `vec![..]` as an array expression.
fn bracketed(tokens: &proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    quote::quote!([#tokens])
}
