//! PTX text as words, numbers and punctuation, each with its line.

use super::SyntaxError;

/// One token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// An identifier, a register (`%r1`, `%tid`) or an opcode without its modifiers.
    Word(String),
    /// A directive, type or modifier with its dot taken away: `.reg` is `reg`.
    Dotted(String),
    /// An integer; the bits of a negative one come from the minus sign before it.
    Int(u64),
    /// A literal in decimal or `0d` form.
    Float(f64),
    /// A literal in `0f` form.
    Single(f32),
    /// A string, as in `.pragma "nounroll"`.
    Text,
    /// Any other character.
    Mark(char),
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Dotted(word) => write!(f, "`.{word}`"),
            Token::Int(value) => write!(f, "`{value}`"),
            Token::Float(value) => write!(f, "`{value}`"),
            Token::Single(value) => write!(f, "`{value}`"),
            Token::Text => write!(f, "a string"),
            Token::Mark(mark) => write!(f, "`{mark}`"),
        }
    }
}

/// All tokens of `text` with their lines, which count from 1.
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token, u32)>, SyntaxError> {
    let mut lexer = Lexer { rest: text, line: 1 };
    let mut tokens = Vec::new();
    while lexer.skip_blanks()? {
        let line = lexer.line;
        tokens.push((lexer.token()?, line));
    }
    Ok(tokens)
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%')
}

impl<'a> Lexer<'a> {
    /// Skips blanks and comments; says whether anything is left.
    fn skip_blanks(&mut self) -> Result<bool, SyntaxError> {
        loop {
            if let Some(comment) = self.rest.strip_prefix("//") {
                self.rest = &comment[comment.find('\n').unwrap_or(comment.len())..];
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest.find("*/") else {
                    return Err(self.error("this comment has no `*/`"));
                };
                self.line += self.rest[..end].matches('\n').count() as u32;
                self.rest = &self.rest[end + 2..];
            } else {
                match self.rest.chars().next() {
                    Some(c) if c.is_whitespace() => {
                        self.line += u32::from(c == '\n');
                        self.rest = &self.rest[c.len_utf8()..];
                    }
                    other => return Ok(other.is_some()),
                }
            }
        }
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError { line: self.line, message: message.into() }
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn token(&mut self) -> Result<Token, SyntaxError> {
        let mut chars = self.rest.chars();
        let first = chars.next().expect("blanks were skipped");
        let second = chars.next().unwrap_or(' ');
        if first.is_ascii_digit() {
            self.number()
        } else if first == '.' && in_word(second) {
            self.rest = &self.rest[1..];
            let word = self.take_while(in_word).to_string();
            // `.L::cluster` and the like keep their colons
            Ok(Token::Dotted(word))
        } else if in_word(first) {
            Ok(Token::Word(self.take_while(in_word).to_string()))
        } else if first == '"' {
            let Some(end) = self.rest[1..].find('"') else {
                return Err(self.error("this string has no closing `\"`"));
            };
            self.rest = &self.rest[end + 2..];
            Ok(Token::Text)
        } else if first.is_ascii_punctuation() {
            self.rest = &self.rest[1..];
            Ok(Token::Mark(first))
        } else {
            Err(self.error(format!("the character {first:?} has no place in PTX")))
        }
    }

    fn number(&mut self) -> Result<Token, SyntaxError> {
        if let Some(hex) = self.rest.strip_prefix("0f").or(self.rest.strip_prefix("0F")) {
            return self.bits(hex, 8).map(|bits| Token::Single(f32::from_bits(bits as u32)));
        }
        if let Some(hex) = self.rest.strip_prefix("0d").or(self.rest.strip_prefix("0D")) {
            return self.bits(hex, 16).map(|bits| Token::Float(f64::from_bits(bits)));
        }
        let start = self.rest;
        let mut text = self.take_while(|c| c.is_ascii_alphanumeric() || c == '.');
        let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        if !hexadecimal && text.ends_with(['e', 'E']) && self.rest.starts_with(['+', '-']) {
            self.rest = &self.rest[1..];
            let exponent = self.take_while(|c| c.is_ascii_digit());
            text = &start[..text.len() + 1 + exponent.len()];
        }
        if !hexadecimal && text.contains(['.', 'e', 'E']) {
            return match text.parse() {
                Ok(value) => Ok(Token::Float(value)),
                Err(_) => Err(self.error(format!("`{text}` is not a number"))),
            };
        }
        let digits = text.strip_suffix('U').unwrap_or(text);
        let value = match digits.get(..2) {
            Some("0x" | "0X") => u64::from_str_radix(&digits[2..], 16),
            Some("0b" | "0B") => u64::from_str_radix(&digits[2..], 2),
            Some(two) if two.starts_with('0') => u64::from_str_radix(digits, 8),
            _ => digits.parse(),
        };
        value.map(Token::Int).map_err(|_| self.error(format!("`{text}` is not an integer of 64 bits")))
    }

    /// The `count` hexadecimal digits of a `0f` or `0d` literal.
    fn bits(&mut self, hex: &'a str, count: usize) -> Result<u64, SyntaxError> {
        self.rest = hex;
        let digits = self.take_while(|c| c.is_ascii_alphanumeric());
        let bits = u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == count);
        bits.ok_or_else(|| {
            self.error(format!("a literal of this form has {count} hexadecimal digits, this one is `{digits}`"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Token {
        let mut all = tokens(text).unwrap();
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0).0
    }

    #[test]
    fn numbers() {
        assert_eq!(only("0x1F"), Token::Int(31));
        assert_eq!(only("017"), Token::Int(15));
        assert_eq!(only("0b101"), Token::Int(5));
        assert_eq!(only("0"), Token::Int(0));
        assert_eq!(only("4294967295U"), Token::Int(u64::from(u32::MAX)));
        assert_eq!(only("1.5"), Token::Float(1.5));
        assert_eq!(only("1.5e-3"), Token::Float(1.5e-3));
        assert_eq!(only("0f3F800000"), Token::Single(1.0));
        assert_eq!(only("0d3FF0000000000000"), Token::Float(1.0));
        for wrong in ["0f3F8", "0d0", "18446744073709551616", "1.5.2", "0x"] {
            assert!(tokens(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_and_lines() {
        let all = tokens("// c\nadd.rn.f64 %fd1, /* \n */ $L_1;").unwrap();
        let lines: Vec<u32> = all.iter().map(|(_, line)| *line).collect();
        assert_eq!(lines, [2, 2, 2, 2, 2, 3, 3]);
        assert_eq!(all[1].0, Token::Dotted("rn".into()));
        assert_eq!(all[3].0, Token::Word("%fd1".into()));
    }
}
