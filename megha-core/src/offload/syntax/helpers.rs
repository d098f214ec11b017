//! Helper functions, expanded where they are called: those inside of the function, and those of the file that say that they may be.

use super::Converter;
use super::ends::Goal;
use super::expr::{name, plain};
use super::outer::{Place, words};
use super::scope::{Known, Meaning, View};
use crate::offload::ast::{Block, Expr as Ast, ExprKind, Stmt, StmtKind};
use quote::ToTokens;
use syn::{Attribute, Expr, ExprCall, FnArg, GenericParam, ItemFn, Pat, ReturnType, Type, UnOp};

/// Calls of helper functions and closures within each other go no further.
pub const DEEPEST: usize = 16;

/// A function that can be expanded.
#[derive(Clone)]
pub struct Helper {
    /// Its text.
    pub function: ItemFn,
    /// The items of blocks that it sees.
    pub scope: Vec<Known>,
    /// Where other names are looked up.
    pub place: Place,
}

impl Converter {
    /// The value of a helper function.
    pub fn helper_value(&mut self, call: &ExprCall) -> Option<Ast> {
        let helper = self.helper(call)?;
        if matches!(helper.function.sig.output, ReturnType::Default) {
            self.refuse(call, "this function gives no value", "call it in a statement of its own");
            return None;
        }
        let block = self.expanded(call, &helper)?;
        Some(self.made(ExprKind::Block(block), call))
    }

    /// A call that stands alone.
    pub fn call_statement(&mut self, call: &ExprCall, out: &mut Vec<Stmt>) -> Option<()> {
        if let Some(closure) = self.called_closure(call) {
            return self.closure_statement(call, &closure, out);
        }
        let helper = self.helper(call)?;
        if !matches!(helper.function.sig.output, ReturnType::Default) {
            self.refuse(call, "the value of this function is not used", "leave the call out, or use its value");
            return None;
        }
        let span = self.span(call);
        let block = self.expanded(call, &helper)?;
        out.push(Stmt { kind: StmtKind::Block(block), span });
        Some(())
    }

    /// Whether a call has a value: all but those of closures and helper functions without a result.
    pub fn gives_value(&self, call: &ExprCall) -> bool {
        let gives = |helper: Helper| !matches!(helper.function.sig.output, ReturnType::Default);
        self.closure_gives_value(call) && self.known_helper(call).is_none_or(gives)
    }

    /// The function that a call means, if it can be expanded.
    fn helper(&mut self, call: &ExprCall) -> Option<Helper> {
        let Expr::Path(_) = plain(&call.func) else {
            self.refuse(call, "calls of this kind are not taken", "call a function by its name");
            return None;
        };
        let Some(helper) = self.known_helper(call) else {
            let help = match self.module() {
                Some(_) => {
                    "methods of numbers are taken, and functions of the same file with `#[megha::offload]` or `#[inline]`"
                }
                None => {
                    "here these are methods of numbers and functions inside of this one: it stands in a macro or another function, so \
                     that what names mean around it is not known"
                }
            };
            self.refuse(call, "calls of functions that are not known here are not taken", help);
            return None;
        };
        let signature = &helper.function.sig;
        let types = signature.generics.params.iter().find(|param| !matches!(param, GenericParam::Lifetime(_)));
        if let Some(param) = types {
            let message =
                format!("`{}` is called here, which has the parameter `{}`", signature.ident, param.to_token_stream());
            self.refuse(call, message, "call a function without type or const parameters");
            return None;
        }
        if signature.asyncness.is_some() {
            self.refuse(call, "an `async` function is no number", "call a plain function");
            return None;
        }
        Some(helper)
    }

    /// A function inside this one, or one of the file that says that it may be expanded.
    pub fn known_helper(&self, call: &ExprCall) -> Option<Helper> {
        let Expr::Path(path) = plain(&call.func) else { return None };
        if path.qself.is_some() {
            return None;
        }
        if let Some(name) = path.path.get_ident() {
            match self.meaning(name) {
                Some(Meaning::Function(number)) => return self.helpers.get(*number).cloned(),
                Some(Meaning::Number(_) | Meaning::Lent(_) | Meaning::Array(_) | Meaning::Element(_)) => return None,
                Some(Meaning::Closure(_) | Meaning::Tuple(_)) => return None,
                Some(Meaning::Imported(_)) | None => {}
            }
        }
        let (function, place) = self.outer_function(&self.full_path(&words(&path.path)))?;
        let expandable = function.attrs.iter().any(may_be_expanded);
        expandable.then(|| Helper { function, scope: Vec::new(), place })
    }

    /// The body of a helper function with its parameters in their places.
    fn expanded(&mut self, call: &ExprCall, helper: &Helper) -> Option<Block> {
        self.expanded_with(call, helper, &mut |this| Some(this.helper_body(call, &helper.function)))
    }

    /// A call whose value goes there.
    pub fn call_to(&mut self, call: &ExprCall, goal: &Goal) -> Option<Block> {
        if let Some(closure) = self.called_closure(call) {
            return self.closure_to(call, &closure, goal);
        }
        let helper = self.helper(call)?;
        self.expanded_with(call, &helper, &mut |this| {
            let goal = this.goal_of(goal, &helper.function.sig.output);
            let mut body = (*helper.function.block).clone();
            body.stmts = without_returns(body.stmts);
            this.block_to(&body, &goal)
        })
    }

    /// What a helper function does with its parameters in their places.
    fn expanded_with(
        &mut self,
        call: &ExprCall,
        helper: &Helper,
        body: &mut dyn FnMut(&mut Self) -> Option<Block>,
    ) -> Option<Block> {
        let Helper { function, scope: seen, .. } = helper;
        if self.within >= DEEPEST {
            self.refuse(
                call,
                "helper functions call each other too deep here",
                "a recursive function is not taken; write a loop",
            );
            return None;
        }
        if function.sig.inputs.len() != call.args.len() {
            self.refuse(call, "a call with another number of arguments", "give as many as the function has parameters");
            return None;
        }
        let mut block = Block::default();
        let mut bound = Vec::new();
        for (input, arg) in function.sig.inputs.iter().zip(&call.args) {
            bound.push(self.argument(input, arg, helper, &mut block.stmts)?);
        }
        // The function sees its parameters, the items around it, and nothing of the caller.
        let (scope, loops) = (std::mem::replace(&mut self.scope, seen.clone()), std::mem::take(&mut self.around));
        let instance = std::mem::take(&mut self.instance);
        self.at_place(helper.place, |this| this.outer_arrays(&function.block));
        for (name, meaning) in bound {
            self.mean(&name, meaning);
        }
        self.within += 1;
        let inner = self.in_helper(call, helper, |this| {
            this.attributes(function);
            function.attrs.iter().for_each(|attribute| this.attribute(attribute));
            body(this)
        });
        self.within -= 1;
        (self.scope, self.around, self.instance) = (scope, loops, instance);
        let inner = inner?;
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
    fn helper_body(&mut self, call: &ExprCall, function: &ItemFn) -> Block {
        let mut body = (*function.block).clone();
        body.stmts = without_returns(body.stmts);
        let before = self.problems.len();
        let mut block = self.block(&body);
        let ReturnType::Type(_, ty) = &function.sig.output else { return block };
        if self.problems.len() > before {
            return block;
        }
        match (self.scalar_type(ty), block.value.take()) {
            (Some(scalar), Some(value)) => block.value = Some(Box::new(self.typed(*value, Some(scalar), call))),
            (Some(_), None) => {
                let help = "let the function end in an `if` with values";
                self.refuse(call, "the function that is called here does not end in a value", help);
            }
            (None, _) => {
                let help = "give what it gives names, as in `let (a, b) = f(x);`, or an array one, `let a = f(x);`";
                self.refuse(call, "a function that is called within an expression gives a number", help);
            }
        }
        block
    }

    /// Something about the text of a helper function: in its place, and if that is not in this function, with the call's position.
    pub fn in_helper<T>(&mut self, call: &ExprCall, helper: &Helper, what: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.call;
        if helper.place != Place::Own && self.call.is_none() {
            let span = self.span(call);
            self.call = Some(self.ends(span));
        }
        let done = self.at_place(helper.place, what);
        self.call = before;
        done
    }

    /// What a parameter of a helper function means.
    fn argument(
        &mut self,
        input: &FnArg,
        arg: &Expr,
        helper: &Helper,
        out: &mut Vec<Stmt>,
    ) -> Option<(syn::Ident, Meaning)> {
        let FnArg::Typed(typed) = input else {
            self.refuse(input, "`self` is not taken", "write a function without it");
            return None;
        };
        let Pat::Ident(pat) = &*typed.pat else {
            self.refuse(&typed.pat, "a parameter is a plain name", "name it");
            return None;
        };
        let text = pat.ident.to_string();
        let before = self.problems.len();
        if let Some(view) = self.array_argument(arg, pat.mutability.is_some(), out) {
            return Some((pat.ident.clone(), Meaning::Array(view)));
        }
        if self.problems.len() > before {
            return None;
        }
        let (inner, lends) = match &*typed.ty {
            Type::Reference(reference) => (&*reference.elem, reference.mutability.is_some()),
            ty => (ty, false),
        };
        let scope = std::mem::replace(&mut self.scope, helper.scope.clone());
        let scalar = self.at_place(helper.place, |this| this.scalar_type(inner));
        self.scope = scope;
        if lends && scalar.is_some() {
            return self.lent_number(arg).map(|meaning| (pat.ident.clone(), meaning));
        }
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
        Some((pat.ident.clone(), Meaning::Number(own)))
    }

    /// The array that an argument is: one that has a name or is a part of one, or a list that is written in place.
    pub fn array_argument(&mut self, arg: &Expr, mutable: bool, out: &mut Vec<Stmt>) -> Option<View> {
        if self.is_array(arg) {
            return self.bound_array(arg, mutable, out);
        }
        let (list, lent) = match plain(arg) {
            Expr::Reference(reference) => (plain(&reference.expr), true),
            other => (other, false),
        };
        let before = self.problems.len();
        let view = match self.array_of(list, None) {
            Some(made) => self.array_local("list", mutable, made, arg, out)?,
            None if self.problems.len() > before => return None,
            None => self.array_given(list, mutable, out)??,
        };
        Some(if lent { view.lent(matches!(plain(arg), Expr::Reference(by) if by.mutability.is_some())) } else { view })
    }

    /// A number that a function may assign to, as `&mut x` or by the name of a reference.
    pub fn lent_number(&mut self, arg: &Expr) -> Option<Meaning> {
        let place = match plain(arg) {
            Expr::Reference(reference) => plain(&reference.expr),
            other => other,
        };
        let found = match (place, name(place)) {
            (_, Some(name)) => self.meaning(name).cloned(),
            (Expr::Unary(deref), _) if matches!(deref.op, UnOp::Deref(_)) => {
                name(&deref.expr).and_then(|name| self.meaning(name)).cloned()
            }
            _ => None,
        };
        match found {
            Some(Meaning::Number(own) | Meaning::Lent(own)) => Some(Meaning::Lent(own)),
            Some(Meaning::Element(_)) => found,
            Some(Meaning::Tuple(_) | Meaning::Array(_) | Meaning::Function(_))
            | Some(Meaning::Closure(_) | Meaning::Imported(_))
            | None => {
                let help = "lend a variable, or pass the array and the subscripts";
                self.refuse(arg, "this is no variable that a function may assign to", help);
                None
            }
        }
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

/// `#[megha::offload]`, `#[megha::inline]`, `#[inline]`.
fn may_be_expanded(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "offload" || last.ident == "inline")
}
