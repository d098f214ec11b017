//! Numbers of Rust's types, with the arithmetic of a release build.

use megha_core::offload::ast::{BinaryOp, Scalar};

/// A number or truth value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    F64(f64),
    F32(f32),
    I64(i64),
    Usize(usize),
    Bool(bool),
}

/// A float that an array of this class holds in place of `x`.
pub fn float(x: f64, class: Scalar) -> Number {
    if class == Scalar::F32 { Number::F32(x as f32) } else { Number::F64(x) }
}

/// A whole number of a type.
pub fn whole(x: i128, scalar: Scalar) -> Number {
    if scalar == Scalar::I64 { Number::I64(x as i64) } else { Number::Usize(x as usize) }
}

impl Number {
    /// The type.
    pub fn scalar(self) -> Scalar {
        match self {
            Self::F64(_) => Scalar::F64,
            Self::F32(_) => Scalar::F32,
            Self::I64(_) => Scalar::I64,
            Self::Usize(_) => Scalar::Usize,
            Self::Bool(_) => Scalar::Bool,
        }
    }

    /// The bits by which numbers are compared: all NaN are alike.
    pub fn bits(self) -> u64 {
        match self {
            Self::F64(x) if x.is_nan() => f64::NAN.to_bits(),
            Self::F32(x) if x.is_nan() => f32::NAN.to_bits().into(),
            Self::F64(x) => x.to_bits(),
            Self::F32(x) => x.to_bits().into(),
            Self::I64(x) => x as u64,
            Self::Usize(x) => x as u64,
            Self::Bool(x) => x.into(),
        }
    }

    /// The number, if it is whole.
    pub fn wide(self) -> i128 {
        match self {
            Self::I64(x) => x.into(),
            Self::Usize(x) => x as i128,
            Self::Bool(x) => x.into(),
            Self::F64(_) | Self::F32(_) => unreachable!("floats count nothing"),
        }
    }

    /// `self as to`
    pub fn cast(self, to: Scalar) -> Self {
        macro_rules! cast {
            ($x:expr) => {
                match to {
                    Scalar::F64 => Self::F64($x as f64),
                    Scalar::F32 => Self::F32($x as f32),
                    Scalar::I64 => Self::I64($x as i64),
                    Scalar::Usize => Self::Usize($x as usize),
                    _ => unreachable!("nothing is cast to {to:?}"),
                }
            };
        }
        match self {
            Self::F64(x) => cast!(x),
            Self::F32(x) => cast!(x),
            Self::I64(x) => cast!(x),
            Self::Usize(x) => cast!(x),
            Self::Bool(x) => cast!(u8::from(x)),
        }
    }

    /// `-self`, and whether it wrapped.
    pub fn negative(self) -> (Self, bool) {
        match self {
            Self::F64(x) => (Self::F64(-x), false),
            Self::F32(x) => (Self::F32(-x), false),
            Self::I64(x) => {
                let (x, wrapped) = x.overflowing_neg();
                (Self::I64(x), wrapped)
            }
            Self::Usize(_) | Self::Bool(_) => unreachable!("no negative of what has no sign"),
        }
    }

    /// An operator between two numbers of one type, and whether it wrapped.
    pub fn binary(self, op: BinaryOp, other: Self) -> (Self, bool) {
        macro_rules! compare {
            ($x:expr, $y:expr) => {
                match op {
                    BinaryOp::Eq => Some($x == $y),
                    BinaryOp::Ne => Some($x != $y),
                    BinaryOp::Lt => Some($x < $y),
                    BinaryOp::Le => Some($x <= $y),
                    BinaryOp::Gt => Some($x > $y),
                    BinaryOp::Ge => Some($x >= $y),
                    _ => None,
                }
            };
        }
        macro_rules! floats {
            ($of:ident, $x:expr, $y:expr) => {
                match (compare!($x, $y), op) {
                    (Some(holds), _) => (Self::Bool(holds), false),
                    (_, BinaryOp::Add) => (Self::$of($x + $y), false),
                    (_, BinaryOp::Sub) => (Self::$of($x - $y), false),
                    (_, BinaryOp::Mul) => (Self::$of($x * $y), false),
                    (_, BinaryOp::Div) => (Self::$of($x / $y), false),
                    _ => unreachable!("no operator of floats: {op:?}"),
                }
            };
        }
        macro_rules! wholes {
            ($of:ident, $x:expr, $y:expr) => {{
                let (z, wrapped) = match (compare!($x, $y), op) {
                    (Some(holds), _) => return (Self::Bool(holds), false),
                    (_, BinaryOp::Add) => $x.overflowing_add($y),
                    (_, BinaryOp::Sub) => $x.overflowing_sub($y),
                    (_, BinaryOp::Mul) => $x.overflowing_mul($y),
                    (_, BinaryOp::Div) => $x.overflowing_div($y),
                    (_, BinaryOp::Rem) => $x.overflowing_rem($y),
                    _ => unreachable!("no operator of whole numbers: {op:?}"),
                };
                (Self::$of(z), wrapped)
            }};
        }
        match (self, other) {
            (Self::F64(x), Self::F64(y)) => floats!(F64, x, y),
            (Self::F32(x), Self::F32(y)) => floats!(F32, x, y),
            (Self::I64(x), Self::I64(y)) => wholes!(I64, x, y),
            (Self::Usize(x), Self::Usize(y)) => wholes!(Usize, x, y),
            _ => unreachable!("{self:?} {op:?} {other:?}"),
        }
    }

    /// A method, and whether it wrapped.
    pub fn method(self, name: &str, args: &[Self]) -> (Self, bool) {
        macro_rules! floats {
            ($of:ident, $x:expr) => {{
                let of = |at: usize| match args[at] {
                    Self::$of(y) => y,
                    _ => unreachable!("{self:?}.{name}({args:?})"),
                };
                let y = match name {
                    "abs" => $x.abs(),
                    "floor" => $x.floor(),
                    "ceil" => $x.ceil(),
                    "round" => $x.round(),
                    "trunc" => $x.trunc(),
                    "sqrt" => $x.sqrt(),
                    "recip" => $x.recip(),
                    "min" => $x.min(of(0)),
                    "max" => $x.max(of(0)),
                    "mul_add" => $x.mul_add(of(0), of(1)),
                    _ => unreachable!("no method of floats: {name}"),
                };
                (Self::$of(y), false)
            }};
        }
        match (self, name, args) {
            (Self::F64(x), ..) => floats!(F64, x),
            (Self::F32(x), ..) => floats!(F32, x),
            (Self::I64(x), "abs", []) => (Self::I64(x.wrapping_abs()), x == i64::MIN),
            (Self::I64(x), "min", [Self::I64(y)]) => (Self::I64(x.min(*y)), false),
            (Self::I64(x), "max", [Self::I64(y)]) => (Self::I64(x.max(*y)), false),
            (Self::Usize(x), "min", [Self::Usize(y)]) => (Self::Usize(x.min(*y)), false),
            (Self::Usize(x), "max", [Self::Usize(y)]) => (Self::Usize(x.max(*y)), false),
            (Self::Usize(x), "saturating_sub", [Self::Usize(y)]) => (Self::Usize(x.saturating_sub(*y)), false),
            _ => unreachable!("{self:?}.{name}({args:?})"),
        }
    }
}
