//! Functions of texts. Those of known texts are computed here; `num2str` and its kin of numbers make pieces of messages.

use super::{Call, Handler, Results, value};
use crate::diag::Code;
use crate::ir::{Class, Size, TextOp, Unary, Value};
use crate::lower::text::Piece;
use crate::lower::{Lower, Lowered, Operand};
use crate::matlab::ast::Expr;
use crate::source::Span;

pub(super) const NAMES: &[&str] = &[
    "strcmp",
    "strcmpi",
    "strncmp",
    "strncmpi",
    "upper",
    "lower",
    "toupper",
    "tolower",
    "strtrim",
    "deblank",
    "strcat",
    "strrep",
    "num2str",
    "int2str",
    "mat2str",
    "ischar",
    "isa",
    "class",
    "char",
    "strvcat",
    "blanks",
    "str2double",
    "str2num",
    "hex2dec",
    "bin2dec",
];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "strcmp" | "strcmpi" | "strncmp" | "strncmpi" => compare,
        "upper" | "toupper" => |l, c| mapped(l, c, str::to_uppercase, "upper_codes"),
        "lower" | "tolower" => |l, c| mapped(l, c, str::to_lowercase, "lower_codes"),
        "deblank" => |l, c| mapped(l, c, |t| megha_base::text::deblanked(t).to_owned(), "deblanked_codes"),
        "strtrim" => |l, c| mapped(l, c, megha_base::text::trimmed, "trimmed_codes"),
        "strcat" => joined,
        "strrep" => replaced,
        "num2str" => num2str,
        "int2str" => int2str,
        "mat2str" => mat2str,
        "ischar" => is_char,
        "class" => class,
        "isa" => is_a,
        "char" => character,
        "strvcat" => rows_filled,
        "blanks" => blanks,
        "str2double" | "str2num" => parsed,
        "hex2dec" | "bin2dec" => digits_of_base,
        _ => return None,
    })
}

/// A text that is known when compiling.
fn known(lower: &mut Lower<'_>, arg: &Expr) -> Lowered<String> {
    match lower.expr(arg)? {
        Operand::Text(text) => Ok(text),
        Operand::Message(_) => lower.message_refused(arg.span),
        _ => lower.stop(Code::TextValue, arg.span, "a text is expected here"),
    }
}

/// `strcmp` and its kin; something that is no text equals no text.
fn compare(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let counted = call.name.starts_with("strn");
    let arity = if counted { 3 } else { 2 };
    call.arity(lower, arity, arity)?;
    let (a, b) = (lower.expr(&call.args[0])?, lower.expr(&call.args[1])?);
    let count = match call.args.get(2) {
        Some(arg) => {
            let n = lower.expr_value(arg)?;
            Some(lower.known_whole(n, "the number of characters", arg.span)?)
        }
        None => None,
    };
    let (Operand::Text(a), Operand::Text(b)) = (&a, &b) else {
        return compare_codes(lower, call, (&a, &b), count);
    };
    let [a, b] = if call.name.ends_with('i') { [a.to_lowercase(), b.to_lowercase()] } else { [a.clone(), b.clone()] };
    let equal = match count {
        Some(n) => {
            let n = usize::try_from(n).unwrap_or(0);
            let long = a.chars().count() >= n && b.chars().count() >= n;
            long && a.chars().take(n).eq(b.chars().take(n))
        }
        None => a == b,
    };
    Ok(lower.known(equal))
}

/// A function of one text: of a known one computed here, of characters by the prelude's `inner`.
fn mapped(lower: &mut Lower<'_>, call: &Call<'_>, f: impl Fn(&str) -> String, inner: &str) -> Results {
    call.arity(lower, 1, 1)?;
    let operand = lower.expr(&call.args[0])?;
    if let Operand::Text(text) = &operand {
        return Ok(vec![Operand::Text(f(text))]);
    }
    if let Operand::Value(number) = operand
        && !lower.facts(number).characters
    {
        // Numbers have no letters and stay what they are.
        return value(number);
    }
    let codes = characters(lower, &operand, call.args[0].span)?;
    let mapped = lower.call_inner_value(inner, vec![codes], call.span)?;
    value(lower.as_characters(mapped))
}

/// The codes of a text.
fn characters(lower: &mut Lower<'_>, operand: &Operand, span: Span) -> Lowered<Value> {
    match lower.characters_of(operand, span)? {
        Some(codes) => Ok(codes),
        None => lower.stop(Code::TextValue, span, "a text is expected here"),
    }
}

/// `strcat`: blanks at the end of each argument go.
fn joined(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let mut pieces = Vec::new();
    for arg in call.args {
        match lower.expr(arg)? {
            Operand::Text(text) => pieces.push(Piece::Text(text.trim_end_matches([' ', '\t', '\n', '\0']).to_owned())),
            Operand::Message(more) => pieces.extend(more),
            Operand::Value(codes) if lower.facts(codes).characters => {
                let codes = lower.call_inner_value("deblanked_codes", vec![codes], arg.span)?;
                let codes = lower.as_characters(codes);
                pieces.push(Piece::Made(lower.characters_text(codes, arg.span)?));
            }
            _ => return lower.stop(Code::TextValue, arg.span, "a text is expected here"),
        }
    }
    Ok(vec![Operand::of_pieces(pieces)])
}

/// The same where one of the two is not known when compiling.
fn compare_codes(lower: &mut Lower<'_>, call: &Call<'_>, (a, b): (&Operand, &Operand), count: Option<i64>) -> Results {
    let codes = [lower.characters_of(a, call.args[0].span)?, lower.characters_of(b, call.args[1].span)?];
    let [Some(mut a), Some(mut b)] = codes else { return Ok(lower.known(false)) };
    if call.name.ends_with('i') {
        a = lower.call_inner_value("lower_codes", vec![a], call.span)?;
        b = lower.call_inner_value("lower_codes", vec![b], call.span)?;
    }
    let equal = match count {
        Some(n) => {
            let n = lower.number(n as f64);
            lower.call_inner_value("same_start", vec![a, b, n], call.span)?
        }
        None => lower.call_inner_value("isequal", vec![a, b], call.span)?,
    };
    value(lower.truth(equal, call.span)?)
}

fn replaced(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 3, 3)?;
    let [text, from, to] = [0, 1, 2].map(|i| known(lower, &call.args[i]));
    let (text, from) = (text?, from?);
    let text = if from.is_empty() { text } else { text.replace(&from, &to?) };
    Ok(vec![Operand::Text(text)])
}

fn is_row(lower: &Lower<'_>, v: Value) -> bool {
    let ty = lower.builder.func.ty(v);
    ty.is_scalar() || (ty.dims.len() == 2 && ty.dims[0].is_one())
}

fn several_rows(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let name = call.name;
    let message = format!("`{name}` of a matrix is a text of several rows, which is not supported; print it with disp");
    lower.stop(Code::TextValue, call.span, message)
}

/// A number or a row of numbers as a piece of a message; folded if it is known.
fn made(lower: &mut Lower<'_>, v: Value, digits: Option<i64>, call: &Call<'_>) -> Results {
    if !is_row(lower, v) {
        return several_rows(lower, call);
    }
    if let (Some(c), true) = (lower.constant_of(v), lower.class(v).is_float()) {
        let arg = [megha_base::format::Arg::Float(c)];
        let text = match digits {
            Some(digits) => megha_base::text::num2str_precise(&arg, digits as usize),
            None => megha_base::text::num2str(&arg),
        };
        return Ok(vec![Operand::Text(text)]);
    }
    let before = lower.here(call.span);
    let mut args = vec![v];
    args.extend(digits.map(|digits| lower.builder.int(digits)));
    let text = lower.make_text(TextOp::Number, args);
    lower.builder.set_loc(before);
    Ok(vec![Operand::Message(vec![Piece::Made(text)])])
}

/// `num2str(x)`, `num2str(x, digits)`, `num2str(x, format)`
fn num2str(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let operand = lower.expr(&call.args[0])?;
    if operand.pieces().is_some() {
        return Ok(vec![operand]);
    }
    let Operand::Value(v) = operand else {
        return lower.stop(Code::FunctionValue, call.span, "a function has no digits");
    };
    if lower.is_complex(v) {
        return complex_num2str(lower, v, call);
    }
    let Some(second) = call.args.get(1) else { return made(lower, v, None, call) };
    match lower.expr(second)? {
        Operand::Text(format) => by_format(lower, v, &megha_base::format::unescape(&format), call),
        Operand::Value(digits) => {
            let digits = lower.known_whole(digits, "the number of digits", second.span)?;
            made(lower, v, Some(digits.clamp(0, 100)), call)
        }
        _ => lower.stop(Code::TextValue, second.span, "a number of digits or a format is expected here"),
    }
}

/// `num2str(x, format)`: the format is used for one number after the other, and blanks around the whole go.
fn by_format(lower: &mut Lower<'_>, v: Value, format: &str, call: &Call<'_>) -> Results {
    if let Err(error) = megha_base::format::check(format) {
        return lower.stop(Code::BadFormat, call.args[1].span, error.message);
    }
    // Of several numbers each would begin a row.
    let lines = if lower.is_scalar(v) { format.trim().contains('\n') } else { format.contains('\n') };
    if lines || !is_row(lower, v) {
        return several_rows(lower, call);
    }
    let before = lower.here(call.span);
    let format = lower.text_constant(format);
    let text = lower.make_text(TextOp::Trimmed, vec![format, v]);
    lower.builder.set_loc(before);
    Ok(vec![Operand::Message(vec![Piece::Made(text)])])
}

/// `num2str(z)`, `num2str(z, digits)` of a complex number. One that Octave narrows is written as a real one.
fn complex_num2str(lower: &mut Lower<'_>, z: Value, call: &Call<'_>) -> Results {
    if !lower.is_scalar(z) {
        return lower.not_for_complex("`num2str` of an array", "use disp, or num2str of each number", call.span);
    }
    let mut args = Vec::from(<[Value; 2]>::from(lower.parts(z)));
    if let Some(digits) = call.args.get(1) {
        let number = lower.expr_value(digits)?;
        let digits = lower.known_whole(number, "the number of digits", digits.span)?;
        args.push(lower.builder.int(digits.clamp(0, 100)));
    }
    let text = lower.make_text(TextOp::Pair, args);
    Ok(vec![Operand::Message(vec![Piece::Made(text)])])
}

fn int2str(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let operand = lower.expr(&call.args[0])?;
    if class_of(lower, &operand) == "char" {
        return Ok(vec![operand]);
    }
    let v = lower.operand_value(operand, call.args[0].span)?;
    let v = lower.convert_number(v);
    let rounded = lower.unary(Unary::Round, v, call.span)?;
    made(lower, rounded, None, call)
}

fn mat2str(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let operand = lower.expr(&call.args[0])?;
    if class_of(lower, &operand) == "char" {
        return lower.stop(
            Code::TextValue,
            call.args[0].span,
            "`mat2str` writes numbers; a text can be printed as it is",
        );
    }
    let v = lower.operand_value(operand, call.args[0].span)?;
    if lower.builder.func.ty(v).dims.len() > 2 {
        return lower.stop(Code::NotMatrix, call.span, "`mat2str` writes matrices");
    }
    let digits = match call.args.get(1) {
        Some(arg) => {
            let digits = lower.expr_value(arg)?;
            lower.known_whole(digits, "the number of digits", arg.span)?
        }
        None => 15,
    };
    let before = lower.here(call.span);
    let digits = lower.builder.int(digits.clamp(0, 100));
    let text = lower.make_text(TextOp::Matrix, vec![v, digits]);
    lower.builder.set_loc(before);
    Ok(vec![Operand::Message(vec![Piece::Made(text)])])
}

fn class_of(lower: &Lower<'_>, operand: &Operand) -> &'static str {
    match operand {
        Operand::Value(v) => lower.class_name(*v),
        Operand::Text(_) | Operand::Message(_) => "char",
        Operand::Function(_) => "function_handle",
        Operand::List(_) => "cell",
        Operand::Struct(_) => "struct",
        Operand::Chosen(chosen) => class_of(lower, &chosen.then),
    }
}

fn class(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let operand = lower.expr(&call.args[0])?;
    lower.class_is_settled(&operand, call.args[0].span)?;
    Ok(vec![Operand::Text(class_of(lower, &operand).to_owned())])
}

fn is_char(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let operand = lower.expr(&call.args[0])?;
    let is = class_of(lower, &operand) == "char";
    Ok(lower.known(is))
}

fn is_a(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, 2)?;
    let operand = lower.expr(&call.args[0])?;
    lower.class_is_settled(&operand, call.args[0].span)?;
    let (is, asked) = (class_of(lower, &operand), known(lower, &call.args[1])?);
    let class = Class::from_matlab_name(is);
    let (float, integer) = (class.is_some_and(Class::is_float), class.is_some_and(Class::is_integer));
    let holds = match asked.as_str() {
        "numeric" => float || integer,
        "float" => float,
        "integer" => integer,
        name => name == is,
    };
    Ok(lower.known(holds))
}

/// `char(code)`: a text if the code is known, else numbers that print as characters. `char(a, b, ..)`: rows below each other.
fn character(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, usize::MAX)?;
    if call.args.len() > 1 {
        return rows_filled(lower, call);
    }
    let operand = lower.expr(&call.args[0])?;
    let Operand::Value(v) = operand else { return Ok(vec![operand]) };
    let code = lower.constant_of(v).filter(|c| lower.is_scalar(v) && c.fract() == 0.0 && *c >= 0.0);
    if let Some(c) = code.and_then(|c| char::from_u32(c as u32)) {
        return Ok(vec![Operand::Text(c.to_string())]);
    }
    let facts = lower.facts(v);
    let codes = if facts.integral && facts.nonnegative || facts.characters {
        // A copy of its own, so that the numbers themselves stay numbers.
        let zero = lower.number(0.0);
        lower.binary(crate::ir::Binary::Add, v, zero, "`char`", call.span)?
    } else {
        lower.call_inner_value("rounded_codes", vec![v], call.span)?
    };
    value(lower.as_characters(codes))
}

/// `char(a, b, ..)`, `strvcat(a, b, ..)`: the second leaves out empty texts.
fn rows_filled(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, usize::MAX)?;
    let mut all: Option<Value> = None;
    for arg in call.args {
        let operand = lower.expr(arg)?;
        let mut codes = characters(lower, &operand, arg.span)?;
        if let Operand::Text(text) = &operand
            && text.is_empty()
        {
            if call.name == "strvcat" {
                continue;
            }
            codes = lower.filled(0.0, Class::Double, vec![Size::constant(1), Size::constant(0)]);
        }
        all = Some(match all {
            Some(above) => lower.call_inner_value("rows_filled", vec![above, codes], call.span)?,
            None => codes,
        });
    }
    let Some(codes) = all else { return Ok(vec![Operand::Text(String::new())]) };
    value(lower.as_characters(codes))
}

fn blanks(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let n = lower.expr_value(&call.args[0])?;
    let n = lower.known_whole(n, "the number of blanks", call.span)?;
    Ok(vec![Operand::Text(" ".repeat(usize::try_from(n).unwrap_or(0).min(10_000)))])
}

/// `str2double`: the number that a text says.
fn parsed(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let operand = lower.expr(&call.args[0])?;
    let Operand::Text(text) = operand else {
        let codes = characters(lower, &operand, call.args[0].span)?;
        return value(lower.call_inner_value("numbers_said", vec![codes], call.span)?);
    };
    let plain = text.trim().replace(['d', 'D'], "e");
    let number =
        plain.parse::<f64>().ok().filter(|_| plain.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)));
    match (number, call.name) {
        (Some(number), _) => value(lower.number(number)),
        (None, "str2double") => value(lower.number(f64::NAN)),
        _ => lower.stop(Code::Eval, call.span, "`str2num` evaluates a text; write the number itself"),
    }
}

/// `hex2dec`, `bin2dec`: the whole number that digits say, of each row.
fn digits_of_base(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let base = if call.name == "hex2dec" { 16 } else { 2 };
    let operand = lower.expr(&call.args[0])?;
    let Operand::Text(text) = operand else {
        let codes = characters(lower, &operand, call.args[0].span)?;
        let base = lower.number(f64::from(base));
        return value(lower.call_inner_value("whole_said", vec![codes, base], call.span)?);
    };
    if text.is_empty() {
        return value(lower.filled(0.0, Class::Double, vec![Size::constant(0), Size::constant(1)]));
    }
    let digits = text.chars().filter(|c| *c != ' ').map(|c| c.to_digit(base));
    let number = digits.collect::<Option<Vec<u32>>>();
    let say = |digits: Vec<u32>| digits.into_iter().fold(0.0, |n, digit| n * f64::from(base) + f64::from(digit));
    value(lower.number(number.map_or(f64::NAN, say)))
}
