//! Mathematical functions of kernels with long chains of operations, written out as the operations of their definitions.
//!
//! A function of the run-time system is one operation that a loop over points holds whole. Written out, it is straight-line code that
//! [`super::groups`] can cut where little is alive. The operations are the same in the same order, so are the results. Functions of
//! singles, of which a cut would store the bits at twice their width, and functions in branches, which no cut reaches, stay calls; so does everything in
//! kernels whose schedule parts nothing.

use super::chosen;
use crate::hash::HashMap;

use crate::ir::{Class, Func, FuncId, Kernel, Loc, Module, Op, Stmt, Terminator, Value, Walk};
use crate::kernels::old_state::OldState;
use crate::math::Definition;
use crate::schedule::latency::{chain, costly};
use crate::schedule::{Fission, Memory, Schedules, Target};

/// The module with the functions of long kernels written out.
pub fn expand(module: &Module, schedules: &Schedules) -> Module {
    let (before, mut module) = (module, module.clone());
    for (at, func) in module.funcs.iter_mut().enumerate() {
        let old = OldState::new(&before.funcs[at]);
        let mut body = std::mem::take(&mut func.body);
        body.walk_mut(&mut |stmt| match &mut stmt.op {
            Op::Kernel(kernel) => {
                let key = (FuncId::new(at), kernel.id);
                let schedule = schedules.get(key, Target::Cpu, Memory::ColumnMajor);
                self::kernel(func, kernel, schedule.and_then(|s| s.fission));
                chosen::kernel(func, &old, kernel);
                Walk::Skip
            }
            _ => Walk::Advance,
        });
        func.body = body;
    }
    module
}

/// Writes functions out where the kernel's schedule parts its loop over points.
fn kernel(func: &mut Func, kernel: &mut Kernel, fission: Option<Fission>) {
    if fission.is_none_or(|fission| chain(&kernel.body.stmts) <= fission.above) {
        return;
    }
    let mut stmts = Vec::new();
    for stmt in std::mem::take(&mut kernel.body.stmts) {
        match costly(&stmt.op).filter(|_| func.ty(stmt.results[0]).class == Class::Double) {
            Some(definition) => write_out(func, definition, &stmt, &mut stmts),
            None => stmts.push(stmt),
        }
    }
    kernel.body.stmts = stmts;
}

/// Appends the operations of the definition in place of the statement.
fn write_out(func: &mut Func, definition: Definition, stmt: &Stmt, out: &mut Vec<Stmt>) {
    let mut args = Vec::new();
    stmt.op.for_each_operand(&mut |v| args.push(v));
    let first = out.len();
    let results = inline(func, definition.module, definition.func(), &args, stmt.loc, out);
    // The last step defines the statement's own result.
    for new in &mut out[first..] {
        new.results.iter_mut().filter(|r| results.contains(r)).for_each(|r| *r = stmt.results[0]);
        new.op.for_each_operand_mut(&mut |v| {
            if results.contains(v) {
                *v = stmt.results[0];
            }
        });
    }
}

/// Appends the operations of a function of the library and of all that it calls; returns its results.
fn inline(
    func: &mut Func,
    library: &Module,
    callee: &Func,
    args: &[Value],
    loc: Loc,
    out: &mut Vec<Stmt>,
) -> Vec<Value> {
    let mut known: HashMap<Value, Value> = callee.params.iter().map(|p| p.value).zip(args.iter().copied()).collect();
    for stmt in &callee.body.stmts {
        if let Op::Call(id, args) = &stmt.op {
            let args: Vec<Value> = args.iter().map(|v| known[v]).collect();
            let results = inline(func, library, &library.funcs[id.index()], &args, loc, out);
            known.extend(stmt.results.iter().copied().zip(results));
            continue;
        }
        let mut op = stmt.op.clone();
        op.for_each_operand_mut(&mut |v| *v = known[v]);
        let mut results = Vec::new();
        for result in &stmt.results {
            let value = func.new_value(callee.ty(*result).clone());
            func.names[value.index()].clone_from(&callee.names[result.index()]);
            known.insert(*result, value);
            results.push(value);
        }
        out.push(Stmt { results, op, loc });
    }
    let Terminator::Return(results) = &callee.body.term else { unreachable!("the library returns") };
    results.iter().map(|v| known[v]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::{self, Datum, Options};
    use crate::ir::parse::parse;
    use crate::ir::verify::verify;

    /// A kernel that applies the functions one after the other.
    fn kernel_of(functions: &[&str]) -> Module {
        let step = |(at, name): (usize, &&str)| format!("%v{} = {name} %v{at}\n", at + 1);
        let steps: String = functions.iter().enumerate().map(step).collect();
        parse(&format!(
            "func @f(%x: f64[n, 1]) -> (y: f64[n, 1]) {{
              sym n = dim 0 0
              %y: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {{
                %v0 = load %x[%i]
                {steps}
                put out0[%i] = %v{}
              }}
              return %y
            }}",
            functions.len()
        ))
        .unwrap_or_else(|e| panic!("{e}"))
    }

    fn values(module: &Module) -> Vec<Datum> {
        let points = (0..200).map(|i| 0.037 * f64::from(i - 60)).collect();
        let x = Datum::doubles(&[200, 1], points).unwrap();
        interp::run(module, FuncId::new(0), vec![x], &Options::default(), &mut std::io::sink()).unwrap()
    }

    #[test]
    fn functions_written_out_compute_the_same() {
        for functions in
            [["tanh", "erf", "exp"], ["cos", "log1p", "gamma"], ["sin", "abs", "asinh"], ["exp", "log", "erfc"]]
        {
            let before = kernel_of(&functions);
            let after = expand(&before, &Schedules::of(&before));
            assert!(verify(&after).is_ok(), "{after}");
            assert!(!after.to_string().contains(" erf "), "{after}");
            assert_ne!(before, after);
            assert_eq!(values(&before), values(&after), "{after}");
        }
    }

    #[test]
    fn short_kernels_keep_their_calls() {
        let before = kernel_of(&["exp"]);
        assert_eq!(before, expand(&before, &Schedules::of(&before)));
    }
}
