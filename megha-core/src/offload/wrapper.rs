//! The new body of an offloaded function: a call of the generated module with the function's parameters.

use super::ast::{ArrayForm, Function, Param, ParamType, Scalar};
use super::complex::{is_complex_array, owners};
use crate::cpu::Passing;

/// How the parameters reach the generated function, complex ones by their parts.
pub(super) fn passing(function: &Function, class: &dyn Fn(usize) -> Scalar) -> Vec<Passing> {
    let how = |number: usize| match function.params[number].ty {
        ParamType::Scalar(..) | ParamType::Constant(_) => Passing::Number,
        ParamType::Array { mutable: false, .. } => Passing::Read,
        ParamType::Array { mutable: true, .. } => Passing::Update,
    };
    owners(function, class).into_iter().map(how).collect()
}

/// The call of the generated module's function `run`, which takes numbers as the IR has them. `class` gives the types of parameters.
pub(super) fn call(function: &Function, class: &dyn Fn(usize) -> Scalar, runtime: &str) -> String {
    let each = function.params.iter().enumerate();
    let mut parted: String = each.map(|(at, param)| before(param, at, class(at), runtime)).collect();
    let mut args = Vec::new();
    for (at, param) in function.params.iter().enumerate() {
        let argument = argument(param, at, class(at), runtime);
        match class(at) {
            // An array comes apart once, before the call.
            Scalar::C64 if is_complex_array(param.ty) => {
                parted += &format!("let (megha_re_{at}, megha_im_{at}) = {argument}.parts(); ");
                args.extend([format!("megha_re_{at}"), format!("megha_im_{at}")]);
            }
            Scalar::C64 => args.extend([format!("({argument}).re"), format!("({argument}).im")]),
            _ => args.push(argument),
        }
    }
    let call = format!("megha_offload::run({})", args.join(", "));
    let call = if parted.is_empty() { call } else { format!("{{ {parted}{call} }}") };
    if function.fallible {
        let results = results(function, "megha_results", runtime);
        return format!("({call}.map(|megha_results| {results}))");
    }
    match &function.results[..] {
        [] => format!("({call})"),
        [scalar] if !scalar.is_whole() && *scalar != Scalar::C64 => format!("({call})"),
        [_, ..] => format!("{{ let megha_results = {call}; {} }}", results(function, "megha_results", runtime)),
    }
}

/// The results as the function's type has them, of those that `run` gives: complex ones come as two.
fn results(function: &Function, given: &str, runtime: &str) -> String {
    let count = |scalar: &Scalar| if *scalar == Scalar::C64 { 2 } else { 1 };
    let alone = function.results.iter().map(count).sum::<usize>() == 1;
    let mut next = 0;
    let each = function.results.iter().map(|scalar| {
        let part = |at: usize| if alone { given.to_owned() } else { format!("{given}.{at}") };
        let at = next;
        next += count(scalar);
        match scalar {
            Scalar::C64 => format!("{runtime}::c64::new({}, {})", part(at), part(at + 1)),
            scalar if scalar.is_whole() => format!("{} as {}", part(at), scalar.name()),
            _ => part(at),
        }
    });
    let each: Vec<String> = each.collect();
    match &each[..] {
        [] => given.to_owned(),
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

/// What comes before the call: what lives as long as it, and constants, which may ask an array that the call borrows.
fn before(param: &Param, at: usize, class: Scalar, runtime: &str) -> String {
    match param.ty {
        ParamType::Constant(_) => format!("let megha_constant_{at} = {}; ", param.rust(class)),
        ParamType::Array { rank, mutable: false, form: ArrayForm::Slice, .. } if rank > 1 => {
            format!("let megha_rows_{at} = {runtime}::ndarray::ArrayView2::from(&{}[..]); ", param.value)
        }
        ParamType::Scalar(..) | ParamType::Array { .. } => String::new(),
    }
}

fn argument(param: &Param, at: usize, class: Scalar, runtime: &str) -> String {
    let name = &param.value;
    let element = if class == Scalar::C64 { format!("{runtime}::c64") } else { class.name().to_owned() };
    match param.ty {
        ParamType::Scalar(..) | ParamType::Constant(_) => {
            let value = match param.ty {
                ParamType::Constant(_) => format!("megha_constant_{at}"),
                ParamType::Scalar(..) | ParamType::Array { .. } => param.rust(class),
            };
            if class.is_whole() { format!("{value} as i64") } else { value }
        }
        ParamType::Array { rank, mutable: false, form, .. } => {
            let array = match form {
                ArrayForm::Ndarray => name.clone(),
                ArrayForm::Slice if rank > 1 => format!("megha_rows_{at}"),
                ArrayForm::Slice => format!("{name}[..]"),
            };
            let rank = rank.max(2);
            let strided =
                format!("{runtime}::Input::<{element}, {rank}>::strided(&{array}, {runtime}::Vector::Column)");
            signed(strided, &element)
        }
        ParamType::Array { rank, form, .. } => {
            let view = match form {
                ArrayForm::Ndarray => format!("{name}.view_mut()"),
                ArrayForm::Slice => {
                    format!("{runtime}::ndarray::ArrayViewMut{rank}::from(&mut {name}[..])")
                }
            };
            let axis = if rank == 1 { format!(".insert_axis({runtime}::ndarray::Axis(1))") } else { String::new() };
            signed(format!("{runtime}::StridedMut::new({view}{axis})"), &element)
        }
    }
}

/// Numbers of 64 bits are those with sign in the IR.
fn signed(array: String, class: &str) -> String {
    if matches!(class, "usize" | "u64" | "isize") { format!("{array}.signed()") } else { array }
}
