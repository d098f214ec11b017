//! Tokens: what the lexer hands to the parser.

use super::ast::{BinaryOp, Quote};
use crate::source::{FileId, Span};

/// One token and its bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte; equal to `start` for a token that the lexer put in.
    pub end: u32,
}

impl Token {
    /// The token's span in `file`.
    pub fn span(&self, file: FileId) -> Span {
        Span::new(file, self.start, self.end)
    }
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// A name. Followed by [`TokenKind::Word`]s it is the name of a command.
    Ident,
    /// A reserved word.
    Keyword(Keyword),
    /// A number of class double.
    Number {
        /// The value; never negative.
        value: f64,
        /// It has the suffix `i` or `j`.
        imaginary: bool,
    },
    /// Digits alone whose number is above 2^53, where doubles have gaps.
    Wide(u64),
    /// A hexadecimal or binary literal of an integer class.
    Integer {
        /// The value's bits.
        value: u64,
        /// 8, 16, 32 or 64.
        bits: u8,
        /// It has the suffix `s8` … `s64`.
        signed: bool,
    },
    /// A string, escapes resolved.
    Str {
        /// The characters meant.
        text: String,
        /// Its quotes.
        quote: Quote,
    },
    /// A word of a command, quotes removed.
    Word(String),
    /// An operator that is only ever binary: all of [`BinaryOp`] except `+` and `-`.
    Binary(BinaryOp),
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~` or `!`
    Not,
    /// `&&`
    AndAnd,
    /// `||`
    OrOr,
    /// `'` as an operator
    CTranspose,
    /// `.'`
    Transpose,
    /// `:`
    Colon,
    /// `=`
    Assign,
    /// `+=` and its like
    OpAssign(BinaryOp),
    /// `x++` (addition) and `x--` (subtraction) at the end of a statement
    Step(BinaryOp),
    /// `@`
    At,
    /// `.` before a field name
    Dot,
    /// `end` inside brackets
    EndIndex,
    /// `(`
    LParen,
    /// `)`
    RParen,
    /// `[`
    LBracket,
    /// `]`
    RBracket,
    /// `{`
    LBrace,
    /// `}`
    RBrace,
    /// `,`, and the blank that separates elements in `[a b]`
    Comma,
    /// `;`
    Semi,
    /// A line break that ends a statement or a row
    Newline,
    /// The end of the text
    Eof,
}

macro_rules! keywords {
    ($($text:literal $name:ident,)*) => {
        /// The reserved words of MATLAB and Octave.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Keyword {
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        impl Keyword {
            /// The keyword that is written `text`.
            pub fn from_text(text: &str) -> Option<Keyword> {
                match text { $($text => Some(Keyword::$name),)* _ => None }
            }

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $(Keyword::$name => $text,)* }
            }
        }
    };
}

keywords! {
    "arguments" Arguments,
    "break" Break,
    "case" Case,
    "catch" Catch,
    "classdef" Classdef,
    "continue" Continue,
    "do" Do,
    "else" Else,
    "elseif" ElseIf,
    "end" End,
    "endfor" EndFor,
    "endfunction" EndFunction,
    "endif" EndIf,
    "endparfor" EndParfor,
    "endswitch" EndSwitch,
    "end_try_catch" EndTryCatch,
    "end_unwind_protect" EndUnwindProtect,
    "endwhile" EndWhile,
    "for" For,
    "function" Function,
    "global" Global,
    "if" If,
    "otherwise" Otherwise,
    "parfor" Parfor,
    "persistent" Persistent,
    "return" Return,
    "spmd" Spmd,
    "switch" Switch,
    "try" Try,
    "until" Until,
    "unwind_protect" UnwindProtect,
    "unwind_protect_cleanup" UnwindProtectCleanup,
    "while" While,
}

impl Keyword {
    /// True for `end` and Octave's ends of one kind of block.
    pub fn is_end(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            End | EndFor | EndFunction | EndIf | EndParfor | EndSwitch | EndTryCatch | EndUnwindProtect | EndWhile
        )
    }

    /// True if an `end` must follow (always: not so for `function`, whose `end` may be left out).
    pub fn opens_block(self) -> bool {
        use Keyword::*;
        matches!(self, Arguments | For | If | Parfor | Spmd | Switch | Try | UnwindProtect | While)
    }

    /// True for a word that closes a block or a part of one.
    pub fn closes_part(self) -> bool {
        use Keyword::*;
        self.is_end() || matches!(self, Else | ElseIf | Case | Otherwise | Catch | Until | UnwindProtectCleanup)
    }

    /// True if a statement may follow on the same line without a separator.
    pub fn starts_statement_after(self) -> bool {
        use Keyword::*;
        self.is_end() || matches!(self, Else | Otherwise | Try | Do | UnwindProtect | UnwindProtectCleanup)
    }
}
