//! Command syntax: `hold on`, `format long`, `clear a b`.

use super::operators::operator_len;
use super::{Arguments, Lexer};
use crate::matlab::ast::Quote;
use crate::matlab::token::TokenKind;

impl Lexer<'_> {
    /// Whether the name `word`, which starts a statement, is followed by words rather than by an expression.
    ///
    /// MATLAB's rule: a blank follows, then no `=` or `(`, and no operator that has a blank on its other
    /// side too; and the name is no variable.
    pub(super) fn is_command(&self, word: &str) -> bool {
        let after = &self.rest()[word.len()..];
        let argument = after.trim_start_matches([' ', '\t']);
        let separate = argument.len() < after.len() && self.arguments != Arguments::Inside;
        if !separate || self.assigned.contains(word) || argument.starts_with("...") {
            return false;
        }
        match argument.chars().next() {
            None | Some('\n' | '\r' | ',' | ';' | '%' | '#' | '(') => false,
            Some('=') if !argument.starts_with("==") => false,
            _ => match operator_len(argument) {
                0 => true,
                len => argument[len..].starts_with(|c: char| !c.is_whitespace()),
            },
        }
    }

    /// Reads the words up to the end of the statement.
    pub(super) fn command_words(&mut self) {
        loop {
            let blanks = self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\r']).len();
            self.pos += blanks;
            match self.peek() {
                None | Some('\n' | ',' | ';' | '%' | '#') => return,
                Some(_) => self.command_word(),
            }
        }
    }

    /// Reads a word. Blanks, commas and semicolons inside its brackets belong to it.
    fn command_word(&mut self) {
        let start = self.pos;
        let (mut word, mut depth) = (String::new(), 0_usize);
        while let Some(c) = self.peek() {
            match c {
                '\n' | '\r' => break,
                ' ' | '\t' | ',' | ';' | '%' | '#' if depth == 0 => break,
                '\'' | '"' => {
                    let quote = if c == '"' { Quote::Double } else { Quote::Single };
                    self.string(quote);
                    if let Some(TokenKind::Str { text, .. }) = self.tokens.pop().map(|t| t.kind) {
                        word.push_str(&text);
                    }
                }
                c => {
                    match c {
                        '(' | '[' | '{' => depth += 1,
                        ')' | ']' | '}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    word.push(c);
                    self.pos += c.len_utf8();
                }
            }
        }
        self.put(TokenKind::Word(word), start);
    }
}
