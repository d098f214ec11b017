//! `disp` and the display of a statement without `;`, as GNU Octave 7.3 prints in `format short` and `format long`.
//!
//! Five (or sixteen) significant digits decide the decimals: those that the largest and those that the smallest magnitude need.
//! Numbers that would take too wide a field so are written with an exponent (`field`). Lines hold 80 columns; a matrix that is
//! wider is split. A range that was never changed into a matrix has its own, slightly wider, fields, for which the limit of
//! the range counts, not its last element. A matrix whose elements are whole in single precision is written as whole numbers.

mod complex;
mod field;

use crate::format::Arg;
use crate::memory;
use field::Field;
pub use field::Precision;
use std::fmt::Write;

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
    /// What the array is beyond its elements.
    pub kind: Kind<'a>,
    /// The digits of floating-point numbers.
    pub precision: Precision,
}

/// What an array is beyond its elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind<'a> {
    /// Nothing.
    Plain,
    /// A range with this limit as written.
    Range(f64),
    /// A matrix that Octave stores as its diagonal.
    Diagonal,
    /// A matrix that Octave stores as an order of rows.
    Permutation,
    /// Complex numbers with these imaginary parts: real ones if all of the parts are zero.
    Complex(&'a [Arg<'a>]),
    /// Complex numbers with these imaginary parts, whatever they are: results of `complex(..)`.
    Pairs(&'a [Arg<'a>]),
}

/// What `name = ..` without `;` prints.
pub fn display(name: &str, shown: &Shown<'_>) -> String {
    match shown.elements {
        [] | [_] => format!("{name} = {}", text(shown)),
        _ => format!("{name} =\n\n{}\n", text(shown)),
    }
}

/// What `disp` prints.
pub fn disp(shown: &Shown<'_>) -> String {
    text(shown)
}

/// The elements.
fn text(shown: &Shown<'_>) -> String {
    match (shown.elements, shown.imaginary()) {
        ([] | [Arg::Empty], _) => {
            let dims: Vec<String> = shown.dims.iter().map(usize::to_string).collect();
            format!("[]({})\n", dims.join("x"))
        }
        ([Arg::Text(text)], _) => format!("{text}\n"),
        ([re], Some([im])) => complex::scalar(float(*re), float(*im), shown.precision) + "\n",
        ([one], _) => scalar(*one, shown.precision) + "\n",
        _ => pages(shown),
    }
}

impl<'a> Shown<'a> {
    /// The imaginary parts, where they are shown.
    fn imaginary(&self) -> Option<&'a [Arg<'a>]> {
        match self.kind {
            Kind::Complex(imag) if imag.iter().any(|x| float(*x) != 0.0) => Some(imag),
            Kind::Pairs(imag) => Some(imag),
            _ => None,
        }
    }
}

fn float(element: Arg<'_>) -> f64 {
    if let Arg::Float(x) = element { x } else { 0.0 }
}

fn scalar(element: Arg<'_>, precision: Precision) -> String {
    match element {
        Arg::Float(x) => Field::of_scalar(x, precision).element(x),
        Arg::Int(i) => i.to_string(),
        Arg::Text(text) => text.to_owned(),
        Arg::Empty => String::new(),
    }
}

/// The elements of a matrix as they are written.
struct Cells {
    texts: Vec<String>,
    /// Columns of a line that an element takes.
    width: usize,
}

impl Cells {
    fn of(elements: &[Arg<'_>], field: Field) -> Self {
        let text = |element: &Arg<'_>| match element {
            Arg::Float(x) => field.element(*x),
            element => scalar(*element, Precision::SHORT),
        };
        let padded = |element| format!("{:GAP$}{:>width$}", "", text(element), width = field.width);
        Self { texts: memory::gathered(elements.iter().map(padded)), width: field.width + GAP }
    }
}

/// About as much memory as the text of an element takes.
const TEXT: usize = 48;

/// The matrices of which an array consists, each under its subscripts.
fn pages(shown: &Shown<'_>) -> String {
    let (rows, columns) = (shown.dims[0], shown.dims[1]);
    let page = rows * columns;
    // Each element is a short text of its own, which cannot be refused: there is room for all and for what they are put together to.
    memory::tested(shown.elements.len() * 2 * TEXT);
    let field_of_all = Field::of_integers(shown.elements);
    let limit = if let Kind::Range(limit) = shown.kind { Some(limit) } else { None };
    let mut texts = Vec::new();
    for (number, elements) in shown.elements.chunks(page).enumerate() {
        let imag = shown.imaginary().map(|imag| &imag[number * page..(number + 1) * page]);
        let cells = match imag {
            Some(imag) => complex::cells(elements, imag, shown.precision),
            None => {
                let decisive =
                    if shown.kind == Kind::Diagonal { diagonal(elements, rows) } else { memory::copied(elements) };
                let field = field_of_all.unwrap_or_else(|| Field::of_matrix(&decisive, limit, shown.precision));
                Cells::of(elements, field)
            }
        };
        if shown.dims.len() == 2 {
            let heading = match shown.kind {
                Kind::Diagonal => "Diagonal Matrix\n\n",
                Kind::Permutation => "Permutation Matrix\n\n",
                _ => "",
            };
            return heading.to_owned() + &matrix(&cells, rows, columns);
        }
        let subscripts = subscripts(&shown.dims[2..], number);
        let one = match (elements, imag) {
            ([re], Some([im])) => Some(complex::scalar(float(*re), float(*im), shown.precision)),
            ([one], _) => Some(scalar(*one, shown.precision)),
            _ => None,
        };
        texts.push(match one {
            Some(one) => format!("ans(:,:,{subscripts}) = {one}\n"),
            None => format!("ans(:,:,{subscripts}) =\n\n{}", matrix(&cells, rows, columns)),
        });
    }
    texts.join(if page == 1 { "" } else { "\n" })
}

/// The elements of a matrix of so many rows that have equal subscripts.
fn diagonal<'a>(elements: &[Arg<'a>], rows: usize) -> Vec<Arg<'a>> {
    let columns = elements.len() / rows;
    (0..rows.min(columns)).map(|k| elements[k * (rows + 1)]).collect()
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

fn matrix(cells: &Cells, rows: usize, columns: usize) -> String {
    let most = if columns * cells.width <= LINE { columns } else { (LINE / cells.width).max(1) };
    let mut out = memory::text(cells.width * rows * columns);
    for first in (0..columns).step_by(most) {
        let last = (first + most).min(columns);
        if most < columns {
            out += if first == 0 { "" } else { "\n" };
            heading(&mut out, first + 1, last);
        }
        for row in 0..rows {
            (first..last).for_each(|column| out += &cells.texts[column * rows + row]);
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

#[cfg(test)]
mod tests;
