//! Points of a thread that go through the loops of a body together, so that what is the same for all of them is read and counted once.

use super::super::entry::{Entry, Known};
use super::super::inst::{Arith, Compare, Operand, Ty};
use super::{Column, Nest};
use crate::ir::{Op, Region, Stmt, Terminator, Value};
use crate::schedule::Optimisation;

/// Operations of all iterations and points of a loop that is written out.
const WRITTEN_OUT: usize = 256;

/// A point, and whether the kernel has it.
struct Point {
    at: [i64; 2],
    known: Known,
    there: Operand,
}

impl<'f> Entry<'_, 'f> {
    /// All points of a thread. Those behind the last one of a loop compute what that does, and store nothing.
    pub(super) fn points_together(
        &mut self,
        nest: &Nest<'f>,
        columns: &[Column],
        [x, y, z]: [Operand; 3],
    ) -> Result<(), String> {
        let tile = &nest.halos.tile;
        let count = self.count(&[tile.across]);
        let inside = self.e.compare(Compare::Lt, Ty::U32, x, count);
        let inside = self.e.and(nest.has_points, inside);
        let deep = tile.others.first().copied().filter(|_| tile.each[1] > 1);
        self.when(inside, &mut |entry| {
            let mut numbers = entry.numbers.clone();
            numbers[tile.across] = entry.number_along(tile.across, x);
            let mut points = Vec::new();
            for at in tile.points() {
                let (mut numbers, mut there) = (numbers.clone(), Operand::Int(1));
                for (axis, from, by) in [(tile.down, y, at[0]), (deep, z, at[1])] {
                    let Some(axis) = axis else { continue };
                    let own = entry.e.arith(Arith::Add, Ty::U32, &[from, Operand::Int(by)]);
                    let count = entry.count(&[axis]);
                    let inside = entry.e.compare(Compare::Lt, Ty::U32, own, count);
                    there = entry.e.and(there, inside);
                    numbers[axis] = entry.number_along(axis, own);
                }
                points.push(Point { at, known: entry.known_at(numbers), there });
            }
            entry.together((nest, columns), nest.stmts, &mut points)
        })
    }

    fn together(
        &mut self,
        (nest, columns): (&Nest<'f>, &[Column]),
        stmts: &'f [Stmt],
        points: &mut [Point],
    ) -> Result<(), String> {
        for stmt in stmts {
            match &stmt.op {
                Op::For { trip, init, body } => {
                    self.loop_together((nest, columns), (stmt, *trip, init, body), points)?
                }
                Op::Put(..) => {
                    for point in points.iter_mut() {
                        let there = point.there;
                        self.at_point(&mut point.known, |entry| {
                            entry.when(there, &mut |entry| entry.stmt(stmt, &mut Vec::new()))
                        })?;
                    }
                }
                Op::Load(mem, subs) if nest.halos.is_alike(&self.source.subject, &stmt.op) => {
                    let value = self.at_point(&mut points[0].known, |entry| entry.load(*mem, subs))?;
                    for point in points.iter_mut() {
                        self.at_point(&mut point.known, |entry| entry.define(stmt.results[0], value));
                    }
                }
                op => {
                    let read = nest.halos.read(op);
                    for point in points.iter_mut() {
                        let at = point.at;
                        self.at_point(&mut point.known, |entry| match read {
                            Some((array, read)) => {
                                let value = entry.read_of_halo(nest, (array, read), (&columns[array], at))?;
                                entry.define(read.value, value);
                                Ok(())
                            }
                            None => entry.stmt(stmt, &mut Vec::new()),
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A loop of a known number of iterations: the innermost one is written out, if that is not much.
    fn loop_together(
        &mut self,
        of: (&Nest<'f>, &[Column]),
        (stmt, trip, init, body): (&'f Stmt, Value, &'f [Value], &'f Region),
        points: &mut [Point],
    ) -> Result<(), String> {
        let trips = self.source.subject.maps.fixed_trips(trip);
        let trips = trips.ok_or("a loop of an unknown number of iterations")?;
        let Terminator::Yield(next) = &body.term else { return Err("a loop that is left".into()) };
        let is_inner = !body.any(|op| matches!(op, Op::For { .. }));
        let operations = body.stmts.len() * points.len();
        let is_little = (operations as u64).saturating_mul(trips as u64) <= WRITTEN_OUT as u64;
        let written_out = is_inner && is_little && self.source.optimisations.has(Optimisation::Unrolling);
        let mut values = Vec::new();
        for point in points.iter_mut() {
            values.push(self.at_point(&mut point.known, |entry| entry.all(init))?);
        }
        if !written_out {
            return self.counted_together(of, (stmt, trips, body, next), (points, &values));
        }
        for number in 0..trips {
            self.iteration(of, (body, Operand::Int(number)), (points, &values))?;
            for (point, values) in points.iter_mut().zip(&mut values) {
                *values = self.at_point(&mut point.known, |entry| entry.all(next))?;
            }
        }
        for (point, values) in points.iter_mut().zip(values) {
            self.at_point(&mut point.known, |entry| {
                stmt.results.iter().zip(values).for_each(|(result, value)| entry.define(*result, value));
            });
        }
        Ok(())
    }

    fn counted_together(
        &mut self,
        of: (&Nest<'f>, &[Column]),
        (stmt, trips, body, next): (&'f Stmt, i64, &'f Region, &'f [Value]),
        (points, init): (&mut [Point], &[Vec<Operand>]),
    ) -> Result<(), String> {
        let mut carried = Vec::new();
        for (point, init) in points.iter_mut().zip(init) {
            let own = self.at_point(&mut point.known, |entry| entry.joined(&stmt.results))?;
            self.carry(&own, init);
            carried.push(own);
        }
        let counter = self.e.reg(Ty::S64.bank());
        self.e.assign(Ty::S64, counter, Operand::Int(0));
        let head = self.e.label();
        self.e.place(head);
        self.e.open();
        let values: Vec<Vec<Operand>> =
            carried.iter().map(|own| own.iter().map(|(reg, _)| (*reg).into()).collect()).collect();
        self.iteration(of, (body, counter.into()), (points, &values))?;
        for (point, own) in points.iter_mut().zip(&carried) {
            let values = self.at_point(&mut point.known, |entry| entry.all(next))?;
            self.carry(own, &values);
        }
        let count = self.e.arith(Arith::Add, Ty::S64, &[counter.into(), Operand::Int(1)]);
        self.e.assign(Ty::S64, counter, count);
        let more = self.e.compare(Compare::Lt, Ty::S64, counter.into(), Operand::Int(trips));
        self.e.jump_if(more, true, head);
        self.e.close();
        Ok(())
    }

    /// An iteration of all points, given what they carry.
    fn iteration(
        &mut self,
        of: (&Nest<'f>, &[Column]),
        (body, number): (&'f Region, Operand),
        (points, values): (&mut [Point], &[Vec<Operand>]),
    ) -> Result<(), String> {
        for (point, values) in points.iter_mut().zip(values) {
            self.at_point(&mut point.known, |entry| {
                let carried = std::iter::once(number).chain(values.iter().copied());
                body.params.iter().zip(carried).for_each(|(param, value)| entry.define(*param, value));
            });
        }
        self.together(of, &body.stmts, points)
    }
}
