//! The numbered catalogue of diagnostics. Numbers are never reused; 1 to 99 are syntax,
//! 101 to 199 meaning, 201 to 299 the way from Rust to a program and back.

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
        "In MATLAB = assigns and == compares. An assignment is a statement of its own and has no value, but for a = b = c of variables.";
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
         Parameters are plain names or ~; Octave's default values, (x, n = 2), are for functions, not for anonymous ones.";
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
    101 SizeMismatch: "sizes that never agree",
        "Element-wise operations need operands whose sizes agree in each dimension, or are 1 there. The sizes shown are \
         those that follow from the declared sizes of the inputs. Transpose one operand, or use * for a matrix product. \
         In a branch it is a warning: the program ends in an error, as in Octave, if it comes there.";
    102 InnerSizes: "matrix product with unequal inner sizes",
        "A*B needs as many columns of A as B has rows. Use .* for the element-wise product, or transpose one factor. \
         In a branch it is a warning.";
    103 ConcatMismatch: "blocks in brackets that do not fit",
        "In [a, b] the blocks need equal numbers of rows, in [a; b] equal numbers of columns. In a branch it is a warning.";
    104 IndexOutOfBounds: "subscript out of bounds",
        "Subscripts run from 1 to the size of the dimension. This one is outside for all inputs. In a branch it is a warning.";
    105 TooManySubscripts: "more subscripts than dimensions",
        "An array takes at most as many subscripts as it has dimensions.";
    106 NotWhole: "number that must be whole",
        "Sizes, subscripts and counts are whole numbers. Use floor(..), round(..) or fix(..) to make one.";
    107 NotScalar: "array where one number is needed",
        "Sizes, range limits and subscripts of single elements are single numbers.";
    108 NotMatrix: "array of three dimensions where a matrix is needed",
        "Matrix products and transposes are defined for matrices. Take a page with a(:, :, k).";
    109 NotConstant: "value that must be known when compiling",
        "Some arguments decide the shape of the compiled code, such as the dimension of sum(x, dim).";
    110 MixedIntegers: "different integer classes in one operation",
        "MATLAB does not combine different integer classes. Convert with double(..) or to one of the classes.";
    111 UnknownName: "unknown name",
        "The name is no variable at this point, no function in this file or beside it, and no function that Megha knows. \
         In a branch it is a warning: the program ends in an error, as in Octave, if it comes there.";
    112 UnknownClass: "unknown class",
        "Classes are double, single, logical, int8 to int64 and uint8 to uint64.";
    113 ArgumentCount: "wrong number of arguments",
        "The function does not take so many or so few arguments.";
    114 ResultCount: "too many results",
        "More results are assigned than the function gives. Look at the line that defines it.";
    115 NoValue: "call without a value",
        "The function does something but gives no value, so it cannot stand in an expression.";
    116 Unassigned: "result that is never assigned",
        "Each result of a function must get a value on every way through it.";
    117 TypeConflict: "variable with different types on different ways",
        "Behind an if or a loop a variable has one class. Here the ways disagree, and the variable is used.";
    119 LoopType: "variable that changes its class in a loop",
        "A variable that goes from one iteration to the next keeps its class; its size may change. A number that is zero or one \
         before a for loop may get the class of what the loop adds to it, and a loop of known, few iterations may change classes.";
    120 Growth: "array that grows",
        "An assignment past the end would enlarge the array in a way that has no one result. Create it with its final size.";
    122 EndOutside: "`end` outside subscripts",
        "`end` is the last subscript of the array that is indexed.";
    123 OutsideLoop: "statement outside a loop or function",
        "break and continue belong into loops, return into functions.";
    124 AlwaysFails: "function that always fails",
        "Every way through the function ends in error(..), so there is nothing to compile.";
    125 Recursion: "recursive call",
        "A function that calls itself is compiled once for each kind of its arguments. It needs a way that returns without \
         a further call, and results of one class and number of dimensions.";
    126 Unsupported: "not supported",
        "This construct is MATLAB, but it is outside what Megha compiles.";
    127 Transpose: "transpose of more than two dimensions",
        "Only matrices have a transpose. Take a page of the array with a(:, :, k), or reorder its dimensions in Rust.";
    131 TextValue: "text where a number is needed",
        "Texts in one row can be compared, joined, taken apart and used as the codes of their characters. A text that holds \
         numbers computed at run time can be printed, raised and put into longer messages, compared and taken apart; what \
         must be known when compiling, such as the name of a function, it cannot be.";
    132 FunctionValue: "function where a number is needed",
        "A function value can be called and passed on, but it is no number.";
    133 Complex: "complex number",
        "The imaginary unit and complex results are not supported.";
    134 Cell: "cell array",
        "Cell arrays hold values of different kinds; compiled code holds numbers in arrays. Lists of one row or column \
         whose elements are known when compiling are possible: varargin, {a, 'b', [1 2]}, c{2}, f(c{:}), c{end + 1} = x, cellfun(@f, c), and \
         loops over them whose number of iterations is known.";
    135 Struct: "struct",
        "Structs whose fields are known when compiling are compiled: each field is a variable. Arrays of structs, the display of whole structs, \
         and structs as arguments and results of functions that Rust calls are not.";
    136 Try: "try .. catch",
        "Errors end a compiled function and reach the Rust caller.";
    137 Global: "global variable",
        "A compiled function depends on its arguments only.";
    138 Persistent: "persistent variable",
        "A compiled function depends on its arguments only. A persistent variable may keep constants: only statements under `if isempty(x)` \
         assign it, and what they compute is the same in every call.";
    139 Eval: "text that is run as a program",
        "eval and its kin run text that is not known when compiling.";
    140 Files: "access to files",
        "Compiled functions compute; reading and writing is done in Rust.";
    141 Graphics: "graphics",
        "Compiled functions compute. Return the data and draw it elsewhere.";
    142 Exist: "question about the existence of variables",
        "Which variables exist is known when compiling. exist('x', 'var') is answered where all ways to it agree; \
         nargin tells how many arguments were given.";
    143 Sparse: "sparse matrix",
        "Sparse matrices are not supported. Store the diagonals or the non-zero values as vectors, or use a full matrix.";
    144 Random: "random numbers of another kind",
        "rand, randn, randi and randperm are compiled, and seeded by rand('seed', s), randn('state', s) or rng(s). \
         The state of the generator cannot be read.";
    145 Clock: "date as a text",
        "tic, toc, time, now, clock, cputime and etime are compiled; texts of dates are made in Rust.";
    146 UnknownFunction: "function that the file does not define",
        "The exported function must be defined in the text or file that is named.";
    147 MissingType: "parameter without a type",
        "Each parameter needs a class and sizes: in an arguments block, or in the Rust-side signature.";
    148 BadSignatureType: "malformed type in a signature",
        "A type is f64, f32, bool, an integer type or usize, followed by sizes in brackets: f64[n, 1].";
    149 UnreadableFile: "file that cannot be read",
        "The file named in the macro or on the command line cannot be read.";
    150 UnsupportedLoop: "form of Rust that offload does not take",
        "#[offload] takes loop nests over ndarray views with counted loops and scalar arithmetic.";
    151 LoopParameter: "signature that offload does not take",
        "Parameters are numbers (f64, f32, i64, usize, bool) and ndarray arrays or views of f64 or f32 with one to three \
         dimensions: ArrayView2<f64>, ArrayViewMut2<f64>, &Array2<f64>, &mut Array2<f64>. The result is a number or nothing.";
    152 LoopTypes: "types that do not agree in an offload function",
        "The types are Rust's own: both operands of an operator have one type, subscripts are usize, conditions bool. \
         Convert with `as`.";
    153 LoopName: "name that an offload function cannot use like this",
        "The function sees its parameters and local variables; only `mut` variables are assigned, and only mutable views \
         and arrays are stored into.";
    154 Variadic: "any number of arguments or results",
        "varargin and varargout need a call in the program that says how many there are. In a function that Rust calls, or that calls \
         itself, name the parameters and results; trailing ones may be left out by the caller, and nargin and nargout tell how many \
         there are.";
    155 BadFormat: "format that cannot be printed",
        "A conversion is a percent sign, flags, a width, a precision and one of d i u f e g s c x o: %8.3f. A percent sign is \
         written %%.";
    156 Interactive: "function of an interactive session",
        "It stops, asks or changes the interpreter in which a program runs. A compiled function returns or raises an error.";
    157 TooLong: "program that becomes too long",
        "Calls are expanded where they stand, so that their code fuses with what surrounds it; after 1500 statements functions are called \
         instead, where their arguments' types alone decide what they do. What is still too long would take minutes to compile.";
    158 NotParallel: "loop that is not parallel, as it was asked to be",
        "#[offload(parallel)] asks for a proof that the iterations of each loop are independent, or that it runs inside of such iterations. \
         The message names the two accesses that stand against it.";
    201 MacroForm: "macro input of no known form",
        "matlab! takes MATLAB functions; |x: f64[n, 1]| -> y { statements }; file \"path.m\"; or a string with MATLAB text. \
         After a file or string may follow, after commas, signatures such as fn f(x: f64[n, 1]) -> y.";
    202 RustSignature: "malformed Rust-side signature",
        "A signature is fn name(x: f64[n, 1], k: usize) -> (y: f64[n, k], z), with `as other` after the name to rename, \
         and pub in front if wanted.";
    203 SignatureMismatch: "signature that does not fit its function",
        "A Rust-side signature names the parameters and results of the MATLAB function, in order. Trailing parameters and \
         trailing results may be left out; types that an arguments block also gives must be the same.";
    204 ResultType: "declared result of another type",
        "The declared class and sizes of a result are compared with those that follow from the program. \
         Leave the type away to take what follows, or write : for a size that does not matter.";
    205 NothingExported: "no function that Rust could call",
        "A function becomes a Rust function if the types of all its parameters are known: from an arguments block, \
         from a signature in Rust or from a comment `% megha: fn name(..)`.";
    206 DeclaredSize: "declared size of an unknown form",
        "A size is a sum of products of numbers and names: (n,1), (n+1,m), (2*n,:).";
    207 Validator: "validator that is not compiled",
        "Of MATLAB's validators those on values are compiled: mustBeInteger, mustBePositive, mustBeNonnegative, mustBeNegative, \
         mustBeNonpositive, mustBeNonzero, mustBeFinite, mustBeNonNan, mustBeReal, mustBeNumeric, mustBeNonempty, mustBeInRange, \
         mustBeGreaterThan, mustBeLessThan, mustBeGreaterThanOrEqual and mustBeLessThanOrEqual.";
    208 NameClash: "two functions of one name",
        "Functions are found by their name, so those of one file need different names. Of another file only the first function \
         is visible.";
    209 RustName: "name that Rust does not allow",
        "The word has a meaning in Rust, so no Rust function or parameter can bear it. Give the function another name with \
         fn name as other(..).";
    210 LooseStatements: "statements outside a function",
        "A program that is called from Rust consists of functions. Statements on their own are a script: its inputs and outputs \
         are named by a signature, fn name(x: f64[n, 1]) -> y, or by the form |x: f64[n, 1]| -> y { statements }.";
    211 DeclaredArgument: "declaration that fits no parameter",
        "Each line of an arguments block declares one parameter of the function, each once.";
    212 NoFolder: "file without a place to start from",
        "A relative path counts from the file that holds the macro, and that file is not known here. Write an absolute path.";
    213 NoCode: "operation without code",
        "The program is correct, but there is no code for one of its operations yet.";
    214 Internal: "mistake in the compiler",
        "The compiler broke a rule of its own. Please report this with the program that shows it.";
    215 Failed: "failure while running",
        "The script came to an operation that has no result for the values it met, or to its own error(..). \
         A compiled function returns such a failure to Rust as an Err with the same words.";
    216 UnreadableRust: "text that is no Rust",
        "The file is read as Rust, as the compiler reads it, to find its offloaded functions and calls of matlab!.";
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
