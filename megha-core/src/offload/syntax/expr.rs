//! Expressions.

use super::Converter;
use super::around::gives_value;
use super::describe::describe;
use super::scope::Meaning;
use crate::offload::ast::{BinaryOp, Block, Expr as Ast, ExprKind, Scalar, Stmt, StmtKind};
use syn::{BinOp, Expr, ExprBinary, ExprIf, ExprIndex, ExprLit, ExprPath, ExprUnary, Lit, UnOp};

impl Converter {
    /// An expression.
    pub fn expr(&mut self, expr: &Expr) -> Option<Ast> {
        let before = self.problems.len();
        let converted = self.converted(plain(expr));
        if converted.is_none() && self.problems.len() == before {
            self.lost(expr);
        }
        converted
    }

    /// Something that no rule takes and none refuses: it must not be left out.
    pub fn lost(&mut self, at: &impl quote::ToTokens) {
        self.refuse(
            at,
            "this is not taken here",
            "write it in another way, with loops, `if`, arithmetic and elements of arrays",
        );
    }

    fn converted(&mut self, expr: &Expr) -> Option<Ast> {
        let kind = match expr {
            Expr::Lit(literal) => self.literal(&literal.lit)?,
            Expr::Path(path) => return self.path(path),
            Expr::Index(index) => return self.element(index),
            Expr::Unary(unary) => return self.unary(unary),
            Expr::Binary(binary) => self.binary(binary)?,
            Expr::MethodCall(call) => return self.method(call),
            Expr::Call(call) => return self.call(call),
            Expr::Cast(cast) => {
                let operand = self.expr(&cast.expr);
                let Some(to) = self.scalar_type(&cast.ty) else {
                    self.refuse(&cast.ty, "casts go to numbers", "name one of Rust's types of numbers up to 64 bits");
                    return None;
                };
                ExprKind::Cast(Box::new(operand?), to)
            }
            Expr::If(branch) => self.conditional(branch)?,
            Expr::Match(matched) => self.match_value(matched)?,
            Expr::Block(block) if block.label.is_none() => ExprKind::Block(self.value_block(&block.block)),
            Expr::Block(_) => self.left_value(expr)?,
            Expr::Loop(endless) if gives_value(endless) => self.left_value(expr)?,
            Expr::Field(field) => return self.field(field),
            // A shared reference to a number is used as the number.
            Expr::Reference(reference) if reference.mutability.is_none() => return self.expr(&reference.expr),
            Expr::Macro(call) if self.is_matches(&call.mac) => return self.matches(call),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Macro(_) => {
                let stmts = self.leaving(expr)?;
                let value = Some(Box::new(self.made(ExprKind::Never, expr)));
                ExprKind::Block(Block { stmts, value })
            }
            other => {
                if let Expr::Struct(literal) = other
                    && let Some(made) = self.complex_struct(literal)
                {
                    return made;
                }
                let (what, help) = describe(other);
                self.refuse(other, format!("{what} not taken"), help);
                return None;
            }
        };
        Some(self.made(kind, expr))
    }

    /// The number that `break` leaves a loop or a block with.
    fn left_value(&mut self, expr: &Expr) -> Option<ExprKind> {
        let mut stmts = Vec::new();
        let value = self.several(expr, 1, &mut stmts)?.pop().map(Box::new);
        Some(ExprKind::Block(Block { stmts, value }))
    }

    /// The statements that an expression which gives no value is.
    fn leaving(&mut self, expr: &Expr) -> Option<Vec<Stmt>> {
        let mut stmts = Vec::new();
        self.statement(expr, &mut stmts)?;
        let fails = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Assert { cond, .. } => cond.kind == ExprKind::Bool(false),
            _ => true,
        };
        if !stmts.is_empty() && !stmts.iter().any(fails) {
            self.refuse(expr, "this macro gives no value", "write an expression");
            return None;
        }
        (!stmts.is_empty()).then_some(stmts)
    }

    fn literal(&mut self, literal: &Lit) -> Option<ExprKind> {
        let suffix = |suffix: &str| if suffix.is_empty() { Some(None) } else { Scalar::from_name(suffix).map(Some) };
        let found = match literal {
            Lit::Float(x) => suffix(x.suffix())
                .filter(|s| s.is_none_or(Scalar::is_float))
                .and_then(|s| Some(ExprKind::Float(x.base10_parse().ok()?, x.base10_parse().ok()?, s))),
            Lit::Int(x) => suffix(x.suffix()).and_then(|s| match s {
                Some(Scalar::F64 | Scalar::F32) => {
                    Some(ExprKind::Float(x.base10_parse().ok()?, x.base10_parse().ok()?, s))
                }
                s => Some(ExprKind::Int(x.base10_parse::<i128>().ok().filter(|x| *x <= u64::MAX.into())?, s)),
            }),
            Lit::Byte(x) => Some(ExprKind::Int(x.value().into(), Some(Scalar::U8))),
            Lit::Bool(x) => Some(ExprKind::Bool(x.value)),
            _ => None,
        };
        if found.is_none() {
            let help = "numbers of up to 64 bits, `true` and `false` are taken";
            self.refuse(literal, "literals of this kind are not taken", help);
        }
        found
    }

    fn path(&mut self, path: &ExprPath) -> Option<Ast> {
        let Some(name) = path.path.get_ident() else {
            return self.complex_constant(path).or_else(|| self.constant(path));
        };
        match self.meaning(name).cloned() {
            Some(Meaning::Number(own) | Meaning::Lent(own)) => Some(self.variable(&own, name)),
            Some(Meaning::Element(view)) => Some(self.element_of(&view, Vec::new(), name)),
            // Used as a whole, which is reported where types are known.
            Some(Meaning::Array(view)) => Some(self.variable(&view.array, name)),
            Some(Meaning::Function(_) | Meaning::Closure(_)) => {
                self.refuse(name, "a function is no number", "call it");
                None
            }
            Some(Meaning::Tuple(_)) => {
                self.refuse(name, "a tuple is no number", "name a place of it, as in `pair.0`");
                None
            }
            Some(Meaning::Imported(_)) => self.constant(path),
            None if self.is_constant(name) => self.constant(path),
            // What is not known is reported where types are known.
            None => {
                let own = self.fresh(&name.to_string());
                Some(self.variable(&own, name))
            }
        }
    }

    fn unary(&mut self, unary: &ExprUnary) -> Option<Ast> {
        let operand = self.expr(&unary.expr)?;
        let kind = match unary.op {
            UnOp::Neg(_) => ExprKind::Neg(Box::new(operand)),
            UnOp::Not(_) => ExprKind::Not(Box::new(operand)),
            // References are used as what they refer to, which Rust has checked.
            UnOp::Deref(_) => return Some(operand),
            _ => return None,
        };
        Some(self.made(kind, unary))
    }

    fn binary(&mut self, binary: &ExprBinary) -> Option<ExprKind> {
        if [&binary.left, &binary.right].into_iter().any(|side| self.is_array(side) || self.is_elementwise(side)) {
            let help = "give it a name, `let c = &a + &b;`, or hand it to `assign` or `+=`; of slices write a loop over the elements";
            self.refuse(binary, "arithmetic of whole arrays is not taken in an expression", help);
            return None;
        }
        if let Some(op @ (BinaryOp::Eq | BinaryOp::Ne)) = operator(&binary.op) {
            return Some(self.equality(op, (&binary.left, &binary.right), binary)?.kind);
        }
        let (a, b) = (self.expr(&binary.left), self.expr(&binary.right));
        let Some(op) = operator(&binary.op) else {
            let help = "an assignment is a statement of its own";
            self.refuse(binary, "this operator is not taken within an expression", help);
            return None;
        };
        Some(ExprKind::Binary(op, Box::new(a?), Box::new(b?)))
    }

    fn element(&mut self, index: &ExprIndex) -> Option<Ast> {
        if let Some(extent) = self.shape_element(index) {
            return Some(extent);
        }
        let mut base = index;
        let mut groups = vec![&*index.index];
        while let Expr::Index(inner) = plain(&base.expr)
            && !matches!(plain(&inner.index), Expr::Range(_))
        {
            groups.push(&inner.index);
            base = inner;
        }
        let mut subs = Vec::new();
        for group in groups.into_iter().rev() {
            match plain(group) {
                Expr::Array(list) => subs.extend(list.elems.iter().map(|sub| self.as_said(sub, Some(Scalar::Usize)))),
                Expr::Tuple(list) => subs.extend(list.elems.iter().map(|sub| self.as_said(sub, Some(Scalar::Usize)))),
                Expr::Range(_) => {
                    let help = "name the part, `let part = &s[i..j];`, and use its elements";
                    self.refuse(index, "a part of an array is no number", help);
                    return None;
                }
                one => subs.push(self.as_said(one, Some(Scalar::Usize))),
            }
        }
        // A row, a column or another part, `a.row(i)[j]`, which may take statements.
        let mut stmts = Vec::new();
        let view = match self.is_array(&base.expr) {
            true => self.part(&base.expr, &mut stmts),
            false => self.view(&base.expr),
        };
        let subs: Vec<Ast> = subs.into_iter().collect::<Option<_>>()?;
        let element = self.element_by(&view?, subs, index);
        if stmts.is_empty() {
            return Some(element);
        }
        let value = Some(Box::new(element));
        Some(self.made(ExprKind::Block(Block { stmts, value }), index))
    }

    fn conditional(&mut self, branch: &ExprIf) -> Option<ExprKind> {
        let mut stmts = Vec::new();
        let opened = self.opened(&branch.cond, &mut stmts, &mut |this| this.value_block(&branch.then_branch));
        let els = match branch.else_branch.as_ref().map(|(_, els)| plain(els)) {
            Some(Expr::Block(block)) => self.value_block(&block.block),
            Some(other) => Block { stmts: Vec::new(), value: Some(Box::new(self.expr(other)?)) },
            None => {
                self.refuse(branch, "an `if` with a value needs an `else`", "write what the value is otherwise");
                return None;
            }
        };
        let (cond, then) = opened?;
        let kind = ExprKind::If(Box::new(cond), then, els);
        if stmts.is_empty() {
            return Some(kind);
        }
        let value = Some(Box::new(self.made(kind, branch)));
        Some(ExprKind::Block(Block { stmts, value }))
    }

    /// A block that has a value, unless control leaves it before its end.
    pub fn value_block(&mut self, block: &syn::Block) -> Block {
        let mut converted = self.block(block);
        self.never(&mut converted, block);
        converted
    }

    /// Gives a block that control leaves a value of any type.
    pub fn never(&mut self, block: &mut Block, at: &impl quote::ToTokens) {
        let endless = block.stmts.last().is_some_and(Stmt::is_endless);
        let leaves = match block.stmts.last().map(|stmt| &stmt.kind) {
            _ if endless => true,
            Some(StmtKind::Return(_) | StmtKind::Break(_) | StmtKind::Continue(_)) => true,
            Some(StmtKind::Assert { cond, .. }) => cond.kind == ExprKind::Bool(false),
            _ => false,
        };
        if block.value.is_none() && leaves {
            block.value = Some(Box::new(self.made(ExprKind::Never, at)));
        }
    }
}

/// Whether a name is one of a constant by Rust's conventions.
pub fn is_constant(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

/// The name that an expression is.
pub fn name(expr: &Expr) -> Option<&syn::Ident> {
    match plain(expr) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

/// The whole number that an expression is written as.
pub fn whole(expr: &Expr) -> Option<usize> {
    match plain(expr) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    }
}

/// The expression without parentheses and the groups that `macro_rules!` makes.
pub fn plain(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => plain(&paren.expr),
        Expr::Group(group) => plain(&group.expr),
        other => other,
    }
}

fn operator(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add(_) => BinaryOp::Add,
        BinOp::Sub(_) => BinaryOp::Sub,
        BinOp::Mul(_) => BinaryOp::Mul,
        BinOp::Div(_) => BinaryOp::Div,
        BinOp::Rem(_) => BinaryOp::Rem,
        BinOp::BitAnd(_) => BinaryOp::BitAnd,
        BinOp::BitOr(_) => BinaryOp::BitOr,
        BinOp::BitXor(_) => BinaryOp::BitXor,
        BinOp::Shl(_) => BinaryOp::Shl,
        BinOp::Shr(_) => BinaryOp::Shr,
        BinOp::Eq(_) => BinaryOp::Eq,
        BinOp::Ne(_) => BinaryOp::Ne,
        BinOp::Lt(_) => BinaryOp::Lt,
        BinOp::Le(_) => BinaryOp::Le,
        BinOp::Gt(_) => BinaryOp::Gt,
        BinOp::Ge(_) => BinaryOp::Ge,
        BinOp::And(_) => BinaryOp::And,
        BinOp::Or(_) => BinaryOp::Or,
        _ => return None,
    })
}

/// The operator of a compound assignment.
pub fn compound(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::AddAssign(_) => BinaryOp::Add,
        BinOp::SubAssign(_) => BinaryOp::Sub,
        BinOp::MulAssign(_) => BinaryOp::Mul,
        BinOp::DivAssign(_) => BinaryOp::Div,
        BinOp::RemAssign(_) => BinaryOp::Rem,
        BinOp::BitAndAssign(_) => BinaryOp::BitAnd,
        BinOp::BitOrAssign(_) => BinaryOp::BitOr,
        BinOp::BitXorAssign(_) => BinaryOp::BitXor,
        BinOp::ShlAssign(_) => BinaryOp::Shl,
        BinOp::ShrAssign(_) => BinaryOp::Shr,
        _ => return None,
    })
}
