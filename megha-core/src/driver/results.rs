//! Declared results against those that follow from the program.

use std::collections::BTreeMap;

use super::signature::Entry;
use super::spec::{Plan, type_text};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::ir::{Func, Size, SymDef, Type};
use crate::lower::DimSpec;

/// Compares the declared results of `plan` with those of its lowered form.
///
/// A name that is no size or count of the inputs stands for whatever size the program has there; wherever it occurs again
/// the size must be the same.
pub fn check(plan: &Plan, func: &Func, diags: &mut Diagnostics) {
    let mut names: BTreeMap<String, Size> = BTreeMap::new();
    for (sym, data) in func.symbols.iter() {
        let of_input = match data.def {
            SymDef::Dim(..) => true,
            SymDef::Value(_) => plan.params.iter().any(|(name, _)| *name == data.name),
            _ => false,
        };
        if of_input {
            names.insert(data.name.clone(), Size::sym(sym));
        }
    }
    for (entry, found) in plan.results.iter().zip(func.declared_results()) {
        check_one(entry, &found.ty, func, &mut names, diags);
    }
}

fn check_one(entry: &Entry, found: &Type, func: &Func, names: &mut BTreeMap<String, Size>, diags: &mut Diagnostics) {
    let Some(declared) = &entry.ty else { return };
    let rank = declared.dims.len().max(2).max(found.dims.len());
    let sizes_fit = (0..rank).all(|axis| {
        let one = DimSpec::constant(1);
        fits(declared.dims.get(axis).unwrap_or(&one), &found.dim(axis), func, names)
    });
    if declared.class == found.class && sizes_fit {
        return;
    }
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
    diags.push(error.help(format!("write `{name}: {}`, or `{name}` alone", func_type(func, found))));
}

/// `f64[n, max(n - k + 1, 0)]`: the type as Rust-side signatures write it, sizes in terms of the inputs.
pub fn func_type(func: &Func, ty: &Type) -> String {
    let dims: Vec<String> = ty.dims.iter().map(|d| size_text(func, d)).collect();
    if dims.is_empty() { ty.class.name().into() } else { format!("{}[{}]", ty.class.name(), dims.join(", ")) }
}

fn size_text(func: &Func, size: &Size) -> String {
    size.display_with(&|sym| {
        let data = func.symbols.get(sym);
        let of = |name: &str, a: &Size, b: &Size| format!("{name}({}, {})", size_text(func, a), size_text(func, b));
        match &data.def {
            SymDef::Dim(..) | SymDef::Value(_) => data.name.clone(),
            SymDef::Max(a, b) => of("max", a, b),
            SymDef::Min(a, b) => of("min", a, b),
            SymDef::FloorDiv(a, b) => of("floordiv", a, b),
        }
    })
}

fn unknown_name<'d>(dims: impl Iterator<Item = &'d DimSpec>, names: &BTreeMap<String, Size>) -> Option<&'d str> {
    let mut all = dims.filter_map(|d| if let DimSpec::Named(terms) = d { Some(terms) } else { None });
    all.find_map(|terms| terms.keys().flatten().find(|n| !names.contains_key(*n))).map(String::as_str)
}

/// Whether a declared size agrees with the one found; a new name takes the size that makes it so.
fn fits(declared: &DimSpec, found: &Size, func: &Func, names: &mut BTreeMap<String, Size>) -> bool {
    let DimSpec::Named(terms) = declared else { return true };
    let new: Vec<&String> = terms.keys().flatten().filter(|n| !names.contains_key(*n)).collect();
    let value = |terms: &mut dyn Iterator<Item = (&Vec<String>, &i64)>| {
        terms.fold(Size::default(), |sum, (product, c)| {
            let product =
                product.iter().fold(Size::constant(*c), |p, n| p.mul(names.get(n).unwrap_or(&Size::default())));
            sum.add(&product)
        })
    };
    match new[..] {
        [] => equal(&value(&mut terms.iter()), found, func),
        [name] => {
            let Some(c) = terms.get(&vec![name.clone()]).copied().filter(|c| c.abs() == 1) else { return false };
            let rest = value(&mut terms.iter().filter(|(product, _)| !product.contains(name)));
            let solved = found.sub(&rest).scale(c);
            let name = name.clone();
            names.insert(name, solved);
            true
        }
        _ => false,
    }
}

/// Equal as polynomials; a size that the program keeps from being negative counts as the size before that.
fn equal(declared: &Size, found: &Size, func: &Func) -> bool {
    let clamped = |size: &Size| match size.as_sym().map(|sym| &func.symbols.get(sym).def) {
        Some(SymDef::Max(a, b)) if *b == Size::default() => a == declared,
        Some(SymDef::Max(a, b)) if *a == Size::default() => b == declared,
        _ => false,
    };
    declared == found || clamped(found)
}
