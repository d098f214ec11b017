//! Names for several numbers at once: `let mut best = (0.0, 0);`, `best.1`, `best = (x, i);`, `|a, b| a.1.total_cmp(b.1)`.
//!
//! The loop AST has variables of one number. So such a name means what it holds, one thing for each place of the tuple, and the tuple is never
//! made. Tuples within tuples are what iterators give; variables hold numbers only.

use super::Converter;
use super::ends::Goal;
use super::expr::{name, plain};
use super::iterate::Item;
use super::scope::Meaning;
use crate::offload::ast::{Expr as Ast, Scalar, Stmt, StmtKind};
use syn::{Expr, ExprField, Member, PatIdent, Stmt as Written, Type, UnOp};

impl Converter {
    /// What a place in a tuple under a name holds, or the tuple: `best`, `best.1`, `pair.0.1`.
    pub fn item_of(&self, expr: &Expr) -> Option<Item> {
        match plain(expr) {
            Expr::Field(field) => self.field_of(field).cloned(),
            Expr::Reference(reference) => self.item_of(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.item_of(&unary.expr),
            other => match self.meaning(name(other)?)? {
                Meaning::Tuple(items) => Some(Item::Tuple(items.clone())),
                Meaning::Number(_) | Meaning::Lent(_) | Meaning::Array(_) | Meaning::Element(_) => None,
                Meaning::Function(_) | Meaning::Closure(_) | Meaning::Imported(_) => None,
            },
        }
    }

    fn field_of(&self, field: &ExprField) -> Option<&Item> {
        let Member::Unnamed(number) = &field.member else { return None };
        let items = match plain(&field.base) {
            Expr::Field(inner) => match self.field_of(inner)? {
                Item::Tuple(items) => items,
                Item::Number(_) | Item::Element { .. } | Item::Line(_) => return None,
            },
            other => match self.meaning(name(other)?)? {
                Meaning::Tuple(items) => items,
                Meaning::Number(_) | Meaning::Lent(_) | Meaning::Array(_) | Meaning::Element(_) => return None,
                Meaning::Function(_) | Meaning::Closure(_) | Meaning::Imported(_) => return None,
            },
        };
        items.get(number.index as usize)
    }

    /// The number in a place of a tuple under a name; `None` if a field is none of such.
    pub fn tuple_field(&mut self, field: &ExprField) -> Option<Option<Ast>> {
        Some(match self.field_of(field)?.clone() {
            Item::Number(own) => Some(self.variable(&own, field)),
            Item::Element { view, at, .. } => Some(self.counted(&view, &at, field)),
            Item::Line(view) => Some(self.variable(&view.array, field)),
            Item::Tuple(_) => {
                self.refuse(field, "a tuple is no number", "name a place of it, as in `pair.0.1`");
                None
            }
        })
    }

    /// The numbers of a tuple under a name; `None` if an expression is no such name.
    pub fn tuple_numbers(&mut self, expr: &Expr) -> Option<Option<Vec<Ast>>> {
        let Item::Tuple(items) = self.item_of(expr)? else { return None };
        let mut numbers = Vec::new();
        for item in items {
            numbers.push(match item {
                Item::Number(own) => self.variable(&own, expr),
                Item::Element { view, at, .. } => self.counted(&view, &at, expr),
                Item::Line(_) | Item::Tuple(_) => {
                    self.refuse(expr, "this tuple holds more than numbers", "name the places of it that are meant");
                    return Some(None);
                }
            });
        }
        Some(Some(numbers))
    }

    /// Copies of what a tuple holds by value, which may be assigned to.
    pub fn own_items(&mut self, items: &[Item], at: &PatIdent, out: &mut Vec<Stmt>) -> Vec<Item> {
        let span = self.span(at);
        let mut own = Vec::new();
        for item in items {
            let value = match item {
                Item::Number(own) => self.variable(own, at),
                Item::Element { view, at: counters, mutable: false } => self.counted(view, counters, at),
                Item::Tuple(inner) => {
                    own.push(Item::Tuple(self.own_items(inner, at, out)));
                    continue;
                }
                Item::Element { mutable: true, .. } | Item::Line(_) => {
                    own.push(item.clone());
                    continue;
                }
            };
            let text = self.fresh(&at.ident.to_string());
            let name = self.named(&text, at);
            out.push(Stmt { kind: StmtKind::Let { name, ty: None, mutable: true, value: Some(value) }, span });
            own.push(Item::Number(text));
        }
        own
    }

    /// How many numbers an expression gives, if it gives several.
    fn arity(&mut self, value: &Expr) -> Option<usize> {
        let of_block = |this: &mut Self, block: &syn::Block| match block.stmts.last()? {
            Written::Expr(value, None) => this.arity(value),
            _ => None,
        };
        match plain(value) {
            Expr::Tuple(tuple) => {
                let lends = |value: &Expr| self.is_array(value) || self.lent(value).is_some();
                let of_numbers = tuple.elems.iter().all(|value| !lends(value) && !makes_list(value));
                (tuple.elems.len() > 1 && of_numbers).then_some(tuple.elems.len())
            }
            Expr::Block(block) => of_block(self, &block.block),
            Expr::If(branch) => {
                let els = branch.else_branch.as_ref().map(|(_, els)| &**els);
                of_block(self, &branch.then_branch).or_else(|| self.arity(els?))
            }
            Expr::Match(matched) => matched.arms.iter().find_map(|arm| self.arity(&arm.body)),
            Expr::MethodCall(call) if call.method == "sin_cos" && call.args.is_empty() => Some(2),
            Expr::MethodCall(call) if super::locals::overflowing(call).is_some() => Some(2),
            Expr::MethodCall(call) if call.method == "dim" && self.is_array(&call.receiver) => {
                Some(self.dim(value)?.len()).filter(|count| *count > 1)
            }
            other => match self.item_of(other) {
                Some(Item::Tuple(items)) => Some(items.len()),
                Some(_) => None,
                None => self.count_of(other),
            },
        }
    }

    /// `let pair = (a, b);`; `None` if the value is not several numbers.
    pub fn tuple_named(
        &mut self,
        (pat, ty): (&PatIdent, Option<&Type>),
        value: &Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<Option<()>> {
        if let Some(Item::Tuple(items)) = self.item_of(value)
            && !items.iter().all(|item| matches!(item, Item::Number(_)))
        {
            // References stay references.
            let items = if pat.mutability.is_some() { self.own_items(&items, pat, out) } else { items };
            self.mean(&pat.ident, Meaning::Tuple(items));
            return Some(Some(()));
        }
        let count = self.arity(value)?;
        Some(self.tuple_variables(pat, ty, (value, count), out))
    }

    fn tuple_variables(
        &mut self,
        pat: &PatIdent,
        ty: Option<&Type>,
        (value, count): (&Expr, usize),
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let own: Vec<String> = (0..count).map(|_| self.fresh(&pat.ident.to_string())).collect();
        let types = self.types_of(ty, count);
        let goal = Goal::Numbers(own.iter().cloned().zip(types.iter().copied()).collect());
        let mut stmts = Vec::new();
        let done = self.bring(value, &goal, &mut stmts);
        let span = self.span(pat);
        for (own, ty) in own.iter().zip(types) {
            let name = self.named(own, pat);
            out.push(Stmt { kind: StmtKind::Let { name, ty, mutable: true, value: None }, span });
        }
        out.extend(stmts);
        self.mean(&pat.ident, Meaning::Tuple(own.into_iter().map(Item::Number).collect()));
        done
    }

    /// The classes that a type of a tuple names.
    fn types_of(&mut self, ty: Option<&Type>, count: usize) -> Vec<Option<Scalar>> {
        let written = ty.map(|ty| self.resolved(ty));
        let Some((Type::Tuple(types), place)) = written else { return vec![None; count] };
        let mut types: Vec<Option<Scalar>> =
            types.elems.iter().map(|ty| self.at_place(place, |this| this.scalar_type(ty))).collect();
        types.resize(count, None);
        types
    }

    /// `pair = (a, b);`: all is computed before any of it is stored. `None` if the place is no such name.
    pub fn tuple_assigned(&mut self, place: &Expr, value: &Expr, out: &mut Vec<Stmt>) -> Option<Option<()>> {
        let Item::Tuple(items) = self.item_of(place)? else { return None };
        let Some(values) = self.several(value, items.len(), out) else { return Some(None) };
        for (item, value) in items.into_iter().zip(values) {
            let target = match item {
                Item::Number(own) => self.variable(&own, place),
                Item::Element { .. } | Item::Line(_) | Item::Tuple(_) => {
                    let help = "assign to the places of the tuple";
                    self.refuse(place, "only a tuple of numbers is assigned at once", help);
                    return Some(None);
                }
            };
            let Some(stored) = self.stored(target, None, value, place) else { return Some(None) };
            out.push(stored);
        }
        Some(Some(()))
    }
}

/// Whether an expression writes a list or a tuple out.
fn makes_list(value: &Expr) -> bool {
    match plain(value) {
        Expr::Array(_) | Expr::Repeat(_) | Expr::Tuple(_) => true,
        Expr::Macro(call) => call.mac.path.is_ident("vec"),
        Expr::Reference(reference) => makes_list(&reference.expr),
        _ => false,
    }
}
