//! The new body of an offloaded function: the generated module, and a call of it with the function's parameters.

use super::ast::{Function, Param, ParamType, Scalar};
use crate::cpu::Passing;

/// How the parameters reach the generated function.
pub(super) fn passing(function: &Function) -> Vec<Passing> {
    let how = |param: &Param| match param.ty {
        ParamType::Scalar(..) => Passing::Number,
        ParamType::Array { mutable: false, .. } => Passing::Read,
        ParamType::Array { mutable: true, .. } => Passing::Update,
    };
    function.params.iter().map(how).collect()
}

/// The body around the code of the module, whose function `run` takes numbers as the IR has them.
pub(super) fn body(function: &Function, runtime: &str, code: &str) -> String {
    let args: Vec<String> = function.params.iter().map(|param| argument(param, runtime)).collect();
    let call = format!("megha_offload::run({})", args.join(", "));
    let value = match function.result {
        None => format!("{call};"),
        Some(Scalar::Usize) => format!("{call} as usize"),
        Some(_) => call,
    };
    format!("{{\n{code}{value}\n}}")
}

fn argument(param: &Param, runtime: &str) -> String {
    let name = &param.name.text;
    match param.ty {
        ParamType::Scalar(Scalar::Usize, _) => format!("{name} as i64"),
        ParamType::Scalar(..) => name.clone(),
        ParamType::Array { class, rank, mutable: false } => {
            let (class, rank) = (class.name(), rank.max(2));
            format!("{runtime}::Input::<{class}, {rank}>::strided(&{name}, {runtime}::Vector::Column)")
        }
        ParamType::Array { rank: 1, .. } => {
            let axis = format!("{runtime}::ndarray::Axis(1)");
            format!("{runtime}::StridedMut::new({name}.view_mut().insert_axis({axis}))")
        }
        ParamType::Array { .. } => format!("{runtime}::StridedMut::new({name}.view_mut())"),
    }
}
