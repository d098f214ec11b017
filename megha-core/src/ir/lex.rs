//! Tokens of the textual IR.

use super::Class;
use super::parse::ParseError;

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tok {
    /// A keyword, the name of an operation, a class or a symbol.
    Word(String),
    /// A text in double quotes, escapes resolved.
    Text(String),
    /// `%3`.
    Number(u32),
    /// `%x`.
    Name(String),
    /// `@f`, `@"f"`, or `@` alone (before `#`) with an empty name.
    Func(String),
    /// `!12`.
    Loc(u32),
    /// An integer without its sign. A hexadecimal one stands for 64 bits.
    Int { value: u64, hex: bool, class: Option<Class> },
    /// A float without its sign.
    Float { value: f64, class: Option<Class> },
    /// Punctuation.
    Punct(&'static str),
    /// The end of the text.
    End,
}

/// A token and where it begins, both counted from one.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub tok: Tok,
    pub line: usize,
    pub column: usize,
}

/// All tokens of a text; the last is [`Tok::End`]. `;` and `//` begin a comment that ends with the line.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer { chars: text.chars().collect(), pos: 0, line: 1, column: 1 };
    let mut out = Vec::new();
    loop {
        lexer.skip_blank();
        let (line, column) = (lexer.line, lexer.column);
        let tok = lexer.token().map_err(|message| ParseError { line, column, message })?;
        let end = tok == Tok::End;
        out.push(Token { tok, line, column });
        if end {
            return Ok(out);
        }
    }
}

/// Whether a name can be written without quotes.
pub(super) fn is_word(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(starts_word) && chars.all(continues_word)
}

fn starts_word(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn continues_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

struct Lexer {
    chars: Vec<char>,
    pos: usize,
    line: usize,
    column: usize,
}

impl Lexer {
    fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.pos + ahead).copied()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += 1;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let start = self.pos;
        self.skip_while(accept);
        self.chars[start..self.pos].iter().collect()
    }

    /// Moves over characters, among which are no line breaks.
    fn skip_while(&mut self, accept: impl Fn(char) -> bool) {
        let (chars, start) = (self.chars.as_slice(), self.pos);
        let mut at = start;
        while at < chars.len() && accept(chars[at]) {
            at += 1;
        }
        self.pos = at;
        self.column += at - start;
    }

    fn skip_blank(&mut self) {
        while let Some(c) = self.peek() {
            if c.is_whitespace() {
                self.bump();
            } else if c == ';' || (c == '/' && self.peek_at(1) == Some('/')) {
                self.skip_while(|c| c != '\n');
            } else {
                return;
            }
        }
    }

    fn token(&mut self) -> Result<Tok, String> {
        let Some(c) = self.peek() else { return Ok(Tok::End) };
        match c {
            '"' => self.text().map(Tok::Text),
            '%' => self.value(),
            '@' => self.func(),
            '!' => {
                self.bump();
                self.index("a source position is `!` and a number").map(Tok::Loc)
            }
            c if starts_word(c) => Ok(Tok::Word(self.take_while(continues_word))),
            c if c.is_ascii_digit() => self.number(),
            _ => self.punctuation(c),
        }
    }

    fn punctuation(&mut self, c: char) -> Result<Tok, String> {
        let found = match (c, self.peek_at(1)) {
            ('-', Some('>')) => "->",
            ('>', Some('=')) => ">=",
            ('<', Some('=')) => "<=",
            ('(', _) => "(",
            (')', _) => ")",
            ('{', _) => "{",
            ('}', _) => "}",
            ('[', _) => "[",
            (']', _) => "]",
            (',', _) => ",",
            (':', _) => ":",
            ('=', _) => "=",
            ('|', _) => "|",
            ('+', _) => "+",
            ('-', _) => "-",
            ('*', _) => "*",
            ('#', _) => "#",
            ('<', _) => "<",
            ('>', _) => ">",
            _ => return Err(format!("the character {c:?} has no meaning here")),
        };
        self.pos += found.len();
        self.column += found.len();
        Ok(Tok::Punct(found))
    }

    fn value(&mut self) -> Result<Tok, String> {
        self.bump();
        match self.peek() {
            Some(c) if c.is_ascii_digit() => self.index("the number of a value is too large").map(Tok::Number),
            Some(c) if starts_word(c) => Ok(Tok::Name(self.take_while(continues_word))),
            _ => Err("`%` must be followed by the number or the name of a value".into()),
        }
    }

    fn func(&mut self) -> Result<Tok, String> {
        self.bump();
        match self.peek() {
            Some('"') => self.text().map(Tok::Func),
            Some('#') => Ok(Tok::Func(String::new())),
            Some(c) if starts_word(c) => Ok(Tok::Func(self.take_while(continues_word))),
            _ => Err("`@` must be followed by the name of a function".into()),
        }
    }

    fn index(&mut self, wrong: &str) -> Result<u32, String> {
        self.take_while(|c| c.is_ascii_digit()).parse().map_err(|_| wrong.to_owned())
    }

    fn text(&mut self) -> Result<String, String> {
        self.bump();
        let mut text = String::new();
        loop {
            match self.bump() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some(c) => text.push(c),
                None => return Err("this text has no closing `\"`".into()),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        match self.bump() {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some('r') => Ok('\r'),
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('u') if self.bump() == Some('{') => {
                let digits = self.take_while(|c| c.is_ascii_hexdigit());
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                match (code, self.bump()) {
                    (Some(c), Some('}')) => Ok(c),
                    _ => Err("`\\u{..}` in this text is not a character".into()),
                }
            }
            _ => Err("a text knows the escapes \\n \\t \\r \\\" \\\\ and \\u{..} only".into()),
        }
    }

    fn number(&mut self) -> Result<Tok, String> {
        if self.peek() == Some('0') && matches!(self.peek_at(1), Some('x' | 'X')) {
            self.bump();
            self.bump();
            return self.hexadecimal();
        }
        let mut text = self.take_while(|c| c.is_ascii_digit());
        let mut float = false;
        if self.peek() == Some('.') {
            float = true;
            self.bump();
            text.push('.');
            text += &self.take_while(|c| c.is_ascii_digit());
        }
        if let Some(exponent) = self.exponent('e') {
            float = true;
            text += &format!("e{exponent}");
        }
        let class = self.suffix()?;
        if float || class.is_some_and(Class::is_float) {
            let value = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
            return Ok(Tok::Float { value, class });
        }
        let value = text.parse().map_err(|_| format!("the integer {text} does not fit into 64 bits"))?;
        Ok(Tok::Int { value, hex: false, class })
    }

    /// Consumes `marker`, a sign and digits, if all that is here.
    fn exponent(&mut self, marker: char) -> Option<String> {
        let signed = matches!(self.peek_at(1), Some('+' | '-'));
        let digit = self.peek_at(if signed { 2 } else { 1 })?;
        if !self.peek()?.eq_ignore_ascii_case(&marker) || !digit.is_ascii_digit() {
            return None;
        }
        self.bump();
        let sign = if signed { self.bump() } else { None };
        let digits = self.take_while(|c| c.is_ascii_digit());
        Some(sign.into_iter().chain(digits.chars()).collect())
    }

    fn suffix(&mut self) -> Result<Option<Class>, String> {
        let suffix = self.take_while(continues_word);
        if suffix.is_empty() {
            return Ok(None);
        }
        match class_by_name(&suffix) {
            Some(class) => Ok(Some(class)),
            None => Err(format!("`{suffix}` is not a class that a number can end in")),
        }
    }

    fn hexadecimal(&mut self) -> Result<Tok, String> {
        let mut digits = self.take_while(|c| c.is_ascii_hexdigit());
        let mut scale = 0i64;
        let point = self.peek() == Some('.');
        if point {
            self.bump();
            let fraction = self.take_while(|c| c.is_ascii_hexdigit());
            scale = -4 * fraction.len() as i64;
            digits += &fraction;
        }
        let value = u64::from_str_radix(digits.trim_start_matches('0'), 16);
        let value = match (value, digits.chars().all(|c| c == '0') && !digits.is_empty()) {
            (_, true) => 0,
            (Ok(value), false) => value,
            (Err(_), false) => return Err(format!("the digits `{digits}` are not 1 to 64 bits")),
        };
        match self.exponent('p') {
            Some(exponent) => {
                let exponent: i64 = exponent.parse().map_err(|_| "this exponent is too large".to_owned())?;
                let value = exact_float(value, exponent.saturating_add(scale))
                    .ok_or("this hexadecimal float has no exact value in double precision")?;
                Ok(Tok::Float { value, class: self.suffix()? })
            }
            None if point => Err("a hexadecimal float needs an exponent: `p0`".into()),
            None => Ok(Tok::Int { value, hex: true, class: None }),
        }
    }
}

/// The class of this textual name.
pub(super) fn class_by_name(name: &str) -> Option<Class> {
    Class::NAMES.iter().find(|(_, n)| *n == name).map(|(class, _)| *class)
}

/// `mantissa * 2^exponent`, unless that is not a finite double exactly.
fn exact_float(mantissa: u64, exponent: i64) -> Option<f64> {
    if mantissa == 0 {
        return Some(0.0);
    }
    let shift = mantissa.trailing_zeros();
    let (odd, exponent) = (mantissa >> shift, exponent.checked_add(i64::from(shift))?);
    let width = i64::from(64 - odd.leading_zeros());
    // The exponent of the highest bit is at most 1023 and that of the lowest at least -1074.
    if width > 53 || exponent.checked_add(width)? > 1024 || exponent < -1074 {
        return None;
    }
    // Two exact steps, because 2^-1074 times a large odd number needs a factor that is no normal number.
    let half = exponent / 2;
    Some(odd as f64 * 2f64.powi(half as i32) * 2f64.powi((exponent - half) as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Tok {
        let all = tokens(text).unwrap();
        assert_eq!(all.len(), 2, "{text}");
        all[0].tok.clone()
    }

    fn float(text: &str) -> f64 {
        match one(text) {
            Tok::Float { value, .. } => value,
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn hexadecimal_floats_are_exact() {
        assert_eq!(float("0x1p0"), 1.0);
        assert_eq!(float("0x1.8p1"), 3.0);
        assert_eq!(float("0x1.921fb54442d18p+1"), std::f64::consts::PI);
        assert_eq!(float("0x1p-1074"), f64::from_bits(1));
        assert_eq!(float("0x1.fffffffffffffp1023"), f64::MAX);
        assert_eq!(float("0x0.0000000000001p-1022"), f64::from_bits(1));
        assert_eq!(float("0x1p-1022"), f64::MIN_POSITIVE);
        for wrong in ["0x1p1024", "0x1p-1075", "0x1.fffffffffffff8p0", "0x1.8", "0xp1", "0x1p99999999999999999999"] {
            assert!(tokens(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_have_suffixes() {
        assert_eq!(one("7i32"), Tok::Int { value: 7, hex: false, class: Some(Class::Int32) });
        assert_eq!(one("7f32"), Tok::Float { value: 7.0, class: Some(Class::Single) });
        assert_eq!(one("1e3"), Tok::Float { value: 1000.0, class: None });
        assert_eq!(one("0xffffffffffffffff"), Tok::Int { value: u64::MAX, hex: true, class: None });
        assert!(tokens("18446744073709551616").is_err());
        assert!(tokens("1x").is_err());
    }

    #[test]
    fn texts_have_escapes() {
        assert_eq!(one(r#""a\n\"\\\u{e9}""#), Tok::Text("a\n\"\\é".into()));
        assert!(tokens("\"abc").is_err());
        assert!(tokens(r#""\q""#).is_err());
        assert!(tokens(r#""\u{110000}""#).is_err());
    }

    #[test]
    fn comments_and_positions() {
        let all = tokens("; first\n  %x // rest\n@f").unwrap();
        let at: Vec<_> = all.iter().map(|t| (t.line, t.column)).collect();
        assert_eq!(at, [(2, 3), (3, 1), (3, 3)]);
        let error = tokens("a\n ?").unwrap_err();
        assert_eq!((error.line, error.column), (2, 2));
    }
}
