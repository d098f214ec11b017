//! `let`: numbers, tuples of them, names for arrays and parts of them.

use super::Converter;
use super::expr::plain;
use super::iterate::Item;
use super::optional::Found;
use super::scope::{Form, Meaning, View};
use crate::offload::ast::{Block, Expr as Ast, ExprKind, Ident, Scalar, Stmt, StmtKind};
use syn::{Expr, Local, Pat, PatIdent, Type};

impl Converter {
    /// A declaration.
    pub fn local(&mut self, local: &Local, out: &mut Vec<Stmt>) -> Option<()> {
        let (pat, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        if let Some(init) = &local.init
            && let Some((_, els)) = &init.diverge
        {
            return self.let_else(pat, &init.expr, els, out);
        }
        let value = local.init.as_ref().map(|init| &*init.expr);
        match pat {
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                self.name_local((name, ty, value), local, out)
            }
            Pat::Tuple(tuple) => self.tuple_local(tuple, ty, value, out),
            Pat::Slice(list) if value.is_some() => self.list_local(list, value?, out),
            Pat::Wild(_) => self.unused(value, out),
            other => {
                self.refuse(other, "`let` takes a name, or a tuple of names", "write one `let` for each name");
                None
            }
        }
    }

    /// `let _ = value;` and `_ = value;`: what computing it may do is done.
    pub fn unused(&mut self, value: Option<&Expr>, out: &mut Vec<Stmt>) -> Option<()> {
        let Some(value) = value.filter(|value| !self.is_array(value)) else { return Some(()) };
        if let Expr::Tuple(tuple) = plain(value) {
            return tuple.elems.iter().try_for_each(|value| self.unused(Some(value), out));
        }
        if let Some(numbers) = self.tuple_numbers(value) {
            return numbers.map(|_| ());
        }
        let unused = self.expr(value)?;
        self.hold(unused, "unused", value, out);
        Some(())
    }

    fn name_local(
        &mut self,
        (name, ty, value): (&PatIdent, Option<&Type>, Option<&Expr>),
        local: &Local,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let Some(value) = value else { return self.number((name, ty), None, local, out) };
        if self.closure_local(&name.ident, value) {
            return Some(());
        }
        let before = self.problems.len();
        let made = self.array_of(value, ty);
        if made.is_none() && self.problems.len() > before {
            // Nothing follows from what is wrong with it.
            let own = self.fresh(&name.ident.to_string());
            self.mean(&name.ident, Meaning::Array(View::whole(own, 1, Form::Fixed)));
            return None;
        }
        if let Some(made) = made {
            let view = self.array_local(&name.ident.to_string(), name.mutability.is_some(), made, local, out)?;
            self.mean(&name.ident, Meaning::Array(view));
            return Some(());
        }
        if let Some(view) = self.new_array(value, ty, name.mutability.is_some(), out) {
            let Some(view) = view else {
                // Nothing follows from what is wrong with it.
                let own = self.fresh(&name.ident.to_string());
                self.mean(&name.ident, Meaning::Array(View::whole(own, 1, Form::Fixed)));
                return None;
            };
            self.mean(&name.ident, Meaning::Array(view));
            return Some(());
        }
        if self.is_elementwise(value) {
            let view = self.elementwise(value, name.mutability.is_some(), out)?;
            self.mean(&name.ident, Meaning::Array(view));
            return Some(());
        }
        if let Some(view) = self.array_given(value, name.mutability.is_some(), out) {
            self.mean(&name.ident, Meaning::Array(view?));
            return Some(());
        }
        if let Expr::MethodCall(call) = plain(value)
            && matches!(&call.method.to_string()[..], "to_owned" | "clone" | "to_vec")
            && self.is_array(&call.receiver)
        {
            let source = self.part(&call.receiver, out)?;
            let form = if call.method == "to_vec" { Form::Vector } else { source.form };
            let view = self.copy_of(&source, form, &name.ident, name.mutability.is_some(), out)?;
            self.mean(&name.ident, Meaning::Array(view));
            return Some(());
        }
        if self.is_array(value) {
            let view = self.bound_array(value, name.mutability.is_some(), out)?;
            self.mean(&name.ident, Meaning::Array(view));
            return Some(());
        }
        if let Some(lent) = self.lent(value) {
            self.mean(&name.ident, lent);
            return Some(());
        }
        if let Some(sizes) = self.shape(value) {
            let sizes =
                sizes.into_iter().map(|size| Item::Number(self.held_usize(size, &name.ident.to_string(), local, out)));
            let sizes = sizes.collect();
            self.mean(&name.ident, Meaning::Tuple(sizes));
            return Some(());
        }
        if let Some(done) = self.tuple_named((name, ty), value, out) {
            return done;
        }
        let scalar = ty.and_then(|ty| self.scalar_type(ty));
        let value = self.as_said(value, scalar);
        if value.is_none() {
            self.declare(&name.ident);
            self.scalar_of(ty);
            return None;
        }
        self.number((name, ty), value, local, out)
    }

    /// The part of an array that an expression is, which may take statements.
    pub fn part(&mut self, value: &Expr, out: &mut Vec<Stmt>) -> Option<View> {
        let before = self.problems.len();
        let view = self.known_view(value, &mut Some(out));
        if view.is_none() && self.problems.len() == before {
            self.refuse(value, "this part of an array is not taken", "use the elements");
        }
        view
    }

    /// What a name or parameter that is given an array means: a copy of what Rust copies, unless nobody can tell.
    pub fn bound_array(&mut self, value: &Expr, mutable: bool, out: &mut Vec<Stmt>) -> Option<View> {
        let view = self.part(value, out)?;
        match view.is_copied() && (view.changes || mutable) {
            true => self.copy_of(&view, Form::Fixed, value, mutable, out),
            false if view.lent => Some(view),
            // What is moved may be stored into from now on.
            false => Some(View { mutable, changes: view.changes || mutable, ..view }),
        }
    }

    /// What the name of a reference to a number means, given to another name.
    pub fn lent(&self, value: &Expr) -> Option<Meaning> {
        if let Expr::Field(_) = plain(value) {
            return match self.item_of(value)? {
                Item::Element { view, at, mutable: true } => Some(Meaning::Element(view.at(&at))),
                Item::Element { .. } | Item::Number(_) | Item::Line(_) | Item::Tuple(_) => None,
            };
        }
        match self.meaning(super::expr::name(value)?)? {
            lent @ (Meaning::Element(_) | Meaning::Lent(_)) => Some(lent.clone()),
            Meaning::Number(_) | Meaning::Array(_) | Meaning::Tuple(_) => None,
            Meaning::Function(_) | Meaning::Closure(_) | Meaning::Imported(_) => None,
        }
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

    fn number(
        &mut self,
        (name, ty): (&PatIdent, Option<&Type>),
        value: Option<Ast>,
        at: &Local,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let span = self.span(at);
        let scalar = self.scalar_of(ty);
        let (own, mutable) = (self.declare(&name.ident), name.mutability.is_some());
        out.push(Stmt { kind: StmtKind::Let { name: own, ty: scalar?, mutable, value }, span });
        Some(())
    }

    /// `let (a, b) = (x, y);`, of the sizes of an array, or of sine and cosine: all values are computed before a name is declared.
    fn tuple_local(
        &mut self,
        tuple: &syn::PatTuple,
        ty: Option<&Type>,
        value: Option<&Expr>,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let types: Vec<Option<&Type>> = match ty {
            Some(Type::Tuple(types)) => types.elems.iter().map(Some).collect(),
            _ => vec![None; tuple.elems.len()],
        };
        let Some(value) = value else {
            return tuple.elems.iter().zip(types).try_for_each(|(pat, ty)| self.tuple_name(pat, ty, None, out));
        };
        if let Expr::Tuple(values) = plain(value)
            && values.elems.len() == tuple.elems.len()
        {
            return self.tuple_of(tuple, &types, values, out);
        }
        if let Expr::MethodCall(call) = plain(value)
            && matches!(&call.method.to_string()[..], "split_at" | "split_at_mut")
            && call.args.len() == 1
            && self.is_array(&call.receiver)
        {
            let parts = self.split(call, out)?;
            return self.tuple_parts(tuple, parts);
        }
        let values = match self.has_ends(value) {
            true => self.several(value, tuple.elems.len(), out),
            false => self.tuple_values(value, out),
        };
        let Some(values) = values else {
            // Nothing follows from names without values.
            tuple.elems.iter().zip(types).try_for_each(|(pat, ty)| self.tuple_name(pat, ty, None, out))?;
            return None;
        };
        if values.len() != tuple.elems.len() {
            let message = format!("{} names for {} values", tuple.elems.len(), values.len());
            self.refuse(tuple, message, "name each of them");
            return None;
        }
        let held: Vec<String> = values.into_iter().map(|value| self.hold(value, "held", tuple, out)).collect();
        for ((pat, ty), held) in tuple.elems.iter().zip(types).zip(held) {
            let value = self.variable(&held, pat);
            self.tuple_name(pat, ty, Some(value), out)?;
        }
        Some(())
    }

    fn tuple_of(
        &mut self,
        tuple: &syn::PatTuple,
        types: &[Option<&Type>],
        values: &syn::ExprTuple,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let mut held = Vec::new();
        for (value, pat) in values.elems.iter().zip(&tuple.elems) {
            let mutable = matches!(pat, Pat::Ident(name) if name.mutability.is_some());
            held.push(if self.is_array(value) {
                self.bound_array(value, mutable, out).map(Meaning::Array)
            } else if let Some(lent) = self.lent(value) {
                Some(lent)
            } else {
                let value = self.expr(value);
                value.map(|value| Meaning::Number(self.hold(value, "held", tuple, out)))
            });
        }
        for ((pat, ty), held) in tuple.elems.iter().zip(types).zip(held) {
            match (held?, pat) {
                (_, Pat::Wild(_)) => {}
                (Meaning::Number(own), _) => {
                    let value = self.variable(&own, pat);
                    self.tuple_name(pat, *ty, Some(value), out)?;
                }
                (Meaning::Array(view), Pat::Slice(list)) => self.list_of(list, &view, out)?,
                (meaning, Pat::Ident(name)) if name.subpat.is_none() && name.by_ref.is_none() => {
                    self.mean(&name.ident, meaning);
                }
                (_, other) => {
                    self.refuse(other, "`let` takes a name, or a tuple of names", "write one `let` for each name");
                    return None;
                }
            }
        }
        Some(())
    }

    /// `let [a, b] = list;`
    fn list_local(&mut self, list: &syn::PatSlice, value: &Expr, out: &mut Vec<Stmt>) -> Option<()> {
        let Some(view) = self.array_argument(value, false, out) else {
            self.refuse(value, "this is no array that is known here", "give it a name before");
            return None;
        };
        self.list_of(list, &view, out)
    }

    /// Names for the elements of an array.
    fn list_of(&mut self, list: &syn::PatSlice, view: &View, out: &mut Vec<Stmt>) -> Option<()> {
        if list.elems.iter().any(|pat| matches!(pat, Pat::Rest(_))) {
            self.refuse(list, "a pattern with `..` is not taken here", "name each element, or use subscripts");
            return None;
        }
        if view.free().len() != 1 || view.lent && view.mutable {
            self.refuse(list, "names are given to numbers of an array of one dimension", "use subscripts");
            return None;
        }
        let mut held = Vec::new();
        for at in 0..list.elems.len() {
            let sub = self.made(ExprKind::Int(at as i128, None), list);
            let element = self.element_by(view, vec![sub], list);
            held.push(self.hold(element, "held", list, out));
        }
        for (pat, held) in list.elems.iter().zip(held) {
            let value = self.variable(&held, pat);
            self.tuple_name(pat, None, Some(value), out)?;
        }
        Some(())
    }

    /// `let Some(x) = .. else { .. };`
    fn let_else(&mut self, pat: &Pat, value: &Expr, els: &Expr, out: &mut Vec<Stmt>) -> Option<()> {
        let (Some(inner), Expr::Block(els)) = (super::if_let::in_some(pat), els) else {
            self.refuse(
                pat,
                "this pattern is not taken before `else`",
                "write `let Some(x) = ..`, or test the value with `if`",
            );
            return None;
        };
        let mut first = Vec::new();
        let Found { found, passed } = self.found(value, out, &mut first)?;
        let (cond, els, span) = (self.variable(&found, value), self.block(&els.block), self.span(value));
        out.push(Stmt { kind: StmtKind::If { cond, then: Block::default(), els }, span });
        out.append(&mut first);
        self.bind_passed(inner, &passed, out)
    }

    /// Names for parts of an array.
    fn tuple_parts(&mut self, tuple: &syn::PatTuple, parts: [View; 2]) -> Option<()> {
        for (pat, part) in tuple.elems.iter().zip(parts) {
            match pat {
                Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                    self.mean(&name.ident, Meaning::Array(part));
                }
                Pat::Wild(_) => {}
                other => {
                    self.refuse(other, "`let` takes a name, or a tuple of names", "write one `let` for each name");
                    return None;
                }
            }
        }
        Some(())
    }

    fn tuple_name(&mut self, pat: &Pat, ty: Option<&Type>, value: Option<Ast>, out: &mut Vec<Stmt>) -> Option<()> {
        let span = self.span(pat);
        match pat {
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                let ty = self.scalar_of(ty)?;
                let (name, mutable) = (self.declare(&name.ident), name.mutability.is_some());
                out.push(Stmt { kind: StmtKind::Let { name, ty, mutable, value }, span });
                Some(())
            }
            Pat::Wild(_) => Some(()),
            other => {
                self.refuse(other, "`let` takes a name, or a tuple of names", "write one `let` for each name");
                None
            }
        }
    }

    /// The values of a call that gives several.
    pub fn tuple_values(&mut self, value: &Expr, out: &mut Vec<Stmt>) -> Option<Vec<Ast>> {
        if let Some(sizes) = self.dim(value) {
            return Some(sizes);
        }
        if let Some(numbers) = self.tuple_numbers(value) {
            return numbers;
        }
        if let Some(numbers) = self.optional_numbers(value, out) {
            return numbers;
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
        if let Expr::MethodCall(call) = plain(value)
            && let Some([wrapping, checked]) = overflowing(call)
        {
            // What comes out, and whether it is not the exact result.
            let (a, b) = (self.expr(&call.receiver)?, self.expr(call.args.first()?)?);
            let (a, b) = (self.hold(a, "left", call, out), self.hold(b, "right", call, out));
            let [value, fits] = [wrapping, checked].map(|method| {
                let (a, b) = (self.variable(&a, call), self.variable(&b, call));
                self.method_of(a, method, b, call)
            });
            let wraps = self.made(ExprKind::Not(Box::new(fits)), call);
            return Some(vec![value, wraps]);
        }
        let help =
            "tuples, `a.dim()`, `x.sin_cos()` and `x.overflowing_add(y)` are taken; give other values one name each";
        self.refuse(value, "this is not taken as a tuple", help);
        None
    }
}

/// The methods that give the number and say whether it is exact, of `overflowing_add` and its like.
pub fn overflowing(call: &syn::ExprMethodCall) -> Option<[&'static str; 2]> {
    match (&call.method.to_string()[..], call.args.len()) {
        ("overflowing_add", 1) => Some(["wrapping_add", "checked_add"]),
        ("overflowing_sub", 1) => Some(["wrapping_sub", "checked_sub"]),
        ("overflowing_mul", 1) => Some(["wrapping_mul", "checked_mul"]),
        _ => None,
    }
}
