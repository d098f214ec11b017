//! Numbers as texts: `num2str`, `mat2str`, `int2str`, by the rules of GNU Octave 7.3.

use crate::format::{Arg, format};
use crate::memory;

/// What counts as blank.
const BLANK: [char; 7] = [' ', '\t', '\n', '\r', '\0', '\x0b', '\x0c'];

/// `num2str` of the elements of a row: whole numbers in full, others with at least five significant digits. Texts stay as they are.
pub fn num2str(row: &[Arg<'_>]) -> String {
    if let [Arg::Text(text)] = row {
        return memory::same_text(text);
    }
    let numbers = || row.iter().map(|e| number(*e));
    let finite = || numbers().filter(|x| x.is_finite());
    let largest = finite().map(f64::abs).fold(0.0, f64::max);
    let digits = if largest == 0.0 { 0 } else { largest.log10().floor() as i64 };
    let whole = row.iter().all(|e| matches!(e, Arg::Int(_)));
    if !whole && (digits > 15 || finite().any(|x| x.fract() != 0.0)) {
        let significant = (digits + 5).clamp(5, 16);
        return each(row, &format!("%{}.{significant}g", significant + 7));
    }
    let special = if numbers().all(f64::is_finite) { 0 } else { 5 };
    let width = (digits + 3).max(special);
    each(row, &if whole { format!("%{width}d") } else { format!("%{width}.0f") })
}

/// `num2str` of the elements of a row with so many significant digits.
pub fn num2str_precise(row: &[Arg<'_>], precision: usize) -> String {
    match row.iter().all(|e| matches!(e, Arg::Int(_))) {
        true => each(row, &format!("%{precision}d")),
        false => each(row, &format!("%{}.{precision}g", precision + 7)),
    }
}

/// `num2str` of a complex number, with so many significant digits if they are given. Without an imaginary part it is a real one.
pub fn num2str_complex(re: f64, im: f64, precision: Option<usize>) -> String {
    let parts = [re, im];
    let finite = || parts.iter().filter(|x| x.is_finite());
    let template = match precision {
        _ if im == 0.0 => {
            let real = [Arg::Float(re)];
            return precision.map_or_else(|| num2str(&real), |digits| num2str_precise(&real, digits));
        }
        Some(precision) => format!("%.{precision}g%+.{precision}gi"),
        None if finite().count() == 2 && parts.iter().any(|x| x.fract() != 0.0) => {
            let largest = finite().fold(0.0, |most: f64, x| most.max(x.abs()));
            let significant = (largest.log10().floor() as i64 + 5).clamp(5, 16);
            format!("%.{significant}g%+.{significant}gi")
        }
        None => "%.0f%+.0fi".to_owned(),
    };
    each(&parts.map(Arg::Float), &template)
}

/// `mat2str` of a matrix of so many rows, elements columns first, with so many significant digits.
pub fn mat2str(rows: usize, elements: &[Arg<'_>], precision: usize, logical: bool) -> String {
    let element = |e: &Arg<'_>| match e {
        Arg::Int(i) if logical => (*i != 0).to_string(),
        e => each(&[*e], &format!("%.{precision}g")),
    };
    match elements {
        [] | [Arg::Empty] => return "[]".to_owned(),
        [one] => return element(one),
        _ => {}
    }
    let mut text = memory::same_text("[");
    for row in 0..rows {
        memory::append(&mut text, if row == 0 { "" } else { ";" });
        for (column, one) in elements[row..].iter().step_by(rows).map(element).enumerate() {
            memory::append(&mut text, if column == 0 { "" } else { " " });
            memory::append(&mut text, &one);
        }
    }
    memory::append(&mut text, "]");
    text
}

/// A text without the blanks around it, as `strtrim` has it.
pub fn trimmed(text: &str) -> String {
    memory::same_text(deblanked(text).trim_start_matches(BLANK))
}

/// A text without the blanks behind it, as `deblank` has it.
pub fn deblanked(text: &str) -> &str {
    text.trim_end_matches(BLANK)
}

/// The codes of a text's characters.
pub fn codes(text: &str) -> Vec<f64> {
    memory::gathered(text.chars().map(|c| f64::from(u32::from(c))))
}

/// The text of these characters' codes.
pub fn characters(codes: &[Arg<'_>]) -> String {
    let code = |element: &Arg<'_>| char::from_u32(number(*element) as u32).unwrap_or('\u{fffd}');
    memory::characters(codes.iter().filter(|e| **e != Arg::Empty).map(code))
}

fn number(element: Arg<'_>) -> f64 {
    match element {
        Arg::Float(x) => x,
        Arg::Int(i) => i as f64,
        Arg::Text(_) | Arg::Empty => 0.0,
    }
}

/// The elements one after the other, without blanks around the whole.
fn each(row: &[Arg<'_>], template: &str) -> String {
    memory::same_text(format(template, row).unwrap_or_default().trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(row: &[f64]) -> Vec<Arg<'static>> {
        row.iter().map(|x| Arg::Float(*x)).collect()
    }

    #[test]
    fn numbers_as_octave_writes_them() {
        let cases: &[(&[f64], &str)] = &[
            (&[5.0], "5"),
            (&[1e10], "10000000000"),
            (&[1e20], "1e+20"),
            (&[123456789.123], "123456789.123"),
            (&[1.23456789e-7], "1.2346e-07"),
            (&[-0.5], "-0.5"),
            (&[-0.0], "-0"),
            (&[f64::NAN], "NaN"),
            (&[f64::NEG_INFINITY], "-Inf"),
            (&[std::f64::consts::PI], "3.1416"),
            (&[1e15], "1000000000000000"),
            (&[1e16 + 2.0], "1e+16"),
            (&[9007199254740992.0], "9007199254740992"),
            (&[99999.5], "99999.5"),
            (&[1e5 + 0.1], "100000.1"),
            (&[1.0 / 3.0], "0.33333"),
            (&[-1e-10], "-1e-10"),
            (&[1.0, 2.0, 3.0], "1  2  3"),
            (&[1.5, 2.0, 3.0], "1.5           2           3"),
            (&[1.0, -2.0, 3.0], "1 -2  3"),
            (&[1.0, f64::NAN, 3.0], "1  NaN    3"),
            (&[0.1, 0.22, 1000.5], "0.1           0.22         1000.5"),
            (&[], ""),
        ];
        for (row, want) in cases {
            assert_eq!(num2str(&floats(row)), *want, "{row:?}");
        }
        assert_eq!(num2str(&[Arg::Int(1), Arg::Int(20), Arg::Int(3)]), "1  20   3");
        assert_eq!(num2str_precise(&floats(&[std::f64::consts::PI]), 8), "3.1415927");
        assert_eq!(num2str_precise(&floats(&[12345.678]), 3), "1.23e+04");
        assert_eq!(num2str_precise(&floats(&[1.0, 2.0, 3.0]), 3), "1         2         3");
    }

    #[test]
    fn complex_numbers_as_octave_writes_them() {
        let cases = [
            (3.0, 4.0, None, "3+4i"),
            (std::f64::consts::PI, 2.0, None, "3.1416+2i"),
            (1.5, -2.0, Some(8), "1.5-2i"),
            (1e10, 1.0, None, "10000000000+1i"),
            (100.25, 1.0, None, "100.25+1i"),
            (-0.0, -0.5, None, "-0-0.5i"),
            (2.5, 0.0, None, "2.5"),
        ];
        for (re, im, precision, want) in cases {
            assert_eq!(num2str_complex(re, im, precision), want);
        }
    }

    #[test]
    fn matrices_as_octave_writes_them() {
        assert_eq!(mat2str(2, &floats(&[1.0, 3.0, 2.0, 4.5]), 15, false), "[1 2;3 4.5]");
        assert_eq!(mat2str(1, &floats(&[std::f64::consts::PI]), 15, false), "3.14159265358979");
        assert_eq!(mat2str(1, &floats(&[std::f64::consts::PI]), 4, false), "3.142");
        assert_eq!(mat2str(1, &[Arg::Int(1), Arg::Int(0)], 15, true), "[true false]");
        assert_eq!(mat2str(2, &[Arg::Int(1), Arg::Int(2)], 15, false), "[1;2]");
        assert_eq!(mat2str(0, &[Arg::Empty], 15, false), "[]");
    }
}
