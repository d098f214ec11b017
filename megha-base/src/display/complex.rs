//! Complex numbers: two fields and the sign of the imaginary part between them.

use super::field::{Field, Precision, digits, extremes, is_almost_whole, is_whole};
use super::{Cells, GAP, float};
use crate::format::Arg;

/// A scalar. Its real part has a column for the sign.
pub(super) fn scalar(re: f64, im: f64, precision: Precision) -> String {
    let [x, y] = [re, im].map(|part| if part.is_finite() { digits(part) } else { 0 });
    pair(re, im, field(&[re, im], (x, y), true, precision))
}

/// The elements of a matrix. Octave reckons with one column more than an element takes.
pub(super) fn cells(re: &[Arg<'_>], im: &[Arg<'_>], precision: Precision) -> Cells {
    let parts = [re, im].map(|part| part.iter().map(|x| float(*x)).collect::<Vec<f64>>());
    let [(a, b), (c, d)] = [0, 1].map(|k: usize| extremes(parts[k].iter().copied()));
    let field = field(&parts.concat(), (a.max(c), b.max(d)), false, precision);
    let texts = parts[0].iter().zip(&parts[1]).map(|(re, im)| format!("{:GAP$}{}", "", pair(*re, *im, field)));
    Cells { texts: texts.collect(), width: 2 * field.width + GAP + 4 }
}

/// The field of both parts, of which the largest and the smallest have so many digits.
fn field(parts: &[f64], (large, small): (i32, i32), is_scalar: bool, precision: Precision) -> Field {
    let special = parts.iter().any(|x| !x.is_finite());
    let whole = if is_scalar { is_whole } else { is_almost_whole };
    match parts.iter().all(|x| whole(*x)) {
        false if is_scalar && special => return Field::beside_special(large.max(small)),
        false => return Field::of_fractions(large, small, precision),
        true => {}
    }
    let mut field = Field::of_whole(large.max(small), is_scalar, precision);
    if special {
        field.width = field.width.max(4);
    }
    field
}

fn pair(re: f64, im: f64, field: Field) -> String {
    let sign = if im.is_sign_negative() && !im.is_nan() { '-' } else { '+' };
    let (re, im) = (field.element(re), field.element(im.abs()));
    format!("{re:>wide$} {sign} {im:>width$}i", wide = field.width, width = field.width - 1)
}
