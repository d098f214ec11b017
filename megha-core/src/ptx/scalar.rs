//! Scalar operations as instructions. What is no instruction of every processor is expanded from the library of definitions
//! ([`crate::math`]); singles go through doubles and are rounded where they have no definition of their own, as everywhere.

use crate::hash::HashMap;

use super::class::register;
use super::emit::Emitter;
use super::inst::{Arith, Bank, Compare, Operand, Ty};
use super::integer::{self, Kind};
use crate::ir::{Binary, Class, Const, Func, Op, Terminator, Unary, Value};
use crate::math::{Definition, Operation, definition};

/// Where the operands of an operation are.
pub type Operands<'a> = &'a dyn Fn(Value) -> Result<Operand, String>;

/// The result of a pure scalar operation of this class.
///
/// # Errors
/// The operation is none, or not defined on its class.
pub fn operation(e: &mut Emitter, func: &Func, op: &Op, class: Class, get: Operands<'_>) -> Result<Operand, String> {
    let of = |v: Value| func.ty(v).class;
    match op {
        Op::Const(value) => constant(value, class),
        Op::Unary(op, a) => {
            let a_class = of(*a);
            unary(e, *op, a_class, get(*a)?)?.ok_or_else(|| undefined(op.name(), a_class))
        }
        Op::Binary(op, a, b) => {
            let a_class = of(*a);
            binary(e, *op, a_class, get(*a)?, get(*b)?)?.ok_or_else(|| undefined(op.name(), a_class))
        }
        Op::Select(c, a, b) => {
            let (c, a, b) = (get(*c)?, get(*a)?, get(*b)?);
            Ok(e.select(register(class)?, c, a, b))
        }
        Op::Fma(a, b, c) => {
            let args = [get(*a)?, get(*b)?, get(*c)?];
            Ok(e.arith(Arith::Fma, register(class)?, &args))
        }
        Op::Convert(a) => convert(e, of(*a), class, get(*a)?),
        Op::Bits(a) if of(*a) == Class::Single => {
            let a = get(*a)?;
            let bits = e.reinterpret(Ty::U32, a);
            Ok(e.convert(Ty::S64, Ty::U32, bits))
        }
        Op::Bits(a) => {
            let a = get(*a)?;
            Ok(e.reinterpret(Ty::S64, a))
        }
        Op::FromBits(a) if class == Class::Single => {
            let a = get(*a)?;
            let bits = e.low_half(a);
            Ok(e.reinterpret(Ty::F32, bits))
        }
        Op::FromBits(a) => {
            let a = get(*a)?;
            Ok(e.reinterpret(Ty::F64, a))
        }
        _ => Err("an operation that is not one on scalars".into()),
    }
}

fn undefined(name: &str, class: Class) -> String {
    format!("`{name}` of class {}", class.name())
}

/// A number of a class.
pub fn constant(value: &Const, class: Class) -> Result<Operand, String> {
    Ok(match (value, class) {
        (Const::Float(x), Class::Double) => Operand::Double(x.to_bits()),
        (Const::Float(x), Class::Single) => Operand::Single((*x as f32).to_bits()),
        (Const::Int(x), Class::Double) => Operand::Double((*x as f64).to_bits()),
        (Const::Int(x), Class::Single) => Operand::Single((*x as f32).to_bits()),
        (Const::Int(x), _) => Operand::Int(*x),
        (Const::Bool(x), Class::Logical) => Operand::Int((*x).into()),
        _ => return Err(format!("a constant of class {}", class.name())),
    })
}

/// A float of this type.
pub fn float(ty: Ty, x: f64) -> Operand {
    if ty == Ty::F32 { Operand::Single((x as f32).to_bits()) } else { Operand::Double(x.to_bits()) }
}

fn unary(e: &mut Emitter, op: Unary, class: Class, a: Operand) -> Result<Option<Operand>, String> {
    if let Some(kind) = Kind::of(class) {
        return Ok(integer::unary(e, op, kind, a));
    }
    match class {
        Class::Index => Ok(integer::index_unary(e, op, a)),
        Class::Logical => Ok(match op {
            Unary::Not => Some(e.not(a)),
            Unary::IsNan | Unary::IsInf => Some(Operand::Int(0)),
            Unary::IsFinite => Some(Operand::Int(1)),
            _ => None,
        }),
        Class::Double | Class::Single => float_unary(e, op, register(class)?, a).map(Some),
        _ => Ok(None),
    }
}

fn float_unary(e: &mut Emitter, op: Unary, ty: Ty, a: Operand) -> Result<Operand, String> {
    let infinity = float(ty, f64::INFINITY);
    Ok(match op {
        Unary::Neg => e.arith(Arith::Neg, ty, &[a]),
        Unary::Abs => e.arith(Arith::Abs, ty, &[a]),
        Unary::Floor => e.arith(Arith::Floor, ty, &[a]),
        Unary::Ceil => e.arith(Arith::Ceil, ty, &[a]),
        Unary::Rint => e.arith(Arith::Rint, ty, &[a]),
        Unary::Sqrt => e.arith(Arith::Sqrt, ty, &[a]),
        Unary::Not => e.compare(Compare::Eq, ty, a, float(ty, 0.0)),
        Unary::IsNan => e.compare(Compare::Nan, ty, a, a),
        Unary::IsInf => {
            let size = e.arith(Arith::Abs, ty, &[a]);
            e.compare(Compare::Eq, ty, size, infinity)
        }
        Unary::IsFinite => {
            let size = e.arith(Arith::Abs, ty, &[a]);
            e.compare(Compare::Lt, ty, size, infinity)
        }
        op => library(e, op.into(), ty, &[a])?,
    })
}

/// A function of two numbers of a class; `None` if it is not defined.
///
/// # Errors
/// A class that devices do not have.
pub fn binary(e: &mut Emitter, op: Binary, class: Class, a: Operand, b: Operand) -> Result<Option<Operand>, String> {
    let ty = register(class)?;
    if let Some(compare) = comparison(op) {
        return Ok(Some(if class == Class::Logical {
            compare_logicals(e, compare, a, b)
        } else {
            e.compare(compare, ty, a, b)
        }));
    }
    if let Some(kind) = Kind::of(class) {
        return Ok(integer::binary(e, op, kind, a, b));
    }
    match class {
        Class::Index => Ok(integer::index_binary(e, op, a, b)),
        Class::Logical => Ok(match op {
            Binary::And => Some(e.and(a, b)),
            Binary::Or => Some(e.or(a, b)),
            Binary::Xor => Some(e.xor(a, b)),
            _ => None,
        }),
        _ => float_binary(e, op, ty, a, b).map(Some),
    }
}

fn comparison(op: Binary) -> Option<Compare> {
    Some(match op {
        Binary::Eq => Compare::Eq,
        Binary::Ne => Compare::Ne,
        Binary::Lt => Compare::Lt,
        Binary::Le => Compare::Le,
        Binary::Gt => Compare::Gt,
        Binary::Ge => Compare::Ge,
        _ => return None,
    })
}

/// False is less than true.
fn compare_logicals(e: &mut Emitter, op: Compare, a: Operand, b: Operand) -> Operand {
    let below = |e: &mut Emitter, a, b| {
        let not = e.not(a);
        e.and(not, b)
    };
    match op {
        Compare::Lt => below(e, a, b),
        Compare::Gt => below(e, b, a),
        Compare::Le => {
            let above = below(e, b, a);
            e.not(above)
        }
        Compare::Ge => {
            let under = below(e, a, b);
            e.not(under)
        }
        Compare::Eq => {
            let differ = e.xor(a, b);
            e.not(differ)
        }
        Compare::Ne | Compare::Nan => e.xor(a, b),
    }
}

fn float_binary(e: &mut Emitter, op: Binary, ty: Ty, a: Operand, b: Operand) -> Result<Operand, String> {
    if let (Binary::Div, Some(inverse)) = (op, exact_inverse(b)) {
        return Ok(e.arith(Arith::Mul, ty, &[a, inverse]));
    }
    let plain = match op {
        Binary::Add => Arith::Add,
        Binary::Sub => Arith::Sub,
        Binary::Mul => Arith::Mul,
        Binary::Div => Arith::Div,
        Binary::Min => return Ok(extreme(e, Compare::Lt, ty, a, b)),
        Binary::Max => return Ok(extreme(e, Compare::Gt, ty, a, b)),
        Binary::Mod | Binary::Rem if ty == Ty::F32 => return Ok(single_remainder(e, op, a, b)),
        op => return library(e, op.into(), ty, &[a, b]),
    };
    Ok(e.arith(plain, ty, &[a, b]))
}

/// The inverse of a known power of two, by which a product is the quotient to the bit: both round the same number.
fn exact_inverse(a: Operand) -> Option<Operand> {
    match a {
        Operand::Double(bits) => {
            let (x, inverse) = (f64::from_bits(bits), f64::from_bits(bits).recip());
            let is_power = bits & ((1 << (f64::MANTISSA_DIGITS - 1)) - 1) == 0;
            (is_power && x.is_normal() && inverse.is_normal()).then_some(Operand::Double(inverse.to_bits()))
        }
        Operand::Single(bits) => {
            let (x, inverse) = (f32::from_bits(bits), f32::from_bits(bits).recip());
            let is_power = bits & ((1 << (f32::MANTISSA_DIGITS - 1)) - 1) == 0;
            (is_power && x.is_normal() && inverse.is_normal()).then_some(Operand::Single(inverse.to_bits()))
        }
        Operand::Reg(_) | Operand::Int(_) => None,
    }
}

/// The lesser or greater; the first if they are equal, the other if one is NaN.
fn extreme(e: &mut Emitter, better: Compare, ty: Ty, a: Operand, b: Operand) -> Operand {
    let beyond = e.compare(better, ty, b, a);
    let missing = e.compare(Compare::Nan, ty, a, a);
    let other = e.or(beyond, missing);
    e.select(ty, other, b, a)
}

/// `mod` and `rem` of singles (`megha_base::float`), which are not those of doubles rounded.
fn single_remainder(e: &mut Emitter, op: Binary, x: Operand, y: Operand) -> Operand {
    let ty = Ty::F32;
    let zero = float(ty, 0.0);
    let q = e.arith(Arith::Div, ty, &[x, y]);
    let whole = e.arith(if op == Binary::Mod { Arith::Floor } else { Arith::Trunc }, ty, &[q]);
    let part = e.arith(Arith::Mul, ty, &[y, whole]);
    let left = e.arith(Arith::Sub, ty, &[x, part]);
    let divides = single_divides(e, q, y);
    let value = e.select(ty, divides, zero, left);
    let signed = with_sign(e, value, if op == Binary::Mod { y } else { x });
    let equal = e.compare(Compare::Eq, ty, x, y);
    let result = e.select(ty, equal, value, signed);
    let by_zero = e.compare(Compare::Eq, ty, y, zero);
    e.select(ty, by_zero, if op == Binary::Mod { x } else { float(ty, f64::NAN) }, result)
}

/// Whether a quotient by a divisor with a fractional part is a whole number up to rounding.
fn single_divides(e: &mut Emitter, q: Operand, y: Operand) -> Operand {
    let ty = Ty::F32;
    let raised = e.arith(Arith::Add, ty, &[q, float(ty, 0.5)]);
    let nearest = e.arith(Arith::Floor, ty, &[raised]);
    let away = e.arith(Arith::Sub, ty, &[q, nearest]);
    let relative = e.arith(Arith::Div, ty, &[away, nearest]);
    let size = e.arith(Arith::Abs, ty, &[relative]);
    let near = e.compare(Compare::Lt, ty, size, Operand::Single(f32::EPSILON.to_bits()));
    let rounded = e.arith(Arith::Rint, ty, &[y]);
    let fractional = e.compare(Compare::Ne, ty, rounded, y);
    e.and(fractional, near)
}

/// The magnitude of one single with the sign of another.
fn with_sign(e: &mut Emitter, magnitude: Operand, sign: Operand) -> Operand {
    let [magnitude, sign] = [magnitude, sign].map(|x| e.reinterpret(Ty::U32, x));
    let cleared = e.arith(Arith::And, Ty::B32, &[magnitude, Operand::Int(0x7fff_ffff)]);
    let sign = e.arith(Arith::And, Ty::B32, &[sign, Operand::Int(0x8000_0000)]);
    let both = e.arith(Arith::Or, Ty::B32, &[cleared, sign]);
    e.reinterpret(Ty::F32, both)
}

/// A function of the library.
fn library(e: &mut Emitter, op: Operation, ty: Ty, args: &[Operand]) -> Result<Operand, String> {
    let class = if ty == Ty::F32 { Class::Single } else { Class::Double };
    let found = definition(op, class).ok_or_else(|| format!("{op:?}, which the library of functions lacks"))?;
    let own = register(found.class())?;
    let args: Vec<Operand> = args.iter().map(|a| e.convert_float(own, ty, *a)).collect();
    let results = expand(e, found, &args)?;
    let [result] = results[..] else { return Err(format!("{op:?} has not one result")) };
    Ok(e.convert_float(ty, own, result))
}

/// The straight-line code of a library function in place.
fn expand(e: &mut Emitter, found: Definition, args: &[Operand]) -> Result<Vec<Operand>, String> {
    let func = found.func();
    let mut values: HashMap<Value, Operand> = func.params.iter().map(|p| p.value).zip(args.iter().copied()).collect();
    let missing = |v: Value| format!("the library's `{}` has no {}", func.name, func.name_of(v));
    for stmt in &func.body.stmts {
        let get = |v: Value| values.get(&v).copied().ok_or_else(|| missing(v));
        let results = match &stmt.op {
            Op::Call(id, args) => {
                let args: Vec<Operand> = args.iter().map(|v| get(*v)).collect::<Result<_, _>>()?;
                expand(e, Definition { id: *id, ..found }, &args)?
            }
            op => vec![operation(e, func, op, func.ty(stmt.results[0]).class, &get)?],
        };
        values.extend(stmt.results.iter().copied().zip(results));
    }
    match &func.body.term {
        Terminator::Return(list) => list.iter().map(|v| values.get(v).copied().ok_or_else(|| missing(*v))).collect(),
        _ => Err(format!("the library's `{}` does not return", func.name)),
    }
}

/// To another class, as MATLAB converts.
pub fn convert(e: &mut Emitter, from: Class, to: Class, a: Operand) -> Result<Operand, String> {
    let (from_ty, ty) = (register(from)?, register(to)?);
    if from == to {
        return Ok(a);
    }
    if to == Class::Logical {
        let zero = if from.is_float() { float(from_ty, 0.0) } else { Operand::Int(0) };
        return Ok(e.compare(Compare::Ne, from_ty, a, zero));
    }
    if from == Class::Logical {
        let [one, zero] =
            if to.is_float() { [float(ty, 1.0), float(ty, 0.0)] } else { [Operand::Int(1), Operand::Int(0)] };
        return Ok(e.select(ty, a, one, zero));
    }
    Ok(match (from.is_float(), Kind::of(to)) {
        (true, Some(kind)) => rounded(e, kind, from_ty, a)?,
        (false, Some(kind)) => between_integers(e, from, kind, a),
        // From floats to `Index` numbers are promised to be in range.
        (true, None) if to == Class::Index => e.convert(Ty::S64, from_ty, a),
        (false, None) if to == Class::Index => match Kind::of(from) {
            Some(kind) => kind.widen(e, a),
            None => a,
        },
        (true, None) => e.convert_float(ty, from_ty, a),
        (false, None) => match a {
            Operand::Int(known) if from_ty != Ty::U64 => {
                if ty == Ty::F32 {
                    Operand::Single((known as f32).to_bits())
                } else {
                    float(ty, known as f64)
                }
            }
            a => e.convert(ty, from_ty, a),
        },
    })
}

/// A float as an integer: half away from zero, clamped, 0 for NaN.
fn rounded(e: &mut Emitter, kind: Kind, from: Ty, a: Operand) -> Result<Operand, String> {
    if kind.is_wide() {
        let whole = library(e, Unary::Round.into(), from, &[a])?;
        let missing = e.compare(Compare::Nan, from, whole, whole);
        let number = e.select(from, missing, float(from, 0.0), whole);
        return Ok(e.convert(kind.ty, from, number));
    }
    // The conversion truncates and clamps.
    let away = if from == Ty::F64 { away_from_zero(e, a) } else { library(e, Unary::Round.into(), from, &[a])? };
    let full = if kind.max() > i64::from(i32::MAX) { Ty::U32 } else { Ty::S32 };
    let number = e.convert(full, from, away);
    let clamped = if full == Ty::U32 { number } else { kind.clamp_short(e, number) };
    let missing = e.compare(Compare::Nan, from, away, away);
    Ok(e.select(kind.ty, missing, Operand::Int(0), clamped))
}

/// A double that truncates to what this one rounds to: the greatest number below one half is added to its magnitude, as `Round` of the library does.
fn away_from_zero(e: &mut Emitter, a: Operand) -> Operand {
    let half = Operand::Int(0.5f64.next_down().to_bits() as i64);
    let bits = e.reinterpret(Ty::S64, a);
    let sign = e.arith(Arith::And, Ty::B64, &[bits, Operand::Int(i64::MIN)]);
    let signed = e.arith(Arith::Or, Ty::B64, &[sign, half]);
    let signed = e.reinterpret(Ty::F64, signed);
    e.arith(Arith::Add, Ty::F64, &[a, signed])
}

/// From an integer class or `Index` to another integer class, clamped.
fn between_integers(e: &mut Emitter, from: Class, to: Kind, a: Operand) -> Operand {
    if from == Class::UInt64 {
        let limit = Operand::Int(to.max());
        let low = if to.ty == Ty::U64 { a } else { e.arith(Arith::Min, Ty::U64, &[a, limit]) };
        return if to.ty.bank() == Bank::B64 { low } else { e.convert(to.ty, Ty::U64, low) };
    }
    let wide = Kind::of(from).map_or(a, |kind| kind.widen(e, a));
    to.clamp(e, wide)
}

impl Emitter {
    /// Between floats.
    fn convert_float(&mut self, to: Ty, from: Ty, a: Operand) -> Operand {
        match (a, to) {
            (Operand::Single(bits), Ty::F64) => Operand::Double(f64::from(f32::from_bits(bits)).to_bits()),
            (Operand::Double(bits), Ty::F32) => Operand::Single((f64::from_bits(bits) as f32).to_bits()),
            _ => self.convert(to, from, a),
        }
    }
}
