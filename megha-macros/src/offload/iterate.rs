//! `for`: over ranges, and over the elements, rows and columns of arrays where that is one loop nest.

use super::Converter;
use super::expr::plain;
use super::scope::{Meaning, View};
use megha_core::offload::ast::{Adaptor, BinaryOp, Block, Expr as Ast, ExprKind, Ident, Stmt, StmtKind};
use syn::{Expr, ExprForLoop, ExprMethodCall, ExprRange, Pat, RangeLimits};

const LOOPS: &str = "ranges, `iter`, `iter_mut`, `rows`, `columns`, `axis_iter`, `indexed_iter` are taken, with `rev`, `step_by`, \
                     `skip`, `take`, `enumerate` and `zip` where they make one loop";

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

/// What a loop goes through, before adaptors.
enum Source {
    /// A range.
    Range(Ast, Ast, bool),
    /// All elements of a part of an array; they may be assigned to.
    Elements(View, bool),
    /// With their subscripts.
    Indexed(View, bool),
    /// The parts at each position along a dimension.
    Lines(View, usize),
    /// Two at once.
    Zip(Box<Course>, Box<Course>),
    /// With their numbers.
    Enumerate(Box<Course>),
}

/// What a loop goes through.
struct Course {
    source: Source,
    adaptors: Vec<Adaptor>,
}

impl Converter {
    pub fn for_loop(&mut self, counted: &ExprForLoop, out: &mut Vec<Stmt>) {
        if let (Some(range), Some(name)) = (self.range_of(&counted.expr), variable(&counted.pat)) {
            return self.range_loop(counted, name, range, out);
        }
        let course = self.course(&counted.expr, out);
        let depth = self.scope.len();
        let label = counted.label.as_ref();
        if let Some(course) = course {
            self.walk(course, &counted.pat, &counted.expr, out, |this, loops, stmts| {
                let block = this.loop_body(&counted.body, label, loops);
                stmts.push(Stmt { kind: StmtKind::Block(block), span: this.span(&counted.body) });
            });
        } else {
            // What is wrong in the body is reported too.
            self.loop_body(&counted.body, label, 1);
        }
        self.scope.truncate(depth);
    }

    /// `x.iter_mut().for_each(|v| ..)`
    pub fn for_each(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) {
        let Some(closure) = self.closure(&call.args[0], 1) else { return };
        let Some(course) = self.course(&call.receiver, out) else { return };
        let depth = self.scope.len();
        self.within += 1;
        self.walk(course, &closure.inputs[0], &call.receiver, out, |this, loops, stmts| {
            this.loops.push((None, loops));
            this.statement(&closure.body, stmts);
            this.loops.pop();
        });
        self.within -= 1;
        self.scope.truncate(depth);
    }

    fn range_of<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match plain(expr) {
            range @ Expr::Range(_) => Some(range),
            Expr::MethodCall(call) if adaptor(call).is_some() => self.range_of(&call.receiver),
            _ => None,
        }
    }

    /// A loop over a range, whose variable is that of the program.
    fn range_loop(&mut self, counted: &ExprForLoop, name: Option<&syn::Ident>, range: &Expr, out: &mut Vec<Stmt>) {
        let Expr::Range(range) = range else { return };
        let bounds = self.bounds(range);
        let adaptors = self.adaptors(&counted.expr);
        let depth = self.scope.len();
        let variable = match name {
            Some(name) => self.declare(name),
            None => Ident { text: "_".into(), span: self.span(&counted.pat) },
        };
        let body = self.loop_body(&counted.body, counted.label.as_ref(), 1);
        self.scope.truncate(depth);
        let (Some((from, to, inclusive)), Some(adaptors)) = (bounds, adaptors) else { return };
        let span = self.span(counted);
        out.push(Stmt { kind: StmtKind::For { variable, from, to, inclusive, adaptors, body }, span });
    }

    fn bounds(&mut self, range: &ExprRange) -> Option<(Ast, Ast, bool)> {
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

    fn adaptor(&mut self, call: &ExprMethodCall) -> Option<Adaptor> {
        let argument = match call.args.first() {
            Some(argument) => Some(self.expr(argument)?),
            None => None,
        };
        Some(match (adaptor(call)?, argument) {
            ("step_by", Some(by)) => Adaptor::StepBy(by),
            ("take", Some(count)) => Adaptor::Take(count),
            ("skip", Some(count)) => Adaptor::Skip(count),
            _ => Adaptor::Rev,
        })
    }

    /// What an expression goes through.
    fn course(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Option<Course> {
        let plain_source = |source| Some(Course { source, adaptors: Vec::new() });
        match plain(expr) {
            Expr::Range(range) => {
                let (from, to, inclusive) = self.bounds(range)?;
                plain_source(Source::Range(from, to, inclusive))
            }
            Expr::MethodCall(call) if adaptor(call).is_some() => {
                let mut course = self.course(&call.receiver, out)?;
                let adaptor = self.adaptor(call)?;
                course.adaptors.push(adaptor);
                Some(course)
            }
            Expr::MethodCall(call) => self.course_of(call, out),
            Expr::Reference(reference) if self.is_array(&reference.expr) => {
                let view = self.known_view(&reference.expr, &mut Some(out))?;
                plain_source(Source::Elements(view, reference.mutability.is_some()))
            }
            other if self.is_array(other) => {
                let view = self.known_view(other, &mut Some(out))?;
                plain_source(Source::Elements(view, false))
            }
            other => self.no_course(other),
        }
    }

    fn no_course(&mut self, expr: &Expr) -> Option<Course> {
        self.refuse(expr, "this is no range and no array that a loop is taken over", LOOPS);
        None
    }

    fn course_of(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<Course> {
        let method = call.method.to_string();
        let source = match (&method[..], call.args.len()) {
            ("into_iter" | "copied" | "cloned", 0) => return self.course(&call.receiver, out),
            ("enumerate", 0) => Source::Enumerate(Box::new(self.course(&call.receiver, out)?)),
            ("zip", 1) => {
                let first = self.course(&call.receiver, out)?;
                Source::Zip(Box::new(first), Box::new(self.course(&call.args[0], out)?))
            }
            ("iter" | "iter_mut" | "indexed_iter" | "indexed_iter_mut", 0) if self.is_array(&call.receiver) => {
                let view = self.known_view(&call.receiver, &mut Some(out))?;
                let mutable = method.ends_with("mut");
                if method.starts_with("indexed") {
                    Source::Indexed(view, mutable)
                } else {
                    Source::Elements(view, mutable)
                }
            }
            ("rows" | "rows_mut" | "outer_iter" | "outer_iter_mut" | "columns" | "columns_mut", 0)
                if self.is_array(&call.receiver) =>
            {
                let view = self.known_view(&call.receiver, &mut Some(out))?;
                let axis = usize::from(method.starts_with("columns"));
                if view.free().len() != 2 && !method.starts_with("outer") {
                    self.refuse(call, "rows and columns are those of a matrix", "write the loops out");
                    return None;
                }
                Source::Lines(view, axis)
            }
            ("axis_iter" | "axis_iter_mut", 1) if self.is_array(&call.receiver) => {
                let view = self.known_view(&call.receiver, &mut Some(out))?;
                let axis = self.axis(&call.args[0]);
                let Some(axis) = axis.filter(|axis| *axis < view.free().len()) else {
                    self.refuse(
                        &call.args[0],
                        "the axis is `Axis(k)` with a literal below the number of dimensions",
                        "write the loop out",
                    );
                    return None;
                };
                Source::Lines(view, axis)
            }
            _ => return self.no_course(&Expr::MethodCall(call.clone())),
        };
        Some(Course { source, adaptors: Vec::new() })
    }

    /// The loop nest that goes through a course; `body` is given how many loops there are.
    fn walk(
        &mut self,
        course: Course,
        pat: &Pat,
        at: &Expr,
        out: &mut Vec<Stmt>,
        body: impl FnOnce(&mut Self, u32, &mut Vec<Stmt>),
    ) {
        let span = self.span(at);
        let Course { source, adaptors } = course;
        if self.dimensions(&source) == 1 {
            let counter = self.fresh("k");
            let mut stmts = Vec::new();
            let Some((from, to, inclusive, item)) = self.linear(source, &counter, at, &mut stmts, out) else { return };
            self.bind(pat, &item, &mut stmts);
            body(self, 1, &mut stmts);
            let variable = self.named(&counter, at);
            let body = Block { stmts, value: None };
            out.push(Stmt { kind: StmtKind::For { variable, from, to, inclusive, adaptors, body }, span });
            return;
        }
        if !adaptors.is_empty() {
            self.refuse(at, "parts of the elements of a matrix in order are no loop nest", "write the loops out");
            return;
        }
        let Some((view, item, mut stmts)) = self.nested(source, at, out) else { return };
        self.bind(pat, &item.0, &mut stmts);
        body(self, item.1.len() as u32, &mut stmts);
        let nest = self.over_named(&view, &item.1, at, stmts);
        out.extend(nest);
    }

    /// How many loops a source takes.
    fn dimensions(&self, source: &Source) -> usize {
        match source {
            Source::Range(..) | Source::Lines(..) => 1,
            Source::Elements(view, _) | Source::Indexed(view, _) => view.free().len(),
            Source::Zip(first, _) | Source::Enumerate(first) => self.dimensions(&first.source),
        }
    }

    /// A source of one loop: its range, and what it gives at the value of a counter.
    fn linear(
        &mut self,
        source: Source,
        counter: &str,
        at: &Expr,
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<(Ast, Ast, bool, Item)> {
        let zero = self.made(ExprKind::Int(0, None), at);
        match source {
            Source::Range(from, to, inclusive) => Some((from, to, inclusive, Item::Number(counter.to_owned()))),
            Source::Elements(view, mutable) => {
                let to = self.extent_of(&view, 0, at);
                Some((zero, to, false, Item::Element { view, at: vec![counter.to_owned()], mutable }))
            }
            Source::Indexed(view, mutable) => {
                let to = self.extent_of(&view, 0, at);
                let element = Item::Element { view, at: vec![counter.to_owned()], mutable };
                Some((zero, to, false, Item::Tuple(vec![Item::Number(counter.to_owned()), element])))
            }
            Source::Lines(view, axis) => {
                let to = self.extent_of(&view, axis, at);
                Some((zero, to, false, Item::Line(view.fixed(axis, counter.to_owned())?)))
            }
            Source::Zip(..) | Source::Enumerate(_) => {
                let (len, item) = self.positioned(Course { source, adaptors: Vec::new() }, counter, at, stmts, out)?;
                Some((zero, len, false, item))
            }
        }
    }

    /// The length of a course of one loop, and what it gives at a position.
    fn positioned(
        &mut self,
        course: Course,
        position: &str,
        at: &Expr,
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<(Ast, Item)> {
        let Course { source, adaptors } = course;
        if self.dimensions(&source) != 1 {
            self.refuse(at, "arrays of several dimensions go with others of their shape only", "write the loops out");
            return None;
        }
        match source {
            Source::Enumerate(inner) if adaptors.is_empty() => {
                let (len, item) = self.positioned(*inner, position, at, stmts, out)?;
                Some((len, Item::Tuple(vec![Item::Number(position.to_owned()), item])))
            }
            Source::Zip(first, second) if adaptors.is_empty() => {
                let (a, one) = self.positioned(*first, position, at, stmts, out)?;
                let (b, other) = self.positioned(*second, position, at, stmts, out)?;
                let method = self.named("min", at);
                let kind = ExprKind::Method { receiver: Box::new(a), method, args: vec![b] };
                Some((self.made(kind, at), Item::Tuple(vec![one, other])))
            }
            Source::Elements(..) | Source::Lines(..) | Source::Indexed(..) => {
                let moved = self.fresh("k");
                let (_, len, _, item) = self.linear(source, &moved, at, stmts, out)?;
                self.moved(len, adaptors, (position, &moved), at, stmts, out).map(|len| (len, item))
            }
            Source::Range(from, to, false) if adaptors.is_empty() && from.kind == ExprKind::Int(0, None) => {
                Some((to, Item::Number(position.to_owned())))
            }
            Source::Range(..) | Source::Enumerate(_) | Source::Zip(..) => {
                self.refuse(
                    at,
                    "this way of going through several things at once is not taken",
                    "loop over a range and use subscripts",
                );
                None
            }
        }
    }

    /// Where a position of a course with adaptors is in its source; gives the length that is left.
    fn moved(
        &mut self,
        len: Ast,
        adaptors: Vec<Adaptor>,
        (position, moved): (&str, &str),
        at: &Expr,
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<Ast> {
        let mut index = self.variable(position, at);
        let mut len = len;
        // The outermost adaptor is the last.
        let mut steps = Vec::new();
        for adaptor in adaptors {
            match adaptor {
                Adaptor::Rev => {
                    let held = self.hold(len, "length", at, out);
                    len = self.variable(&held, at);
                    steps.push((None, held));
                }
                Adaptor::Skip(count) => {
                    let held = self.hold(count, "skipped", at, out);
                    let (method, args) = (self.named("saturating_sub", at), vec![self.variable(&held, at)]);
                    len = self.made(ExprKind::Method { receiver: Box::new(len), method, args }, at);
                    steps.push((Some(()), held));
                }
                Adaptor::Take(count) => {
                    let method = self.named("min", at);
                    len = self.made(ExprKind::Method { receiver: Box::new(len), method, args: vec![count] }, at);
                }
                Adaptor::StepBy(_) => {
                    self.refuse(
                        at,
                        "`step_by` beside something else is not taken",
                        "loop over a range and use subscripts",
                    );
                    return None;
                }
            }
        }
        for (skips, held) in steps.into_iter().rev() {
            let held = self.variable(&held, at);
            index = match skips {
                Some(()) => self.sum(BinaryOp::Add, index, held, at),
                None => {
                    let one = self.made(ExprKind::Int(1, None), at);
                    let last = self.sum(BinaryOp::Sub, held, one, at);
                    self.sum(BinaryOp::Sub, last, index, at)
                }
            };
        }
        let (name, span) = (self.named(moved, at), self.span(at));
        stmts.push(Stmt { kind: StmtKind::Let { name, ty: None, mutable: false, value: Some(index) }, span });
        Some(len)
    }

    fn sum(&mut self, op: BinaryOp, a: Ast, b: Ast, at: &Expr) -> Ast {
        self.made(ExprKind::Binary(op, Box::new(a), Box::new(b)), at)
    }

    /// A source of several loops: the array that it goes over, and what it gives at the values of counters.
    #[allow(clippy::type_complexity, reason = "what a nest is made of")]
    fn nested(
        &mut self,
        source: Source,
        at: &Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<(View, (Item, Vec<String>), Vec<Stmt>)> {
        let axes = self.dimensions(&source);
        let counters: Vec<String> = (0..axes).map(|axis| self.fresh(["i", "j", "k", "l"][axis.min(3)])).collect();
        let mut stmts = Vec::new();
        let (view, item) = self.at_counters(source, &counters, at, &mut stmts, out)?;
        Some((view, (item, counters), stmts))
    }

    fn at_counters(
        &mut self,
        source: Source,
        counters: &[String],
        at: &Expr,
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<(View, Item)> {
        match source {
            Source::Elements(view, mutable) => {
                let item = Item::Element { view: view.clone(), at: counters.to_vec(), mutable };
                Some((view, item))
            }
            Source::Indexed(view, mutable) => {
                let numbers = counters.iter().map(|counter| Item::Number(counter.clone())).collect();
                let item = Item::Element { view: view.clone(), at: counters.to_vec(), mutable };
                Some((view, Item::Tuple(vec![Item::Tuple(numbers), item])))
            }
            Source::Zip(first, second) if first.adaptors.is_empty() && second.adaptors.is_empty() => {
                let (view, one) = self.at_counters(first.source, counters, at, stmts, out)?;
                let (beside, other) = self.at_counters(second.source, counters, at, stmts, out)?;
                if view.free().len() != beside.free().len() {
                    self.refuse(
                        at,
                        "arrays of several dimensions go with others of their shape only",
                        "write the loops out",
                    );
                    return None;
                }
                let alike = self.alike(&view, &beside, at);
                out.extend(alike);
                Some((view, Item::Tuple(vec![one, other])))
            }
            Source::Enumerate(inner) if inner.adaptors.is_empty() => {
                let (view, item) = self.at_counters(inner.source, counters, at, stmts, out)?;
                let mut number = self.variable(&counters[0], at);
                for (axis, counter) in counters.iter().enumerate().skip(1) {
                    let extent = self.extent_of(&view, axis, at);
                    let row = self.sum(BinaryOp::Mul, number, extent, at);
                    let counter = self.variable(counter, at);
                    number = self.sum(BinaryOp::Add, row, counter, at);
                }
                let held = self.hold(number, "k", at, stmts);
                Some((view, Item::Tuple(vec![Item::Number(held), item])))
            }
            Source::Range(..) | Source::Lines(..) | Source::Zip(..) | Source::Enumerate(_) => {
                self.refuse(
                    at,
                    "arrays of several dimensions go with others of their shape only",
                    "write the loops out",
                );
                None
            }
        }
    }

    /// Gives names to what a loop gives.
    pub fn bind(&mut self, pat: &Pat, item: &Item, stmts: &mut Vec<Stmt>) {
        match (pat, item) {
            (Pat::Wild(_), _) => {}
            (Pat::Reference(inner), _) => self.bind(&inner.pat, item, stmts),
            (Pat::Paren(inner), _) => self.bind(&inner.pat, item, stmts),
            (Pat::Type(typed), _) => self.bind(&typed.pat, item, stmts),
            (Pat::Tuple(tuple), Item::Tuple(items)) if tuple.elems.len() == items.len() => {
                tuple.elems.iter().zip(items).for_each(|(pat, item)| self.bind(pat, item, stmts));
            }
            (Pat::Ident(name), Item::Number(own)) if name.subpat.is_none() => {
                self.scope.push((name.ident.to_string(), Meaning::Number(own.clone())));
            }
            (Pat::Ident(name), Item::Line(view)) if name.subpat.is_none() => {
                self.scope.push((name.ident.to_string(), Meaning::Array(view.clone())));
            }
            (Pat::Ident(name), Item::Element { view, at, mutable }) if name.subpat.is_none() => {
                self.bind_element(name, view, (at, *mutable), stmts);
            }
            _ => self.refuse(pat, "this pattern is not taken here", "name each thing that the loop gives"),
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
            let mut view = view.clone();
            for counter in at {
                if let Some(fixed) = view.fixed(0, counter.clone()) {
                    view = fixed;
                }
            }
            self.scope.push((name.ident.to_string(), Meaning::Element(view)));
            return;
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
fn adaptor(call: &ExprMethodCall) -> Option<&'static str> {
    let wanted = [("rev", 0), ("step_by", 1), ("take", 1), ("skip", 1)];
    let found = wanted.into_iter().find(|(name, args)| call.method == name && call.args.len() == *args);
    found.map(|(name, _)| name)
}
