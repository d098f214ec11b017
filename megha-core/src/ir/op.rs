//! The operations: each is declared once, here. [`super::declare`] says what a declaration holds and what follows from it.

use std::hash::{Hash, Hasher};

use super::check::Check;
use super::complex::Part;
use super::declare::{Effect, Kind, Place, Results, functions, named, operations};
use super::entity::{FuncId, Value};
use super::kernel::{Kernel, Mem};
use super::operands::Field;
use super::size::Size;
use super::types::Classes;
use super::written::Written;
use super::{Class, Region};

operations!(
    /// What a statement does. The types of its results are in the function's table of values.
    Op {
        /// A scalar constant of the result's class.
        Const(constant: Const) => Scalar, Anywhere, Effect::None, Results::Count(1);
        /// An `Index` scalar: the value of a size expression.
        Size(size: Size) => Scalar, Anywhere, Effect::None, Results::Count(1);
        /// An element-wise function of one operand.
        Unary(function: Unary, a: Value) => Elementwise, Anywhere, Effect::None, Results::Count(1);
        /// An element-wise function of two operands of one class.
        Binary(function: Binary, a: Value, b: Value) => Elementwise, Anywhere, Effect::None, Results::Count(1);
        /// Element-wise: the second operand where the first (`Logical`) is true, else the third.
        Select(cond: Value, a: Value, b: Value) => Elementwise, Anywhere, Effect::None, Results::Count(1);
        /// An element-wise function of floats: `a * b + c` with one rounding.
        Fma(a: Value, b: Value, c: Value) => Elementwise, Anywhere, Effect::None, Results::Count(1);
        /// To the class of the result as MATLAB converts: to an integer class by rounding half away from zero and saturation, to
        /// logical by `~= 0`. From `Index` to a float: the nearest. From a float to `Index`: truncation towards zero, what
        /// is out of range at its ends; which number NaN gives is open.
        Convert(a: Value) => Elementwise, Anywhere, Effect::None, Results::Count(1);
        /// A `Double` or integer-class scalar to `Index`; an error at run time unless it is a whole number of magnitude below 2^53.
        ToIndex(a: Value) => Scalar, Anywhere, Effect::MayFail, Results::Count(1);
        /// The bits of a `Double` as `Index`; those of a `Single` are the low 32 bits, and the others are zero.
        Bits(a: Value) => Scalar, Anywhere, Effect::None, Results::Count(1);
        /// The `Double` of these bits, or the `Single` of the low 32.
        FromBits(a: Value) => Scalar, Anywhere, Effect::None, Results::Count(1);

        /// The complex numbers with these real and imaginary parts, of one type. Only while a function is lowered.
        Complex(re: Value, im: Value) => Whole, Host, Effect::None, Results::Count(1);
        /// The real or the imaginary parts of complex numbers. Only while a function is lowered.
        Part(part: Part, a: Value) => Whole, Host, Effect::None, Results::Count(1);

        /// An array of the result's type: a scalar repeated, or an array repeated along the dimensions where its size is one.
        Fill(a: Value) => Whole, Host, Effect::None, Results::Count(1);
        /// An array of the result's type in which a scalar is repeated, but for elements of these boxes, which hold anything. Each of them is stored
        /// before anything reads it or hands the array on; whoever makes such a statement (`fills`) has proven it.
        FillAround {
            /// The scalar.
            a: Value,
            /// What is left out.
            boxes: Vec<Written>,
        } => Whole, Host, Effect::None, Results::Count(1);
        /// A row `start + k*step`, k = 0, 1, ...; both operands scalars of the result's class, or `Index` for a `Double` result
        /// all of whose elements are whole numbers.
        Range {
            /// The first element.
            start: Value,
            /// The difference of neighbours.
            step: Value,
        } => Whole, Host, Effect::None, Results::Count(1);
        /// A row of equally spaced numbers from the first to the second operand, both included exactly.
        Linspace(first: Value, last: Value) => Whole, Host, Effect::None, Results::Count(1);
        /// The identity matrix of the result's type.
        Eye => Whole, Host, Effect::None, Results::Count(1);
        /// Elements of an array.
        Index {
            /// The array that is read.
            array: Value,
            /// Its subscripts.
            subs: Vec<Sub>,
            /// Whether bounds are to be tested at run time.
            checked: bool,
        } => Whole, Host, Effect::tested(*checked), Results::Count(1);
        /// The array with some elements replaced.
        Store {
            /// The array before.
            array: Value,
            /// Its subscripts.
            subs: Vec<Sub>,
            /// A scalar, or an array of the sizes that the subscripts give.
            value: Value,
            /// Whether bounds are to be tested at run time.
            checked: bool,
        } => Whole, Host, Effect::tested(*checked), Results::Count(1);
        /// The transposed matrix (without conjugation).
        Transpose(a: Value) => Whole, Host, Effect::None, Results::Count(1);
        /// The same elements, counted columns first, in the sizes of the result.
        Reshape(a: Value) => Whole, Host, Effect::None, Results::Count(1);
        /// The elements in an array of the result's sizes, of which none is smaller: each keeps its subscripts, new elements are
        /// zero. The operand may be a scalar, or have fewer dimensions (the missing ones are of size one).
        Resize(a: Value) => Whole, Host, Effect::None, Results::Count(1);
        /// Blocks side by side along an axis.
        Concat(axis: usize, parts: Vec<Value>) => Whole, Host, Effect::None, Results::Count(1);
        /// Combines the elements along these axes, which keep the size one; the order is that of [`super::kernel::Out::Reduce`].
        Reduce(how: ReduceOp, a: Value, axes: Vec<usize>) => Whole, Host, Effect::None, Results::Count(1);
        /// Running sums, products, minima or maxima of the elements along an axis, in an array of the operand's type; the order is that of
        /// [`megha_base::scan`].
        Scan(how: ReduceOp, a: Value, axis: usize) => Whole, Host, Effect::None, Results::Count(1);
        /// A call into the run-time library.
        Lib(lib: Lib, args: Vec<Value>) => Whole, Host, Effect::tested(lib.may_fail()), Results::Count(1);
        /// A call of another function of the module.
        Call(callee: FuncId, args: Vec<Value>) => Control, Anywhere, Effect::Visible, Results::OfCallee;

        /// An error at run time unless the `Logical` scalar is true. The text says what is wrong.
        Assert(cond: Value, check: Check) => Action, Anywhere, Effect::MayFail, Results::Count(0);
        /// An error at run time unless the sizes are equal. The text names the operation.
        SameSize(a: Size, b: Size, text: String) => Action, Host, Effect::MayFail, Results::Count(0);
        /// Ends the function with the program's own error.
        Raise {
            /// Such as `price:negative`; may be empty.
            identifier: String,
            /// The format of the message.
            format: String,
            /// The arguments of the format.
            args: Vec<Value>,
        } => Action, Host, Effect::Ends, Results::Count(0);
        /// Writes a message: a format and its arguments.
        Print(stream: Stream, format: String, args: Vec<Value>) => Action, Host, Effect::Visible, Results::Count(0);
        /// Writes an array or scalar to the standard output as a statement without `;` or `disp` does.
        Display(look: Look, args: Vec<Value>) => Action, Host, Effect::Visible, Results::Count(0);
        /// A text (a `Char` scalar) made of its operands.
        Text(how: TextOp, args: Vec<Value>) => Whole, Host, Effect::None, Results::Count(1);
        /// Reads or changes the state of the process that programs share: the generator of random numbers, the clock.
        Ambient(what: Ambient, args: Vec<Value>) => Action, Host, Effect::Visible, Results::Count(usize::from(what.class().is_some()));

        /// Two ways.
        If {
            /// A `Logical` scalar.
            cond: Value,
            /// Where it is true.
            then: Box<Region>,
            /// Where it is false.
            els: Box<Region>,
        } => Control, Anywhere, Effect::within([then, els]), Results::Free;
        /// A loop with a known number of iterations.
        For {
            /// The number of iterations, `Index`; none if negative.
            trip: Value,
            /// The carried values of the first iteration.
            init: Vec<Value>,
            /// What is repeated.
            body: Box<Region>,
        } => Control, Anywhere, Effect::within([body]), Results::Count(init.len());
        /// A loop with a condition.
        While {
            /// The carried values of the first iteration.
            init: Vec<Value>,
            /// Computes the condition.
            cond: Box<Region>,
            /// What is repeated.
            body: Box<Region>,
        } => Control, Anywhere, Effect::MayFail, Results::Count(init.len());
        /// A perfect nest of parallel loops.
        Kernel(kernel: Box<Kernel>) => Control, Host, Effect::of_kernel(&kernel.body), Results::Count(kernel.outs.len());

        /// In a kernel: an element of an in-variable, or of the current state of an out-variable. As many subscripts as the array's
        /// rank, or one that counts columns first.
        Load(mem: Mem, subs: Vec<Value>) => Access, Kernel, Effect::None, Results::Count(1);
        /// In a kernel: stores an element of an out-variable.
        Put(out: usize, subs: Vec<Value>, value: Value) => Access, Kernel, Effect::Stores, Results::Count(0);
        /// In a kernel: this iteration's contribution to a reduction. Exactly once in each iteration.
        Accumulate(out: usize, value: Value) => Access, Kernel, Effect::Stores, Results::Count(0);
    }
);

/// A constant. Floats are equal if their bits are.
#[derive(Debug, Clone)]
pub enum Const {
    /// `Double` or `Single`.
    Float(f64),
    /// An integer class or `Index`.
    Int(i64),
    /// `Logical`.
    Bool(bool),
    /// `Char`: a whole text, not a character.
    Text(String),
}

/// One subscript of [`Op::Index`] and [`Op::Store`]; the section on subscripts in [`crate::ir`] says from what each kind counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Sub {
    /// The whole dimension (`:`).
    All,
    /// One element: an `Index` scalar.
    At(Value),
    /// `start + k*step` for as many k as the size says; `start` is an `Index` scalar. What is left of an index array after its
    /// elimination.
    Range {
        /// The first.
        start: Value,
        /// The difference of neighbours, not zero.
        step: i64,
        /// How many.
        len: Size,
    },
    /// An index array: its elements are what the program sees (`Double` or of an integer class) and so count from one; the section on
    /// subscripts in [`crate::ir`] has the rule.
    Vector(Value),
}

functions!(
    /// Element-wise functions of one operand. `Round` goes half away from zero, `Rint` half to even, `Fix` towards zero.
    Unary {
        Neg = "neg": Numbers, Not = "not": Plain -> Logical, Abs = "abs": Numbers, Sign = "sign": Numbers,
        Floor = "floor": Numbers, Ceil = "ceil": Numbers, Round = "round": Numbers, Fix = "fix": Numbers, Rint = "rint": Numbers,
        IsNan = "isnan": Plain -> Logical, IsInf = "isinf": Plain -> Logical, IsFinite = "isfinite": Plain -> Logical,
        Sqrt = "sqrt": Floats, Exp = "exp": Floats, Expm1 = "expm1": Floats,
        Log = "log": Floats, Log1p = "log1p": Floats, Log2 = "log2": Floats, Log10 = "log10": Floats,
        Sin = "sin": Floats, Cos = "cos": Floats, Tan = "tan": Floats,
        Asin = "asin": Floats, Acos = "acos": Floats, Atan = "atan": Floats,
        Sinh = "sinh": Floats, Cosh = "cosh": Floats, Tanh = "tanh": Floats,
        Asinh = "asinh": Floats, Acosh = "acosh": Floats, Atanh = "atanh": Floats,
        Erf = "erf": Floats, Erfc = "erfc": Floats, Gamma = "gamma": Floats,
    }
);

functions!(
    /// Element-wise functions of two operands. `Min` and `Max` skip NaN; `Mod` takes the divisor's sign, `Rem` the dividend's.
    /// `Shl` drops what leaves the class, `Shr` keeps the sign (of classes that have one), `Shru` does not; `Divu` and `Remu` take
    /// their operands as numbers of 64 bits without sign; `Philox` gives 64 random bits for an element under a key.
    Binary {
        Add = "add": Numbers, Sub = "sub": Numbers, Mul = "mul": Numbers, Div = "div": Numbers, Pow = "pow": Numbers,
        Mod = "mod": Numbers, Rem = "rem": Numbers, Min = "min": Numbers, Max = "max": Numbers,
        Atan2 = "atan2": Floats, Hypot = "hypot": Floats,
        Eq = "eq": Plain -> Logical, Ne = "ne": Plain -> Logical, Lt = "lt": Plain -> Logical,
        Le = "le": Plain -> Logical, Gt = "gt": Plain -> Logical, Ge = "ge": Plain -> Logical,
        And = "and": Logical, Or = "or": Logical, Xor = "xor": Logical,
        BitAnd = "bitand": Integers, BitOr = "bitor": Integers, BitXor = "bitxor": Integers,
        Shl = "shl": Integers, Shr = "shr": Integers, Shru = "shru": Index,
        Divu = "divu": Index, Remu = "remu": Index,
        Philox = "philox": Index,
    }
);

named!(
    /// How a reduction combines. `Min` and `Max` skip NaN and give NaN if nothing else is there; of no elements `Sum` is 0, `Prod`
    /// 1, `Any` false, `All` true, and `Min`/`Max` do not exist.
    ReduceOp { Sum = "sum", Prod = "prod", Min = "min", Max = "max", Any = "any", All = "all" }
);

impl ReduceOp {
    /// What combines two elements.
    pub fn binary(self) -> Binary {
        match self {
            Self::Sum => Binary::Add,
            Self::Prod => Binary::Mul,
            Self::Min => Binary::Min,
            Self::Max => Binary::Max,
            Self::Any => Binary::Or,
            Self::All => Binary::And,
        }
    }
}

named!(
    /// Operations that the run-time library carries out on whole arrays. `MatMulToCompare` makes numbers that compare with zero as the elements of the product `MatMul`
    /// do. `Find` gives the numbers of the true elements, from one and
    /// columns first, in a vector of known length; `Sort` and `SortIndex` (where each element was, from one) take an array, an axis
    /// (`Index`) and whether the order descends (`Logical`), and follow `megha_base::order`. `RandPerm` is a random order of
    /// 1 .. n under a key; `DateVector` the year, month, day, hour, minute and second (UTC) of seconds since 1970, `DateSeconds` the
    /// inverse. `TextLength` is how many characters a text has (`Index`), `TextCodes` their codes in a row of that length. `Fourier`
    /// takes the real and the imaginary part of a matrix, an axis (`Index`) and whether the inverse transform, without its division by n,
    /// is wanted (`Logical`); it gives the transforms of the lines along the axis, cut or filled with zeros to the length that the
    /// result has, with the two parts behind each other in a third dimension. `Lu`, `Cholesky`, `Qr` and `Inverse` take a matrix of doubles and
    /// are `megha_base::dense`: `Lu` gives both factors in one matrix, with one more column for the order of the rows; `Cholesky` the upper
    /// factor, whose diagonal is zero where the matrix is found not to be positive definite; `Qr` so many columns of Q as there is room
    /// for, and next to them R. `Eigenvalues`, of a matrix or of a pair of them, gives their real and their imaginary parts in two columns, `Eigenvectors` the real parts of the
    /// vectors, their imaginary parts, and the values in two more columns, all NaN if they do not converge; `SingularValues` a column of the values,
    /// descending, and behind them the columns of U and V if it has room for all of these or for as many as there are values; it is of NaN if an
    /// element of the matrix is not finite too. The inverse of a singular matrix is infinite.
    /// `Middle` takes an array of floating-point numbers and an
    /// axis (`Index`) and gives of each line along it the two elements in the middle of their order, that in the middle twice where
    /// their number is odd and NaN twice where one is NaN. `Lookup` takes two arrays of doubles, of which the first is in ascending
    /// or descending order, and gives for each element of the second how many of the first do not stand behind it. Both follow `megha_base::order`.
    /// `SumsAt` takes a vector of places, from one, and a value for each of them or one for all, doubles; it gives a column with the sum of the
    /// values of each place, added in their order, and fails at what is no place of the column.
    /// `CountsAt` takes a vector of doubles that are places of the column and gives how many of them are each.
    Lib {
        MatMul = "matmul", MatMulToCompare = "matmul_to_compare", LeftDivide = "mldivide", RightDivide = "mrdivide", Fourier = "fourier",
        Lu = "lu", Cholesky = "cholesky", Qr = "qr", Inverse = "inverse",
        Eigenvalues = "eigenvalues", Eigenvectors = "eigenvectors", SingularValues = "singularvalues",
        RangeLen = "rangelen", Find = "find", Sort = "sort", SortIndex = "sortindex",
        Middle = "middle", Lookup = "lookup", SumsAt = "sumsat", CountsAt = "countsat", RandPerm = "randperm",
        DateVector = "datevector", DateSeconds = "dateseconds", TextLength = "textlength", TextCodes = "textcodes",
    }
);

impl Lib {
    /// Whether this multiplies matrices.
    pub fn multiplies(self) -> bool {
        matches!(self, Self::MatMul | Self::MatMulToCompare)
    }

    /// Whether operands of fitting types can be such that there is no result.
    pub fn may_fail(self) -> bool {
        match self {
            Self::RangeLen | Self::SumsAt => true,
            Self::MatMul | Self::MatMulToCompare => false,
            Self::LeftDivide | Self::RightDivide | Self::Fourier => false,
            Self::Lu | Self::Cholesky | Self::Qr | Self::Inverse => false,
            Self::Eigenvalues | Self::Eigenvectors | Self::SingularValues => false,
            Self::Find
            | Self::Sort
            | Self::SortIndex
            | Self::Middle
            | Self::Lookup
            | Self::CountsAt
            | Self::RandPerm => false,
            Self::DateVector | Self::DateSeconds | Self::TextLength | Self::TextCodes => false,
        }
    }

    /// Whether this is an operation of `megha_base::dense` on one matrix.
    pub fn factors(self) -> bool {
        use Lib::{Cholesky, Eigenvalues, Eigenvectors, Inverse, Lu, Qr, SingularValues};
        matches!(self, Lu | Cholesky | Qr | Inverse | Eigenvalues | Eigenvectors | SingularValues)
    }
}

named!(
    /// Where output goes: the standard output or error; a warning goes to the standard error in a line of its own.
    Stream { Output = "output", Error = "error", Warning = "warning" }
);

/// How a value is displayed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Look {
    /// The name under which a statement without `;` shows it; empty for `disp`.
    pub name: String,
    /// With the digits of `format long`.
    pub long: bool,
    /// What the operands are.
    pub kind: ShownKind,
}

named!(
    /// What the operands of [`Op::Display`] are. `Plain`: an array. `Range`: a range and its limit, `Double`. `Diagonal`: a matrix
    /// that Octave stores as its diagonal. `Permutation`: one that it stores as an order. `Complex`: real and imaginary parts, `Double`, shown as real numbers if the latter are
    /// all zero. `Pairs`: such parts, whatever they are.
    ShownKind { Plain = "plain", Range = "range", Diagonal = "diagonal", Permutation = "permutation", Complex = "complex", Pairs = "pairs" }
);

named!(
    /// How a text is made. `Format`: of a format (`Char`) and its arguments. `Number`: `num2str`, of a scalar or row, with the
    /// significant digits as an `Index` if there are two operands. `Matrix`: `mat2str`, of an array and its significant digits.
    /// `Characters`: of an array of codes. `Pair`: `num2str` of a complex number, its parts and perhaps its significant digits.
    TextOp { Format = "format", Trimmed = "trimmed", Number = "number", Matrix = "matrix", Characters = "characters", Pair = "pair" }
);

named!(
    /// State beyond the function. `Draw`: the key of the next array of random numbers (`Index`). `Seed`: begins the random
    /// numbers of a seed (`Double`). `Time`: seconds since 1970 (`Double`). `CpuTime`: seconds that the process has
    /// computed. `Tic`: starts the timer and gives the time. `Toc`: seconds since then.
    Ambient { Draw = "draw", Seed = "seed", Time = "time", CpuTime = "cputime", Tic = "tic", Toc = "toc" }
);

impl Ambient {
    /// The class of the result; `Seed` has none.
    pub fn class(self) -> Option<Class> {
        match self {
            Self::Draw => Some(Class::Index),
            Self::Seed => None,
            Self::Time | Self::CpuTime | Self::Tic | Self::Toc => Some(Class::Double),
        }
    }
}

impl PartialEq for Const {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Float(_) | Self::Int(_) | Self::Bool(_) | Self::Text(_), _) => false,
        }
    }
}

impl Eq for Const {}

impl Hash for Const {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Float(x) => x.to_bits().hash(state),
            Self::Int(x) => x.hash(state),
            Self::Bool(x) => x.hash(state),
            Self::Text(text) => text.hash(state),
        }
    }
}

impl Const {
    /// The class that a constant of this kind has when nothing else is said.
    pub fn default_class(&self) -> Class {
        match self {
            Self::Float(_) => Class::Double,
            Self::Int(_) => Class::Index,
            Self::Bool(_) => Class::Logical,
            Self::Text(_) => Class::Char,
        }
    }
}
