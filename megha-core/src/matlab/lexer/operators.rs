//! Operators, and the characters that are none.

use super::Lexer;
use crate::diag::Code;
use crate::matlab::ast::BinaryOp;
use crate::matlab::token::TokenKind;

/// Operators from long to short, so that the first match is the longest.
const OPERATORS: &[(&str, TokenKind)] = &[
    (".**", TokenKind::Binary(BinaryOp::Pow)),
    (".*", TokenKind::Binary(BinaryOp::Mul)),
    ("./", TokenKind::Binary(BinaryOp::RightDiv)),
    (".\\", TokenKind::Binary(BinaryOp::LeftDiv)),
    (".^", TokenKind::Binary(BinaryOp::Pow)),
    (".+", TokenKind::Plus),
    (".-", TokenKind::Minus),
    (".'", TokenKind::Transpose),
    ("**", TokenKind::Binary(BinaryOp::MatPow)),
    ("==", TokenKind::Binary(BinaryOp::Eq)),
    ("~=", TokenKind::Binary(BinaryOp::Ne)),
    ("!=", TokenKind::Binary(BinaryOp::Ne)),
    ("<=", TokenKind::Binary(BinaryOp::Le)),
    (">=", TokenKind::Binary(BinaryOp::Ge)),
    ("&&", TokenKind::AndAnd),
    ("||", TokenKind::OrOr),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Binary(BinaryOp::MatMul)),
    ("/", TokenKind::Binary(BinaryOp::MatRightDiv)),
    ("\\", TokenKind::Binary(BinaryOp::MatLeftDiv)),
    ("^", TokenKind::Binary(BinaryOp::MatPow)),
    ("<", TokenKind::Binary(BinaryOp::Lt)),
    (">", TokenKind::Binary(BinaryOp::Gt)),
    ("&", TokenKind::Binary(BinaryOp::And)),
    ("|", TokenKind::Binary(BinaryOp::Or)),
    ("~", TokenKind::Not),
    ("!", TokenKind::Not),
    ("=", TokenKind::Assign),
    (":", TokenKind::Colon),
    ("@", TokenKind::At),
    (".", TokenKind::Dot),
];

/// Octave's operators that change a variable; they occur only outside brackets.
const UPDATES: &[(&str, BinaryOp)] = &[
    ("+=", BinaryOp::Add),
    ("-=", BinaryOp::Sub),
    ("*=", BinaryOp::MatMul),
    ("/=", BinaryOp::MatRightDiv),
    ("^=", BinaryOp::MatPow),
    (".*=", BinaryOp::Mul),
    ("./=", BinaryOp::RightDiv),
    (".^=", BinaryOp::Pow),
    ("|=", BinaryOp::Or),
    ("&=", BinaryOp::And),
];

/// Comparisons that other languages write.
const FOREIGN: &[(&str, BinaryOp)] = &[("=<", BinaryOp::Le), ("=>", BinaryOp::Ge), ("<>", BinaryOp::Ne)];

/// The length of the binary operator at the start of `text`; 0 if there is none.
pub(super) fn operator_len(text: &str) -> usize {
    let updates = UPDATES.iter().map(|(symbol, _)| *symbol);
    let operators = OPERATORS.iter().map(|(symbol, _)| *symbol);
    let mut binary = updates.chain(operators).filter(|s| !matches!(*s, "~" | "!" | "@"));
    binary.find(|symbol| text.starts_with(symbol)).map_or(0, str::len)
}

impl Lexer<'_> {
    /// An operator that starts with `c`, or a character that means nothing.
    pub(super) fn operator(&mut self, c: char) {
        let rest = self.rest();
        if let Some(&(symbol, op)) = FOREIGN.iter().find(|(s, _)| rest.starts_with(s)) {
            let span = self.span(self.pos, self.pos + 2);
            let message = format!("`{symbol}` is not an operator of MATLAB");
            let help = format!("write `{}`", op.symbol());
            self.error(Code::ForeignOperator, span, message, &help);
            return self.take(TokenKind::Binary(op), 2);
        }
        if self.open.is_empty() && self.after_operand {
            if let Some(step) = step_operator(rest) {
                return self.take(TokenKind::Step(step), 2);
            }
            let updates = |(symbol, _): &&(&str, BinaryOp)| {
                rest.strip_prefix(symbol).is_some_and(|after| !after.starts_with('='))
            };
            if let Some(&(symbol, op)) = UPDATES.iter().find(updates) {
                self.note_assignment();
                return self.take(TokenKind::OpAssign(op), symbol.len());
            }
        }
        match OPERATORS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
            Some((symbol, kind)) => {
                if *kind == TokenKind::Assign {
                    self.note_assignment();
                }
                self.take(kind.clone(), symbol.len());
            }
            None => self.stray(c),
        }
    }

    /// Reports a run of characters that mean nothing and skips it.
    fn stray(&mut self, c: char) {
        let means_nothing = |c: char| !c.is_ascii() || c.is_control() || "$?`".contains(c);
        let run: usize = self.rest().chars().take_while(|&c| means_nothing(c)).map(char::len_utf8).sum();
        let len = run.max(c.len_utf8());
        let span = self.span(self.pos, self.pos + len);
        let shown: String = self.rest()[..len].chars().take(20).flat_map(char::escape_debug).collect();
        if c == '?' {
            let help = "choose with `if … else … end`";
            self.error(Code::ForeignOperator, span, "MATLAB has no operator `?`", help);
        } else {
            let message = format!("MATLAB does not use `{shown}` here");
            self.error(Code::StrayCharacter, span, message, replacement(c));
        }
        self.pos += len;
    }
}

/// `x++` and `x--` step a variable only where the statement ends; elsewhere they are two signs, as in MATLAB.
fn step_operator(rest: &str) -> Option<BinaryOp> {
    let op = match rest.get(..2)? {
        "++" => BinaryOp::Add,
        "--" => BinaryOp::Sub,
        _ => return None,
    };
    let after = rest[2..].trim_start_matches([' ', '\t', '\r']);
    (after.is_empty() || after.starts_with(['\n', ';', ',', '%', '#'])).then_some(op)
}

/// What the writer of a look-alike character meant.
fn replacement(c: char) -> &'static str {
    match c {
        '‘' | '’' | '´' | '`' => "write strings with the plain quote `'`",
        '“' | '”' | '„' => "write strings with the plain quote `\"`",
        '−' | '–' | '—' => "write the minus sign as `-`",
        '×' | '·' => "write the product as `*` or `.*`",
        '÷' => "write the quotient as `/` or `./`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `~=`",
        '\u{a0}' | '\u{200b}' | '\u{2009}' => "replace this special space by a plain one",
        '²' => "write `.^2`",
        c if c.is_alphabetic() => "names consist of the letters a to z, digits and underscores",
        _ => "",
    }
}
