//! Arrays that are made element by element: `iter.collect()`, `Array1::from_iter(iter)`, `Array2::from_shape_fn((n, m), |(i, j)| ..)`, `a.mapv(|x| ..)`.

use super::Converter;
use super::expr::plain;
use super::iterate::Item;
use super::local_arrays::Made;
use super::scope::{Form, View};
use super::stages::{Passed, Stage, stages};
use crate::offload::ast::{Block, Expr as Ast, ExprKind, Neutral, Scalar, Stmt, StmtKind};
use syn::{Expr, ExprCall, ExprClosure, ExprMethodCall, GenericArgument, PathArguments, Type};

/// The array that is made: of what, and as what.
#[derive(Clone, Copy)]
struct Target {
    ty: Option<Scalar>,
    form: Form,
    mutable: bool,
}

impl Converter {
    /// The array that an expression makes so; `None` if it is no such thing.
    pub fn new_array(
        &mut self,
        value: &Expr,
        ty: Option<&Type>,
        mutable: bool,
        out: &mut Vec<Stmt>,
    ) -> Option<Option<View>> {
        match plain(value) {
            Expr::MethodCall(call) if call.method == "collect" && call.args.is_empty() => {
                let said = call.turbofish.as_ref().and_then(|said| said.args.first());
                let ty = if let Some(GenericArgument::Type(said)) = said { Some(said) } else { ty };
                Some(
                    self.collect_type(ty, call).and_then(|(ty, form)| {
                        self.collected(&call.receiver, value, Target { ty, form, mutable }, out)
                    }),
                )
            }
            Expr::MethodCall(call)
                if call.method == "mapv" && self.is_array(&call.receiver) && call.args.len() == 1 =>
            {
                Some(self.mapped_array(call, mutable, out))
            }
            Expr::Call(call) => self.array_by_function(call, ty, mutable, out),
            _ => None,
        }
    }

    /// The class of elements and the kind of array that `collect` gives.
    fn collect_type(&mut self, ty: Option<&Type>, at: &ExprMethodCall) -> Option<(Option<Scalar>, Form)> {
        let written = ty.map(|ty| self.resolved(ty).0);
        let form = match &written {
            Some(Type::Path(path)) => match &path.path.segments.last()?.ident.to_string()[..] {
                "Vec" => Some(Form::Vector),
                "Array1" | "Array" => Some(Form::Ndarray),
                _ => None,
            },
            _ => None,
        };
        let Some(form) = form else {
            let help = "write `let v: Vec<f64> = ..collect();`, or `Array1<f64>`; else fill an array in a loop";
            self.refuse(at, "what is collected here is not known to be a vector or an array of one dimension", help);
            return None;
        };
        Some((self.element_type(ty)?, form))
    }

    /// `Array1::from_iter(iter)` and `Array::from_shape_fn(shape, f)`
    fn array_by_function(
        &mut self,
        call: &ExprCall,
        ty: Option<&Type>,
        mutable: bool,
        out: &mut Vec<Stmt>,
    ) -> Option<Option<View>> {
        let Expr::Path(path) = plain(&call.func) else { return None };
        let segments: Vec<&syn::PathSegment> = path.path.segments.iter().collect();
        let [.., class, maker] = segments[..] else { return None };
        let args: Vec<&Expr> = call.args.iter().map(plain).collect();
        let maker = maker.ident.to_string();
        if !class.ident.to_string().starts_with("Array") || !matches!(&maker[..], "from_iter" | "from_shape_fn") {
            return None;
        }
        let named = match &class.arguments {
            PathArguments::AngleBracketed(args) => args.args.first(),
            PathArguments::None | PathArguments::Parenthesized(_) => None,
        };
        let ty = match named {
            Some(GenericArgument::Type(Type::Infer(_))) | None => self.element_type(ty),
            Some(GenericArgument::Type(named)) => self.scalar_type(named).map(Some),
            Some(_) => None,
        };
        let Some(ty) = ty else { return Some(None) };
        let target = Target { ty, form: Form::Ndarray, mutable };
        let whole = Expr::Call(call.clone());
        match (&maker[..], &args[..]) {
            ("from_iter", [source]) => Some(self.collected(source, &whole, target, out)),
            ("from_shape_fn", [shape, Expr::Closure(by)]) if by.inputs.len() == 1 => {
                Some(self.array_of_shape(shape, by, &whole, target, out))
            }
            _ => None,
        }
    }

    /// What an iterator of one dimension gives, as an array of its length.
    fn collected(&mut self, iterator: &Expr, at: &Expr, target: Target, out: &mut Vec<Stmt>) -> Option<View> {
        let (source, stages) = stages(iterator);
        if stages.iter().any(|stage| !matches!(stage, Stage::Map(_))) {
            let help = "count what is taken, or use the elements in a loop";
            self.refuse(at, "an array whose length the elements decide is not taken", help);
            return None;
        }
        self.within += 1;
        let depth = self.scope.len();
        let course = self.course(source, out);
        let view = course.and_then(|course| {
            let (position, mut stmts) = (self.fresh("k"), Vec::new());
            let (len, item) = self.positioned(course, &position, at, &mut stmts, out)?;
            let len = self.hold(len, "length", at, out);
            let view = self.empty_array(&len, at, target, out)?;
            let mut last = |this: &mut Self, passed: Passed, _: u32, stmts: &mut Vec<Stmt>| {
                let value = this.value_of(passed, at, stmts)?;
                let place = this.variable(&position, at);
                let place = this.made(ExprKind::Cast(Box::new(place), Scalar::Usize), at);
                let element = this.element_of(&view, vec![place], at);
                stmts.push(this.stored(element, None, value, at)?);
                Some(())
            };
            self.through(at, &stages, Passed::Item(item), 1, &mut last, &mut stmts)?;
            let (variable, span) = (self.named(&position, at), self.span(at));
            let (from, to) = (self.made(ExprKind::Int(0, None), at), self.variable(&len, at));
            let body = Block { stmts, value: None };
            out.push(Stmt {
                kind: StmtKind::For { variable, from, to, inclusive: false, adaptors: Vec::new(), body },
                span,
            });
            Some(view)
        });
        self.scope.truncate(depth);
        self.within -= 1;
        view
    }

    /// An array of as many elements as a variable says.
    fn empty_array(&mut self, len: &str, at: &Expr, target: Target, out: &mut Vec<Stmt>) -> Option<View> {
        // A range that ends before it begins gives nothing.
        let (len, zero) = (self.variable(len, at), self.made(ExprKind::Int(0, None), at));
        let len = self.method_of(len, "max", zero, at);
        let len = self.made(ExprKind::Cast(Box::new(len), Scalar::Usize), at);
        self.empty_of(vec![len], at, target, out)
    }

    fn empty_of(&mut self, dims: Vec<Ast>, at: &Expr, target: Target, out: &mut Vec<Stmt>) -> Option<View> {
        let fill = self.made(ExprKind::Neutral(Neutral::Zero), at);
        let made = Made::filled(target.ty, dims, fill, target.form);
        let made = if target.form == Form::Ndarray { made.in_order() } else { made };
        self.array_local("made", target.mutable, made, at, out)
    }

    fn array_of_shape(
        &mut self,
        shape: &Expr,
        by: &ExprClosure,
        at: &Expr,
        target: Target,
        out: &mut Vec<Stmt>,
    ) -> Option<View> {
        let dims = self.sizes(shape)?;
        let held: Vec<String> = dims.into_iter().map(|size| self.held_usize(size, "size", at, out)).collect();
        let dims = held.iter().map(|size| self.variable(size, at)).collect();
        let view = self.empty_of(dims, at, target, out)?;
        self.each_is(&view, at, out, |this, counters, stmts| {
            let mut numbers: Vec<Item> = counters.iter().map(|counter| Item::Number(counter.clone())).collect();
            let item = if numbers.len() == 1 { numbers.remove(0) } else { Item::Tuple(numbers) };
            this.applied(by, [&Passed::Item(item)], at, stmts)
        })?;
        Some(view)
    }

    /// `a.mapv(|x| ..)`
    fn mapped_array(&mut self, call: &ExprMethodCall, mutable: bool, out: &mut Vec<Stmt>) -> Option<View> {
        let source = self.known_view(&call.receiver, &mut Some(out))?;
        let at = Expr::MethodCall(call.clone());
        let closure = self.closure(&call.args[0], 1)?;
        let dims = (0..source.free().len()).map(|axis| self.extent_of(&source, axis, call)).collect();
        let fill = self.made(ExprKind::Neutral(Neutral::Zero), call);
        let made = Made::filled(None, dims, fill, Form::Ndarray);
        let view = self.array_local("made", mutable, made, call, out)?;
        self.made_straight(&view, vec![source.clone()]);
        self.each_is(&view, &at, out, |this, counters, stmts| {
            let item = Item::Element { view: source.clone(), at: counters.to_vec(), mutable: false };
            this.applied(closure, [&Passed::Item(item)], &at, stmts)
        })?;
        Some(view)
    }

    /// Stores into each element of an array what is made of its subscripts.
    fn each_is(
        &mut self,
        view: &View,
        at: &Expr,
        out: &mut Vec<Stmt>,
        mut value: impl FnMut(&mut Self, &[String], &mut Vec<Stmt>) -> Option<Ast>,
    ) -> Option<()> {
        let depth = self.scope.len();
        self.within += 1;
        let stmts = self.over(view, at, |this, counters| {
            let mut stmts = Vec::new();
            let value = value(this, counters, &mut stmts)?;
            let element = this.counted(view, counters, at);
            stmts.push(this.stored(element, None, value, at)?);
            Some(stmts)
        });
        self.within -= 1;
        self.scope.truncate(depth);
        out.extend(stmts?);
        Some(())
    }
}
