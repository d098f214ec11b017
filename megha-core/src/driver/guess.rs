//! Plausible types for the parameters of a function that nothing declares, found from how it uses them.
//!
//! For `megha check` on foreign code: a parameter with two subscripts, or in a matrix operation, is taken for a matrix; one
//! with one subscript, or of which the length is asked, for a vector; one that is passed on, for what the function that it is
//! passed to takes; any other for a number. What is printed says that the types are assumed.

use super::signature::{Declared, Entry, Signature};
use crate::ir::Class;
use crate::lower::DimSpec;
use crate::matlab::ast::{AccessKind, Expr, ExprKind, Function, LValue, Name, Param};
use crate::matlab::walk::{self, Visitor};

/// Functions of one vector or matrix.
const OF_VECTORS: &[&str] = &[
    "numel", "length", "sum", "prod", "cumsum", "cumprod", "mean", "norm", "dot", "any", "all", "sort", "find", "diff",
    "median", "std", "var", "isempty", "fft", "conv", "filter", "interp1", "trapz", "max", "min",
];
/// Functions of one matrix.
const OF_MATRICES: &[&str] =
    &["size", "inv", "det", "trace", "eig", "lu", "qr", "chol", "rank", "tril", "triu", "rows", "columns"];
/// Functions that take a function first.
const OF_FUNCTIONS: &[&str] = &["feval", "arrayfun", "cellfun", "quad", "integral", "fzero", "fminsearch", "func2str"];
/// Passing a parameter on is followed so far.
const DEPTH: usize = 6;

/// What a parameter is used as, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Number,
    Vector,
    Matrix,
    Cube,
    /// No type can be declared for it.
    Function,
}

/// Which vectors a vector is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lying {
    /// `[1, :]`
    Row,
    /// `[:, 1]`
    Column,
}

/// A signature of a function with plausible types; `None` if a parameter is used as a function.
pub fn signature(function: &Function, functions: &[&Function], vectors: Lying) -> Option<Signature> {
    let span = function.signature;
    let mut params = Vec::new();
    for (at, param) in function.inputs.iter().enumerate() {
        let name = match param {
            Param::Named(name) => name.clone(),
            Param::Ignored(span) => Name { text: "~".into(), span: *span },
        };
        let dims = dims(used_as(function, at, functions, DEPTH), vectors)?;
        params.push(Entry { name, ty: Some(Declared { class: Class::Double, count: false, dims, span }) });
    }
    let visibility = String::new();
    Some(Signature { visibility, function: function.name.clone(), rename: None, params, results: None, span })
}

fn dims(used: Use, vectors: Lying) -> Option<Vec<DimSpec>> {
    let one = || DimSpec::constant(1);
    Some(match (used, vectors) {
        (Use::Number, _) => Vec::new(),
        (Use::Vector, Lying::Row) => vec![one(), DimSpec::Any],
        (Use::Vector, Lying::Column) => vec![DimSpec::Any, one()],
        (Use::Matrix, _) => vec![DimSpec::Any; 2],
        (Use::Cube, _) => vec![DimSpec::Any; 3],
        (Use::Function, _) => return None,
    })
}

fn used_as(function: &Function, param: usize, functions: &[&Function], depth: usize) -> Use {
    let Some(Param::Named(name)) = function.inputs.get(param) else { return Use::Number };
    let mut uses = Uses { name: &name.text, functions, depth, found: Use::Number };
    walk::stmts(&function.body, &mut uses);
    uses.found
}

struct Uses<'f> {
    name: &'f str,
    functions: &'f [&'f Function],
    depth: usize,
    found: Use,
}

impl Uses<'_> {
    fn is_param(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Ident(name) if name == self.name)
    }

    fn see(&mut self, used: Use) {
        self.found = self.found.max(used);
    }

    fn subscripts(&mut self, count: usize) {
        self.see([Use::Number, Use::Vector, Use::Matrix][count.min(2)]);
        if count > 2 {
            self.see(Use::Cube);
        }
    }

    /// The parameter as an argument of a function of this name.
    fn argument(&mut self, callee: &str, at: usize) {
        let own = self.functions.iter().find(|f| f.name.text == callee);
        let used = match own {
            Some(own) if self.depth > 0 => used_as(own, at, self.functions, self.depth - 1),
            Some(_) => Use::Number,
            None if at == 0 && OF_FUNCTIONS.contains(&callee) => Use::Function,
            None if at == 0 && OF_MATRICES.contains(&callee) => Use::Matrix,
            None if at == 0 && OF_VECTORS.contains(&callee) => Use::Vector,
            None => Use::Number,
        };
        self.see(used);
    }
}

impl Visitor for Uses<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Apply { callee, args } if self.is_param(callee) => self.subscripts(args.len()),
            ExprKind::Apply { callee, args } => {
                if let ExprKind::Ident(callee) = &callee.kind {
                    for (at, _) in args.iter().enumerate().filter(|(_, a)| self.is_param(a)).collect::<Vec<_>>() {
                        self.argument(callee, at);
                    }
                }
            }
            ExprKind::Transpose { operand, .. } if self.is_param(operand) => self.see(Use::Vector),
            _ => {}
        }
    }

    fn target(&mut self, target: &LValue) {
        if let (true, Some(access)) = (target.name.text == self.name, target.accesses.first())
            && let AccessKind::Paren(args) = &access.kind
        {
            self.subscripts(args.len());
        }
    }
}
