//! The numbered catalogue of diagnostics. Numbers are never reused.

use std::fmt;

macro_rules! catalogue {
    ($($number:literal $name:ident: $title:literal, $explanation:literal;)*) => {
        /// The kinds of mistakes. `Display` gives the number as shown to users, such as `M0003`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $name = $number,)*
        }

        impl Code {
            /// All codes in the order of their numbers.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// A few words that name the kind of mistake.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }

            /// What the mistake is and how to correct it, in some sentences.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$name => $explanation,)* }
            }
        }
    };
}

catalogue! {
    1 SourceTooLarge: "the source file is too large",
        "Megha compiles files of up to 16 MiB.";
}

impl Code {
    /// The number alone.
    pub fn number(self) -> u16 {
        self as u16
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "M{:04}", self.number())
    }
}
