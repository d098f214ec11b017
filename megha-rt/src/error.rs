//! Run-time errors: what failed, with which shapes, where in the MATLAB source, and what to do.

use std::fmt;

use megha_base::cause::Cause;

/// The result of a compiled function.
pub type Result<T> = std::result::Result<T, Error>;

/// A place in MATLAB source text. Generated code keeps one `static` for each operation that can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Site {
    /// Path of the file that holds the text, as the compiler saw it.
    pub path: &'static str,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The operation as written, for example `a .* x` or `x(i, j)`.
    pub text: &'static str,
}

impl Site {
    /// That of statements which are not the program's: those of library functions.
    pub const NOWHERE: Site = Site { path: "", line: 0, column: 0, text: "" };
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An argument's place is the call in Rust, which the caller knows.
        if self.path.is_empty() {
            return write!(f, "`{}`", self.text);
        }
        write!(f, "`{}` at {}:{}:{}", self.text, self.path, self.line, self.column)
    }
}

/// Why a compiled function stopped. Cheap to pass around: one pointer.
#[derive(Clone, PartialEq, thiserror::Error)]
pub struct Error(Box<(ErrorKind, Site)>);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, site) = &*self.0;
        match kind {
            // What the machine lacks is no matter of the operation that asked first.
            ErrorKind::NoDevice { .. } => write!(f, "{kind}"),
            _ => write!(f, "{kind}\n  in {site}"),
        }
    }
}

/// The message: what a `main` that returns the error, `unwrap` and `expect` show. [`Error::kind`] has the parts.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What went wrong. Shapes list every dimension; indices count from 1 as in MATLAB.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Two operands whose sizes neither agree nor expand.
    #[error("{}", sizes(.operation, .left, .right))]
    SizeMismatch {
        /// The operation, for example "`+`", if only one dimension was compared.
        operation: String,
        /// Shape of the left operand, or its size along the one dimension.
        left: Vec<usize>,
        /// Shape of the right operand, or its size along the one dimension.
        right: Vec<usize>,
    },
    /// Inner dimensions of a matrix product or solve that differ.
    #[error("the matrices {} and {} cannot be combined: {rule}", Shape(.left), Shape(.right))]
    MatrixMismatch {
        /// Shape of the left matrix.
        left: Vec<usize>,
        /// Shape of the right matrix.
        right: Vec<usize>,
        /// The rule in words, for example "columns of the left must equal rows of the right".
        rule: &'static str,
    },
    /// An argument whose shape is not the declared one.
    #[error("argument `{name}` is {}, but must be {declared}{why}", Shape(.got))]
    ArgumentShape {
        /// The argument's name.
        name: &'static str,
        /// The shape given.
        got: Vec<usize>,
        /// The declared shape as written, for example `(n,1)`.
        declared: &'static str,
        /// Where the required numbers come from, for example "; n is 5 here (from `spot`)". May be empty.
        why: String,
    },
    /// An index beyond its dimension, or below 1.
    #[error("{message}")]
    OutOfBounds {
        /// What is said of it.
        message: String,
        /// Which index of which dimension; loops that were tested as a whole do not say.
        at: Option<Outside>,
    },
    /// An index that is not a whole number.
    #[error("{message}")]
    NotAnInteger {
        /// What is said of it.
        message: String,
        /// The value used as an index, if it was kept.
        index: Option<f64>,
    },
    /// A size that is not a whole number or is too large.
    #[error("{value} is not a size: sizes are whole numbers that fit in memory")]
    BadSize {
        /// The value used as a size.
        value: f64,
    },
    /// An array larger than the memory.
    #[error("there is no memory for an array of {} elements: {}", Shape(.shape), lack(*.bytes, *.available))]
    OutOfMemory {
        /// The shape asked for.
        shape: Vec<usize>,
        /// The bytes that it takes; [`u64::MAX`] for more than can be counted.
        bytes: u64,
        /// The bytes that there were, if that is known.
        available: Option<u64>,
    },
    /// A conversion that keeps the number of elements, asked to change it.
    #[error("cannot reshape {} to {}: they hold {} and {} elements",
        Shape(.from), Shape(.to), .from.iter().product::<usize>(), .to.iter().product::<usize>())]
    Reshape {
        /// Shape before.
        from: Vec<usize>,
        /// Shape asked for.
        to: Vec<usize>,
    },
    /// A real-typed program met a complex result.
    #[error("{message}")]
    Complex {
        /// Which function of what, for example "sqrt of a negative number is complex".
        message: String,
    },
    /// A variable read before any value was stored in it, or a name that nothing defines.
    #[error("{message}")]
    Undefined {
        /// What is said of it.
        message: String,
    },
    /// Another demand of a function or of the program that was not met.
    #[error("{message}")]
    Check {
        /// What was demanded.
        message: String,
    },
    /// A device was demanded, and there is none.
    #[error("{reason}")]
    NoDevice {
        /// Why.
        reason: String,
    },
    /// A device failed where it was the only one asked, or had the only copy of an array.
    #[error("the device failed: {reason}")]
    Device {
        /// What it said.
        reason: String,
    },
    /// The program called `error` or `assert`.
    #[error("{message}")]
    User {
        /// The formatted message.
        message: String,
        /// The identifier, for example `price:negative`, if one was given.
        identifier: Option<String>,
    },
}

/// An index that a dimension does not have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outside {
    /// The index, from 1.
    pub index: f64,
    /// The dimension, from 1.
    pub dim: usize,
    /// Elements along it.
    pub extent: usize,
}

impl ErrorKind {
    /// An index outside its dimension, both from 1.
    #[cold]
    pub(crate) fn outside(index: f64, dim: usize, extent: usize) -> ErrorKind {
        let message = format!("index {index} is outside dimension {dim}, which has {extent} elements");
        ErrorKind::OutOfBounds { message, at: Some(Outside { index, dim, extent }) }
    }

    /// An index that is not whole.
    #[cold]
    pub(crate) fn not_whole(index: f64) -> ErrorKind {
        let message =
            format!("an index must be a whole number, but is {index}; use round, floor or ceil to make it one");
        ErrorKind::NotAnInteger { message, index: Some(index) }
    }

    /// An array of this shape, with elements of so many bytes, for which there is no memory.
    #[cold]
    pub(crate) fn out_of_memory(shape: &[usize], each: usize) -> ErrorKind {
        let bytes = shape.iter().try_fold(each as u64, |bytes, extent| bytes.checked_mul(*extent as u64));
        let bytes = if shape.contains(&0) { 0 } else { bytes.unwrap_or(u64::MAX) };
        let available = usize::try_from(bytes).ok().and_then(crate::memory::lacking);
        ErrorKind::OutOfMemory { shape: shape.to_vec(), bytes, available }
    }

    /// Shapes that do not fit together.
    #[cold]
    pub(crate) fn shapes(left: &[usize], right: &[usize]) -> ErrorKind {
        ErrorKind::SizeMismatch { operation: String::new(), left: left.to_vec(), right: right.to_vec() }
    }

    /// A failed check.
    #[cold]
    pub(crate) fn failed(cause: Cause, message: String) -> ErrorKind {
        match cause {
            Cause::Bounds => ErrorKind::OutOfBounds { message, at: None },
            Cause::Whole => ErrorKind::NotAnInteger { message, index: None },
            Cause::Complex => ErrorKind::Complex { message },
            Cause::Undefined => ErrorKind::Undefined { message },
            Cause::Program => ErrorKind::User { message, identifier: None },
            Cause::Other => ErrorKind::Check { message },
        }
    }
}

/// What is said of a lack of memory.
fn lack(bytes: u64, available: Option<u64>) -> String {
    let taken = match bytes {
        u64::MAX => "it takes more bytes than can be counted".to_owned(),
        bytes => format!("it takes {bytes} bytes"),
    };
    available.map_or(taken.clone(), |available| format!("{taken}, and there are {available}"))
}

/// What is said of sizes that differ. If one is 1, the message says how an array is repeated: MATLAB does it by the size that the array
/// happens to have, Megha by the declared one.
fn sizes(operation: &str, left: &[usize], right: &[usize]) -> String {
    let ([left], [right]) = (left, right) else {
        return format!(
            "the sizes do not fit together: {} and {}; each dimension must agree or be 1",
            Shape(left),
            Shape(right)
        );
    };
    let help = match left.min(right) {
        1 => "; to repeat an array along this dimension, declare its size there as 1, or use repmat",
        _ => "",
    };
    format!("{operation}: the sizes {left} and {right} must be equal{help}")
}

impl Error {
    /// An error of `kind` at `site`.
    #[cold]
    pub fn new(kind: ErrorKind, site: &Site) -> Error {
        Error(Box::new((kind, *site)))
    }

    /// The program's own `error(identifier, ..)`; an empty identifier counts as none.
    #[cold]
    pub fn user(identifier: &str, message: String, site: &Site) -> Error {
        let identifier = (!identifier.is_empty()).then(|| identifier.to_string());
        Error::new(ErrorKind::User { message, identifier }, site)
    }

    /// The same error, at this place if it has none.
    #[cold]
    pub(crate) fn placed(mut self, site: &Site) -> Error {
        if self.0.1 == Site::NOWHERE {
            self.0.1 = *site;
        }
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.0
    }

    /// Where in the MATLAB source.
    pub fn site(&self) -> &Site {
        &self.0.1
    }
}

/// Prints a shape as MATLAB does: `3-by-4`.
pub(crate) struct Shape<'a>(pub(crate) &'a [usize]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (d, extent) in self.0.iter().enumerate() {
            write!(f, "{}{extent}", if d == 0 { "" } else { "-by-" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_shapes_and_place() {
        let site = Site { path: "saxpy.m", line: 7, column: 5, text: "a .* x + y" };
        let error = Error::new(ErrorKind::shapes(&[3, 1], &[4, 1]), &site);
        assert_eq!(
            error.to_string(),
            "the sizes do not fit together: 3-by-1 and 4-by-1; each dimension must agree or be 1\n  in `a .* x + y` at saxpy.m:7:5"
        );
        assert_eq!(format!("{error:?}"), error.to_string(), "what `main` shows");
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(error.site().line, 7);
    }
}
