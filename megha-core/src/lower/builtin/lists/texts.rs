//! Functions of texts that take or give lists of them: `strsplit`, `strjoin`, `strcmp(text, list)`, `ismember`, `strcat`, `upper(list)`.

use super::{list_argument, row_of_results, text_argument};
use crate::diag::Code;
use crate::lower::builtin::{self, Call, Results};
use crate::lower::lists::List;
use crate::lower::text::Piece;
use crate::lower::{Lower, Operand};

/// `strsplit(text, delimiter)`: delimiters in a row are one, unless `'CollapseDelimiters', false` says otherwise.
pub(super) fn split(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 4)?;
    let text = text_argument(lower, &call.args[0], "the text that is split")?;
    let mut delimiters = vec![" ".to_owned()];
    if let Some(arg) = call.args.get(1) {
        delimiters = match lower.expr(arg)? {
            Operand::Text(text) if call.name == "ostrsplit" => text.chars().map(String::from).collect(),
            Operand::Text(text) => vec![text],
            Operand::List(list) => list
                .items
                .iter()
                .filter_map(|item| if let Operand::Text(t) = item { Some(t.clone()) } else { None })
                .collect(),
            _ => {
                return lower.stop(
                    Code::TextValue,
                    arg.span,
                    "the delimiter must be a text that is known when compiling",
                );
            }
        };
    }
    let mut collapse = call.name == "strsplit";
    if let [_, _, option, rest @ ..] = call.args {
        let truth = if call.name == "ostrsplit" { option } else { rest.first().unwrap_or(option) };
        let truth = lower.expr_value(truth)?;
        match lower.constant_of(truth) {
            Some(truth) => collapse = truth != 0.0,
            None => return lower.stop(Code::NotConstant, option.span, "this option must be known when compiling"),
        }
    }
    let mut parts = pieces(&text, &delimiters.iter().map(|d| escaped(d)).collect::<Vec<_>>());
    if collapse {
        let last = parts.len() - 1;
        let inner = parts.into_iter().enumerate();
        parts = inner.filter(|(k, part)| !part.is_empty() || *k == 0 || *k == last).map(|(_, part)| part).collect();
    }
    Ok(vec![Operand::List(parts.into_iter().map(Operand::Text).collect::<Vec<_>>().into())])
}

/// What stands between delimiters, of which the longest counts.
fn pieces(text: &str, delimiters: &[String]) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let found = delimiters.iter().filter(|d| !d.is_empty() && rest.starts_with(d.as_str())).map(String::len).max();
        match found {
            Some(len) => {
                parts.push(String::new());
                rest = &rest[len..];
            }
            None => {
                if let Some(part) = parts.last_mut() {
                    part.push(c);
                }
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    parts
}

/// Escape sequences in single quotes are resolved by `strsplit` and `strjoin`.
fn escaped(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
}

/// `strjoin(c, delimiter)`
pub(super) fn join(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let list = list_argument(lower, &call.args[0])?;
    let delimiter = match call.args.get(1) {
        Some(arg) => escaped(&text_argument(lower, arg, "the delimiter")?),
        None => " ".to_owned(),
    };
    let mut parts: Vec<Operand> = Vec::new();
    for (k, item) in list.items.iter().enumerate() {
        if k > 0 {
            parts.push(Operand::Text(delimiter.clone()));
        }
        parts.push(item.clone());
    }
    if parts.is_empty() {
        return Ok(vec![Operand::Text(String::new())]);
    }
    if parts.iter().all(|part| part.pieces().is_some()) {
        let pieces: Vec<Piece> = parts.iter().filter_map(Operand::pieces).flatten().collect();
        return Ok(vec![Operand::of_pieces(pieces)]);
    }
    lower.character_brackets(&parts, call.span).map(|text| vec![text])
}

/// `strcmp(text, list)`, `strcmp(list, list)`: element by element.
pub(super) fn compared(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (least, most) = if call.name.starts_with("strn") { (3, 3) } else { (2, 2) };
    call.arity(lower, least, most)?;
    let operands = [lower.expr(&call.args[0])?, lower.expr(&call.args[1])?];
    let lists: Vec<&List> =
        operands.iter().filter_map(|o| if let Operand::List(list) = o { Some(list) } else { None }).collect();
    let longest = lists.iter().max_by_key(|list| list.len()).map_or_else(List::default, |list| (*list).clone());
    if lists.iter().any(|list| list.len() != longest.len() && list.len() != 1) {
        return Ok(lower.known(false));
    }
    let mut truths = Vec::new();
    for k in 0..longest.len() {
        let pair = operands.iter().map(|operand| match operand {
            Operand::List(list) => list.items[if list.len() == 1 { 0 } else { k }].clone(),
            operand => operand.clone(),
        });
        let mut args = lower.under_names(&call.args[0], pair.collect());
        args.extend(call.args[2..].iter().cloned());
        match builtin::call(lower, call.name, &args, call.span, 1)?.pop() {
            Some(Operand::Value(truth)) => truths.push(truth),
            _ => return lower.cells_refused(call.span),
        }
    }
    let items = truths.into_iter().map(Operand::Value).collect();
    row_of_results(lower, items, longest.column, call).map(|row| vec![row])
}

/// `[tf, at] = ismember(text, list)`
pub(super) fn member(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, 2)?;
    let list = list_argument(lower, &call.args[1])?;
    let wanted = text_argument(lower, &call.args[0], "what is looked for in a list")?;
    let mut place = 0;
    for (k, item) in list.items.iter().enumerate() {
        match item {
            Operand::Text(text) if *text == wanted && place == 0 => place = k + 1,
            Operand::Text(_) => {}
            _ => {
                return lower.stop(
                    Code::TextValue,
                    call.span,
                    "the list must hold texts that are known when compiling",
                );
            }
        }
    }
    let (truth, place) = (lower.truth_constant(place > 0), lower.number(place as f64));
    Ok(vec![Operand::Value(truth), Operand::Value(place)])
}

/// `upper(c)` and its kin: of each element.
pub(super) fn of_each(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let [first, further @ ..] = call.args else { return call.arity(lower, 1, 3).map(|()| Vec::new()) };
    let list = list_argument(lower, first)?;
    let mut items = Vec::new();
    for item in list.items {
        let args = [lower.under_names(first, vec![item]), further.to_vec()].concat();
        items.extend(builtin::call(lower, call.name, &args, call.span, 1)?.into_iter().take(1));
    }
    if call.name == "str2double" {
        return row_of_results(lower, items, list.column, call).map(|row| vec![row]);
    }
    Ok(vec![Operand::List(List { items, column: list.column })])
}

/// `strcat(c, text)`: texts are put before or behind each element.
pub(super) fn strcat(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let operands = lower.arguments(call.args)?;
    let len = operands
        .iter()
        .filter_map(|o| if let Operand::List(list) = o { Some(list.len()) } else { None })
        .max()
        .unwrap_or(0);
    let column = operands.iter().any(|o| matches!(o, Operand::List(list) if list.column));
    let mut items = Vec::new();
    for k in 0..len {
        let mut pieces = Vec::new();
        for operand in &operands {
            let one = match operand {
                Operand::List(list) => list.items.get(if list.len() == 1 { 0 } else { k }),
                operand => Some(operand),
            };
            let in_list = matches!(operand, Operand::List(_));
            match (one.and_then(Operand::pieces), one) {
                (_, Some(Operand::Text(text))) if !in_list => pieces.push(Piece::Text(text.trim_end().to_owned())),
                (Some(more), _) => pieces.extend(more),
                (None, _) => return lower.cells_refused(call.span),
            }
        }
        items.push(Operand::of_pieces(pieces));
    }
    Ok(vec![Operand::List(List { items, column })])
}
