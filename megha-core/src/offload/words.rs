//! Sizes in the words of the program: messages of failed tests say `a.ncols()` and not the name of a symbol.

use super::ast::{ArrayForm, Function, ParamType};
use super::complex::owners;
use super::types::Types;
use crate::ir::size::SymDef;
use crate::ir::{Func, Op, Region};

/// Puts the messages of a function's tests into the program's words.
pub(super) fn run(func: &mut Func, function: &Function, types: &Types) {
    let owners = owners(function, &|number| types.class(number));
    let sizes: Vec<(String, String)> = func
        .symbols
        .iter()
        .filter_map(|(_, data)| match data.def {
            SymDef::Dim(param, axis) => Some((data.name.clone(), size(function, *owners.get(param)?, axis)?)),
            SymDef::Value(_) | SymDef::Max(..) | SymDef::Min(..) | SymDef::FloorDiv(..) => None,
        })
        .collect();
    let mut body = std::mem::take(&mut func.body);
    region(&mut body, &sizes);
    func.body = body;
}

/// What gives a size of a parameter.
fn size(function: &Function, param: usize, axis: usize) -> Option<String> {
    let param = function.params.get(param)?;
    let name = &param.name.text;
    match param.ty {
        ParamType::Array { rank: 1, .. } | ParamType::Array { form: ArrayForm::Slice, .. } => {
            Some(format!("`{name}.len()`"))
        }
        ParamType::Array { rank: 2, .. } if axis == 0 => Some(format!("`{name}.nrows()`")),
        ParamType::Array { rank: 2, .. } => Some(format!("`{name}.ncols()`")),
        ParamType::Array { .. } => Some(format!("`{name}.shape()[{axis}]`")),
        ParamType::Scalar(..) | ParamType::Constant(_) => None,
    }
}

fn region(region: &mut Region, sizes: &[(String, String)]) {
    for stmt in &mut region.stmts {
        if let Op::Assert(_, check) = &mut stmt.op {
            check.text = in_words(&check.text, sizes);
        }
        stmt.op.regions_mut().into_iter().for_each(|nested| self::region(nested, sizes));
    }
}

/// A text with whole words replaced.
fn in_words(text: &str, sizes: &[(String, String)]) -> String {
    let mut said = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\0']) {
        if c == '_' || c.is_alphanumeric() {
            word.push(c);
            continue;
        }
        said.push_str(sizes.iter().find(|(name, _)| *name == word).map_or(&word, |(_, shown)| shown));
        word.clear();
        if c != '\0' {
            said.push(c);
        }
    }
    said
}
