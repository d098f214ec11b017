//! Operands of operations as they are read: values, literals, subscripts, axes.

use super::ParseError;
use super::func::FuncParser;
use super::stmt::adapt;
use crate::ir::lex::Tok;
use crate::ir::{Class, Const, FuncId, ReduceOp, Sub, Value};

/// An operand as it is written.
enum Operand {
    Value(Value),
    Literal(Const, Option<Class>),
}

impl FuncParser<'_> {
    pub fn reduce_op(&mut self) -> Result<ReduceOp, ParseError> {
        let found = match self.cur.peek() {
            Tok::Word(name) => ReduceOp::from_name(name),
            _ => None,
        };
        let op = found.ok_or_else(|| self.cur.expected("`sum`, `prod`, `min`, `max`, `any` or `all`"))?;
        self.cur.bump();
        Ok(op)
    }

    /// `along [0, 1]`.
    pub fn axes(&mut self) -> Result<Vec<usize>, ParseError> {
        self.cur.expect_word("along")?;
        self.cur.expect("[")?;
        self.until("]", |p| Ok(p.cur.index("the number of a dimension")? as usize))
    }

    /// `out0`.
    pub fn out_number(&mut self) -> Result<usize, ParseError> {
        let number = match self.cur.peek() {
            Tok::Word(word) => word.strip_prefix("out").and_then(|n| n.parse().ok()),
            _ => None,
        };
        let number = number.ok_or_else(|| self.cur.expected("an out-variable, `out0`,"))?;
        self.cur.bump();
        Ok(number)
    }

    pub fn scalar_subs(&mut self) -> Result<Vec<Value>, ParseError> {
        self.cur.expect("[")?;
        self.until("]", |p| p.operand_as(Some(Class::Index)))
    }

    pub fn subs(&mut self) -> Result<Vec<Sub>, ParseError> {
        self.cur.expect("[")?;
        self.until("]", |p| {
            if p.cur.eat(":") {
                return Ok(Sub::All);
            }
            if p.cur.eat_word("vector") {
                return Ok(Sub::Vector(p.value()?));
            }
            let start = p.operand_as(Some(Class::Index))?;
            let step = if p.cur.eat_word("step") { Some(p.cur.signed()?) } else { None };
            if step.is_none() && !p.cur.is_word("len") {
                return Ok(Sub::At(start));
            }
            p.cur.expect_word("len")?;
            Ok(Sub::Range { start, step: step.unwrap_or(1), len: p.size()? })
        })
    }

    pub fn message_args(&mut self) -> Result<Vec<Value>, ParseError> {
        let mut args = Vec::new();
        while self.cur.eat(",") {
            args.push(self.operand_as(None)?);
        }
        Ok(args)
    }

    pub fn args(&mut self, id: FuncId) -> Result<Vec<Value>, ParseError> {
        let callee = self.done.get(id.index());
        let mut classes = callee.into_iter().flat_map(|f| f.params.iter().map(|p| f.ty(p.value).class));
        self.until(")", |p| p.operand_as(classes.next()))
    }

    /// Operands separated by commas; none if none is here.
    pub fn values(&mut self) -> Result<Vec<Value>, ParseError> {
        let mut values = Vec::new();
        match self.operand()? {
            Some(first) => values.push(self.settle(first, None)),
            None => return Ok(values),
        }
        while self.cur.eat(",") {
            values.push(self.operand_as(None)?);
        }
        Ok(values)
    }

    /// One operand; a literal without a suffix has the given class.
    pub fn operand_as(&mut self, class: Option<Class>) -> Result<Value, ParseError> {
        match self.operand()? {
            Some(operand) => Ok(self.settle(operand, class)),
            None => Err(self.cur.expected("a value, `%name`, or a number")),
        }
    }

    /// The operands of an element-wise operation: literals take the class of the first operand that has one.
    pub fn operands<const N: usize>(&mut self) -> Result<[Value; N], ParseError> {
        let mut written = Vec::with_capacity(N);
        for i in 0..N {
            if i > 0 {
                self.cur.expect(",")?;
            }
            written.push(self.operand()?.ok_or_else(|| self.cur.expected("a value, `%name`, or a number"))?);
        }
        let class = written.iter().find_map(|operand| match operand {
            Operand::Value(v) => self.type_of(*v).map(|t| t.class),
            Operand::Literal(_, class) => *class,
        });
        let mut values = written.into_iter();
        Ok(std::array::from_fn(|_| {
            let operand = values.next().expect("N operands have been read");
            self.settle(operand, class)
        }))
    }

    fn operand(&mut self) -> Result<Option<Operand>, ParseError> {
        if self.at_value() {
            return self.value().map(Operand::Value).map(Some);
        }
        Ok(self.cur.literal()?.map(|(value, class)| Operand::Literal(value, class)))
    }

    fn settle(&mut self, operand: Operand, class: Option<Class>) -> Value {
        match operand {
            Operand::Value(value) => value,
            Operand::Literal(mut value, suffix) => {
                let class = match value {
                    Const::Bool(_) => Class::Logical,
                    _ => suffix.or(class).unwrap_or(value.default_class()),
                };
                adapt(&mut value, class);
                self.constant(value, class)
            }
        }
    }
}
