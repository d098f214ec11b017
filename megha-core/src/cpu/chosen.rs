//! Conditional stores of elements that the iteration holds, as stores of a choice.
//!
//! ```text
//! old = load out[i, j]              old = load out[i, j]
//! if new < old                 →    put out[i, j] = if new < old { new } else { old }
//!   put out[i, j] = new
//! ```
//!
//! That the iteration is the only one that stores the element must follow from the subscripts alone, and that it is the only one that loads it,
//! from the dependence test without the conditions ([`OldState::unwritten`]). Then it puts back what it found, and nobody sees
//! the store; but a loop that stores at each point runs at full speed on every machine, where one that stores at some points takes masked stores, of which AMD's processors
//! without AVX-512 make one for each lane. What the condition guards is then computed at all points, so it must be harmless and cheap.
//!
//! LLVM makes a masked store of the store of such a choice again. So what is put back goes through an exclusive or with a zero
//! that it does not know as one ([`choices`]).

use crate::hash::{HashMap, HashSet};
use crate::ir::{Binary, Class, Func, Kernel, Mem, Op, Out, Region, Stmt, Terminator, Type, Value, Walk};
use crate::kernels::masked::is_harmless;
use crate::kernels::old_state::OldState;
use crate::schedule::weight;

/// Rewrites the stores of a kernel; `old` is of the function as it was before.
pub fn kernel(func: &mut Func, old: &OldState<'_>, kernel: &mut Kernel) {
    let choices = (0..kernel.outs.len()).filter(|out| is_conditional(&kernel.body, *out));
    let own: Vec<usize> = choices.filter(|out| stores_own_elements(old, kernel, *out)).collect();
    let mut stored = HashSet::default();
    let mut twice = HashSet::default();
    kernel.body.walk(&mut |stmt| {
        if let Op::Put(out, ..) = &stmt.op
            && !stored.insert(*out)
        {
            twice.insert(*out);
        }
        Walk::Advance
    });
    let updated: Vec<Option<Value>> = (0..kernel.outs.len())
        .map(|at| match kernel.outs[at] {
            Out::Update(array) if !twice.contains(&at) => Some(array),
            _ => None,
        })
        .collect();
    Pass { func, own: &own, updated: &updated }.region(&mut kernel.body);
}

/// Whether some iterations leave a store out.
fn is_conditional(body: &Region, out: usize) -> bool {
    let stores = |region: &Region| region.any(|op| matches!(op, Op::Put(to, ..) if *to == out));
    body.any(|op| matches!(op, Op::If { then, els, .. } if stores(then) || stores(els)))
}

/// Whether each iteration stores elements of its own, whatever conditions let through, and no other one loads them.
fn stores_own_elements(old: &OldState<'_>, kernel: &Kernel, out: usize) -> bool {
    let Out::Update(array) = kernel.outs[out] else { return false };
    let mut defs = HashMap::default();
    let (mut stores, mut loads) = (Vec::new(), Vec::new());
    kernel.body.walk(&mut |stmt| {
        match &stmt.op {
            Op::Put(to, subs, _) if *to == out => stores.push(subs),
            op @ Op::Load(Mem::Out(from), subs) if *from == out => loads.push((op, subs)),
            op @ Op::Load(Mem::In(from), subs) if *from == array => loads.push((op, subs)),
            _ => {}
        }
        defs.extend(stmt.results.first().map(|result| (*result, &stmt.op)));
        Walk::Advance
    });
    let moves = |axis: usize| {
        let param = kernel.body.params[axis];
        kernel.domain[axis].is_one() || stores.iter().all(|subs| subs.iter().any(|sub| is_shifted(&defs, *sub, param)))
    };
    let Some(first) = stores.first() else { return false };
    let unwritten = old.unwritten(kernel, out);
    let apart = |op: &Op| unwritten.iter().any(|own| std::ptr::eq(*own, op));
    stores.iter().all(|subs| subs == first)
        && (0..kernel.body.params.len()).all(moves)
        && loads.iter().all(|(op, subs)| subs == first || apart(op))
}

/// Whether a subscript is this counter and a number that is the same for all iterations.
fn is_shifted(defs: &HashMap<Value, &Op>, sub: Value, counter: Value) -> bool {
    let fixed = |value: &Value| matches!(defs.get(value), Some(Op::Size(_) | Op::Const(_)));
    sub == counter
        || matches!(defs.get(&sub), Some(Op::Binary(Binary::Add, a, b)) if
            (fixed(a) && is_shifted(defs, *b, counter)) || (fixed(b) && is_shifted(defs, *a, counter)))
}

/// The choices of floating-point numbers whose result is stored where one of the values was loaded, with this value.
pub fn choices(func: &Func, kernel: &Kernel) -> HashMap<*const Op, Value> {
    let (mut selects, mut loads) = (HashMap::default(), HashMap::default());
    let mut found = HashMap::default();
    kernel.body.walk(&mut |stmt| {
        match &stmt.op {
            op @ Op::Select(_, a, b) if is_float(func, *a) => drop(selects.insert(stmt.results[0], (op, [*a, *b]))),
            Op::Load(mem, subs) => drop(loads.insert(stmt.results[0], (*mem, subs))),
            Op::Put(out, subs, value) => {
                let holds = |mem: Mem| match mem {
                    Mem::Out(from) => from == *out,
                    Mem::In(array) => kernel.outs[*out] == Out::Update(array),
                };
                let is_old = |v: &Value| loads.get(v).is_some_and(|(mem, at)| holds(*mem) && *at == subs);
                if let Some((op, arms)) = selects.get(value)
                    && let Some(old) = arms.iter().find(|v| is_old(v))
                {
                    found.insert(std::ptr::from_ref(*op), *old);
                }
            }
            _ => {}
        }
        Walk::Advance
    });
    found
}

/// An element that the iteration holds.
struct Held {
    out: usize,
    subs: Vec<Value>,
    value: Value,
}

struct Pass<'p> {
    func: &'p mut Func,
    /// The out-variables of which each iteration stores elements of its own.
    own: &'p [usize],
    /// The arrays that out-variables with a single store update, outside of loops: what an array held before, the variable holds until that
    /// store.
    updated: &'p [Option<Value>],
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut held: Vec<Held> = Vec::new();
        for stmt in std::mem::take(&mut region.stmts) {
            let mut stmt = self.selected(stmt);
            if let Some((mut stmts, new)) = self.chosen(&stmt, &held) {
                region.stmts.append(&mut stmts);
                held.retain(|h| h.out != new.out);
                held.push(new);
                continue;
            }
            match &stmt.op {
                Op::Load(mem, subs) => {
                    let out = match mem {
                        Mem::Out(out) => Some(*out),
                        Mem::In(array) => self.updated.iter().position(|updated| *updated == Some(*array)),
                    };
                    let of = |out| Held { out, subs: subs.clone(), value: stmt.results[0] };
                    held.extend(out.map(of));
                }
                Op::Put(out, subs, value) => {
                    held.retain(|h| h.out != *out);
                    held.push(Held { out: *out, subs: subs.clone(), value: *value });
                }
                op => op.regions().into_iter().for_each(|inner| {
                    inner.walk(&mut |s| {
                        if let Op::Put(out, ..) = &s.op {
                            held.retain(|h| h.out != *out);
                        }
                        Walk::Advance
                    });
                }),
            }
            let mut within = Pass { func: self.func, own: self.own, updated: &[] };
            stmt.op.regions_mut().into_iter().for_each(|inner| within.region(inner));
            region.stmts.push(stmt);
        }
    }

    /// A choice of two numbers that are there already as one operation.
    fn selected(&self, stmt: Stmt) -> Stmt {
        let Op::If { cond, then, els } = &stmt.op else { return stmt };
        let one = |region: &Region| match &region.term {
            Terminator::Yield(values) if region.stmts.is_empty() && values.len() == 1 => Some(values[0]),
            _ => None,
        };
        match (one(then), one(els)) {
            (Some(a), Some(b)) if is_float(self.func, a) => Stmt { op: Op::Select(*cond, a, b), ..stmt },
            _ => stmt,
        }
    }

    /// The statements in place of a conditional store, and what the iteration then holds.
    fn chosen(&mut self, stmt: &Stmt, held: &[Held]) -> Option<(Vec<Stmt>, Held)> {
        let Op::If { cond, then, els } = &stmt.op else { return None };
        let nothing = |region: &Region| matches!(&region.term, Terminator::Yield(values) if values.is_empty());
        if !(nothing(then) && nothing(els) && els.stmts.is_empty()) {
            return None;
        }
        let (store, before) = then.stmts.split_last()?;
        let Op::Put(out, subs, new) = &store.op else { return None };
        if !self.own.contains(out) || !is_float(self.func, *new) {
            return None;
        }
        let old = held.iter().find(|h| h.out == *out && h.subs == *subs)?.value;
        let cost: u32 = before.iter().map(|s| weight(&s.op)).sum();
        if cost > MOST || !before.iter().all(|s| is_harmless(self.func, &s.op, &s.results)) {
            return None;
        }
        let value = self.func.new_value(Type::scalar(self.func.ty(*new).class));
        let mut stmts = before.to_vec();
        stmts.push(Stmt { results: vec![value], op: Op::Select(*cond, *new, old), loc: stmt.loc });
        stmts.push(Stmt { op: Op::Put(*out, subs.clone(), value), ..store.clone() });
        Some((stmts, Held { out: *out, subs: subs.clone(), value }))
    }
}

fn is_float(func: &Func, value: Value) -> bool {
    matches!(func.ty(value).class, Class::Double | Class::Single)
}

/// The weight of what may be computed at points that do not store: a few operations, or one division.
const MOST: u32 = 6;
