//! Numbers and strings.

use super::{Lexer, word_len};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::Quote;
use crate::matlab::token::TokenKind;

impl Lexer<'_> {
    /// A number at the current position, which starts with a digit or with `.` and a digit.
    pub(super) fn number(&mut self) {
        let rest = self.rest();
        let prefix = rest.get(..2).map(str::to_ascii_lowercase);
        match prefix.as_deref() {
            Some("0x") if word_len(rest) > 2 => self.integer(16),
            Some("0b") if word_len(rest) > 2 => self.integer(2),
            _ => self.decimal(),
        }
    }

    fn decimal(&mut self) {
        let bytes = self.rest().as_bytes();
        let mut len = digits(bytes);
        if bytes.get(len) == Some(&b'.') && dot_belongs_to_number(&bytes[len + 1..]) {
            len += 1;
            len += digits(&bytes[len..]);
        }
        len += exponent(&bytes[len..]);
        let text = self.rest()[..len].replace(['d', 'D'], "e");
        let suffix = word_len(&self.rest()[len..]);
        if let Some(value) = wide(&text).filter(|_| suffix == 0) {
            return self.take(TokenKind::Wide(value), len);
        }
        let imaginary = matches!(&self.rest()[len..len + suffix], "i" | "j" | "I" | "J");
        match text.parse::<f64>() {
            Ok(value) if suffix == 0 || imaginary => {
                self.take(TokenKind::Number { value, imaginary }, len + suffix);
            }
            _ => self.malformed_number(len, suffix),
        }
    }

    /// Reports `2x`, `1e`, `1_000` and takes the digits as the number, so that parsing can go on.
    fn malformed_number(&mut self, len: usize, suffix: usize) {
        let span = self.span(self.pos, self.pos + len + suffix);
        let (digits, word) = self.rest()[..len + suffix].split_at(len);
        let message = format!("`{digits}{word}` is not a number");
        let name_like = word.len() > 1 || !word.starts_with(['e', 'E', 'd', 'D', '_']);
        let help = if word.starts_with('_') {
            String::from("digits are written without underscores")
        } else if name_like && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            format!("to multiply, write `{digits}*{word}`")
        } else {
            String::from("an exponent needs digits: `1e-3`")
        };
        self.error(Code::MalformedNumber, span, message, &help);
        self.take(TokenKind::Number { value: 0.0, imaginary: false }, len + suffix);
    }

    /// `0x1F`, `0b101`, with a suffix such as `u8` or `s16`; else the smallest class that holds the digits written.
    fn integer(&mut self, radix: u32) {
        let len = word_len(self.rest());
        let word = &self.rest()[2..len];
        let digits = word.bytes().take_while(|b| (*b as char).is_digit(radix)).count();
        let (digits, suffix) = word.split_at(digits);
        let value = u64::from_str_radix(digits, radix).ok();
        let written = digits.len() as u32 * if radix == 16 { 4 } else { 1 };
        let natural = written.next_power_of_two().clamp(8, 64) as u8;
        let class = match suffix {
            "" => Some((natural, false)),
            "u8" | "u16" | "u32" | "u64" => suffix[1..].parse().ok().map(|bits| (bits, false)),
            "s8" | "s16" | "s32" | "s64" => suffix[1..].parse().ok().map(|bits| (bits, true)),
            _ => None,
        };
        let fits = |value: u64, bits: u8| bits == 64 || value >> bits == 0;
        match (value, class) {
            (Some(value), Some((bits, signed))) if fits(value, bits) => {
                self.take(TokenKind::Integer { value, bits, signed }, len);
            }
            _ => {
                let span = self.span(self.pos, self.pos + len);
                let message = format!("`{}` is not an integer of up to 64 bits", &self.rest()[..len]);
                let help = "write `0x1F` or `0b101`, with `u8` … `u64` or `s8` … `s64` to fix the class";
                self.error(Code::MalformedNumber, span, message, help);
                self.take(TokenKind::Number { value: 0.0, imaginary: false }, len);
            }
        }
    }

    /// A string at the current position.
    pub(super) fn string(&mut self, quote: Quote) {
        let start = self.pos;
        let mark = if quote == Quote::Single { '\'' } else { '"' };
        let mut text = String::new();
        self.pos += 1;
        loop {
            match self.peek() {
                None | Some('\n') => {
                    self.unterminated(start, mark);
                    break;
                }
                Some(c) if c == mark => {
                    self.pos += 1;
                    if self.peek() != Some(mark) {
                        break;
                    }
                    text.push(mark);
                    self.pos += 1;
                }
                Some('\\') if quote == Quote::Double => self.escape(&mut text),
                Some(c) => {
                    text.push(c);
                    self.pos += c.len_utf8();
                }
            }
        }
        self.put(TokenKind::Str { text, quote }, start);
    }

    fn unterminated(&mut self, start: usize, mark: char) {
        let span = self.span(start, start + 1);
        let message = format!("this string has no closing `{mark}` on its line");
        let mut diagnostic = Diagnostic::error(Code::UnterminatedString, span, message);
        diagnostic = if mark == '\'' && self.text[..start].ends_with([' ', '\t']) {
            diagnostic.help("to transpose, write the quote directly after the value: `a'`")
        } else {
            diagnostic.help(format!("a quote inside the string is written twice: `{mark}{mark}`"))
        };
        self.report(diagnostic);
    }

    /// A backslash and what it stands for.
    fn escape(&mut self, text: &mut String) {
        let start = self.pos;
        let bytes = &self.rest().as_bytes()[1..];
        let radix_digits = |at: usize, radix: u32, most: usize| {
            let of_radix = |b: &&u8| (**b as char).is_digit(radix);
            bytes.get(at..).unwrap_or(&[]).iter().take(most).take_while(of_radix).count()
        };
        let simple = |c: u8| {
            Some(match c {
                b'a' => '\x07',
                b'b' => '\x08',
                b'f' => '\x0c',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'v' => '\x0b',
                b'\\' | b'\'' | b'"' => c as char,
                _ => return None,
            })
        };
        let (octal, hex) = (radix_digits(0, 8, 3), radix_digits(1, 16, 2));
        let first = bytes.first().copied().unwrap_or(b'\n');
        let coded = |from: usize, len: usize, radix: u32| {
            let digits = &self.text[start + 1 + from..start + 1 + from + len];
            u32::from_str_radix(digits, radix).ok().and_then(char::from_u32)
        };
        let (meant, len) = match first {
            b'0'..=b'7' => (coded(0, octal, 8), octal),
            b'x' if hex > 0 => (coded(1, hex, 16), 1 + hex),
            c => (simple(c), 1),
        };
        match meant {
            Some(c) => {
                text.push(c);
                self.pos += 1 + len;
            }
            None => {
                // As Octave does; MATLAB knows no escape sequences in literals.
                self.pos += 1;
                let span = self.span(start, self.pos);
                let message = "this backslash does not start an escape sequence and is left out";
                let warning = Diagnostic::warning(Code::UnknownEscape, span, message);
                self.report(warning.help("write `\\\\` for a backslash, or use '…' quotes"));
            }
        }
    }
}

/// The number of a literal of digits alone, where doubles have gaps.
fn wide(text: &str) -> Option<u64> {
    text.parse().ok().filter(|value| *value > 1 << 53)
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_digit()).count()
}

/// `1.5` and `1.` yes; `1.*x`, `1.'` and `1...` no, given what follows the dot.
fn dot_belongs_to_number(after: &[u8]) -> bool {
    !matches!(after, [b'*' | b'/' | b'\\' | b'^' | b'\'', ..] | [b'.', b'.', ..])
}

/// The length of `e-3`, `d3`, …; 0 if there are no digits.
fn exponent(bytes: &[u8]) -> usize {
    let sign = match bytes {
        [b'e' | b'E' | b'd' | b'D', b'+' | b'-', ..] => 2,
        [b'e' | b'E' | b'd' | b'D', ..] => 1,
        _ => return 0,
    };
    match digits(&bytes[sign..]) {
        0 => 0,
        count => sign + count,
    }
}
