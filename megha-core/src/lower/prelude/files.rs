//! The files of the prelude and which of their functions are whose.

use std::sync::OnceLock;

use crate::diag::Diagnostics;
use crate::matlab::ast::Function;
use crate::matlab::parse_from;
use crate::source::{FileId, SourceFile};

/// A file of the prelude.
pub(super) struct Source {
    text: &'static str,
    /// The functions that programs may call.
    pub names: &'static [&'static str],
    /// Functions that builtins written in Rust and other files call. All others are for the functions of the same file.
    pub inner: &'static [&'static str],
    parts: OnceLock<Vec<Part>>,
}

/// A function in the text of a file. It is parsed when it is first called: of a file few are.
struct Part {
    name: &'static str,
    /// Where it begins and ends, with the notes behind it.
    start: usize,
    end: usize,
    function: OnceLock<Option<Function>>,
}

impl Source {
    const fn new(text: &'static str, names: &'static [&'static str], inner: &'static [&'static str]) -> Self {
        Self { text, names, inner, parts: OnceLock::new() }
    }

    /// The function of this name in the file, which has this number.
    pub fn function(&'static self, number: usize, name: &str) -> Option<&'static Function> {
        let part = self.parts.get_or_init(|| parts(self.text)).iter().find(|part| part.name == name)?;
        let parsed = part.function.get_or_init(|| {
            let file = SourceFile::new(id(number), String::new(), self.text[..part.end].to_owned());
            parse_from(&file, part.start, &mut Diagnostics::new()).functions.pop()
        });
        parsed.as_ref()
    }
}

/// The functions of a file: each begins at the start of a line.
fn parts(text: &'static str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut start = 0;
    while let Some(len) = text[start..].find('\n') {
        let line = &text[start..start + len];
        if line.starts_with("function ") {
            if let Some(last) = parts.last_mut() {
                last.end = start;
            }
            let head = line.find('(').map_or(line, |at| &line[..at]).trim_end();
            let name = head.rfind(' ').map_or(head, |at| &head[at + 1..]);
            parts.push(Part { name, start, end: text.len(), function: OnceLock::new() });
        }
        start += len + 1;
    }
    parts
}

pub(super) const FILES: usize = 25;

pub(super) static SOURCES: [Source; FILES] = [
    Source::new(
        include_str!("../../prelude/calculus.m"),
        &["trapz", "cumtrapz", "gradient", "cummax", "cummin", "unwrap", "polyarea"],
        &["extreme_places", "complex_extremes", "complex_cumprod", "angle_of_real"],
    ),
    Source::new(
        include_str!("../../prelude/characters.m"),
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
            "rounded_codes",
            "digits_in_base",
            "whole_said",
            "number_said",
            "numbers_said",
        ],
    ),
    Source::new(
        include_str!("../../prelude/fourier.m"),
        &["fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "fftshift", "ifftshift"],
        &[],
    ),
    Source::new(include_str!("../../prelude/functionals.m"), &["arrayfun", "bsxfun"], &[]),
    Source::new(
        include_str!("../../prelude/integrals.m"),
        &["quad", "quadl", "quadv", "quadgk", "integral", "integral2", "dblquad"],
        &[],
    ),
    Source::new(include_str!("../../prelude/interpolation.m"), &["interp1", "interp2", "spline", "pchip"], &[]),
    Source::new(
        include_str!("../../prelude/linear.m"),
        &["det", "inv", "lu", "chol", "qr", "linsolve", "rref", "expm"],
        &["whole_power", "inverse_of_diagonal", "number_by_column", "diagonal_times", "times_diagonal"],
    ),
    Source::new(
        include_str!("../../prelude/spectra.m"),
        &["svd", "rank", "cond", "pinv", "null", "orth", "rcond"],
        &["general_norm", "rotated", "real_form"],
    ),
    Source::new(include_str!("../../prelude/eigenvalues.m"), &["eig", "roots"], &["complex_eigenvectors"]),
    Source::new(include_str!("../../prelude/unitary.m"), &[], &["complex_triangle"]),
    Source::new(include_str!("../../prelude/powers.m"), &["sqrtm", "logm"], &["fractional_power", "power_of_number"]),
    Source::new(
        include_str!("../../prelude/bessel.m"),
        &["besselj", "bessely", "besselh"],
        &["each_with_each", "ordinary_pair", "parts_of_gamma", "angle_over_sine", "ratio_of_sinh", "sin_of_turns"],
    ),
    Source::new(include_str!("../../prelude/modified_bessel.m"), &["besseli", "besselk", "airy"], &[]),
    Source::new(include_str!("../../prelude/calendars.m"), &["datenum", "is_leap_year", "eomday"], &[]),
    Source::new(include_str!("../../prelude/fields.m"), &["del2", "inpolygon", "rectint"], &[]),
    Source::new(
        include_str!("../../prelude/signals.m"),
        &["detrend", "freqz", "periodogram", "interpft", "fftconv", "fftfilt"],
        &[],
    ),
    Source::new(
        include_str!("../../prelude/special.m"),
        &["psi", "gammainc", "betainc", "expint", "ellipke", "erfcx", "erfcinv", "legendre"],
        &[],
    ),
    Source::new(
        include_str!("../../prelude/matrices.m"),
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
        &["lines_of", "with_lines"],
    ),
    Source::new(include_str!("../../prelude/minima.m"), &["fzero", "fminbnd", "fminsearch"], &[]),
    Source::new(
        include_str!("../../prelude/numbers.m"),
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
        &["eps_of", "largest_or_zero", "binary_parts", "log_gamma"],
    ),
    Source::new(include_str!("../../prelude/odes.m"), &["ode45", "ode23"], &[]),
    Source::new(
        include_str!("../../prelude/polynomials.m"),
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
        include_str!("../../prelude/sets.m"),
        &["unique", "ismember", "union", "intersect", "setdiff", "setxor", "lookup", "isequal", "sortrows", "issorted"],
        &["complex_sort", "ends_inside"],
    ),
    Source::new(
        include_str!("../../prelude/statistics.m"),
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
        include_str!("../../prelude/wide.m"),
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
pub(super) const CALLED: &[&str] = &["complex_triangle", "triangular_eigenvalues", "triangular_eigenvectors"];

/// The functions whose code means the same for complex numbers; the others would be wrong without a conjugate or an absolute
/// value, or compare.
pub(super) const FOR_COMPLEX: &[&str] = &[
    "accumarray",
    "arrayfun",
    "blkdiag",
    "bsxfun",
    "circshift",
    "center",
    "complex_cumprod",
    "complex_extremes",
    "complex_sort",
    "cond",
    "conv",
    "conv2",
    "cot",
    "cross",
    "csc",
    "deconv",
    "deg2rad",
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
    "poly",
    "polyder",
    "polyint",
    "polyfit",
    "polyval",
    "polyvalm",
    "postpad",
    "prepad",
    "power_of_number",
    "rad2deg",
    "rank",
    "roots",
    "rot90",
    "sec",
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

/// Ids from the far end, where no source map comes.
fn id(number: usize) -> FileId {
    FileId(u32::MAX - number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matlab::parse;

    /// Each function alone is that of the whole file, places included.
    #[test]
    fn functions_are_those_of_their_files() {
        for (number, source) in SOURCES.iter().enumerate() {
            let file = SourceFile::new(id(number), String::new(), source.text.to_owned());
            let whole = parse(&file, &mut Diagnostics::new()).functions;
            assert_eq!(parts(source.text).len(), whole.len());
            for function in whole {
                let found = source.function(number, &function.name.text);
                assert_eq!(format!("{:?}", Some(&function)), format!("{found:?}"), "{}", function.name.text);
            }
        }
    }

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
                let defined = |at: usize| parts(SOURCES[at].text).iter().filter(|part| part.name == *name).count();
                let elsewhere = (0..SOURCES.len()).any(|at| at != number && defined(at) > 0);
                assert!(!elsewhere && defined(number) == 1, "{name}");
            }
        }
    }
}
