//! Expressions.

use super::Converter;
use super::stmt::{describe, plain};
use megha_core::offload::ast::{BinaryOp, Expr as Ast, ExprKind, Ident, Scalar};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprIf, ExprIndex, ExprLit, ExprMethodCall, ExprPath, Lit, Member, UnOp};

/// Constants of floating-point types by the last two segments of their paths.
const CONSTANTS: &[(&str, f64)] = &[
    ("EPSILON", f64::EPSILON),
    ("MAX", f64::MAX),
    ("MIN", f64::MIN),
    ("MIN_POSITIVE", f64::MIN_POSITIVE),
    ("INFINITY", f64::INFINITY),
    ("NEG_INFINITY", f64::NEG_INFINITY),
    ("NAN", f64::NAN),
];

impl Converter {
    /// An expression.
    pub fn expr(&mut self, expr: &Expr) -> Option<Ast> {
        let expr = plain(expr);
        let kind = match expr {
            Expr::Lit(literal) => self.literal(&literal.lit)?,
            Expr::Path(path) => self.path(path)?,
            Expr::Index(index) => self.element(index)?,
            Expr::Unary(unary) => {
                let operand = Box::new(self.expr(&unary.expr)?);
                match unary.op {
                    UnOp::Neg(_) => ExprKind::Neg(operand),
                    UnOp::Not(_) => ExprKind::Not(operand),
                    _ => {
                        self.refuse(unary, "references are not taken", "use the numbers themselves");
                        return None;
                    }
                }
            }
            Expr::Binary(binary) => {
                let (a, b) = (self.expr(&binary.left), self.expr(&binary.right));
                let Some(op) = operator(&binary.op) else {
                    self.refuse(
                        &binary.op,
                        "this operator is not taken",
                        "+ - * / %, comparisons, && and || are taken",
                    );
                    return None;
                };
                ExprKind::Binary(op, Box::new(a?), Box::new(b?))
            }
            Expr::MethodCall(call) => self.method(call)?,
            Expr::Cast(cast) => {
                let operand = self.expr(&cast.expr);
                let Some(to) = self.scalar_type(&cast.ty) else {
                    self.refuse(&cast.ty, "casts go to f64, f32, i64 and usize", "");
                    return None;
                };
                ExprKind::Cast(Box::new(operand?), to)
            }
            Expr::If(branch) => self.conditional(branch)?,
            Expr::Field(field) if matches!(plain(&field.base), Expr::MethodCall(_)) => {
                let axis = if let Member::Unnamed(index) = &field.member { Some(index.index as usize) } else { None };
                match self.extent(&field.base, axis) {
                    Some(extent) => extent,
                    None => {
                        self.refuse(
                            field,
                            "fields are not taken",
                            "of arrays, `x.dim().0` and `x.shape()[0]` are taken",
                        );
                        return None;
                    }
                }
            }
            other => {
                let (what, help) = describe(other);
                self.refuse(other, format!("{what} not taken"), help);
                return None;
            }
        };
        Some(Ast { kind, span: self.span(expr.span()) })
    }

    fn literal(&mut self, literal: &Lit) -> Option<ExprKind> {
        let suffix = |suffix: &str| if suffix.is_empty() { Some(None) } else { Scalar::from_name(suffix).map(Some) };
        let found = match literal {
            Lit::Float(x) => suffix(x.suffix()).and_then(|s| Some(ExprKind::Float(float(x, s)?, s))),
            Lit::Int(x) => suffix(x.suffix()).and_then(|s| match s {
                Some(Scalar::F64 | Scalar::F32) => Some(ExprKind::Float(x.base10_parse::<f64>().ok()?, s)),
                s => Some(ExprKind::Int(x.base10_parse().ok()?, s)),
            }),
            Lit::Bool(x) => Some(ExprKind::Bool(x.value)),
            _ => None,
        };
        if found.is_none() {
            let help = "numbers of the types f64, f32, i64 and usize, `true` and `false` are taken";
            self.refuse(literal, "literals of this kind are not taken", help);
        }
        found
    }

    fn path(&mut self, path: &ExprPath) -> Option<ExprKind> {
        if let Some(name) = path.path.get_ident() {
            return Some(ExprKind::Variable(name.to_string()));
        }
        let words: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        if let [.., ty, name] = &words[..]
            && let Some(scalar @ Scalar::F64) = Scalar::from_name(ty)
            && let Some((_, value)) = CONSTANTS.iter().find(|(n, _)| n == name)
        {
            return Some(ExprKind::Float(*value, Some(scalar)));
        }
        if let [.., ty, module, name] = &words[..]
            && (ty.as_str(), module.as_str(), name.as_str()) == ("f64", "consts", "PI")
        {
            return Some(ExprKind::Float(std::f64::consts::PI, Some(Scalar::F64)));
        }
        self.refuse(path, "paths are not taken", "pass the constant as a parameter, or write the number");
        None
    }

    /// `x.shape()[0]` and `x.dim().0`: the size along an axis.
    fn extent(&mut self, call: &Expr, axis: Option<usize>) -> Option<ExprKind> {
        let Expr::MethodCall(call) = plain(call) else { return None };
        let is_size = matches!(call.method.to_string().as_str(), "shape" | "dim") && call.args.is_empty();
        let (Some(axis), Some(array), true) = (axis, name(&call.receiver), is_size) else { return None };
        Some(ExprKind::Extent { array: self.ident(array), axis: Some(axis) })
    }

    fn element(&mut self, index: &ExprIndex) -> Option<ExprKind> {
        if let Expr::Lit(ExprLit { lit: Lit::Int(axis), .. }) = plain(&index.index)
            && let Some(extent) = self.extent(&index.expr, axis.base10_parse().ok())
        {
            return Some(extent);
        }
        let subs = match plain(&index.index) {
            Expr::Array(list) => list.elems.iter().map(|sub| self.expr(sub)).collect::<Vec<_>>(),
            Expr::Tuple(list) => list.elems.iter().map(|sub| self.expr(sub)).collect(),
            one => vec![self.expr(one)],
        };
        let array = self.array(&index.expr);
        Some(ExprKind::Element { array: array?, subs: subs.into_iter().collect::<Option<_>>()? })
    }

    /// The name of an array.
    fn array(&mut self, expr: &Expr) -> Option<Ident> {
        if let Some(name) = name(expr) {
            return Some(self.ident(name));
        }
        self.refuse(expr, "only parameters are indexed, by all subscripts at once", "write `a[[i, j]]`");
        None
    }

    fn method(&mut self, call: &ExprMethodCall) -> Option<ExprKind> {
        let method = call.method.to_string();
        if matches!(method.as_str(), "nrows" | "ncols" | "len") && call.args.is_empty() {
            let axis = match method.as_str() {
                "nrows" => Some(0),
                "ncols" => Some(1),
                _ => None,
            };
            return Some(ExprKind::Extent { array: self.array(&call.receiver)?, axis });
        }
        if matches!(method.as_str(), "iter" | "iter_mut" | "map" | "sum" | "dot" | "row" | "column" | "slice" | "t") {
            self.refuse(&call.method, format!("the method `{method}` is not taken"), "write the loops out");
            return None;
        }
        let receiver = self.expr(&call.receiver);
        let args: Vec<Option<Ast>> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let method = self.ident(&call.method);
        let args = args.into_iter().collect::<Option<_>>()?;
        Some(ExprKind::Method { receiver: Box::new(receiver?), method, args })
    }

    fn conditional(&mut self, branch: &ExprIf) -> Option<ExprKind> {
        let cond = self.expr(&branch.cond);
        let then = self.block(&branch.then_branch);
        let els = match branch.else_branch.as_ref().map(|(_, els)| plain(els)) {
            Some(Expr::Block(block)) => self.block(&block.block),
            Some(other) => {
                let value = self.expr(other)?;
                megha_core::offload::ast::Block { stmts: Vec::new(), value: Some(Box::new(value)) }
            }
            None => {
                self.refuse(branch, "an `if` with a value needs an `else`", "");
                return None;
            }
        };
        Some(ExprKind::If(Box::new(cond?), then, els))
    }
}

/// The number that a literal means: the nearest of its type.
fn float(literal: &syn::LitFloat, suffix: Option<Scalar>) -> Option<f64> {
    match suffix {
        Some(Scalar::F32) => literal.base10_parse::<f32>().ok().map(f64::from),
        Some(Scalar::F64) | None => literal.base10_parse().ok(),
        Some(_) => None,
    }
}

/// The name that an expression is.
fn name(expr: &Expr) -> Option<&syn::Ident> {
    match plain(expr) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

fn operator(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add(_) => BinaryOp::Add,
        BinOp::Sub(_) => BinaryOp::Sub,
        BinOp::Mul(_) => BinaryOp::Mul,
        BinOp::Div(_) => BinaryOp::Div,
        BinOp::Rem(_) => BinaryOp::Rem,
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
