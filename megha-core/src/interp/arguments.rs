//! What goes into a function and what comes out.

use super::datum::{Array, Datum, Elements, Scalar};
use super::failure::{ErrorKind, Failure, FailureKind, Run};
use super::frame::{Frame, shape};
use crate::ir::size::SymDef;
use crate::ir::{Param, Type, Version};
use std::sync::Arc;

/// Checks arguments against the parameters, and gives them the form that their types ask for (a 1-by-1 array for a scalar
/// parameter becomes a scalar, and the other way round).
pub(super) fn accept(frame: &Frame<'_>, args: Vec<Datum>) -> Run<Vec<Datum>> {
    let params = &frame.func.params;
    if params.len() != args.len() {
        let message = format!("{} arguments are needed, {} are given", params.len(), args.len());
        return Err(Failure::error(ErrorKind::Argument, message));
    }
    let mut accepted = Vec::with_capacity(args.len());
    for (param, arg) in params.iter().zip(args) {
        let ty = frame.func.ty(param.value);
        let arg = formed(arg, ty);
        frame.check_type(&arg, ty, &|| param.name.clone()).map_err(|_| wrong_type(frame, param, &arg))?;
        facts(param, &arg)?;
        accepted.push(arg);
    }
    for (sym, data) in frame.func.symbols.iter() {
        if let SymDef::Dim(..) = data.def {
            frame.check_bounds(sym).map_err(|e| Failure::error(ErrorKind::Argument, e.message))?;
        }
    }
    Ok(accepted)
}

/// Whether arguments are such that a version's assumptions hold.
pub(super) fn fit(version: &Version, args: &[Datum]) -> bool {
    let extent = |param: usize, axis: usize| match args.get(param)? {
        Datum::Array(array) => i64::try_from(array.dim(axis)).ok(),
        Datum::Scalar(_) => Some(1),
        Datum::Text(_) => None,
    };
    let number = |param: usize| match args.get(param)? {
        Datum::Scalar(scalar) => Some(scalar.to_f64()),
        Datum::Array(array) if array.elements.len() == 1 => array.elements.get(0).map(|scalar| scalar.to_f64()),
        Datum::Array(_) | Datum::Text(_) => None,
    };
    version.assumes.holds(&extent, &number)
}

fn formed(arg: Datum, ty: &Type) -> Datum {
    match (&arg, ty.is_scalar()) {
        (Datum::Array(array), true) if array.elements.len() == 1 => match array.elements.get(0) {
            Some(scalar) => Datum::Scalar(scalar),
            None => arg,
        },
        (Datum::Scalar(scalar), false) => one_by_one(*scalar).unwrap_or(arg),
        _ => arg,
    }
}

/// A scalar as an array.
fn one_by_one(scalar: Scalar) -> Option<Datum> {
    let mut elements = Elements::zeros(scalar.class(), 1)?;
    let set = elements.set(0, scalar);
    set.then(|| Array::new(vec![1, 1], elements).map(|a| Datum::Array(Arc::new(a)))).flatten()
}

fn wrong_type(frame: &Frame<'_>, param: &Param, arg: &Datum) -> Failure {
    let ty = frame.func.ty(param.value);
    let sizes: Vec<String> = ty.dims.iter().map(|d| frame.func.symbols.show(d)).collect();
    let wanted = if ty.is_scalar() { "a scalar".to_owned() } else { format!("({})", sizes.join(",")) };
    let actual: Vec<String> = match frame.dims(ty) {
        Ok(dims) if !ty.is_scalar() => vec![format!(", which is {} here", shape(&dims))],
        _ => Vec::new(),
    };
    let message = format!(
        "argument `{}` is {} of class {}, but must be {wanted} of class {}{}",
        param.name,
        shape(arg.dims()),
        arg.class().matlab_name(),
        ty.class.matlab_name(),
        actual.concat(),
    );
    Failure::error(ErrorKind::Argument, message)
}

fn facts(param: &Param, arg: &Datum) -> Run<()> {
    let facts = param.facts;
    let Datum::Scalar(scalar) = arg else { return Ok(()) };
    let value = scalar.to_f64();
    let fail = |must: String| {
        let message = format!("argument `{}` is {value}, but must be {must}", param.name);
        Err(Failure::error(ErrorKind::Argument, message))
    };
    if facts.integer && !(value.is_finite() && value.fract() == 0.0) {
        return fail("a whole number".into());
    }
    // A NaN satisfies no bound.
    match (facts.at_least, facts.at_most) {
        (Some(least), _) if value.is_nan() || value < least as f64 => fail(format!("at least {least}")),
        (_, Some(most)) if value.is_nan() || value > most as f64 => fail(format!("at most {most}")),
        _ => Ok(()),
    }
}

/// Checks the results of a function against its head.
pub(super) fn check_results(frame: &Frame<'_>, results: &[Datum]) -> Run<()> {
    let types = &frame.func.results;
    if types.len() != results.len() {
        let message = format!("{} values are returned as {} results", results.len(), types.len());
        return Err(Failure::malformed(message));
    }
    for (i, (ty, datum)) in types.iter().zip(results).enumerate() {
        let name = frame.func.result_names.get(i).map_or("result", String::as_str);
        match frame.check_type(datum, ty, &|| name.to_owned()) {
            // A size that is computed inside a region is not known here.
            Err(failure) if failure.kind == FailureKind::Internal(super::InternalKind::Undefined) => {}
            checked => checked?,
        }
    }
    Ok(())
}
