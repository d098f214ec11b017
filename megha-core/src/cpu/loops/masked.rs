//! Loops that points leave one by one ([`crate::schedule::masked`]), many points going through them together.
//!
//! The `if` by which a point alone would leave goes; every few iterations the loop looks whether a point is left in it.

use super::{Checks, Writer};
use crate::cpu::body::Body;
use crate::cpu::expr::{Context, Expr};
use crate::cpu::kernel::Nest;
use crate::cpu::storage::Item;
use crate::ir::Value;

/// Iterations from one look to the next.
const BETWEEN: i64 = 4;

impl<'f> Nest<'f> {
    /// The items of a loop's body, without the `if` at its end by which a point alone leaves it.
    pub fn without_exit<'a>(&self, counter: Value, items: &'a [Item<'f>]) -> impl Iterator<Item = &'a Item<'f>> {
        let exit =
            self.marks.contains_key(&counter).then(|| items.iter().rposition(|item| matches!(item, Item::If(..))));
        let exit = exit.flatten();
        items.iter().enumerate().filter(move |(at, _)| Some(*at) != exit).map(|(_, item)| item)
    }
}

impl<'n, 'f> Writer<'n, 'f> {
    /// Ends a loop when no point is left in it.
    pub(super) fn left_by_all(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &Body<'f>, counter: Value) {
        let Some(mark) = self.nest.marks.get(&counter) else { return };
        let Expr::Element(lane) = body.operand(*mark) else {
            return checks.shared.problem("the mark of a loop is no lane".into());
        };
        let number = body.text(counter);
        // Without a branch for each point, so that the marks stay in registers.
        let any = format!("{lane}[..len].iter().fold(0, |any, mark| any | mark)");
        self.run.open(format!("if {number} % {BETWEEN} == {} && {any} == 0 {{", BETWEEN - 1));
        self.run.line("break;");
        self.run.close("}");
    }
}
