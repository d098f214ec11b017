//! Kernels.

use super::control::End;
use super::{Checker, Rule};
use crate::ir::{Class, Const, Kernel, Mem, Module, Op, Out, Place, Region, Stmt, Type, Value, Walk, typing};

/// The kernel whose body is being checked.
#[derive(Clone, Copy)]
pub(super) struct Frame<'m> {
    kernel: &'m Kernel,
    results: &'m [Value],
}

/// For each function, whether a kernel may call it: all its values are scalars, and it holds nothing that must not
/// stand in a kernel, nor calls such a function.
pub(super) fn scalar_funcs(module: &Module) -> Vec<bool> {
    let mut scalar = vec![true; module.funcs.len()];
    loop {
        let next: Vec<bool> = (module.funcs.iter())
            .map(|f| {
                let is_scalar = |v: &Value| f.ty(*v).is_scalar();
                f.body.params.iter().all(is_scalar)
                    && f.results.iter().all(Type::is_scalar)
                    && is_scalar_code(&f.body, &scalar)
            })
            .collect();
        if next == scalar {
            return scalar;
        }
        scalar = next;
    }
}

fn is_scalar_code(region: &Region, scalar: &[bool]) -> bool {
    region.walk(&mut |stmt| {
        let allowed = match &stmt.op {
            Op::Call(id, _) => scalar[id.index()],
            op => op.place() == Place::Anywhere && is_allowed(op),
        };
        if allowed { Walk::Advance } else { Walk::Interrupt }
    })
}

/// Whether an operation may stand in a kernel (a call if its callee may).
fn is_allowed(op: &Op) -> bool {
    op.place() != Place::Host && !matches!(op, Op::Const(Const::Text(_)))
}

impl<'m> Checker<'m> {
    /// Whether the operation may stand here, in or out of a kernel.
    pub(super) fn kernel_op(&mut self, op: &'m Op) {
        match (self.kernel, op) {
            (None, _) if op.place() == Place::Kernel => {
                self.fail(Rule::KernelOp, "this operation stands in kernels only".into())
            }
            (None, _) => {}
            (Some(_), Op::Call(id, _)) => {
                let scalar = self.scalar_funcs[id.index()];
                self.require(scalar, Rule::KernelOp, || "a kernel calls scalar functions without output only".into());
            }
            (Some(_), op) => {
                self.require(is_allowed(op), Rule::KernelOp, || "this operation does not stand in a kernel".into());
            }
        }
    }

    pub(super) fn kernel(&mut self, stmt: &'m Stmt, kernel: &'m Kernel) {
        let unique = !self.kernel_ids.contains(&kernel.id);
        self.require(unique, Rule::Kernel, || format!("two kernels have the number {}", kernel.id));
        self.kernel_ids.push(kernel.id);
        for (number, (out, result)) in kernel.outs.iter().zip(&stmt.results).enumerate() {
            self.out(kernel, number, out, self.ty(*result));
        }
        let (params, rank) = (kernel.body.params.len(), kernel.domain.len());
        self.require(params == rank, Rule::Kernel, || format!("{params} iteration numbers for {rank} loops"));
        for param in &kernel.body.params {
            self.scalar(*param, Class::Index, "an iteration number");
        }
        if self.kernel.is_some() {
            return; // reported as an operation that does not stand in a kernel
        }
        let loops = std::mem::take(&mut self.loops);
        self.kernel = Some(Frame { kernel, results: &stmt.results });
        self.region(&kernel.body, End::Kernel);
        self.kernel = None;
        self.loops = loops;
    }

    fn out(&mut self, kernel: &'m Kernel, number: usize, out: &'m Out, result: &Type) {
        match out {
            Out::Fresh => {
                self.require(!result.is_scalar(), Rule::Kernel, || format!("out{number} is a scalar, not an array"));
                let stored = kernel.body.any(|op| matches!(op, Op::Put(n, ..) if *n == number));
                self.require(stored, Rule::Kernel, || format!("no `put` stores out{number}"));
            }
            Out::Update(array) => {
                self.require(!result.is_scalar(), Rule::Kernel, || format!("out{number} is a scalar, not an array"));
                let same = self.ty(*array) == result;
                self.require(same, Rule::Kernel, || {
                    format!("out{number} and the array that it updates differ in type")
                });
            }
            Out::Reduce(op, axes) => {
                self.increasing(axes, kernel.domain.len());
                self.reduced_class(*op, result);
                let left = typing::reduced(result.class, &kernel.domain, axes);
                // A domain has no loops for dimensions of size one.
                let fits = typing::long_dims(&left).eq(typing::long_dims(result));
                self.require(fits, Rule::Kernel, || format!("out{number} has not the sizes of the loops that remain"));
                let contributes = |op: &Op| matches!(op, Op::Accumulate(n, _) if *n == number);
                let top = kernel.body.stmts.iter().filter(|s| contributes(&s.op)).count();
                let once = top == 1 && kernel.body.count(contributes) == 1;
                self.require(once, Rule::Kernel, || {
                    format!("out{number} is not accumulated once, at the top level of the body")
                });
            }
        }
    }

    fn subs(&mut self, subs: &'m [Value], array: &Type) {
        for sub in subs {
            self.scalar(*sub, Class::Index, "a subscript");
        }
        let (found, rank) = (subs.len(), array.dims.len());
        self.require(found == 1 || found == rank, Rule::Arity, || format!("{found} subscripts for {rank} dimensions"));
    }

    /// The type of an out-variable that is an array in memory.
    fn memory(&mut self, number: usize) -> Option<&'m Type> {
        let frame = self.kernel?;
        match (frame.kernel.outs.get(number), frame.results.get(number)) {
            (Some(Out::Fresh | Out::Update(_)), Some(result)) => Some(self.ty(*result)),
            _ => {
                self.fail(Rule::Kernel, format!("out{number} is no array that this kernel makes or updates"));
                None
            }
        }
    }

    pub(super) fn load(&mut self, stmt: &'m Stmt, mem: Mem, subs: &'m [Value]) {
        let array = match mem {
            Mem::In(array) => self.ty(array),
            Mem::Out(number) => match self.memory(number) {
                Some(ty) => ty,
                None => return,
            },
        };
        self.require(!array.is_scalar(), Rule::Kernel, || "what is loaded from is a scalar".into());
        self.subs(subs, array);
        self.scalar(stmt.results[0], array.class, "the element");
    }

    pub(super) fn put(&mut self, number: usize, subs: &'m [Value], value: Value) {
        if let Some(array) = self.memory(number) {
            self.subs(subs, array);
            self.scalar(value, array.class, "what is stored");
        }
    }

    pub(super) fn accumulate(&mut self, number: usize, value: Value) {
        let Some(frame) = self.kernel else { return };
        match (frame.kernel.outs.get(number), frame.results.get(number)) {
            (Some(Out::Reduce(..)), Some(result)) => self.scalar(value, self.ty(*result).class, "the contribution"),
            _ => self.fail(Rule::Kernel, format!("out{number} is no reduction of this kernel")),
        }
    }
}
