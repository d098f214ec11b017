//! Updates of a small part of an array that read elements which other points store: what is stored goes into a new array of the kernel's
//! points first.
//!
//! `p(j, :) = p(:, k)'` reads a column and stores a row, which meet. Done in one kernel it would need a second place for the whole of
//! `p`; a row is enough. The kernel is parted into one that computes all values and one that stores them. Where nearly all of the
//! array is stored (`covers_most`), a second place for it is the cheaper way.

use super::old_state::OldState;
use super::second_place::covers_most;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Class, Const, Func, Kernel, Loc, Mem, Op, Out, Region, Size, Stmt, Terminator, Type, Value};

/// Parts such kernels.
pub fn run(func: &mut Func) {
    let old = OldState::new(func);
    let kernels = func.body.kernels();
    let wanted = |kernel: &Kernel, out: usize| {
        let array = kernel.outs[out].updated()?;
        let pays =
            !covers_most(func, kernel, array) && old.is_read(kernel, array) && Parting::of(kernel, out).is_some();
        pays.then_some((kernel.id, out))
    };
    let first = |kernel: &Kernel| (0..kernel.outs.len()).find_map(|out| wanted(kernel, out));
    let found: HashMap<u32, usize> = kernels.iter().filter_map(|(_, kernel)| first(kernel)).collect();
    let mut next = func.body.free_kernel_id();
    if !found.is_empty() {
        let mut body = std::mem::take(&mut func.body);
        region(func, &mut body, &found, &mut next);
        func.body = body;
    }
}

fn region(func: &mut Func, region_: &mut Region, found: &HashMap<u32, usize>, next: &mut u32) {
    for mut stmt in std::mem::take(&mut region_.stmts) {
        let out = match &stmt.op {
            Op::Kernel(kernel) => found.get(&kernel.id).copied(),
            _ => None,
        };
        if let Some(out) = out {
            let stores = part(func, &mut stmt, out, *next);
            *next += u32::from(stores.is_some());
            region_.stmts.push(stmt);
            region_.stmts.extend(stores);
            continue;
        }
        stmt.op.regions_mut().into_iter().for_each(|inner| region(func, inner, found, next));
        region_.stmts.push(stmt);
    }
}

/// The only store of an out-variable, where it can be done later.
struct Parting {
    /// Its place in the body.
    put: usize,
    /// The places of the statements that compute its subscripts.
    needed: Vec<usize>,
}

impl Parting {
    fn of(kernel: &Kernel, out: usize) -> Option<Self> {
        let touches = |op: &Op| matches!(op, Op::Put(o, ..) | Op::Load(Mem::Out(o), _) if *o == out);
        let mut count = 0;
        kernel.body.walk(&mut |stmt| count += usize::from(touches(&stmt.op)));
        let stmts = &kernel.body.stmts;
        let put =
            stmts.iter().position(|stmt| matches!(&stmt.op, Op::Put(o, ..) if *o == out)).filter(|_| count == 1)?;
        // Sizes of one at the end would be no dimensions of the new array.
        let is_array = kernel.domain.last().is_some_and(|size| !size.is_one());
        if !is_array || kernel.outs.iter().any(|o| matches!(o, Out::Reduce(..))) {
            return None;
        }
        let Op::Put(_, subs, _) = &stmts[put].op else { return None };
        let mut inside = HashSet::default();
        kernel.body.defined(&mut inside);
        let mut open: HashSet<Value> = subs.iter().copied().collect();
        let mut needed = Vec::new();
        for (at, stmt) in stmts[..put].iter().enumerate().rev() {
            if stmt.results.iter().any(|result| open.contains(result)) {
                let again = matches!(stmt.op, Op::Const(_) | Op::Size(_) | Op::Binary(..) | Op::Convert(_));
                again.then(|| needed.insert(0, at))?;
                stmt.results.iter().for_each(|result| _ = open.remove(result));
                stmt.op.for_each_operand(&mut |value| _ = open.insert(value));
            }
        }
        let known = |value: &Value| kernel.body.params.contains(value) || !inside.contains(value);
        open.iter().all(known).then_some(Self { put, needed })
    }
}

/// Makes an out-variable a new array of the kernel's points; gives the statement that stores it.
fn part(func: &mut Func, stmt: &mut Stmt, out: usize, id: u32) -> Option<Stmt> {
    let (loc, result) = (stmt.loc, stmt.results[out]);
    let Op::Kernel(kernel) = &mut stmt.op else { return None };
    let Parting { put, needed } = Parting::of(kernel, out)?;
    let array = kernel.outs[out].updated()?;
    let class = func.ty(array).class;
    let mut dims = kernel.domain.clone();
    let padded = dims.len() == 1;
    dims.extend(padded.then(|| Size::constant(1)));
    let buffer = func.new_value(Type::array(class, dims));
    let mut renamed: HashMap<Value, Value> = HashMap::default();
    let mut copy = |func: &mut Func, value: Value| {
        let new = func.new_value(func.ty(value).clone());
        renamed.insert(value, new);
        new
    };
    let params: Vec<Value> = kernel.body.params.iter().map(|param| copy(func, *param)).collect();
    let mut stores: Vec<Stmt> = Vec::new();
    for at in needed {
        let before = &kernel.body.stmts[at];
        let results = before.results.iter().map(|value| copy(func, *value)).collect();
        stores.push(Stmt { results, ..before.clone() });
    }
    let (own, new) = (zero(func, padded, loc), zero(func, padded, loc));
    let at = |params: &[Value], zero: &Option<Stmt>| -> Vec<Value> {
        params.iter().copied().chain(zero.iter().map(|stmt| stmt.results[0])).collect()
    };
    let loaded = func.new_value(Type::scalar(class));
    let place = at(&params, &new);
    stores.extend(new);
    stores.push(Stmt { results: vec![loaded], op: Op::Load(Mem::In(buffer), place), loc });
    if let Op::Put(_, subs, _) = &mut kernel.body.stmts[put].op {
        let final_subs = std::mem::replace(subs, at(&kernel.body.params, &own));
        stores.push(Stmt { results: Vec::new(), op: Op::Put(0, final_subs, loaded), loc });
    }
    for store in &mut stores {
        store.op.for_each_operand_mut(&mut |value| *value = renamed.get(value).copied().unwrap_or(*value));
    }
    kernel.body.stmts.splice(put..put, own);
    kernel.outs[out] = Out::Fresh;
    let body = Region { params, stmts: stores, term: Terminator::Yield(Vec::new()) };
    let stored = Kernel { id, domain: kernel.domain.clone(), outs: vec![Out::Update(array)], body };
    stmt.results[out] = buffer;
    Some(Stmt { results: vec![result], op: Op::Kernel(Box::new(stored)), loc })
}

/// The statement of the second subscript of a column.
fn zero(func: &mut Func, wanted: bool, loc: Loc) -> Option<Stmt> {
    wanted.then(|| {
        let results = vec![func.new_value(Type::scalar(Class::Index))];
        Stmt { results, op: Op::Const(Const::Int(0)), loc }
    })
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;

    /// The kernels that a store of row `%j` becomes.
    fn kernels(body: &str) -> Vec<String> {
        let text = format!(
            "func @f(%p: f64[n, m], %j: index, %k: index) -> (r: f64[n, m]) {{
               sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
               %r: f64[n, m] = kernel 0 over {body} return %r }}"
        );
        let mut func = parse_func(&text).unwrap();
        super::run(&mut func);
        crate::ir::verify::verify(&crate::ir::Module::of(vec![func.clone()])).unwrap();
        func.to_string().lines().filter(|l| l.contains("kernel")).map(|l| l.trim().to_owned()).collect()
    }

    #[test]
    fn a_row_that_meets_a_column_is_kept_apart() {
        let made = kernels("[m] into (update %p) |%i| { %v = load %p[%i, %k] put out0[%j, %i] = %v }");
        assert_eq!(made.len(), 2, "{made:?}");
        assert!(made[0].contains("f64[m, 1] = kernel 0 over [m] into (fresh)"), "{made:?}");
        assert!(made[1].contains("kernel 1 over [m] into (update %0)"), "{made:?}");
    }

    #[test]
    fn a_proof_or_most_of_the_array_needs_none() {
        assert_eq!(kernels("[n] into (update %p) |%i| { %v = load %p[%i, %k] put out0[%i, %j] = %v }").len(), 1);
        let whole =
            "[n - 1, m] into (update %p) |%i, %l| { %a = add %i, 1 %v = load %p[%a, %l] put out0[%i, %l] = %v }";
        assert_eq!(kernels(whole).len(), 1);
        let somewhere = "[m] into (update %p) |%i| { %v = load %p[%i, %k] %g = gt %v, 0.0 if %g { put out0[%j, %i] = %v yield } else { yield } }";
        assert_eq!(kernels(somewhere).len(), 1, "which elements are stored is known too late");
    }
}
