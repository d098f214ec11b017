//! `sum` and `dot` of ndarray on arrays of one dimension, in ndarray's own order: where elements are neighbours in memory eight sums at once, of
//! every eighth element each, then what is left (`numeric_util::unrolled_fold` and `unrolled_dot`); else one after the other.
//!
//! Which it is the arguments' strides say. Where ndarray itself has another order (`dot` by a BLAS library, `sum` backwards along a stride of -1, of
//! a matrix that is not in rows) the plain function runs.

use super::Converter;
use super::scope::{Axis, Form, View};
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Neutral, Scalar, Stmt, StmtKind, shown};
use syn::ExprMethodCall;

/// How many sums there are at once.
const AT_ONCE: i128 = 8;

impl Converter {
    /// `a.sum()` and `a.dot(&b)`; `None` if a call is neither.
    pub fn ndarray_sum(&mut self, call: &ExprMethodCall) -> Option<Option<Ast>> {
        let method = call.method.to_string();
        let other = match (&method[..], call.args.first()) {
            ("sum", None) => None,
            ("dot", Some(other)) if call.args.len() == 1 && self.is_array(other) => Some(other),
            _ => return None,
        };
        if !self.is_array(&call.receiver) {
            return None;
        }
        let mut stmts = Vec::new();
        let views = [Some(&*call.receiver), other]
            .into_iter()
            .flatten()
            .map(|array| self.known_view(array, &mut Some(&mut stmts)));
        let views = views.collect::<Option<Vec<View>>>();
        let value = views.and_then(|views| {
            let matrix = views.len() == 1 && views[0].free().len() == 2 && views[0].is_whole();
            let taken = views.iter().all(|view| (view.free().len() == 1 || matrix) && self.has_strides(view));
            if !taken {
                let help = super::calls::instead(&method);
                self.refuse(call, format!("`{method}` is not taken of this, whose order in memory is not known"), help);
                return None;
            }
            self.summed(call, &views, &mut stmts)
        });
        Some(value.map(|value| {
            let value = Some(Box::new(value));
            self.made(ExprKind::Block(Block { stmts, value }), call)
        }))
    }

    /// Whether it is known how far the elements of an array are from each other.
    fn has_strides(&self, view: &View) -> bool {
        let known = self.parameters.contains(&view.array)
            || self.in_order.contains(&view.array)
            || self.straight.iter().any(|(array, sources)| {
                *array == view.array
                    && sources.iter().all(|source| source.form != Form::Ndarray || self.has_strides(source))
            });
        let in_steps = view.axes.iter().any(|axis| matches!(axis, Axis::Stretch(stretch) if stretch.step != 1));
        view.form == Form::Ndarray && known && !in_steps && !self.exchanged_arrays.contains(&view.array)
    }

    fn summed(&mut self, call: &ExprMethodCall, views: &[View], out: &mut Vec<Stmt>) -> Option<Ast> {
        if let [a, b] = views {
            let [a, b] = [a, b].map(|view| self.extent_of(view, 0, call));
            let cond = self.binary_of(BinaryOp::Eq, a, b, call);
            let message = "`dot` of arrays of different lengths".to_owned();
            out.push(Stmt { kind: StmtKind::Assert { cond, message }, span: self.span(call) });
        }
        let question = if views.len() == 2 { "dots_in_known_order" } else { "sums_in_known_order" };
        self.must_hold(&format!("::megha::rt::sums_of_ndarray::{question}()"), call, out);
        let mut dense: Option<Ast> = None;
        for view in views {
            let one = self.is_dense(view, views.len() == 1, call, out)?;
            dense = Some(match dense {
                Some(all) => self.binary_of(BinaryOp::And, all, one, call),
                None => one,
            });
        }
        let (len, eight) = (self.length(&views[0], call), self.int_of(AT_ONCE, call));
        let rounds = self.binary_of(BinaryOp::Div, len.clone(), eight.clone(), call);
        let zero = self.int_of(0, call);
        let [then, els] = [rounds, zero].map(|value| Block { stmts: Vec::new(), value: Some(Box::new(value)) });
        let rounds = self.made(ExprKind::If(Box::new(dense?), then, els), call);
        let rounds = self.held_usize(rounds, "rounds", call, out);
        let sums = self.at_once(views, &rounds, call, out)?;
        let sum = self.changing("sum", call, out);
        for pair in 0..AT_ONCE as usize / 2 {
            let [a, b] = [&sums[pair], &sums[pair + AT_ONCE as usize / 2]].map(|own| self.variable(own, call));
            let both = self.binary_of(BinaryOp::Add, a, b, call);
            self.added(&sum, both, call, out)?;
        }
        let rounds = self.variable(&rounds, call);
        let from = self.binary_of(BinaryOp::Mul, rounds, eight, call);
        let counter = self.fresh("k");
        let at = self.variable(&counter, call);
        let (term, mut body) = (self.term(views, &at, call), Vec::new());
        self.added(&sum, term, call, &mut body)?;
        self.counted_loop(&counter, (from, len), body, call, out);
        Some(self.variable(&sum, call))
    }

    /// Eight sums at once, in so many rounds.
    fn at_once(
        &mut self,
        views: &[View],
        rounds: &str,
        call: &ExprMethodCall,
        out: &mut Vec<Stmt>,
    ) -> Option<Vec<String>> {
        let sums: Vec<String> = (0..AT_ONCE).map(|_| self.changing("part", call, out)).collect();
        let (counter, mut body) = (self.fresh("k"), Vec::new());
        for (number, sum) in sums.iter().enumerate() {
            let (round, eight) = (self.variable(&counter, call), self.int_of(AT_ONCE, call));
            let first = self.binary_of(BinaryOp::Mul, round, eight, call);
            let number = self.int_of(number as i128, call);
            let at = self.binary_of(BinaryOp::Add, first, number, call);
            let term = self.term(views, &at, call);
            self.added(sum, term, call, &mut body)?;
        }
        let (zero, rounds) = (self.int_of(0, call), self.variable(rounds, call));
        self.counted_loop(&counter, (zero, rounds), body, call, out);
        Some(sums)
    }

    /// An element, or the product of two.
    fn term(&mut self, views: &[View], at: &Ast, call: &ExprMethodCall) -> Ast {
        let element = |this: &mut Self, view: &View| {
            let subs = match view.free().len() {
                2 => [BinaryOp::Div, BinaryOp::Rem]
                    .map(|op| {
                        let row = this.extent_of(view, 1, call);
                        this.binary_of(op, at.clone(), row, call)
                    })
                    .to_vec(),
                _ => vec![at.clone()],
            };
            this.element_of(view, subs, call)
        };
        let elements: Vec<Ast> = views.iter().map(|view| element(self, view)).collect();
        let mut elements = elements.into_iter();
        let first = elements.next();
        match (first, elements.next()) {
            (Some(a), Some(b)) => self.binary_of(BinaryOp::Mul, a, b, call),
            (Some(a), None) => a,
            (None, _) => self.int_of(0, call),
        }
    }

    /// Whether the elements of an array of one dimension are neighbours in memory.
    fn is_dense(&mut self, view: &View, sums: bool, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<Ast> {
        let (axis, span) = (*view.free().first()?, self.span(call));
        self.strides_asked.push((view.array.clone(), self.ends(span)));
        if view.free().len() == 2 {
            // Of a matrix in another order ndarray adds in that.
            if self.parameters.contains(&view.array) {
                self.must_hold(&format!("{}.is_standard_layout()", view.array), call, out);
            }
            return Some(self.made(ExprKind::Bool(true), call));
        }
        if !self.parameters.contains(&view.array) {
            self.sources_straight(&view.array, call, out);
            // An array of the function's own: rows are dense, and columns where a row has one element.
            let behind: Vec<Ast> =
                (axis + 1..view.axes.len()).map(|axis| self.extent_by_number(view, axis, call)).collect();
            let mut all = self.made(ExprKind::Bool(true), call);
            for extent in behind {
                let one = self.int_of(1, call);
                let is_one = self.binary_of(BinaryOp::Eq, extent, one, call);
                all = self.binary_of(BinaryOp::And, all, is_one, call);
            }
            return Some(all);
        }
        let stride = format!("{}.strides()[{axis}]", view.array);
        if sums {
            self.must_hold(&format!("({stride} != -1)"), call, out);
        }
        let dense = self.outside("dense", &format!("({stride} == 1)"), Some(Scalar::Bool), call);
        Some(self.variable(&dense, call))
    }

    /// Remembers of what an array of one dimension is made, whose order in memory it may have.
    pub fn made_straight(&mut self, view: &View, sources: Vec<View>) {
        if view.form == Form::Ndarray && view.free().len() == 1 {
            self.straight.push((view.array.clone(), sources));
        }
    }

    /// Demands that nothing of which an array is made goes backwards in memory.
    fn sources_straight(&mut self, array: &str, call: &ExprMethodCall, out: &mut Vec<Stmt>) {
        let made = self.straight.iter().find(|(made, _)| made == array);
        for source in made.map(|(_, sources)| sources.clone()).unwrap_or_default() {
            match (source.form, source.free().first()) {
                (Form::Ndarray, Some(axis)) if self.parameters.contains(&source.array) => {
                    let stride = format!("{}.strides()[{axis}]", source.array);
                    self.must_hold(&format!("({stride} != -1)"), call, out);
                }
                (Form::Ndarray | Form::Vector | Form::Fixed, _) => self.sources_straight(&source.array, call, out),
            }
        }
    }

    /// Demands of the arguments what is written in Rust; else the plain function runs.
    fn must_hold(&mut self, question: &str, call: &ExprMethodCall, out: &mut Vec<Stmt>) {
        let name = self.outside("holds", &format!("({question} as usize)"), Some(Scalar::Usize), call);
        let (holds, one) = (self.variable(&name, call), self.int_of(1, call));
        out.push(Stmt { kind: StmtKind::Alike(holds, one), span: self.span(call) });
    }

    fn extent_by_number(&mut self, view: &View, axis: usize, call: &ExprMethodCall) -> Ast {
        let array = self.named(&view.array, call);
        self.made(ExprKind::Extent { array, axis: Some(axis) }, call)
    }

    /// A variable that begins at zero.
    fn changing(&mut self, shown: &str, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> String {
        let (own, zero) = (self.fresh(shown), self.made(ExprKind::Neutral(Neutral::Zero), call));
        let (name, span) = (self.named(&own, call), self.span(call));
        out.push(Stmt { kind: StmtKind::Let { name, ty: None, mutable: true, value: Some(zero) }, span });
        own
    }

    fn added(&mut self, sum: &str, term: Ast, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<()> {
        let place = self.variable(sum, call);
        out.push(self.stored(place, Some(BinaryOp::Add), term, call)?);
        Some(())
    }

    fn counted_loop(
        &mut self,
        counter: &str,
        (from, to): (Ast, Ast),
        stmts: Vec<Stmt>,
        call: &ExprMethodCall,
        out: &mut Vec<Stmt>,
    ) {
        let (variable, span) = (self.named(counter, call), self.span(call));
        let body = Block { stmts, value: None };
        out.push(Stmt {
            kind: StmtKind::For { variable, from, to, inclusive: false, adaptors: Vec::new(), body },
            span,
        });
    }

    fn int_of(&mut self, number: i128, call: &ExprMethodCall) -> Ast {
        self.made(ExprKind::Int(number, Some(Scalar::Usize)), call)
    }

    fn binary_of(&mut self, op: BinaryOp, a: Ast, b: Ast, call: &ExprMethodCall) -> Ast {
        self.made(ExprKind::Binary(op, Box::new(a), Box::new(b)), call)
    }

    /// Refuses to exchange arrays of whose strides something depends.
    pub fn strides_stay(&mut self) {
        let asked = std::mem::take(&mut self.strides_asked);
        let Some((array, (first, last))) = asked.into_iter().find(|(array, _)| self.exchanged_arrays.contains(array))
        else {
            return;
        };
        let call = self.call.replace((first, last));
        let help = "write `a.iter().sum::<f64>()` and `a.iter().zip(&b).map(|(x, y)| x * y).sum::<f64>()`";
        let message = format!("the order of this sum is open, as `{}` is exchanged with another array", shown(&array));
        self.refuse(&quote::quote!(sum), message, help);
        self.call = call;
    }
}
