//! Declared results against those that follow from the program.
//!
//! A size that only the run knows is tested at the end of the function. Rust gets the declared kind of value: a number that is
//! declared as an array becomes one of a single element, and an array of run-time sizes that is declared as a number must
//! turn out to be one.

use std::collections::BTreeMap;

use super::signature::{Declared, Entry};
use super::spec::{Plan, type_text};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::ir::{Class, Const, Func, Loc, Op, Size, Stmt, Sub, SymData, SymDef, Terminator, Type, Value};
use crate::lower::{DimSpec, SpanTable};

/// Compares the declared results of `plan` with those of its lowered form, to which it adds tests and conversions.
///
/// A name that is no size or count of the inputs stands for whatever size the program has there; wherever it occurs again
/// the size must be the same.
pub fn check(plan: &Plan, func: &mut Func, spans: &mut SpanTable, diags: &mut Diagnostics) {
    let mut sizes = Sizes { names: inputs(plan, func), tests: Vec::new() };
    for (number, entry) in plan.results.iter().enumerate() {
        let found = func.declared_results().into_iter().nth(number);
        let (Some(declared), Some(result)) = (&entry.ty, found) else { continue };
        let found = &result.ty;
        if !sizes.agree(declared, found, func) {
            diags.push(mismatch(entry, declared, found, func, &sizes.names));
            continue;
        }
        let loc = spans.loc(plan.function.outputs.get(number).map_or(declared.span, |o| o.span));
        let mut end = End { func, loc };
        for (of_program, of_declaration) in sizes.tests.drain(..) {
            end.test(of_program, of_declaration, &entry.name.text);
        }
        for at in result.at..result.at + result.parts() {
            match (declared.dims.is_empty(), found.is_scalar()) {
                (true, false) => end.replace(at, End::only_element),
                (false, true) => end.replace(at, |end, value| end.one_element(value, declared.dims.len())),
                _ => {}
            }
        }
    }
}

/// The names of the inputs' sizes and counts.
fn inputs(plan: &Plan, func: &Func) -> BTreeMap<String, Size> {
    let of_input = |data: &SymData| match data.def {
        SymDef::Dim(..) => true,
        SymDef::Value(_) => plan.params.iter().any(|(name, _)| *name == data.name),
        _ => false,
    };
    let named = func.symbols.iter().filter(|(_, data)| of_input(data));
    named.map(|(sym, data)| (data.name.clone(), Size::sym(sym))).collect()
}

fn mismatch(
    entry: &Entry,
    declared: &Declared,
    found: &Type,
    func: &Func,
    names: &BTreeMap<String, Size>,
) -> Diagnostic {
    let name = &entry.name.text;
    let message = format!("`{name}` is declared as {}, but it is {}", type_text(declared), func_type(func, found));
    let mut error = Diagnostic::error(Code::ResultType, declared.span, message);
    if declared.class == found.class
        && let Some(unknown) = unknown_name(declared.dims.iter(), names)
    {
        error = error.note(format!(
            "`{unknown}` is no size of the inputs; a parameter of type usize (or a whole double) can occur in sizes"
        ));
    }
    error.help(format!("write `{name}: {}`, or `{name}` alone", declarable_type(func, found)))
}

/// What the names in declared results stand for, and what is left to be tested.
struct Sizes {
    names: BTreeMap<String, Size>,
    /// Sizes of the program and of the declaration that must be equal when it runs.
    tests: Vec<(Size, Size)>,
}

impl Sizes {
    fn agree(&mut self, declared: &Declared, found: &Type, func: &Func) -> bool {
        let rank = declared.dims.len().max(2).max(found.dims.len());
        let one = DimSpec::constant(1);
        let fits = (0..rank).all(|axis| self.fits(declared.dims.get(axis).unwrap_or(&one), &found.dim(axis), func));
        if !fits {
            self.tests.clear();
        }
        declared.class == found.class && fits
    }

    /// Whether a declared size agrees with the one found, or will be seen to; a new name takes the size that makes it so.
    fn fits(&mut self, declared: &DimSpec, found: &Size, func: &Func) -> bool {
        let DimSpec::Named(terms) = declared else { return true };
        let new: Vec<&String> = terms.keys().flatten().filter(|n| !self.names.contains_key(*n)).collect();
        let value = |terms: &mut dyn Iterator<Item = (&Vec<String>, &i64)>| {
            terms.fold(Size::default(), |sum, (product, c)| {
                let factor = |n: &String| self.names.get(n).cloned().unwrap_or_default();
                sum.add(&product.iter().fold(Size::constant(*c), |p, n| p.mul(&factor(n))))
            })
        };
        match new[..] {
            [] => {
                let size = value(&mut terms.iter());
                let equal = equal(&size, found, func);
                let later = !equal && (is_of_run(found, func) || is_of_run(&size, func));
                if later {
                    self.tests.push((found.clone(), size));
                }
                equal || later
            }
            [name] => {
                let Some(c) = terms.get(&vec![name.clone()]).copied().filter(|c| matches!(c, 1 | -1)) else {
                    return false;
                };
                let rest = value(&mut terms.iter().filter(|(product, _)| !product.contains(name)));
                let solved = found.sub(&rest).scale(c);
                let name = name.clone();
                self.names.insert(name, solved);
                true
            }
            _ => false,
        }
    }
}

/// Whether a size depends on what the program computes.
fn is_of_run(size: &Size, func: &Func) -> bool {
    let mut computed = false;
    func.symbols.for_each_value(size, &mut |v| computed |= !is_count(func, v));
    computed
}

/// Whether the value is that of a parameter.
fn is_count(func: &Func, value: Value) -> bool {
    let params = || func.params.iter().map(|p| p.value);
    let defined = func.body.stmts.iter().find(|s| s.results.contains(&value));
    params().any(|p| p == value)
        || defined.is_some_and(|s| matches!(s.op, Op::ToIndex(of) if params().any(|p| p == of)))
}

/// The end of a function, where its results are tested and converted.
struct End<'f> {
    func: &'f mut Func,
    loc: Loc,
}

impl End<'_> {
    fn push(&mut self, op: Op, ty: Type) -> Value {
        let value = self.func.new_value(ty);
        self.func.body.stmts.push(Stmt { results: vec![value], op, loc: self.loc });
        value
    }

    fn int(&mut self, number: i64) -> Value {
        self.push(Op::Const(Const::Int(number)), Type::scalar(Class::Index))
    }

    fn test(&mut self, of_program: Size, of_declaration: Size, name: &str) {
        let op = Op::SameSize(of_program, of_declaration, format!("the declared size of `{name}`"));
        self.func.body.stmts.push(Stmt { results: Vec::new(), op, loc: self.loc });
    }

    /// The only element of an array.
    fn only_element(&mut self, array: Value) -> Value {
        let (zero, class) = (self.int(0), self.func.ty(array).class);
        self.push(Op::Index { array, subs: vec![Sub::At(zero)], checked: false }, Type::scalar(class))
    }

    /// An array of one element: its sizes are a symbol whose value is one.
    fn one_element(&mut self, value: Value, rank: usize) -> Value {
        let one = self.int(1);
        let name = format!("one{}", self.func.symbols.len());
        let (at_least, at_most) = (vec![Size::constant(1)], vec![Size::constant(1)]);
        let sym = self.func.symbols.define(SymData { name, def: SymDef::Value(one), at_least, at_most });
        let class = self.func.ty(value).class;
        self.push(Op::Fill(value), Type { class, dims: vec![Size::sym(sym); rank] })
    }

    fn replace(&mut self, number: usize, by: impl Fn(&mut Self, Value) -> Value) {
        let Terminator::Return(values) = &self.func.body.term else { return };
        let value = by(self, values[number]);
        self.func.results[number] = self.func.ty(value).clone();
        self.func.body.term.values_mut()[number] = value;
    }
}

/// `f64[n, max(n - k + 1, 0)]`: the type as Rust-side signatures write it, sizes in terms of the inputs and `:` where only
/// the run knows them.
fn func_type(func: &Func, ty: &Type) -> String {
    let dims: Vec<String> = ty.dims.iter().map(|d| func.symbols.tell(d).unwrap_or_else(|| ":".into())).collect();
    if dims.is_empty() { ty.class.name().into() } else { format!("{}[{}]", ty.class.name(), dims.join(", ")) }
}

/// The same, so that a signature may say it: `:` also for sizes that are no polynomials.
pub fn declarable_type(func: &Func, ty: &Type) -> String {
    let plain =
        |size: &Size| size.symbols().all(|s| matches!(func.symbols.get(s).def, SymDef::Dim(..) | SymDef::Value(_)));
    let dims = ty.dims.iter().map(|d| unclamped(d, func).filter(|d| plain(d)).unwrap_or(d));
    let dims = dims.map(|d| if plain(d) { func.symbols.tell(d) } else { None });
    let dims: Vec<String> = dims.map(|text| text.unwrap_or_else(|| ":".into())).collect();
    if dims.is_empty() { ty.class.name().into() } else { format!("{}[{}]", ty.class.name(), dims.join(", ")) }
}

fn unknown_name<'d>(dims: impl Iterator<Item = &'d DimSpec>, names: &BTreeMap<String, Size>) -> Option<&'d str> {
    let mut all = dims.filter_map(|d| if let DimSpec::Named(terms) = d { Some(terms) } else { None });
    all.find_map(|terms| terms.keys().flatten().find(|n| !names.contains_key(*n))).map(String::as_str)
}

/// Equal as polynomials; a size that the program keeps from being negative counts as the size before that.
fn equal(declared: &Size, found: &Size, func: &Func) -> bool {
    declared == found || unclamped(found, func) == Some(declared)
}

/// What a size is that the program keeps from being negative.
fn unclamped<'s>(size: &Size, func: &'s Func) -> Option<&'s Size> {
    match size.as_sym().map(|sym| &func.symbols.get(sym).def) {
        Some(SymDef::Max(a, b)) if *b == Size::default() => Some(a),
        Some(SymDef::Max(a, b)) if *a == Size::default() => Some(b),
        _ => None,
    }
}
