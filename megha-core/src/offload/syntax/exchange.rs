//! `std::mem::swap`: of numbers and elements, of arrays, and of names for arrays.
//!
//! Arrays that a function owns, or that two `&mut` parameters refer to, exchange their contents. Two parameters that are views or
//! references themselves exchange what they refer to, and the caller's arrays stay where they are: the loop AST exchanges the contents all
//! the same, keeps a `bool` of whether they are exchanged now, and puts them back before each end of the function.

use super::Converter;
use super::expr::{name, plain};
use super::names::{Found, Space};
use super::outer::words;
use super::scope::{Meaning, View};
use crate::offload::ast::{Block, ExprKind, Place, Scalar, Stmt, StmtKind};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ExprCall, ExprTuple};

/// An array, its name, and whether what is exchanged is what that name refers to.
type Named = (View, String, bool);

/// Two parameters that exchange what they refer to.
pub struct Exchanged {
    arrays: [String; 2],
    /// The variable that says whether they have.
    swapped: String,
    at: TokenStream,
}

impl Converter {
    /// Whether a call is of `std::mem::swap`.
    pub fn is_swap(&self, call: &ExprCall) -> bool {
        let Expr::Path(path) = plain(&call.func) else { return false };
        let full = self.full_path(&words(&path.path));
        let full = match self.resolve(&full, Space::Value) {
            Found::Elsewhere(path) => path,
            Found::Unclear if self.module().is_none() => full,
            Found::Item(..) | Found::Missing | Found::Unclear => return false,
        };
        let full: Vec<&str> = full.iter().map(|word| &word[..]).collect();
        matches!(full[..], ["std" | "core", "mem", "swap"] | ["mem", "swap"]) && call.args.len() == 2
    }

    /// A call of `std::mem::swap`.
    pub fn mem_swap(&mut self, call: &ExprCall, out: &mut Vec<Stmt>) -> Option<()> {
        let [a, b] = [&call.args[0], &call.args[1]];
        match [a, b].map(|arg| self.swapped_array(arg)) {
            [Some(a), Some(b)] => self.swap_arrays(a, b, call, out),
            [None, None] => self.swap_places(a, b, call, out),
            [Some(_), None] | [None, Some(_)] => {
                self.refuse(call, "what is exchanged here is not of one kind", "swap two arrays, or two numbers");
                None
            }
        }
    }

    /// The array that an argument of `swap` is about, its name, and whether it is a view or reference of a name that is exchanged.
    fn swapped_array(&mut self, arg: &Expr) -> Option<Named> {
        let (place, by_name) = match plain(arg) {
            Expr::Reference(reference) if reference.mutability.is_some() => (plain(&reference.expr), true),
            other => (other, false),
        };
        let name = name(place)?;
        match self.meaning(name)? {
            Meaning::Array(view) => Some((view.clone(), name.to_string(), by_name && view.lent)),
            Meaning::Number(_) | Meaning::Lent(_) | Meaning::Element(_) | Meaning::Tuple(_) => None,
            Meaning::Function(_) | Meaning::Closure(_) | Meaning::Imported(_) => None,
        }
    }

    /// The arrays in `(a, b) = (b, a)`.
    pub fn exchange_of(&mut self, places: &ExprTuple, values: &ExprTuple) -> Option<[Named; 2]> {
        let both = |list: &ExprTuple| match (list.elems.len(), list.elems.first(), list.elems.last()) {
            (2, Some(a), Some(b)) => Some([name(a)?.clone(), name(b)?.clone()]),
            _ => None,
        };
        let ([a, b], [c, d]) = (both(places)?, both(values)?);
        if a != d || b != c {
            return None;
        }
        let named = |this: &Self, name: &syn::Ident| match this.meaning(name)? {
            Meaning::Array(view) => Some((view.clone(), name.to_string(), view.lent)),
            Meaning::Number(_) | Meaning::Lent(_) | Meaning::Element(_) | Meaning::Tuple(_) => None,
            Meaning::Function(_) | Meaning::Closure(_) | Meaning::Imported(_) => None,
        };
        Some([named(self, &a)?, named(self, &b)?])
    }

    /// Exchanges two arrays, or what two names refer to.
    pub fn swap_arrays(
        &mut self,
        (a, first, first_by_name): Named,
        (b, second, second_by_name): Named,
        at: &impl ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let known = match (first_by_name, second_by_name) {
            // Names for arrays: there may be others of the same arrays, unless these are the parameters.
            (true, true) => self.is_parameter(&a, &first) && self.is_parameter(&b, &second),
            (false, false) => ![&a, &b].iter().any(|view| self.lent_views.contains(&view.array)),
            (true, false) | (false, true) => false,
        };
        if !(known && a.is_whole() && b.is_whole() && a.mutable && b.mutable && a.array != b.array) {
            let help = "arrays of the function's own are, and `mut` parameters that are views or references; else exchange the elements";
            self.refuse(at, "these are not taken as arrays that are exchanged", help);
            return None;
        }
        let swap = self.swap_of([&a.array, &b.array], at);
        out.push(swap);
        if ![&a.array, &b.array].iter().all(|array| self.in_order.contains(array)) {
            self.exchanged_arrays.extend([a.array.clone(), b.array.clone()]);
        }
        if first_by_name {
            let swapped = self.exchanged([a.array, b.array], at)?;
            let toggled = self.toggle(&swapped, at);
            out.push(toggled);
        }
        Some(())
    }

    /// Whether a name is that of a parameter itself, and not of a variable or a helper's parameter that is called so.
    fn is_parameter(&self, view: &View, name: &String) -> bool {
        let is_only = self.scope.iter().filter(|known| known.is(name)).count() == 1;
        self.within == 0 && is_only && view.array == *name && self.parameters.contains(name)
    }

    fn swap_of(&mut self, [a, b]: [&str; 2], at: &impl ToTokens) -> Stmt {
        let (a, b) = (self.named(a, at), self.named(b, at));
        Stmt { kind: StmtKind::Swap(a, b), span: self.span(at) }
    }

    /// The variable that says whether two parameters are exchanged.
    fn exchanged(&mut self, arrays: [String; 2], at: &impl ToTokens) -> Option<String> {
        let same = |known: &Exchanged| known.arrays.iter().all(|array| arrays.contains(array));
        if let Some(known) = self.exchanges.iter().find(|known| same(known)) {
            return Some(known.swapped.clone());
        }
        if self.exchanges.iter().any(|known| known.arrays.iter().any(|array| arrays.contains(array))) {
            self.refuse(at, "a parameter is exchanged with one other only", "copy the elements");
            return None;
        }
        let swapped = self.fresh("swapped");
        self.exchanges.push(Exchanged { arrays, swapped: swapped.clone(), at: at.to_token_stream() });
        Some(swapped)
    }

    fn toggle(&mut self, swapped: &str, at: &impl ToTokens) -> Stmt {
        let (name, before) = (self.named(swapped, at), self.variable(swapped, at));
        let value = self.made(ExprKind::Not(Box::new(before)), at);
        let kind = StmtKind::Assign { place: Place::Variable(name), op: None, value };
        Stmt { kind, span: self.span(at) }
    }

    /// Numbers or elements.
    fn swap_places(&mut self, a: &Expr, b: &Expr, at: &impl ToTokens, out: &mut Vec<Stmt>) -> Option<()> {
        let [a, b] = [a, b].map(|arg| match plain(arg) {
            Expr::Reference(reference) => &reference.expr,
            other => other,
        });
        let places = [self.place_once(a, out)?, self.place_once(b, out)?];
        let [first, second] = places.clone().map(|place| self.hold(place, "held", at, out));
        for ((place, source), value) in places.into_iter().zip([a, b]).zip([second, first]) {
            let value = self.variable(&value, at);
            let place = self.place_of(place, source)?;
            out.push(Stmt { kind: StmtKind::Assign { place, op: None, value }, span: self.span(at) });
        }
        Some(())
    }

    /// Puts back what is exchanged before each end of the function.
    pub fn put_back(&mut self, body: &mut Block) {
        let Some(at) = self.exchanges.first().map(|first| first.at.clone()) else { return };
        if self.put_back_in(body, &at) < self.returns {
            let help = "let `return` be a statement of its own in this function";
            self.refuse(&at, "parameters are not exchanged where an expression may return", help);
        }
        if let Some(value) = body.value.take() {
            let held = self.hold(*value, "held", &at, &mut body.stmts);
            body.value = Some(Box::new(self.variable(&held, &at)));
        }
        let back = self.back(&at);
        body.stmts.extend(back);
        let swapped: Vec<String> = self.exchanges.iter().map(|known| known.swapped.clone()).collect();
        let declared = swapped.into_iter().map(|swapped| {
            let (name, value) = (self.named(&swapped, &at), self.made(ExprKind::Bool(false), &at));
            let kind = StmtKind::Let { name, ty: Some(Scalar::Bool), mutable: true, value: Some(value) };
            Stmt { kind, span: self.span(&at) }
        });
        let declared: Vec<Stmt> = declared.collect();
        body.stmts.splice(0..0, declared);
    }

    /// The same before each `return` in a block; how many these are.
    fn put_back_in(&mut self, block: &mut Block, at: &TokenStream) -> usize {
        let (mut count, mut stmts) = (0, Vec::new());
        for mut stmt in std::mem::take(&mut block.stmts) {
            match &mut stmt.kind {
                StmtKind::Return(values) => {
                    count += 1;
                    for value in values {
                        let held = self.hold(value.clone(), "held", at, &mut stmts);
                        *value = self.variable(&held, at);
                    }
                    stmts.extend(self.back(at));
                }
                StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::Block(body) => {
                    count += self.put_back_in(body, at);
                }
                StmtKind::If { then, els, .. } => {
                    count += self.put_back_in(then, at) + self.put_back_in(els, at);
                }
                StmtKind::Let { .. } | StmtKind::LetArray { .. } | StmtKind::Assign { .. } => {}
                StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Assert { .. } => {}
                StmtKind::Alike(..) | StmtKind::Swap(..) => {}
            }
            stmts.push(stmt);
        }
        block.stmts = stmts;
        count
    }

    /// Exchanges once more what is exchanged.
    fn back(&mut self, at: &TokenStream) -> Vec<Stmt> {
        let all: Vec<([String; 2], String)> =
            self.exchanges.iter().map(|known| (known.arrays.clone(), known.swapped.clone())).collect();
        let each = all.into_iter().map(|([a, b], swapped)| {
            let then = Block { stmts: vec![self.swap_of([&a, &b], at)], value: None };
            let cond = self.variable(&swapped, at);
            let kind = StmtKind::If { cond, then, els: Block::default() };
            Stmt { kind, span: self.span(at) }
        });
        each.collect()
    }
}
