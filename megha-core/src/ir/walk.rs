//! Walks over statements and the regions nested in them.
//!
//! They go in pre-order: a statement comes before those of its regions, and these come in order. A walk calls a closure that gives
//! nothing, or a [`Walk`] that says how to go on. Passes that know more on the way in than on the way out, such as the loops around a
//! statement, have walks of their own.

use crate::hash::HashSet;

use super::{Kernel, Op, Region, Stmt, Terminator, Value};

/// How a walk goes on behind a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// With the statement's regions.
    Advance,
    /// Behind the statement.
    Skip,
    /// Not at all.
    Interrupt,
}

impl From<()> for Walk {
    fn from((): ()) -> Self {
        Self::Advance
    }
}

impl Default for Region {
    /// A region that stands where one has been taken away to be rewritten.
    fn default() -> Self {
        Self { params: Vec::new(), stmts: Vec::new(), term: Terminator::Unreachable }
    }
}

impl Stmt {
    /// Calls `f` on the statement and on those nested in it; whether it has come to the end.
    pub fn walk<'r, W: Into<Walk>>(&'r self, f: &mut impl FnMut(&'r Stmt) -> W) -> bool {
        match f(self).into() {
            Walk::Advance => !self.op.may_have_regions() || self.op.regions().into_iter().all(|region| region.walk(f)),
            Walk::Skip => true,
            Walk::Interrupt => false,
        }
    }

    /// Calls `f` on the statement and on those nested in it, to be changed; whether it has come to the end.
    pub fn walk_mut<W: Into<Walk>>(&mut self, f: &mut impl FnMut(&mut Stmt) -> W) -> bool {
        match f(self).into() {
            Walk::Advance => {
                !self.op.may_have_regions() || self.op.regions_mut().into_iter().all(|region| region.walk_mut(f))
            }
            Walk::Skip => true,
            Walk::Interrupt => false,
        }
    }

    /// Whether the statement or one nested in it has such an operation.
    pub fn any(&self, holds: impl Fn(&Op) -> bool) -> bool {
        !self.walk(&mut |stmt| if holds(&stmt.op) { Walk::Interrupt } else { Walk::Advance })
    }
}

impl Region {
    /// Calls `f` on each statement, nested ones included; whether it has come to the end.
    pub fn walk<'r, W: Into<Walk>>(&'r self, f: &mut impl FnMut(&'r Stmt) -> W) -> bool {
        self.stmts.iter().all(|stmt| stmt.walk(f))
    }

    /// Calls `f` on each statement, nested ones included, to be changed; whether it has come to the end.
    pub fn walk_mut<W: Into<Walk>>(&mut self, f: &mut impl FnMut(&mut Stmt) -> W) -> bool {
        self.stmts.iter_mut().all(|stmt| stmt.walk_mut(f))
    }

    /// Whether a statement, nested ones included, has such an operation.
    pub fn any(&self, holds: impl Fn(&Op) -> bool) -> bool {
        !self.walk(&mut |stmt| if holds(&stmt.op) { Walk::Interrupt } else { Walk::Advance })
    }

    /// How many statements, nested ones included, have such an operation.
    pub fn count(&self, holds: impl Fn(&Op) -> bool) -> usize {
        let mut count = 0;
        self.walk(&mut |stmt| count += usize::from(holds(&stmt.op)));
        count
    }

    /// Calls `f` on the region and on each that is nested in it.
    pub fn walk_regions<'r>(&'r self, f: &mut impl FnMut(&'r Region)) {
        f(self);
        for stmt in &self.stmts {
            if stmt.op.may_have_regions() {
                stmt.op.regions().into_iter().for_each(|region| region.walk_regions(f));
            }
        }
    }

    /// Calls `f` on the region and then on each that is nested in what it has left, to be changed.
    pub fn map_regions(&mut self, f: &mut impl FnMut(&mut Region)) {
        f(self);
        for stmt in &mut self.stmts {
            if stmt.op.may_have_regions() {
                stmt.op.regions_mut().into_iter().for_each(|region| region.map_regions(f));
            }
        }
    }

    /// Puts in the place of each statement what `f` appends for it; those in its regions have been replaced before.
    pub fn rewrite(&mut self, f: &mut impl FnMut(Stmt, &mut Vec<Stmt>)) {
        let stmts = std::mem::take(&mut self.stmts);
        self.stmts.reserve(stmts.len());
        for mut stmt in stmts {
            stmt.op.regions_mut().into_iter().for_each(|region| region.rewrite(f));
            f(stmt, &mut self.stmts);
        }
    }

    /// The kernels with their statements, in order.
    pub fn kernels(&self) -> Vec<(&Stmt, &Kernel)> {
        let mut found = Vec::new();
        self.walk(&mut |stmt| match &stmt.op {
            Op::Kernel(kernel) => {
                found.push((stmt, &**kernel));
                Walk::Skip
            }
            _ => Walk::Advance,
        });
        found
    }

    /// A number above those of all kernels.
    pub fn free_kernel_id(&self) -> u32 {
        self.kernels().into_iter().map(|(_, kernel)| kernel.id + 1).max().unwrap_or(0)
    }

    /// Calls `f` on each use of a value, those in nested regions and ends of regions included.
    pub fn for_each_use(&self, f: &mut impl FnMut(Value)) {
        self.walk_regions(&mut |region| {
            region.stmts.iter().for_each(|stmt| stmt.op.for_each_operand(f));
            region.term.values().iter().copied().for_each(&mut *f);
        });
    }

    /// Adds the values that it defines, those of nested regions included.
    pub fn defined(&self, out: &mut HashSet<Value>) {
        self.walk_regions(&mut |region| {
            out.extend(&region.params);
            region.stmts.iter().for_each(|stmt| out.extend(&stmt.results));
        });
    }

    /// The values that it uses and does not define, in order of their numbers.
    pub fn free_values(&self) -> Vec<Value> {
        let (mut used, mut limit) = (Vec::new(), 0);
        self.for_each_use(&mut |value| {
            used.push(value);
            limit = limit.max(value.index() + 1);
        });
        // By their numbers the values that it defines, and then those that have been found.
        let mut marks = vec![false; limit];
        let marked = marks.as_mut_slice();
        self.walk_regions(&mut |region| {
            let results = region.stmts.iter().flat_map(|stmt| &stmt.results);
            for value in region.params.iter().chain(results).filter(|value| value.index() < limit) {
                marked[value.index()] = true;
            }
        });
        used.retain(|value| !std::mem::replace(&mut marked[value.index()], true));
        used.sort_unstable();
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;
    use crate::ir::{Const, Func, Loc};

    /// Constants 1 to 6 are numbered in pre-order.
    const NESTED: &str = "func @f(%c: bool, %n: index) -> index {
        %a = const 1
        %x = if %c { %b = const 2  %d = for %n with %b |%i, %s| { %e = const 3  yield %e } yield %d }
             else { %g = const 4  yield %a }
        %y = while with %x |%p| { %h = const 5  %t = lt %p, %h  yield %t } do |%q| { %k = const 6  yield %k }
        return %y }";

    fn func() -> Func {
        parse(NESTED).unwrap().funcs.remove(0)
    }

    fn constant(stmt: &Stmt) -> Option<i64> {
        if let Op::Const(Const::Int(number)) = stmt.op { Some(number) } else { None }
    }

    fn constants(region: &Region) -> Vec<i64> {
        let mut found = Vec::new();
        region.walk(&mut |stmt| found.extend(constant(stmt)));
        found
    }

    #[test]
    fn statements_come_before_those_in_their_regions() {
        let mut func = func();
        assert_eq!(constants(&func.body), [1, 2, 3, 4, 5, 6]);
        func.body.walk_mut(&mut |stmt| {
            if let Op::Const(Const::Int(number)) = &mut stmt.op {
                *number *= 10;
            }
        });
        assert_eq!(constants(&func.body), [10, 20, 30, 40, 50, 60]);
    }

    #[test]
    fn a_walk_skips_regions_and_stops() {
        let func = func();
        let mut found = Vec::new();
        let all = func.body.walk(&mut |stmt| {
            found.extend(constant(stmt));
            if matches!(stmt.op, Op::For { .. } | Op::While { .. }) { Walk::Skip } else { Walk::Advance }
        });
        assert_eq!((found.as_slice(), all), (&[1, 2, 4][..], true));
        let mut found = Vec::new();
        let all = func.body.walk(&mut |stmt| {
            found.extend(constant(stmt));
            if constant(stmt) == Some(3) { Walk::Interrupt } else { Walk::Advance }
        });
        assert_eq!((found.as_slice(), all), (&[1, 2, 3][..], false));
        assert!(func.body.any(|op| matches!(op, Op::Const(Const::Int(6)))));
        assert!(!func.body.any(|op| matches!(op, Op::Const(Const::Int(7)))));
        assert_eq!(func.body.count(|op| matches!(op, Op::Const(_))), 6);
    }

    #[test]
    fn regions_are_mapped_from_outside_and_rewritten_from_inside() {
        let mut mapped = func();
        let mut sizes = Vec::new();
        mapped.body.map_regions(&mut |region| sizes.push(region.stmts.len()));
        assert_eq!(sizes, [3, 2, 1, 1, 2, 1]);
        // What is taken away is not visited.
        let mut visited = 0;
        mapped.body.map_regions(&mut |region| {
            visited += 1;
            region.stmts.retain(|stmt| !matches!(stmt.op, Op::While { .. }));
        });
        assert_eq!((visited, constants(&mapped.body)), (4, vec![1, 2, 3, 4]));
        let mut rewritten = func();
        let mut order = Vec::new();
        rewritten.body.rewrite(&mut |stmt, out| {
            order.extend(constant(&stmt));
            order.extend(matches!(stmt.op, Op::For { .. } | Op::If { .. }).then_some(0));
            let again = Stmt { loc: Loc::NONE, ..stmt.clone() };
            out.extend(constant(&stmt).map(|_| again));
            out.push(stmt);
        });
        assert_eq!(order, [1, 2, 3, 0, 4, 0, 5, 6]);
        assert_eq!(constants(&rewritten.body), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    }

    #[test]
    fn free_values_are_used_and_not_defined() {
        let func = func();
        let named = |values: Vec<Value>| values.into_iter().map(|v| func.name_of(v)).collect::<Vec<_>>();
        let regions = func.body.stmts[1].op.regions();
        assert_eq!(named(regions[0].free_values()), ["n"]);
        assert_eq!(named(regions[1].free_values()), ["a"]);
        assert_eq!(named(func.body.free_values()), [""; 0]);
        let mut uses = 0;
        func.body.for_each_use(&mut |value| uses += usize::from(func.name_of(value) == "a"));
        assert_eq!(uses, 1);
    }
}
