//! How wide the fields of numbers are and how many decimals they have.

use crate::format::{Arg, format};

/// Digits of floating-point numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precision {
    /// Significant digits.
    digits: i32,
    /// Whole scalars of more digits than this have an exponent; matrices from as many.
    whole: i32,
}

impl Precision {
    /// `format short`
    pub const SHORT: Self = Self { digits: 5, whole: 7 };
    /// `format long`
    pub const LONG: Self = Self { digits: 16, whole: 16 };
    /// `format long` for numbers of class `single`.
    pub const LONG_SINGLE: Self = Self { digits: 8, whole: 8 };

    /// Digits before and after the point that show a number of so many `digits`.
    fn places(self, digits: i32) -> (i32, i32) {
        let after = match digits {
            0 => self.digits - 1,
            d if d < self.digits => self.digits - d,
            _ => self.digits,
        };
        (digits.max(1), after)
    }
}

/// How the numbers of a column are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub width: usize,
    form: Form,
}

#[derive(Debug, Clone, Copy)]
enum Form {
    /// As many decimals.
    Fixed(usize),
    /// As many decimals and an exponent.
    Exponential(usize),
    /// As many significant digits: whole numbers, and those that are taken for such.
    General(usize),
}

impl Field {
    pub fn element(&self, x: f64) -> String {
        match self.form {
            _ if x.is_nan() => "NaN".to_owned(),
            _ if x.is_infinite() => (if x > 0.0 { "Inf" } else { "-Inf" }).to_owned(),
            // Also the negative zero.
            _ if x == 0.0 => "0".to_owned(),
            Form::Fixed(decimals) => format!("{x:.decimals$}"),
            Form::Exponential(decimals) => exponential(x, decimals),
            Form::General(digits) => format(&format!("%.{digits}g"), &[Arg::Float(x)]).unwrap_or_default(),
        }
    }

    pub fn of_scalar(x: f64, precision: Precision) -> Self {
        let digits = if x.is_finite() { digits(x) } else { 0 };
        if is_whole(x) {
            Self::of_whole(digits, true, precision)
        } else {
            Self::of_fractions(digits, digits, precision)
        }
    }

    /// The field of integer classes and logicals; `None` for floating point. It is one for all pages.
    pub fn of_integers(elements: &[Arg<'_>]) -> Option<Self> {
        let mut width = 0;
        let mut sign = 0;
        for element in elements {
            let Arg::Int(i) = element else { return None };
            // Octave counts no digit for zero, which matters only where a line is split.
            width = width.max(if *i == 0 { 0 } else { i.unsigned_abs().to_string().len() });
            sign |= usize::from(*i < 0);
        }
        Some(Self { width: width + sign, form: Form::Fixed(0) })
    }

    /// The largest and the smallest magnitude decide; for a range those of its two ends.
    pub fn of_matrix(elements: &[Arg<'_>], limit: Option<f64>, precision: Precision) -> Self {
        let numbers = || elements.iter().map(|e| super::float(*e));
        let (large, small) = match (limit, numbers().next()) {
            (Some(limit), Some(base)) => (digits(limit.max(base)), digits(limit.min(base))),
            _ => extremes(numbers()),
        };
        let special = numbers().any(|x| !x.is_finite());
        let whole = numbers().all(if limit.is_some() { is_whole } else { is_almost_whole });
        let mut field = match whole {
            true => Self::of_whole(large.max(small), false, precision),
            false => Self::of_fractions(large, small, precision),
        };
        let exponential = matches!(field.form, Form::Exponential(_));
        if whole && special && !exponential {
            field.width = field.width.max(4);
        }
        field.width += usize::from(limit.is_some() && (!whole || exponential));
        field
    }

    /// The field of whole numbers of which the largest has so many digits, with a column for the sign.
    pub fn of_whole(digits: i32, is_scalar: bool, precision: Precision) -> Self {
        let most = precision.whole - i32::from(!is_scalar);
        let width = 1 + digits.max(1) as usize;
        match digits <= most {
            true => Self { width, form: if is_scalar { Form::Fixed(0) } else { Form::General(width) } },
            false => Self::with_exponent(digits, digits, precision),
        }
    }

    /// The field of a complex scalar of which one part is infinite or NaN; the other has so many digits before the point, and Octave
    /// shows one of them.
    pub fn beside_special(digits: i32) -> Self {
        Self { width: 1 + digits.max(3) as usize, form: Form::General(1) }
    }

    /// The field of numbers of which the largest and the smallest have so many digits, with a column for the sign.
    pub fn of_fractions(large: i32, small: i32, precision: Precision) -> Self {
        let ((a, b), (c, d)) = (precision.places(large), precision.places(small));
        let (before, after) = (a.max(c), b.max(d));
        let width = 2 + before + after;
        match width <= precision.whole + 2 {
            true => Self { width: width as usize, form: Form::Fixed(after as usize) },
            false => Self::with_exponent(large, small, precision),
        }
    }

    fn with_exponent(large: i32, small: i32, precision: Precision) -> Self {
        let long = large.max(small) > 100 || large.min(small) < -98;
        let decimals = precision.digits as usize - 1;
        Self { width: decimals + 7 + usize::from(long), form: Form::Exponential(decimals) }
    }
}

fn exponential(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}

/// The digits of the largest and the smallest magnitude.
pub(super) fn extremes(numbers: impl Iterator<Item = f64> + Clone) -> (i32, i32) {
    let finite = || numbers.clone().filter(|x| x.is_finite()).map(f64::abs);
    let small = finite().fold(f64::INFINITY, f64::min);
    (digits(finite().fold(0.0, f64::max)), digits(if small.is_finite() { small } else { 0.0 }))
}

/// The number of digits before the point; zero or less for fractions below a tenth.
pub(super) fn digits(x: f64) -> i32 {
    if x == 0.0 { 0 } else { x.abs().log10().floor() as i32 + 1 }
}

pub(super) fn is_whole(x: f64) -> bool {
    !x.is_finite() || x.fract() == 0.0
}

/// Whether Octave takes an element of a matrix for a whole number: in single precision it is one.
pub(super) fn is_almost_whole(x: f64) -> bool {
    is_whole(f64::from(x as f32))
}
