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
//! the store; but a loop that stores at each point runs at full speed on every machine, where one that stores at some points takes masked stores,
//! which are slow on some (`megha_rt::choice` has figures). What the condition guards is then computed at all points, so it must be harmless and cheap.
//!
//! LLVM makes a masked store of the store of such a choice again. So what is put back goes through an exclusive or with a zero
//! that it does not know as one ([`choices`]).

use crate::hash::{HashMap, HashSet};
use crate::ir::{Binary, Class, Func, Kernel, Mem, Op, Out, Region, Size, Stmt, SymDef, Terminator, Type, Value};
use crate::kernels::masked::is_harmless;
use crate::kernels::old_state::OldState;
use crate::schedule::weight;

/// Rewrites the stores of a kernel; `old` is of the function as it was before.
pub fn kernel(func: &mut Func, old: &OldState<'_>, kernel: &mut Kernel) {
    let choices = (0..kernel.outs.len()).filter(|out| is_conditional(&kernel.body, *out));
    let own: Vec<usize> = choices.filter(|out| stores_own_elements(func, old, kernel, *out)).collect();
    let outs = kernel.outs.clone();
    Pass { func, own: &own, outs: &outs }.region(&mut kernel.body);
}

/// Whether some iterations leave a store out.
fn is_conditional(body: &Region, out: usize) -> bool {
    let stores = |region: &Region| region.any(|op| matches!(op, Op::Put(to, ..) if *to == out));
    body.any(|op| matches!(op, Op::If { then, els, .. } if stores(then) || stores(els)))
}

/// Whether each iteration stores elements of its own, whatever conditions let through, and no other one loads them.
fn stores_own_elements(func: &Func, old: &OldState<'_>, kernel: &Kernel, out: usize) -> bool {
    let Out::Update(array) = kernel.outs[out] else { return false };
    let mut inside = Inside { func, own: HashSet::default(), defs: HashMap::default() };
    kernel.body.defined(&mut inside.own);
    let (mut stores, mut loads) = (Vec::new(), Vec::new());
    kernel.body.walk(&mut |stmt| {
        if let Op::Put(to, subs, _) = &stmt.op
            && *to == out
        {
            stores.push(subs);
        }
        if let op @ Op::Load(from, subs) = &stmt.op
            && (*from == Mem::Out(out) || *from == Mem::In(array))
        {
            loads.push((op, subs));
        }
        inside.defs.extend(stmt.results.first().map(|result| (*result, &stmt.op)));
    });
    let Some(first) = stores.first() else { return false };
    let moves = |axis: usize| {
        let param = kernel.body.params[axis];
        kernel.domain[axis].is_one() || first.iter().any(|sub| inside.is_shifted(*sub, param))
    };
    let unwritten = old.unwritten(kernel, out);
    let apart = |op: &Op| unwritten.iter().any(|own| std::ptr::eq(*own, op));
    stores.iter().all(|subs| subs == first)
        && (0..kernel.body.params.len()).all(moves)
        && loads.iter().all(|(op, subs)| subs == first || apart(op))
}

/// What iterations compute.
struct Inside<'k> {
    func: &'k Func,
    /// The values that are the iteration's own.
    own: HashSet<Value>,
    defs: HashMap<Value, &'k Op>,
}

impl Inside<'_> {
    /// Whether a subscript is this counter and a number that is the same for all iterations.
    fn is_shifted(&self, sub: Value, counter: Value) -> bool {
        let sum = |a: &Value, b: &Value| self.is_fixed(*a) && self.is_shifted(*b, counter);
        sub == counter || matches!(self.defs.get(&sub), Some(Op::Binary(Binary::Add, a, b)) if sum(a, b) || sum(b, a))
    }

    fn is_fixed(&self, value: Value) -> bool {
        match self.defs.get(&value) {
            Some(Op::Size(size)) => self.is_fixed_size(size),
            Some(op) => matches!(op, Op::Const(_)),
            None => !self.own.contains(&value),
        }
    }

    /// Sizes may be those of counters.
    fn is_fixed_size(&self, size: &Size) -> bool {
        size.symbols().all(|sym| match &self.func.symbols.get(sym).def {
            SymDef::Dim(..) => true,
            SymDef::Value(value) => !self.own.contains(value),
            SymDef::Max(a, b) | SymDef::Min(a, b) | SymDef::FloorDiv(a, b) => {
                self.is_fixed_size(a) && self.is_fixed_size(b)
            }
        })
    }
}

/// The choices of floating-point numbers whose result is stored where one of the values was loaded, with this value.
pub fn choices(func: &Func, kernel: &Kernel) -> HashMap<*const Op, Value> {
    let (mut selects, mut loads) = (HashMap::default(), HashMap::default());
    let mut found = HashMap::default();
    kernel.body.walk(&mut |stmt| {
        if let op @ Op::Select(_, a, b) = &stmt.op
            && is_float(func, *a)
        {
            selects.insert(stmt.results[0], (op, [*a, *b]));
        }
        if let Op::Load(mem, subs) = &stmt.op {
            loads.insert(stmt.results[0], (*mem, subs));
        }
        if let Op::Put(out, subs, value) = &stmt.op
            && let Some((op, arms)) = selects.get(value)
        {
            let is_old = |v: &&Value| {
                loads.get(*v).is_some_and(|(mem, at)| holding(*mem, &kernel.outs) == Some(*out) && *at == subs)
            };
            found.extend(arms.iter().find(is_old).map(|old| (std::ptr::from_ref(*op), *old)));
        }
    });
    found
}

/// The out-variable whose elements a load gives, be it by the array's state before.
fn holding(mem: Mem, outs: &[Out]) -> Option<usize> {
    match mem {
        Mem::Out(out) => Some(out),
        Mem::In(array) => outs.iter().position(|out| *out == Out::Update(array)),
    }
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
    /// The kernel's out-variables; none inside of loops and conditions: what an array held before, its variable holds until the first store,
    /// which only the order of the whole body tells.
    outs: &'p [Out],
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        let (mut held, mut stored): (Vec<Held>, HashSet<usize>) = Default::default();
        for stmt in std::mem::take(&mut region.stmts) {
            let mut stmt = self.selected(stmt);
            if let Some((mut stmts, new)) = self.chosen(&stmt, &held) {
                region.stmts.append(&mut stmts);
                stored.insert(new.out);
                held.retain(|h| h.out != new.out);
                held.push(new);
                continue;
            }
            stmt.walk(&mut |s| {
                if let Op::Put(out, ..) = &s.op {
                    stored.insert(*out);
                    held.retain(|h| h.out != *out);
                }
            });
            if let Op::Put(out, subs, value) = &stmt.op {
                held.push(Held { out: *out, subs: subs.clone(), value: *value });
            }
            if let Op::Load(mem, subs) = &stmt.op
                && let Some(out) = holding(*mem, self.outs)
                && (*mem == Mem::Out(out) || !stored.contains(&out))
            {
                held.push(Held { out, subs: subs.clone(), value: stmt.results[0] });
            }
            let mut within = Pass { func: self.func, own: self.own, outs: &[] };
            stmt.op.regions_mut().into_iter().for_each(|inner| within.region(inner));
            region.stmts.push(stmt);
        }
    }

    /// A choice of two numbers that are there already as one operation.
    fn selected(&self, stmt: Stmt) -> Stmt {
        let Op::If { cond, then, els } = &stmt.op else { return stmt };
        let only = |region: &Region| if region.stmts.is_empty() { region.term.values().to_vec() } else { Vec::new() };
        let yields = [then, els].iter().all(|region| matches!(region.term, Terminator::Yield(_)));
        let (a, b) = (only(then), only(els));
        match (&a[..], &b[..]) {
            ([a], [b]) if yields && is_float(self.func, *a) => Stmt { op: Op::Select(*cond, *a, *b), ..stmt },
            (..) => stmt,
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

#[cfg(test)]
mod tests {
    use super::kernel;
    use crate::ir::parse::parse;
    use crate::ir::{Op, Walk};
    use crate::kernels::old_state::OldState;

    /// Whether the kernel of a function, which stores at these subscripts under a condition, stores a choice.
    fn is_rewritten(subs: &str) -> bool {
        let text = format!(
            "func @f(%a: f64[n, m], %x: f64) -> (y: f64[n, m]) {{
              sym n = dim 0 0, >= 0
              sym m = dim 0 1, >= 0
              sym row = value %i, >= 0
              sym column = value %j, >= 0
              %y: f64[n, m] = kernel 0 over [n, m] into (update %a) |%i: index, %j: index| {{
                %r: index = size row
                %c: index = size column
                %p: index = add %i, %c
                %q: index = add %j, %r
                %old: f64 = load out0[{subs}]
                %less: bool = lt %x, %old
                if %less {{
                  put out0[{subs}] = %x
                  yield
                }}
                yield
              }}
              return %y
            }}"
        );
        let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let mut func = module.funcs[0].clone();
        let old = OldState::new(&module.funcs[0]);
        let mut body = std::mem::take(&mut func.body);
        let mut found = false;
        body.walk_mut(&mut |stmt| {
            if let Op::Kernel(own) = &mut stmt.op {
                kernel(&mut func, &old, own);
                found = own.body.any(|op| matches!(op, Op::Select(..)));
            }
            Walk::Skip
        });
        found
    }

    /// A subscript that is moved by the other counter's size goes to elements of other iterations.
    #[test]
    fn only_elements_of_the_iterations_own_are_put_back() {
        assert!(is_rewritten("%i, %j"));
        assert!(!is_rewritten("%p, %q") && !is_rewritten("%i, %i") && !is_rewritten("%j, %p"));
    }
}
