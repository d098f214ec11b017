//! `cvt`.
//!
//! A float becomes an integer by rounding as stated and clamping to the integer's range. NaN becomes 0 if neither the source is `.f64` nor the
//! target has 64 bits, else the number whose only bit is the top one (PTX ISA 9.0, `cvt`: that is what the hardware does).

use super::{Fn1, Scalar, map};
use crate::ptx::types::Type;

/// A rounding mode of PTX, with or without the `i` of the integer ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rounding {
    Nearest,
    Zero,
    Down,
    Up,
}

/// `for_type!(ty, T => expression)` over all integer types.
macro_rules! for_any_int {
    ($ty:expr, $T:ident => $e:expr) => {
        match $ty {
            Type::U8 => {
                type $T = u8;
                Some($e)
            }
            Type::S8 => {
                type $T = i8;
                Some($e)
            }
            other => super::for_int!(other, $T => $e),
        }
    };
}

/// Integer to integer: `sat` clamps, else the low bits are kept.
pub(crate) fn int_to_int(to: Type, from: Type, sat: bool) -> Option<Fn1> {
    if to.is_bits() || from.is_bits() {
        return None;
    }
    for_any_int!(from, A => for_any_int!(to, D => if sat {
        map!(A: a => clamp(i128::from(a), i128::from(D::MIN), i128::from(D::MAX)) as D)
    } else {
        map!(A: a => a as D)
    })?)
}

fn clamp(a: i128, low: i128, high: i128) -> i128 {
    a.clamp(low, high)
}

macro_rules! float_to_int {
    ($F:ty, $to:expr, $round:expr, $nan64:expr) => {
        match $round {
            Rounding::Nearest => {
                for_any_int!($to, D => map!($F: a => if a.is_nan() { not_a_number::<D>($nan64) } else { (a.round_ties_even() as D).bits() }))
            }
            Rounding::Zero => {
                for_any_int!($to, D => map!($F: a => if a.is_nan() { not_a_number::<D>($nan64) } else { (a as D).bits() }))
            }
            Rounding::Down => {
                for_any_int!($to, D => map!($F: a => if a.is_nan() { not_a_number::<D>($nan64) } else { (a.floor() as D).bits() }))
            }
            Rounding::Up => {
                for_any_int!($to, D => map!($F: a => if a.is_nan() { not_a_number::<D>($nan64) } else { (a.ceil() as D).bits() }))
            }
        }
    };
}

fn not_a_number<D>(double: bool) -> u64 {
    let width = size_of::<D>() * 8;
    if double || width == 64 { 1 << (width - 1) } else { 0 }
}

/// Float to integer.
pub(crate) fn float_to_int(to: Type, from: Type, rounding: Rounding) -> Option<Fn1> {
    if to.is_bits() {
        return None;
    }
    match from {
        Type::F32 => float_to_int!(f32, to, rounding, false),
        Type::F64 => float_to_int!(f64, to, rounding, true),
        _ => None,
    }
}

/// Integer to float.
pub(crate) fn int_to_float(to: Type, from: Type, rounding: Rounding) -> Option<Fn1> {
    if from.is_bits() {
        return None;
    }
    macro_rules! rounded {
        ($F:ty) => {
            match rounding {
                Rounding::Nearest => for_any_int!(from, A => map!(A: a => a as $F)),
                Rounding::Zero => for_any_int!(from, A => map!(A: a => directed!($F, a, i128, Rounding::Zero))),
                Rounding::Down => for_any_int!(from, A => map!(A: a => directed!($F, a, i128, Rounding::Down))),
                Rounding::Up => for_any_int!(from, A => map!(A: a => directed!($F, a, i128, Rounding::Up))),
            }
        };
    }
    match to {
        Type::F32 => rounded!(f32),
        Type::F64 => rounded!(f64),
        _ => None,
    }
}

/// `a` in the float type `$F`: the nearest one, moved by one step where it lies on the wrong side; `$W` holds both exactly.
macro_rules! directed {
    ($F:ty, $a:expr, $W:ty, $mode:expr) => {{
        let exact = $a as $W;
        let near = $a as $F;
        let (above, below) = (near as $W > exact, (near as $W) < exact);
        let down = match $mode {
            Rounding::Zero => exact > (0 as $W),
            mode => mode == Rounding::Down,
        };
        if above && down {
            near.next_down()
        } else if below && !down {
            near.next_up()
        } else {
            near
        }
    }};
}
use directed;

/// Float to float of another width, or of the same width rounded to a whole number.
pub(crate) fn float_to_float(to: Type, from: Type, rounding: Option<(Rounding, bool)>) -> Option<Fn1> {
    Some(match (to, from, rounding) {
        (Type::F64, Type::F32, None) => map!(f32: a => f64::from(a)),
        (Type::F32, Type::F64, Some((mode, false))) => match mode {
            Rounding::Nearest => map!(f64: a => a as f32),
            Rounding::Zero => map!(f64: a => directed!(f32, a, f64, Rounding::Zero)),
            Rounding::Down => map!(f64: a => directed!(f32, a, f64, Rounding::Down)),
            Rounding::Up => map!(f64: a => directed!(f32, a, f64, Rounding::Up)),
        },
        (Type::F32, Type::F32, None) | (Type::F64, Type::F64, None) => map!(u64: a => a),
        (Type::F32, Type::F32, Some((mode, true))) => match mode {
            Rounding::Nearest => map!(f32: a => a.round_ties_even()),
            Rounding::Zero => map!(f32: a => a.trunc()),
            Rounding::Down => map!(f32: a => a.floor()),
            Rounding::Up => map!(f32: a => a.ceil()),
        },
        (Type::F64, Type::F64, Some((mode, true))) => match mode {
            Rounding::Nearest => map!(f64: a => a.round_ties_even()),
            Rounding::Zero => map!(f64: a => a.trunc()),
            Rounding::Down => map!(f64: a => a.floor()),
            Rounding::Up => map!(f64: a => a.ceil()),
        },
        _ => return None,
    })
}

/// A value of the type `from` extended to a register of `bits`.
pub(crate) fn extend(from: Type, bits: u32) -> Option<Fn1> {
    if !from.is_signed() || bits <= from.bits() {
        return None;
    }
    Some(match (from, bits) {
        (Type::S8, 16) => map!(i8: a => i16::from(a)),
        (Type::S8, 32) => map!(i8: a => i32::from(a)),
        (Type::S8, 64) => map!(i8: a => i64::from(a)),
        (Type::S16, 32) => map!(i16: a => i32::from(a)),
        (Type::S16, 64) => map!(i16: a => i64::from(a)),
        (Type::S32, 64) => map!(i32: a => i64::from(a)),
        _ => return None,
    })
}
