//! Sequential loops over a few points that are left when no point changes any more.
//!
//! An iteration that does not use the loop's counter, stores nothing and leaves everything that the loop carries as it was, bit by bit, is
//! the same as all that follow: a point of an iteration to a fixed point that has arrived, or has run away to what is no number. So a few
//! points whose values stay in registers run [`BETWEEN`] iterations, look whether the last one has changed something, and leave the loop if
//! not. The test costs an operation or two for each value that is carried, once in so many iterations.

use super::{Checks, Kind, Outside, Writer};
use crate::cpu::body::Body;
use crate::cpu::groups::Group;
use crate::cpu::source::Code;
use crate::ir::{Class, Const, Op, Size, Value};

/// Iterations from one test to the next.
const BETWEEN: i64 = 8;

impl<'n, 'f> Writer<'n, 'f> {
    /// Writes a loop over a few points that is left early, if it can be one.
    pub(super) fn settles(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        (counter, trip, inner): (Value, Value, &[Group<'_, 'f>]),
    ) -> bool {
        let [Group::Points(items)] = inner else { return false };
        if self.nest.marks.contains_key(&counter) || is_short(body, trip) || !self.repeats(counter) {
            return false;
        }
        let (params, code) = self.loop_over_points(checks, body, items);
        let name = format!("{}_loop{}", self.stem, self.calls);
        self.calls += 1;
        self.fetch(&params);
        let args: Vec<String> = std::iter::once("len".to_owned()).chain(params.iter().map(|o| self.pass(o))).collect();
        let args = args.join(", ");
        let trip = self.nest.uniform(body, trip).typed(Class::Index);
        self.run.line(format!("let (mut l_step, l_steps) = (0, {trip});"));
        self.run.open("while l_step < l_steps {");
        self.run.line(format!("let l_last = (l_step + {}).min(l_steps - 1);", BETWEEN - 1));
        self.run.open("while l_step < l_last {");
        self.run.line(format!("{name}::<L, false>({args});"));
        self.run.line("l_step += 1;");
        self.run.close("}");
        self.run.open(format!("if !{name}::<L, true>({args}) {{"));
        self.run.line("break;");
        self.run.close("}");
        self.run.line("l_step += 1;");
        self.run.close("}");
        self.tested_function(&name, &params, code);
        true
    }

    /// A loop over points that says, if asked, whether it has changed what it carries.
    fn tested_function(&mut self, name: &str, params: &[Outside], code: Code) {
        let lanes: Vec<&str> =
            params.iter().filter(|o| matches!(o.kind, Kind::Lane(_))).map(|o| o.name.as_str()).collect();
        let declared = params.iter().map(|o| format!("{}: {}", o.name, o.kind.ty()));
        let list: Vec<String> = std::iter::once("len: usize".to_owned()).chain(declared).collect();
        let mut text = Code::default();
        text.line("#[inline(always)]");
        text.open(format!("fn {name}<L: rt::Layout, const TEST: bool>({}) -> bool {{", list.join(", ")));
        self.cut_to_length(params, &mut text);
        text.line("let mut l_changed = 0_u64;");
        text.open("for l in 0..len {");
        let axes = self.nest.loops.walks.map(|walk| Some(walk.axis));
        params.iter().filter_map(|o| o.advanced(axes, "l")).for_each(|line| text.line(line));
        let was: Vec<String> = lanes.iter().map(|lane| format!("{lane}[l],")).collect();
        text.line(format!("let l_was = ({});", was.join(" ")));
        text.append(code);
        text.open("if TEST {");
        for (at, lane) in lanes.iter().enumerate() {
            text.line(format!("l_changed |= rt::Lane::differs({lane}[l], l_was.{at});"));
        }
        text.close("}");
        text.close("}");
        text.line("l_changed != 0");
        text.close("}");
        text.line("\n");
        self.functions.append(text);
    }

    /// Whether all iterations do the same with what they find, and store nothing but what is kept in lanes.
    fn repeats(&self, counter: Value) -> bool {
        let mut found = None;
        self.nest.kernel.body.walk(&mut |stmt| match &stmt.op {
            Op::For { body, .. } if body.params[0] == counter => found = Some(&**body),
            _ => {}
        });
        found.is_some_and(|body| {
            let mut counts = false;
            body.for_each_use(&mut |value| counts |= value == counter);
            let stores = |op: &Op| matches!(op, Op::Put(..) | Op::Accumulate(..)) && self.kept_place(op).is_none();
            !counts && !body.any(stores)
        })
    }
}

/// Whether a loop has so few iterations that a test of them does not pay.
fn is_short(body: &Body<'_>, trip: Value) -> bool {
    let known = match body.inlined.get(trip) {
        Some(Op::Const(Const::Int(n))) => Some(*n),
        Some(Op::Size(size)) => Size::as_constant(size),
        _ => None,
    };
    known.is_some_and(|n| n < 2 * BETWEEN)
}
