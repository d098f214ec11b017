//! The new body of an offloaded function: a call of the generated module with the function's parameters, and its condition.

use super::ast::{Function, Param, ParamType, Scalar};
use super::whole::Entry;
use crate::cpu::Passing;
use crate::ir::Func;

/// How the parameters reach the generated function.
pub(super) fn passing(function: &Function) -> Vec<Passing> {
    let how = |param: &Param| match param.ty {
        ParamType::Scalar(..) => Passing::Number,
        ParamType::Array { mutable: false, .. } => Passing::Read,
        ParamType::Array { mutable: true, .. } => Passing::Update,
    };
    function.params.iter().map(how).collect()
}

/// The call of the generated module's function `run`, which takes numbers as the IR has them.
pub(super) fn call(function: &Function, runtime: &str) -> String {
    let args: Vec<String> = function.params.iter().map(|param| argument(param, runtime)).collect();
    let call = format!("megha_offload::run({})", args.join(", "));
    match function.result {
        None => format!("({call})"),
        Some(Scalar::Usize) => format!("({call} as usize)"),
        Some(_) => format!("({call})"),
    }
}

/// The condition of the call.
pub(super) fn condition(function: &Function, func: &Func, entry: &Entry) -> Option<String> {
    let is_whole = |param: &Param| matches!(param.ty, ParamType::Scalar(Scalar::Usize | Scalar::I64, _));
    let scalars: Vec<bool> = function.params.iter().map(is_whole).collect();
    entry.condition(func, &scalars).map(|condition| format!("({condition})"))
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
