//! Numbers of statements and regions, in pre-order, for what analyses find out about them.
//!
//! A statement has no name of its own: many define no value. An analysis numbers a region when it begins, keeps tables by these numbers, and
//! whoever asks it later goes through the same region with the same numbers. They hold as long as the region is not changed.

use std::ops::Deref;

use super::{Region, Stmt};

/// The number of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(usize);

/// The number of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(usize);

impl StmtId {
    /// The number as an index into a table of [`Numbering::stmt_count`] entries.
    pub fn index(self) -> usize {
        self.0
    }
}

impl RegionId {
    /// The number as an index into a table of [`Numbering::region_count`] entries.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A statement or region with its number.
#[derive(Debug)]
pub struct Numbered<'r, T, Id> {
    /// The statement or region.
    pub part: &'r T,
    /// Its number.
    pub id: Id,
}

/// A statement with its number.
pub type NumberedStmt<'r> = Numbered<'r, Stmt, StmtId>;

/// A region with its number.
pub type NumberedRegion<'r> = Numbered<'r, Region, RegionId>;

impl<T, Id: Copy> Clone for Numbered<'_, T, Id> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, Id: Copy> Copy for Numbered<'_, T, Id> {}

impl<T, Id> Deref for Numbered<'_, T, Id> {
    type Target = T;

    fn deref(&self) -> &T {
        self.part
    }
}

/// The numbers of all statements and regions of a region, itself included.
#[derive(Debug, Default)]
pub struct Numbering {
    /// For each region the numbers of its statements.
    stmts: Vec<Vec<StmtId>>,
    /// For each statement the numbers of its regions.
    regions: Vec<Vec<RegionId>>,
}

impl Numbering {
    /// Numbers a region.
    pub fn of(region: &Region) -> Self {
        let mut numbering = Self::default();
        numbering.add(region);
        numbering
    }

    fn add(&mut self, region: &Region) -> RegionId {
        let id = RegionId(self.stmts.len());
        self.stmts.push(Vec::with_capacity(region.stmts.len()));
        for stmt in &region.stmts {
            let number = self.regions.len();
            self.regions.push(Vec::new());
            self.stmts[id.0].push(StmtId(number));
            if stmt.op.may_have_regions() {
                self.regions[number] = stmt.op.regions().into_iter().map(|inner| self.add(inner)).collect();
            }
        }
        id
    }

    /// How many statements there are.
    pub fn stmt_count(&self) -> usize {
        self.regions.len()
    }

    /// How many regions there are.
    pub fn region_count(&self) -> usize {
        self.stmts.len()
    }

    /// The region that has been numbered.
    pub fn outermost<'r>(&self, region: &'r Region) -> NumberedRegion<'r> {
        Numbered { part: region, id: RegionId(0) }
    }

    /// The statements of a region.
    pub fn stmts<'r>(&self, region: NumberedRegion<'r>) -> Vec<NumberedStmt<'r>> {
        let ids = &self.stmts[region.id.0];
        region.part.stmts.iter().zip(ids).map(|(part, id)| Numbered { part, id: *id }).collect()
    }

    /// The regions of a statement.
    pub fn regions<'r>(&self, stmt: NumberedStmt<'r>) -> Vec<NumberedRegion<'r>> {
        let ids = &self.regions[stmt.id.0];
        stmt.part.op.regions().into_iter().zip(ids).map(|(part, id)| Numbered { part, id: *id }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_and_regions_are_numbered_in_pre_order() {
        let text = "func @f(%c: bool, %n: index) -> index {
            %a = const 1
            %x = if %c { %d = for %n with %a |%i, %s| { %e = const 3  yield %e } yield %d } else { %g = const 4  yield %g }
            %y = add %x, %a
            return %y }";
        let func = crate::ir::parse::parse(text).unwrap().funcs.remove(0);
        let numbering = Numbering::of(&func.body);
        assert_eq!((numbering.stmt_count(), numbering.region_count()), (6, 4));
        let mut order = Vec::new();
        func.body.walk(&mut |stmt| order.push(std::ptr::from_ref(stmt)));
        let (mut open, mut seen) = (vec![numbering.outermost(&func.body)], Vec::new());
        let mut regions = 0;
        while let Some(region) = open.pop() {
            assert_eq!(region.id.index(), regions, "a region that is open last is the next");
            regions += 1;
            for stmt in numbering.stmts(region) {
                assert!(std::ptr::eq(order[stmt.id.index()], stmt.part));
                seen.push(stmt.id.index());
                open.extend(numbering.regions(stmt).into_iter().rev());
            }
        }
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2, 3, 4, 5]);
    }
}
