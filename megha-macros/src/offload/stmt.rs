//! Statements.

use super::Converter;
use megha_core::offload::ast::{BinaryOp, Block, ExprKind, Place, Stmt, StmtKind};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprForLoop, ExprIf, Local, Pat, RangeLimits};

const LOOPS: &str = "loops are `for i in from..to` and `for i in from..=to` over whole numbers";

impl Converter {
    /// A block.
    pub fn block(&mut self, block: &syn::Block) -> Block {
        let mut converted = Block::default();
        for (at, stmt) in block.stmts.iter().enumerate() {
            let is_last = at + 1 == block.stmts.len();
            match stmt {
                syn::Stmt::Local(local) => converted.stmts.extend(self.local(local)),
                syn::Stmt::Expr(expr, None) if is_last && has_value(expr) => {
                    converted.value = self.expr(expr).map(Box::new);
                }
                syn::Stmt::Expr(expr, _) => converted.stmts.extend(self.statement(expr)),
                syn::Stmt::Item(item) => {
                    self.refuse(
                        item,
                        "items inside an offloaded function are not taken",
                        "move it out of the function",
                    );
                }
                syn::Stmt::Macro(call) => {
                    self.refuse(
                        call,
                        "macros are not expanded in an offloaded function",
                        "only loops, `if` and arithmetic are compiled",
                    );
                }
            }
        }
        converted
    }

    fn local(&mut self, local: &Local) -> Option<Stmt> {
        let (pat, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let scalar = match ty {
            Some(ty) => match self.scalar_type(ty) {
                Some(scalar) => Some(scalar),
                None => {
                    self.refuse(ty, "local variables are numbers: f64, f32, i64, usize, bool", "");
                    None
                }
            },
            None => None,
        };
        let value = local.init.as_ref().map(|init| {
            if let Some((_, diverge)) = &init.diverge {
                self.refuse(diverge, "`let .. else` is not taken", "");
            }
            self.expr(&init.expr)
        });
        let Pat::Ident(name) = pat else {
            self.refuse(pat, "`let` takes one plain name", "");
            return None;
        };
        let span = self.span(local.span());
        let (name, mutable) = (self.ident(&name.ident), name.mutability.is_some());
        let value = match value {
            Some(value) => Some(value?),
            None => None,
        };
        Some(Stmt { kind: StmtKind::Let { name, ty: scalar, mutable, value }, span })
    }

    fn statement(&mut self, expr: &Expr) -> Option<Stmt> {
        let kind = match expr {
            Expr::Assign(assign) => {
                let (place, value) = (self.target(&assign.left), self.expr(&assign.right));
                StmtKind::Assign { place: place?, op: None, value: value? }
            }
            Expr::Binary(binary) => {
                let Some(op) = compound(&binary.op) else {
                    self.refuse(expr, "this expression has no effect", "");
                    return None;
                };
                let (place, value) = (self.target(&binary.left), self.expr(&binary.right));
                StmtKind::Assign { place: place?, op: Some(op), value: value? }
            }
            Expr::ForLoop(counted) => self.counted(counted)?,
            Expr::If(branch) => self.branch(branch)?,
            Expr::Block(block) if block.label.is_none() => StmtKind::Block(self.block(&block.block)),
            Expr::Group(group) => return self.statement(&group.expr),
            other => {
                let (what, help) = describe(other);
                self.refuse(other, format!("{what} not taken"), help);
                return None;
            }
        };
        Some(Stmt { kind, span: self.span(expr.span()) })
    }

    fn target(&mut self, expr: &Expr) -> Option<Place> {
        let converted = self.expr(expr)?;
        match converted.kind {
            ExprKind::Variable(text) => {
                Some(Place::Variable(megha_core::offload::ast::Ident { text, span: converted.span }))
            }
            ExprKind::Element { array, subs } => Some(Place::Element { array, subs }),
            _ => {
                self.refuse(expr, "only variables and elements of arrays are assigned", "");
                None
            }
        }
    }

    fn counted(&mut self, counted: &ExprForLoop) -> Option<StmtKind> {
        if let Some(label) = &counted.label {
            self.refuse(label, "labels are not taken", "");
        }
        let variable = match &*counted.pat {
            Pat::Ident(name) if name.subpat.is_none() => Some(self.ident(&name.ident)),
            Pat::Wild(wild) => {
                let span = self.span(wild.span());
                Some(megha_core::offload::ast::Ident { text: "_".into(), span })
            }
            pat => {
                self.refuse(pat, "the loop variable is a plain name", LOOPS);
                None
            }
        };
        let bounds = match plain(&counted.expr) {
            Expr::Range(range) => match (&range.start, &range.end) {
                (Some(from), Some(to)) => {
                    let (from, to) = (self.expr(from), self.expr(to));
                    from.zip(to).map(|(f, t)| (f, t, matches!(range.limits, RangeLimits::Closed(_))))
                }
                _ => {
                    self.refuse(range, "the range of a loop has a start and an end", LOOPS);
                    None
                }
            },
            other => {
                self.refuse(other, "loops over iterators are not taken", LOOPS);
                None
            }
        };
        let body = self.block(&counted.body);
        let (from, to, inclusive) = bounds?;
        Some(StmtKind::For { variable: variable?, from, to, inclusive, body })
    }

    fn branch(&mut self, branch: &ExprIf) -> Option<StmtKind> {
        let cond = self.expr(&branch.cond);
        let then = self.block(&branch.then_branch);
        let els = match branch.else_branch.as_ref().map(|(_, els)| plain(els)) {
            None => Some(Block::default()),
            Some(Expr::Block(block)) => Some(self.block(&block.block)),
            Some(other) => self.statement(other).map(|stmt| Block { stmts: vec![stmt], value: None }),
        };
        Some(StmtKind::If { cond: cond?, then, els: els? })
    }
}

/// Whether an expression at the end of a block is its value: not a loop or assignment, and an `if` only if its branches
/// have values.
fn has_value(expr: &Expr) -> bool {
    let ends = |block: &syn::Block| matches!(block.stmts.last(), Some(syn::Stmt::Expr(e, None)) if has_value(e));
    match expr {
        Expr::Assign(_) | Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Return(_) => false,
        Expr::Break(_) | Expr::Continue(_) | Expr::Match(_) => false,
        Expr::Block(block) => ends(&block.block),
        Expr::Binary(binary) => compound(&binary.op).is_none(),
        Expr::If(branch) => ends(&branch.then_branch),
        Expr::Group(group) => has_value(&group.expr),
        _ => true,
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

fn compound(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::AddAssign(_) => BinaryOp::Add,
        BinOp::SubAssign(_) => BinaryOp::Sub,
        BinOp::MulAssign(_) => BinaryOp::Mul,
        BinOp::DivAssign(_) => BinaryOp::Div,
        BinOp::RemAssign(_) => BinaryOp::Rem,
        _ => return None,
    })
}

/// What an expression that is not taken is, and what to do instead.
pub fn describe(expr: &Expr) -> (&'static str, &'static str) {
    match expr {
        Expr::While(_) => ("`while` loops are", LOOPS),
        Expr::Loop(_) => ("`loop` is", LOOPS),
        Expr::Break(_) => ("`break` is", "let the loop run to its end, and guard the statements with `if`"),
        Expr::Continue(_) => ("`continue` is", "put the rest of the body into an `if`"),
        Expr::Return(_) => ("`return` is", "end the function in an expression"),
        Expr::Match(_) => ("`match` is", "use `if` and `else`"),
        Expr::Call(_) => ("calls of functions are", "only methods of numbers, such as `x.sqrt()`, are taken"),
        Expr::MethodCall(_) => {
            ("calls of this method are", "of arrays, `nrows`, `ncols`, `len`, `dim` and `shape` are taken")
        }
        Expr::Closure(_) => ("closures are", ""),
        Expr::Unsafe(_) => ("`unsafe` is", ""),
        Expr::Macro(_) => ("macros are", ""),
        Expr::Reference(_) => ("references are", "use the numbers themselves"),
        Expr::Array(_) | Expr::Repeat(_) => ("local arrays are", "pass them as parameters"),
        Expr::Tuple(_) => ("tuples are", "use several variables"),
        Expr::Struct(_) | Expr::Field(_) => ("structs and fields are", "pass the numbers as parameters"),
        Expr::Range(_) => ("ranges outside `for` are", ""),
        Expr::Let(_) => ("`if let` is", "use comparisons"),
        Expr::Lit(_) => ("literals of this kind are", "numbers, `true` and `false` are taken"),
        _ => ("this expression is", "loops, `if`, arithmetic and elements of arrays are taken"),
    }
}
