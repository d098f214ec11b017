//! What the usual form of a function assumes of its arguments.

use crate::ir::{Condition, Func, Quantity, SymDef, Version};

/// `N` a whole number, `n >= 1`; and what happens otherwise.
pub(super) fn assumed(func: &Func, version: &Version) -> Vec<(String, String)> {
    let name = |param: usize| func.params[param].name.clone();
    let names: Vec<String> = version.assumes.whole.iter().map(|param| name(*param)).collect();
    let mut rows = Vec::new();
    if !names.is_empty() {
        rows.push((names.join(", "), if names.len() == 1 { "is whole" } else { "are whole" }.to_owned()));
    }
    let orders = version.assumes.conditions.iter().map(|condition| order(func, condition));
    rows.extend(orders);
    rows.push((
        "otherwise".into(),
        "a form for all arguments, in which stores may enlarge arrays, runs instead".into(),
    ));
    rows
}

/// `1 + 2*n`, `>= m`: what is added on the left, what is taken away on the right.
fn order(func: &Func, condition: &Condition) -> (String, String) {
    let side = |sign: i64| {
        let terms = condition.terms.iter().filter(|(_, factor)| factor.signum() == sign).map(|(quantity, factor)| {
            let name = quantity_name(func, quantity);
            if factor.abs() == 1 { name } else { format!("{}*{name}", factor.abs()) }
        });
        let constant = (condition.constant.signum() == sign).then(|| condition.constant.abs().to_string());
        let parts: Vec<String> = terms.chain(constant).collect();
        if parts.is_empty() { "0".to_owned() } else { parts.join(" + ") }
    };
    (side(1), format!(">= {}", side(-1)))
}

fn quantity_name(func: &Func, quantity: &Quantity) -> String {
    match *quantity {
        Quantity::Number(param) => func.params[param].name.clone(),
        Quantity::Extent(param, axis) => {
            let symbol = func.symbols.iter().find(|(_, data)| data.def == SymDef::Dim(param, axis));
            symbol.map_or_else(
                || format!("size({}, {})", func.params[param].name, axis + 1),
                |(_, data)| data.name.clone(),
            )
        }
    }
}
