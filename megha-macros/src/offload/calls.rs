//! Calls: methods of numbers, functions of `std` such as `f64::max`, macros that test, and helper functions, which are expanded where
//! they are called.

use super::Converter;
use super::expr::plain;
use super::scope::Meaning;
use megha_core::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Scalar, Stmt, StmtKind};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprLit, ExprMethodCall, FnArg, ItemFn, Lit, Macro, Pat, ReturnType, Token};

/// Calls of helper functions within each other go no further.
const DEEPEST: usize = 16;

impl Converter {
    /// A method call with a value.
    pub fn method(&mut self, call: &ExprMethodCall) -> Option<Ast> {
        if let Some(number) = self.array_number(call) {
            return Some(number);
        }
        let method = call.method.to_string();
        if self.is_array(&call.receiver) {
            let help =
                "`nrows`, `ncols`, `len`, `dim`, `shape`, `is_empty` are taken; write loops over the elements out";
            self.refuse(call, format!("the method `{method}` of arrays is not taken in an expression"), help);
            return None;
        }
        if matches!(&method[..], "to_owned" | "clone" | "into" | "copied") && call.args.is_empty() {
            return self.expr(&call.receiver);
        }
        let receiver = self.expr(&call.receiver);
        let args: Vec<Option<Ast>> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let method = self.named(&method, &call.method);
        let args = args.into_iter().collect::<Option<_>>()?;
        Some(self.made(ExprKind::Method { receiver: Box::new(receiver?), method, args }, call))
    }

    /// A call with a value.
    pub fn call(&mut self, call: &ExprCall) -> Option<Ast> {
        if let Some(method) = self.method_by_path(call) {
            return method;
        }
        let helper = self.helper(call)?;
        if matches!(helper.sig.output, ReturnType::Default) {
            self.refuse(call, "this function gives no value", "call it in a statement of its own");
            return None;
        }
        let block = self.expanded(call, &helper)?;
        Some(self.made(ExprKind::Block(block), call))
    }

    /// A call that stands alone.
    pub fn call_statement(&mut self, call: &ExprCall, out: &mut Vec<Stmt>) {
        let Some(helper) = self.helper(call) else { return };
        if !matches!(helper.sig.output, ReturnType::Default) {
            self.refuse(call, "the value of this function is not used", "leave the call out, or use its value");
            return;
        }
        let span = self.span(call);
        if let Some(block) = self.expanded(call, &helper) {
            out.push(Stmt { kind: StmtKind::Block(block), span });
        }
    }

    /// Whether a call has a value: all but those of helper functions without a result.
    pub fn gives_value(&self, call: &ExprCall) -> bool {
        let Expr::Path(path) = plain(&call.func) else { return true };
        let Some(last) = path.path.segments.last() else { return true };
        self.known_helper(&last.ident.to_string())
            .is_none_or(|helper| !matches!(helper.sig.output, ReturnType::Default))
    }

    /// `f64::max(a, b)` as `a.max(b)`, and `usize::from(x)` as a cast.
    fn method_by_path(&mut self, call: &ExprCall) -> Option<Option<Ast>> {
        let Expr::Path(path) = plain(&call.func) else { return None };
        let words: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        let (ty, method) = match &words[..] {
            [.., ty, method] if Scalar::from_name(ty).is_some() => (Scalar::from_name(ty), method),
            [std, cmp, method] if (&std[..], &cmp[..]) == ("std", "cmp") => (None, method),
            _ => return None,
        };
        let args: Vec<Option<Ast>> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let mut args = args.into_iter().collect::<Option<Vec<Ast>>>().unwrap_or_default().into_iter();
        let Some(receiver) = args.next() else { return Some(None) };
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
    fn typed(&mut self, value: Ast, ty: Option<Scalar>, at: &impl ToTokens) -> Ast {
        let Some(ty) = ty else { return value };
        self.made(ExprKind::Typed(Box::new(value), ty), at)
    }

    /// A macro that stands alone.
    pub fn macro_statement(&mut self, mac: &Macro, at: &impl ToTokens, out: &mut Vec<Stmt>) {
        let word = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
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
                let (a, b) = (self.expr(a), self.expr(b));
                a.zip(b).map(|(a, b)| {
                    let cond = self.made(ExprKind::Binary(op, Box::new(a), Box::new(b)), at);
                    (cond, message(rest).unwrap_or(text))
                })
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
        let Some((cond, message)) = stmt else { return };
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
    }

    /// The function that a call means, if it can be expanded.
    fn helper(&mut self, call: &ExprCall) -> Option<ItemFn> {
        let Expr::Path(path) = plain(&call.func) else {
            self.refuse(call, "calls of this kind are not taken", "call a function by its name");
            return None;
        };
        let name = path.path.segments.last()?.ident.to_string();
        match self.known_helper(&name) {
            Some(helper) => Some(helper),
            None => {
                let help = "methods of numbers are taken, and functions of the same file with `#[megha::offload]` or `#[inline]`";
                self.refuse(call, "calls of functions that are not known here are not taken", help);
                None
            }
        }
    }

    /// A function inside this one, or one of the file that says that it may be expanded.
    fn known_helper(&self, name: &str) -> Option<ItemFn> {
        let inside = self.helpers.iter().rev().find(|helper| helper.sig.ident == name);
        inside.cloned().or_else(|| self.outer.helper(name))
    }

    /// The body of a helper function with its parameters in their places.
    fn expanded(&mut self, call: &ExprCall, helper: &ItemFn) -> Option<Block> {
        if self.within >= DEEPEST {
            self.refuse(
                call,
                "helper functions call each other too deep here",
                "a recursive function is not taken; write a loop",
            );
            return None;
        }
        if helper.sig.inputs.len() != call.args.len() {
            self.refuse(call, "a call with another number of arguments", "give as many as the function has parameters");
            return None;
        }
        let mut block = Block::default();
        let mut bound = Vec::new();
        for (input, arg) in helper.sig.inputs.iter().zip(&call.args) {
            bound.push(self.argument(input, arg, &mut block.stmts)?);
        }
        // The function sees its parameters and nothing of the caller.
        let (scope, loops) = (std::mem::take(&mut self.scope), std::mem::take(&mut self.loops));
        self.scope = bound;
        self.within += 1;
        let inner = self.helper_body(call, helper);
        self.within -= 1;
        (self.scope, self.loops) = (scope, loops);
        let value = inner.value.is_some();
        let (inner_value, span) = (inner.value.clone(), self.span(call));
        match value {
            true => {
                let all = Block { value: inner_value, ..inner };
                let made = self.made(ExprKind::Block(all), call);
                block.value = Some(Box::new(made));
            }
            false => block.stmts.push(Stmt { kind: StmtKind::Block(inner), span }),
        }
        Some(block)
    }

    /// The body of a helper function, its end in the place of a last `return`; its value is of the declared type.
    fn helper_body(&mut self, call: &ExprCall, helper: &ItemFn) -> Block {
        let mut body = (*helper.block).clone();
        body.stmts = without_returns(body.stmts);
        let mut block = self.block(&body);
        let ReturnType::Type(_, ty) = &helper.sig.output else { return block };
        match self.scalar_type(ty) {
            Some(scalar) => {
                block.value = block.value.take().map(|value| Box::new(self.typed(*value, Some(scalar), call)))
            }
            None => self.refuse(ty, "a helper function gives a number", "store into an array that it is given"),
        }
        block
    }

    /// What a parameter of a helper function means.
    fn argument(&mut self, input: &FnArg, arg: &Expr, out: &mut Vec<Stmt>) -> Option<(String, Meaning)> {
        let FnArg::Typed(typed) = input else {
            self.refuse(input, "`self` is not taken", "write a function without it");
            return None;
        };
        let Pat::Ident(pat) = &*typed.pat else {
            self.refuse(&typed.pat, "a parameter is a plain name", "name it");
            return None;
        };
        let text = pat.ident.to_string();
        if self.is_array(arg) {
            let view = self.known_view(arg, &mut Some(out))?;
            return Some((text, Meaning::Array(view)));
        }
        let scalar = self.scalar_type(match &*typed.ty {
            syn::Type::Reference(reference) => &reference.elem,
            ty => ty,
        });
        if scalar.is_none() {
            let help = "numbers, and arrays by name, `&a`, `a.view()`, `a.row(i)`";
            self.refuse(arg, "an argument of this kind is not taken", help);
            return None;
        }
        let value = self.expr(arg)?;
        let (own, span) = (self.fresh(&text), self.span(arg));
        let name = self.named(&own, arg);
        let kind = StmtKind::Let { name, ty: scalar, mutable: pat.mutability.is_some(), value: Some(value) };
        out.push(Stmt { kind, span });
        Some((text, Meaning::Number(own)))
    }
}

/// The statements of a function with an early `return` as one way of an `if`, whose other way is the rest.
fn without_returns(stmts: Vec<syn::Stmt>) -> Vec<syn::Stmt> {
    let mut before = Vec::new();
    let mut stmts = stmts.into_iter();
    while let Some(stmt) = stmts.next() {
        match stmt {
            syn::Stmt::Expr(Expr::Return(end), _) => {
                before.extend(end.expr.map(|value| syn::Stmt::Expr(*value, None)));
                return before;
            }
            syn::Stmt::Expr(Expr::If(mut branch), _)
                if branch.else_branch.is_none()
                    && matches!(branch.then_branch.stmts.last(), Some(syn::Stmt::Expr(Expr::Return(_), _))) =>
            {
                let rest = without_returns(stmts.collect());
                branch.then_branch.stmts = without_returns(branch.then_branch.stmts);
                let block: syn::Block = syn::parse_quote!({ #(#rest)* });
                let els = Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block });
                branch.else_branch = Some((Default::default(), Box::new(els)));
                before.push(syn::Stmt::Expr(Expr::If(branch), None));
                return before;
            }
            other => before.push(other),
        }
    }
    before
}

/// Source text in one line: tokens as they are usually written.
fn source(expr: &Expr) -> String {
    let text = expr.to_token_stream().to_string();
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
