//! Symbols, sizes and types.

use super::ParseError;
use super::func::FuncParser;
use crate::ir::lex::{Tok, class_by_name};
use crate::ir::size::{SymData, SymDef};
use crate::ir::{Size, Type};

impl FuncParser<'_> {
    /// The table of symbols at the head of a function's body.
    pub fn symbols(&mut self) -> Result<Vec<SymData>, ParseError> {
        let mut table = Vec::new();
        while self.cur.eat_word("sym") {
            let name = self.cur.name("the symbol's name")?;
            self.cur.expect("=")?;
            let def = self.sym_def()?;
            let (mut at_least, mut at_most) = (Vec::new(), Vec::new());
            while self.cur.eat(",") {
                if self.cur.eat(">=") {
                    at_least.push(self.size()?);
                } else {
                    self.cur.expect("<=")?;
                    at_most.push(self.size()?);
                }
            }
            table.push(SymData { name, def, at_least, at_most });
        }
        if table.len() == self.syms.len() {
            Ok(table)
        } else {
            Err(self.cur.error("symbols are defined at the head of a function"))
        }
    }

    fn sym_def(&mut self) -> Result<SymDef, ParseError> {
        let two: fn(Size, Size) -> SymDef = match self.cur.name("`dim`, `value`, `max`, `min` or `floordiv`")?.as_str()
        {
            "dim" => {
                let param = self.cur.index("the number of a parameter")?;
                return Ok(SymDef::Dim(param as usize, self.cur.index("the number of a dimension")? as usize));
            }
            "value" => return Ok(SymDef::Value(self.value()?)),
            "max" => SymDef::Max,
            "min" => SymDef::Min,
            "floordiv" => SymDef::FloorDiv,
            other => {
                return Err(self
                    .cur
                    .error(format!("`{other}` defines no symbol; `dim`, `value`, `max`, `min` and `floordiv` do")));
            }
        };
        self.cur.expect("(")?;
        let first = self.size()?;
        self.cur.expect(",")?;
        let second = self.size()?;
        self.cur.expect(")")?;
        Ok(two(first, second))
    }

    /// A polynomial.
    pub fn size(&mut self) -> Result<Size, ParseError> {
        self.deeper()?;
        let mut sum = Size::default();
        let mut negative = self.cur.eat("-");
        loop {
            sum = sum.add(&self.product(negative)?);
            negative = self.cur.is("-");
            if !self.cur.eat("-") && !self.cur.eat("+") {
                self.depth -= 1;
                return Ok(sum);
            }
        }
    }

    fn product(&mut self, negative: bool) -> Result<Size, ParseError> {
        let mut coefficient = if negative { -1i128 } else { 1 };
        let mut product = Size::constant(1);
        loop {
            match self.cur.peek().clone() {
                Tok::Int { value, class: None, .. } => {
                    coefficient = coefficient.saturating_mul(i128::from(value));
                    self.cur.bump();
                }
                Tok::Word(name) | Tok::Text(name) => {
                    let Some(sym) = self.syms.get(&name) else {
                        return Err(self.cur.error(format!(
                            "there is no symbol `{name}` in this function; define it: `sym {name} = ..`"
                        )));
                    };
                    product = product.mul(&Size::sym(*sym));
                    self.cur.bump();
                }
                Tok::Punct("(") => {
                    self.cur.bump();
                    product = product.mul(&self.size()?);
                    self.cur.expect(")")?;
                }
                _ => return Err(self.cur.expected("a number or a symbol")),
            }
            if !self.cur.eat("*") {
                let clamped = coefficient.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
                return Ok(product.scale(clamped as i64));
            }
        }
    }

    /// A class and sizes.
    pub fn ty(&mut self) -> Result<Type, ParseError> {
        let class = match self.cur.peek() {
            Tok::Word(name) => class_by_name(name),
            _ => None,
        };
        let Some(class) = class else { return Err(self.cur.expected("a type")) };
        self.cur.bump();
        let dims = if self.cur.eat("[") { self.until("]", Self::size)? } else { Vec::new() };
        Ok(Type { class, dims })
    }
}
