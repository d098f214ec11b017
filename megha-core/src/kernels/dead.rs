//! Removes statements and carried values that nothing needs.
//!
//! Liveness is a mark phase over SSA (Cytron et al., section 7.1): statements with effects and whatever decides where
//! control goes are live, and so is what a live value is computed from. Results of an `If` and carried values of a loop
//! are marked one by one, so an array that a loop only passes through disappears from it. The scalars that the sizes of a
//! live array are made of are live with it, wherever the array is defined: as a result, or as a parameter of a loop.

use crate::ir::{Func, Op, Region, Size, Stmt, Sym, SymDef, Terminator, Value};

/// Removes what is dead from a function; a carried value that never changes becomes the value it starts with.
pub fn run(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    let mut same = vec![None; func.types.len()];
    unchanged(func, &body, &mut same);
    if same.iter().any(Option::is_some) {
        replace(&mut body, &same);
    }
    let mut marks =
        Marks { live: vec![false; func.types.len()], symbols: vec![false; func.symbols.len()], changed: true };
    while std::mem::take(&mut marks.changed) {
        let mut loops = Vec::new();
        marks.region(func, &body, &Targets::Nothing, &mut loops);
    }
    body.map_regions(&mut |region| sweep(region, &marks.live));
    func.body = body;
}

/// The value that takes the place of this one.
fn successor(same: &[Option<Value>], mut value: Value) -> Value {
    while let Some(by) = same[value.index()] {
        value = by;
    }
    value
}

/// Finds carried values of `For` loops that each iteration hands on untouched, inner loops first. A scalar that sizes are made of
/// stays: they would still depend on it.
fn unchanged(func: &Func, region: &Region, same: &mut Vec<Option<Value>>) {
    for stmt in region.stmts.iter().filter(|stmt| stmt.op.may_have_regions()) {
        stmt.op.regions().into_iter().for_each(|nested| unchanged(func, nested, same));
        if let Op::For { init, body, .. } = &stmt.op
            && !leaves(body, 0)
            && let Terminator::Yield(next) = &body.term
        {
            for (at, (start, next)) in init.iter().zip(next).enumerate() {
                let (param, start) = (body.params[at + 1], successor(same, *start));
                let alike = [param, stmt.results[at]];
                let replaceable = alike.iter().all(|v| func.ty(*v) == func.ty(start))
                    && !func.symbols.values().any(|v| alike.contains(&v));
                if param == successor(same, *next) && replaceable {
                    alike.iter().for_each(|v| same[v.index()] = Some(start));
                }
            }
        }
    }
}

/// Replaces values as `same` says.
fn replace(region: &mut Region, same: &[Option<Value>]) {
    for stmt in &mut region.stmts {
        stmt.op.for_each_operand_mut(&mut |v| *v = successor(same, *v));
        if stmt.op.may_have_regions() {
            stmt.op.regions_mut().into_iter().for_each(|nested| replace(nested, same));
        }
    }
    region.term.values_mut().iter_mut().for_each(|v| *v = successor(same, *v));
}

/// Whether a region, or one in it, leaves the loop so many levels out, or one further out, before its end.
pub(crate) fn leaves(region: &Region, depth: u32) -> bool {
    let here = match region.term {
        Terminator::Break(d, _) | Terminator::Continue(d, _) => d >= depth,
        Terminator::Return(_) => true,
        Terminator::Yield(_) | Terminator::Unreachable => false,
    };
    here || region.stmts.iter().any(|stmt| {
        let inner = depth + u32::from(matches!(stmt.op, Op::For { .. } | Op::While { .. }));
        stmt.op.may_have_regions() && stmt.op.regions().into_iter().any(|r| leaves(r, inner))
    })
}

/// Where the values of a `Yield` go.
enum Targets<'r> {
    Nothing,
    /// Results of an `If`.
    Results(&'r [Value]),
    /// Results of a loop and parameters of its body, alike.
    Carried(&'r [Value], &'r [Value]),
    /// A condition.
    All,
}

struct Marks {
    live: Vec<bool>,
    /// The symbols whose values are marked: many arrays have sizes of the same ones, and long chains lead from these to others.
    symbols: Vec<bool>,
    changed: bool,
}

type Loops<'r> = Vec<(&'r [Value], &'r [Value])>;

impl Marks {
    fn mark(&mut self, value: Value) {
        if !self.live[value.index()] {
            self.live[value.index()] = true;
            self.changed = true;
        }
    }

    fn is_live(&self, value: Value) -> bool {
        self.live[value.index()]
    }

    /// Backwards, so that one walk settles code without loops.
    fn region<'r>(&mut self, func: &Func, region: &'r Region, to: &Targets<'r>, loops: &mut Loops<'r>) {
        self.terminator(&region.term, to, loops);
        for stmt in region.stmts.iter().rev() {
            self.stmt(func, stmt, loops);
        }
    }

    fn terminator<'r>(&mut self, term: &'r Terminator, to: &Targets<'r>, loops: &Loops<'r>) {
        match (term, to) {
            (Terminator::Yield(values), Targets::Results(results)) => self.carry(values, results, results),
            (Terminator::Yield(values), Targets::Carried(results, params)) => self.carry(values, results, params),
            (Terminator::Break(depth, values) | Terminator::Continue(depth, values), _) => {
                match loops.iter().rev().nth(*depth as usize) {
                    Some((results, params)) => self.carry(values, results, params),
                    None => values.iter().for_each(|v| self.mark(*v)),
                }
            }
            (Terminator::Yield(_), Targets::Nothing) | (Terminator::Unreachable, _) => {}
            (Terminator::Yield(values), Targets::All) | (Terminator::Return(values), _) => {
                values.iter().for_each(|v| self.mark(*v));
            }
        }
    }

    fn carry(&mut self, values: &[Value], results: &[Value], params: &[Value]) {
        for ((value, result), param) in values.iter().zip(results).zip(params) {
            if self.is_live(*result) || self.is_live(*param) {
                self.mark(*value);
            }
        }
    }

    fn stmt<'r>(&mut self, func: &Func, stmt: &'r Stmt, loops: &mut Loops<'r>) {
        if !needed(stmt, &self.live) {
            return;
        }
        let all = !stmt.op.may_have_regions() || stmt.op.regions().is_empty() || matches!(stmt.op, Op::Kernel(_));
        for result in &stmt.results {
            if all || self.is_live(*result) {
                self.sizes_of(func, *result);
            }
        }
        match &stmt.op {
            Op::If { cond, then, els } => {
                self.mark(*cond);
                for arm in [then, els] {
                    self.region(func, arm, &Targets::Results(&stmt.results), loops);
                }
            }
            Op::For { trip, init, body } => {
                self.mark(*trip);
                self.looped(func, stmt, (init, &body.params[1..]), body, loops);
            }
            Op::While { init, cond, body } => {
                self.region(func, cond, &Targets::All, &mut Vec::new());
                for (param, other) in cond.params.iter().zip(&body.params) {
                    if self.is_live(*param) {
                        self.mark(*other);
                        self.sizes_of(func, *param);
                    }
                }
                self.looped(func, stmt, (init, &body.params), body, loops);
            }
            op => {
                op.for_each_operand(&mut |v| self.mark(v));
                op.for_each_size(&mut |s| self.size(func, s));
                for nested in op.regions() {
                    self.region(func, nested, &Targets::Nothing, &mut Vec::new());
                }
            }
        }
    }

    fn looped<'r>(
        &mut self,
        func: &Func,
        stmt: &'r Stmt,
        (init, params): (&'r [Value], &'r [Value]),
        body: &'r Region,
        loops: &mut Loops<'r>,
    ) {
        loops.push((&stmt.results, params));
        self.region(func, body, &Targets::Carried(&stmt.results, params), loops);
        loops.pop();
        self.carry(init, &stmt.results, params);
        for (result, param) in stmt.results.iter().zip(params) {
            if self.is_live(*result) || self.is_live(*param) {
                [result, param].into_iter().for_each(|v| self.sizes_of(func, *v));
            }
        }
    }

    /// The values that an array's sizes depend on.
    fn sizes_of(&mut self, func: &Func, array: Value) {
        func.ty(array).dims.iter().for_each(|d| self.size(func, d));
    }

    /// The values that a size depends on.
    fn size(&mut self, func: &Func, size: &Size) {
        for sym in size.symbols() {
            self.symbol(func, sym);
        }
    }

    fn symbol(&mut self, func: &Func, sym: Sym) {
        if std::mem::replace(&mut self.symbols[sym.index()], true) {
            return;
        }
        match &func.symbols.get(sym).def {
            SymDef::Dim(..) => {}
            SymDef::Value(value) => self.mark(*value),
            SymDef::Max(a, b) | SymDef::Min(a, b) | SymDef::FloorDiv(a, b) => {
                self.size(func, a);
                self.size(func, b);
            }
        }
    }
}

fn needed(stmt: &Stmt, live: &[bool]) -> bool {
    stmt.results.iter().any(|r| live[r.index()]) || stmt.op.has_effect()
}

fn sweep(region: &mut Region, live: &[bool]) {
    region.stmts.retain(|stmt| needed(stmt, live));
    for stmt in &mut region.stmts {
        if matches!(stmt.op, Op::If { .. } | Op::For { .. } | Op::While { .. }) {
            sweep_carried(stmt, live);
        }
    }
}

/// Removes dead results of an `If` or loop, and the values that make them.
fn sweep_carried(stmt: &mut Stmt, live: &[bool]) {
    let is_live = |v: &Value| live[v.index()];
    let kept: Vec<bool> = match &stmt.op {
        Op::For { body, .. } => {
            stmt.results.iter().zip(&body.params[1..]).map(|(r, p)| is_live(r) || is_live(p)).collect()
        }
        Op::While { body, .. } => {
            stmt.results.iter().zip(&body.params).map(|(r, p)| is_live(r) || is_live(p)).collect()
        }
        _ => stmt.results.iter().map(is_live).collect(),
    };
    if kept.iter().all(|k| *k) {
        return;
    }
    filter(&mut stmt.results, &kept);
    match &mut stmt.op {
        Op::If { then, els, .. } => [then, els].into_iter().for_each(|arm| filter_end(arm, &kept, None)),
        Op::For { init, body, .. } => {
            filter(init, &kept);
            let carried: Vec<bool> = std::iter::once(true).chain(kept.iter().copied()).collect();
            filter(&mut body.params, &carried);
            filter_end(body, &kept, Some(0));
        }
        Op::While { init, cond, body } => {
            filter(init, &kept);
            filter(&mut cond.params, &kept);
            filter(&mut body.params, &kept);
            filter_end(body, &kept, Some(0));
        }
        _ => {}
    }
}

fn filter(values: &mut Vec<Value>, kept: &[bool]) {
    let mut kept = kept.iter();
    values.retain(|_| *kept.next().unwrap_or(&true));
}

/// Filters the `Yield` of a region, and what `Break` and `Continue` give to the loop so many levels out.
fn filter_end(region: &mut Region, kept: &[bool], depth: Option<u32>) {
    if let Terminator::Yield(values) = &mut region.term {
        filter(values, kept);
    }
    if let Some(depth) = depth {
        filter_jumps(region, kept, depth);
    }
}

fn filter_jumps(region: &mut Region, kept: &[bool], depth: u32) {
    match &mut region.term {
        Terminator::Break(d, values) | Terminator::Continue(d, values) if *d == depth => filter(values, kept),
        _ => {}
    }
    for stmt in &mut region.stmts {
        let inner = depth + u32::from(matches!(stmt.op, Op::For { .. } | Op::While { .. }));
        for nested in stmt.op.regions_mut() {
            filter_jumps(nested, kept, inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse;

    /// The operations that are left of a body whose results nothing uses, in a function of `%v: f64[n, 1]`, `%a: f64` and `%c: bool`; `@g` is
    /// a function of numbers that fails.
    fn left(body: &str) -> Vec<String> {
        let mut module = parse(&format!(
            "func @g(%x: f64) -> (y: f64) {{ %c = gt %x, 0.0  assert %c, \"positive\"  return %x }}
             func @f(%v: f64[n, 1], %a: f64, %c: bool) -> () {{ sym n = dim 0 0 {body} return }}"
        ))
        .unwrap_or_else(|e| panic!("{e}\n{body}"));
        crate::ir::verify::verify(&module).unwrap_or_else(|_| panic!("{body}"));
        super::run(&mut module.funcs[1]);
        let name = |stmt: &crate::ir::Stmt| format!("{:?}", stmt.op).split(['(', ' ']).next().unwrap_or("").to_owned();
        module.funcs[1].body.stmts.iter().map(name).collect()
    }

    #[test]
    fn what_can_fail_stays_although_nothing_uses_its_results() {
        assert_eq!(left("%s: f64[3, 1] = lib sumsat %v, 1.0"), ["Const", "Lib"]);
        assert_eq!(left("%k: index = lib rangelen %a, %a, 1.0"), ["Const", "Lib"]);
        assert_eq!(left("%k = to_index %a"), ["ToIndex"]);
        assert_eq!(left("%e = index %v[vector %v] checked"), ["Index"]);
        let kernel = |call: &str| {
            format!(
                "%y: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {{ %z = const 0 %x = load %v[%i, %z] {call} \
                 put out0[%i, %z] = %x }}"
            )
        };
        assert_eq!(left(&kernel("%w = call @g(%x)")), ["Kernel"]);
        assert_eq!(left(&kernel("%p = gt %x, 0.0  assert %p, \"positive\"")), ["Kernel"]);
        assert_eq!(left(&kernel("%p = gt %x, 0.0  if %p { %k = to_index %x yield } else { yield }")), ["Kernel"]);
        let endless = "%w = while with %x |%s| { %p = lt %s, 9.0 yield %p } do |%t| { yield %t }";
        assert_eq!(left(&kernel(endless)), ["Kernel"]);
        assert_eq!(left(&kernel("%w = exp %x")), [""; 0]);
    }

    #[test]
    fn what_cannot_fail_goes() {
        for body in [
            "%s = transpose %v",
            "%d: f64[n, 1] = lib lookup %v, %v",
            "%e = index %v[vector %v]",
            "%y = add %v, %a  %z = reduce sum %y along [0, 1]",
            "%w = for 3 with %v |%i, %s| { yield %s }",
        ] {
            assert_eq!(left(body), [""; 0], "{body}");
        }
    }
}
