//! `azip!` and `Zip::from(..).and(..).for_each(..)`: what is done to the elements of several arrays of one shape.
//!
//! ndarray takes the elements in an order that the memory suggests; so what is done to them must not depend on it.

use super::Converter;
use super::around::Around;
use super::course::{Course, Source};
use super::expr::plain;
use super::iterate::Item;
use super::outer::words;
use super::scope::View;
use crate::offload::ast::{Block, Child, Expr as Ast, ExprKind, Place, Stmt, StmtKind};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprMethodCall, Macro, Pat, Token, parenthesized};

/// The arrays of a `Zip`, and whether their subscripts are given too.
pub struct Producers<'e> {
    indexed: bool,
    arrays: Vec<&'e Expr>,
}

/// The contents of `azip!`.
struct Azip {
    index: Option<Pat>,
    parts: Vec<(Pat, Expr)>,
    body: Expr,
}

impl Parse for Azip {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let head;
        parenthesized!(head in input);
        let (mut index, mut parts) = (None, Vec::new());
        if head.peek(syn::Ident) && !head.peek2(Token![in]) && head.fork().parse::<syn::Ident>()? == "index" {
            head.parse::<syn::Ident>()?;
            index = Some(Pat::parse_single(&head)?);
            head.parse::<Token![,]>()?;
        }
        while !head.is_empty() {
            let pat = Pat::parse_single(&head)?;
            head.parse::<Token![in]>()?;
            parts.push((pat, head.parse()?));
            if !head.is_empty() {
                head.parse::<Token![,]>()?;
            }
        }
        Ok(Self { index, parts, body: input.parse()? })
    }
}

/// The arrays of `Zip::from(a).and(b)`.
pub fn producers(expr: &Expr) -> Option<Producers<'_>> {
    match plain(expr) {
        Expr::MethodCall(call) if call.method == "and" && call.args.len() == 1 => {
            let mut before = producers(&call.receiver)?;
            before.arrays.push(&call.args[0]);
            Some(before)
        }
        Expr::Call(call) if call.args.len() == 1 => {
            let Expr::Path(path) = plain(&call.func) else { return None };
            match &words(&path.path)[..] {
                [.., zip, from] if zip == "Zip" && matches!(&from[..], "from" | "indexed") => {
                    Some(Producers { indexed: from == "indexed", arrays: vec![&call.args[0]] })
                }
                _ => None,
            }
        }
        _ => None,
    }
}

impl Converter {
    /// `azip!((a in &mut a, &b in &b) *a += b)`
    pub fn azip(&mut self, call: &Macro, out: &mut Vec<Stmt>) -> Option<()> {
        let parsed: Azip = match syn::parse2(call.tokens.clone()) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.refuse(call, format!("this form of `azip!` is not taken ({error})"), "write the loops out");
                return None;
            }
        };
        let parts: Vec<(&Pat, &Expr)> = parsed.parts.iter().map(|(pat, array)| (pat, array)).collect();
        self.all_at_once((parsed.index.as_ref(), &parts), &parsed.body, call, out)
    }

    /// `Zip::from(&mut a).and(&b).for_each(|a, &b| *a += b)`
    pub fn zip_for_each(&mut self, zip: &Producers<'_>, closure: &Expr, out: &mut Vec<Stmt>) -> Option<()> {
        let inputs = zip.arrays.len() + usize::from(zip.indexed);
        let closure = self.closure(closure, inputs)?;
        let mut patterns = closure.inputs.iter();
        let index = if zip.indexed { patterns.next() } else { None };
        let parts: Vec<(&Pat, &Expr)> = patterns.zip(zip.arrays.iter().copied()).collect();
        self.all_at_once((index, &parts), &closure.body, closure, out)
    }

    /// `a.zip_mut_with(&b, |x, y| ..)`
    pub fn zip_mut_with(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<()> {
        let closure = self.closure(&call.args[1], 2)?;
        let receiver = &call.receiver;
        let target: Expr = syn::parse_quote!(&mut #receiver);
        let parts = [(&closure.inputs[0], &target), (&closure.inputs[1], &call.args[0])];
        self.all_at_once((None, &parts), &closure.body, call, out)
    }

    fn all_at_once(
        &mut self,
        (index, parts): (Option<&Pat>, &[(&Pat, &Expr)]),
        body: &Expr,
        at: &impl ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let mut sources = Vec::new();
        for (_, array) in parts {
            match self.course(array, out)? {
                Course { source: Source::Elements(view, mutable), adaptors } if adaptors.is_empty() => {
                    sources.push((view, mutable));
                }
                _ => {
                    self.refuse(array, "elements of arrays are taken here only", "write the loops out");
                    return None;
                }
            }
        }
        let (first, rank) = sources.first().map(|(view, _)| (view.clone(), view.free().len()))?;
        for ((view, _), (_, array)) in sources.iter().zip(parts).skip(1) {
            if view.free().len() != rank {
                self.refuse(array, "this array has another number of dimensions than the first", "write the loops out");
                return None;
            }
            let alike = self.alike(&first, view, array);
            out.extend(alike);
        }
        let since = self.fresh;
        let counters: Vec<String> = (0..rank).map(|axis| self.fresh(["i", "j", "k", "l"][axis.min(3)])).collect();
        let depth = self.scope.len();
        let mut stmts = Vec::new();
        self.within += 1;
        let done = self.elements_and_body((index, parts), (&sources, &counters), body, &mut stmts);
        self.within -= 1;
        self.scope.truncate(depth);
        done?;
        let views: Vec<&View> = sources.iter().map(|(view, _)| view).collect();
        self.in_any_order(&stmts, (since, &counters), &views, at)?;
        out.extend(self.over_named(&first, &counters, at, stmts));
        Some(())
    }

    fn elements_and_body(
        &mut self,
        (index, parts): (Option<&Pat>, &[(&Pat, &Expr)]),
        (sources, counters): (&[(View, bool)], &[String]),
        body: &Expr,
        stmts: &mut Vec<Stmt>,
    ) -> Option<()> {
        if let Some(index) = index {
            let mut numbers: Vec<Item> = counters.iter().cloned().map(Item::Number).collect();
            let item = if numbers.len() == 1 { numbers.swap_remove(0) } else { Item::Tuple(numbers) };
            self.bind(index, &item, stmts)?;
        }
        for ((pat, _), (view, mutable)) in parts.iter().zip(sources) {
            let item = Item::Element { view: view.clone(), at: counters.to_vec(), mutable: *mutable };
            self.bind(pat, &item, stmts)?;
        }
        self.around.push(Around::made(counters.len() as u32));
        let done = self.statement(body, stmts);
        self.around.pop();
        done
    }

    /// Refuses statements whose effect depends on the order of the elements: they assign to what was there before (names from a number on
    /// are their own), other than the elements themselves and those of arrays of which each point has its own, by the counters.
    pub fn in_any_order(
        &mut self,
        stmts: &[Stmt],
        (since, counters): (usize, &[String]),
        views: &[&View],
        at: &impl ToTokens,
    ) -> Option<()> {
        let own =
            |name: &str| name.rsplit_once('#').and_then(|(_, n)| n.parse::<usize>().ok()).is_some_and(|n| n > since);
        let is_fine = |place: &Place| match place {
            Place::Variable(name) => own(&name.text),
            Place::Element { array, .. } => {
                let is_view = views.iter().any(|view| view.array == array.text);
                own(&array.text) || is_view || has_own_elements(stmts, &array.text, counters)
            }
        };
        if assigned(stmts).into_iter().all(is_fine) {
            return Some(());
        }
        let help = "write the loops out, or go over `iter_mut()`, whose order is that of the subscripts";
        self.refuse(at, "what this assigns to depends on the order of the elements, which ndarray leaves open", help);
        None
    }
}

/// All that statements assign to.
fn assigned(stmts: &[Stmt]) -> Vec<&Place> {
    let mut found = Vec::new();
    for stmt in stmts {
        if let StmtKind::Assign { place, .. } = &stmt.kind {
            found.push(place);
        }
        stmt.children(&mut |child| assigned_in(child, &mut found));
    }
    found
}

fn assigned_in<'a>(child: Child<'a>, found: &mut Vec<&'a Place>) {
    match child {
        Child::Block(Block { stmts, value }) => {
            found.extend(assigned(stmts));
            if let Some(value) = value {
                value.children(&mut |child| assigned_in(child, found));
            }
        }
        Child::Expr(expr) => expr.children(&mut |child| assigned_in(child, found)),
    }
}

/// Whether each point touches other elements of an array: wherever it is named, the same subscripts are the counters.
fn has_own_elements(stmts: &[Stmt], array: &str, counters: &[String]) -> bool {
    let mut touched = Vec::new();
    for stmt in stmts {
        touched_by(stmt, array, &mut touched);
    }
    let places = |subs: &[Ast]| {
        let of = |counter: &String| subs.iter().position(|sub| sub.kind == ExprKind::Variable(counter.clone()));
        counters.iter().map(of).collect::<Option<Vec<usize>>>()
    };
    let mut all = touched.iter().map(|subs| places(subs));
    let Some(Some(first)) = all.next() else { return false };
    !counters.is_empty() && all.all(|places| places.as_ref() == Some(&first))
}

/// The subscripts of all elements of an array that a statement touches.
fn touched_by<'a>(stmt: &'a Stmt, array: &str, found: &mut Vec<&'a [Ast]>) {
    match &stmt.kind {
        StmtKind::Assign { place: Place::Element { array: own, subs }, .. } if own.text == array => found.push(subs),
        _ => {}
    }
    stmt.children(&mut |child| touched_in(child, array, found));
}

fn touched_in<'a>(child: Child<'a>, array: &str, found: &mut Vec<&'a [Ast]>) {
    match child {
        Child::Block(Block { stmts, value }) => {
            stmts.iter().for_each(|stmt| touched_by(stmt, array, found));
            value.iter().for_each(|value| touched_in(Child::Expr(value), array, found));
        }
        Child::Expr(expr) => {
            match &expr.kind {
                ExprKind::Element { array: own, subs } if own.text == array => found.push(subs),
                _ => {}
            }
            expr.children(&mut |child| touched_in(child, array, found));
        }
    }
}
