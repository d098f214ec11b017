//! `fprintf` templates: `%d %i %u %f %e %g %s %c %x %o %%` with flags, width and precision (either may be `*`), by the rules of
//! GNU Octave 7.3.
//!
//! * The template is used again from its start until the arguments are used up; output stops before the first conversion that
//!   finds none left, so without arguments before the first one.
//! * Arguments are the elements of all arrays in order. A text is one argument for `%s`, or what is left of it, and characters for
//!   other conversions; likewise the next elements of an array as long as they are codes of characters, whole numbers from 0 to 255.
//!   An empty array is one argument that prints nothing, blanks neither but under `%s` and `%c`.
//! * A number that an integer conversion cannot write (a fraction, magnitude of 2^63 and more, a negative one under `%u %x %o`) is
//!   written by `%g` with the same flags, width and precision; likewise a number that is no character under `%c` and `%s`
//!   (Octave 7.3 writes nothing under `%s`). NaN and infinities are `NaN` and `Inf` under every conversion, without a blank for a sign.
//! * Integers of `uint64` are written exactly (as MATLAB does).
//! * Backslash escapes are not interpreted here: [`unescape`] does that, once, when the source is read.

use crate::memory;
use std::fmt;

/// Widths and precisions beyond this are refused.
const MAX_FIELD: usize = 4096;

/// One argument: an element of a numeric array, or a whole text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arg<'a> {
    /// `double`, `single`.
    Float(f64),
    /// An integer class or `logical`.
    Int(i128),
    /// A row of characters.
    Text(&'a str),
    /// An array without elements.
    Empty,
}

/// What is wrong with a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// Byte position of the `%` in the template.
    pub at: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {} of the format)", self.message, self.at)
    }
}

impl std::error::Error for FormatError {}

/// The text that a template and its arguments give, none of which is an array.
///
/// # Errors
/// As [`format_arrays`].
pub fn format(template: &str, args: &[Arg<'_>]) -> Result<String, FormatError> {
    format_arrays(template, &memory::gathered(args.chunks(1)))
}

/// The text that a template and the elements of its arguments, each of at least one, give.
///
/// # Errors
/// A conversion that is incomplete or unknown, or a width or precision above 4096.
pub fn format_arrays(template: &str, args: &[&[Arg<'_>]]) -> Result<String, FormatError> {
    let pieces = parse(template)?;
    let consuming = pieces.iter().any(|p| matches!(p, Piece::Conversion(_)));
    let mut cursor = Cursor { args, arg: 0, element: 0, character: 0 };
    let (mut out, mut converted) = (String::new(), String::new());
    loop {
        for piece in &pieces {
            match piece {
                Piece::Text(text) => memory::append(&mut out, text),
                Piece::Conversion(_) if cursor.at_end() => return Ok(out),
                Piece::Conversion(conversion) => {
                    converted.clear();
                    convert(conversion, &mut cursor, &mut converted);
                    memory::append(&mut out, &converted);
                }
            }
        }
        if cursor.at_end() || !consuming {
            return Ok(out);
        }
    }
}

/// Checks a template and gives the number of arguments that one pass over it takes.
///
/// # Errors
/// As [`format()`].
pub fn check(template: &str) -> Result<usize, FormatError> {
    let takes = |piece: &Piece<'_>| match piece {
        Piece::Text(_) => 0,
        Piece::Conversion(c) => 1 + usize::from(c.width == Field::Star) + usize::from(c.precision == Some(Field::Star)),
    };
    Ok(parse(template)?.iter().map(takes).sum())
}

/// Replaces the backslash escapes of MATLAB's templates (`\n \t \r \a \b \f \v \\ \' \"`, `\x` and up to two hexadecimal or `\` and up to
/// three octal digits); an unknown escape stays as it is.
pub fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = |from: &str, radix, most| from.chars().take(most).take_while(|c| c.is_digit(radix)).count();
        let (used, plain) = match rest.chars().next() {
            Some('n') => (1, '\n'),
            Some('t') => (1, '\t'),
            Some('r') => (1, '\r'),
            Some('a') => (1, '\x07'),
            Some('b') => (1, '\x08'),
            Some('f') => (1, '\x0c'),
            Some('v') => (1, '\x0b'),
            Some(c @ ('\\' | '\'' | '"')) => (1, c),
            Some('0'..='7') => numbered(&rest[..digits(rest, 8, 3)], 8, 0),
            Some('x') if digits(&rest[1..], 16, 2) > 0 => numbered(&rest[1..1 + digits(&rest[1..], 16, 2)], 16, 1),
            _ => (0, '\\'),
        };
        out.push(plain);
        rest = &rest[used..];
    }
    out + rest
}

/// A character by its number: how much of the text stands for it, and the character.
fn numbered(digits: &str, radix: u32, prefix: usize) -> (usize, char) {
    let code = u32::from_str_radix(digits, radix).unwrap_or(0);
    (prefix + digits.len(), char::from_u32(code).unwrap_or('\u{fffd}'))
}

#[derive(Debug, Clone, PartialEq)]
enum Piece<'a> {
    Text(&'a str),
    Conversion(Conversion),
}

#[derive(Debug, Clone, PartialEq)]
struct Conversion {
    flags: Flags,
    width: Field,
    precision: Option<Field>,
    letter: char,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Flags {
    left: bool,
    plus: bool,
    blank: bool,
    zero: bool,
    alternative: bool,
}

/// A width or a precision.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Field {
    Given(usize),
    /// The next argument.
    Star,
}

fn parse(template: &str) -> Result<Vec<Piece<'_>>, FormatError> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some(percent) = rest.find('%') {
        if percent > 0 {
            pieces.push(Piece::Text(&rest[..percent]));
        }
        let at = template.len() - rest.len() + percent;
        let (conversion, after) = conversion(&rest[percent + 1..]).map_err(|message| FormatError { at, message })?;
        match conversion.letter {
            '%' => pieces.push(Piece::Text("%")),
            _ => pieces.push(Piece::Conversion(conversion)),
        }
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

/// The conversion at the start of `text`, after its `%`, and what follows it.
fn conversion(text: &str) -> Result<(Conversion, &str), String> {
    let mut flags = Flags::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match c {
            '-' => flags.left = true,
            '+' => flags.plus = true,
            ' ' => flags.blank = true,
            '0' => flags.zero = true,
            '#' => flags.alternative = true,
            _ => break,
        }
        rest = &rest[1..];
    }
    let (width, after) = field(rest)?;
    let (precision, after) = match after.strip_prefix('.') {
        Some(after) => field(after).map(|(precision, after)| (Some(precision), after))?,
        None => (None, after),
    };
    let rest = after.trim_start_matches(['l', 'h']);
    match rest.chars().next() {
        Some(letter) if "diufFeEgGscxXo%".contains(letter) => {
            Ok((Conversion { flags, width, precision, letter }, &rest[1..]))
        }
        Some(letter) => Err(format!("`%{letter}` is no conversion; there are %d %i %u %f %e %g %s %c %x %o and %%")),
        None => Err("a conversion is incomplete; a percent sign is written %%".to_owned()),
    }
}

fn field(text: &str) -> Result<(Field, &str), String> {
    if let Some(after) = text.strip_prefix('*') {
        return Ok((Field::Star, after));
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match text[..digits].parse() {
        Ok(number) if number <= MAX_FIELD => Ok((Field::Given(number), &text[digits..])),
        Err(_) if digits == 0 => Ok((Field::Given(0), text)),
        _ => Err(format!("the width or precision {} is above {MAX_FIELD}", &text[..digits])),
    }
}

/// The arguments that are left.
struct Cursor<'a> {
    args: &'a [&'a [Arg<'a>]],
    arg: usize,
    /// The element of the current argument.
    element: usize,
    /// Characters of the current text that are used already.
    character: usize,
}

impl<'a> Cursor<'a> {
    fn at_end(&self) -> bool {
        self.arg >= self.args.len()
    }

    /// The elements of the current argument that are left.
    fn elements(&self) -> &'a [Arg<'a>] {
        self.args.get(self.arg).and_then(|arg| arg.get(self.element..)).unwrap_or_default()
    }

    fn pass(&mut self, elements: usize) {
        (self.element, self.character) = (self.element + elements, 0);
        if self.elements().is_empty() {
            (self.arg, self.element) = (self.arg + 1, 0);
        }
    }

    /// The next element; of a text its next character as a number.
    fn next(&mut self) -> Arg<'a> {
        let Some(element) = self.elements().first() else { return Arg::Empty };
        let Arg::Text(text) = element else {
            self.pass(1);
            return *element;
        };
        let mut left = text.chars().skip(self.character);
        let character = left.next();
        match left.next() {
            Some(_) => self.character += 1,
            None => self.pass(1),
        }
        character.map_or(Arg::Empty, |c| Arg::Int(u32::from(c).into()))
    }

    /// What is left of the current text, or the characters whose codes come next in the current array.
    fn text(&mut self) -> Option<String> {
        if let Some(Arg::Text(text)) = self.elements().first() {
            let rest = memory::characters(text.chars().skip(self.character));
            self.pass(1);
            return Some(rest);
        }
        let text = memory::characters(self.elements().iter().map_while(|code| character(*code)));
        let count = text.chars().count();
        (count > 0).then(|| {
            self.pass(count);
            text
        })
    }

    fn field(&mut self, field: Field) -> Option<i64> {
        match field {
            Field::Given(number) => i64::try_from(number).ok(),
            Field::Star => {
                let limit = MAX_FIELD as i64;
                match self.next() {
                    Arg::Int(number) => Some(number.clamp((-limit).into(), limit.into()) as i64),
                    Arg::Float(number) => Some((number as i64).clamp(-limit, limit)),
                    Arg::Text(_) | Arg::Empty => None,
                }
            }
        }
    }
}

fn convert(conversion: &Conversion, cursor: &mut Cursor<'_>, out: &mut String) {
    let mut flags = conversion.flags;
    let width = cursor.field(conversion.width).unwrap_or(0);
    flags.left |= width < 0;
    let width = usize::try_from(width.unsigned_abs()).unwrap_or(0);
    // As in C, a negative precision is none.
    let precision = conversion.precision.and_then(|p| cursor.field(p)).and_then(|p| usize::try_from(p).ok());
    let letter = conversion.letter;
    let text = if letter == 's' { cursor.text() } else { None };
    let body = match text {
        Some(text) => Body::plain(memory::characters(text.chars().take(precision.unwrap_or(usize::MAX)))),
        None => match cursor.next() {
            Arg::Empty | Arg::Text(_) if matches!(letter, 's' | 'c') => Body::plain(String::new()),
            Arg::Empty | Arg::Text(_) => return,
            Arg::Float(x) => number(letter, flags, precision, x, whole_value(x)),
            Arg::Int(i) => number(letter, flags, precision, i as f64, Some(i)),
        },
    };
    body.pad(flags, width, out);
}

/// The character that an element is the code of, up to 255.
fn character(element: Arg<'_>) -> Option<char> {
    let code = match element {
        Arg::Float(x) => whole_value(x)?,
        Arg::Int(i) => i,
        Arg::Text(_) | Arg::Empty => return None,
    };
    u8::try_from(code).ok().map(char::from)
}

/// The whole number that integer conversions write for a double; none beyond the 64-bit range, where digits would be made up.
fn whole_value(x: f64) -> Option<i128> {
    (x.fract() == 0.0 && x.abs() < 2f64.powi(63) || x == -(2f64.powi(63))).then_some(x as i128)
}

/// A converted number: sign or prefix, then digits; zeros may go between them.
struct Body {
    sign: String,
    digits: String,
    zeros_allowed: bool,
}

impl Body {
    fn plain(digits: String) -> Self {
        Self { sign: String::new(), digits, zeros_allowed: false }
    }

    fn pad(self, flags: Flags, width: usize, out: &mut String) {
        let missing = width.saturating_sub(self.sign.chars().count() + self.digits.chars().count());
        let zeros = flags.zero && self.zeros_allowed && !flags.left;
        if !flags.left && !zeros {
            out.extend(std::iter::repeat_n(' ', missing));
        }
        out.push_str(&self.sign);
        if zeros {
            out.extend(std::iter::repeat_n('0', missing));
        }
        out.push_str(&self.digits);
        if flags.left {
            out.extend(std::iter::repeat_n(' ', missing));
        }
    }
}

fn number(letter: char, flags: Flags, precision: Option<usize>, x: f64, whole: Option<i128>) -> Body {
    if !x.is_finite() {
        let digits = if x.is_nan() { "NaN" } else { "Inf" };
        let flags = Flags { blank: false, ..flags };
        return Body { sign: sign(flags, x < 0.0), digits: digits.to_owned(), zeros_allowed: false };
    }
    match (letter, whole) {
        ('s' | 'c', Some(code)) => {
            if let Some(c) = u32::try_from(code).ok().and_then(char::from_u32) {
                return Body::plain(c.to_string());
            }
        }
        ('d' | 'i', Some(i)) => return integer(sign(flags, i < 0), i.unsigned_abs().to_string(), precision),
        ('u', Some(i)) if i >= 0 => return integer(String::new(), i.to_string(), precision),
        ('x' | 'X' | 'o', Some(i)) if i >= 0 => return radix(letter, flags, precision, i),
        _ => {}
    }
    let digits = match letter {
        'f' | 'F' => fixed(x.abs(), precision.unwrap_or(6), flags.alternative),
        'e' | 'E' => exponential(x.abs(), precision.unwrap_or(6), flags.alternative),
        _ => general(x.abs(), precision, flags.alternative),
    };
    let digits = if matches!(letter, 'E' | 'F' | 'G') { digits.to_uppercase() } else { digits };
    Body { sign: sign(flags, x.is_sign_negative()), digits, zeros_allowed: true }
}

fn sign(flags: Flags, negative: bool) -> String {
    let text = match (negative, flags.plus, flags.blank) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    };
    text.to_owned()
}

/// An integer with at least as many digits as the precision says, which also turns padding with zeros off.
fn integer(sign: String, digits: String, precision: Option<usize>) -> Body {
    let digits = match precision {
        Some(0) if digits == "0" => String::new(),
        Some(least) => format!("{digits:0>least$}"),
        None => digits,
    };
    Body { sign, digits, zeros_allowed: precision.is_none() }
}

fn radix(letter: char, flags: Flags, precision: Option<usize>, i: i128) -> Body {
    let (digits, prefix) = match letter {
        'x' => (format!("{i:x}"), "0x"),
        'X' => (format!("{i:X}"), "0X"),
        _ => (format!("{i:o}"), "0"),
    };
    let prefix = if flags.alternative && i != 0 { prefix } else { "" };
    integer(prefix.to_owned(), digits, precision)
}

fn fixed(x: f64, precision: usize, point: bool) -> String {
    let digits = format!("{x:.precision$}");
    if point && precision == 0 { digits + "." } else { digits }
}

/// C's `%e`: at least two digits of exponent, with a sign.
fn exponential(x: f64, precision: usize, point: bool) -> String {
    let (mantissa, exponent) = scientific(x, precision);
    let point = if point && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
}

/// C's `%g`.
fn general(x: f64, precision: Option<usize>, keep_zeros: bool) -> String {
    let significant = precision.unwrap_or(6).max(1);
    let (_, exponent) = scientific(x, significant - 1);
    let plain = exponent >= -4 && usize::try_from(exponent).map_or(true, |e| e < significant);
    let text = if plain {
        let decimals = i64::try_from(significant).unwrap_or(0) - 1 - i64::from(exponent);
        fixed(x, usize::try_from(decimals).unwrap_or(0), keep_zeros)
    } else {
        exponential(x, significant - 1, keep_zeros)
    };
    if keep_zeros {
        return text;
    }
    let (mantissa, tail) = text.split_at(text.find('e').unwrap_or(text.len()));
    match mantissa.contains('.') {
        true => format!("{}{tail}", mantissa.trim_end_matches('0').trim_end_matches('.')),
        false => text,
    }
}

/// Mantissa with this many decimals, correctly rounded, and the decimal exponent.
fn scientific(x: f64, precision: usize) -> (String, i32) {
    let text = format!("{x:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_owned(), exponent.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests;
