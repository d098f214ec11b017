//! A loop lowered under an assumption about its variables, again and again until the body confirms it.

use std::rc::Rc;

use super::{Edges, Head, Loop, MAX_ATTEMPTS};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Class, Op, Region, Size, Terminator, Type};
use crate::lower::control::{Flow, Frame};
use crate::lower::facts::Facts;
use crate::lower::form::form_types;
use crate::lower::{Lower, Lowered, Stop};
use crate::matlab::ast::Expr;

impl Lower<'_> {
    /// Lowers the loop; if its variables have no types that fit all its edges, it stays undone, and why is told.
    pub fn attempts(&mut self, lp: &mut Loop<'_>) -> Lowered<Option<Box<Diagnostic>>> {
        for number in 0..MAX_ATTEMPTS {
            let before = self.start();
            self.again += usize::from(number > 0);
            let edges = self.spend_attempt().and_then(|()| self.attempt(lp));
            self.again -= usize::from(number > 0);
            let Edges { misfits, growths, waits } = edges?;
            let mut hoisted = self.hoisted(lp, &growths, &before);
            if misfits.is_empty() && hoisted.is_empty() {
                if !waits {
                    return Ok(None);
                }
                // The assumption is as weak as it gets, so what was left out is a mistake.
                lp.patient = false;
            }
            let assumed = waits.then(|| (lp.carried.clone(), lp.watched.clone(), lp.lost.clone()));
            let conflict = self.correct(lp, &misfits, &before, &mut hoisted);
            self.return_to(before);
            match (conflict, assumed) {
                (None, _) => {
                    for (name, class) in std::mem::take(&mut lp.becoming) {
                        self.become_before(lp, &name, class);
                    }
                    self.prepare(lp, hoisted);
                }
                // It may follow from what was left out.
                (Some(_), Some(assumed)) => {
                    (lp.carried, lp.watched, lp.lost) = assumed;
                    lp.becoming.clear();
                    lp.patient = false;
                }
                (Some(diagnostic), None) => return Ok(Some(diagnostic)),
            }
        }
        self.stop(Code::LoopType, lp.span, "the types in this loop do not settle")
    }

    /// Lowers the loop under the current assumption.
    fn attempt(&mut self, lp: &mut Loop<'_>) -> Lowered<Edges> {
        let init = self.initial_values(lp);
        let alike = self.alike_before(lp);
        let types: Vec<Type> = lp.carried.iter().flat_map(|c| form_types(&c.form)).collect();
        let entry = self.env.clone();
        let at = self.here(lp.span);
        self.frames.push(Frame {
            watched: lp.watched.clone(),
            patient: lp.patient,
            until: if let Head::Until(cond) = &lp.head { Some(Rc::new((*cond).clone())) } else { None },
            live: lp.live.clone(),
            alike: alike.clone(),
            ..Frame::new(lp.kind.clone())
        });
        let op = match &lp.head {
            Head::Count { trip, .. } => {
                let trip = trip.clone();
                let count = self.index_value(&trip);
                let body = self.count_body(lp, &types, &trip)?;
                Op::For { trip: count, init: init.clone(), body: Box::new(body) }
            }
            Head::While(cond) => {
                let cond = *cond;
                let (mark, params) = self.open_region(types.clone());
                self.bind_params(lp, &params);
                let holds = self.condition(cond);
                let test = self.close_region(mark, Terminator::Yield(holds.into_iter().collect()));
                if holds.is_err() {
                    self.frames.pop();
                    if lp.patient {
                        (self.unreachable, self.ending) = (false, None);
                        return Ok(Edges { waits: true, ..Edges::default() });
                    }
                    self.unreachable = self.ending.is_some();
                    return Err(Stop);
                }
                self.env = entry.clone();
                let body = self.while_body(lp, &types, cond, true)?;
                Op::While { init: init.clone(), cond: Box::new(test), body: Box::new(body) }
            }
            Head::Until(cond) => {
                let cond = *cond;
                let (mark, params) = self.open_region(types.clone());
                self.bind_params(lp, &params);
                let always = self.truth_constant(true);
                let test = self.close_region(mark, Terminator::Yield(vec![always]));
                self.env = entry.clone();
                let body = self.while_body(lp, &types, cond, false)?;
                Op::While { init: init.clone(), cond: Box::new(test), body: Box::new(body) }
            }
            Head::Passes { .. } => {
                let once = self.index_value(&Size::constant(1));
                let body = self.passes_body(lp, &types);
                Op::For { trip: once, init: init.clone(), body: Box::new(body) }
            }
        };
        let frame = self.frames.pop();
        self.env = entry;
        let results = self.builder.push_many(op, types);
        self.builder.set_loc(at);
        let brought = frame.as_ref().map(|f| f.brought.clone()).unwrap_or_default();
        lp.edges = brought.edges;
        lp.kinds = brought.kinds.clone();
        lp.left = brought.others.iter().filter_map(|(name, b)| Some((name.clone(), b.clone()?))).collect();
        self.bind_results(lp, &results, &brought, alike);
        Ok(frame.map(|f| Edges { misfits: f.misfits, growths: f.growths, waits: f.waits }).unwrap_or_default())
    }

    fn count_body(&mut self, lp: &mut Loop<'_>, types: &[Type], trip: &Size) -> Lowered<Region> {
        let mut params = vec![Type::scalar(Class::Index)];
        params.extend(types.iter().cloned());
        let (mark, values) = self.open_region(params);
        let (k, carried) = (values[0], &values[1..]);
        // Inside the body there is at least one iteration.
        let last = self.nonempty(trip).add_const(-1);
        let k_size = self.symbol_for(k, vec![Size::constant(0)], vec![last]);
        self.loosen(&k_size);
        lp.counter = k_size.as_sym();
        self.learn(k, Facts::whole(k_size.clone(), true));
        self.bind_params(lp, carried);
        lp.room.iter().for_each(|size| self.passed(size.clone()));
        if let Head::Count { variable: Some((target, source)), .. } = &lp.head {
            if lp.first == 0 {
                self.bind_element(target, source, k, &k_size);
            } else {
                let number = k_size.add_const(lp.first);
                let value = self.index_value(&number);
                self.bind_element(target, source, value, &number);
            }
        }
        let flow = self.block(lp.body);
        let term = self.end_of_body(flow);
        Ok(self.close_region(mark, term))
    }

    /// The body of a loop that tests `cond` before it, or behind it to find out whether it is done.
    fn while_body(&mut self, lp: &mut Loop<'_>, types: &[Type], cond: &Expr, before: bool) -> Lowered<Region> {
        let (mark, params) = self.open_region(types.to_vec());
        self.bind_params(lp, &params);
        if before {
            self.assume(cond, true);
        }
        let mut flow = self.block(lp.body);
        if flow == Flow::Through && !before {
            flow = self.way(&mut |this| {
                let left = this.leave_if(cond);
                left.map(|()| Flow::Through).inspect_err(|_| this.wait())
            });
        }
        let term = self.end_of_body(flow);
        Ok(self.close_region(mark, term))
    }
}
