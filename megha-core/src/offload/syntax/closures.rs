//! Closures under a name, expanded where they are called: `let p = |t: f64| c0 + t * c1;`.
//!
//! The code of a closure stands in the place of the call, as a value or, where it gives none, as statements, and its names mean what they meant
//! where it was made: Rust sees to it that nothing else changes what a closure has borrowed. One that moves what it uses would keep what it
//! was, and is refused.

use super::Converter;
use super::ends::Goal;
use super::expr::plain;
use super::helpers::DEEPEST;
use super::scope::{Known, Meaning};
use crate::offload::ast::{Block, Expr as Ast, ExprKind, Stmt, StmtKind};
use syn::{Expr, ExprCall, ExprClosure, Pat, ReturnType, Type};

/// A closure.
#[derive(Clone)]
pub struct Closure {
    closure: ExprClosure,
    scope: Vec<Known>,
    gives_value: bool,
}

impl Converter {
    /// `let f = |x| ..;`; whether it is that.
    pub fn closure_local(&mut self, name: &syn::Ident, value: &Expr) -> bool {
        let Expr::Closure(closure) = plain(value) else { return false };
        if closure.capture.is_some() || closure.asyncness.is_some() {
            let help = "leave `move` out: what the closure uses lives as long as it does";
            self.refuse(closure, "a closure that moves what it uses is not taken", help);
        }
        let gives_value = match &closure.output {
            ReturnType::Type(_, ty) => !matches!(&**ty, Type::Tuple(unit) if unit.elems.is_empty()),
            ReturnType::Default => self.has_value(&closure.body),
        };
        self.closures.push(Closure { closure: closure.clone(), scope: self.scope.clone(), gives_value });
        self.mean(name, Meaning::Closure(self.closures.len() - 1));
        true
    }

    /// The closure that a call means.
    pub fn called_closure(&self, call: &ExprCall) -> Option<Closure> {
        let Meaning::Closure(number) = self.meaning(super::expr::name(&call.func)?)? else { return None };
        self.closures.get(*number).cloned()
    }

    /// The value of a closure's code, of the type that it names.
    pub fn closure_body(&mut self, closure: &ExprClosure, at: &Expr) -> Option<Ast> {
        let value = self.expr(&closure.body)?;
        Some(match &closure.output {
            ReturnType::Type(_, ty) => {
                let ty = self.scalar_type(ty);
                self.typed(value, ty, at)
            }
            ReturnType::Default => value,
        })
    }

    /// Whether a call has a value as far as closures go: only those of a closure that gives none have not.
    pub fn closure_gives_value(&self, call: &ExprCall) -> bool {
        self.called_closure(call).is_none_or(|closure| closure.gives_value)
    }

    /// The value of a call of a closure.
    pub fn closure_value(&mut self, call: &ExprCall, closure: &Closure) -> Option<Ast> {
        if !closure.gives_value {
            self.refuse(call, "this closure gives no value", "call it in a statement of its own");
            return None;
        }
        let block = self.closure_called(call, closure)?;
        Some(self.made(ExprKind::Block(block), call))
    }

    /// A call of a closure that stands alone.
    pub fn closure_statement(&mut self, call: &ExprCall, closure: &Closure, out: &mut Vec<Stmt>) -> Option<()> {
        let mut block = self.closure_called(call, closure)?;
        if let Some(value) = block.value.take() {
            self.hold(*value, "unused", call, &mut block.stmts);
        }
        out.push(Stmt { kind: StmtKind::Block(block), span: self.span(call) });
        Some(())
    }

    /// The code of a closure with its parameters in their places.
    fn closure_called(&mut self, call: &ExprCall, closure: &Closure) -> Option<Block> {
        let Closure { closure: code, gives_value, .. } = closure;
        self.closure_with(call, closure, &mut |this, block| match gives_value {
            true => this.closure_body(code, &call.func).map(|value| block.value = Some(Box::new(value))),
            false => this.statement(&code.body, &mut block.stmts),
        })
    }

    /// A call of a closure whose value goes there.
    pub fn closure_to(&mut self, call: &ExprCall, closure: &Closure, goal: &Goal) -> Option<Block> {
        self.closure_with(call, closure, &mut |this, block| {
            let goal = this.goal_of(goal, &closure.closure.output);
            this.bring(&closure.closure.body, &goal, &mut block.stmts)
        })
    }

    /// What a closure does with its parameters in their places.
    fn closure_with(
        &mut self,
        call: &ExprCall,
        closure: &Closure,
        body: &mut dyn FnMut(&mut Self, &mut Block) -> Option<()>,
    ) -> Option<Block> {
        let Closure { closure, scope: seen, .. } = closure;
        if self.within >= DEEPEST {
            let help = "write the code of one of them in the place of its call";
            self.refuse(call, "closures call each other too deep here", help);
            return None;
        }
        if closure.inputs.len() != call.args.len() {
            self.refuse(call, "a call with another number of arguments", "give as many as the closure has parameters");
            return None;
        }
        let mut block = Block::default();
        let mut bound = Vec::new();
        for (input, arg) in closure.inputs.iter().zip(&call.args) {
            bound.extend(self.closure_argument(input, arg, &mut block.stmts)?);
        }
        let (scope, loops) = (std::mem::replace(&mut self.scope, seen.clone()), std::mem::take(&mut self.around));
        bound.into_iter().for_each(|(name, meaning)| self.mean(&name, meaning));
        self.within += 1;
        let done = body(self, &mut block);
        self.within -= 1;
        (self.scope, self.around) = (scope, loops);
        done.map(|()| block)
    }

    /// What a parameter means: a number, or an array or a part of one; nothing where it has no name.
    fn closure_argument(
        &mut self,
        input: &Pat,
        arg: &Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<Option<(syn::Ident, Meaning)>> {
        let (pat, ty) = match input {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let name = match pat {
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => name,
            Pat::Wild(_) => {
                let value = self.expr(arg)?;
                self.hold(value, "unused", arg, out);
                return Some(None);
            }
            other => {
                let help = "give it a name, and pass each number as an argument of its own";
                self.refuse(other, "a parameter of a closure is a plain name", help);
                return None;
            }
        };
        let before = self.problems.len();
        if let Some(view) = self.array_argument(arg, name.mutability.is_some(), out) {
            return Some(Some((name.ident.clone(), Meaning::Array(view))));
        }
        if self.problems.len() > before {
            return None;
        }
        if is_lent(ty, arg) {
            return self.lent_number(arg).map(|meaning| Some((name.ident.clone(), meaning)));
        }
        let value = self.expr(arg)?;
        if ty.is_none() && is_open(&value) {
            let help = "write the parameter's type, as in `|k: i64|`";
            self.refuse(arg, format!("the type of this number is that of `{}` in all calls", name.ident), help);
            return None;
        }
        let written = ty.filter(|ty| !matches!(ty, Type::Infer(_)));
        let ty = written.and_then(|ty| match ty {
            Type::Reference(reference) => self.scalar_type(&reference.elem),
            ty => self.scalar_type(ty),
        });
        if let Some(written) = written.filter(|_| ty.is_none()) {
            self.refuse(written, "a parameter of this type is not taken here", "numbers, and arrays by name");
            return None;
        }
        let (own, span) = (self.fresh(&name.ident.to_string()), self.span(arg));
        let declared = self.named(&own, arg);
        let kind = StmtKind::Let { name: declared, ty, mutable: name.mutability.is_some(), value: Some(value) };
        out.push(Stmt { kind, span });
        Some(Some((name.ident.clone(), Meaning::Number(own))))
    }
}

/// Whether a number is lent to a parameter that may assign to it.
fn is_lent(ty: Option<&Type>, arg: &Expr) -> bool {
    let by_type = matches!(ty, Some(Type::Reference(reference)) if reference.mutability.is_some());
    by_type || matches!(plain(arg), Expr::Reference(reference) if reference.mutability.is_some())
}

/// Whether a number is a literal that any type may be.
fn is_open(value: &Ast) -> bool {
    match &value.kind {
        ExprKind::Int(_, None) | ExprKind::Float(_, _, None) => true,
        ExprKind::Neg(inner) => is_open(inner),
        _ => false,
    }
}
