//! What the forms of a sequential loop inside a kernel cost on the CPU, and which one is taken.
//!
//! The points of a kernel are independent, so the loop may run for a few points after the other (they stay in registers), or a few of its
//! iterations at a time for a long row of points (which stay in the first-level cache). Either way each point goes through the
//! iterations in order, so bits do not depend on the choice. It follows from the lines of memory that an iteration touches
//! ([`Traffic::lines`]) and from the operations that it makes; a form is taken only for what measurements show to gain:
//! of the product of order 512 one row of 128 points took 17 ms, four rows together 9.4 ms (AVX2, one thread), 32 points in registers 23 ms.

/// How a sequential loop runs over the points of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Whole for each so many points, whose values stay in registers.
    Points(usize),
    /// So many iterations at a time over a long row of points.
    Steps(usize),
}

/// What one iteration of a loop does at one point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Accesses whose elements lie next to each other for neighbouring points.
    pub along: usize,
    /// Those of them that are a window: what an iteration reads at a point, the next reads at its neighbour.
    pub windows: usize,
    /// Accesses whose elements lie next to each other from one iteration to the next, but apart for neighbouring points.
    pub turned: usize,
    /// Accesses neither way.
    pub scattered: usize,
    /// The weight of the operations.
    pub operations: u32,
    /// Whether it stores what later iterations do not keep in registers.
    pub stores: bool,
    /// Whether there is a loop in the loop: what it carries goes to memory and back for each few iterations of the inner one.
    pub nested: bool,
}

/// Elements of a line of memory.
const LINE: usize = 8;
/// Points whose accumulators fill the vector registers.
pub const REGISTERS: usize = 32;
/// Lines in the first-level cache for addresses that differ by a power of two: so many points, over the accesses that each has a line of
/// its own for, run at a time.
const WAYS: usize = 8;
/// How much more a line costs where the next ones are not used, so that nothing is fetched ahead.
const ALONE: usize = 4;
/// Iterations at a time, and rows at a time.
pub const JAM: usize = 4;
/// The most operations of a body of which [`JAM`] iterations run at a time. More keep the units busy anyway.
const LIGHT: u32 = 12;
/// The most operations of a body of which as many rows run at a time too.
const LIGHTEST: u32 = 6;

impl Traffic {
    /// The lines that an iteration fetches for `LINE` points.
    pub fn lines(&self, form: Form) -> usize {
        let (along, turned) = match form {
            Form::Points(points) if points <= WAYS => (ALONE, 1),
            Form::Points(_) => (1, LINE),
            Form::Steps(steps) => (1, (LINE / steps).max(1)),
        };
        along * self.along + turned * self.turned + LINE * self.scattered
    }

    /// The form with the least traffic; among equals one that needs fewer loads and stores.
    pub fn form(&self) -> Form {
        // Where nothing is read, all that an iteration needs fits into registers.
        let fetches = self.along + self.scattered > 0;
        // All iterations together fetch hardly more lines of windows than one does, so accumulators stay in registers.
        let slides = self.scattered == 0 && self.windows == self.along;
        let jams = !self.stores && !self.nested && fetches && !slides && self.operations <= LIGHT && self.turned == 0;
        let wide = if jams { Form::Steps(JAM) } else { Form::Points(REGISTERS) };
        let few = Form::Points(if self.turned > 1 { WAYS / 2 } else { WAYS });
        if self.lines(few) < self.lines(wide) { few } else { wide }
    }

    /// Whether rows run together, so that what they share is loaded once.
    pub fn shares_rows(&self) -> bool {
        matches!(self.form(), Form::Steps(_)) && self.operations <= LIGHTEST
    }
}

/// Iterations below which a loop is not worth to be parted from others: neither threads nor vectors have enough of them.
const SHORT: i64 = 8;

/// Whether a loop of so many iterations gives no parallelism worth having.
pub fn is_short(iterations: i64) -> bool {
    iterations < SHORT
}

/// Whether an order of loops pays in which scalar statements of weight `repeated` are computed more often, next to a body of weight
/// `body`: it makes loops parallel, which is worth twice the work and no more.
pub fn exchange_pays(repeated: u32, body: u32) -> bool {
    repeated <= body
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bodies of `gemm`, of a product of a matrix and a vector (rows first), of both directions at once, and one with `exp`.
    #[test]
    fn forms_follow_traffic_and_operations() {
        let product = Traffic { along: 1, operations: 2, ..Traffic::default() };
        assert_eq!((product.form(), product.shares_rows()), (Form::Steps(JAM), true));
        let rows = Traffic { turned: 1, operations: 2, ..Traffic::default() };
        assert_eq!((rows.form(), rows.shares_rows()), (Form::Points(8), false));
        assert_eq!(Traffic { turned: 2, ..rows }.form(), Form::Points(4));
        let both = Traffic { along: 3, turned: 1, operations: 3, ..Traffic::default() };
        assert_eq!(both.form(), Form::Points(REGISTERS));
        let costly = Traffic { along: 1, operations: 22, ..Traffic::default() };
        assert_eq!(costly.form(), Form::Points(REGISTERS));
        assert_eq!(Traffic { stores: true, ..product }.form(), Form::Points(REGISTERS));
        assert_eq!(
            Traffic { operations: 2, ..Traffic::default() }.form(),
            Form::Points(REGISTERS),
            "in registers alone"
        );
        let filter = Traffic { windows: 1, ..product };
        assert_eq!((filter.form(), filter.shares_rows()), (Form::Points(REGISTERS), false));
        assert_eq!(Traffic { along: 2, ..filter }.form(), Form::Steps(JAM), "not all of it slides");
        let convolution = Traffic { nested: true, ..product };
        assert_eq!((convolution.form(), convolution.shares_rows()), (Form::Points(REGISTERS), false));
    }
}
