//! Output, texts, random numbers and the clock.

use super::datum::{Array, Datum, Elements, Scalar};
use super::eval::Machine;
use super::failure::{ErrorKind, Failure, FailureKind, Run};
use super::frame::Frame;
use crate::ir::{Ambient, Class, Look, Op, ShownKind, Stmt, Stream, TextOp, Type, Value};
use megha_base::display::{Kind, Precision, Shown, disp, display};
use megha_base::format::{self, Arg};
use megha_base::{random, text};
use std::io::Write;
use std::time::SystemTime;

/// What programs share beyond their values.
#[derive(Debug, Default)]
pub(super) struct State {
    random: random::Stream,
    /// When the timer was started.
    started: Option<f64>,
}

impl State {
    pub fn new(seed: u64) -> Self {
        Self { random: random::Stream::new(seed), started: None }
    }
}

impl<'m> Machine<'m, '_> {
    /// Carries out an operation on texts, output or state; `None` if it is another one.
    pub fn message(&mut self, frame: &Frame<'m>, stmt: &Stmt) -> Run<Option<Vec<Datum>>> {
        Ok(Some(match &stmt.op {
            Op::Print(Stream::Output, template, args) => self.write(&formatted(frame, template, args)?)?,
            Op::Print(Stream::Error, template, args) => {
                drop(std::io::stderr().write_all(formatted(frame, template, args)?.as_bytes()));
                Vec::new()
            }
            Op::Print(Stream::Warning, template, args) => {
                let text = formatted(frame, template, args)?;
                drop(writeln!(std::io::stderr(), "warning: {text}"));
                Vec::new()
            }
            Op::Display(look, args) => {
                let text = displayed(frame, look, args)?;
                self.write(&text)?
            }
            Op::Raise { identifier, format, args } => {
                let mut failure = Failure::error(ErrorKind::Raised, formatted(frame, format, args)?);
                failure.identifier.clone_from(identifier);
                return Err(failure);
            }
            Op::Text(op, args) => vec![Datum::Text(made(frame, *op, args)?.into())],
            Op::Ambient(op, args) => self.ambient(frame, *op, args)?,
            _ => return Ok(None),
        }))
    }

    fn write(&mut self, text: &str) -> Run<Vec<Datum>> {
        let written = self.out.write_all(text.as_bytes());
        written.map_err(|e| Failure::new(FailureKind::Output, format!("the output failed: {e}")))?;
        Ok(Vec::new())
    }

    fn ambient(&mut self, frame: &Frame<'m>, op: Ambient, args: &[Value]) -> Run<Vec<Datum>> {
        let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64());
        let datum = match op {
            Ambient::Draw => Datum::Scalar(Scalar::Index(self.state.random.next_key())),
            Ambient::Seed => {
                let number = frame.scalar(args[0])?.to_f64();
                self.state.random = random::Stream::new(random::seed_of(number));
                return Ok(Vec::new());
            }
            Ambient::Time | Ambient::CpuTime => Datum::double(now()),
            Ambient::Tic => Datum::double(*self.state.started.insert(now())),
            Ambient::Toc => match self.state.started {
                Some(started) => Datum::double(now() - started),
                None => {
                    let message = "toc was called before tic started the timer";
                    return Err(Failure::error(ErrorKind::Raised, message));
                }
            },
        };
        Ok(vec![datum])
    }
}

/// The text of a format and its arguments.
fn formatted(frame: &Frame<'_>, template: &str, args: &[Value]) -> Run<String> {
    let arrays = args.iter().map(|value| frame.get(*value).map(elements)).collect::<Run<Vec<_>>>()?;
    let arrays: Vec<&[Arg<'_>]> = arrays.iter().map(Vec::as_slice).collect();
    format::format_arrays(template, &arrays).map_err(|e| Failure::malformed(e.to_string()))
}

/// The elements of a datum as arguments of a format.
fn elements(datum: &Datum) -> Vec<Arg<'_>> {
    match datum {
        Datum::Text(text) => vec![Arg::Text(text)],
        datum if datum.numel() == 0 => vec![Arg::Empty],
        datum => (0..datum.numel()).filter_map(|i| datum.get(i)).map(argument).collect(),
    }
}

fn argument<'a>(scalar: Scalar) -> Arg<'a> {
    scalar.to_wide().map_or_else(|| Arg::Float(scalar.to_f64()), Arg::Int)
}

fn displayed(frame: &Frame<'_>, look: &Look, args: &[Value]) -> Run<String> {
    let datum = frame.get(args[0])?;
    let (list, more) = (elements(datum), args.get(1).map(|second| frame.get(*second)).transpose()?.map(elements));
    let more = more.unwrap_or_default();
    let kind = match look.kind {
        ShownKind::Plain => Kind::Plain,
        ShownKind::Range => Kind::Range(frame.scalar(args[1])?.to_f64()),
        ShownKind::Diagonal => Kind::Diagonal,
        ShownKind::Permutation => Kind::Permutation,
        ShownKind::Complex => Kind::Complex(&more),
        ShownKind::Pairs => Kind::Pairs(&more),
    };
    let precision = match (look.long, datum.class()) {
        (false, _) => Precision::SHORT,
        (true, Class::Single) => Precision::LONG_SINGLE,
        (true, _) => Precision::LONG,
    };
    let shown = Shown { dims: datum.dims(), elements: &list, kind, precision };
    Ok(if look.name.is_empty() { disp(&shown) } else { display(&look.name, &shown) })
}

fn made(frame: &Frame<'_>, op: TextOp, args: &[Value]) -> Run<String> {
    let datum = frame.get(args[0])?;
    if matches!(op, TextOp::Format | TextOp::Trimmed) {
        let Datum::Text(template) = datum else { return Err(Failure::malformed("a format is a text")) };
        let text = formatted(frame, template, &args[1..])?;
        return Ok(if op == TextOp::Trimmed { text::trimmed(&text) } else { text });
    }
    let list = elements(datum);
    let parts = if op == TextOp::Pair { 2 } else { 1 };
    let digits = args.get(parts).map(|digits| frame.index(*digits)).transpose()?;
    let digits = digits.map(|digits| usize::try_from(digits).unwrap_or(0));
    Ok(match (op, digits) {
        (TextOp::Matrix, digits) => {
            text::mat2str(datum.dims()[0], &list, digits.unwrap_or(15), datum.class() == Class::Logical)
        }
        (TextOp::Pair, digits) => {
            text::num2str_complex(frame.scalar(args[0])?.to_f64(), frame.scalar(args[1])?.to_f64(), digits)
        }
        (TextOp::Characters, _) => text::characters(&list),
        (_, Some(digits)) => text::num2str_precise(&list, digits),
        (_, None) => text::num2str(&list),
    })
}

/// A row of doubles where the library gives one.
pub(super) fn row(list: Vec<f64>) -> Run<Datum> {
    let dims = [1, list.len()];
    Datum::doubles(&dims, list).ok_or_else(|| Failure::malformed("a row has as many elements as columns"))
}

/// A random order of as many numbers as the type of the result says.
pub(super) fn random_order(frame: &Frame<'_>, key: i64, ty: &Type) -> Run<Datum> {
    let n = frame.dims(ty)?.last().copied().unwrap_or(1);
    row(random::permutation(key, n))
}

/// The six parts of a date.
pub(super) fn date_parts(vector: &Array) -> [f64; 6] {
    let mut parts = [0.0; 6];
    if let Elements::Double(list) = &vector.elements {
        parts.iter_mut().zip(list).for_each(|(part, x)| *part = *x);
    }
    parts
}
