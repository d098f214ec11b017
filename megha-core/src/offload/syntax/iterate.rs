//! `for`: over ranges, and over the elements, rows and columns of arrays where that is one loop nest.

use super::Converter;
use super::around::Around;
use super::course::Course;
use super::expr::plain;
use super::scope::{Meaning, View};
use super::stages::stages;
use crate::offload::ast::{Adaptor, Block, Expr as Ast, ExprKind, Ident, Stmt, StmtKind};
use syn::{Expr, ExprForLoop, ExprMethodCall, ExprRange, Pat, RangeLimits};

/// One more than the largest number of iterations.
const END: i128 = 1 << 63;

/// What a loop gives to its pattern.
#[derive(Debug, Clone)]
pub enum Item {
    /// A whole number: the value of a variable of the loop AST.
    Number(String),
    /// An element by the variables that count its subscripts; assigned to if it is mutable.
    Element { view: View, at: Vec<String>, mutable: bool },
    /// A row or column.
    Line(View),
    /// Several of them.
    Tuple(Vec<Item>),
}

impl Item {
    /// Whether it is, or holds, a part of an array or a variable of this name.
    pub fn is_of(&self, name: &str) -> bool {
        match self {
            Self::Number(own) => own == name,
            Self::Element { view, .. } | Self::Line(view) => view.array == name,
            Self::Tuple(items) => items.iter().any(|item| item.is_of(name)),
        }
    }
}

impl Converter {
    pub fn for_loop(&mut self, counted: &ExprForLoop, out: &mut Vec<Stmt>) -> Option<()> {
        if let (Some(range), Some(name)) = (self.range_of(&counted.expr), variable(&counted.pat)) {
            return self.range_loop(counted, name, range, out);
        }
        let (source, mut stages) = stages(&counted.expr);
        let course = self.course(source, out);
        self.begin(&mut stages, &counted.expr, out);
        let depth = self.scope.len();
        let label = counted.label.as_ref();
        let done = match course {
            Some(course) => {
                self.walk((course, &stages), &counted.pat, &counted.expr, out, &mut |this, loops, stmts| {
                    let block = this.loop_body(&counted.body, label, loops);
                    stmts.push(Stmt { kind: StmtKind::Block(block), span: this.span(&counted.body) });
                    Some(())
                })
            }
            None => {
                // What is wrong in the body is reported too.
                self.loop_body(&counted.body, label, 1);
                None
            }
        };
        self.scope.truncate(depth);
        done
    }

    /// `x.iter_mut().for_each(|v| ..)`
    pub fn for_each(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<()> {
        let closure = self.closure(&call.args[0], 1)?;
        let (source, mut stages) = stages(&call.receiver);
        let course = self.course(source, out)?;
        self.begin(&mut stages, &call.receiver, out);
        let depth = self.scope.len();
        self.within += 1;
        let done = self.walk((course, &stages), &closure.inputs[0], &call.receiver, out, &mut |this, loops, stmts| {
            this.around.push(Around::made(loops));
            let done = this.statement(&closure.body, stmts);
            this.around.pop();
            done
        });
        self.within -= 1;
        self.scope.truncate(depth);
        done
    }

    fn range_of<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match plain(expr) {
            range @ Expr::Range(_) => Some(range),
            Expr::MethodCall(call) if adaptor(call).is_some() => self.range_of(&call.receiver),
            _ => None,
        }
    }

    /// A loop over a range, whose variable is that of the program.
    fn range_loop(
        &mut self,
        counted: &ExprForLoop,
        name: Option<&syn::Ident>,
        range: &Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let Expr::Range(range) = range else { return None };
        let bounds = self.bounds(range);
        let adaptors = self.adaptors(&counted.expr);
        let depth = self.scope.len();
        let variable = match name {
            Some(name) => self.declare(name),
            None => Ident { text: "_".into(), span: self.span(&counted.pat) },
        };
        let body = self.loop_body(&counted.body, counted.label.as_ref(), 1);
        self.scope.truncate(depth);
        let ((from, to, inclusive), adaptors) = (bounds?, adaptors?);
        let span = self.span(counted);
        out.push(Stmt { kind: StmtKind::For { variable, from, to, inclusive, adaptors, body }, span });
        Some(())
    }

    pub fn bounds(&mut self, range: &ExprRange) -> Option<(Ast, Ast, bool)> {
        let (Some(from), Some(to)) = (&range.start, &range.end) else {
            self.refuse(range, "the range of a loop has a start and an end", "write `from..to` or `from..=to`");
            return None;
        };
        let (from, to) = (self.expr(from), self.expr(to));
        let (from, to, inclusive) = (from?, to?, matches!(range.limits, RangeLimits::Closed(_)));
        let endless = match (literal(&from), literal(&to)) {
            (Some(from), Some(to)) => to - from + i128::from(inclusive) >= END,
            (Some(from), None) => from <= -END,
            (None, Some(to)) => to >= END,
            (None, None) => false,
        };
        if endless {
            let help = "write `loop`, with a variable that counts and `break`";
            self.refuse(range, "this range has 2^63 numbers or more", help);
            return None;
        }
        Some((from, to, inclusive))
    }

    /// What is done to a range, in order.
    fn adaptors(&mut self, expr: &Expr) -> Option<Vec<Adaptor>> {
        match plain(expr) {
            Expr::MethodCall(call) if adaptor(call).is_some() => {
                let mut before = self.adaptors(&call.receiver)?;
                before.push(self.adaptor(call)?);
                Some(before)
            }
            _ => Some(Vec::new()),
        }
    }

    pub fn adaptor(&mut self, call: &ExprMethodCall) -> Option<Adaptor> {
        let argument = match call.args.first() {
            Some(argument) => Some(self.expr(argument)?),
            None => None,
        };
        match (adaptor(call)?, argument) {
            ("rev", None) => Some(Adaptor::Rev),
            ("step_by", Some(by)) => Some(Adaptor::StepBy(by)),
            ("take", Some(count)) => Some(Adaptor::Take(count)),
            ("skip", Some(count)) => Some(Adaptor::Skip(count)),
            _ => None,
        }
    }

    /// The loop nest that goes through a course; `body` is given what each iteration goes through, and how many loops there are.
    pub fn walk_items(
        &mut self,
        course: Course,
        at: &Expr,
        out: &mut Vec<Stmt>,
        body: impl FnOnce(&mut Self, &Item, u32, &mut Vec<Stmt>) -> Option<()>,
    ) -> Option<()> {
        let span = self.span(at);
        let Course { source, adaptors } = course;
        if self.dimensions(&source) == 1 {
            let counter = self.fresh("k");
            let mut stmts = Vec::new();
            let (from, to, inclusive, item) = self.linear(source, &counter, at, &mut stmts, out)?;
            body(self, &item, 1, &mut stmts)?;
            let variable = self.named(&counter, at);
            let body = Block { stmts, value: None };
            out.push(Stmt { kind: StmtKind::For { variable, from, to, inclusive, adaptors, body }, span });
            return Some(());
        }
        if !adaptors.is_empty() {
            self.refuse(at, "parts of the elements of a matrix in order are no loop nest", "write the loops out");
            return None;
        }
        let (view, item, mut stmts) = self.nested(source, at, out)?;
        body(self, &item.0, item.1.len().max(1) as u32, &mut stmts)?;
        if item.1.is_empty() {
            // One element, in a loop that `break` leaves.
            let counter = self.fresh("k");
            let (variable, zero) = (self.named(&counter, at), self.made(ExprKind::Int(0, None), at));
            let (to, body) = (self.made(ExprKind::Int(1, None), at), Block { stmts, value: None });
            let kind = StmtKind::For { variable, from: zero, to, inclusive: false, adaptors: Vec::new(), body };
            out.push(Stmt { kind, span });
            return Some(());
        }
        let nest = self.over_named(&view, &item.1, at, stmts);
        out.extend(nest);
        Some(())
    }

    /// Gives names to what a loop gives.
    pub fn bind(&mut self, pat: &Pat, item: &Item, stmts: &mut Vec<Stmt>) -> Option<()> {
        match (pat, item) {
            (Pat::Wild(_), _) => return Some(()),
            // `&mut x` is a copy of what the loop lends.
            (Pat::Reference(inner), Item::Element { view, at, .. }) => {
                let item = Item::Element { view: view.clone(), at: at.clone(), mutable: false };
                return self.bind(&inner.pat, &item, stmts);
            }
            (Pat::Reference(inner), Item::Number(_)) => return self.bind(&inner.pat, item, stmts),
            (Pat::Paren(inner), _) => return self.bind(&inner.pat, item, stmts),
            (Pat::Type(typed), Item::Number(own)) => {
                // The type decides what the loop counts in.
                let Some(ty) = self.scalar_type(&typed.ty) else { return self.bind(&typed.pat, item, stmts) };
                let value = self.variable(own, &typed.pat);
                let (value, span) = (self.typed(value, Some(ty), &typed.pat), self.span(pat));
                let own = self.fresh("k");
                let name = self.named(&own, &typed.pat);
                let kind = StmtKind::Let { name, ty: Some(ty), mutable: false, value: Some(value) };
                stmts.push(Stmt { kind, span });
                return self.bind(&typed.pat, &Item::Number(own), stmts);
            }
            (Pat::Type(typed), _) => return self.bind(&typed.pat, item, stmts),
            (Pat::Reference(inner), Item::Tuple(_)) => return self.bind(&inner.pat, item, stmts),
            (Pat::Tuple(tuple), Item::Tuple(items)) if tuple.elems.len() == items.len() => {
                return tuple.elems.iter().zip(items).try_for_each(|(pat, item)| self.bind(pat, item, stmts));
            }
            (Pat::Ident(name), _) if name.subpat.is_none() && name.by_ref.is_none() => match item {
                Item::Number(own) => {
                    self.bind_number(name, own, stmts);
                    return Some(());
                }
                Item::Line(view) => {
                    let view = self.bound_line(name, view, stmts)?;
                    self.mean(&name.ident, Meaning::Array(view));
                    return Some(());
                }
                Item::Element { view, at, mutable } => {
                    self.bind_element(name, view, (at, *mutable), stmts);
                    return Some(());
                }
                Item::Tuple(items) => {
                    let items = match name.mutability.is_some() {
                        true => self.own_items(items, name, stmts),
                        false => items.clone(),
                    };
                    self.mean(&name.ident, Meaning::Tuple(items));
                    return Some(());
                }
            },
            _ => {}
        }
        self.refuse(pat, "this pattern is not taken here", "name each thing that the loop gives");
        None
    }

    /// A number that the loop counts, or a copy of it that may be assigned to.
    fn bind_number(&mut self, name: &syn::PatIdent, own: &str, stmts: &mut Vec<Stmt>) {
        if name.mutability.is_none() {
            return self.mean(&name.ident, Meaning::Number(own.to_owned()));
        }
        let (value, span) = (self.variable(own, name), self.span(name));
        let own = self.declare(&name.ident);
        stmts.push(Stmt { kind: StmtKind::Let { name: own, ty: None, mutable: true, value: Some(value) }, span });
    }

    /// A row or column; of an array that Rust gives away in parts a copy, if it may be assigned to.
    fn bound_line(&mut self, name: &syn::PatIdent, view: &View, stmts: &mut Vec<Stmt>) -> Option<View> {
        match name.mutability.is_some() && !view.lent {
            true => self.copy_of(view, view.form, name, true, stmts),
            false => Some(view.clone()),
        }
    }

    fn bind_element(
        &mut self,
        name: &syn::PatIdent,
        view: &View,
        (at, mutable): (&[String], bool),
        stmts: &mut Vec<Stmt>,
    ) {
        if mutable {
            return self.mean(&name.ident, Meaning::Element(view.at(at)));
        }
        let value = self.counted(view, at, name);
        let span = self.span(name);
        let own = self.declare(&name.ident);
        let mutable = name.mutability.is_some();
        stmts.push(Stmt { kind: StmtKind::Let { name: own, ty: None, mutable, value: Some(value) }, span });
    }
}

/// The whole number that is written.
fn literal(expr: &Ast) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(number, _) => Some(*number),
        ExprKind::Neg(inner) => literal(inner).map(|number| -number),
        _ => None,
    }
}

/// The name of a loop's variable; `Some(None)` if it has none.
fn variable(pat: &Pat) -> Option<Option<&syn::Ident>> {
    match pat {
        Pat::Ident(name) if name.subpat.is_none() => Some(Some(&name.ident)),
        Pat::Wild(_) => Some(None),
        Pat::Type(typed) => variable(&typed.pat),
        _ => None,
    }
}

/// The adaptor that a method call is.
pub fn adaptor(call: &ExprMethodCall) -> Option<&'static str> {
    let wanted = [("rev", 0), ("step_by", 1), ("take", 1), ("skip", 1)];
    let found = wanted.into_iter().find(|(name, args)| call.method == name && call.args.len() == *args);
    found.map(|(name, _)| name)
}
