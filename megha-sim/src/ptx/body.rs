//! Bodies of functions: declarations, labels and instructions.

use super::SyntaxError;
use super::lexer::Token;
use super::parser::Parser;
use super::syntax::{Instruction, Operand, RegisterType, Space, Statement};
use super::types::Type;

type Result<T> = std::result::Result<T, SyntaxError>;

/// `.reg .f64 %fd<100>` declares at most so many registers at once.
const MAX_REGISTERS: u64 = 1 << 20;

impl Parser {
    /// The statements up to the closing brace of the function, whose opening brace is taken.
    pub(super) fn body(&mut self) -> Result<Vec<Statement>> {
        let mut statements = Vec::new();
        let mut depth = 0;
        loop {
            if self.take_mark('{') {
                depth += 1;
                statements.push(Statement::Open);
            } else if self.take_mark('}') {
                if depth == 0 {
                    return Ok(statements);
                }
                depth -= 1;
                statements.push(Statement::Close);
            } else if let Some(word) = self.take_dotted() {
                self.declaration(&word, &mut statements)?;
            } else if matches!(self.peek(), Some(Token::Word(_))) && self.next_is_mark(':') {
                let line = self.line();
                let name = self.word("a label")?;
                self.mark(':')?;
                statements.push(Statement::Label(name, line));
            } else if !self.take_mark(';') {
                statements.push(Statement::Instruction(self.instruction()?));
            }
        }
    }

    fn declaration(&mut self, word: &str, statements: &mut Vec<Statement>) -> Result<()> {
        match word {
            "reg" => self.registers(statements),
            "shared" | "local" | "param" | "global" | "const" => {
                let space = Space::named(word).expect("one of the five");
                statements.extend(self.variables(space, false)?.into_iter().map(Statement::Variable));
                Ok(())
            }
            "pragma" => {
                self.text()?;
                self.mark(';')
            }
            "loc" | "file" => {
                self.skip_line();
                Ok(())
            }
            _ => Err(self.error(format!("the directive `.{word}` is not simulated"))),
        }
    }

    fn registers(&mut self, statements: &mut Vec<Statement>) -> Result<()> {
        let line = self.line();
        let word = self.take_dotted().ok_or_else(|| self.unexpected("a type"))?;
        let ty = match Type::named(&word) {
            _ if word == "pred" => RegisterType::Pred,
            Some(ty) => RegisterType::Value(ty),
            None => return Err(self.error(format!("registers of type `.{word}` are not simulated"))),
        };
        let mut names = Vec::new();
        loop {
            let name = self.word("the name of a register")?;
            if self.take_mark('<') {
                let count = self.int("a number of registers")?;
                if count > MAX_REGISTERS {
                    return Err(self.error(format!("{count} registers are more than the {MAX_REGISTERS} allowed")));
                }
                self.mark('>')?;
                names.extend((0..count).map(|i| format!("{name}{i}")));
            } else {
                names.push(name);
            }
            if self.take_mark(';') {
                statements.push(Statement::Registers { names, ty, line });
                return Ok(());
            }
            self.mark(',')?;
        }
    }

    fn instruction(&mut self) -> Result<Instruction> {
        let line = self.line();
        let guard = if self.take_mark('@') {
            let negated = self.take_mark('!');
            Some((self.word("a predicate")?, negated))
        } else {
            None
        };
        let name = self.word("an instruction")?;
        let mut modifiers = Vec::new();
        while let Some(modifier) = self.take_dotted() {
            modifiers.push(modifier);
        }
        let mut operands = Vec::new();
        if !self.take_mark(';') {
            loop {
                operands.push(self.operand()?);
                if self.take_mark(';') {
                    break;
                }
                if !self.take_mark(',') {
                    return Err(self.unexpected("`,` or `;`"));
                }
            }
        }
        Ok(Instruction { guard, name, modifiers, operands, line })
    }

    fn operand(&mut self) -> Result<Operand> {
        if self.take_mark('[') {
            return self.address();
        }
        if self.take_mark('{') {
            return Ok(Operand::Vector(self.operands('}')?));
        }
        if self.take_mark('(') {
            return Ok(Operand::List(self.operands(')')?));
        }
        if self.take_mark('!') {
            return Ok(Operand::Not(self.word("a predicate")?));
        }
        let negative = self.take_mark('-');
        if let Some(number) = self.take_number() {
            return Ok(match number {
                Token::Int(value) => Operand::Int(if negative { value.wrapping_neg() } else { value }),
                Token::Float(value) => Operand::Float(if negative { -value } else { value }),
                Token::Single(value) => Operand::Single(if negative { -value } else { value }),
                _ => unreachable!("`take_number` takes numbers"),
            });
        }
        if negative {
            return Err(self.unexpected("a number after `-`"));
        }
        self.named_operand()
    }

    fn named_operand(&mut self) -> Result<Operand> {
        let mut name = self.word("an operand")?;
        if self.take_mark('|') {
            return Ok(Operand::Pair(name, self.word("a predicate after `|`")?));
        }
        if let Some(component) = self.take_dotted() {
            name = format!("{name}.{component}");
        }
        match self.offset()? {
            Some(offset) => Ok(Operand::Offset(name, offset)),
            None => Ok(Operand::Name(name)),
        }
    }

    fn operands(&mut self, end: char) -> Result<Vec<Operand>> {
        let mut operands = Vec::new();
        if self.take_mark(end) {
            return Ok(operands);
        }
        loop {
            operands.push(self.operand()?);
            if self.take_mark(end) {
                return Ok(operands);
            }
            self.mark(',')?;
        }
    }

    /// `+ 8` or `- 8` after a name.
    fn offset(&mut self) -> Result<Option<i64>> {
        let minus = if self.take_mark('+') {
            self.take_mark('-')
        } else if self.take_mark('-') {
            true
        } else {
            return Ok(None);
        };
        let value = self.int("an offset in bytes")? as i64;
        Ok(Some(if minus { value.wrapping_neg() } else { value }))
    }

    fn address(&mut self) -> Result<Operand> {
        let operand = match self.peek() {
            Some(&Token::Int(value)) => {
                self.int("an address")?;
                Operand::Absolute(value)
            }
            _ => {
                let name = self.word("an address")?;
                let offset = self.offset()?.unwrap_or(0);
                Operand::Address(name, offset)
            }
        };
        self.mark(']')?;
        Ok(operand)
    }
}
