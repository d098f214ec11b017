//! What a test at run time says if it fails.

pub use megha_base::cause::Cause;

/// What is wrong if a condition does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Check {
    /// Of which kind.
    pub cause: Cause,
    /// In words.
    pub text: String,
}

impl Check {
    /// A subscript outside its dimension.
    pub fn bounds(text: impl Into<String>) -> Check {
        Check { cause: Cause::Bounds, text: text.into() }
    }

    /// A complex result in a real program.
    pub fn complex(text: impl Into<String>) -> Check {
        Check { cause: Cause::Complex, text: text.into() }
    }
}

impl From<&str> for Check {
    fn from(text: &str) -> Check {
        text.to_owned().into()
    }
}

impl From<String> for Check {
    fn from(text: String) -> Check {
        Check { cause: Cause::Other, text }
    }
}
