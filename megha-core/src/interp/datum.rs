//! Values while a program runs.

use crate::ir::Class;
use megha_base::int::Integer;
use std::sync::Arc;

/// Calls a macro with every class that has elements and the Rust type of an element.
macro_rules! for_each_class {
    ($macro:ident) => {
        $macro! {
            Double f64, Single f32, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64,
            Logical bool, Index i64
        }
    };
}

macro_rules! define {
    ($($class:ident $t:ty),*) => {
        /// One number with its class.
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[allow(missing_docs, reason = "the names are the classes'")]
        pub enum Scalar { $($class($t)),* }

        /// Numbers of one class.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(missing_docs, reason = "the names are the classes'")]
        pub enum Elements { $($class(Vec<$t>)),* }

        impl Scalar {
            /// The class.
            pub fn class(self) -> Class {
                match self { $(Self::$class(_) => Class::$class),* }
            }
        }

        impl Elements {
            /// As many zeros of a class; `None` for text and complex numbers.
            pub fn zeros(class: Class, len: usize) -> Option<Self> {
                Some(match class {
                    $(Class::$class => Self::$class(vec![Default::default(); len]),)*
                    Class::Char | Class::Complex => return None,
                })
            }

            /// The class.
            pub fn class(&self) -> Class {
                match self { $(Self::$class(_) => Class::$class),* }
            }

            /// How many.
            pub fn len(&self) -> usize {
                match self { $(Self::$class(list) => list.len()),* }
            }

            /// The number at a position.
            pub fn get(&self, at: usize) -> Option<Scalar> {
                match self { $(Self::$class(list) => list.get(at).copied().map(Scalar::$class)),* }
            }

            /// Replaces the number at a position; false if there is none or the class differs.
            #[must_use]
            pub fn set(&mut self, at: usize, value: Scalar) -> bool {
                match (self, value) {
                    $((Self::$class(list), Scalar::$class(value)) => match list.get_mut(at) {
                        Some(slot) => {
                            *slot = value;
                            true
                        }
                        None => false,
                    },)*
                    _ => false,
                }
            }
        }
    };
}
for_each_class!(define);

impl Elements {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An array: elements counted columns first.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// The sizes, at least two.
    pub dims: Vec<usize>,
    /// The elements; as many as the product of the sizes.
    pub elements: Elements,
}

/// A value. Where the static type is a scalar, so is the datum; an array that happens to be 1-by-1 stays an array.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// One number.
    Scalar(Scalar),
    /// A text.
    Text(Arc<str>),
    /// An array; shared until it is stored to.
    Array(Arc<Array>),
}

impl Array {
    /// An array of these sizes from its elements; `None` if their number is another.
    pub fn new(mut dims: Vec<usize>, elements: Elements) -> Option<Self> {
        normalise(&mut dims);
        let numel = dims.iter().try_fold(1usize, |n, d| n.checked_mul(*d))?;
        (numel == elements.len()).then_some(Self { dims, elements })
    }

    /// The size along an axis (from zero); one beyond the last.
    pub fn dim(&self, axis: usize) -> usize {
        self.dims.get(axis).copied().unwrap_or(1)
    }
}

/// Two sizes at least, and none beyond the second that is a trailing one.
pub fn normalise(dims: &mut Vec<usize>) {
    while dims.len() > 2 && dims.last() == Some(&1) {
        dims.pop();
    }
    while dims.len() < 2 {
        dims.push(1);
    }
}

impl Datum {
    /// A `double`.
    pub fn double(value: f64) -> Self {
        Self::Scalar(Scalar::Double(value))
    }

    /// A `double` array; `None` if the number of elements is not the product of the sizes.
    pub fn doubles(dims: &[usize], elements: Vec<f64>) -> Option<Self> {
        Array::new(dims.to_vec(), Elements::Double(elements)).map(|a| Self::Array(Arc::new(a)))
    }

    /// The class.
    pub fn class(&self) -> Class {
        match self {
            Self::Scalar(s) => s.class(),
            Self::Text(_) => Class::Char,
            Self::Array(a) => a.elements.class(),
        }
    }

    /// The sizes; those of a scalar (or text) are ones.
    pub fn dims(&self) -> &[usize] {
        match self {
            Self::Scalar(_) | Self::Text(_) => &[1, 1],
            Self::Array(a) => &a.dims,
        }
    }

    /// Number of elements.
    pub fn numel(&self) -> usize {
        match self {
            Self::Scalar(_) | Self::Text(_) => 1,
            Self::Array(a) => a.elements.len(),
        }
    }

    /// The element at a position, columns first; `None` past the end and for text.
    pub fn get(&self, at: usize) -> Option<Scalar> {
        match self {
            Self::Scalar(s) => (at == 0).then_some(*s),
            Self::Text(_) => None,
            Self::Array(a) => a.elements.get(at),
        }
    }

    /// The bytes that the elements take.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Scalar(_) | Self::Text(_) => 0,
            Self::Array(a) => a.elements.len() as u64 * a.elements.class().bytes(),
        }
    }

    /// All elements as doubles, for tests and comparisons; `None` for text.
    pub fn to_doubles(&self) -> Option<Vec<f64>> {
        (0..self.numel()).map(|i| self.get(i).map(Scalar::to_f64)).collect()
    }
}

impl Scalar {
    /// The nearest double; truth values are 0 and 1.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Double(x) => x,
            Self::Single(x) => x.into(),
            Self::Logical(b) => f64::from(u8::from(b)),
            _ => self.to_wide().unwrap_or(0) as f64,
        }
    }

    /// The number, if the class is one of whole numbers or logical.
    pub fn to_wide(self) -> Option<i128> {
        Some(match self {
            Self::Double(_) | Self::Single(_) => return None,
            Self::Int8(i) => i.to_wide(),
            Self::Int16(i) => i.to_wide(),
            Self::Int32(i) => i.to_wide(),
            Self::Int64(i) | Self::Index(i) => i.to_wide(),
            Self::UInt8(i) => i.to_wide(),
            Self::UInt16(i) => i.to_wide(),
            Self::UInt32(i) => i.to_wide(),
            Self::UInt64(i) => i.to_wide(),
            Self::Logical(b) => b.into(),
        })
    }
}

pub(super) use for_each_class;
