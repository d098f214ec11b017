//! Function definitions and `arguments` blocks.

use super::{Failed, Parsed, Parser, dotted};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::{
    ArgumentDecl, ArgumentsBlock, ArgumentsKind, BinaryOp, Expr, ExprKind, Function, IfBranch, LValue, Name, Param,
    Stmt, StmtKind,
};
use crate::matlab::token::{Keyword, TokenKind};
use crate::source::Span;

/// `[outputs] = name(inputs)`
struct Signature {
    name: Name,
    inputs: Vec<Param>,
    outputs: Vec<Name>,
    defaults: Vec<DefaultValue>,
}

/// The number of a parameter, counted from one, its name, and the value that it has where the caller gives none.
pub(super) type DefaultValue = (usize, Name, Expr);

impl Parser<'_> {
    /// A function, at `function`; `None` if its signature had a mistake, which has been reported.
    pub(super) fn function(&mut self) -> Option<Function> {
        let start = self.pos;
        self.statement = start;
        self.suspect = None;
        self.open_block(Keyword::Function);
        let signature = self.signature();
        let signature_span = self.span_since(start);
        if signature.is_err() {
            self.recover();
        }
        let arguments = self.arguments_blocks();
        let (body, nested) = self.function_body();
        let span = self.span_since(start);
        let Signature { name, inputs, outputs, defaults } = signature.ok()?;
        let body = defaults.into_iter().map(default_value).chain(body).collect();
        let signature = signature_span;
        Some(Function { name, inputs, outputs, arguments, body, nested, signature, span })
    }

    fn signature(&mut self) -> Parsed<Signature> {
        let mut outputs = Vec::new();
        if self.at(&TokenKind::LBracket) {
            outputs = self.outputs()?;
            self.expect(&TokenKind::Assign, "`=` after the outputs of the function")?;
        } else if self.kind_at(1) == &TokenKind::Assign {
            outputs.push(self.name("the name of an output")?);
            self.bump();
        }
        let mut name = self.name("the name of the function")?;
        while self.eat(&TokenKind::Dot) {
            let part = self.name("a name after `.`")?;
            name = dotted(name, &part);
        }
        let (inputs, defaults) =
            if self.at(&TokenKind::LParen) { self.params_with_defaults()? } else { (Vec::new(), Vec::new()) };
        match self.kind() {
            TokenKind::Newline | TokenKind::Semi | TokenKind::Comma | TokenKind::Eof => {
                Ok(Signature { name, inputs, outputs, defaults })
            }
            TokenKind::Assign => {
                let message = "the outputs of a function stand before its name";
                let help = "write `function y = f(x)` or `function [a, b] = f(x)`";
                let error = Diagnostic::error(Code::BadSignature, self.span(), message).help(help);
                Err(self.fail(error))
            }
            // Statements may follow on the same line: `function f(x) disp(x); end`.
            _ => Ok(Signature { name, inputs, outputs, defaults }),
        }
    }

    /// `[a, b]`
    fn outputs(&mut self) -> Parsed<Vec<Name>> {
        self.bump();
        let mut outputs = Vec::new();
        while !self.at(&TokenKind::RBracket) {
            outputs.push(self.name("the name of an output")?);
            if !self.at(&TokenKind::RBracket) {
                self.expect(&TokenKind::Comma, "`,` or `]`")?;
            }
        }
        self.bump();
        Ok(outputs)
    }

    fn function_body(&mut self) -> (Vec<Stmt>, Vec<Function>) {
        let (mut body, mut nested) = (Vec::new(), Vec::new());
        loop {
            self.statements(&mut body);
            match self.kind() {
                TokenKind::Keyword(k) if k.is_end() && self.functions_end => {
                    self.close_block();
                    break;
                }
                TokenKind::Keyword(Keyword::Function) if self.is_nested() => {
                    if self.may_open_block() {
                        nested.extend(self.function());
                    }
                }
                TokenKind::Eof | TokenKind::Keyword(Keyword::Function) => {
                    let block = self.blocks.pop();
                    if let Some(block) = block.filter(|_| self.functions_end) {
                        self.missing_end(block);
                    }
                    break;
                }
                _ => self.misplaced_closer(),
            }
        }
        (body, nested)
    }

    /// Whether the `function` at the current position, inside another one, is meant to be nested in it.
    fn is_nested(&self) -> bool {
        let outer = self.blocks.last().and_then(|block| block.indent);
        self.functions_end && (self.balanced || self.indent(self.span()) > outer)
    }

    pub(super) fn skip_separators(&mut self) {
        while matches!(self.kind(), TokenKind::Newline | TokenKind::Semi | TokenKind::Comma) {
            self.bump();
        }
    }

    fn arguments_blocks(&mut self) -> Vec<ArgumentsBlock> {
        let mut blocks = Vec::new();
        loop {
            self.skip_separators();
            if self.keyword() != Some(Keyword::Arguments) {
                return blocks;
            }
            blocks.push(self.arguments_block());
        }
    }

    fn arguments_block(&mut self) -> ArgumentsBlock {
        let start = self.pos;
        self.statement = start;
        self.open_block(Keyword::Arguments);
        let kind = self.arguments_kind().unwrap_or_else(|Failed| {
            self.recover();
            ArgumentsKind::Input
        });
        let mut declarations = Vec::new();
        loop {
            self.skip_separators();
            self.statement = self.pos;
            if matches!(self.kind(), TokenKind::Eof | TokenKind::Keyword(_)) {
                break;
            }
            match self.declaration() {
                Ok(declaration) => declarations.push(declaration),
                Err(Failed) => self.recover(),
            }
        }
        self.close_block();
        ArgumentsBlock { kind, declarations, span: self.span_since(start) }
    }

    /// `(Input)`, `(Output)`, `(Repeating)` or nothing.
    fn arguments_kind(&mut self) -> Parsed<ArgumentsKind> {
        if !self.eat(&TokenKind::LParen) {
            return Ok(ArgumentsKind::Input);
        }
        let (mut output, mut repeating) = (false, false);
        while !self.at(&TokenKind::RParen) {
            let word = self.name("`Input`, `Output` or `Repeating`")?;
            match word.text.as_str() {
                "Input" => {}
                "Output" => output = true,
                "Repeating" => repeating = true,
                _ => {
                    let message = "an arguments block is `Input`, `Output` or `Repeating`";
                    return Err(self.bad_arguments(word.span, message));
                }
            }
            if !self.at(&TokenKind::RParen) {
                self.expect(&TokenKind::Comma, "`,` or `)`")?;
            }
        }
        self.bump();
        Ok(match (output, repeating) {
            (false, false) => ArgumentsKind::Input,
            (true, false) => ArgumentsKind::Output,
            (false, true) => ArgumentsKind::Repeating,
            (true, true) => ArgumentsKind::RepeatingOutput,
        })
    }

    fn bad_arguments(&mut self, span: Span, message: &str) -> Failed {
        let help = "write `name (rows,columns) class`, such as `x (n,1) double`";
        self.fail(Diagnostic::error(Code::BadArguments, span, message).help(help))
    }

    /// `name (size) class {validators} = default`
    fn declaration(&mut self) -> Parsed<ArgumentDecl> {
        let start = self.pos;
        let name = self.name("the name of an argument")?;
        if self.at(&TokenKind::Dot) {
            let message = "name-value arguments are not compiled; pass arguments by position";
            return Err(self.bad_arguments(self.span_since(start), message));
        }
        let size = if self.at(&TokenKind::LParen) { Some(self.size()?) } else { None };
        let class = if self.at(&TokenKind::Ident) { Some(self.class()?) } else { None };
        let mut validators = Vec::new();
        if self.eat(&TokenKind::LBrace) {
            while !self.at(&TokenKind::RBrace) {
                validators.push(self.expression()?);
                if !self.at(&TokenKind::RBrace) {
                    self.expect(&TokenKind::Comma, "`,` or `}`")?;
                }
            }
            self.bump();
        }
        let default = if self.eat(&TokenKind::Assign) { Some(self.expression()?) } else { None };
        let span = self.span_since(start);
        let ends = |k: &TokenKind| {
            use TokenKind::{Comma, Eof, Keyword as Word, Newline, Semi};
            matches!(k, Newline | Semi | Comma | Eof | Word(Keyword::End))
        };
        if !ends(self.kind()) {
            let message = format!("the declaration of `{}` is complete before {}", name.text, self.found());
            return Err(self.bad_arguments(self.span(), &message));
        }
        Ok(ArgumentDecl { name, size, class, validators, default, span })
    }

    fn class(&mut self) -> Parsed<Name> {
        let mut class = self.name("a class")?;
        while self.eat(&TokenKind::Dot) {
            let part = self.name("a name after `.`")?;
            class = dotted(class, &part);
        }
        Ok(class)
    }

    /// `(n, 1)`, `(:, 1)`, at the `(`.
    fn size(&mut self) -> Parsed<Vec<Expr>> {
        self.bump();
        let mut size = Vec::new();
        loop {
            let span = self.span();
            if self.eat(&TokenKind::Colon) {
                size.push(Expr { kind: ExprKind::Colon, span });
            } else {
                size.push(self.expression()?);
            }
            if self.eat(&TokenKind::RParen) {
                break;
            }
            self.expect(&TokenKind::Comma, "`,` or `)` after a size")?;
        }
        if size.len() < 2 {
            let message = "a size has at least two dimensions";
            return Err(self.bad_arguments(self.previous_span(), message));
        }
        Ok(size)
    }
}

/// `if nargin < k, name = value; end`
fn default_value((k, name, value): DefaultValue) -> Stmt {
    let span = value.span;
    let expr = |kind| Expr { kind, span };
    let stmt = |kind| Stmt { kind, prints: false, span };
    let given = Box::new(expr(ExprKind::Ident("nargin".into())));
    let wanted = Box::new(expr(ExprKind::Number { value: k as f64, imaginary: false }));
    let cond = expr(ExprKind::Binary { op: BinaryOp::Lt, lhs: given, rhs: wanted });
    let target = LValue { span: name.span, name, accesses: Vec::new() };
    let body = vec![stmt(StmtKind::Assign { target, op: None, value })];
    stmt(StmtKind::If { branches: vec![IfBranch { cond, body, span }], otherwise: None })
}
