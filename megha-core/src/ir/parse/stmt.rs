//! Statements, regions and their ends.

use super::ParseError;
use super::func::FuncParser;
use crate::ir::lex::Tok;
use crate::ir::{Class, Const, Kernel, Loc, Op, Out, Pipelined, Region, Size, Stmt, Terminator, Type, Value, typing};

impl FuncParser<'_> {
    /// Reads a statement, after the constants that its literals stand for.
    pub fn stmt(&mut self, stmts: &mut Vec<Stmt>) -> Result<(), ParseError> {
        let defs = self.defs()?;
        let at = self.cur.pos;
        let (mut op, own, loc) = self.op_or_region()?;
        let mut inferred = self.inferred(&op).into_iter();
        let mut results = Vec::new();
        for (value, written) in defs {
            let inferred = inferred.next().flatten();
            let Some(ty) = written.or(own.clone()).or(inferred) else {
                self.cur.pos = at;
                let message =
                    format!("the type of `{value}` does not follow from the operands: write it, `{value}: f64 = ..`");
                return Err(self.cur.error(message));
            };
            if let Op::Const(c) = &mut op {
                adapt(c, ty.class);
            }
            self.set_type(value, ty)?;
            results.push(value);
        }
        self.flush(stmts, loc);
        stmts.push(Stmt { results, op, loc });
        Ok(())
    }

    /// What a statement defines: `a, b =` or nothing.
    fn defs(&mut self) -> Result<Vec<(Value, Option<Type>)>, ParseError> {
        if !self.at_value() {
            return Ok(Vec::new());
        }
        let mut defs = vec![self.def_untyped()?];
        while self.cur.eat(",") {
            defs.push(self.def_untyped()?);
        }
        self.cur.expect("=")?;
        Ok(defs)
    }

    fn loc(&mut self) -> Loc {
        match *self.cur.peek() {
            Tok::Loc(n) => {
                self.cur.bump();
                Loc::new(n as usize)
            }
            _ => Loc::NONE,
        }
    }

    /// The types that follow from what is known, one for each result.
    fn inferred(&self, op: &Op) -> Vec<Option<Type>> {
        let of = |values: &[Value]| values.iter().map(|v| self.type_of(*v).cloned()).collect();
        match op {
            Op::For { init, .. } | Op::While { init, .. } => of(init),
            Op::If { then, els, .. } => match (&then.term, &els.term) {
                (Terminator::Yield(values), _) | (_, Terminator::Yield(values)) => of(values),
                _ => Vec::new(),
            },
            Op::Call(id, _) => match self.done.get(id.index()) {
                Some(callee) => callee.results.iter().map(|ty| ty.is_scalar().then(|| ty.clone())).collect(),
                None => Vec::new(),
            },
            op => vec![typing::result_type(op, &|v| self.type_of(v))],
        }
    }

    /// A statement's operation, the type that its text gives by itself, and its position.
    fn op_or_region(&mut self) -> Result<(Op, Option<Type>, Loc), ParseError> {
        let Tok::Word(word) = self.cur.peek().clone() else { return Err(self.cur.expected("a statement")) };
        let (op, loc) = match word.as_str() {
            "if" => self.if_op()?,
            "for" => self.for_op()?,
            "while" => self.while_op()?,
            "kernel" => self.kernel()?,
            _ => {
                let (op, ty) = self.op(&word)?;
                return Ok((op, ty, self.loc()));
            }
        };
        Ok((op, None, loc))
    }

    fn block(&mut self, params: Vec<Value>) -> Result<Region, ParseError> {
        self.cur.expect("{")?;
        self.region_rest(params, Terminator::Yield(Vec::new()))
    }

    fn if_op(&mut self) -> Result<(Op, Loc), ParseError> {
        self.cur.bump();
        let cond = self.operand_as(None)?;
        let params = self.bars(&[])?;
        let loc = self.loc();
        let then = Box::new(self.block(params)?);
        let els = match self.cur.eat_word("else") {
            true => {
                let params = self.bars(&[])?;
                self.block(params)?
            }
            false => Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Yield(Vec::new()) },
        };
        Ok((Op::If { cond, then, els: Box::new(els) }, loc))
    }

    /// `with a, b`, if it is here.
    fn init(&mut self) -> Result<Vec<Value>, ParseError> {
        if self.cur.eat_word("with") { self.values() } else { Ok(Vec::new()) }
    }

    /// The types of the first values of which they are known.
    fn known_types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map_while(|v| self.type_of(*v).cloned()).collect()
    }

    fn for_op(&mut self) -> Result<(Op, Loc), ParseError> {
        self.cur.bump();
        let trip = self.operand_as(Some(Class::Index))?;
        let init = self.init()?;
        let mut defaults = vec![Type::scalar(Class::Index)];
        defaults.extend(self.known_types(&init));
        let params = self.bars(&defaults)?;
        self.pipelined(&params)?;
        let loc = self.loc();
        let body = Box::new(self.block(params)?);
        Ok((Op::For { trip, init, body }, loc))
    }

    /// `pipelined [n, m] work [k, l]`, if it is here, of the loop whose body has these parameters.
    fn pipelined(&mut self, params: &[Value]) -> Result<(), ParseError> {
        if !self.cur.eat_word("pipelined") {
            return Ok(());
        }
        let starts = self.size_list()?;
        self.cur.expect_word("work")?;
        let work = self.size_list()?;
        self.pipelined.insert(params[0], Pipelined { starts, work });
        Ok(())
    }

    /// `[n, m]`.
    fn size_list(&mut self) -> Result<Vec<Size>, ParseError> {
        self.cur.expect("[")?;
        let mut sizes = vec![self.size()?];
        while self.cur.eat(",") {
            sizes.push(self.size()?);
        }
        self.cur.expect("]")?;
        Ok(sizes)
    }

    fn while_op(&mut self) -> Result<(Op, Loc), ParseError> {
        self.cur.bump();
        let init = self.init()?;
        let defaults = self.known_types(&init);
        let params = self.bars(&defaults)?;
        let loc = self.loc();
        let cond = Box::new(self.block(params)?);
        self.cur.expect_word("do")?;
        let params = self.bars(&defaults)?;
        let body = Box::new(self.block(params)?);
        Ok((Op::While { init, cond, body }, loc))
    }

    fn kernel(&mut self) -> Result<(Op, Loc), ParseError> {
        self.cur.bump();
        let id = self.cur.index("the kernel's number")?;
        self.cur.expect_word("over")?;
        self.cur.expect("[")?;
        let domain = self.until("]", Self::size)?;
        self.cur.expect_word("into")?;
        self.cur.expect("(")?;
        let outs = self.until(")", Self::out)?;
        let params = self.bars(&vec![Type::scalar(Class::Index); domain.len()])?;
        let loc = self.loc();
        let body = self.block(params)?;
        Ok((Op::Kernel(Box::new(Kernel { id, domain, outs, body })), loc))
    }

    fn out(&mut self) -> Result<Out, ParseError> {
        if self.cur.eat_word("fresh") {
            Ok(Out::Fresh)
        } else if self.cur.eat_word("update") {
            Ok(Out::Update(self.value()?))
        } else if self.cur.eat_word("reduce") {
            let op = self.reduce_op()?;
            Ok(Out::Reduce(op, self.axes()?))
        } else {
            Err(self.cur.expected("`fresh`, `update %x` or `reduce sum along [0]`"))
        }
    }

    /// The end of a region, if one is here.
    pub fn terminator(&mut self) -> Result<Option<Terminator>, ParseError> {
        let Tok::Word(word) = self.cur.peek().clone() else { return Ok(None) };
        if !matches!(word.as_str(), "yield" | "return" | "unreachable" | "break" | "continue") {
            return Ok(None);
        }
        self.cur.bump();
        Ok(Some(match word.as_str() {
            "yield" => Terminator::Yield(self.values()?),
            "return" => Terminator::Return(self.values()?),
            "unreachable" => Terminator::Unreachable,
            _ => {
                let depth = self.cur.number_sign()?.unwrap_or(0);
                let values = self.values()?;
                if word == "break" { Terminator::Break(depth, values) } else { Terminator::Continue(depth, values) }
            }
        }))
    }
}

/// Makes a literal fit its class: integers are floats where a float is asked for, and `f32` constants are rounded to it.
pub(super) fn adapt(c: &mut Const, class: Class) {
    if let (Const::Int(i), true) = (&*c, class.is_float()) {
        *c = Const::Float(*i as f64);
    }
    match c {
        Const::Float(x) if class == Class::Single && !x.is_nan() => *x = f64::from(*x as f32),
        _ => {}
    }
}
