//! Statements that are not blocks.

use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::{
    Access, AccessKind, BinaryOp, Declared, Expr, ExprKind, LValue, Name, OutTarget, Stmt, StmtKind, UnaryOp,
};
use crate::matlab::token::{Keyword, TokenKind};

/// Words that declare variables in other languages, and never do in MATLAB.
const FOREIGN_DECLARATIONS: &[&str] =
    &["auto", "bool", "char", "const", "double", "float", "int", "let", "local", "long", "single", "val", "var"];

impl Parser<'_> {
    /// Statements up to the end of the file, a `function`, or a keyword that closes a block or a part of one.
    pub(super) fn statements(&mut self, out: &mut Vec<Stmt>) {
        loop {
            self.skip_separators();
            self.statement = self.pos;
            match self.kind() {
                TokenKind::Eof | TokenKind::Keyword(Keyword::Function) => return,
                TokenKind::Keyword(k) if k.closes_part() => return,
                TokenKind::Keyword(k) if k.opens_block() || *k == Keyword::Do => {
                    out.extend(self.block_statement(*k));
                }
                _ => {
                    if self.simple(out).is_err() {
                        self.recover();
                    }
                }
            }
        }
    }

    fn simple(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        let start = self.pos;
        let first = out.len();
        let kind = match self.kind() {
            TokenKind::Keyword(Keyword::Break) => self.lone(StmtKind::Break),
            TokenKind::Keyword(Keyword::Continue) => self.lone(StmtKind::Continue),
            TokenKind::Keyword(Keyword::Return) => self.lone(StmtKind::Return),
            TokenKind::Keyword(Keyword::Global) => StmtKind::Global(self.declarations()?),
            TokenKind::Keyword(Keyword::Persistent) => StmtKind::Persistent(self.declarations()?),
            TokenKind::Ident if matches!(self.kind_at(1), TokenKind::Word(_)) => self.command()?,
            TokenKind::LBracket if self.assigns_several() => self.several()?,
            TokenKind::Plus | TokenKind::Minus if self.steps() => return self.step_before(out),
            _ => {
                let expr = self.expression()?;
                if let TokenKind::Step(op) = *self.kind() {
                    return self.step_behind(expr, op, out);
                }
                self.assignment(expr, out)?
            }
        };
        let span = self.span_since(start);
        let displayed = self.terminator();
        if displayed.is_err() {
            out.truncate(first);
        }
        let shows = matches!(kind, StmtKind::Expr(_) | StmtKind::Assign { .. } | StmtKind::MultiAssign { .. });
        out.push(Stmt { kind, prints: displayed? && shows, span });
        Ok(())
    }

    fn lone(&mut self, kind: StmtKind) -> StmtKind {
        self.bump();
        kind
    }

    /// The end of a statement; true if it is not a `;`.
    fn terminator(&mut self) -> Parsed<bool> {
        match self.kind() {
            TokenKind::Semi => {
                self.bump();
                Ok(false)
            }
            TokenKind::Comma | TokenKind::Newline => {
                self.bump();
                Ok(true)
            }
            TokenKind::Eof => Ok(true),
            TokenKind::Keyword(k) if k.closes_part() => Ok(true),
            TokenKind::Assign => Err(self.assignment_as_value()),
            _ => {
                let message = format!("the statement is complete before {}", self.found());
                let error = Diagnostic::error(Code::UnexpectedToken, self.span(), message)
                    .help("put an operator, `;`, `,` or a line break between them");
                Err(self.fail(error))
            }
        }
    }

    /// What follows an expression that begins a statement. `a = b = c`, Octave's, becomes `b = c; a = b`.
    fn assignment(&mut self, expr: Expr, out: &mut Vec<Stmt>) -> Parsed<StmtKind> {
        match *self.kind() {
            TokenKind::Assign => {
                let target = self.target(expr)?;
                self.bump();
                let value = self.expression()?;
                if self.at(&TokenKind::Assign) {
                    // A variable of its own has the value that it is given; a part of one may have another class.
                    if !matches!(value.kind, ExprKind::Ident(_)) {
                        return Err(self.assignment_as_value());
                    }
                    let span = value.span;
                    let target = value.clone();
                    let kind = self.nested(|parser| parser.assignment(target, out))?;
                    out.push(Stmt { kind, prints: false, span: span.to(self.previous_span()) });
                }
                Ok(StmtKind::Assign { target, op: None, value })
            }
            TokenKind::OpAssign(op) => {
                let target = self.target(expr)?;
                self.bump();
                Ok(StmtKind::Assign { target, op: Some(op), value: self.expression()? })
            }
            _ => Ok(StmtKind::Expr(expr)),
        }
    }

    /// Whether the statement begins with `++` or `--`, Octave's steps; with a blank between they are signs.
    fn steps(&self) -> bool {
        self.doubled_sign().is_some()
    }

    /// `++x`: the new value is the statement's.
    fn step_before(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        let start = self.pos;
        let op = if self.at(&TokenKind::Plus) { BinaryOp::Add } else { BinaryOp::Sub };
        self.bump();
        self.bump();
        let place = self.value_with_postfix()?;
        let step = self.step(place.clone(), op, start)?;
        let displayed = self.terminator()?;
        out.push(step);
        if displayed {
            out.push(shown(place));
        }
        Ok(())
    }

    /// `x++`: the old value is the statement's.
    fn step_behind(&mut self, place: Expr, op: BinaryOp, out: &mut Vec<Stmt>) -> Parsed<()> {
        let start = self.pos;
        self.bump();
        let step = self.step(place.clone(), op, start)?;
        if self.terminator()? {
            out.push(shown(place));
        }
        out.push(step);
        Ok(())
    }

    fn step(&mut self, place: Expr, op: BinaryOp, start: usize) -> Parsed<Stmt> {
        let signs = self.span_since(start);
        let span = place.span.to(signs);
        let target = self.target(place)?;
        let value = Expr { kind: ExprKind::Number { value: 1.0, imaginary: false }, span: signs };
        Ok(Stmt { kind: StmtKind::Assign { target, op: Some(op), value }, prints: false, span })
    }

    /// A variable or a part of one, read as a target.
    pub(super) fn place(&mut self) -> Parsed<LValue> {
        let expr = self.value_with_postfix()?;
        self.target(expr)
    }

    /// `expr` as what an assignment writes.
    fn target(&mut self, expr: Expr) -> Parsed<LValue> {
        let span = expr.span;
        let mut accesses = Vec::new();
        let mut inner = expr;
        loop {
            let end = inner.span.end;
            let (callee, kind) = match inner.kind {
                ExprKind::Ident(text) => {
                    accesses.reverse();
                    return Ok(LValue { name: Name { text, span: inner.span }, accesses, span });
                }
                ExprKind::Apply { callee, args } => (callee, AccessKind::Paren(args)),
                ExprKind::BraceIndex { callee, args } => (callee, AccessKind::Brace(args)),
                ExprKind::Field { object, name } => (object, AccessKind::Field(name)),
                ExprKind::DynamicField { object, field } => (object, AccessKind::DynamicField(field)),
                _ => {
                    let message = "only a variable or a part of one can be assigned to";
                    let error = Diagnostic::error(Code::InvalidTarget, span, message)
                        .help("to compare, write `==`; for several outputs, write `[a, b] = f(x)`");
                    return Err(self.fail(error));
                }
            };
            let mut span = callee.span.after();
            span.end = end;
            accesses.push(Access { kind, span });
            inner = *callee;
        }
    }

    /// Whether the `[` at the current position opens the targets of `[a, b] = …`.
    fn assigns_several(&self) -> bool {
        let mut depth = 0usize;
        for (at, token) in self.tokens.iter().enumerate().skip(self.pos) {
            match token.kind {
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => depth += 1,
                TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return self.tokens.get(at + 1).is_some_and(|t| t.kind == TokenKind::Assign);
            }
        }
        false
    }

    /// `[a, ~, b(i)] = e`
    fn several(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let mut targets = Vec::new();
        while !self.at(&TokenKind::RBracket) {
            let ignored = self.span();
            if self.eat(&TokenKind::Not) {
                targets.push(OutTarget::Ignored(ignored));
            } else {
                targets.push(OutTarget::Place(self.place()?));
            }
            if !self.at(&TokenKind::RBracket) {
                self.expect(&TokenKind::Comma, "`,` or `]` after an output")?;
            }
        }
        self.bump();
        if targets.is_empty() {
            let message = "`[]` has no variable to assign to";
            let error = Diagnostic::error(Code::InvalidTarget, self.previous_span(), message);
            return Err(self.fail(error));
        }
        self.expect(&TokenKind::Assign, "`=`")?;
        Ok(StmtKind::MultiAssign { targets, value: self.expression()? })
    }

    /// `global a b = 3`, at the keyword.
    fn declarations(&mut self) -> Parsed<Vec<Declared>> {
        self.bump();
        let mut declared = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            let value = if self.eat(&TokenKind::Assign) { Some(self.expression()?) } else { None };
            declared.push(Declared { name, value });
            if !self.at(&TokenKind::Ident) {
                return Ok(declared);
            }
        }
    }

    /// `hold on`, at the command's name.
    fn command(&mut self) -> Parsed<StmtKind> {
        let name = self.name("a command")?;
        let mut words = Vec::new();
        while let TokenKind::Word(text) = self.kind() {
            let text = text.clone();
            words.push(Name { text, span: self.span() });
            self.bump();
        }
        let assigns = words.iter().any(|word| word.text.contains('='));
        if assigns && FOREIGN_DECLARATIONS.contains(&name.text.as_str()) {
            let message = format!("MATLAB variables are not declared with `{}`", name.text);
            let help = "assign without the word: `x = 3`; a class follows from the value: `x = int32(3)`";
            let error = Diagnostic::error(Code::ForeignDeclaration, name.span, message).help(help);
            return Err(self.fail(error));
        }
        Ok(StmtKind::Command { name, words })
    }
}

/// A value that is displayed as `ans`.
fn shown(place: Expr) -> Stmt {
    let span = place.span;
    let kind = ExprKind::Unary { op: UnaryOp::Plus, operand: Box::new(place) };
    Stmt { kind: StmtKind::Expr(Expr { kind, span }), prints: true, span }
}
