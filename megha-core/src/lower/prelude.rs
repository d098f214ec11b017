//! The prelude: functions of MATLAB that are plain numeric code, written in MATLAB (`megha-core/src/prelude`).
//!
//! A call is expanded like a call of the program's own functions, so sizes and constants flow through it and it fuses with
//! what surrounds it; some long functions are called ([`CALLED`]). Inside the prelude names mean MATLAB's functions, whatever the program calls its own. A file is parsed
//! when one of its functions is first called. Mistakes and run-time errors inside point at the call in the program: the
//! prelude's files have ids of their own, by which their spans are told from the program's.

use std::sync::OnceLock;

use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::ir::Value;
use crate::matlab::ast::Function;
use crate::matlab::parse;
use crate::source::{FileId, SourceFile, Span};

/// A file of the prelude.
struct Source {
    text: &'static str,
    /// The functions that programs may call.
    names: &'static [&'static str],
    /// Functions that builtins written in Rust and other files call. All others are for the functions of the same file.
    inner: &'static [&'static str],
    functions: OnceLock<Vec<Function>>,
}

impl Source {
    const fn new(text: &'static str, names: &'static [&'static str], inner: &'static [&'static str]) -> Self {
        Self { text, names, inner, functions: OnceLock::new() }
    }

    fn functions(&'static self, number: usize) -> &'static [Function] {
        self.functions.get_or_init(|| {
            let file = SourceFile::new(id(number), String::new(), self.text.to_owned());
            parse(&file, &mut Diagnostics::new()).functions
        })
    }
}

const FILES: usize = 23;

static SOURCES: [Source; FILES] = [
    Source::new(
        include_str!("../prelude/calculus.m"),
        &["trapz", "cumtrapz", "gradient", "cummax", "cummin", "unwrap", "polyarea"],
        &["extreme_places", "complex_extremes"],
    ),
    Source::new(
        include_str!("../prelude/characters.m"),
        &[],
        &[
            "upper_codes",
            "lower_codes",
            "trimmed_codes",
            "print_rows",
            "deblanked_codes",
            "rows_filled",
            "are_blank",
            "are_digits",
            "are_letters",
            "are_upper",
            "are_lower",
            "same_start",
            "repeated_codes",
            "digits_in_base",
            "whole_said",
            "number_said",
            "numbers_said",
        ],
    ),
    Source::new(
        include_str!("../prelude/fourier.m"),
        &["fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "fftshift", "ifftshift"],
        &[],
    ),
    Source::new(
        include_str!("../prelude/functionals.m"),
        &["arrayfun", "bsxfun", "fzero", "fminbnd", "fminsearch"],
        &[],
    ),
    Source::new(
        include_str!("../prelude/integrals.m"),
        &["quad", "quadl", "quadv", "quadgk", "integral", "integral2", "dblquad", "ode45"],
        &[],
    ),
    Source::new(include_str!("../prelude/interpolation.m"), &["interp1", "interp2", "spline", "pchip"], &[]),
    Source::new(
        include_str!("../prelude/linear.m"),
        &["det", "inv", "lu", "chol", "qr", "linsolve", "rref", "expm"],
        &["whole_power", "inverse_of_diagonal"],
    ),
    Source::new(
        include_str!("../prelude/spectra.m"),
        &["svd", "rank", "cond", "pinv", "null", "orth", "rcond"],
        &["general_norm", "rotated", "real_form"],
    ),
    Source::new(include_str!("../prelude/eigenvalues.m"), &["eig", "roots"], &["complex_eigenvectors"]),
    Source::new(include_str!("../prelude/unitary.m"), &[], &["complex_triangle"]),
    Source::new(include_str!("../prelude/powers.m"), &["sqrtm", "logm"], &["fractional_power", "power_of_number"]),
    Source::new(
        include_str!("../prelude/bessel.m"),
        &["besselj", "bessely", "besselh"],
        &["each_with_each", "ordinary_pair", "parts_of_gamma", "angle_over_sine", "ratio_of_sinh", "sin_of_turns"],
    ),
    Source::new(include_str!("../prelude/modified_bessel.m"), &["besseli", "besselk", "airy"], &[]),
    Source::new(include_str!("../prelude/calendars.m"), &["datenum", "is_leap_year", "eomday"], &[]),
    Source::new(include_str!("../prelude/fields.m"), &["del2", "inpolygon", "rectint"], &[]),
    Source::new(
        include_str!("../prelude/signals.m"),
        &["detrend", "freqz", "periodogram", "interpft", "fftconv", "fftfilt"],
        &[],
    ),
    Source::new(
        include_str!("../prelude/special.m"),
        &["psi", "gammainc", "betainc", "expint", "ellipke", "erfcx", "erfcinv", "legendre"],
        &[],
    ),
    Source::new(
        include_str!("../prelude/matrices.m"),
        &[
            "diag",
            "triu",
            "tril",
            "trace",
            "rot90",
            "flip",
            "circshift",
            "toeplitz",
            "hankel",
            "vander",
            "hilb",
            "magic",
            "cross",
            "blkdiag",
            "nonzeros",
            "pascal",
            "issymmetric",
            "vec",
            "postpad",
            "prepad",
            "cart2pol",
            "pol2cart",
            "cart2sph",
            "sph2cart",
            "flipdim",
            "hamming",
            "hanning",
            "blackman",
            "bartlett",
            "compan",
            "wilkinson",
            "invhilb",
            "vech",
            "istril",
            "istriu",
            "isdiag",
            "isbanded",
            "ishermitian",
            "vecnorm",
            "hadamard",
            "givens",
            "planerot",
            "rotdim",
            "shift",
            "resize",
            "isdefinite",
        ],
        &["permute_three", "lines_of", "with_lines"],
    ),
    Source::new(
        include_str!("../prelude/numbers.m"),
        &[
            "primes",
            "isprime",
            "factor",
            "factorial",
            "nchoosek",
            "perms",
            "gcd",
            "lcm",
            "sub2ind",
            "ind2sub",
            "idivide",
            "bitshift",
            "bitcmp",
            "bitget",
            "bitset",
            "nthroot",
            "cbrt",
            "nextpow2",
            "sec",
            "csc",
            "cot",
            "sech",
            "csch",
            "coth",
            "asec",
            "acsc",
            "acot",
            "acoth",
            "sinc",
            "pow2",
            "mpower",
            "sind",
            "cosd",
            "tand",
            "asind",
            "acosd",
            "atand",
            "realpow",
            "deg2rad",
            "rad2deg",
            "logspace",
            "gammaln",
            "lgamma",
            "beta",
            "betaln",
            "cast",
            "flintmax",
            "erfinv",
            "asech",
            "acsch",
            "secd",
            "cscd",
            "cotd",
            "atan2d",
            "signbit",
            "bincoeff",
            "list_primes",
        ],
        &["eps_of", "largest_or_zero", "binary_parts"],
    ),
    Source::new(
        include_str!("../prelude/polynomials.m"),
        &[
            "polyval",
            "polyvalm",
            "polyfit",
            "polyder",
            "polyint",
            "poly",
            "conv",
            "conv2",
            "filter",
            "deconv",
            "filter2",
            "polyreduce",
        ],
        &[],
    ),
    Source::new(
        include_str!("../prelude/sets.m"),
        &["unique", "ismember", "union", "intersect", "setdiff", "setxor", "lookup", "isequal", "sortrows", "issorted"],
        &["complex_sort", "ends_inside"],
    ),
    Source::new(
        include_str!("../prelude/statistics.m"),
        &[
            "var",
            "std",
            "meansq",
            "range",
            "center",
            "zscore",
            "median",
            "mode",
            "cov",
            "corr",
            "corrcoef",
            "histc",
            "hist",
            "accumarray",
            "quantile",
            "prctile",
            "movmean",
            "movmedian",
            "bounds",
            "iqr",
            "mad",
            "skewness",
            "kurtosis",
            "moment",
            "statistics",
            "ranks",
            "spearman",
        ],
        &[],
    ),
    Source::new(
        include_str!("../prelude/wide.m"),
        &[],
        &[
            "wide_plus",
            "wide_minus",
            "wide_minus_from",
            "wide_times",
            "wide_rdivide",
            "wide_ldivide",
            "wide_power",
            "wide_exponent",
            "wide_eq",
            "wide_ne",
            "wide_lt",
            "wide_le",
            "wide_gt",
            "wide_ge",
        ],
    ),
];

/// Functions that are called, not expanded: code of many statements, for arrays of any size, that does not fuse with anything
/// around it. A program that calls `eig` in eight places holds its code once for each class of matrices.
const CALLED: &[&str] = &["complex_triangle", "triangular_eigenvalues", "triangular_eigenvectors"];

/// The functions whose code means the same for complex numbers; the others would be wrong without a conjugate or an absolute
/// value, or compare.
const FOR_COMPLEX: &[&str] = &[
    "accumarray",
    "arrayfun",
    "blkdiag",
    "bsxfun",
    "circshift",
    "complex_extremes",
    "complex_sort",
    "cond",
    "conv",
    "conv2",
    "cross",
    "deconv",
    "det",
    "diag",
    "eig",
    "expm",
    "fft",
    "fft2",
    "fftshift",
    "filter",
    "flip",
    "fractional_power",
    "general_norm",
    "gradient",
    "ifft",
    "ifft2",
    "fftn",
    "ifftn",
    "ifftshift",
    "interp1",
    "inv",
    "isequal",
    "linsolve",
    "logm",
    "permute_three",
    "poly",
    "polyder",
    "polyint",
    "polyfit",
    "polyval",
    "polyvalm",
    "postpad",
    "prepad",
    "power_of_number",
    "rank",
    "roots",
    "rot90",
    "sqrtm",
    "std",
    "svd",
    "toeplitz",
    "trace",
    "trapz",
    "cumtrapz",
    "tril",
    "triu",
    "vander",
    "var",
    "vec",
    "whole_power",
];

/// The place of what is no program's: the statements of a function that several calls share.
pub(super) const NOWHERE: Span = Span { file: FileId(u32::MAX - FILES as u32), start: 0, end: 0 };

/// Ids from the far end, where no source map comes.
fn id(number: usize) -> FileId {
    FileId(u32::MAX - number as u32)
}

fn number_of(span: Span) -> Option<usize> {
    Some((u32::MAX - span.file.0) as usize).filter(|n| *n < SOURCES.len())
}

/// Whether a place is in the prelude.
pub(super) fn contains(span: Span) -> bool {
    number_of(span).is_some()
}

/// Whether a function is one of the prelude that is called rather than expanded.
pub(super) fn is_called(function: &Function) -> bool {
    contains(function.span) && CALLED.contains(&function.name.text.as_str())
}

/// The function of this name for a caller at this place.
pub(super) fn find(name: &str, caller: Span) -> Option<&'static Function> {
    let own = number_of(caller);
    let shared = |s: &Source| s.names.contains(&name) || own.is_some() && s.inner.contains(&name);
    let number = SOURCES.iter().position(shared).or(own)?;
    SOURCES[number].functions(number).iter().find(|f| f.name.text == name)
}

/// The function of this name for a builtin written in Rust.
fn find_inner(name: &str) -> Option<&'static Function> {
    let number = SOURCES.iter().position(|s| s.inner.contains(&name) || s.names.contains(&name))?;
    SOURCES[number].functions(number).iter().find(|f| f.name.text == name)
}

/// The names that programs may call.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().flat_map(|s| s.names).copied()
}

/// The name by which recursion of anonymous functions and those of the prelude is seen: it is no limit to them.
pub(super) const NO_NAME: &str = "@";

/// The name by which recursion of a function is seen while it is expanded. In the prelude it ends by itself: at each level the
/// types or the number of arguments are others.
pub(super) fn recursion_name(function: &Function) -> &str {
    if contains(function.span) { NO_NAME } else { &function.name.text }
}

/// A call in the program that led into the prelude's functions.
pub(super) struct Call {
    function: String,
    at: Span,
    /// Whether a condition decides that it is made.
    pub conditional: bool,
}

impl Call {
    /// A call that stands for all: each says where what goes wrong in it stands.
    pub fn anywhere(function: &Function) -> Self {
        Self { function: function.name.text.clone(), at: NOWHERE, conditional: false }
    }
}

impl<'a> Lower<'a> {
    /// Expands a call of a function of the prelude.
    pub fn call_prelude(
        &mut self,
        function: &'static Function,
        args: Vec<Operand>,
        span: Span,
        wanted: usize,
    ) -> Lowered<Vec<Operand>> {
        if contains(span) {
            return self.prelude_by_orientation(function, args, span, wanted);
        }
        let name = &function.name.text;
        let complex = args.iter().any(|arg| matches!(arg, Operand::Value(v) if self.is_complex(*v)));
        if complex && !FOR_COMPLEX.contains(&name.as_str()) {
            return self.not_for_complex(&format!("`{name}`"), "use real(..), imag(..) or abs(..)", span);
        }
        let outer = self.prelude_call.replace(Call {
            function: function.name.text.clone(),
            at: span,
            conditional: self.is_conditional(),
        });
        let results = self.prelude_by_orientation(function, args, span, wanted);
        self.prelude_call = outer;
        results
    }

    /// Expands a call of a function that the prelude has for a builtin written in Rust.
    pub fn call_inner(&mut self, name: &str, args: Vec<Value>, span: Span, wanted: usize) -> Lowered<Vec<Operand>> {
        let Some(function) = find_inner(name) else {
            return self.stop(Code::Internal, span, format!("the prelude has no `{name}`"));
        };
        self.call_prelude(function, args.into_iter().map(Operand::Value).collect(), span, wanted)
    }

    /// Names a value after the variable that holds it; in the prelude also after the function that the program calls, so that
    /// nobody takes the variable for one of the program's.
    pub fn give_name(&mut self, value: Value, name: &str) {
        let function = self.prelude_call.as_ref().filter(|_| self.in_prelude()).map(|call| &call.function);
        let name = function.map_or_else(|| name.replace('.', "_"), |function| format!("{function}.{name}"));
        self.builder.func.names[value.index()] = Some(name);
    }

    /// Whether a value has no name yet; in the program's own code one from the prelude counts as none.
    pub fn is_nameless(&self, value: Value) -> bool {
        let func = &self.builder.func;
        if self.in_prelude() { func.names[value.index()].is_none() } else { func.variable(value).is_none() }
    }

    /// Whether the innermost function that is being expanded is one of the prelude (or an anonymous one, which names nothing).
    fn in_prelude(&self) -> bool {
        self.calls.last().is_some_and(|function| function == NO_NAME)
    }

    /// The place in the program that a place stands for: in the prelude that of the call that led there.
    pub fn program_span(&self, span: Span) -> Span {
        match &self.prelude_call {
            Some(call) if contains(span) => call.at,
            _ => span,
        }
    }

    /// A mistake in the prelude's code as one of the call that led there. What its code could do instead helps nobody.
    pub fn at_program(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.notes.retain(|(place, _)| !place.is_some_and(contains));
        let Some(Call { function: name, at, .. }) = self.prelude_call.as_ref().filter(|_| contains(diagnostic.span))
        else {
            return diagnostic;
        };
        // A name that only the compiler calls says nothing to who wrote the call under the caret.
        let who = if find_inner(name).is_some() { "this call".to_owned() } else { format!("`{name}`") };
        let message = format!("{who} cannot take these arguments: {}", diagnostic.message);
        Diagnostic { span: *at, message, notes: Vec::new(), help: None, ..diagnostic }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_parse_and_hold_the_functions_of_the_lists() {
        for (number, source) in SOURCES.iter().enumerate() {
            let mut diags = Diagnostics::new();
            let file = SourceFile::new(id(number), String::new(), source.text.to_owned());
            let program = parse(&file, &mut diags);
            assert!(diags.is_empty(), "{:?}: {:?}", source.names, diags.sorted());
            assert!(program.script.is_empty());
            for name in source.names.iter().chain(source.inner) {
                assert!(program.functions.iter().any(|f| f.name.text == *name), "{name}");
            }
        }
    }

    /// A listed name means that file's function in all files: a second function of this name would never be called, or is one that
    /// another file means.
    #[test]
    fn no_other_file_has_a_function_of_a_listed_name() {
        for (number, source) in SOURCES.iter().enumerate() {
            for name in source.names.iter().chain(source.inner) {
                let defined = |at: usize| SOURCES[at].functions(at).iter().filter(|f| f.name.text == *name).count();
                let elsewhere = (0..SOURCES.len()).any(|at| at != number && defined(at) > 0);
                assert!(!elsewhere && defined(number) == 1, "{name}");
            }
        }
    }
}
