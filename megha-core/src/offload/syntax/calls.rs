//! Calls: methods of numbers, functions of `std` such as `f64::max`, macros that test.

use super::Converter;
use super::expr::plain;
use super::names::{Found, Space};
use super::outer::words;
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Scalar, Stmt, StmtKind};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprLit, ExprMethodCall, Lit, Macro, Token};

impl Converter {
    /// A method call with a value.
    pub fn method(&mut self, call: &ExprMethodCall) -> Option<Ast> {
        let before = self.problems.len();
        if let Some(number) = self.array_number(call) {
            return Some(number);
        }
        if self.problems.len() > before {
            return None;
        }
        if let (Expr::Range(range), "contains", Some(arg)) =
            (plain(&call.receiver), &call.method.to_string()[..], call.args.first())
        {
            return self.contained(range, arg, call);
        }
        if let Some(sum) = self.ndarray_sum(call) {
            return sum;
        }
        if let Some(converted) = self.conversion(call) {
            return converted;
        }
        if let Some(value) = self.optional(call) {
            return value;
        }
        if let Some(reduced) = self.reduced(call) {
            return reduced;
        }
        let method = call.method.to_string();
        if self.is_array(&call.receiver) {
            let help = instead(&method);
            self.refuse(call, format!("the method `{method}` of arrays is not taken in an expression"), help);
            return None;
        }
        if matches!(&method[..], "to_owned" | "clone" | "into" | "copied") && call.args.is_empty() {
            return self.expr(&call.receiver);
        }
        if super::made_at_once::checked(call).is_some() {
            self.refuse(call, "this `Option` is not taken", super::optional::OPTIONS);
            return None;
        }
        if let Some(ordering) = self.ordering(call) {
            return ordering;
        }
        if let Some(bound) = self.unknown_bound.clone() {
            self.unknown_meaning(call, &bound);
            return None;
        }
        if method == "clamp" && !self.instance.is_empty() {
            let help = "write `min` and `max`, or comparisons";
            self.refuse(
                call,
                "`clamp` is not taken in a generic function: that of `num_traits` takes limits that are not in order",
                help,
            );
            return None;
        }
        let receiver = self.expr(&call.receiver);
        if receiver.is_none() && call.args.iter().any(|arg| matches!(plain(arg), Expr::Closure(_))) {
            // What is wrong with the iterator is said; nothing is wrong with the closure.
            return None;
        }
        let args: Vec<Option<Ast>> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let method = self.named(&method, &call.method);
        let args = args.into_iter().collect::<Option<_>>()?;
        Some(self.made(ExprKind::Method { receiver: Box::new(receiver?), method, args }, call))
    }

    /// `(a..b).contains(&x)`
    fn contained(&mut self, range: &syn::ExprRange, arg: &Expr, call: &ExprMethodCall) -> Option<Ast> {
        let mut stmts = Vec::new();
        let mut ends = Vec::new();
        let upper = if matches!(range.limits, syn::RangeLimits::Closed(_)) { BinaryOp::Le } else { BinaryOp::Lt };
        for (op, end) in [(BinaryOp::Ge, &range.start), (upper, &range.end)] {
            let Some(end) = end else { continue };
            let end = self.expr(end)?;
            ends.push((op, self.hold(end, "end", call, &mut stmts)));
        }
        let value = self.expr(arg)?;
        let held = self.hold(value, "value", call, &mut stmts);
        let mut all = self.made(ExprKind::Bool(true), call);
        for (op, end) in ends {
            let (value, end) = (self.variable(&held, call), self.variable(&end, call));
            let one = self.made(ExprKind::Binary(op, Box::new(value), Box::new(end)), call);
            all = self.made(ExprKind::Binary(BinaryOp::And, Box::new(all), Box::new(one)), call);
        }
        Some(self.made(ExprKind::Block(Block { stmts, value: Some(Box::new(all)) }), call))
    }

    /// A number that is converted to this type where it says `into()`.
    pub fn as_said(&mut self, expr: &Expr, ty: Option<Scalar>) -> Option<Ast> {
        match (plain(expr), ty) {
            (Expr::MethodCall(call), Some(ty)) if call.method == "into" && call.args.is_empty() => {
                let value = self.expr(&call.receiver)?;
                Some(self.made(ExprKind::Cast(Box::new(value), ty), call))
            }
            _ => self.expr(expr),
        }
    }

    /// A call with a value.
    pub fn call(&mut self, call: &ExprCall) -> Option<Ast> {
        if let Some(closure) = self.called_closure(call) {
            return self.closure_value(call, &closure);
        }
        if let Some(value) = self.of_instance(call) {
            return value;
        }
        if let Some(method) = self.method_by_path(call) {
            return method;
        }
        if let Some(number) = self.complex_call(call) {
            return number;
        }
        let whole = Expr::Call(call.clone());
        let inner = self.inside_ok(&whole);
        if std::ptr::eq(inner, &whole) { self.helper_value(call) } else { self.expr(inner) }
    }

    /// `f64::max(a, b)` as `a.max(b)`, and `usize::from(x)` as a cast.
    fn method_by_path(&mut self, call: &ExprCall) -> Option<Option<Ast>> {
        let Expr::Path(path) = plain(&call.func) else { return None };
        // A function of `std::cmp` may be imported.
        let written = words(&path.path);
        let full = self.full_path(&written);
        let words = match self.resolve(&full, Space::Value) {
            Found::Elsewhere(full) if is_comparison(&full) => full,
            Found::Unclear if is_comparison(&full) => full,
            Found::Elsewhere(_) | Found::Item(..) | Found::Missing | Found::Unclear => written,
        };
        let (ty, method) = match &words[..] {
            [ty, method] if Scalar::from_name(ty).is_some() => (Scalar::from_name(ty), method),
            [ty, method] if self.instance.of(ty).is_some() && method != "from" => (self.instance.of(ty), method),
            all @ [_, _, method] if is_comparison(all) => (None, method),
            _ => return None,
        };
        let args: Vec<Option<Ast>> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let Some(args) = args.into_iter().collect::<Option<Vec<Ast>>>() else { return Some(None) };
        let mut args = args.into_iter();
        let Some(receiver) = args.next() else {
            self.refuse(call, "functions of types without arguments are not taken", "write the number that it gives");
            return Some(None);
        };
        let kind = match (ty, &method[..]) {
            (Some(to), "from") => ExprKind::Cast(Box::new(receiver), to),
            _ => {
                let segment = path.path.segments.last();
                let method = self.named(method, &segment);
                ExprKind::Method { receiver: Box::new(self.typed(receiver, ty, call)), method, args: args.collect() }
            }
        };
        Some(Some(self.made(kind, call)))
    }

    /// A value that is of a type anyway, so that literals are of it too.
    pub fn typed(&mut self, value: Ast, ty: Option<Scalar>, at: &impl ToTokens) -> Ast {
        let Some(ty) = ty else { return value };
        self.made(ExprKind::Typed(Box::new(value), ty), at)
    }

    /// A macro that stands alone.
    pub fn macro_statement(&mut self, mac: &Macro, at: &impl ToTokens, out: &mut Vec<Stmt>) -> Option<()> {
        let word = match &words(&mac.path)[..] {
            [word] => word.clone(),
            [std, word] if matches!(&std[..], "std" | "core") => word.clone(),
            [ndarray, azip] if ndarray == "ndarray" && azip == "azip" => azip.clone(),
            _ => String::new(),
        };
        if self.outer.has_macro(&word) {
            let message = format!("`{word}!` may be another macro here than that of Rust");
            self.refuse(at, message, "give the macro of the file another name");
            return None;
        }
        if word == "azip" {
            return self.azip(mac, out);
        }
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone());
        let arguments: Vec<Expr> = arguments.map(|list| list.into_iter().collect()).unwrap_or_default();
        let debug = word.starts_with("debug_");
        let stmt = match (word.trim_start_matches("debug_"), &arguments[..]) {
            ("assert", [cond, rest @ ..]) => {
                let text = format!("assertion failed: {}", source(cond));
                self.expr(cond).map(|cond| (cond, message(rest).unwrap_or(text)))
            }
            ("assert_eq" | "assert_ne", [a, b, rest @ ..]) => {
                let op = if word.ends_with("eq") { BinaryOp::Eq } else { BinaryOp::Ne };
                let sign = if op == BinaryOp::Eq { "==" } else { "!=" };
                let text = format!("assertion `left {sign} right` failed: {}, {}", source(a), source(b));
                self.equality(op, (a, b), at).map(|cond| (cond, message(rest).unwrap_or(text)))
            }
            ("panic" | "unreachable" | "todo" | "unimplemented", rest) => {
                let cond = self.made(ExprKind::Bool(false), at);
                Some((cond, message(rest).unwrap_or_else(|| "explicit panic".to_owned())))
            }
            _ => {
                let help =
                    "loops, `if`, arithmetic, `assert!` and `panic!` are compiled; print before or after the call";
                self.refuse(at, "macros are not expanded in an offloaded function", help);
                None
            }
        };
        let (cond, message) = stmt?;
        let span = self.span(at);
        let stmt = Stmt { kind: StmtKind::Assert { cond, message }, span };
        match debug {
            false => out.push(stmt),
            true => {
                let cond = self.debug_assertions(at);
                let then = Block { stmts: vec![stmt], value: None };
                out.push(Stmt { kind: StmtKind::If { cond, then, els: Block::default() }, span });
            }
        }
        Some(())
    }
}

/// Whether a path is `std::cmp::max` or `std::cmp::min`.
fn is_comparison(path: &[String]) -> bool {
    let path: Vec<&str> = path.iter().map(|word| &word[..]).collect();
    matches!(path[..], ["std" | "core", "cmp", "max" | "min"])
}

/// What to write in the place of a method of arrays.
pub fn instead(method: &str) -> &'static str {
    match method {
        "sum" => {
            "ndarray adds in an order of its own, eight sums at once where elements are neighbours in memory: name it among the parameters, sum its rows, or write \
             `a.iter().sum::<f64>()`, which adds in the order of the elements"
        }
        "product" => {
            "ndarray multiplies in an order of its own, eight products at once where elements are neighbours in memory: \
             write `a.iter().product::<f64>()`, which goes in the order of the elements"
        }
        "dot" => {
            "ndarray calls a library for some of these: write loops over rows, with \
             `a.row(i).dot(&x)` or `a.iter().zip(&b).map(|(x, y)| x * y).sum::<f64>()`"
        }
        "mean" => {
            "write `a.sum() / a.len() as f64`, or `a.iter().sum::<f64>()`, which adds in the order of the elements"
        }
        _ => {
            "`nrows`, `ncols`, `len`, `dim`, `shape`, `is_empty`, `first().unwrap()` are taken, and `sum`, `fold`, `any` of `iter()`; \
             write loops over the elements out"
        }
    }
}

/// Source text in one line: tokens as they are usually written.
pub fn source(written: &impl ToTokens) -> String {
    let text = written.to_token_stream().to_string();
    [(" [", "["), (" (", "("), (" . ", "."), (" ,", ","), ("& ", "&"), ("! ", "!")]
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}

/// The text that an assertion is given, if it holds no values.
fn message(rest: &[Expr]) -> Option<String> {
    match rest.first()? {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}
