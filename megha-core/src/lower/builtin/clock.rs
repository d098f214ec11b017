//! The clock. Times are read while the program runs; dates are in UTC.

use super::{Call, Handler, Results, value};
use crate::ir::{Ambient, Binary, Class, Lib, Op, Size, Stream, Type, Value};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered};
use crate::source::Span;

pub(super) const NAMES: &[&str] = &["tic", "toc", "time", "now", "cputime", "clock", "etime"];

/// Days from the beginning of MATLAB's calendar to 1970.
const DAYS_TO_1970: f64 = 719_529.0;

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "tic" => tic,
        "toc" => toc,
        "time" => |lower, call| value(read(lower, Ambient::Time, call.span)),
        "cputime" => |lower, call| value(read(lower, Ambient::CpuTime, call.span)),
        "now" => |lower, call| {
            let seconds = read(lower, Ambient::Time, call.span);
            let days = scaled(lower, seconds, 1.0 / 86400.0, call)?;
            let start = lower.number(DAYS_TO_1970);
            value(lower.binary(Binary::Add, days, start, "`now`", call.span)?)
        },
        "clock" => |lower, call| {
            let seconds = read(lower, Ambient::Time, call.span);
            let ty = Type::array(Class::Double, vec![Size::constant(1), Size::constant(6)]);
            value(lower.emit(Op::Lib(Lib::DateVector, vec![seconds]), ty, Lower::counting()))
        },
        "etime" => etime,
        _ => return None,
    })
}

fn read(lower: &mut Lower<'_>, what: Ambient, span: Span) -> Value {
    let before = lower.here(span);
    let facts = Facts { nonnegative: true, ..Facts::default() };
    let time = lower.emit(Op::Ambient(what, Vec::new()), Type::scalar(Class::Double), facts);
    lower.builder.set_loc(before);
    time
}

fn scaled(lower: &mut Lower<'_>, v: Value, by: f64, call: &Call<'_>) -> Lowered<Value> {
    let by = lower.number(by);
    lower.binary(Binary::Mul, v, by, call.name, call.span)
}

/// `tic`, `id = tic`: the id is the time in microseconds.
fn tic(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 0, 0)?;
    if call.wanted == 0 {
        read(lower, Ambient::Tic, call.span);
        return Ok(Vec::new());
    }
    let seconds = read(lower, Ambient::Time, call.span);
    let micros = scaled(lower, seconds, 1e6, call)?;
    value(lower.convert(micros, Class::UInt64))
}

/// `toc` prints, `t = toc` and `t = toc(id)` give the seconds.
fn toc(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 0, 1)?;
    let elapsed = match call.args.first() {
        None => read(lower, Ambient::Toc, call.span),
        Some(id) => {
            let id = lower.expr_value(id)?;
            let micros = lower.convert(id, Class::Double);
            let started = scaled(lower, micros, 1e-6, call)?;
            let now = read(lower, Ambient::Time, call.span);
            lower.binary(Binary::Sub, now, started, "`toc`", call.span)?
        }
    };
    if call.wanted > 0 {
        return value(elapsed);
    }
    lower.builder.effect(Op::Print(Stream::Output, "Elapsed time is %g seconds.\n".into(), vec![elapsed]));
    Ok(Vec::new())
}

/// `etime(t1, t0)`: seconds from the second of two results of `clock` to the first.
fn etime(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, 2)?;
    let mut seconds = Vec::new();
    for (vector, arg) in call.values(lower)?.into_iter().zip(call.args) {
        let six = lower.builder.func.ty(vector).numel().as_constant() == Some(6);
        if !six || lower.class(vector) != Class::Double {
            return lower.stop(crate::diag::Code::SizeMismatch, arg.span, "a date has six parts, as clock gives them");
        }
        seconds.push(lower.emit(
            Op::Lib(Lib::DateSeconds, vec![vector]),
            Type::scalar(Class::Double),
            Facts::default(),
        ));
    }
    value(lower.binary(Binary::Sub, seconds[0], seconds[1], "`etime`", call.span)?)
}
