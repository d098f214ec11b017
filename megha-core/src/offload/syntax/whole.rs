//! Statements over whole arrays: `a.fill(x)`, `a.assign(&b)`, `a += &b`, and methods that are statements.

use super::Converter;
use super::azip::producers;
use super::expr::plain;
use super::scope::View;
use crate::offload::ast::{BinaryOp, Expr as Ast, ExprKind, Stmt, StmtKind};
use syn::{Expr, ExprBinary, ExprClosure, ExprMethodCall};

/// Whether a method stands alone.
pub fn is_statement(method: &str) -> bool {
    matches!(
        method,
        "fill"
            | "assign"
            | "swap"
            | "for_each"
            | "mapv_inplace"
            | "map_inplace"
            | "copy_from_slice"
            | "swap_with_slice"
            | "scaled_add"
            | "zip_mut_with"
    )
}

impl Converter {
    /// A method call that stands alone.
    pub fn method_statement(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<()> {
        let method = call.method.to_string();
        match (&method[..], call.args.len()) {
            ("fill", 1) => self.fill(call, out),
            ("assign" | "copy_from_slice", 1) => self.assign_all(call, out),
            ("swap", 2) => self.swap(call, out),
            ("swap_with_slice", 1) => self.swap_all(call, out),
            ("for_each", 1) => match producers(&call.receiver) {
                Some(zip) => self.zip_for_each(&zip, &call.args[0], out),
                None => self.for_each(call, out),
            },
            ("mapv_inplace" | "map_inplace", 1) => self.map_in_place(call, out),
            ("scaled_add", 2) => self.scaled_add(call, out),
            ("zip_mut_with", 2) => self.zip_mut_with(call, out),
            _ => {
                let help = "of these, `fill`, `assign`, `copy_from_slice`, `swap`, `swap_with_slice`, `scaled_add`, `for_each`, `zip_mut_with` and `mapv_inplace` are taken; else write the loop out";
                self.refuse(call, format!("the method `{method}` is not taken as a statement"), help);
                None
            }
        }
    }

    fn receiver(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Option<View> {
        let before = self.problems.len();
        let view = self.known_view(expr, &mut Some(out));
        if view.is_none() && self.problems.len() == before {
            let (message, help) = if is_product(expr) {
                ("products with matrices are not taken", super::calls::instead("dot"))
            } else {
                ("this is no array that is known here", "use a parameter, a local array, or a row or column of one")
            };
            self.refuse(expr, message, help);
        }
        view
    }

    /// An array, or what arithmetic of arrays comes to.
    fn operand(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Option<View> {
        if self.is_elementwise(expr) { self.elementwise(expr, false, out) } else { self.receiver(expr, out) }
    }

    /// A part of an array that is stored into.
    pub fn target_of(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Option<View> {
        let view = self.receiver(expr, out)?;
        self.not_constant(&view.array, expr)?;
        Some(view)
    }

    fn fill(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<()> {
        let view = self.target_of(&call.receiver, out)?;
        let value = self.expr(&call.args[0])?;
        let held = self.hold(value, "filled", call, out);
        self.each(&view, None, call, out, |this, _| this.variable(&held, call))
    }

    /// `element op= value` for all elements of a part of an array.
    pub fn each(
        &mut self,
        view: &View,
        op: Option<BinaryOp>,
        at: &impl quote::ToTokens,
        out: &mut Vec<Stmt>,
        value: impl FnOnce(&mut Self, &[String]) -> Ast,
    ) -> Option<()> {
        let stmts = self.over(view, at, |this, counters| {
            let (element, value) = (this.counted(view, counters, at), value(this, counters));
            this.stored(element, op, value, at).map(|stmt| vec![stmt])
        });
        out.extend(stmts?);
        Some(())
    }

    /// A variable of the loop AST that holds a value.
    pub fn hold(&mut self, value: Ast, shown: &str, at: &impl quote::ToTokens, out: &mut Vec<Stmt>) -> String {
        let own = self.fresh(shown);
        let (name, span) = (self.named(&own, at), self.span(at));
        out.push(Stmt { kind: StmtKind::Let { name, ty: None, mutable: false, value: Some(value) }, span });
        own
    }

    fn assign_all(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<()> {
        let target = self.target_of(&call.receiver, out)?;
        let source = self.operand(&call.args[0], out)?;
        if call.method == "copy_from_slice" && target.free().len() == 1 {
            let [a, b] = [&target, &source].map(|view| self.extent_of(view, 0, call));
            let cond = self.made(ExprKind::Binary(BinaryOp::Eq, Box::new(a), Box::new(b)), call);
            let message = "copy_from_slice: source slice length does not match destination slice length".to_owned();
            out.push(Stmt { kind: StmtKind::Assert { cond, message }, span: self.span(call) });
            return self.each(&target, None, call, out, |this, counters| this.counted(&source, counters, call));
        }
        self.combined(&target, None, &source, call, out)
    }

    /// `a.swap_with_slice(b)`
    fn swap_all(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<()> {
        let first = self.target_of(&call.receiver, out)?;
        let second = self.target_of(&call.args[0], out)?;
        out.extend(self.alike(&first, &second, call));
        let stmts = self.over(&first, call, |this, counters| {
            let mut stmts = Vec::new();
            let [before, a, b, again] =
                [&first, &first, &second, &second].map(|view| this.counted(view, counters, call));
            let held = this.hold(before, "held", call, &mut stmts);
            stmts.push(this.stored(a, None, b, call)?);
            let value = this.variable(&held, call);
            stmts.push(this.stored(again, None, value, call)?);
            Some(stmts)
        });
        out.extend(stmts?);
        Some(())
    }

    /// Elements of one array from those of another of the same shape. Fewer dimensions are repeated as ndarray does.
    fn combined(
        &mut self,
        target: &View,
        op: Option<BinaryOp>,
        source: &View,
        at: &impl quote::ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let (rank, given) = (target.free().len(), source.free().len());
        if given > rank {
            let help = "ndarray repeats elements along missing dimensions of the right side only";
            self.refuse(at, "the right side has more dimensions than the left", help);
            return None;
        }
        let missing = rank - given;
        for axis in 0..given {
            let (a, b) = (self.extent_of(target, axis + missing, at), self.extent_of(source, axis, at));
            out.push(Stmt { kind: StmtKind::Alike(a, b), span: self.span(at) });
        }
        self.each(target, op, at, out, |this, counters| this.counted(source, &counters[missing..], at))
    }

    /// `a += &b` and `a *= x` on all elements.
    pub fn whole_compound(&mut self, binary: &ExprBinary, op: BinaryOp, out: &mut Vec<Stmt>) -> Option<()> {
        let target = self.target_of(&binary.left, out)?;
        if self.is_array(&binary.right) || self.is_elementwise(&binary.right) {
            let source = self.operand(&binary.right, out)?;
            return self.combined(&target, Some(op), &source, binary, out);
        }
        let value = self.expr(&binary.right)?;
        let held = self.hold(value, "operand", binary, out);
        self.each(&target, Some(op), binary, out, |this, _| this.variable(&held, binary))
    }

    /// `a.scaled_add(x, &b)`: `a + x * b` of each element.
    fn scaled_add(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<()> {
        let target = self.target_of(&call.receiver, out)?;
        let factor = self.expr(&call.args[0])?;
        let factor = self.hold(factor, "factor", call, out);
        let source = self.operand(&call.args[1], out)?;
        if source.free().len() != target.free().len() {
            self.refuse(call, "arrays of several dimensions go with others of their shape only", "write the loops out");
            return None;
        }
        out.extend(self.alike(&target, &source, call));
        self.each(&target, Some(BinaryOp::Add), call, out, |this, counters| {
            let (factor, element) = (this.variable(&factor, call), this.counted(&source, counters, call));
            this.made(ExprKind::Binary(BinaryOp::Mul, Box::new(factor), Box::new(element)), call)
        })
    }

    /// `a.swap([i, j], [k, l])`
    fn swap(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<()> {
        let view = self.target_of(&call.receiver, out)?;
        let mut held = Vec::new();
        for at in &call.args {
            let subs: Vec<Option<Ast>> = match plain(at) {
                Expr::Array(list) => list.elems.iter().map(|sub| self.expr(sub)).collect(),
                Expr::Tuple(list) => list.elems.iter().map(|sub| self.expr(sub)).collect(),
                one => vec![self.expr(one)],
            };
            let subs = subs.into_iter().collect::<Option<Vec<Ast>>>()?;
            held.push(subs.into_iter().map(|sub| self.hold(sub, "at", at, out)).collect::<Vec<String>>());
        }
        let element = |this: &mut Self, subs: &[String]| {
            let subs = subs.iter().map(|sub| this.variable(sub, call)).collect();
            this.element_by(&view, subs, call)
        };
        let value = element(self, &held[0]);
        let first = self.hold(value, "held", call, out);
        let (a, b) = (element(self, &held[0]), element(self, &held[1]));
        let (again, value) = (element(self, &held[1]), self.variable(&first, call));
        out.push(self.stored(a, None, b, call)?);
        out.push(self.stored(again, None, value, call)?);
        Some(())
    }

    /// `a.mapv_inplace(|x| ..)`
    fn map_in_place(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<()> {
        let view = self.target_of(&call.receiver, out)?;
        let closure = self.closure(&call.args[0], 1)?;
        let by_value = call.method == "mapv_inplace";
        let since = self.fresh;
        let depth = self.scope.len();
        self.within += 1;
        let stmts = self.over(&view, call, |this, counters| {
            let element = this.counted(&view, counters, call);
            let item = super::iterate::Item::Element { view: view.clone(), at: counters.to_vec(), mutable: !by_value };
            let mut stmts = Vec::new();
            this.bind(&closure.inputs[0], &item, &mut stmts)?;
            if by_value {
                let value = this.expr(&closure.body)?;
                stmts.push(this.stored(element, None, value, call)?);
            } else {
                this.statement(&closure.body, &mut stmts)?;
            }
            Some(stmts)
        });
        self.within -= 1;
        self.scope.truncate(depth);
        let stmts = stmts?;
        self.in_any_order(&stmts, (since, &[]), &[&view], call)?;
        out.extend(stmts);
        Some(())
    }

    /// A closure that stands where it is called.
    pub fn closure<'e>(&mut self, expr: &'e Expr, inputs: usize) -> Option<&'e ExprClosure> {
        match plain(expr) {
            Expr::Closure(closure) if closure.inputs.len() == inputs => Some(closure),
            other => {
                let message = format!("a closure of {inputs} parameters is taken here, written in place");
                self.refuse(other, message, "write the loop out");
                None
            }
        }
    }
}

/// Whether an expression is, or lends, what `dot` gives.
fn is_product(expr: &Expr) -> bool {
    match plain(expr) {
        Expr::Reference(reference) => is_product(&reference.expr),
        Expr::MethodCall(call) => call.method == "dot",
        _ => false,
    }
}
