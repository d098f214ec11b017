//! Factors of matrix products that are parts of arrays, or transposed: a product reads them where they lie.
//!
//! `x(:, k:n)' * y` has a kernel that copies the part of `x`, as a device's library wants it. On the CPU the product takes any strides, so where no device is at
//! work the copy is left out, and the product is given the array, the place where the part begins and the steps along it. The array must still be
//! what it was where the copy was made. So it is when it is used later or again, or is the caller's: nothing is then stored into its memory meanwhile.

use crate::hash::HashMap;
use crate::ir::{Class, Func, Kernel, Lib, Mem, Op, Out, Region, Stmt, Value};
use crate::schedule::Subject;
use crate::schedule::access::Affine;

use super::body::Body;
use super::expr::{Binds, Context};
use super::host::Host;
use super::storage::Storage;

/// A factor that a kernel copies.
#[derive(Debug, Clone)]
pub struct Factor {
    /// The array of which it is a part.
    pub source: Value,
    /// The subscripts of the part's element whose row and column these are.
    pub map: Vec<Affine>,
    /// For both dimensions of the copy the loop of the kernel that goes along it; none along one of a single element.
    pub loops: [Option<usize>; 2],
}

/// The factors of a function's products, by the kernels that copy them: at most one of each product.
pub fn of(func: &Func, storage: &Storage<'_>) -> HashMap<u32, Factor> {
    if !func.body.any(|op| matches!(op, Op::Lib(Lib::MatMul, _))) {
        return HashMap::default();
    }
    let mut uses: HashMap<Value, usize> = HashMap::default();
    func.body.for_each_use(&mut |value| *uses.entry(value).or_default() += 1);
    let mut search = Search { func, storage, uses, found: HashMap::default() };
    search.region(&func.body, false);
    search.found
}

/// A factor whose copy has been written.
pub struct Lent {
    factor: Factor,
    /// The variable that says whether the product reads the factor where it lies.
    pub when: String,
    /// The variable with the subscripts of the part's first element.
    at: String,
}

impl Lent {
    /// Writes both variables.
    pub fn begin(factor: Factor, outer: &mut Body<'_>) -> Self {
        let (when, at) = (outer.names.fresh("lent"), outer.names.fresh("at"));
        let first: Vec<String> = factor.map.iter().map(|affine| first(outer, affine)).collect();
        outer.code.line(format!("let ({when}, {at}) = (!rt::device::active(), [{}]);", first.join(", ")));
        Self { factor, when, at }
    }

    /// The part of the array, of this shape.
    pub fn part(&self, host: &Host<'_>, outer: &Body<'_>, shape: &str) -> String {
        let steps = self.factor.loops.map(|axis| {
            let step = |affine: &Affine| axis.map_or(0, |axis| affine.coeffs[axis]).to_string();
            format!("[{}]", self.factor.map.iter().map(step).collect::<Vec<_>>().join(", "))
        });
        let view = host.view(outer, self.factor.source);
        format!("unsafe {{ {view}.strided().part({}, [{}], {shape}) }}", self.at, steps.join(", "))
    }
}

/// A subscript in the first iteration.
fn first(outer: &Body<'_>, affine: &Affine) -> String {
    let mut terms = vec![outer.size(&affine.size).typed(Class::Index).text()];
    let number = |value: &Value| outer.operand(*value).typed(Class::Index).within(Binds::Cast);
    terms.extend(affine.uniform.iter().map(|(value, by)| format!("{by} * ({} as i64)", number(value))));
    terms.join(" + ")
}

struct Search<'s, 'f> {
    func: &'f Func,
    storage: &'s Storage<'f>,
    uses: HashMap<Value, usize>,
    found: HashMap<u32, Factor>,
}

impl<'f> Search<'_, 'f> {
    fn region(&mut self, region: &'f Region, of_loop: bool) {
        for (at, stmt) in region.stmts.iter().enumerate() {
            match &stmt.op {
                Op::Lib(Lib::MatMul, factors) if !self.func.ty(stmt.results[0]).is_scalar() => {
                    let found = factors.iter().find_map(|factor| self.factor(region, (at, *factor), of_loop));
                    self.found.extend(found);
                }
                Op::Kernel(_) => {}
                op => {
                    let of_loop = matches!(op, Op::For { .. } | Op::While { .. });
                    op.regions().into_iter().for_each(|nested| self.region(nested, of_loop));
                }
            }
        }
    }

    /// The factor of a product, the statement with this number, if a kernel of the same region copies it.
    fn factor(&self, region: &'f Region, (product, copy): (usize, Value), of_loop: bool) -> Option<(u32, Factor)> {
        let ty = self.func.ty(copy);
        let is_matrix = ty.dims.len() == 2 && !ty.is_vector();
        if !is_matrix || self.uses.get(&copy) != Some(&1) {
            return None;
        }
        let at = region.stmts[..product].iter().position(|stmt| stmt.results.contains(&copy))?;
        let stmt = &region.stmts[at];
        let Op::Kernel(kernel) = &stmt.op else { return None };
        let factor = self.copied(stmt, kernel)?;
        let source = factor.source;
        let later = region.stmts[product..].iter().any(|stmt| used(stmt, source));
        let defined = region.params.contains(&source) || region.stmts.iter().any(|s| s.results.contains(&source));
        let stays = self.storage.is_borrowed(source) || later || of_loop && !defined;
        stays.then_some((kernel.id, factor))
    }

    /// What a kernel copies that does nothing else.
    fn copied(&self, stmt: &'f Stmt, kernel: &'f Kernel) -> Option<Factor> {
        let [Out::Fresh] = kernel.outs[..] else { return None };
        let subject = Subject::of(self.func, stmt, kernel);
        if !subject.maps.bounds().is_empty() || stmt.op.has_effect() {
            return None;
        }
        let [load, put] = &subject.accesses[..] else { return None };
        let (Mem::In(source), Mem::Out(0)) = (load.mem, put.mem) else { return None };
        let Op::Put(_, _, stored) = put.op else { return None };
        if load.result != Some(*stored) || load.conditional || put.conditional {
            return None;
        }
        let [row, column] = &put.map.as_ref()?[..] else { return None };
        let map = load.map.clone()?;
        let loops = [along(row)?, along(column)?];
        let all = (0..kernel.domain.len()).all(|axis| loops.contains(&Some(axis)));
        all.then_some(Factor { source, map, loops })
    }
}

/// The loop whose iteration number a subscript is; `Some(None)` for the subscript zero.
fn along(sub: &Affine) -> Option<Option<usize>> {
    if !sub.uniform.is_empty() || sub.size.as_constant() != Some(0) {
        return None;
    }
    let mut moving = sub.coeffs.iter().enumerate().filter(|(_, by)| **by != 0);
    match (moving.next(), moving.next()) {
        (None, _) => Some(None),
        (Some((axis, 1)), None) => Some(Some(axis)),
        _ => None,
    }
}

/// Whether a statement uses a value, inside its regions too.
fn used(stmt: &Stmt, value: Value) -> bool {
    let mut found = false;
    stmt.op.for_each_operand(&mut |v| found |= v == value);
    stmt.op.regions().into_iter().for_each(|region| region.for_each_use(&mut |v| found |= v == value));
    found
}
