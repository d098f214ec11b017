//! `disp` and the display of a statement without `;`, as GNU Octave 7.3 prints in its default `format short`.
//!
//! Five significant digits decide the decimals: those that the largest and those that the smallest magnitude need. Numbers
//! that would take too wide a field so are written with an exponent. Lines hold 80 columns; a matrix that is wider
//! is split. A range that was never changed into a matrix has its own, slightly wider, fields, for which the limit of
//! the range counts, not its last element. (Where one matrix holds numbers below 1e-30 and large ones, Octave writes powers of ten
//! without their zeros; here they keep the common form.)

use crate::format::Arg;
use std::fmt::Write;

/// Significant digits of `format short`.
const PRECISION: i32 = 5;
/// Fields of fractions are narrower than this; the sign and the point count.
const WIDEST: i32 = 10;
/// Blanks between columns.
const GAP: usize = 2;
/// Columns of a line.
const LINE: usize = 80;

/// An array (or scalar) to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// Sizes; none for a scalar.
    pub dims: &'a [usize],
    /// The elements, columns first, all of one kind.
    pub elements: &'a [Arg<'a>],
    /// For a range its limit as written.
    pub limit: Option<f64>,
}

/// What `name = ..` without `;` prints.
pub fn display(name: &str, shown: &Shown<'_>) -> String {
    match shown.elements {
        [] | [_] => format!("{name} = {}", disp(shown)),
        _ => format!("{name} =\n\n{}\n", disp(shown)),
    }
}

/// What `disp` prints.
pub fn disp(shown: &Shown<'_>) -> String {
    match shown.elements {
        [] | [Arg::Empty] => {
            let dims: Vec<String> = shown.dims.iter().map(usize::to_string).collect();
            format!("[]({})\n", dims.join("x"))
        }
        [Arg::Text(text)] => format!("{text}\n"),
        [one] => scalar(*one) + "\n",
        _ => pages(shown),
    }
}

fn scalar(element: Arg<'_>) -> String {
    match element {
        Arg::Float(x) => real_scalar(x).element(x),
        Arg::Int(i) => i.to_string(),
        Arg::Text(text) => text.to_owned(),
        Arg::Empty => String::new(),
    }
}

/// The matrices of which an array consists, each under its subscripts.
fn pages(shown: &Shown<'_>) -> String {
    let (rows, columns) = (shown.dims[0], shown.dims[1]);
    let page = rows * columns;
    let field_of_all = whole_field(shown.elements);
    let mut texts = Vec::new();
    for (number, elements) in shown.elements.chunks(page).enumerate() {
        let field = field_of_all.unwrap_or_else(|| real_field(elements, shown.limit));
        if shown.dims.len() == 2 {
            return matrix(elements, rows, columns, field);
        }
        let subscripts = subscripts(&shown.dims[2..], number);
        texts.push(match elements {
            [one] => format!("ans(:,:,{subscripts}) = {}\n", scalar(*one)),
            _ => format!("ans(:,:,{subscripts}) =\n\n{}", matrix(elements, rows, columns, field)),
        });
    }
    texts.join(if page == 1 { "" } else { "\n" })
}

/// The subscripts of a page, from one.
fn subscripts(dims: &[usize], mut number: usize) -> String {
    let mut texts = Vec::new();
    for dim in dims {
        texts.push((number % dim + 1).to_string());
        number /= dim;
    }
    texts.join(",")
}

/// How the numbers of a column are written.
#[derive(Debug, Clone, Copy)]
struct Field {
    width: usize,
    form: Form,
}

#[derive(Debug, Clone, Copy)]
enum Form {
    /// As many decimals.
    Fixed(usize),
    /// Four decimals and an exponent.
    Exponential,
}

impl Field {
    fn element(&self, x: f64) -> String {
        match self.form {
            _ if x.is_nan() => "NaN".to_owned(),
            _ if x.is_infinite() => (if x > 0.0 { "Inf" } else { "-Inf" }).to_owned(),
            // Also the negative zero.
            _ if x == 0.0 => "0".to_owned(),
            Form::Fixed(decimals) => format!("{x:.decimals$}"),
            Form::Exponential => exponential(x),
        }
    }
}

fn exponential(x: f64) -> String {
    let text = format!("{x:.*e}", PRECISION as usize - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}

/// The number of digits before the point; zero or less for fractions below a tenth.
fn digits(x: f64) -> i32 {
    if x == 0.0 { 0 } else { x.abs().log10().floor() as i32 + 1 }
}

/// Digits before and after the point that show a number of so many `digits`.
fn places(digits: i32) -> (i32, i32) {
    let before = digits.max(1);
    let after = match digits {
        0 => PRECISION - 1,
        d if d < PRECISION => PRECISION - d,
        _ => PRECISION,
    };
    (before, after)
}

fn is_whole(x: f64) -> bool {
    !x.is_finite() || x.fract() == 0.0
}

fn real_scalar(x: f64) -> Field {
    let digits = if x.is_finite() { digits(x) } else { 0 };
    let form = match places(digits) {
        _ if is_whole(x) && digits <= PRECISION + 2 => Form::Fixed(0),
        (before, after) if !is_whole(x) && 2 + before + after < WIDEST => Form::Fixed(after as usize),
        _ => Form::Exponential,
    };
    Field { width: 0, form }
}

/// The field of integer classes and logicals; `None` for floating point. It is one for all pages.
fn whole_field(elements: &[Arg<'_>]) -> Option<Field> {
    let mut width = 0;
    let mut sign = 0;
    for element in elements {
        let Arg::Int(i) = element else { return None };
        // Octave counts no digit for zero, which matters only where a line is split.
        width = width.max(if *i == 0 { 0 } else { i.unsigned_abs().to_string().len() });
        sign |= usize::from(*i < 0);
    }
    Some(Field { width: width + sign, form: Form::Fixed(0) })
}

/// The largest and the smallest magnitude decide; for a range those of its two ends.
fn real_field(elements: &[Arg<'_>], limit: Option<f64>) -> Field {
    let numbers = || elements.iter().map(|e| if let Arg::Float(x) = e { *x } else { 0.0 });
    let finite = || numbers().filter(|x| x.is_finite());
    let (large, small) = match (limit, numbers().next()) {
        (Some(limit), Some(base)) => (digits(limit.max(base)), digits(limit.min(base))),
        _ => {
            let large = finite().map(f64::abs).fold(0.0, f64::max);
            let small = finite().map(f64::abs).fold(f64::INFINITY, f64::min);
            (digits(large), digits(if small.is_finite() { small } else { 0.0 }))
        }
    };
    let special = numbers().any(|x| !x.is_finite());
    let whole = numbers().all(is_whole);
    let (width, form) = if whole {
        let most = large.max(small);
        (1 + most.max(1), if most <= PRECISION + 1 { Form::Fixed(0) } else { Form::Exponential })
    } else {
        let ((a, b), (c, d)) = (places(large), places(small));
        let (before, after) = (a.max(c), b.max(d));
        let width = 2 + before + after;
        (width, if width < WIDEST { Form::Fixed(after as usize) } else { Form::Exponential })
    };
    let range = limit.is_some();
    let width = match form {
        Form::Exponential if large.max(small) > 100 || large.min(small) < -98 => 12,
        Form::Exponential => 11,
        Form::Fixed(_) if special => width.max(if whole { 4 } else { 0 }) as usize,
        Form::Fixed(_) => width as usize,
    };
    let wider = range && (!whole || matches!(form, Form::Exponential));
    Field { width: width + usize::from(wider), form }
}

fn matrix(elements: &[Arg<'_>], rows: usize, columns: usize, field: Field) -> String {
    let total = columns * (field.width + GAP);
    let most = if total <= LINE { columns } else { (LINE / (field.width + GAP)).max(1) };
    let mut out = String::new();
    for first in (0..columns).step_by(most) {
        let last = (first + most).min(columns);
        if most < columns {
            out += if first == 0 { "" } else { "\n" };
            heading(&mut out, first + 1, last);
        }
        for row in 0..rows {
            (first..last).for_each(|column| cell(&mut out, elements[column * rows + row], field));
            out.push('\n');
        }
    }
    out
}

fn heading(out: &mut String, first: usize, last: usize) {
    let done = match last - first {
        0 => write!(out, " Column {first}:\n\n"),
        1 => write!(out, " Columns {first} and {last}:\n\n"),
        _ => write!(out, " Columns {first} through {last}:\n\n"),
    };
    done.unwrap_or_default();
}

fn cell(out: &mut String, element: Arg<'_>, field: Field) {
    let text = match element {
        Arg::Float(x) => field.element(x),
        element => scalar(element),
    };
    write!(out, "{:GAP$}{text:>width$}", "", width = field.width).unwrap_or_default();
}

#[cfg(test)]
mod tests;
