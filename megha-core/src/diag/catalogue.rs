//! The numbered catalogue of diagnostics. Numbers are never reused; 1 to 99 are syntax.

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
    1 SourceTooLarge: "source file too large",
        "A source file may have up to 16 MiB. Move large tables of numbers out of the program and pass them as arguments.";
    2 UnterminatedString: "string without closing quote",
        "A string ends on the line on which it starts. Inside '…' a quote is written twice: 'don''t'. \
         A quote right after a name, a number or a closing bracket is the transpose operator instead.";
    3 UnterminatedBlockComment: "block comment without end",
        "A block comment starts with a line that holds only %{ and ends with a line that holds only %}. \
         Block comments nest, so each %{ needs its own %}.";
    4 StrayCharacter: "character that MATLAB does not use",
        "Outside strings and comments only ASCII letters, digits, underscores and operators may occur. \
         Text copied from documents often carries typographic quotes, dashes or spaces that only look right.";
    5 MalformedNumber: "malformed number",
        "Numbers are written 1, 1.5, .5, 1e-3, 1d3, 2i, 0x1F or 0b101. \
         A number directly followed by a name is not a product: write 2*x.";
    6 ForeignComment: "comment sign of another language",
        "MATLAB comments start with % and run to the end of the line; longer ones stand between lines %{ and %}.";
    7 UnclosedBracket: "bracket without its closing partner",
        "Each (, [ and { needs its ), ] and }. Parentheses must be closed on the same line, \
         or each line but the last must end in the continuation sign ... .";
    8 UnmatchedBracket: "closing bracket without its opening partner",
        "A ), ] or } stands where no bracket of its kind is open.";
    9 ExpectedExpression: "missing value",
        "An operator, bracket or comma is followed by something that is not a value, such as x = 3 + ; or f(1,,2).";
    10 UnexpectedToken: "unexpected text",
        "The text up to here is complete and what follows does not continue it. Often an operator or a comma is missing.";
    11 InvalidTarget: "value that cannot be assigned to",
        "The left side of = must be a variable or a part of one: x, x(i, j), x.f. Several outputs are written [a, b] = f(x).";
    12 AssignmentInExpression: "assignment used as a value",
        "In MATLAB = assigns and == compares. An assignment is a statement of its own and has no value.";
    13 MissingEnd: "block without end",
        "if, for, while, switch, try and arguments need an end. Functions need one too if any function of the file has one.";
    14 UnmatchedEnd: "end without block",
        "This end has no if, for, while, switch, try or function left to close. Check for one end too many above it.";
    15 WrongEnd: "end of another kind of block",
        "Octave's endif, endfor, endwhile and their like close only the block they name. Plain end closes any block.";
    16 MisplacedKeyword: "keyword out of place",
        "else and elseif belong in if, case and otherwise in switch, catch in try, until closes do. \
         A keyword cannot name a variable either.";
    17 NestingTooDeep: "nesting too deep",
        "Brackets, operators and blocks may be nested some hundred levels deep. Give parts of the expression a name.";
    18 EndOutsideIndex: "end outside an index",
        "Inside an index, x(end), end is the last element's index. It means nothing in other expressions.";
    19 ColonOutsideIndex: ": outside an index",
        "A colon on its own means all elements of a dimension, x(:, 1). Elsewhere it needs limits: 1:n.";
    20 BadLoop: "loop in the manner of another language",
        "MATLAB loops over the columns of a value: for i = 1:n … end, for i = n:-1:1 … end.";
    21 BadSignature: "malformed function signature",
        "A function starts with function y = f(x), function [a, b] = f(x, y) or function f(x). \
         Parameters are plain names or ~; they have no default value (test nargin, or use an arguments block).";
    22 BadArguments: "malformed arguments block",
        "Each line of an arguments block is: name (size) class {validators} = default, all but the name optional, \
         such as x (n,1) double. The block stands right after the signature.";
    23 ClassDefinition: "class definition",
        "Megha compiles functions and scripts of numeric arrays. classdef files have no array meaning; \
         keep the numeric part in functions.";
    24 NamedArgument: "argument given by name",
        "f(name=value) and name-value pairs are not compiled; pass arguments by position.";
    25 ForeignOperator: "operator of another language",
        "MATLAB's comparisons are <, <=, >, >=, ==, ~=; logic is &, |, ~ or, for conditions, && and ||. \
         There is no conditional operator ?: and no // division.";
    26 ForeignDeclaration: "declaration in the manner of another language",
        "MATLAB variables come into being by assignment: x = 3. The class follows from the value: x = int32(3).";
    27 UnknownEscape: "unknown escape sequence",
        "In \"…\" the backslash starts an escape: \\n, \\t, \\\\, \\\" and C's others. Write \\\\ for a backslash.";
    28 ParallelBlock: "parallel block",
        "spmd blocks are not compiled. Loops that can run in parallel are found and run in parallel without being told.";
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
