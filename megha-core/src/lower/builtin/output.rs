//! Output: `fprintf`, `disp`, the display of statements without `;`, warnings.

use super::error::{message_as_it_is, without_identifier};
use super::{Call, Handler, Results};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Class, Look, Op, ShownKind, Stream, TextOp, Value};
use crate::lower::control::Flow;
use crate::lower::env::Handle;
use crate::lower::facts::Stored;
use crate::lower::text::{Piece, template};
use crate::lower::{Lower, Lowered, NumberFormat, Operand};
use crate::matlab::ast::{Expr, ExprKind, Param, Quote};
use crate::matlab::print_expression;
use crate::source::Span;
use megha_base::format;

pub(super) const NAMES: &[&str] = &[
    "fprintf", "printf", "disp", "display", "warning", "sprintf", "stdout", "stderr", "fflush", "fdisp", "puts",
    "fputs", "format",
];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "fprintf" | "printf" => print,
        "puts" | "fputs" => put,
        "disp" | "fdisp" => disp,
        "display" => |lower, call| {
            call.arity(lower, 1, 1)?;
            let operand = lower.expr(&call.args[0])?;
            let name = if let ExprKind::Ident(name) = &call.args[0].kind { name } else { "" };
            lower.display(name, &operand, call.span)?;
            Ok(Vec::new())
        },
        "warning" => warning,
        "sprintf" => |lower, call| {
            let message = format_of(lower, call.args, call.span)?;
            Ok(vec![message.made(lower)])
        },
        "stdout" | "stderr" => |lower, call| {
            let number = if call.name == "stdout" { 1.0 } else { 2.0 };
            super::value(lower.number(number))
        },
        "fflush" => |_, _| Ok(Vec::new()),
        "format" => |lower, call| {
            let word = |arg: &Expr| if let ExprKind::Str { text, .. } = &arg.kind { Some(text.clone()) } else { None };
            let Some(words) = call.args.iter().map(word).collect::<Option<Vec<String>>>() else {
                return lower.stop(Code::NotConstant, call.span, "the words of `format` must be known when compiling");
            };
            lower.set_number_format(&words, call.span)?;
            Ok(Vec::new())
        },
        _ => return None,
    })
}

/// A checked format and the values for it.
pub(super) struct Message {
    pub format: String,
    pub values: Vec<Value>,
    /// All arguments are known: the text.
    pub known: Option<String>,
}

impl Message {
    /// The text that it makes, to be used in other messages.
    fn made(self, lower: &mut Lower<'_>) -> Operand {
        match self.known {
            Some(text) => Operand::Text(text),
            None => {
                let format = lower.text_constant(&self.format);
                let made = lower.make_text(TextOp::Format, [vec![format], self.values].concat());
                Operand::Message(vec![Piece::Made(made)])
            }
        }
    }
}

/// A format and its arguments.
pub(super) fn format_of(lower: &mut Lower<'_>, args: &[Expr], span: Span) -> Lowered<Message> {
    let Some((first, rest)) = args.split_first() else {
        return lower.stop(Code::ArgumentCount, span, "a message is missing");
    };
    let mut operand = lower.expr(first)?;
    if let Operand::Value(v) = operand
        && lower.facts(v).characters
    {
        operand = Operand::Message(vec![Piece::Made(lower.characters_text(v, first.span)?)]);
    }
    let Some(pieces) = operand.pieces() else {
        return lower.stop(Code::TextValue, first.span, "the format must be a text");
    };
    let double = matches!(&first.kind, ExprKind::Str { quote: Quote::Double, .. });
    let (format, mut values) = as_format(&pieces, double);
    let takes = match format::check(&format) {
        Ok(takes) => takes,
        Err(error) => return lower.stop(Code::BadFormat, first.span, error.message),
    };
    let before = lower.here(span);
    let made = values.len();
    let mut texts = Vec::new();
    for arg in rest {
        values.push(argument(lower, arg, &mut texts)?);
    }
    lower.builder.set_loc(before);
    if made > 0 && !rest.is_empty() {
        let once = values.len() == takes && values.iter().all(|v| lower.is_scalar(*v));
        if !once {
            return lower.report(
                Diagnostic::error(
                    Code::TextValue,
                    first.span,
                    "a format that is made at run time is used several times",
                )
                .help("pass the numbers in it as arguments: fprintf('%s: %d\\n', num2str(a), b)"),
            );
        }
        let args = values.split_off(made);
        return Ok(Message { format, values: interleaved(pieces, args), known: None });
    }
    let known = known(lower, &format, &values, &texts);
    Ok(Message { format, values, known })
}

/// A piece of a format is read as a format; escapes were resolved already if it was written in double quotes.
fn as_format(pieces: &[Piece], double: bool) -> (String, Vec<Value>) {
    let (mut format, mut values) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Text(text) if double => format += text,
            Piece::Text(text) => format += &format::unescape(text),
            Piece::Made(value) => {
                format += "%s";
                values.push(*value);
            }
        }
    }
    (format, values)
}

/// Arguments and made pieces of a format in the order in which it takes them.
fn interleaved(pieces: Vec<Piece>, args: Vec<Value>) -> Vec<Value> {
    let mut args = args.into_iter();
    let mut values = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Made(value) => values.push(value),
            Piece::Text(text) => values.extend(args.by_ref().take(format::check(&text).unwrap_or(0))),
        }
    }
    values
}

/// An argument of a format as a value; constant texts are noted.
fn argument(lower: &mut Lower<'_>, arg: &Expr, texts: &mut Vec<(Value, String)>) -> Lowered<Value> {
    let operand = lower.expr(arg)?;
    match (&operand, operand.pieces()) {
        // A format takes the characters of several rows columns first.
        (Operand::Value(value), _) if lower.facts(*value).characters => {
            Ok(lower.make_text(TextOp::Characters, vec![*value]))
        }
        // Octave writes the real part under some conversions and fails under others.
        (Operand::Value(value), _) if lower.is_complex(*value) => {
            lower.not_for_complex("a format", "print real(..) and imag(..), or num2str(..) of a number", arg.span)
        }
        (Operand::Value(value), _) => Ok(*value),
        (_, Some(pieces)) => {
            let value = lower.text_value(&pieces);
            if let Operand::Text(text) = operand {
                texts.push((value, text));
            }
            Ok(value)
        }
        _ => lower.stop(Code::FunctionValue, arg.span, "a function cannot be printed"),
    }
}

/// The text, if all arguments are known numbers and texts.
fn known(lower: &Lower<'_>, template: &str, values: &[Value], texts: &[(Value, String)]) -> Option<String> {
    let mut args = Vec::new();
    for value in values {
        let text = texts.iter().find(|(v, _)| v == value);
        let number = lower.constant_of(*value).filter(|_| lower.is_scalar(*value));
        args.push(match (text, number) {
            (Some((_, text)), _) => format::Arg::Text(text),
            (None, Some(c)) if lower.class(*value).is_float() => format::Arg::Float(c),
            (None, Some(c)) if c.abs() < 2f64.powi(53) => format::Arg::Int(c as i128),
            _ => return None,
        });
    }
    format::format(template, &args).ok()
}

/// Arguments without a leading 1 or 2, which is the standard output or error.
fn without_stream<'e>(lower: &mut Lower<'_>, args: &'e [Expr]) -> Lowered<(Stream, &'e [Expr])> {
    let [first, rest @ ..] = args else { return Ok((Stream::Output, args)) };
    let number = match &first.kind {
        ExprKind::Number { value, imaginary: false } => Some(*value),
        ExprKind::Ident(name) if name == "stdout" && !lower.env.contains(name) => Some(1.0),
        ExprKind::Ident(name) if name == "stderr" && !lower.env.contains(name) => Some(2.0),
        ExprKind::Ident(name) => match lower.env.get(name) {
            Some(crate::lower::env::Binding::Is(Operand::Value(v))) => lower.constant_of(*v),
            _ => None,
        },
        _ => None,
    };
    match number {
        Some(1.0) if !rest.is_empty() => Ok((Stream::Output, rest)),
        Some(2.0) if !rest.is_empty() => Ok((Stream::Error, rest)),
        _ => Ok((Stream::Output, args)),
    }
}

fn print(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (stream, args) =
        if call.name == "printf" { (Stream::Output, call.args) } else { without_stream(lower, call.args)? };
    let message = format_of(lower, args, call.span)?;
    emit(lower, Op::Print(stream, message.format, message.values), call.span)
}

fn emit(lower: &mut Lower<'_>, op: Op, span: Span) -> Results {
    let before = lower.here(span);
    lower.builder.effect(op);
    lower.builder.set_loc(before);
    Ok(Vec::new())
}

/// `puts(text)`: as it is.
fn put(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (stream, args) = without_stream(lower, call.args)?;
    let [arg] = args else { return lower.stop(Code::ArgumentCount, call.span, "one text is expected") };
    let Some(pieces) = lower.expr(arg)?.pieces() else {
        return lower.stop(Code::TextValue, arg.span, "this is not a text");
    };
    let (format, values) = template(&pieces);
    emit(lower, Op::Print(stream, format, values), call.span)
}

fn disp(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (_, args) = if call.name == "fdisp" { without_stream(lower, call.args)? } else { (Stream::Output, call.args) };
    let [arg] = args else {
        return lower.stop(Code::ArgumentCount, call.span, format!("`{}` takes 1 argument", call.name));
    };
    let operand = lower.expr(arg)?;
    lower.display("", &operand, call.span)?;
    Ok(Vec::new())
}

/// `warning(format, ..)`, `warning(id, format, ..)`; switching warnings on and off has no effect.
fn warning(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let switch = match call.args.first().map(|a| &a.kind) {
        Some(ExprKind::Str { text, .. }) => matches!(text.as_str(), "on" | "off" | "error" | "query"),
        Some(_) => false,
        None => call.wanted > 0,
    };
    if switch {
        // Which warnings are shown changes nothing here: the state is the text that warns of nothing, so it may be set again.
        return Ok(vec![Operand::Text(String::new()); call.wanted.min(1)]);
    }
    if let Some((format, values)) = message_as_it_is(lower, call.args)? {
        if format.is_empty() && values.is_empty() {
            return Ok(Vec::new());
        }
        return emit(lower, Op::Print(Stream::Warning, format, values), call.span);
    }
    let (_, args) = without_identifier(call.args);
    let message = format_of(lower, args, call.span)?;
    emit(lower, Op::Print(Stream::Warning, message.format, message.values), call.span)
}

impl Lower<'_> {
    /// Displays the value of a statement that does not end in `;` under its name; without a name as `disp` does.
    pub fn display(&mut self, name: &str, operand: &Operand, span: Span) -> Lowered<()> {
        if let Operand::Chosen(chosen) = operand {
            let way = |operand: &Operand| {
                let operand = operand.clone();
                move |this: &mut Self| this.display(name, &operand, span).map(|()| Flow::Through)
            };
            return self.branch(chosen.cond, &mut way(&chosen.then), &mut way(&chosen.els), span).map(|_| ());
        }
        let title = if name.is_empty() { String::new() } else { format!("{name} = ") };
        let op = match (operand, operand.pieces()) {
            (_, Some(pieces)) => {
                let (format, values) = template(&pieces);
                Op::Print(Stream::Output, format!("{title}{format}\n"), values)
            }
            (Operand::Value(v), _) if self.facts(*v).characters && !self.lies_in_one_row(*v) => {
                if name.is_empty() {
                    return self.print_rows(*v, span);
                }
                emit(self, Op::Print(Stream::Output, format!("{name} =\n\n"), Vec::new()), span)?;
                self.print_rows(*v, span)?;
                Op::Print(Stream::Output, "\n".to_owned(), Vec::new())
            }
            (Operand::Value(v), _) if self.facts(*v).characters => {
                let text = self.characters_text(*v, span)?;
                Op::Print(Stream::Output, format!("{title}%s\n"), vec![text])
            }
            (Operand::Value(v), _) => {
                let array = self.in_octave_sizes(*v);
                self.displayed(name, array, span)?
            }
            (Operand::Function(handle), _) => {
                let text = shown(handle, name).replace('%', "%%");
                Op::Print(Stream::Output, text, Vec::new())
            }
            (Operand::List(_), _) => return self.cells_refused(span),
            (Operand::Struct(_), _) => return self.struct_refused(span),
            _ => return Ok(()),
        };
        emit(self, op, span)?;
        Ok(())
    }
}

impl Lower<'_> {
    /// The display of a number or array.
    fn displayed(&mut self, name: &str, value: Value, span: Span) -> Lowered<Op> {
        let facts = self.facts(value);
        let (kind, args) = match (facts.limit, self.is_complex(value)) {
            (_, true) => {
                let (re, im) = self.parts(value);
                (if facts.paired { ShownKind::Pairs } else { ShownKind::Complex }, vec![re, im])
            }
            (Some(limit), _) => (ShownKind::Range, vec![value, limit]),
            (None, _) => {
                let kind = match facts.stored {
                    Stored::Full => ShownKind::Plain,
                    Stored::Diagonal => ShownKind::Diagonal,
                    Stored::Permutation => ShownKind::Permutation,
                };
                (kind, vec![value])
            }
        };
        let fractions = matches!(self.class(value), Class::Double | Class::Single | Class::Complex);
        let long = match &self.number_format {
            NumberFormat::Short => false,
            NumberFormat::Long => true,
            NumberFormat::Other(_) if !fractions => false,
            NumberFormat::Other(words) => {
                let message = format!("the display of numbers in `format {words}` is not supported");
                return self.report(
                    Diagnostic::error(Code::Unsupported, span, message)
                        .help("use format short or format long, or print the numbers with fprintf"),
                );
            }
        };
        Ok(Op::Display(Look { name: name.to_owned(), long, kind }, args))
    }
}

/// A function value as Octave displays it.
fn shown(handle: &Handle, name: &str) -> String {
    match handle {
        Handle::Named(function) if name.is_empty() => format!("@{}\n", function.text),
        Handle::Named(function) => format!("{name} = @{}\n", function.text),
        Handle::Anonymous { .. } => {
            let text = function_text(handle);
            if name.is_empty() { format!("{text}\n") } else { format!("{name} =\n\n{text}\n\n") }
        }
    }
}

/// A function value as `func2str` writes it.
pub(super) fn function_text(handle: &Handle) -> String {
    match handle {
        Handle::Named(function) => function.text.clone(),
        Handle::Anonymous { params, body, .. } => {
            let names: Vec<&str> =
                params.iter().map(|p| if let Param::Named(name) = p { name.text.as_str() } else { "~" }).collect();
            format!("@({}) {}", names.join(", "), print_expression(body))
        }
    }
}
