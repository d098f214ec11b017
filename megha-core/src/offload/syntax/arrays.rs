//! Arrays as operands: parts of them, their sizes, and statements over all their elements.

use super::Converter;
use super::calls::source;
use super::expr::{name, plain, whole};
use super::iterate::Item;
use super::scope::{Form, Meaning, View};
use super::slices::ranges;
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Ident, Place, Scalar, Stmt, StmtKind};
use quote::ToTokens;
use syn::{Expr, ExprField, ExprIndex, ExprMethodCall, Member, UnOp};

/// Methods that give an array as it is.
const SAME: &[&str] = &["view", "view_mut", "as_slice", "as_mut_slice", "reborrow"];

impl Converter {
    /// The array, or part of one, that an expression is; what it is not is reported.
    pub fn view(&mut self, expr: &Expr) -> Option<View> {
        match self.known_view(expr, &mut None) {
            Some(view) => Some(view),
            None => {
                // A name of a number or of nothing, which is reported where types are known.
                if let Some(name) = name(expr) {
                    if self.is_constant(name) {
                        let message = format!("the elements of `{name}` are not known here");
                        self.refuse(expr, message, "write them out in the `const`, or pass it as an argument");
                        return None;
                    }
                    let own = self.own_name(name);
                    return Some(View::whole(own, 0, Form::Ndarray));
                }
                self.refuse(expr, "only arrays are indexed, by all subscripts at once", "write `a[[i, j]]`");
                None
            }
        }
    }

    /// The name in the loop AST of what is no array; of a name that is not known one that nothing has.
    fn own_name(&mut self, name: &syn::Ident) -> String {
        match self.meaning(name) {
            Some(Meaning::Number(own) | Meaning::Lent(own)) => own.clone(),
            Some(Meaning::Array(view) | Meaning::Element(view)) => view.array.clone(),
            Some(Meaning::Function(_) | Meaning::Closure(_) | Meaning::Imported(_) | Meaning::Tuple(_)) | None => {
                self.fresh(&name.to_string())
            }
        }
    }

    /// Whether an expression is an array or a part of one that needs no statements.
    pub fn is_array(&self, expr: &Expr) -> bool {
        match plain(expr) {
            Expr::Reference(reference) => self.is_array(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.is_array(&unary.expr),
            Expr::MethodCall(call) => {
                let method = call.method.to_string();
                let part = SAME.contains(&&method[..])
                    || line(&method).is_some()
                    || matches!(&method[..], "index_axis" | "index_axis_mut")
                    || is_transposed(call)
                    || ranges(call).is_some();
                part && self.is_array(&call.receiver)
            }
            Expr::Index(index) => match plain(&index.index) {
                Expr::Range(_) => self.is_array(&index.expr),
                Expr::Array(_) | Expr::Tuple(_) => false,
                _ => self.nesting(&index.expr).is_some_and(|depth| depth > 1),
            },
            Expr::Path(path) if path.path.segments.len() > 1 => self.array_by_path(&path.path).is_some(),
            Expr::Field(_) => matches!(self.item_of(expr), Some(Item::Line(_))),
            other => name(other).is_some_and(|n| matches!(self.meaning(n), Some(Meaning::Array(_)))),
        }
    }

    /// How many subscripts in a row an array within arrays takes: none if it is no such thing.
    fn nesting(&self, expr: &Expr) -> Option<usize> {
        let depth = |view: &View| (view.form != Form::Ndarray).then(|| view.free().len());
        match plain(expr) {
            Expr::Reference(reference) => self.nesting(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.nesting(&unary.expr),
            Expr::Index(index) => match plain(&index.index) {
                Expr::Range(_) => self.nesting(&index.expr),
                Expr::Array(_) | Expr::Tuple(_) => None,
                _ => self.nesting(&index.expr)?.checked_sub(1),
            },
            Expr::Path(path) if path.path.segments.len() > 1 => depth(self.array_by_path(&path.path)?),
            other => match self.meaning(name(other)?)? {
                Meaning::Array(view) => depth(view),
                Meaning::Number(_) | Meaning::Lent(_) | Meaning::Element(_) | Meaning::Tuple(_) => None,
                Meaning::Function(_) | Meaning::Closure(_) | Meaning::Imported(_) => None,
            },
        }
    }

    /// The array that an expression is. Rows and columns take statements that fix their subscripts; `None` if there is nowhere for them.
    pub fn known_view(&mut self, expr: &Expr, before: &mut Option<&mut Vec<Stmt>>) -> Option<View> {
        match plain(expr) {
            Expr::Reference(reference) => {
                let view = self.known_view(&reference.expr, before)?;
                Some(view.lent(reference.mutability.is_some()))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                Some(View { lent: false, ..self.known_view(&unary.expr, before)? })
            }
            Expr::MethodCall(call) if SAME.contains(&&call.method.to_string()[..]) => {
                let view = self.known_view(&call.receiver, before)?;
                let mutable = call.method.to_string().contains("mut") || call.method == "reborrow" && view.mutable;
                Some(view.lent(mutable))
            }
            Expr::MethodCall(call) if is_transposed(call) => {
                let view = self.known_view(&call.receiver, before)?;
                Some(View { reversed: !view.reversed, ..view }.lent(false))
            }
            Expr::MethodCall(call) if ranges(call).is_some() => self.part_by_ranges(call, before),
            Expr::MethodCall(call) => self.line_of(call, before),
            Expr::Index(index) => match plain(&index.index) {
                Expr::Range(range) => self.part_by_range(index, range, before),
                at => self.inner_array(index, at, before),
            },
            Expr::Path(path) if path.path.segments.len() > 1 => self.array_by_path(&path.path).cloned(),
            Expr::Field(_) => match self.item_of(expr)? {
                Item::Line(view) => Some(view),
                Item::Number(_) | Item::Element { .. } | Item::Tuple(_) => None,
            },
            other => match self.meaning(name(other)?)? {
                Meaning::Array(view) => Some(view.clone()),
                Meaning::Number(_) | Meaning::Lent(_) | Meaning::Element(_) | Meaning::Tuple(_) => None,
                Meaning::Function(_) | Meaning::Closure(_) | Meaning::Imported(_) => None,
            },
        }
    }

    /// `a.row(i)`, `a.column(j)` and `a.index_axis(Axis(k), i)`, for reading or writing.
    fn line_of(&mut self, call: &ExprMethodCall, before: &mut Option<&mut Vec<Stmt>>) -> Option<View> {
        let method = call.method.to_string();
        let (axis, at) = match (line(&method), &call.args.iter().collect::<Vec<_>>()[..]) {
            (Some(axis), [at]) => (axis, *at),
            (None, [axis, at]) if matches!(&method[..], "index_axis" | "index_axis_mut") => {
                (self.literal_axis(axis)?, *at)
            }
            _ => return None,
        };
        before.as_ref()?;
        let view = self.known_view(&call.receiver, before)?;
        let value = self.expr(at)?;
        let line = self.line_at(&view, axis, value, call, before.as_mut()?)?;
        Some(line.lent(method.ends_with("mut")))
    }

    /// `m[i]` of an array of arrays, which is a place of its own that Rust copies.
    fn inner_array(&mut self, index: &ExprIndex, at: &Expr, before: &mut Option<&mut Vec<Stmt>>) -> Option<View> {
        before.as_ref()?;
        let view = self.known_view(&index.expr, before)?;
        let at = self.expr(at)?;
        let inner = self.line_at(&view, 0, at, index, before.as_mut()?)?;
        Some(View { form: Form::Fixed, lent: false, ..inner })
    }

    /// A part with one more dimension fixed, at a number that is tested.
    pub fn line_at(
        &mut self,
        view: &View,
        axis: usize,
        value: Ast,
        at: &impl ToTokens,
        out: &mut Vec<Stmt>,
    ) -> Option<View> {
        let variable = self.held_usize(value, if axis == 0 { "i" } else { "j" }, at, out);
        let (bound, extent) = (self.variable(&variable, at), self.extent_of(view, axis, at));
        let inside = self.made(ExprKind::Binary(BinaryOp::Lt, Box::new(bound), Box::new(extent)), at);
        self.in_bounds(inside, at, out);
        let line = view.fixed(axis, variable);
        if line.is_none() {
            self.refuse(at, "the array has no such dimension", "name one that it has");
        }
        line
    }

    /// A variable of the loop AST that holds a `usize`.
    pub fn held_usize(&mut self, value: Ast, shown: &str, at: &impl ToTokens, out: &mut Vec<Stmt>) -> String {
        let own = self.fresh(shown);
        let (name, span) = (self.named(&own, at), self.span(at));
        let kind = StmtKind::Let { name, ty: Some(Scalar::Usize), mutable: false, value: Some(value) };
        out.push(Stmt { kind, span });
        own
    }

    /// Demands that what is written is in bounds.
    pub fn in_bounds(&mut self, cond: Ast, at: &impl ToTokens, out: &mut Vec<Stmt>) {
        let message = format!("`{}` is out of bounds", source(at));
        out.push(Stmt { kind: StmtKind::Assert { cond, message }, span: self.span(at) });
    }

    /// The number in `Axis(k)`, which must be written there.
    pub fn literal_axis(&mut self, expr: &Expr) -> Option<usize> {
        let axis = self.axis(expr);
        if axis.is_none() {
            self.refuse(expr, "the axis is `Axis(k)` with a literal", "write the loops out, or one for each axis");
        }
        axis
    }

    /// The number in `Axis(k)`.
    pub fn axis(&self, expr: &Expr) -> Option<usize> {
        let Expr::Call(call) = plain(expr) else { return None };
        let is_axis =
            matches!(plain(&call.func), Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Axis"));
        match (&call.args.first(), is_axis) {
            (Some(number), true) => whole(number),
            _ => None,
        }
    }

    /// `x.shape()[0]`
    pub fn shape_element(&mut self, index: &ExprIndex) -> Option<Ast> {
        let axis = whole(&index.index)?;
        self.extent_by(&index.expr, axis, index)
    }

    /// `x.dim().0`, and parts of complex numbers; any other field is refused.
    pub fn field(&mut self, field: &ExprField) -> Option<Ast> {
        if let Member::Unnamed(axis) = &field.member
            && let Some(extent) = self.extent_by(&field.base, axis.index as usize, field)
        {
            return Some(extent);
        }
        if let Some(number) = self.tuple_field(field) {
            return number;
        }
        let mut stmts = Vec::new();
        if let Member::Unnamed(number) = &field.member
            && let Some(numbers) = self.optional_numbers(&field.base, &mut stmts)
        {
            let value = Some(Box::new(numbers?.into_iter().nth(number.index as usize)?));
            return Some(self.made(ExprKind::Block(Block { stmts, value }), field));
        }
        if let Member::Unnamed(number) = &field.member
            && let Some(count) = self.count_of(&field.base)
        {
            let numbers = self.several(&field.base, count, &mut stmts)?;
            let value = Some(Box::new(numbers.into_iter().nth(number.index as usize)?));
            return Some(self.made(ExprKind::Block(Block { stmts, value }), field));
        }
        if let Some(part) = self.complex_part(field) {
            return part;
        }
        let help = "of arrays, `x.dim().0` and `x.shape()[0]` are taken, and places of tuples under a name; pass other numbers as parameters";
        self.refuse(field, "fields are not taken", help);
        None
    }

    /// A size by a call of `dim` or `shape`, or by a name of `shape()`.
    fn extent_by(&mut self, call: &Expr, axis: usize, at: &impl ToTokens) -> Option<Ast> {
        if let Some(Meaning::Tuple(items)) = name(call).and_then(|name| self.meaning(name)) {
            let Item::Number(size) = items.get(axis)?.clone() else { return None };
            return Some(self.variable(&size, at));
        }
        let Expr::MethodCall(call) = plain(call) else { return None };
        let is_size = matches!(call.method.to_string().as_str(), "shape" | "dim") && call.args.is_empty();
        if !is_size {
            return None;
        }
        let view = self.view(&call.receiver)?;
        Some(self.extent_of(&view, axis, at))
    }

    /// All sizes of an array as a list, `a.shape()`.
    pub fn shape(&mut self, expr: &Expr) -> Option<Vec<Ast>> {
        let Expr::MethodCall(call) = plain(expr) else { return None };
        let is_shape = matches!(&call.method.to_string()[..], "shape" | "raw_dim") && call.args.is_empty();
        if !is_shape || !self.is_array(&call.receiver) {
            return None;
        }
        let view = self.view(&call.receiver)?;
        Some((0..view.free().len()).map(|axis| self.extent_of(&view, axis, expr)).collect())
    }

    /// All sizes of an array, for `let (n, m) = a.dim();`.
    pub fn dim(&mut self, expr: &Expr) -> Option<Vec<Ast>> {
        let Expr::MethodCall(call) = plain(expr) else { return None };
        if call.method != "dim" || !call.args.is_empty() || !self.is_array(&call.receiver) {
            return None;
        }
        let view = self.view(&call.receiver)?;
        Some((0..view.free().len()).map(|axis| self.extent_of(&view, axis, expr)).collect())
    }

    /// A method that gives a number of an array, if it is one.
    pub fn array_number(&mut self, call: &ExprMethodCall) -> Option<Ast> {
        let method = call.method.to_string();
        let known =
            matches!(method.as_str(), "nrows" | "ncols" | "len" | "is_empty" | "len_of" | "dim" | "rows" | "cols");
        let is_line = matches!(method.as_str(), "rows" | "cols");
        let plain_call = known && !is_line && (call.args.is_empty() || method == "len_of");
        if !plain_call || (!self.is_array(&call.receiver) && name(&call.receiver).is_none()) {
            return None;
        }
        let mut stmts = Vec::new();
        let view = match self.is_array(&call.receiver) {
            true => self.known_view(&call.receiver, &mut Some(&mut stmts))?,
            false => self.view(&call.receiver)?,
        };
        let number = self.number_of(&view, &method, call)?;
        if stmts.is_empty() {
            return Some(number);
        }
        let value = Some(Box::new(number));
        Some(self.made(ExprKind::Block(Block { stmts, value }), call))
    }

    fn number_of(&mut self, view: &View, method: &str, call: &ExprMethodCall) -> Option<Ast> {
        match method {
            "nrows" => Some(self.extent_of(view, 0, call)),
            "ncols" => Some(self.extent_of(view, 1, call)),
            "len_of" => {
                let axis = self.literal_axis(call.args.first()?)?;
                Some(self.extent_of(view, axis, call))
            }
            "dim" if view.free().len() == 1 => Some(self.extent_of(view, 0, call)),
            "dim" => None,
            _ => {
                let len = self.length(view, call);
                if method == "len" {
                    return Some(len);
                }
                let zero = self.made(ExprKind::Int(0, None), call);
                Some(self.made(ExprKind::Binary(BinaryOp::Eq, Box::new(len), Box::new(zero)), call))
            }
        }
    }

    /// The number of elements of a part of an array.
    pub fn length(&mut self, view: &View, at: &impl ToTokens) -> Ast {
        let free = view.free().len();
        // Of a vector of vectors it is the number of these.
        if free > 1 && view.form != Form::Ndarray {
            return self.extent_of(view, 0, at);
        }
        if view.is_whole() {
            let array = self.named(&view.array, at);
            return self.made(ExprKind::Extent { array, axis: None }, at);
        }
        let mut product = self.extent_of(view, 0, at);
        for axis in 1..free {
            let extent = self.extent_of(view, axis, at);
            let kind = ExprKind::Binary(BinaryOp::Mul, Box::new(product), Box::new(extent));
            product = self.made(kind, at);
        }
        product
    }

    /// A loop nest over all elements of a part of an array, in its logical order. `body` is given the counters.
    pub fn over(
        &mut self,
        view: &View,
        at: &impl ToTokens,
        body: impl FnOnce(&mut Self, &[String]) -> Option<Vec<Stmt>>,
    ) -> Option<Vec<Stmt>> {
        let counters: Vec<String> =
            view.free().iter().map(|axis| self.fresh(["i", "j", "k", "l"][(*axis).min(3)])).collect();
        let stmts = body(self, &counters)?;
        Some(self.over_named(view, &counters, at, stmts))
    }

    /// The loop nest whose counters have these names around some statements.
    pub fn over_named(
        &mut self,
        view: &View,
        counters: &[String],
        at: &impl ToTokens,
        mut stmts: Vec<Stmt>,
    ) -> Vec<Stmt> {
        for (axis, counter) in counters.iter().enumerate().rev() {
            let variable = self.named(counter, at);
            let to = self.extent_of(view, axis, at);
            let from = self.made(ExprKind::Int(0, None), at);
            let body = Block { stmts, value: None };
            let kind = StmtKind::For { variable, from, to, inclusive: false, adaptors: Vec::new(), body };
            stmts = vec![Stmt { kind, span: self.span(at) }];
        }
        stmts
    }

    /// The element of a part of an array that these counters count, or a place for it.
    pub fn counted(&mut self, view: &View, counters: &[String], at: &impl ToTokens) -> Ast {
        let subs = counters.iter().map(|counter| self.variable(counter, at)).collect();
        self.element_of(view, subs, at)
    }

    /// Statements that demand two parts of arrays to have one shape, without which the plain function runs.
    pub fn alike(&mut self, a: &View, b: &View, at: &impl ToTokens) -> Vec<Stmt> {
        let axes = a.free().len();
        let each = (0..axes).map(|axis| {
            let (a, b) = (self.extent_of(a, axis, at), self.extent_of(b, axis, at));
            Stmt { kind: StmtKind::Alike(a, b), span: self.span(at) }
        });
        each.collect()
    }
}

/// `a.t()`
fn is_transposed(call: &ExprMethodCall) -> bool {
    call.method == "t" && call.args.is_empty()
}

/// The dimension that `row` or `column` fixes.
fn line(method: &str) -> Option<usize> {
    match method {
        "row" | "row_mut" => Some(0),
        "column" | "column_mut" => Some(1),
        _ => None,
    }
}

/// The place that an expression is.
pub fn place(expr: Ast) -> Option<Place> {
    match expr.kind {
        ExprKind::Variable(text) => Some(Place::Variable(Ident { text, span: expr.span })),
        ExprKind::Element { array, subs } => Some(Place::Element { array, subs }),
        _ => None,
    }
}
