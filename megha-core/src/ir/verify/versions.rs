//! Versions of functions: the two forms of one are alike from outside.

use super::{Rule, Violation};
use crate::ir::{Class, Func, Loc, Module, Quantity, Type, Version};

/// What is wrong with the versions of a module whose tables are in order.
pub(super) fn check(module: &Module) -> Vec<Violation> {
    module.versions.iter().filter_map(|version| violation(module, version)).collect()
}

fn violation(module: &Module, version: &Version) -> Option<Violation> {
    let say = |func: &str, rule, message: &str| {
        Some(Violation { rule, func: func.to_owned(), stmt: None, loc: Loc::NONE, message: message.to_owned() })
    };
    let find = |id: crate::ir::FuncId| module.funcs.get(id.index());
    let (Some(func), Some(general)) = (find(version.func), find(version.general)) else {
        return say("", Rule::Table, "a version is of a function that does not exist");
    };
    if module.versions.iter().any(|other| other.func == version.general) {
        return say(&func.name, Rule::Table, "the general form of a function has a general form itself");
    }
    let alike = |ours: Vec<&Type>, theirs: Vec<&Type>| {
        ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|(a, b)| a.class == b.class && a.dims.len() == b.dims.len())
    };
    fn params(func: &Func) -> Vec<&Type> {
        func.params.iter().map(|p| func.ty(p.value)).collect()
    }
    if !alike(params(func), params(general)) || !alike(func.results.iter().collect(), general.results.iter().collect())
    {
        return say(&func.name, Rule::Class, "the general form of a function has other parameters or results");
    }
    let is_number =
        |param: usize| params(func).get(param).is_some_and(|ty| ty.is_scalar() && ty.class == Class::Double);
    let fits = |quantity: &Quantity| match *quantity {
        Quantity::Extent(param, axis) => params(func).get(param).is_some_and(|ty| axis < ty.dims.len()),
        Quantity::Number(param) => version.assumes.whole.contains(&param),
    };
    let mut quantities = version.assumes.conditions.iter().flat_map(|c| &c.terms);
    if !version.assumes.whole.iter().all(|p| is_number(*p)) || !quantities.all(|(quantity, _)| fits(quantity)) {
        return say(&func.name, Rule::Arity, "a version assumes something of no parameter");
    }
    None
}
