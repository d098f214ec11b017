//! Operations without regions, and their operands.

use super::ParseError;
use super::func::FuncParser;
use super::stmt::adapt;
use crate::ir::lex::Tok;
use crate::ir::{
    Ambient, Binary, Cause, Check, Class, Const, FuncId, Lib, Look, Mem, Op, ReduceOp, ShownKind, Stream, Sub, TextOp,
    Type, Unary, Value,
};

/// An operand as it is written.
enum Operand {
    Value(Value),
    Literal(Const, Option<Class>),
}

impl FuncParser<'_> {
    /// The operation that this word begins, and the type that a literal's suffix gives.
    pub fn op(&mut self, word: &str) -> Result<(Op, Option<Type>), ParseError> {
        let unknown = self.cur.error(format!("there is no operation `{word}`"));
        self.cur.bump();
        if let Some(op) = Unary::from_name(word) {
            let [a] = self.operands()?;
            return Ok((Op::Unary(op, a), None));
        }
        if let Some(op) = Binary::from_name(word) {
            let [a, b] = self.operands()?;
            return Ok((Op::Binary(op, a, b), None));
        }
        if word == "const" {
            let (value, class) = self.const_literal()?;
            return Ok((Op::Const(value), class.map(Type::scalar)));
        }
        let op = match self.plain(word)? {
            Some(op) => Some(op),
            None => self.array_op(word)?,
        };
        Ok((op.ok_or(unknown)?, None))
    }

    fn const_literal(&mut self) -> Result<(Const, Option<Class>), ParseError> {
        if let Tok::Text(text) = self.cur.peek().clone() {
            self.cur.bump();
            return Ok((Const::Text(text), None));
        }
        match self.cur.literal()? {
            Some(found) => Ok(found),
            None => Err(self.cur.expected("a number, `true`, `false` or a text")),
        }
    }

    /// Operations that are a word and operands.
    fn plain(&mut self, word: &str) -> Result<Option<Op>, ParseError> {
        let one: Option<fn(Value) -> Op> = match word {
            "convert" => Some(Op::Convert),
            "to_index" => Some(Op::ToIndex),
            "bits" => Some(Op::Bits),
            "from_bits" => Some(Op::FromBits),
            "fill" => Some(Op::Fill),
            "transpose" => Some(Op::Transpose),
            "reshape" => Some(Op::Reshape),
            "resize" => Some(Op::Resize),
            _ => None,
        };
        if let Some(make) = one {
            return Ok(Some(make(self.operand_as(None)?)));
        }
        Ok(Some(match word {
            "size" => Op::Size(self.size()?),
            "eye" => Op::Eye,
            "select" => {
                let cond = self.operand_as(None)?;
                self.cur.expect(",")?;
                let [a, b] = self.operands()?;
                Op::Select(cond, a, b)
            }
            "fma" => {
                let [a, b, c] = self.operands()?;
                Op::Fma(a, b, c)
            }
            "range" => {
                let [start, step] = self.operands()?;
                Op::Range { start, step }
            }
            "linspace" => {
                let [a, b] = self.operands()?;
                Op::Linspace(a, b)
            }
            "lib" => {
                let name = self.cur.name("an operation of the run-time library")?;
                let lib = Lib::from_name(&name);
                let lib = lib.ok_or_else(|| self.cur.error(format!("there is no library operation `{name}`")))?;
                Op::Lib(lib, self.values()?)
            }
            "call" => {
                let id = super::func_ref(self.cur, self.heads)?;
                self.cur.expect("(")?;
                Op::Call(id, self.args(id)?)
            }
            "assert" => {
                let cond = self.operand_as(None)?;
                self.cur.expect(",")?;
                let named =
                    Cause::ALL.into_iter().find(|cause| *cause != Cause::Other && self.cur.eat_word(cause.name()));
                Op::Assert(cond, Check { cause: named.unwrap_or(Cause::Other), text: self.cur.text()? })
            }
            "same_size" => {
                let a = self.size()?;
                self.cur.expect(",")?;
                let b = self.size()?;
                self.cur.expect(",")?;
                Op::SameSize(a, b, self.cur.text()?)
            }
            "raise" => {
                let identifier = if self.cur.eat_word("as") { self.cur.text()? } else { String::new() };
                Op::Raise { identifier, format: self.cur.text()?, args: self.message_args()? }
            }
            "print" => {
                let stream = match self.cur.eat_word("to") {
                    true => self.named("a stream", Stream::from_name)?,
                    false => Stream::Output,
                };
                Op::Print(stream, self.cur.text()?, self.message_args()?)
            }
            "display" => {
                let long = self.cur.eat_word("long");
                let kind = match self.cur.eat_word("as") {
                    true => self.named("a kind of value to display", ShownKind::from_name)?,
                    false => ShownKind::Plain,
                };
                Op::Display(Look { name: self.cur.text()?, long, kind }, self.message_args()?)
            }
            "text" => Op::Text(self.named("a kind of text", TextOp::from_name)?, self.values()?),
            "ambient" => {
                Op::Ambient(self.named("an operation on the state", Ambient::from_name)?, self.message_args()?)
            }
            _ => return Ok(None),
        }))
    }

    /// A word that names one of a list of things.
    fn named<T>(&mut self, what: &str, find: impl Fn(&str) -> Option<T>) -> Result<T, ParseError> {
        let name = self.cur.name(what)?;
        find(&name).ok_or_else(|| self.cur.error(format!("`{name}` is not {what}")))
    }

    /// Operations on the elements of arrays.
    fn array_op(&mut self, word: &str) -> Result<Option<Op>, ParseError> {
        Ok(Some(match word {
            "index" => {
                let (array, subs) = (self.value()?, self.subs()?);
                Op::Index { array, subs, checked: self.cur.eat_word("checked") }
            }
            "store" => {
                let (array, subs) = (self.value()?, self.subs()?);
                self.cur.expect("=")?;
                let value = self.operand_as(self.type_of(array).map(|t| t.class))?;
                Op::Store { array, subs, value, checked: self.cur.eat_word("checked") }
            }
            "concat" => {
                let parts = self.values()?;
                self.cur.expect_word("along")?;
                Op::Concat(self.cur.index("the number of a dimension")? as usize, parts)
            }
            "reduce" => {
                let op = self.reduce_op()?;
                let array = self.value()?;
                Op::Reduce(op, array, self.axes()?)
            }
            "scan" => {
                let (op, array) = (self.reduce_op()?, self.value()?);
                self.cur.expect_word("along")?;
                Op::Scan(op, array, self.cur.index("the number of a dimension")? as usize)
            }
            "load" => {
                let mem = if self.at_value() { Mem::In(self.value()?) } else { Mem::Out(self.out_number()?) };
                Op::Load(mem, self.scalar_subs()?)
            }
            "put" => {
                let (out, subs) = (self.out_number()?, self.scalar_subs()?);
                self.cur.expect("=")?;
                Op::Put(out, subs, self.operand_as(None)?)
            }
            "accumulate" => {
                let out = self.out_number()?;
                self.cur.expect(",")?;
                Op::Accumulate(out, self.operand_as(None)?)
            }
            _ => return Ok(None),
        }))
    }

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
    fn out_number(&mut self) -> Result<usize, ParseError> {
        let number = match self.cur.peek() {
            Tok::Word(word) => word.strip_prefix("out").and_then(|n| n.parse().ok()),
            _ => None,
        };
        let number = number.ok_or_else(|| self.cur.expected("an out-variable, `out0`,"))?;
        self.cur.bump();
        Ok(number)
    }

    fn scalar_subs(&mut self) -> Result<Vec<Value>, ParseError> {
        self.cur.expect("[")?;
        self.until("]", |p| p.operand_as(Some(Class::Index)))
    }

    fn subs(&mut self) -> Result<Vec<Sub>, ParseError> {
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

    fn message_args(&mut self) -> Result<Vec<Value>, ParseError> {
        let mut args = Vec::new();
        while self.cur.eat(",") {
            args.push(self.operand_as(None)?);
        }
        Ok(args)
    }

    fn args(&mut self, id: FuncId) -> Result<Vec<Value>, ParseError> {
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
    fn operands<const N: usize>(&mut self) -> Result<[Value; N], ParseError> {
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
