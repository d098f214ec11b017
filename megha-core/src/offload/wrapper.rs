//! The new body of an offloaded function: a call of the generated module with the function's parameters.

use super::ast::{ArrayForm, Function, Param, ParamType, Scalar};
use crate::cpu::Passing;

/// How the parameters reach the generated function.
pub(super) fn passing(function: &Function) -> Vec<Passing> {
    let how = |param: &Param| match param.ty {
        ParamType::Scalar(..) | ParamType::Constant(_) => Passing::Number,
        ParamType::Array { mutable: false, .. } => Passing::Read,
        ParamType::Array { mutable: true, .. } => Passing::Update,
    };
    function.params.iter().map(how).collect()
}

/// The call of the generated module's function `run`, which takes numbers as the IR has them. `class` gives the types of parameters.
pub(super) fn call(function: &Function, class: &dyn Fn(usize) -> Scalar, runtime: &str) -> String {
    let args = function.params.iter().enumerate().map(|(at, param)| argument(param, class(at), runtime));
    let args: Vec<String> = args.collect();
    let call = format!("megha_offload::run({})", args.join(", "));
    if function.fallible {
        let results = results(function, "megha_results");
        return format!("({call}.map(|megha_results| {results}))");
    }
    match &function.results[..] {
        [] => format!("({call})"),
        [scalar] if !scalar.is_whole() => format!("({call})"),
        [_, ..] => format!("{{ let megha_results = {call}; {} }}", results(function, "megha_results")),
    }
}

/// The results as the function's type has them.
fn results(function: &Function, given: &str) -> String {
    match &function.results[..] {
        [] => given.to_owned(),
        [scalar] if scalar.is_whole() => format!("{given} as {}", scalar.name()),
        [_] => given.to_owned(),
        several => {
            let each = several.iter().enumerate().map(|(at, scalar)| match scalar.is_whole() {
                true => format!("{given}.{at} as {}", scalar.name()),
                false => format!("{given}.{at}"),
            });
            let each: Vec<String> = each.collect();
            format!("({})", each.join(", "))
        }
    }
}

fn argument(param: &Param, class: Scalar, runtime: &str) -> String {
    let name = &param.value;
    match param.ty {
        ParamType::Scalar(..) | ParamType::Constant(_) => {
            let value = param.rust(class);
            if class.is_whole() { format!("{value} as i64") } else { value }
        }
        ParamType::Array { rank, mutable: false, form, .. } => {
            let (class, rank) = (class.name(), rank.max(2));
            let array = match form {
                ArrayForm::Ndarray => name.clone(),
                ArrayForm::Slice => format!("{name}[..]"),
            };
            let strided = format!("{runtime}::Input::<{class}, {rank}>::strided(&{array}, {runtime}::Vector::Column)");
            signed(strided, class)
        }
        ParamType::Array { rank, form, .. } => {
            let view = match form {
                ArrayForm::Ndarray => format!("{name}.view_mut()"),
                ArrayForm::Slice => format!("{runtime}::ndarray::ArrayViewMut1::from(&mut {name}[..])"),
            };
            let axis = if rank == 1 { format!(".insert_axis({runtime}::ndarray::Axis(1))") } else { String::new() };
            signed(format!("{runtime}::StridedMut::new({view}{axis})"), class.name())
        }
    }
}

/// Numbers of 64 bits are those with sign in the IR.
fn signed(array: String, class: &str) -> String {
    if matches!(class, "usize" | "u64" | "isize") { format!("{array}.signed()") } else { array }
}
