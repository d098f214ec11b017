//! Plausible types for the parameters of a function that nothing declares, found from how it uses them.
//!
//! For `megha check` on foreign code: a parameter with two subscripts, or in a matrix operation, is taken for a matrix; one
//! with one subscript, or of which the length is asked, for a vector; one that is passed on, for what the function that it is
//! passed to takes; any other for a number. What is printed says that the types are assumed.

use std::collections::BTreeSet;

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
/// Parameters, by function and place.
type Params = BTreeSet<(String, usize)>;

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
        let dims = dims(used_as(function, at, functions, &mut Params::new()), vectors)?;
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

/// The strongest use of a parameter, also in the functions that it is passed on to; in each of `seen` it is only looked at once.
fn used_as(function: &Function, param: usize, functions: &[&Function], seen: &mut Params) -> Use {
    let Some(Param::Named(name)) = function.inputs.get(param) else { return Use::Number };
    if !seen.insert((function.name.text.clone(), param)) {
        return Use::Number;
    }
    let mut uses = Uses { name: &name.text, functions, seen, found: Use::Number };
    walk::stmts(&function.body, &mut uses);
    uses.found
}

struct Uses<'f> {
    name: &'f str,
    functions: &'f [&'f Function],
    seen: &'f mut Params,
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
            Some(own) => used_as(own, at, self.functions, self.seen),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::{Job, compile};
    use crate::source::SourceMap;

    /// A parameter that a function passes on to itself in many places is looked at once.
    #[test]
    fn a_function_that_passes_its_parameters_to_itself() {
        let call = " + f(b, a, n - 1) + f(a, a, n - 1)";
        let text = format!("function y = f(a, b, n)\ny = sum(b){};\nend\n", call.repeat(20));
        let mut sources = SourceMap::new();
        let main = sources.add("f.m", text);
        let outcome = compile(Job::text(sources, main));
        let function = &outcome.units[0].program.functions[0];
        let signature = signature(function, &[function], Lying::Row).unwrap();
        let ranks = signature.params.iter().map(|p| p.ty.as_ref().map_or(9, |ty| ty.dims.len()));
        assert_eq!(ranks.collect::<Vec<_>>(), [2, 2, 0]);
    }
}
