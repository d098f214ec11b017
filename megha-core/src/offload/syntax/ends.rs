//! Expressions of several numbers or of an array: tuples, lists, `if`, `match`, blocks, calls of helper functions and closures.
//!
//! The loop AST has values of one number. So what stands at each end of such an expression goes into variables or into an array of its own, which
//! is then what the expression gives.

use super::Converter;
use super::around::gives_value;
use super::expr::plain;
use super::local_arrays::Made;
use super::reduce::folds_several;
use super::scope::{Form, View};
use crate::offload::ast::{Block, Expr as Ast, ExprKind, Neutral, Scalar, Stmt, StmtKind};
use quote::ToTokens;
use syn::{Expr, ExprTuple, ReturnType, Type};

/// Where what an expression gives goes.
#[derive(Clone)]
pub enum Goal {
    /// Each number of a tuple into a variable of the loop AST, of this type if it is known.
    Numbers(Vec<(String, Option<Scalar>)>),
    /// The elements into an array of the loop AST.
    Array(View),
}

impl Converter {
    /// The numbers that an expression of so many gives, in variables of the loop AST.
    pub fn several(&mut self, value: &Expr, count: usize, out: &mut Vec<Stmt>) -> Option<Vec<Ast>> {
        let own: Vec<String> = (0..count).map(|_| self.fresh("held")).collect();
        let mut stmts = Vec::new();
        let goal = Goal::Numbers(own.iter().map(|own| (own.clone(), None)).collect());
        self.bring(value, &goal, &mut stmts)?;
        for own in &own {
            let (name, span) = (self.named(own, value), self.span(value));
            out.push(Stmt { kind: StmtKind::Let { name, ty: None, mutable: true, value: None }, span });
        }
        out.extend(stmts);
        Some(own.iter().map(|own| self.variable(own, value)).collect())
    }

    /// `a = [..];` of an array of a fixed size: what is assigned is computed before any of it is stored.
    pub fn array_assigned(&mut self, assign: &syn::ExprAssign, out: &mut Vec<Stmt>) -> Option<()> {
        let target = self.target_of(&assign.left, out)?;
        if target.form == Form::Ndarray {
            let help = "write `a.assign(&b)`, which keeps its shape and its order in memory";
            self.refuse(assign, "an array of ndarray is not replaced by another one", help);
            return None;
        }
        let value = &*assign.right;
        let before = self.problems.len();
        let source = match self.array_argument(value, false, out) {
            Some(view) if view.array == target.array => self.copy_of(&view, Form::Fixed, value, false, out)?,
            Some(view) => view,
            None if self.problems.len() > before => return None,
            None => {
                let dims = (0..target.free().len()).map(|axis| self.extent_of(&target, axis, assign)).collect();
                let fill = self.made(ExprKind::Neutral(Neutral::Zero), assign);
                let view = self.array_local("list", false, Made::filled(None, dims, fill, Form::Fixed), assign, out)?;
                self.bring(value, &Goal::Array(view.clone()), out)?;
                view
            }
        };
        // A vector may be replaced by one of another length.
        let alike = self.alike(&target, &source, assign);
        out.extend(alike);
        self.each(&target, None, assign, out, |this, counters| this.counted(&source, counters, assign))
    }

    /// Whether an expression may give several numbers by way of its ends.
    pub fn has_ends(&self, value: &Expr) -> bool {
        match plain(value) {
            Expr::If(_) | Expr::Match(_) => true,
            Expr::Block(_) => true,
            Expr::Loop(endless) => gives_value(endless),
            Expr::Call(call) => self.called_closure(call).is_some() || self.known_helper(call).is_some(),
            Expr::MethodCall(call) => folds_several(call),
            _ => false,
        }
    }

    /// How many numbers a call gives that gives several.
    pub fn count_of(&mut self, value: &Expr) -> Option<usize> {
        match plain(value) {
            Expr::MethodCall(call) if folds_several(call) => match plain(&call.args[0]) {
                Expr::Tuple(first) => Some(first.elems.len()),
                _ => None,
            },
            Expr::Call(call) => {
                let helper = self.known_helper(call)?;
                let ReturnType::Type(_, ty) = &helper.function.sig.output else { return None };
                let (written, _) = self.at_place(helper.place, |this| this.resolved(ty));
                if let Type::Tuple(types) = written { Some(types.elems.len()) } else { None }
            }
            _ => None,
        }
    }

    /// The array that a helper function gives, as one of the function's own; `None` if an expression is no such call.
    pub fn array_given(&mut self, value: &Expr, mutable: bool, out: &mut Vec<Stmt>) -> Option<Option<View>> {
        let Expr::Call(call) = plain(value) else { return None };
        if self.called_closure(call).is_some() {
            return None;
        }
        let helper = self.known_helper(call)?;
        let ReturnType::Type(_, ty) = &helper.function.sig.output else { return None };
        let (written, place) = self.at_place(helper.place, |this| this.resolved(ty));
        if !matches!(written, Type::Array(_)) {
            return None;
        }
        let made = self.in_helper(call, &helper, |this| this.at_place(place, |this| this.empty(&written, call)));
        let Some(made) = made else { return Some(None) };
        let view = self.array_local(&helper.function.sig.ident.to_string(), mutable, made, call, out)?;
        Some(self.bring(value, &Goal::Array(view.clone()), out).map(|()| view))
    }

    /// An array of a type `[T; N]`, or of such, that is still to be filled.
    fn empty(&mut self, ty: &Type, at: &impl ToTokens) -> Option<Made> {
        let (mut dims, mut ty, mut place) = (Vec::new(), ty.clone(), self.place);
        while let Type::Array(array) = &ty {
            dims.push(self.at_place(place, |this| this.expr(&array.len))?);
            let elem = array.elem.clone();
            (ty, place) = self.at_place(place, |this| this.resolved(&elem));
        }
        let Some(scalar) = self.at_place(place, |this| this.scalar_type(&ty)) else {
            self.refuse(at, "the array that this function gives has other elements than numbers", "give numbers");
            return None;
        };
        let fill = self.made(ExprKind::Neutral(Neutral::Zero), at);
        Some(Made::filled(Some(scalar), dims, fill, Form::Fixed))
    }

    /// Brings what an expression gives to where it goes.
    pub fn bring(&mut self, value: &Expr, goal: &Goal, out: &mut Vec<Stmt>) -> Option<()> {
        let span = self.span(value);
        match plain(value) {
            Expr::If(branch) => {
                let Some((_, els)) = &branch.else_branch else {
                    self.refuse(branch, "an `if` with a value needs an `else`", "write what the value is otherwise");
                    return None;
                };
                let mut then = |this: &mut Self| this.block_to(&branch.then_branch, goal);
                let (cond, then) = self.opened(&branch.cond, out, &mut then)?;
                let mut other = Block::default();
                self.bring(els, goal, &mut other.stmts)?;
                out.push(Stmt { kind: StmtKind::If { cond, then: then?, els: other }, span });
            }
            Expr::Match(matched) => {
                let mut failed = false;
                self.match_into(matched, out, &mut |this, body| {
                    let mut block = Block::default();
                    failed |= this.bring(body, goal, &mut block.stmts).is_none();
                    block
                })?;
                return (!failed).then_some(());
            }
            Expr::Block(block) if block.label.is_none() => {
                let block = self.block_to(&block.block, goal)?;
                out.push(Stmt { kind: StmtKind::Block(block), span });
            }
            Expr::Block(block) => {
                let kind = self.labelled(block, Some(goal))?;
                out.push(Stmt { kind, span });
            }
            Expr::Loop(endless) if gives_value(endless) => {
                let kind = self.endless(endless, Some(goal.clone()));
                out.push(Stmt { kind, span });
            }
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Macro(_) => return self.statement(value, out),
            Expr::Call(call) if self.called_closure(call).is_some() || self.known_helper(call).is_some() => {
                let block = self.call_to(call, goal)?;
                out.push(Stmt { kind: StmtKind::Block(block), span });
            }
            Expr::MethodCall(call) if folds_several(call) => return self.fold_to(call, goal, out),
            Expr::Tuple(tuple) => return self.tuple_to(tuple, goal, out),
            other => return self.end_to(other, goal, out),
        }
        Some(())
    }

    /// A block whose value goes there.
    pub fn block_to(&mut self, block: &syn::Block, goal: &Goal) -> Option<Block> {
        let mut done = Some(());
        let converted = self.block_with(block, &mut |this, value, converted| {
            done = this.bring(value, goal, &mut converted.stmts);
            done
        });
        done.map(|()| converted)
    }

    fn tuple_to(&mut self, tuple: &ExprTuple, goal: &Goal, out: &mut Vec<Stmt>) -> Option<()> {
        let Goal::Numbers(into) = goal else {
            self.refuse(tuple, "a tuple is no array", "write a list, `[a, b]`");
            return None;
        };
        if into.len() != tuple.elems.len() {
            let message = format!("{} values for {} names", tuple.elems.len(), into.len());
            self.refuse(tuple, message, "name each of them");
            return None;
        }
        let values: Vec<Option<Ast>> = tuple.elems.iter().map(|value| self.expr(value)).collect();
        let values = values.into_iter().collect::<Option<Vec<Ast>>>()?;
        self.numbers_to(values, goal, tuple, out)
    }

    /// Numbers into the variables that they are for.
    pub fn numbers_to(&mut self, values: Vec<Ast>, goal: &Goal, at: &impl ToTokens, out: &mut Vec<Stmt>) -> Option<()> {
        let Goal::Numbers(into) = goal else { return None };
        for (value, (own, ty)) in values.into_iter().zip(into) {
            let (place, value) = (self.variable(own, at), self.typed(value, *ty, at));
            out.push(self.stored(place, None, value, at)?);
        }
        Some(())
    }

    /// What has no further ends.
    fn end_to(&mut self, value: &Expr, goal: &Goal, out: &mut Vec<Stmt>) -> Option<()> {
        let view = match goal {
            Goal::Numbers(into) if into.len() == 1 => {
                let number = self.expr(value)?;
                return self.numbers_to(vec![number], goal, value, out);
            }
            Goal::Numbers(into) => {
                let values = self.tuple_values(value, out)?;
                if values.len() != into.len() {
                    let message = format!("{} values for {} names", values.len(), into.len());
                    self.refuse(value, message, "name each of them");
                    return None;
                }
                return self.numbers_to(values, goal, value, out);
            }
            Goal::Array(view) => view,
        };
        let before = self.problems.len();
        let source = match self.array_of(value, None) {
            Some(made) => self.array_local("list", false, made, value, out)?,
            None if self.problems.len() > before => return None,
            None if self.is_array(value) => self.known_view(value, &mut Some(out))?,
            None => {
                self.refuse(
                    value,
                    "this is no array that is taken here",
                    "write a list, `[a, b]`, or the name of an array",
                );
                return None;
            }
        };
        self.each(view, None, value, out, |this, counters| this.counted(&source, counters, value))
    }

    /// The same with the types of numbers that a function says.
    pub fn goal_of(&mut self, goal: &Goal, output: &ReturnType) -> Goal {
        match (goal, output) {
            (Goal::Numbers(into), ReturnType::Type(_, ty)) => {
                let (written, place) = self.resolved(ty);
                let Type::Tuple(types) = written else { return goal.clone() };
                let typed = into.iter().zip(&types.elems).map(|((own, _), ty)| {
                    let ty = self.at_place(place, |this| this.scalar_type(ty));
                    (own.clone(), ty)
                });
                Goal::Numbers(typed.collect())
            }
            (Goal::Numbers(_) | Goal::Array(_), _) => goal.clone(),
        }
    }
}
