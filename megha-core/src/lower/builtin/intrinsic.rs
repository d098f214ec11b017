//! What the prelude's functions ask of the compiler and MATLAB has no words for: what is known of types when compiling.
//! Programs cannot call these, except `merge`, which Octave has.

use super::rotate::rotated;
use super::{Call, Handler, Results, value};
use crate::diag::Code;
use crate::ir::{Binary, Class, Lib, Op, ReduceOp, Size, Type};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered, Operand, prelude};

pub(super) const NAMES: &[&str] = &["merge", "ifelse"];

/// The function of this name for a caller in the prelude.
pub(super) fn find(call: &Call<'_>) -> Option<Handler> {
    if matches!(call.name, "merge" | "ifelse") {
        return Some(merge);
    }
    if !prelude::contains(call.span) {
        return None;
    }
    Some(match call.name {
        "default_dimension" => default_dimension,
        "is_row_type" => |l, c| fact(l, c, |_, ty| ty.dims.len() == 2 && ty.dims[0].is_one()),
        "is_vector_type" => |l, c| fact(l, c, |_, ty| ty.is_vector()),
        "is_scalar_type" => |l, c| fact(l, c, |_, ty| ty.is_scalar()),
        "is_empty_type" => |l, c| fact(l, c, |_, ty| ty.numel().as_constant() == Some(0)),
        "is_complex_type" => |l, c| fact(l, c, |_, ty| ty.class == Class::Complex),
        "roots_are_complex" => |l, _| {
            let complex = l.complex_roots;
            value(l.truth_constant(complex))
        },
        "is_single" => |l, c| fact(l, c, |_, ty| ty.class == Class::Single),
        "is_constant" => is_constant,
        "is_text" => is_text,
        "never_same_size" => never_same_size,
        "integer_bits" => integer_bits,
        "middle_elements" => middle_elements,
        "sums_at" => sums_at,
        "counts_at" => counts_at,
        "places_in" => places_in,
        "transformed_lines" => transformed_lines,
        "of_parts" => |l, c| {
            let v = c.values(l)?;
            let z = l.complex(v[0], v[1], c.span)?;
            value(z)
        },
        "lu_factors" => |l, c| factors(l, c, Lib::Lu),
        "cholesky_factor" => |l, c| factors(l, c, Lib::Cholesky),
        "qr_factors" => |l, c| factors(l, c, Lib::Qr),
        "inverse_matrix" => |l, c| factors(l, c, Lib::Inverse),
        "eigenvalue_parts" => |l, c| factors(l, c, Lib::Eigenvalues),
        "eigenvector_parts" => |l, c| factors(l, c, Lib::Eigenvectors),
        "singular_value_column" => |l, c| factors(l, c, Lib::SingularValues),
        "rotated_lines" => rotated,
        "intmin_like" => intmin_like,
        "shifted_left" => |l, c| shifted(l, c, Binary::Shl),
        "shifted_right" => |l, c| shifted(l, c, Binary::Shr),
        "convert_like" => convert_like,
        "running_extreme" => running_extreme,
        "refuse" => refuse,
        _ => return None,
    })
}

/// `merge(mask, a, b)`: element by element the second where the mask is true, else the third.
fn merge(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 3, 3)?;
    let v = call.values(lower)?;
    let mask = lower.tested_logical(v[0], call.span)?;
    if let Some(known) = lower.constant_of(mask) {
        return value(if known != 0.0 { v[1] } else { v[2] });
    }
    let class = match (lower.class(v[1]), lower.class(v[2])) {
        (a, b) if a == b => a,
        (a, b) if a.is_integer() || b.is_integer() => {
            if a.is_integer() {
                a
            } else {
                b
            }
        }
        (Class::Single, _) | (_, Class::Single) => Class::Single,
        _ => Class::Double,
    };
    let mut operands = [mask, lower.convert(v[1], class), lower.convert(v[2], class)];
    let dims = lower.expand(&mut operands, "`merge`", call.span)?;
    let (a, b) = (lower.facts(operands[1]), lower.facts(operands[2]));
    let facts =
        Facts { nonnegative: a.nonnegative && b.nonnegative, integral: a.integral && b.integral, ..Facts::default() };
    let before = lower.here(call.span);
    let result = lower.emit(Op::Select(operands[0], operands[1], operands[2]), Type { class, dims }, facts);
    lower.builder.set_loc(before);
    value(result)
}

/// The dimension, from one, along which MATLAB combines when none is named.
fn default_dimension(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let array = lower.expr_value(&call.args[0])?;
    let ty = lower.builder.func.ty(array).clone();
    let axis = lower.default_axis(&ty);
    value(lower.number((axis + 1) as f64))
}

/// `running_extreme(x, dim, sign)`: the greatest elements so far along a dimension, or the least if the sign is -1.
fn running_extreme(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let array = lower.expr_value(&call.args[0])?;
    let axis = lower.axis_argument(&call.args[1])?;
    let sign = lower.expr_value(&call.args[2])?;
    let op = if lower.constant_of(sign) == Some(1.0) { ReduceOp::Max } else { ReduceOp::Min };
    let truth = lower.class(array) == Class::Logical;
    let array = lower.convert_number(array);
    let ty = lower.builder.func.ty(array).clone();
    let result = if ty.is_scalar() || ty.dims.get(axis).is_none_or(Size::is_one) {
        array
    } else {
        let old = lower.facts(array);
        let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
        lower.emit(Op::Scan(op, array, axis), ty, facts)
    };
    value(if truth { lower.logical(result) } else { result })
}

/// Whether something is known of the argument's type.
fn fact(lower: &mut Lower<'_>, call: &Call<'_>, holds: fn(&Lower<'_>, &Type) -> bool) -> Results {
    let array = lower.expr_value(&call.args[0])?;
    let known = holds(lower, lower.builder.func.ty(array));
    value(lower.truth_constant(known))
}

fn is_constant(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let number = lower.expr_value(&call.args[0])?;
    let known = lower.constant_of(number).is_some();
    value(lower.truth_constant(known))
}

fn is_text(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let text = matches!(lower.expr(&call.args[0])?, Operand::Text(_));
    value(lower.truth_constant(text))
}

/// Whether the sizes of two arrays of equally many dimensions differ whatever the program runs on.
fn never_same_size(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let v = call.values(lower)?;
    let (a, b) = (lower.builder.func.ty(v[0]).clone(), lower.builder.func.ty(v[1]).clone());
    let differ = (0..a.ndims()).any(|d| a.dim(d).sub(&b.dim(d)).as_constant().is_some_and(|c| c != 0));
    value(lower.truth_constant(differ))
}

/// `transformed_lines(re, im, n, dim, inverse)`: the Fourier transforms of n points of a matrix with these parts along a dimension,
/// their parts behind each other in the third dimension.
fn transformed_lines(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let v = call.values(lower)?;
    let [re, im] = [v[0], v[1]].map(|part| lower.convert(part, Class::Double));
    let n = lower.whole_number(v[2], "the number of points", call.span)?;
    let axis = lower.axis_argument(&call.args[3])?;
    let mut dims = lower.builder.func.ty(re).dims.clone();
    dims[axis] = lower.size_from(n);
    dims.push(Size::constant(2));
    let before = lower.here(call.span);
    let along = lower.builder.int(axis as i64);
    let op = Op::Lib(Lib::Fourier, vec![re, im, along, v[4]]);
    let planes = lower.emit(op, Type::array(Class::Double, dims), Facts::default());
    lower.builder.set_loc(before);
    value(planes)
}

/// `middle_elements(x, dim)`: the two elements in the middle of the order of each line, behind each other along the dimension.
fn middle_elements(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let array = lower.expr_value(&call.args[0])?;
    let class = if lower.class(array).is_float() { lower.class(array) } else { Class::Double };
    let array = lower.convert(array, class);
    let axis = lower.axis_argument(&call.args[1])?;
    let mut ty = lower.builder.func.ty(array).clone();
    ty.dims[axis] = Size::constant(2);
    let before = lower.here(call.span);
    let along = lower.builder.int(axis as i64);
    let middle = lower.emit(Op::Lib(Lib::Middle, vec![array, along]), ty, Facts::default());
    lower.builder.set_loc(before);
    value(middle)
}

/// `sums_at(places, values, n)`: a column of n sums of the values, or of one value, by their places in it.
fn sums_at(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let v = call.values(lower)?;
    let n = lower.whole_number(v[2], "the number of sums", call.span)?;
    let size = array_size(lower, n);
    let ty = Type::array(Class::Double, vec![size, Size::constant(1)]);
    let facts = Facts { integral: lower.facts(v[1]).integral, ..Facts::default() };
    let before = lower.here(call.span);
    let sums = lower.emit(Op::Lib(Lib::SumsAt, vec![v[0], v[1]]), ty, facts);
    lower.builder.set_loc(before);
    value(sums)
}

/// The size of an array of so many elements. One element is an array all the same: its size gets a symbol.
fn array_size(lower: &mut Lower<'_>, count: Size) -> Size {
    let size = lower.size_from(count);
    if !size.is_one() {
        return size;
    }
    let one = lower.builder.int(1);
    lower.symbol_for(one, vec![Size::constant(1)], vec![Size::constant(1)])
}

/// `counts_at(places, n)`: a column that says how many of the places, which all are in it, are each of them.
fn counts_at(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let v = call.values(lower)?;
    let n = lower.whole_number(v[1], "the number of places", call.span)?;
    let size = array_size(lower, n);
    let ty = Type::array(Class::Double, vec![size, Size::constant(1)]);
    let facts = Facts { nonnegative: true, integral: true, ..Facts::default() };
    let before = lower.here(call.span);
    let counts = lower.emit(Op::Lib(Lib::CountsAt, vec![v[0]]), ty, facts);
    lower.builder.set_loc(before);
    value(counts)
}

/// `places_in(table, values)`: for each of the values how many elements of the ascending or descending table do not stand behind it.
fn places_in(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let v = call.values(lower)?;
    let ty = lower.builder.func.ty(v[1]).clone();
    let facts = Facts { nonnegative: true, integral: true, ..Facts::default() };
    let before = lower.here(call.span);
    let places = lower.emit(Op::Lib(Lib::Lookup, v), ty, facts);
    lower.builder.set_loc(before);
    value(places)
}

/// `lu_factors(x)`, `cholesky_factor(x)`, `inverse_matrix(x)`, `qr_factors(x, k)` with k columns of Q, `eigenvalue_parts(x)`,
/// `eigenvector_parts(x)`, both also of a pair, and `singular_value_column(x, k)` with k numbers: what the library makes of a matrix of doubles, in one matrix.
fn factors(lower: &mut Lower<'_>, call: &Call<'_>, lib: Lib) -> Results {
    let v = call.values(lower)?;
    let matrix = lower.convert(v[0], Class::Double);
    let mut operands = vec![matrix];
    let mut dims = lower.builder.func.ty(matrix).dims.clone();
    match lib {
        Lib::Lu => dims[1] = dims[1].add_const(1),
        Lib::Qr => {
            let columns = lower.whole_number(v[1], "the number of columns", call.span)?;
            dims[1] = dims[1].add(&lower.size_from(columns));
        }
        Lib::Eigenvalues | Lib::Eigenvectors => {
            operands.extend(v[1..].iter().map(|other| lower.convert(*other, Class::Double)));
            dims[1] = if lib == Lib::Eigenvalues { Size::constant(2) } else { dims[1].scale(2).add_const(2) };
        }
        Lib::SingularValues => {
            let length = lower.whole_number(v[1], "the number of results", call.span)?;
            dims = vec![array_size(lower, length), Size::constant(1)];
        }
        _ => {}
    }
    let before = lower.here(call.span);
    let both = lower.emit(Op::Lib(lib, operands), Type::array(Class::Double, dims), Facts::default());
    lower.builder.set_loc(before);
    value(both)
}

fn integer_class(lower: &mut Lower<'_>, call: &Call<'_>) -> Lowered<(Class, u32, bool)> {
    let array = lower.expr_value(&call.args[0])?;
    let class = lower.class(array);
    match class.int_bits() {
        Some((bits, signed)) => Ok((class, bits, signed)),
        None => lower.stop(Code::Unsupported, call.span, "an integer class is needed"),
    }
}

fn integer_bits(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (_, bits, _) = integer_class(lower, call)?;
    value(lower.number(f64::from(bits)))
}

fn intmin_like(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (_, bits, signed) = integer_class(lower, call)?;
    value(lower.number(if signed { -(2f64.powi(bits as i32 - 1)) } else { 0.0 }))
}

/// `shifted_left(x, n)`, `shifted_right(x, n)`: bits of an integer class, moved by numbers of this class that are not negative.
fn shifted(lower: &mut Lower<'_>, call: &Call<'_>, op: Binary) -> Results {
    let v = call.values(lower)?;
    let mut operands = [v[0], v[1]];
    let dims = lower.expand(&mut operands, "bitshift", call.span)?;
    let class = lower.class(v[0]);
    let unsigned = class.int_bits().is_some_and(|(_, signed)| !signed);
    let facts = Facts { nonnegative: unsigned, integral: true, ..Facts::default() };
    let before = lower.here(call.span);
    let result = lower.emit(Op::Binary(op, operands[0], operands[1]), Type { class, dims }, facts);
    lower.builder.set_loc(before);
    value(result)
}

/// `convert_like(x, y)`: x in the class of y.
fn convert_like(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let v = call.values(lower)?;
    let class = lower.class(v[1]);
    let class = if class == Class::Logical { Class::Double } else { class };
    value(lower.convert(v[0], class))
}

/// `refuse('why')`: the call in the program cannot be compiled.
fn refuse(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    match lower.expr(&call.args[0])? {
        Operand::Text(why) => lower.stop(Code::Unsupported, call.span, why),
        _ => lower.stop(Code::Internal, call.span, "a refusal needs its reason"),
    }
}
