//! What a failed check of a compiled program was about.

/// The kind of mistake that a check finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A subscript outside its dimension.
    Bounds,
    /// A subscript that is not a whole number.
    Whole,
    /// A complex result in a real program.
    Complex,
    /// A variable without a value.
    Undefined,
    /// What the program itself demands, by `assert`.
    Program,
    /// What else a function or an operation demands.
    Other,
}

impl Cause {
    /// All of them.
    pub const ALL: [Cause; 6] =
        [Cause::Bounds, Cause::Whole, Cause::Complex, Cause::Undefined, Cause::Program, Cause::Other];

    /// Its name in the text of the intermediate form; none for the last.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Bounds => "bounds",
            Cause::Whole => "whole",
            Cause::Complex => "complex",
            Cause::Undefined => "undefined",
            Cause::Program => "program",
            Cause::Other => "",
        }
    }
}
