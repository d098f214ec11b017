//! Small numbers that stand for the entities of the IR; their `Display` is the textual form.

use std::fmt;

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The entity with this number.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 entities"))
            }

            /// The number as an index into the table that holds the entity's data.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

entity!(
    /// An SSA value.
    Value, "%"
);
entity!(
    /// A function of the module.
    FuncId, "@"
);
entity!(
    /// A symbol in size expressions.
    Sym, "$"
);
entity!(
    /// A source position: an index into the front end's table of spans. Number 0 is "nowhere".
    Loc, "!"
);

impl Loc {
    /// The position of statements that no source text stands for.
    pub const NONE: Self = Self(0);
}
