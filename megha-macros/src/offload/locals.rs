//! `let`: numbers, tuples of them, local arrays, names for parts of arrays.

use super::Converter;
use super::expr::plain;
use super::scope::{Meaning, View};
use megha_core::offload::ast::{Expr as Ast, ExprKind, Ident, Neutral, Scalar, Stmt, StmtKind};
use syn::{Expr, ExprCall, ExprMethodCall, GenericArgument, Local, Pat, PatIdent, PathArguments, Type};

/// A local array as it is written: its sizes, what fills it, and elements that differ.
struct Made {
    ty: Option<Scalar>,
    dims: Vec<Ast>,
    fill: Ast,
    elements: Vec<Ast>,
}

impl Converter {
    /// A declaration.
    pub fn local(&mut self, local: &Local, out: &mut Vec<Stmt>) {
        let (pat, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        if local.init.as_ref().is_some_and(|init| init.diverge.is_some()) {
            return self.refuse(local, "`let .. else` is not taken", "test the value with `if`");
        }
        let value = local.init.as_ref().map(|init| &*init.expr);
        match pat {
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                self.name_local((name, ty, value), local, out)
            }
            Pat::Tuple(tuple) => self.tuple_local(tuple, ty, value, out),
            Pat::Wild(_) => self.refuse(local, "a value that nothing uses is not taken", "leave the statement out"),
            other => self.refuse(other, "`let` takes a name, or a tuple of names", "write one `let` for each name"),
        }
    }

    fn name_local(
        &mut self,
        (name, ty, value): (&PatIdent, Option<&Type>, Option<&Expr>),
        local: &Local,
        out: &mut Vec<Stmt>,
    ) {
        let Some(value) = value else { return self.number((name, ty), None, local, out) };
        if let Some(made) = self.array_of(value, ty) {
            return self.array_local(name, made, local, out);
        }
        if let Expr::MethodCall(call) = plain(value)
            && matches!(&call.method.to_string()[..], "to_owned" | "clone" | "to_vec")
            && self.is_array(&call.receiver)
        {
            return self.copied(name, call, local, out);
        }
        if self.is_array(value) {
            match self.known_view(value, &mut Some(out)) {
                Some(view) => self.scope.push((name.ident.to_string(), Meaning::Array(view))),
                None => self.refuse(value, "this part of an array is not taken", "use the elements"),
            }
            return;
        }
        let value = self.expr(value);
        if value.is_none() {
            self.declare(&name.ident);
            self.scalar_of(ty);
            return;
        }
        self.number((name, ty), value, local, out);
    }

    fn scalar_of(&mut self, ty: Option<&Type>) -> Option<Option<Scalar>> {
        let Some(ty) = ty.filter(|ty| !matches!(ty, Type::Infer(_))) else { return Some(None) };
        let inner = if let Type::Reference(reference) = ty { &reference.elem } else { ty };
        let scalar = self.scalar_type(inner);
        if scalar.is_none() {
            let help = "numbers, arrays of a fixed size and `Array::zeros` are taken";
            self.refuse(ty, "a local variable of this type is not taken", help);
        }
        scalar.map(Some)
    }

    fn number(&mut self, (name, ty): (&PatIdent, Option<&Type>), value: Option<Ast>, at: &Local, out: &mut Vec<Stmt>) {
        let span = self.span(at);
        let scalar = self.scalar_of(ty);
        let (own, mutable) = (self.declare(&name.ident), name.mutability.is_some());
        if let Some(ty) = scalar {
            out.push(Stmt { kind: StmtKind::Let { name: own, ty, mutable, value }, span });
        }
    }

    /// `let (a, b) = (x, y);`, of the sizes of an array, or of sine and cosine: all values are computed before a name is declared.
    fn tuple_local(&mut self, tuple: &syn::PatTuple, ty: Option<&Type>, value: Option<&Expr>, out: &mut Vec<Stmt>) {
        let types: Vec<Option<&Type>> = match ty {
            Some(Type::Tuple(types)) => types.elems.iter().map(Some).collect(),
            _ => vec![None; tuple.elems.len()],
        };
        let Some(value) = value else {
            for (pat, ty) in tuple.elems.iter().zip(types) {
                self.tuple_name(pat, ty, None, out);
            }
            return;
        };
        if let Expr::Tuple(values) = plain(value)
            && values.elems.len() == tuple.elems.len()
        {
            return self.tuple_of(tuple, &types, values, out);
        }
        let Some(values) = self.tuple_values(value, out) else { return };
        if values.len() != tuple.elems.len() {
            let message = format!("{} names for {} values", tuple.elems.len(), values.len());
            self.refuse(tuple, message, "name each of them");
            return;
        }
        let held: Vec<String> = values.into_iter().map(|value| self.hold(value, "held", tuple, out)).collect();
        for ((pat, ty), held) in tuple.elems.iter().zip(types).zip(held) {
            let value = self.variable(&held, pat);
            self.tuple_name(pat, ty, Some(value), out);
        }
    }

    fn tuple_of(
        &mut self,
        tuple: &syn::PatTuple,
        types: &[Option<&Type>],
        values: &syn::ExprTuple,
        out: &mut Vec<Stmt>,
    ) {
        let mut held = Vec::new();
        for value in &values.elems {
            if self.is_array(value) {
                held.push(self.known_view(value, &mut Some(out)).map(Meaning::Array));
                continue;
            }
            let value = self.expr(value);
            held.push(value.map(|value| Meaning::Number(self.hold(value, "held", tuple, out))));
        }
        for ((pat, ty), held) in tuple.elems.iter().zip(types).zip(held) {
            match (held, pat) {
                (Some(Meaning::Number(own)), _) => {
                    let value = self.variable(&own, pat);
                    self.tuple_name(pat, *ty, Some(value), out);
                }
                (Some(meaning), Pat::Ident(name)) => self.scope.push((name.ident.to_string(), meaning)),
                _ => {}
            }
        }
    }

    fn tuple_name(&mut self, pat: &Pat, ty: Option<&Type>, value: Option<Ast>, out: &mut Vec<Stmt>) {
        let span = self.span(pat);
        match pat {
            Pat::Ident(name) if name.subpat.is_none() => {
                let Some(ty) = self.scalar_of(ty) else { return };
                let (name, mutable) = (self.declare(&name.ident), name.mutability.is_some());
                out.push(Stmt { kind: StmtKind::Let { name, ty, mutable, value }, span });
            }
            Pat::Wild(_) => {}
            other => self.refuse(other, "`let` takes a name, or a tuple of names", "write one `let` for each name"),
        }
    }

    /// The values of a call that gives several.
    fn tuple_values(&mut self, value: &Expr, out: &mut Vec<Stmt>) -> Option<Vec<Ast>> {
        if let Some(sizes) = self.dim(value) {
            return Some(sizes);
        }
        if let Expr::MethodCall(call) = plain(value)
            && call.method == "sin_cos"
            && call.args.is_empty()
        {
            let receiver = self.expr(&call.receiver)?;
            let held = self.hold(receiver, "angle", call, out);
            let each = ["sin", "cos"].map(|method| {
                let receiver = Box::new(self.variable(&held, call));
                let method = Ident { text: method.to_owned(), span: self.span(&call.method) };
                self.made(ExprKind::Method { receiver, method, args: Vec::new() }, call)
            });
            return Some(each.into());
        }
        let help = "tuples, `a.dim()` and `x.sin_cos()` are taken; give other values one name each";
        self.refuse(value, "this is not taken as a tuple", help);
        None
    }

    fn array_local(&mut self, name: &PatIdent, made: Made, at: &Local, out: &mut Vec<Stmt>) {
        let span = self.span(at);
        let rank = made.dims.len();
        let held: Vec<String> = made.elements.into_iter().map(|value| self.hold(value, "held", at, out)).collect();
        let own = self.declare(&name.ident);
        let view = View::whole(own.text.clone(), rank);
        self.scope.pop();
        self.scope.push((name.ident.to_string(), Meaning::Array(view.clone())));
        let Made { ty, dims, fill, .. } = made;
        let sizes: Vec<usize> = dims.iter().map(|size| constant(size).unwrap_or(1)).collect();
        // Rust has checked what may be stored into; here it is filled.
        let mutable = true;
        out.push(Stmt { kind: StmtKind::LetArray { name: own, ty, mutable, dims, fill }, span });
        for (number, held) in held.into_iter().enumerate() {
            let subs = numbered(number, &sizes).into_iter().map(|sub| self.made(ExprKind::Int(sub as i128, None), at));
            let subs = subs.collect();
            let element = self.element_of(&view, subs, at);
            let value = self.variable(&held, at);
            out.extend(self.stored(element, None, value, at));
        }
    }

    /// `a.to_owned()` and its like: an array of this shape, and a loop that fills it.
    fn copied(&mut self, name: &PatIdent, call: &ExprMethodCall, at: &Local, out: &mut Vec<Stmt>) {
        let Some(source) = self.known_view(&call.receiver, &mut Some(out)) else {
            self.refuse(&call.receiver, "this part of an array is not taken", "use the elements");
            return;
        };
        let dims = (0..source.free().len()).map(|axis| self.extent_of(&source, axis, call)).collect();
        let fill = self.made(ExprKind::Neutral(Neutral::Zero), call);
        let made = Made { ty: None, dims, fill, elements: Vec::new() };
        self.array_local(name, made, at, out);
        let Some(Meaning::Array(view)) = self.meaning(&name.ident.to_string()).cloned() else { return };
        let stmts = self.over(&view, call, |this, counters| {
            let element = this.counted(&view, counters, call);
            let value = this.counted(&source, counters, call);
            this.stored(element, None, value, call).map(|stmt| vec![stmt])
        });
        out.extend(stmts.into_iter().flatten());
    }

    /// The local array that an expression makes.
    fn array_of(&mut self, value: &Expr, ty: Option<&Type>) -> Option<Made> {
        match plain(value) {
            Expr::Repeat(repeat) => {
                let len = self.expr(&repeat.len)?;
                if let Some(inner) = self.array_of(&repeat.expr, None) {
                    let dims = std::iter::once(len).chain(inner.dims).collect();
                    return inner.elements.is_empty().then_some(Made { dims, ..inner });
                }
                let fill = self.expr(&repeat.expr)?;
                Some(Made { ty: element_type(self, ty), dims: vec![len], fill, elements: Vec::new() })
            }
            Expr::Array(list) if !list.elems.is_empty() => {
                let (dims, elements) = self.listed(list)?;
                let ty = element_type(self, ty);
                // All elements are stored afterwards, and tell the class.
                let fill = self.made(ExprKind::Neutral(Neutral::Zero), list);
                Some(Made { ty, dims, fill, elements })
            }
            Expr::Macro(call) if call.mac.path.is_ident("vec") => {
                let repeat: syn::Result<Expr> = syn::parse2(bracketed(&call.mac.tokens));
                let repeat = repeat.ok()?;
                self.array_of(&repeat, ty)
            }
            Expr::Call(call) => self.array_call(call, ty),
            _ => None,
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
                GenericArgument::Type(ty) => self.scalar_type(ty),
                _ => None,
            }),
            _ => None,
        };
        let ty = named.or_else(|| element_type(self, ty));
        let maker = maker.ident.to_string();
        let dims = |this: &mut Self, shape: &Expr| -> Option<Vec<Ast>> {
            match plain(shape) {
                Expr::Tuple(sizes) => sizes.elems.iter().map(|size| this.expr(size)).collect(),
                Expr::Array(sizes) => sizes.elems.iter().map(|size| this.expr(size)).collect(),
                other => match this.dim(other) {
                    Some(sizes) => Some(sizes),
                    None => Some(vec![this.expr(other)?]),
                },
            }
        };
        let args: Vec<&Expr> = call.args.iter().collect();
        let (shape, fill) = match (&maker[..], &args[..]) {
            ("zeros", [shape]) => (shape, self.made(ExprKind::Neutral(Neutral::Zero), call)),
            ("ones", [shape]) => (shape, self.made(ExprKind::Neutral(Neutral::One), call)),
            ("from_elem", [shape, value]) => (shape, self.expr(value)?),
            _ => return None,
        };
        Some(Made { ty, dims: dims(self, shape)?, fill, elements: Vec::new() })
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

/// The class of elements that a declared type names.
fn element_type(converter: &mut Converter, ty: Option<&Type>) -> Option<Scalar> {
    match ty? {
        Type::Array(array) => element_type(converter, Some(&array.elem)).or_else(|| converter.scalar_type(&array.elem)),
        Type::Path(path) => match &path.path.segments.last()?.arguments {
            PathArguments::AngleBracketed(args) => args.args.iter().find_map(|arg| match arg {
                GenericArgument::Type(ty) => converter.scalar_type(ty),
                _ => None,
            }),
            _ => None,
        },
        _ => None,
    }
}

/// The contents of `vec![..]` as an array expression.
fn bracketed(tokens: &proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    quote::quote!([#tokens])
}
