//! A function through the compiler, its module run by the reference interpreter, against the plain run.

use super::call::{self, SIZES};
use super::generate::{MOST_STEPS, Program};
use super::plain::{self, Argument, End, Limits, Number};
use super::random::Random;
use megha_core::interp::{self, Array, Datum, Elements, ErrorKind, Failure, FailureKind, Options, Order};
use megha_core::ir::verify::verify;
use megha_core::ir::{Func, FuncId, Size, Sym, SymDef};
use megha_core::kernels::doall::Outcome;
use megha_core::offload::ast::{Block, Child, ExprKind, ParamType, Place, Scalar, SpanId, Stmt, StmtKind};
use megha_core::offload::{self, Compiled, Entry};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The interpreter's steps to where a panic comes soon.
const SOON: u64 = 3 * MOST_STEPS;

/// Sizes of the calls in which loops are observed.
const OBSERVED: [usize; 4] = [2, 3, 5, 6];

/// Further calls, with sizes and numbers at random, where some loop has not been seen to be dependent.
const VARIED: usize = 300;

/// What came of a function's calls and loops.
#[derive(Debug, Default)]
pub struct Counts {
    /// Calls that were compared.
    pub calls: usize,
    /// Those of them that panic.
    pub panics: usize,
    /// Calls that the compiled function leaves to the plain one.
    pub plain: usize,
    /// Loops that became parallel.
    pub parallel: usize,
    /// Loops around kernels that became part of these.
    pub expanded: usize,
    /// Loops whose iterations depended on each other.
    pub dependent: usize,
    /// Loops that did not, but stayed in order, with the reason that the compiler gives.
    pub missed: Vec<String>,
}

/// What is known of a function's loops from its runs.
#[derive(Default)]
struct Loops {
    /// Loops in which iterations conflicted.
    conflicts: HashSet<SpanId>,
    scalars: HashSet<SpanId>,
    /// Loops that are known to do something in more than one iteration.
    worked: HashSet<SpanId>,
    /// Accesses that were made.
    made: HashSet<SpanId>,
}

/// Checks a function.
///
/// # Errors
/// What is wrong, with the function's text.
pub fn check(program: &Program) -> Result<Counts, String> {
    let wrong = |what: String| format!("seed {}: {what}\n{}", program.seed, program.text());
    let (compiled, mut counts) = loops_of(program)?;
    // Rows go eight at a time where they wait for each other, which takes long to interpret.
    let blocks = program.seed.is_multiple_of(8).then_some(19);
    for n in SIZES.into_iter().chain(blocks) {
        compare(program, &compiled, (n, &[]), &mut counts).map_err(wrong)?;
    }
    for numbers in call::extreme(program) {
        for n in [3, 0] {
            compare(program, &compiled, (n, &numbers), &mut counts).map_err(wrong)?;
        }
    }
    Ok(counts)
}

/// Compiles a function and holds what becomes of its loops against what they do.
///
/// # Errors
/// What is wrong, with the function's text.
pub fn loops_of(program: &Program) -> Result<(Compiled, Counts), String> {
    let wrong = |what: String| format!("seed {}: {what}\n{}", program.seed, program.text());
    let compiled = offload::compile(&program.function).map_err(|problems| {
        let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
        wrong(format!("refused: {}", list.join("; ")))
    })?;
    verify(&compiled.module).map_err(|violations| wrong(format!("not verified: {}", violations[0])))?;
    let (mut counts, mut loops) = (Counts::default(), Loops::default());
    for n in OBSERVED {
        observe(program, &compiled, call::arguments(program, n, &[]), &mut loops);
    }
    check_loops(program, &compiled, &loops, &mut counts);
    let mut random = Random::new(program.seed ^ 0x0b5);
    for _ in 0..VARIED {
        if counts.missed.is_empty() {
            break;
        }
        observe(program, &compiled, call::varied(program, &mut random), &mut loops);
        counts = Counts::default();
        check_loops(program, &compiled, &loops, &mut counts);
    }
    Ok((compiled, counts))
}

/// Notes what the loops do in a call that comes to its end.
fn observe(program: &Program, compiled: &Compiled, arguments: Vec<Argument>, loops: &mut Loops) {
    if !holds(&compiled.entry, &compiled.module.funcs[0], &arguments) {
        return;
    }
    let Ok(ran) = plain::run(&program.function, arguments, &Limits { steps: MOST_STEPS, record: true }) else { return };
    loops.conflicts.extend(ran.record.conflicts().into_keys());
    loops.scalars.extend(&ran.record.carry_scalars);
    loops.worked.extend(ran.record.worked());
    loops.made.extend(&ran.record.made);
}

/// Whether the compiled function soon comes to its end, perhaps as it leaves the call to the plain one.
pub fn ends_soon(compiled: &Compiled, arguments: &[Argument]) -> bool {
    !holds(&compiled.entry, &compiled.module.funcs[0], arguments)
        || !matches!(
            interpret(compiled, arguments, Order::Forward, SOON),
            Err(Failure { kind: FailureKind::Limit(_), .. })
        )
}

/// A call: the size of its arrays, and whole numbers.
type Call<'c> = (usize, &'c [Option<i64>]);

fn compare(program: &Program, compiled: &Compiled, (n, numbers): Call<'_>, counts: &mut Counts) -> Result<(), String> {
    let arguments = call::arguments(program, n, numbers);
    let limits = Limits { steps: MOST_STEPS, record: false };
    let plain = plain::run(&program.function, arguments.clone(), &limits);
    if plain.as_ref().err() == Some(&End::Steps) {
        return Ok(());
    }
    if !holds(&compiled.entry, &compiled.module.funcs[0], &arguments) {
        counts.plain += 1;
        return Ok(());
    }
    let name = format!("call of size {n} with {numbers:?}");
    let expected = plain.map(|ran| results(program, &ran)).map_err(|_| "out of bounds".to_owned());
    counts.calls += 1;
    counts.panics += usize::from(expected.is_err());
    for order in [Order::Forward, Order::Shuffled(program.seed), Order::Shuffled(program.seed + 1)] {
        let steps = if expected.is_err() { SOON } else { 100 * MOST_STEPS };
        let found = match interpret(compiled, &arguments, order, steps) {
            // It may come later to what plainly is a panic soon; and loops that are exchanged may count in vain.
            Err(Failure { kind: FailureKind::Limit(_), .. }) => continue,
            found => found.map_err(|failure| format!("{name}: {failure}"))?,
        };
        if found.as_ref().ok() != expected.as_ref().ok() {
            return Err(format!("{name}, {order:?}:\n found    {}\n expected {}", shown(&found), shown(&expected)));
        }
    }
    Ok(())
}

/// The bits of each result, or the message of a panic.
type Results = Result<Vec<Vec<u64>>, String>;

fn shown(results: &Results) -> String {
    match results {
        Err(message) => format!("a panic: {message}"),
        Ok(list) => list.iter().map(|bits| format!("{bits:x?}")).collect::<Vec<_>>().join("; "),
    }
}

/// The arrays that a function may store into, and its value.
pub fn results(program: &Program, ran: &plain::Ran) -> Vec<Vec<u64>> {
    let params = program.function.params.iter().zip(&ran.arguments);
    let arrays = params.filter_map(|(param, argument)| match (param.ty, argument) {
        (ParamType::Array { mutable: true, .. }, Argument::Array(array)) => {
            Some(array.elements.iter().map(|x| x.bits()).collect())
        }
        _ => None,
    });
    arrays.chain(ran.result.map(|x| vec![x.bits()])).collect()
}

fn interpret(compiled: &Compiled, arguments: &[Argument], order: Order, max_steps: u64) -> Result<Results, Failure> {
    let options = Options { order, max_steps, ..Options::default() };
    let arguments = arguments.iter().map(datum).collect();
    match interp::run(&compiled.module, FuncId::new(0), arguments, &options, &mut Vec::new()) {
        Ok(results) => Ok(Ok(results.iter().map(bits).collect())),
        Err(Failure { kind: FailureKind::Error(ErrorKind::OutOfBounds | ErrorKind::Assert), message, .. }) => {
            Ok(Err(message))
        }
        Err(failure) => Err(failure),
    }
}

/// An argument for the interpreter.
pub fn datum(argument: &Argument) -> Datum {
    let array = match argument {
        Argument::Number(number) => return Datum::Scalar(scalar(*number)),
        Argument::Array(array) => array,
    };
    let elements = array.elements.iter();
    let elements = match array.class {
        Scalar::F32 => Elements::Single(elements.map(|x| if let Number::F32(x) = x { *x } else { 0.0 }).collect()),
        Scalar::I64 => Elements::Index(elements.map(|x| if let Number::I64(x) = x { *x } else { 0 }).collect()),
        _ => Elements::Double(elements.map(|x| if let Number::F64(x) = x { *x } else { 0.0 }).collect()),
    };
    let mut dims = array.dims.clone();
    dims.resize(dims.len().max(2), 1);
    Datum::Array(Arc::new(Array::new(dims, elements).expect("as many elements as the sizes say")))
}

fn scalar(number: Number) -> interp::Scalar {
    match number {
        Number::F64(x) => interp::Scalar::Double(x),
        Number::F32(x) => interp::Scalar::Single(x),
        Number::I64(x) => interp::Scalar::Index(x),
        Number::Usize(x) => interp::Scalar::Index(x as i64),
        Number::Bool(x) => interp::Scalar::Logical(x),
    }
}

fn bits(datum: &Datum) -> Vec<u64> {
    let bits = |x| match x {
        interp::Scalar::Double(x) => Number::F64(x).bits(),
        interp::Scalar::Single(x) => Number::F32(x).bits(),
        interp::Scalar::Index(x) => x as u64,
        other => unreachable!("a result of another class: {other:?}"),
    };
    (0..datum.numel()).filter_map(|at| datum.get(at)).map(bits).collect()
}

/// Whether the compiled function takes a call.
pub fn holds(entry: &Entry, func: &Func, arguments: &[Argument]) -> bool {
    let (numbers, elements) = (i128::from(entry.limits.numbers), i128::from(entry.limits.elements));
    let within = arguments.iter().all(|argument| match argument {
        Argument::Array(array) => {
            array.dims.iter().filter(|d| **d != 0).map(|d| *d as i128).product::<i128>() <= elements
        }
        Argument::Number(number @ (Number::I64(_) | Number::Usize(_))) => number.wide().abs() <= numbers,
        Argument::Number(_) => true,
    });
    within && entry.not_negative.iter().all(|size| size_of(func, arguments, size) >= 0)
}

fn size_of(func: &Func, arguments: &[Argument], size: &Size) -> i128 {
    let of = |size: &Size| size_of(func, arguments, size);
    let symbol = |sym: Sym| match &func.symbols.get(sym).def {
        SymDef::Dim(param, axis) => match &arguments[*param] {
            Argument::Array(array) => array.dims[*axis] as i128,
            Argument::Number(_) => unreachable!("the size of a number"),
        },
        SymDef::Value(value) => match func.params.iter().position(|p| p.value == *value).map(|at| &arguments[at]) {
            Some(Argument::Number(number)) => number.wide(),
            _ => unreachable!("a condition is of parameters"),
        },
        SymDef::Max(a, b) => of(a).max(of(b)),
        SymDef::Min(a, b) => of(a).min(of(b)),
        SymDef::FloorDiv(a, b) => of(a).div_euclid(of(b)),
    };
    size.terms().map(|(monomial, by)| monomial.iter().fold(i128::from(by), |product, sym| product * symbol(*sym))).sum()
}

/// Counts what became of the loops. A loop that became parallel may carry a dependence in the program's order of loops: nests are
/// parted and exchanged. What tells a wrong one is its run in shuffled order.
fn check_loops(program: &Program, compiled: &Compiled, loops: &Loops, counts: &mut Counts) {
    let reports = compiled.log.loops.iter().flat_map(|(_, reports)| reports);
    let (mut parallel, mut said) = (HashSet::new(), HashMap::new());
    for report in reports {
        let Some(span) = report.loc.index().checked_sub(1) else { continue };
        let span = SpanId(span as u32);
        if let Outcome::Parallel { .. } | Outcome::Expanded = report.outcome {
            parallel.insert(span);
        }
        counts.expanded += usize::from(report.outcome == Outcome::Expanded);
        said.entry(span).and_modify(|text: &mut String| *text += &format!("; {report}")).or_insert(report.to_string());
    }
    counts.parallel += parallel.len();
    for (span, accesses) in loops_in(&program.function.body) {
        let (conflicts, carries) = (loops.conflicts.contains(&span), loops.scalars.contains(&span));
        counts.dependent += usize::from(conflicts || carries);
        let is_seen = loops.worked.contains(&span) && accesses.iter().all(|access| loops.made.contains(access));
        let independent = !conflicts && !carries && is_seen;
        if independent && !parallel.contains(&span) {
            counts.missed.extend(said.get(&span).cloned());
        }
    }
}

/// The loops of a block, each with the accesses in it by the names of their arrays.
fn loops_in(block: &Block) -> Vec<(SpanId, Vec<SpanId>)> {
    let of_stmt = |stmt: &Stmt| match &stmt.kind {
        StmtKind::For { body, .. } => {
            let mut accesses = Vec::new();
            accesses_in(body, &mut accesses);
            [vec![(stmt.span, accesses)], loops_in(body)].concat()
        }
        StmtKind::If { then, els, .. } => [loops_in(then), loops_in(els)].concat(),
        StmtKind::Block(block) => loops_in(block),
        StmtKind::Let { .. } | StmtKind::Assign { .. } => Vec::new(),
        StmtKind::LetArray { .. } | StmtKind::While { .. } | StmtKind::Break(_) | StmtKind::Continue(_) => Vec::new(),
        StmtKind::Return(_) | StmtKind::Assert { .. } | StmtKind::Alike(..) | StmtKind::Swap(..) => Vec::new(),
    };
    block.stmts.iter().flat_map(of_stmt).collect()
}

fn accesses_in(block: &Block, found: &mut Vec<SpanId>) {
    for stmt in &block.stmts {
        if let StmtKind::Assign { place: Place::Element { array, .. }, .. } = &stmt.kind {
            found.push(array.span);
        }
        stmt.children(&mut |child| accesses_of(child, found));
    }
    block.value.iter().for_each(|value| accesses_of(Child::Expr(value), found));
}

fn accesses_of(child: Child<'_>, found: &mut Vec<SpanId>) {
    match child {
        Child::Block(block) => accesses_in(block, found),
        Child::Expr(expr) => {
            if let ExprKind::Element { array, .. } = &expr.kind {
                found.push(array.span);
            }
            expr.children(&mut |child| accesses_of(child, found));
        }
    }
}
