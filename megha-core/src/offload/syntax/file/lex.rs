//! As much of Rust's lexical syntax as finds the ends of items: words, brackets, and what only looks like them.

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'t> {
    /// A name or keyword.
    Word(&'t str),
    /// A string, character, number or lifetime.
    Literal,
    /// An opening bracket.
    Open(u8),
    /// A closing bracket.
    Close,
    /// Anything else, one byte.
    Mark(u8),
}

/// The tokens of a text from a place on.
#[derive(Debug, Clone)]
pub struct Lexer<'t> {
    pub text: &'t str,
    /// Where the next token, or the gap before it, begins.
    pub at: usize,
}

impl<'t> Lexer<'t> {
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Goes past blanks and comments.
    pub fn gap(&mut self) {
        loop {
            match (self.byte(0), self.byte(1)) {
                (b'/', b'/') => self.past(|byte| byte == b'\n'),
                (b'/', b'*') => self.comment(),
                (byte, _) if byte.is_ascii_whitespace() => self.at += 1,
                _ => return,
            }
        }
    }

    fn comment(&mut self) {
        let mut depth = 0;
        while self.at < self.text.len() {
            let (step, change) = match (self.byte(0), self.byte(1)) {
                (b'/', b'*') => (2, 1),
                (b'*', b'/') => (2, -1),
                _ => (1, 0),
            };
            self.at += step;
            depth += change;
            if depth == 0 {
                return;
            }
        }
    }

    /// Goes to behind the next byte of a kind.
    fn past(&mut self, is: impl Fn(u8) -> bool) {
        while self.at < self.text.len() {
            self.at += 1;
            if is(self.text.as_bytes()[self.at - 1]) {
                return;
            }
        }
    }

    /// Goes past a string or character that began, up to an unescaped end.
    fn quoted(&mut self, end: u8) {
        while self.at < self.text.len() {
            let byte = self.byte(0);
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == end {
                return;
            }
        }
    }

    /// Goes past a raw string, from its first `#` or quote on.
    fn raw(&mut self) {
        let from = self.at;
        while self.byte(0) == b'#' {
            self.at += 1;
        }
        let end = format!("\"{}", "#".repeat(self.at - from));
        self.at += 1;
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest.find(&end).map_or(rest.len(), |found| found + end.len());
    }

    /// The next token, and where it begins.
    pub fn next(&mut self) -> Option<(Token<'t>, usize)> {
        self.gap();
        let from = self.at;
        let first = *self.text.as_bytes().get(from)?;
        let token = match first {
            b'(' | b'[' | b'{' => self.one(Token::Open(first)),
            b')' | b']' | b'}' => self.one(Token::Close),
            b'"' => {
                self.at += 1;
                self.quoted(b'"');
                Token::Literal
            }
            b'\'' => self.tick(),
            b'0'..=b'9' => {
                self.word();
                Token::Literal
            }
            _ if is_word(first) => self.word_or_string(),
            _ => self.one(Token::Mark(first)),
        };
        Some((token, from))
    }

    fn one(&mut self, token: Token<'t>) -> Token<'t> {
        self.at += 1;
        token
    }

    /// A character, or a lifetime.
    fn tick(&mut self) -> Token<'t> {
        self.at += 1;
        let rest = &self.text[self.at..];
        let mut chars = rest.chars();
        match (chars.next(), chars.next()) {
            (Some('\\'), _) => self.quoted(b'\''),
            (Some(c), Some('\'')) => self.at += c.len_utf8() + 1,
            _ => self.word(),
        }
        Token::Literal
    }

    fn word(&mut self) {
        while is_word(self.byte(0)) {
            self.at += 1;
        }
    }

    fn word_or_string(&mut self) -> Token<'t> {
        let from = self.at;
        self.word();
        let word = &self.text[from..self.at];
        match (word, self.byte(0), self.byte(1)) {
            ("r" | "br" | "cr", b'"', _) | ("r" | "br" | "cr", b'#', b'"' | b'#') => {
                self.raw();
                Token::Literal
            }
            ("b" | "c", b'"', _) => {
                self.at += 1;
                self.quoted(b'"');
                Token::Literal
            }
            ("b", b'\'', _) => self.tick(),
            ("r", b'#', _) => {
                self.at += 1;
                let from = self.at;
                self.word();
                Token::Word(&self.text[from..self.at])
            }
            _ => Token::Word(word),
        }
    }

    /// Goes past a bracket's contents and its end.
    pub fn group(&mut self) {
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some((Token::Open(_), _)) => depth += 1,
                Some((Token::Close, _)) => depth -= 1,
                Some((Token::Word(_) | Token::Literal | Token::Mark(_), _)) => {}
                None => return,
            }
        }
    }
}

/// Whether a byte is part of a word; all of what is not ASCII is.
fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80
}
