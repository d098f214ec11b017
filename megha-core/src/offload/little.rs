//! Which calls are so little work that the plain function is sooner done: those in which no launch, and no nest of loops on the host, has much to do.
//!
//! To enter the compiled function, and to come to each kernel in it, takes as long as plain loops take for some dozens of points. So its largest launch is
//! estimated from the arguments, and where that is little the plain function runs, which is there anyway. Loops around launches do not count, as what they
//! repeat is as little each time; of nests that run on the host the outermost of three loops does not. Counters are taken at the middle of their range.
//!
//! The estimate decides about time alone. The plain function has the same bits, so functions whose plain form would not (transcendental functions, fused
//! products, sums in another order, whole numbers that may wrap) have no such calls, nor have those that give errors in place of panics.

use super::Compiled;
use super::ast::{Function, Scalar};
use super::entry::argument_in_rust;
use crate::ir::tuple::Held;
use crate::ir::{Func, Kind, Op, Region, Size, Stmt, Sym, SymDef, Value, Walk};
use crate::schedule::latency::is_costly;
use crate::schedule::{Subject, weight};

/// Estimates that are compared at most: those of most loops.
const MOST: usize = 6;
/// Times that an iteration of a loop in a launch, or in a nest on the host, counts: what such loops add up the compiled function has in registers.
const WITHIN: u64 = 4;
/// Definitions of symbols by others that are followed.
const DEEPEST: u32 = 8;

/// An estimate: trip counts in Rust, and the work of one iteration.
type Term = (Vec<String>, u64);

/// The condition in Rust for a call of little work; `None` where there is none, or nothing is known of it.
pub(super) fn condition(
    function: &Function,
    compiled: &Compiled,
    class: &dyn Fn(usize) -> Scalar,
    runtime: &str,
) -> Option<String> {
    let same_bits = !function.rounding.contract && !function.rounding.reassociate;
    let other_bits = |op: &Op| matches!(op, Op::Fma(..) | Op::Call(..)) || is_costly(op);
    let (lowered, after) = (&compiled.lowered.funcs[0], &compiled.module.funcs[0]);
    if function.fallible || !same_bits || lowered.body.any(other_bits) || computes_integers(lowered) {
        return None;
    }
    // What stays on the host is estimated as it was written.
    let launches = has_kernels(&after.body);
    let func = if launches { after } else { lowered };
    let mut estimate = Estimate { func, function, class, held: Held::new(func), kernel: None, terms: Vec::new() };
    estimate.region(&func.body, &[], false)?;
    let work = estimate.largest()?;
    Some(format!("{runtime}::is_little_call({work}, {launches}, cfg!(debug_assertions))"))
}

/// Whether whole numbers other than subscripts are computed. They wrap, and where the caller's crate has tests for that the plain function would panic.
fn computes_integers(func: &Func) -> bool {
    let computes = |stmt: &Stmt| {
        let is_integer = stmt.results.iter().any(|value| func.ty(*value).class.is_integer());
        is_integer && stmt.op.kind() == Kind::Elementwise && !matches!(stmt.op, Op::Convert(..))
    };
    !func.body.walk(&mut |stmt| if computes(stmt) { Walk::Interrupt } else { Walk::Advance })
}

fn has_kernels(region: &Region) -> bool {
    region.any(|op| matches!(op, Op::Kernel(_)))
}

/// How deep loops are nested in a region.
fn depth(region: &Region) -> usize {
    let of = |stmt: &Stmt| {
        let within = stmt.op.regions().into_iter().map(depth).max().unwrap_or(0);
        within + usize::from(matches!(stmt.op, Op::For { .. } | Op::While { .. }))
    };
    region.stmts.iter().map(of).max().unwrap_or(0)
}

struct Estimate<'e> {
    func: &'e Func,
    function: &'e Function,
    class: &'e dyn Fn(usize) -> Scalar,
    held: Held<'e>,
    /// The kernel that is gone through, and its extents.
    kernel: Option<(Subject<'e>, Vec<String>)>,
    terms: Vec<Term>,
}

impl<'e> Estimate<'e> {
    /// Notes what a region does, which is repeated so many times; `None` if that is not known.
    fn region(&mut self, region: &'e Region, factors: &[String], in_kernel: bool) -> Option<()> {
        let own = region.stmts.iter().filter(|stmt| stmt.op.regions().is_empty());
        self.note(factors, own.map(|stmt| u64::from(weight(&stmt.op))).sum());
        for stmt in &region.stmts {
            self.stmt(stmt, factors, in_kernel)?;
        }
        Some(())
    }

    fn stmt(&mut self, stmt: &'e Stmt, factors: &[String], in_kernel: bool) -> Option<()> {
        match &stmt.op {
            Op::Kernel(kernel) => {
                let extents: Option<Vec<String>> =
                    kernel.domain.iter().map(|extent| self.size(extent, DEEPEST)).collect();
                let extents = extents?;
                let long = extents.iter().zip(&kernel.domain).filter(|(_, extent)| !extent.is_one());
                let factors = factors.iter().chain(long.map(|(text, _)| text)).cloned().collect::<Vec<_>>();
                self.kernel = Some((Subject::of(self.func, stmt, kernel), extents));
                self.region(&kernel.body, &factors, true)
            }
            Op::For { body, .. } if !in_kernel && (has_kernels(body) || depth(body) > 1) => {
                self.region(body, factors, false)
            }
            Op::For { trip, body, .. } => {
                let trip = format!("{}.saturating_mul({WITHIN})", self.value(*trip)?);
                self.region(body, &[factors, &[trip]].concat(), in_kernel)
            }
            Op::If { then, els, .. } => {
                self.region(then, factors, in_kernel)?;
                self.region(els, factors, in_kernel)
            }
            Op::While { cond, body, .. } if !in_kernel && has_kernels(body) => {
                self.region(cond, factors, false)?;
                self.region(body, factors, false)
            }
            Op::While { .. } | Op::Call(..) | Op::Lib(..) | Op::Reduce(..) | Op::Scan(..) => None,
            Op::Fill(_) | Op::FillAround { .. } => {
                let dims = &self.func.ty(stmt.results[0]).dims;
                let dims: Option<Vec<String>> = dims.iter().map(|size| self.size(size, DEEPEST)).collect();
                self.note(&[factors, &dims?].concat(), 1);
                Some(())
            }
            _ => Some(()),
        }
    }

    /// Notes work that is done so many times.
    fn note(&mut self, factors: &[String], each: u64) {
        if factors.is_empty() || each == 0 {
            return;
        }
        match self.terms.iter_mut().find(|(others, _)| others == factors) {
            Some((_, most)) => *most = each.max(*most),
            None => self.terms.push((factors.to_vec(), each)),
        }
    }

    /// The largest of what was noted.
    fn largest(mut self) -> Option<String> {
        self.terms.sort_by_key(|(factors, _)| std::cmp::Reverse(factors.len()));
        let product = |(factors, each): &Term| {
            factors.iter().fold(format!("{each}i64"), |product, factor| format!("{product}.saturating_mul({factor})"))
        };
        let terms = self.terms.iter().take(MOST).map(product);
        terms.reduce(|largest, term| format!("{largest}.max({term})"))
    }

    fn value(&self, value: Value) -> Option<String> {
        if let Some(size) = self.held.size_of(value) {
            return self.size(&size, DEEPEST);
        }
        // The iterations of a loop in a kernel, for a point in the middle.
        let (subject, extents) = self.kernel.as_ref()?;
        let affine = subject.maps.affine(value).filter(|affine| affine.uniform.is_empty())?;
        let mut sum = self.size(&affine.size, DEEPEST)?;
        for (by, extent) in affine.coeffs.iter().zip(extents).filter(|(by, _)| **by != 0) {
            sum = format!("{sum}.saturating_add(({by}i64).saturating_mul({extent} / 2))");
        }
        Some(format!("({sum})"))
    }

    /// A size over the parameters; counters of loops are in the middle of their range.
    fn size(&self, size: &Size, deepest: u32) -> Option<String> {
        let mut sum: Option<String> = None;
        for (monomial, coefficient) in size.terms() {
            let mut term = format!("({coefficient}i64)");
            for (at, sym) in monomial.iter().enumerate() {
                let factor = self.symbol(*sym, deepest.checked_sub(1)?)?;
                term = if at == 0 && coefficient == 1 { factor } else { format!("{term}.saturating_mul({factor})") };
            }
            sum = Some(sum.map_or(term.clone(), |sum| format!("{sum}.saturating_add({term})")));
        }
        Some(sum.map_or_else(|| "0i64".to_owned(), |sum| format!("({sum})")))
    }

    fn symbol(&self, sym: Sym, deepest: u32) -> Option<String> {
        let data = self.func.symbols.get(sym);
        if let Some(text) = argument_in_rust((self.func, self.function, self.class), sym) {
            return Some(format!("({text} as i64)"));
        }
        match &data.def {
            SymDef::Dim(..) => None,
            SymDef::Value(value) => match self.held.size_of(*value).filter(|size| size.as_sym() != Some(sym)) {
                Some(held) => self.size(&held, deepest),
                None => Some(format!("({} / 2)", self.size(data.at_most.first()?, deepest)?)),
            },
            SymDef::Max(a, b) => Some(format!("{}.max({})", self.size(a, deepest)?, self.size(b, deepest)?)),
            SymDef::Min(a, b) => Some(format!("{}.min({})", self.size(a, deepest)?, self.size(b, deepest)?)),
            SymDef::FloorDiv(a, b) => {
                let by = b.as_constant().filter(|by| *by > 0)?;
                Some(format!("({} / {by})", self.size(a, deepest)?))
            }
        }
    }
}
