//! Classes and types of values.

use super::size::Size;
use megha_base::plan::Element;
use std::fmt;

/// The class of an array's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are MATLAB's own")]
pub enum Class {
    Double,
    Single,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Logical,
    /// A pair of `Double`; only while a function is lowered.
    Complex,
    /// Text; only constants for messages.
    Char,
    /// The machine's 64-bit integer: sizes, subscripts, loop counters. Not a class of MATLAB.
    Index,
}

impl Class {
    /// The elements of an array of this class as plans for devices name them; texts and complex numbers have none.
    pub fn element(self) -> Option<Element> {
        Some(match self {
            Self::Double => Element::F64,
            Self::Single => Element::F32,
            Self::Int8 => Element::I8,
            Self::Int16 => Element::I16,
            Self::Int32 => Element::I32,
            Self::Int64 => Element::I64,
            Self::UInt8 => Element::U8,
            Self::UInt16 => Element::U16,
            Self::UInt32 => Element::U32,
            Self::UInt64 => Element::U64,
            Self::Logical => Element::Bool,
            Self::Index => Element::Index,
            Self::Char | Self::Complex => return None,
        })
    }

    /// All classes with the names of the textual IR, which are Rust's.
    pub const NAMES: [(Self, &'static str); 14] = [
        (Self::Double, "f64"),
        (Self::Single, "f32"),
        (Self::Int8, "i8"),
        (Self::Int16, "i16"),
        (Self::Int32, "i32"),
        (Self::Int64, "i64"),
        (Self::UInt8, "u8"),
        (Self::UInt16, "u16"),
        (Self::UInt32, "u32"),
        (Self::UInt64, "u64"),
        (Self::Logical, "bool"),
        (Self::Complex, "c64"),
        (Self::Char, "char"),
        (Self::Index, "index"),
    ];

    /// The name in the textual IR and in Rust-side signatures.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(class, _)| *class == self).map_or("?", |(_, name)| name)
    }

    /// The name that MATLAB's `class` gives.
    pub fn matlab_name(self) -> &'static str {
        match self {
            Self::Double => "double",
            Self::Single => "single",
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::UInt8 => "uint8",
            Self::UInt16 => "uint16",
            Self::UInt32 => "uint32",
            Self::UInt64 => "uint64",
            Self::Logical => "logical",
            Self::Complex => "complex double",
            Self::Char => "char",
            Self::Index => "index",
        }
    }

    /// The class that MATLAB calls by this name.
    pub fn from_matlab_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().map(|(class, _)| *class).find(|c| *c != Self::Index && c.matlab_name() == name)
    }

    /// `double` or `single`.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Double | Self::Single)
    }

    /// One of MATLAB's eight integer classes.
    pub fn is_integer(self) -> bool {
        self.int_bits().is_some()
    }

    /// Width and signedness of an integer class.
    pub fn int_bits(self) -> Option<(u32, bool)> {
        Some(match self {
            Self::Int8 => (8, true),
            Self::Int16 => (16, true),
            Self::Int32 => (32, true),
            Self::Int64 => (64, true),
            Self::UInt8 => (8, false),
            Self::UInt16 => (16, false),
            Self::UInt32 => (32, false),
            Self::UInt64 => (64, false),
            Self::Double | Self::Single | Self::Logical | Self::Complex | Self::Char | Self::Index => return None,
        })
    }

    /// Bytes of one element in memory.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Complex => 16,
            Self::Double | Self::Int64 | Self::UInt64 | Self::Index => 8,
            Self::Single | Self::Int32 | Self::UInt32 => 4,
            Self::Int16 | Self::UInt16 => 2,
            Self::Int8 | Self::UInt8 | Self::Logical | Self::Char => 1,
        }
    }
}

/// The classes that an operation is defined on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Classes {
    /// All but texts.
    Plain,
    /// Floats, integer classes and `Index`.
    Numbers,
    /// `Double` and `Single`.
    Floats,
    /// Integer classes and `Index`.
    Integers,
    /// `Logical` alone.
    Logical,
    /// `Index` alone.
    Index,
}

impl Classes {
    /// Whether a class is one of them.
    pub fn contain(self, class: Class) -> bool {
        let integer = class.is_integer() || class == Class::Index;
        match self {
            Self::Plain => class != Class::Char,
            Self::Numbers => class.is_float() || integer,
            Self::Floats => class.is_float(),
            Self::Integers => integer,
            Self::Logical => class == Class::Logical,
            Self::Index => class == Class::Index,
        }
    }
}

/// Class and sizes of a value. A scalar has no dimensions; an array has at least two.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Type {
    /// The class of the elements.
    pub class: Class,
    /// The size of each dimension; empty for a scalar.
    pub dims: Vec<Size>,
}

impl Type {
    /// A scalar of this class.
    pub fn scalar(class: Class) -> Self {
        Self { class, dims: Vec::new() }
    }

    /// An array of this class. Trailing dimensions of size one beyond the second are dropped, and an array whose sizes are
    /// all the constant one is a scalar, as in MATLAB.
    pub fn array(class: Class, mut dims: Vec<Size>) -> Self {
        while dims.len() > 2 && dims.last().is_some_and(Size::is_one) {
            dims.pop();
        }
        while dims.len() < 2 {
            dims.push(Size::constant(1));
        }
        if dims.iter().all(Size::is_one) {
            dims.clear();
        }
        Self { class, dims }
    }

    /// Whether this is a scalar.
    pub fn is_scalar(&self) -> bool {
        self.dims.is_empty()
    }

    /// The same sizes with another class.
    pub fn with_class(&self, class: Class) -> Self {
        Self { class, dims: self.dims.clone() }
    }

    /// How many dimensions are not known to be one.
    pub fn order(&self) -> usize {
        self.dims.iter().filter(|dim| !dim.is_one()).count()
    }

    /// Number of dimensions as MATLAB counts them: at least two.
    pub fn ndims(&self) -> usize {
        self.dims.len().max(2)
    }

    /// The size of a dimension (from zero); one beyond the last.
    pub fn dim(&self, axis: usize) -> Size {
        self.dims.get(axis).cloned().unwrap_or_else(|| Size::constant(1))
    }

    /// Number of elements.
    pub fn numel(&self) -> Size {
        self.dims.iter().fold(Size::constant(1), |n, d| n.mul(d))
    }

    /// Whether all dimensions but at most one are the constant one.
    pub fn is_vector(&self) -> bool {
        self.dims.iter().filter(|d| !d.is_one()).count() <= 1
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.class.name())?;
        if !self.dims.is_empty() {
            let dims: Vec<String> = self.dims.iter().map(Size::to_string).collect();
            write!(f, "[{}]", dims.join(", "))?;
        }
        Ok(())
    }
}
