//! Functions, regions and control flow.

use super::datum::{Datum, Scalar};
use super::failure::{Failure, LimitKind, Run};
use super::frame::{Frame, FuncInfo, Taker};
use super::message::State;
use super::{Event, KernelRun, Options, Watch, arguments, ops};
use crate::ir::{FuncId, Module, Op, Region, Stmt, Terminator, Value};
use std::io::Write;
use std::rc::Rc;

/// What all active functions share.
pub(super) struct Machine<'m, 'o> {
    module: &'m Module,
    pub options: &'o Options,
    pub out: &'o mut dyn Write,
    watch: &'o mut Watch<'o>,
    pub state: State,
    infos: Vec<Option<Rc<FuncInfo>>>,
    steps_left: u64,
    /// Bytes that the callers of the running function hold.
    callers_bytes: u64,
    depth: usize,
}

/// How control left a region.
pub(super) enum Flow {
    Yield(Vec<Datum>),
    Break(u32, Vec<Datum>),
    Continue(u32, Vec<Datum>),
    Return(Vec<Datum>),
}

impl<'m, 'o> Machine<'m, 'o> {
    pub fn new(module: &'m Module, options: &'o Options, out: &'o mut dyn Write, watch: &'o mut Watch<'o>) -> Self {
        let infos = vec![None; module.funcs.len()];
        let state = State::new(options.seed);
        Self { module, options, out, watch, state, infos, steps_left: options.max_steps, callers_bytes: 0, depth: 0 }
    }

    /// Runs a function.
    pub fn call(&mut self, id: FuncId, args: Vec<Datum>) -> Run<Vec<Datum>> {
        let Some(func) = self.module.funcs.get(id.index()) else {
            return Err(Failure::malformed(format!("the function {id} does not exist")));
        };
        if self.depth >= self.options.max_depth {
            return Err(Failure::limit(LimitKind::Depth, megha_base::recursion::EXCEEDED));
        }
        if let Some(version) = self.module.version(id).filter(|version| !arguments::fit(version, &args)) {
            return self.call(version.general, args);
        }
        let info = Rc::clone(self.infos[id.index()].get_or_insert_with(|| Rc::new(FuncInfo::new(func))));
        let mut frame = Frame::new(func, info, &args);
        let at_entry = |failure: Failure| failure.at(&func.name, crate::ir::Loc::NONE);
        let args = arguments::accept(&frame, args).map_err(at_entry)?;
        self.depth += 1;
        let flow = self.region(&mut frame, &func.body, args).map_err(at_entry);
        self.depth -= 1;
        let Flow::Return(results) = flow? else {
            return Err(at_entry(Failure::malformed("the body of a function must end in a return")));
        };
        arguments::check_results(&frame, &results).map_err(at_entry)?;
        Ok(results)
    }

    /// Counts work against the limit.
    pub fn spend(&mut self, steps: u64) -> Run<()> {
        let left = self.steps_left.checked_sub(steps).ok_or_else(|| {
            let message = format!("the program did not end within {} steps", self.options.max_steps);
            Failure::limit(LimitKind::Steps, message)
        })?;
        self.steps_left = left;
        Ok(())
    }

    /// Whether an array of so many bytes may still be made.
    pub fn reserve(&self, frame: &Frame<'m>, bytes: u64) -> Run<()> {
        let total = self.callers_bytes.saturating_add(frame.bytes).saturating_add(bytes);
        if total <= self.options.max_bytes {
            return Ok(());
        }
        let message = format!("the program needs more than the {} bytes that it may use", self.options.max_bytes);
        Err(Failure::limit(LimitKind::Memory, message))
    }

    /// Runs a region with these values of its parameters.
    pub fn region(&mut self, frame: &mut Frame<'m>, region: &'m Region, params: Vec<Datum>) -> Run<Flow> {
        frame.depth += 1;
        let flow = self.statements(frame, region, params);
        frame.depth -= 1;
        flow
    }

    fn statements(&mut self, frame: &mut Frame<'m>, region: &'m Region, params: Vec<Datum>) -> Run<Flow> {
        self.tell(frame, &Event::Enters(region, &params));
        frame.define(&region.params, params)?;
        for stmt in &region.stmts {
            let func = frame.func;
            if let Some(flow) = self.stmt(frame, stmt).map_err(|failure| failure.at(&func.name, stmt.loc))? {
                return Ok(flow);
            }
        }
        self.tell(frame, &Event::Leaves(region));
        let end = Some(Taker::End(frame.depth));
        Ok(match &region.term {
            Terminator::Yield(values) => Flow::Yield(frame.take_all(values, end)?),
            Terminator::Break(depth, values) => Flow::Break(*depth, frame.take_all(values, end)?),
            Terminator::Continue(depth, values) => Flow::Continue(*depth, frame.take_all(values, end)?),
            Terminator::Return(values) => Flow::Return(frame.take_all(values, end)?),
            Terminator::Unreachable => {
                return Err(Failure::malformed("an end that is said not to be reached is reached"));
            }
        })
    }

    /// Runs a statement; gives how control left, if it did not go on to the next one.
    fn stmt(&mut self, frame: &mut Frame<'m>, stmt: &'m Stmt) -> Run<Option<Flow>> {
        self.spend(1)?;
        if matches!(stmt.op, Op::If { .. } | Op::For { .. } | Op::While { .. }) {
            self.tell(frame, &Event::Begins(stmt));
        }
        match &stmt.op {
            Op::If { cond, then, els } => {
                let taken = if frame.logical(*cond)? { then } else { els };
                match self.region(frame, taken, Vec::new())? {
                    Flow::Yield(values) => self.finish(frame, stmt, values),
                    left => Ok(Some(left)),
                }
            }
            Op::For { trip, init, body } => self.for_loop(frame, stmt, *trip, init, body),
            Op::While { init, cond, body } => self.while_loop(frame, stmt, init, cond, body),
            Op::Kernel(kernel) => {
                let mut touched = None;
                let values = self.kernel(frame, (stmt, kernel), &mut touched);
                (self.watch)(&Event::Kernel(KernelRun {
                    func: frame.func,
                    kernel,
                    stmt,
                    value: &|v| frame.get(v).ok().cloned(),
                    size: &|s| frame.size(s).ok(),
                    results: values.as_deref(),
                    touched: touched.as_deref(),
                }));
                frame.define(&stmt.results, values?)?;
                Ok(None)
            }
            Op::Call(id, args) => {
                let args = frame.all(args)?;
                self.callers_bytes += frame.bytes;
                let results = self.call(*id, args);
                self.callers_bytes -= frame.bytes;
                self.ran(frame, stmt, results?)
            }
            _ => {
                let values = self.simple(frame, stmt)?;
                self.ran(frame, stmt, values)
            }
        }
    }

    /// Tells of what happens outside kernels.
    fn tell(&mut self, frame: &Frame<'m>, event: &Event<'_>) {
        if frame.kernel.is_none() {
            (self.watch)(event);
        }
    }

    /// The end of a statement without regions.
    fn ran(&mut self, frame: &mut Frame<'m>, stmt: &Stmt, values: Vec<Datum>) -> Run<Option<Flow>> {
        self.tell(frame, &Event::Ran(stmt, &values));
        frame.define(&stmt.results, values)?;
        Ok(None)
    }

    /// The end of a statement with regions.
    fn finish(&mut self, frame: &mut Frame<'m>, stmt: &Stmt, values: Vec<Datum>) -> Run<Option<Flow>> {
        self.tell(frame, &Event::Ends(stmt, &values));
        frame.define(&stmt.results, values)?;
        Ok(None)
    }

    /// An operation without control flow: room for its results, then its work.
    fn simple(&mut self, frame: &mut Frame<'m>, stmt: &'m Stmt) -> Run<Vec<Datum>> {
        if let Some(values) = self.message(frame, stmt)? {
            return Ok(values);
        }
        for result in &stmt.results {
            let ty = frame.func.ty(*result);
            if !ty.is_scalar() {
                self.reserve(frame, frame.bytes_of(ty)?)?;
            }
        }
        self.spend(ops::work(frame, stmt)?)?;
        ops::run(frame, stmt)
    }

    fn for_loop(
        &mut self,
        frame: &mut Frame<'m>,
        stmt: &'m Stmt,
        trip: Value,
        init: &[Value],
        body: &'m Region,
    ) -> Run<Option<Flow>> {
        let trip = frame.index(trip)?;
        let mut carried = frame.take_all(init, Taker::of(stmt))?;
        for i in 0..trip {
            self.spend(1)?;
            carried.insert(0, Datum::Scalar(Scalar::Index(i)));
            match self.region(frame, body, carried)? {
                Flow::Yield(next) | Flow::Continue(0, next) => carried = next,
                Flow::Break(0, results) => return self.finish(frame, stmt, results),
                left => return Ok(Some(outwards(left))),
            }
        }
        self.finish(frame, stmt, carried)
    }

    fn while_loop(
        &mut self,
        frame: &mut Frame<'m>,
        stmt: &'m Stmt,
        init: &[Value],
        cond: &'m Region,
        body: &'m Region,
    ) -> Run<Option<Flow>> {
        let mut carried = frame.take_all(init, Taker::of(stmt))?;
        loop {
            self.spend(1)?;
            match self.region(frame, cond, carried.clone())? {
                Flow::Yield(values) => match values.as_slice() {
                    [Datum::Scalar(Scalar::Logical(true))] => {}
                    [Datum::Scalar(Scalar::Logical(false))] => return self.finish(frame, stmt, carried),
                    _ => return Err(Failure::malformed("a condition must yield one logical scalar")),
                },
                Flow::Return(values) => return Ok(Some(Flow::Return(values))),
                _ => return Err(Failure::malformed("a condition must not leave the loop")),
            }
            frame.forget(&cond.params);
            match self.region(frame, body, carried)? {
                Flow::Yield(next) | Flow::Continue(0, next) => carried = next,
                Flow::Break(0, results) => return self.finish(frame, stmt, results),
                left => return Ok(Some(outwards(left))),
            }
        }
    }
}

/// What leaving an inner loop means one loop further out.
fn outwards(flow: Flow) -> Flow {
    match flow {
        Flow::Break(depth, values) => Flow::Break(depth - 1, values),
        Flow::Continue(depth, values) => Flow::Continue(depth - 1, values),
        Flow::Yield(_) | Flow::Return(_) => flow,
    }
}
