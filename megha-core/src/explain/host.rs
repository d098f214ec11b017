//! Statements outside kernels, as far as they matter to a reader.

use super::kernel::{and, distinct};
use super::names::Names;
use crate::ir::{Ambient, Check, Class, Lib, Op, Size, Stmt, Value, Written};

/// What a statement outside kernels does. Neighbours of one kind are shown together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Arithmetic on single numbers.
    Numbers,
    /// Arrays filled with this value.
    Filled(String),
    /// A test, with what is wrong if it fails.
    Test(String),
    /// Anything else, in words.
    Other(String),
}

/// Neighbouring statements of one kind.
#[derive(Debug, Clone)]
pub(super) struct Note {
    pub kind: Kind,
    names: Vec<String>,
    lines: Vec<u32>,
}

impl Note {
    /// The note about a statement, if it is worth one.
    pub fn of(names: &Names<'_>, stmt: &Stmt, constant: &dyn Fn(Value) -> Option<String>) -> Option<Self> {
        let kind = kind(names, stmt, constant)?;
        let given = stmt.results.iter().filter_map(|v| names.given(*v)).map(str::to_owned).collect();
        Some(Self { kind, names: given, lines: names.line(stmt.loc).into_iter().collect() })
    }

    /// Takes in a note of the same kind.
    pub fn join(&mut self, other: Self) {
        self.names.extend(other.names);
        self.lines.extend(other.lines);
    }

    pub fn text(&self) -> String {
        let names = distinct(self.names.iter().cloned());
        let list = if names.is_empty() { "intermediate results".to_owned() } else { and(&names) };
        let what = match &self.kind {
            Kind::Numbers if names.is_empty() => "single numbers".to_owned(),
            Kind::Numbers => format!("single numbers: {list}"),
            Kind::Filled(value) => format!("{list}: memory filled with {value}"),
            Kind::Test(text) => format!("tested once, before what follows: it is an error if {text}"),
            Kind::Other(text) if names.is_empty() => text.clone(),
            Kind::Other(text) => format!("{list}: {text}"),
        };
        match (self.lines.iter().min(), self.lines.iter().max()) {
            (Some(first), Some(last)) if first == last => format!("line {first}: {what}"),
            (Some(first), Some(last)) => format!("lines {first}-{last}: {what}"),
            _ => what,
        }
    }
}

fn kind(names: &Names<'_>, stmt: &Stmt, constant: &dyn Fn(Value) -> Option<String>) -> Option<Kind> {
    let is_array = stmt.results.first().is_some_and(|v| !names.func.ty(*v).is_scalar());
    let other = |text: String| Some(Kind::Other(text));
    match &stmt.op {
        Op::Fill(value) => {
            Some(Kind::Filled(constant(*value).unwrap_or_else(|| format!("copies of {}", names.value(*value)))))
        }
        Op::FillAround { a, boxes } => {
            let value = constant(*a).unwrap_or_else(|| format!("copies of {}", names.value(*a)));
            let dims = &names.func.ty(stmt.results[0]).dims;
            let stored: Vec<String> = boxes.iter().map(|b| elements(names, dims, b)).collect();
            other(format!("memory filled with {value} but for the elements {}, which are stored first", and(&stored)))
        }
        Op::Assert(_, Check { text, .. }) => Some(Kind::Test(match names.text(stmt.loc) {
            Some(place) => format!("{text}, in `{place}`"),
            None => text.clone(),
        })),
        Op::SameSize(a, b, text) => {
            Some(Kind::Test(format!("the sizes {} and {} differ ({text})", names.size(a), names.size(b))))
        }
        Op::Lib(Lib::RangeLen, _) => None,
        Op::Lib(lib, args) => {
            let operand = |v: &Value| match names.func.ty(*v).dims.as_slice() {
                [] => names.value(*v),
                dims => format!("{} ({})", names.value(*v), names.dims(dims)),
            };
            // Dimensions and directions are no operands to a reader.
            let count = match lib {
                Lib::Sort | Lib::SortIndex | Lib::Middle => 1,
                Lib::Fourier => 2,
                _ => args.len(),
            };
            let operands: Vec<String> = args.iter().take(count).map(operand).collect();
            other(format!("{} {} by the library", library(*lib), and(&operands)))
        }
        Op::Call(..) => other("a call of another function".into()),
        Op::Print(..) | Op::Display(..) => other("prints".into()),
        Op::Text(..) => other("a text".into()),
        Op::Ambient(Ambient::Draw, _) => other("the key of random numbers".into()),
        Op::Ambient(Ambient::Seed, _) => other("seeds the random numbers".into()),
        Op::Ambient(..) => other("reads the clock".into()),
        Op::Raise { format, .. } => other(format!("stops with the error \"{format}\"")),
        Op::Store { subs, .. } if subs.iter().all(|s| matches!(s, crate::ir::Sub::At(_))) => {
            other("one element is stored".into())
        }
        Op::Store { .. } => other("elements are stored one after the other".into()),
        Op::Concat(..) => other("parts are put together".into()),
        Op::Resize(_) => other("gets other sizes; its elements stay".into()),
        Op::Reduce(op, ..) => other(format!("{} of an array", op.name())),
        Op::Index { .. } | Op::Unary(..) | Op::Binary(..) | Op::Select(..) | Op::Fma(..) if !is_array => {
            let class = stmt.results.first().map(|v| names.func.ty(*v).class);
            (class != Some(Class::Index) && class != Some(Class::Logical)).then_some(Kind::Numbers)
        }
        Op::Reshape(_) | Op::Const(_) => None,
        _ if is_array => other("computed one element after the other".into()),
        _ => None,
    }
}

/// A box as the program would write its elements: `(2:n-1, 1)`. A range that ends before it begins is none, so nothing need be said of sizes below zero.
fn elements(names: &Names<'_>, dims: &[Size], Written { first, count, .. }: &Written) -> String {
    let subscript = |axis: &usize| {
        let (first, count) = (&first[*axis], names.func.symbols.without_maximum(&count[*axis]));
        match (first.as_constant(), count.is_one()) {
            (_, true) => names.size(&first.add_const(1)),
            (Some(0), _) if count == dims[*axis] => ":".to_owned(),
            _ => format!("{}:{}", names.size(&first.add_const(1)), names.size(&first.add(&count))),
        }
    };
    let long: Vec<usize> = (0..dims.len()).filter(|axis| !dims[*axis].is_one()).collect();
    let shown = if long.len() == 1 { long } else { (0..dims.len()).collect() };
    format!("({})", shown.iter().map(subscript).collect::<Vec<_>>().join(", "))
}

fn library(lib: Lib) -> &'static str {
    match lib {
        Lib::MatMul => "matrix product of",
        Lib::MatMulToCompare => "signs of the matrix product of",
        Lib::LeftDivide | Lib::RightDivide => "solution of linear equations with",
        Lib::Fourier => "Fourier transforms of",
        Lib::Lu | Lib::Qr | Lib::Cholesky => "factors of",
        Lib::Inverse => "inverse of",
        Lib::Eigenvalues => "eigenvalues of",
        Lib::Eigenvectors => "eigenvectors of",
        Lib::SingularValues => "singular values and vectors of",
        Lib::RangeLen => "length of the range of",
        Lib::RandPerm => "random order under",
        Lib::DateVector | Lib::DateSeconds => "date of",
        Lib::TextLength | Lib::TextCodes => "characters of",
        Lib::Find => "places of the true elements of",
        Lib::Middle => "middle elements of",
        Lib::SumsAt => "sums by the places of",
        Lib::CountsAt => "counts of the places of",
        Lib::Lookup => "places among the elements of",
        Lib::Sort => "sorted elements of",
        Lib::SortIndex => "sorting permutation of",
    }
}
