//! The body of a kernel: statements and control flow.

use super::class::register;
use super::entry::Entry;
use super::inst::{Arith, Compare, Label, Operand, Reg, Ty};
use super::integer::Kind;
use crate::ir::{Check, Class, Op, Region, Stmt, Terminator, Value};
use crate::schedule::Optimisation;
use crate::schedule::invariant::invariant;
use megha_base::plan::Role;

/// A loop that is being written.
pub(super) struct Loop {
    /// The registers of its carried values, which are its results too.
    carried: Vec<(Reg, Ty)>,
    /// Where the next iteration begins.
    next: Label,
    /// What follows the loop.
    end: Label,
}

impl Entry<'_, '_> {
    /// The statements of the kernel.
    ///
    /// # Errors
    /// An operation without PTX.
    pub fn body(&mut self) -> Result<(), String> {
        self.region(&self.source.subject.kernel.body, &mut Vec::new()).map(drop)
    }

    /// The statements of a region; the values that it yields, `None` if control leaves otherwise.
    fn region(&mut self, region: &Region, loops: &mut Vec<Loop>) -> Result<Option<Vec<Operand>>, String> {
        for stmt in &region.stmts {
            self.stmt(stmt, loops)?;
        }
        let (depth, values, again) = match &region.term {
            Terminator::Yield(values) => return self.all(values).map(Some),
            Terminator::Break(depth, values) => (*depth, values, false),
            Terminator::Continue(depth, values) => (*depth, values, true),
            Terminator::Return(_) => return Err("a return from inside a kernel".into()),
            Terminator::Unreachable => return Ok(None),
        };
        let values = self.all(values)?;
        let Some(at) = loops.len().checked_sub(depth as usize + 1) else { return Err("no such loop".into()) };
        let target = if again { loops[at].next } else { loops[at].end };
        let carried = loops[at].carried.clone();
        self.carry(&carried, &values);
        self.e.jump(target);
        Ok(None)
    }

    pub(super) fn all(&mut self, values: &[Value]) -> Result<Vec<Operand>, String> {
        values.iter().map(|v| self.value(*v)).collect()
    }

    /// Assigns registers at once, some of which may be read by what is assigned.
    pub(super) fn carry(&mut self, to: &[(Reg, Ty)], from: &[Operand]) {
        let overwritten = |k: usize| to[..k].iter().any(|(reg, _)| Operand::Reg(*reg) == from[k]);
        let conflict = (0..from.len().min(to.len())).any(overwritten);
        let mut from = from.to_vec();
        if conflict {
            for ((_, ty), value) in to.iter().zip(&mut from) {
                let copy = self.e.reg(ty.bank());
                self.e.assign(*ty, copy, *value);
                *value = copy.into();
            }
        }
        for ((reg, ty), value) in to.iter().zip(from) {
            self.e.assign(*ty, *reg, value);
        }
    }

    /// One statement.
    ///
    /// # Errors
    /// An operation without PTX.
    pub(super) fn stmt(&mut self, stmt: &Stmt, loops: &mut Vec<Loop>) -> Result<(), String> {
        if stmt.results.iter().any(|value| self.in_front.contains(value)) {
            return Ok(());
        }
        match &stmt.op {
            Op::If { cond, then, els } => self.branches(stmt, *cond, [then, els], loops),
            Op::For { trip, init, body } => self.for_loop(stmt, *trip, init, body, loops),
            Op::While { init, cond, body } => self.while_loop(stmt, init, [cond, body], loops),
            Op::Load(..) if self.held.as_ref().is_some_and(|(there, _)| there.contains(&stmt.results[0])) => Ok(()),
            Op::Load(mem, subs) => {
                let value = self.load(*mem, subs)?;
                self.define(stmt.results[0], value);
                Ok(())
            }
            Op::Put(out, subs, value) => match self.held {
                Some((_, (reg, ty))) => {
                    let value = self.value(*value)?;
                    self.e.assign(ty, reg, value);
                    Ok(())
                }
                None => self.put(*out, subs, *value),
            },
            Op::Accumulate(out, value) => {
                let value = self.value(*value)?;
                match self.source.arrays[*out].role {
                    Role::Flag(start) => self.flag(*out, start, value),
                    Role::In | Role::Fresh | Role::Update(_) | Role::Reduced => {
                        self.contributions.insert(*out, value);
                    }
                }
                Ok(())
            }
            Op::Assert(cond, Check { text, .. }) => {
                let holds = self.value(*cond)?;
                self.check(holds, stmt.loc, text)
            }
            Op::ToIndex(a) => self.whole_index(stmt, *a),
            Op::Size(size) => {
                let value = self.size(size)?;
                self.define(stmt.results[0], value);
                Ok(())
            }
            Op::Call(..) => Err("a call of another function".into()),
            _ => {
                let value = self.scalar(stmt)?;
                self.define(stmt.results[0], value);
                Ok(())
            }
        }
    }

    /// A checked conversion of what should be a whole number.
    fn whole_index(&mut self, stmt: &Stmt, a: Value) -> Result<(), String> {
        const LIMIT: i64 = 1 << 53;
        let class = self.source.subject.func.ty(a).class;
        let value = self.value(a)?;
        let (whole, index) = match Kind::of(class) {
            None if class == Class::Double => {
                let (limit, e) = (Operand::Double((LIMIT as f64).to_bits()), &mut self.e);
                let truncated = e.arith(Arith::Trunc, Ty::F64, &[value]);
                let equal = e.compare(Compare::Eq, Ty::F64, truncated, value);
                let size = e.arith(Arith::Abs, Ty::F64, &[value]);
                let small = e.compare(Compare::Lt, Ty::F64, size, limit);
                (e.and(equal, small), e.convert(Ty::S64, Ty::F64, value))
            }
            None => return Err(format!("a subscript of class {}", class.name())),
            Some(kind) => {
                let wide = kind.widen(&mut self.e, value);
                let whole = match kind.ty {
                    Ty::U64 => self.e.compare(Compare::Lt, Ty::U64, wide, Operand::Int(LIMIT)),
                    Ty::S64 => {
                        let below = self.e.compare(Compare::Lt, Ty::S64, wide, Operand::Int(LIMIT));
                        let above = self.e.compare(Compare::Gt, Ty::S64, wide, Operand::Int(-LIMIT));
                        self.e.and(below, above)
                    }
                    _ => Operand::Int(1),
                };
                (whole, wide)
            }
        };
        self.define(stmt.results[0], index);
        self.check(whole, stmt.loc, "a subscript is not a whole number")
    }

    /// New registers for values that control flow joins, defined as these values.
    pub(super) fn joined(&mut self, values: &[Value]) -> Result<Vec<(Reg, Ty)>, String> {
        let mut regs = Vec::new();
        for value in values {
            let ty = register(self.source.subject.func.ty(*value).class)?;
            let reg = self.e.reg(ty.bank());
            self.define(*value, reg.into());
            regs.push((reg, ty));
        }
        Ok(regs)
    }

    fn branches(
        &mut self,
        stmt: &Stmt,
        cond: Value,
        [then, els]: [&Region; 2],
        loops: &mut Vec<Loop>,
    ) -> Result<(), String> {
        let cond = self.value(cond)?;
        let results = self.joined(&stmt.results)?;
        let (otherwise, end) = (self.e.label(), self.e.label());
        // Addresses that are computed on one of two ways are not there on the other.
        let steps = self.steps.take();
        self.e.jump_if(cond, false, otherwise);
        self.arm(then, &results, loops, Some(end))?;
        self.e.place(otherwise);
        self.arm(els, &results, loops, None)?;
        self.e.place(end);
        self.steps = steps;
        Ok(())
    }

    fn arm(
        &mut self,
        region: &Region,
        results: &[(Reg, Ty)],
        loops: &mut Vec<Loop>,
        end: Option<Label>,
    ) -> Result<(), String> {
        self.e.open();
        if let Some(values) = self.region(region, loops)? {
            self.carry(results, &values);
            if let Some(end) = end {
                self.e.jump(end);
            }
        }
        self.e.close();
        Ok(())
    }

    fn for_loop(
        &mut self,
        stmt: &Stmt,
        trip: Value,
        init: &[Value],
        body: &Region,
        loops: &mut Vec<Loop>,
    ) -> Result<(), String> {
        let (trip, init) = (self.value(trip)?, self.all(init)?);
        let carried = self.joined(&stmt.results)?;
        self.carry(&carried, &init);
        let counter = self.e.reg(Ty::S64.bank());
        self.e.assign(Ty::S64, counter, Operand::Int(0));
        let [head, next, end] = [self.e.label(), self.e.label(), self.e.label()];
        let moves = self.source.optimisations.has(Optimisation::Invariant);
        let same = if moves { invariant(&self.source.subject, body) } else { Vec::new() };
        let outer = self.in_front.len();
        if !same.is_empty() {
            self.jump_if_none(trip, end);
        }
        self.e.open();
        for read in &same {
            self.stmt(read, &mut Vec::new())?;
            self.in_front.extend(&read.results);
        }
        if self.written_out(stmt, (trip, counter), &carried)? {
            let done = self.e.compare(Compare::Ge, Ty::S64, counter.into(), trip);
            self.e.jump_if(done, true, end);
        } else if same.is_empty() {
            self.jump_if_none(trip, end);
        }
        self.e.place(head);
        self.e.open();
        self.define(body.params[0], counter.into());
        body.params[1..].iter().zip(&carried).for_each(|(value, (reg, _))| self.define(*value, (*reg).into()));
        loops.push(Loop { carried: carried.clone(), next, end });
        if let Some(values) = self.region(body, loops)? {
            self.carry(&carried, &values);
        }
        loops.pop();
        self.e.close();
        self.e.place(next);
        self.e.open();
        let count = self.e.arith(Arith::Add, Ty::S64, &[counter.into(), Operand::Int(1)]);
        self.e.assign(Ty::S64, counter, count);
        self.e.close();
        self.e.open();
        let more = self.e.compare(Compare::Lt, Ty::S64, counter.into(), trip);
        self.e.jump_if(more, true, head);
        self.e.close();
        self.in_front.truncate(outer);
        self.e.close();
        self.e.place(end);
        Ok(())
    }

    /// Leaves a loop that has no iteration.
    fn jump_if_none(&mut self, trip: Operand, end: Label) {
        let none = self.e.compare(Compare::Le, Ty::S64, trip, Operand::Int(0));
        self.e.jump_if(none, true, end);
    }

    fn while_loop(
        &mut self,
        stmt: &Stmt,
        init: &[Value],
        [cond, body]: [&Region; 2],
        loops: &mut Vec<Loop>,
    ) -> Result<(), String> {
        let init = self.all(init)?;
        let carried = self.joined(&stmt.results)?;
        self.carry(&carried, &init);
        let [head, end] = [self.e.label(), self.e.label()];
        self.e.place(head);
        self.e.open();
        for params in [&cond.params, &body.params] {
            params.iter().zip(&carried).for_each(|(value, (reg, _))| self.define(*value, (*reg).into()));
        }
        let Some(test) = self.region(cond, loops)? else { return Err("a condition that leaves its loop".into()) };
        let [goes_on] = test[..] else { return Err("a condition of several values".into()) };
        self.e.jump_if(goes_on, false, end);
        loops.push(Loop { carried: carried.clone(), next: head, end });
        if let Some(values) = self.region(body, loops)? {
            self.carry(&carried, &values);
            self.e.jump(head);
        }
        loops.pop();
        self.e.close();
        self.e.place(end);
        Ok(())
    }
}
