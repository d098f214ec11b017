//! Operations without regions as text: how each is written, and how it is read.

use super::ParseError;
use super::func::FuncParser;
use crate::ir::lex::Tok;
use crate::ir::print::{Printer, float, func_ref, join, list, quote, spaced};
use crate::ir::{
    Ambient, Binary, Cause, Check, Class, Const, Lib, Look, Mem, Op, ShownKind, Size, Stream, Sub, TextOp, Type, Unary,
    Value, Written,
};

impl Printer<'_> {
    /// An operation without regions.
    pub fn op(&self, op: &Op) -> String {
        let size = |s| self.func.show_size(s);
        match op {
            Op::Const(c) => format!("const {}", constant(c)),
            Op::Size(s) => format!("size {}", size(s)),
            Op::Unary(op, a) => format!("{} {a}", op.name()),
            Op::Binary(op, a, b) => format!("{} {a}, {b}", op.name()),
            Op::Select(a, b, c) => format!("select {a}, {b}, {c}"),
            Op::Fma(a, b, c) => format!("fma {a}, {b}, {c}"),
            Op::Convert(a) => format!("convert {a}"),
            Op::ToIndex(a) => format!("to_index {a}"),
            Op::Bits(a) => format!("bits {a}"),
            Op::FromBits(a) => format!("from_bits {a}"),
            Op::Complex(a, b) => format!("complex {a}, {b}"),
            Op::Part(part, a) => format!("{} {a}", part.name()),
            Op::Fill(a) => format!("fill {a}"),
            Op::FillAround { a, boxes } => {
                format!("fill {a}") + &boxes.iter().map(|b| self.written(b)).collect::<String>()
            }
            Op::Range { start, step } => format!("range {start}, {step}"),
            Op::Linspace(a, b) => format!("linspace {a}, {b}"),
            Op::Eye => "eye".to_owned(),
            Op::Index { array, subs, checked } => format!("index {array}[{}]{}", self.subs(subs), flag(*checked)),
            Op::Store { array, subs, value, checked } => {
                format!("store {array}[{}] = {value}{}", self.subs(subs), flag(*checked))
            }
            Op::Transpose(a) => format!("transpose {a}"),
            Op::Reshape(a) => format!("reshape {a}"),
            Op::Resize(a) => format!("resize {a}"),
            Op::Concat(axis, values) => spaced("concat", values) + &format!(" along {axis}"),
            Op::Reduce(op, a, axes) => format!("reduce {} {a} along {axes:?}", op.name()),
            Op::Scan(op, a, axis) => format!("scan {} {a} along {axis}", op.name()),
            Op::Lib(lib, args) => spaced(&format!("lib {}", lib.name()), args),
            Op::Call(id, args) => format!("call {}({})", func_ref(self.module, *id), list(args)),
            Op::Assert(a, Check { cause: Cause::Other, text }) => format!("assert {a}, {}", quote(text)),
            Op::Assert(a, Check { cause, text }) => format!("assert {a}, {} {}", cause.name(), quote(text)),
            Op::SameSize(a, b, text) => format!("same_size {}, {}, {}", size(a), size(b), quote(text)),
            Op::Raise { identifier, format, args } if identifier.is_empty() => message("raise", format, args),
            Op::Raise { identifier, format, args } => message(&format!("raise as {}", quote(identifier)), format, args),
            Op::Print(Stream::Output, text, args) => message("print", text, args),
            Op::Print(stream, text, args) => message(&format!("print to {}", stream.name()), text, args),
            Op::Display(look, args) => {
                let long = if look.long { " long" } else { "" };
                let kind = match look.kind {
                    ShownKind::Plain => String::new(),
                    kind => format!(" as {}", kind.name()),
                };
                message(&format!("display{long}{kind}"), &look.name, args)
            }
            Op::Text(op, args) => spaced(&format!("text {}", op.name()), args),
            Op::Ambient(op, args) => {
                format!("ambient {}", op.name()) + &args.iter().map(|v| format!(", {v}")).collect::<String>()
            }
            Op::Load(mem, subs) => match mem {
                Mem::In(array) => format!("load {array}[{}]", list(subs)),
                Mem::Out(out) => format!("load out{out}[{}]", list(subs)),
            },
            Op::Put(out, subs, value) => format!("put out{out}[{}] = {value}", list(subs)),
            Op::Accumulate(out, value) => format!("accumulate out{out}, {value}"),
            Op::If { .. } | Op::For { .. } | Op::While { .. } | Op::Kernel(_) => String::new(),
        }
    }

    fn written(&self, written: &Written) -> String {
        let list = |sizes: &[Size]| join(sizes.iter().map(|size| self.func.show_size(size)));
        let rounds = match &written.rounds[..] {
            [] => String::new(),
            rounds => format!(" rounds [{}]", list(rounds)),
        };
        format!(" around [{}] len [{}]{rounds}", list(&written.first), list(&written.count))
    }

    fn subs(&self, subs: &[Sub]) -> String {
        join(subs.iter().map(|sub| match sub {
            Sub::All => ":".to_owned(),
            Sub::At(v) => v.to_string(),
            Sub::Range { start, step, len } => format!("{start} step {step} len {}", self.func.show_size(len)),
            Sub::Vector(v) => format!("vector {v}"),
        }))
    }
}

fn constant(c: &Const) -> String {
    match c {
        Const::Float(x) => float(*x),
        Const::Int(i) => i.to_string(),
        Const::Bool(b) => b.to_string(),
        Const::Text(t) => quote(t),
    }
}

fn flag(checked: bool) -> &'static str {
    if checked { " checked" } else { "" }
}

fn message(word: &str, text: &str, args: &[Value]) -> String {
    let args: String = args.iter().map(|v| format!(", {v}")).collect();
    format!("{word} {}{args}", quote(text))
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
            "fill" => self.fill()?,
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

    /// `%a`, and the boxes that are left out.
    fn fill(&mut self) -> Result<Op, ParseError> {
        let a = self.operand_as(None)?;
        let mut boxes = Vec::new();
        while self.cur.eat_word("around") {
            let first = self.sizes()?;
            self.cur.expect_word("len")?;
            let count = self.sizes()?;
            let rounds = if self.cur.eat_word("rounds") { self.sizes()? } else { Vec::new() };
            boxes.push(Written { first, count, rounds });
        }
        Ok(if boxes.is_empty() { Op::Fill(a) } else { Op::FillAround { a, boxes } })
    }

    fn sizes(&mut self) -> Result<Vec<Size>, ParseError> {
        self.cur.expect("[")?;
        self.until("]", |p| p.size())
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
}
