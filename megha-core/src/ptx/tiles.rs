//! Tiles of points that share what a loop of the body reads ([`crate::schedule::tiles`]).
//!
//! ```text
//! for each tile of points of the block
//!   what stands before the loop, at each point of the thread
//!   for each whole tile of the loop's iterations
//!     what was loaded into shared memory; barrier; loads of the next tile begin
//!     for each iteration: what points share into registers, the body at each point of the thread
//!     barrier
//!   the rest of the iterations likewise
//!   what stands behind the loop, at each point of the thread
//! ```
//! Threads of a block take points that lie as far apart as it has threads, so neighbouring threads have neighbouring points; in copying they take
//! neighbours in memory. What lies behind the last point or iteration is replaced by the last one, which the kernel reads anyway, and is thrown away; so
//! only points that are there load and store outside of the loop. All branches around barriers depend on sizes and numbers of blocks only.

use super::class::{memory, register};
use super::entry::{Entry, Known};
use super::grid::Stride;
use super::inst::{Arith, Axis, Compare, Inst, Operand, Reg, SharedArray, Space, Special, Ty};
use super::scalar::float;
use super::scheduled::Tiled;
use crate::hash::HashMap;
use crate::ir::{Mem, Op, Region, Stmt, Terminator, Value};
use crate::schedule::tiles::{Shared, Side, Tiles};
use megha_base::plan::{Bound, Grid};

/// The loop of the body and what is around it.
struct Nest<'f> {
    tiled: Tiled,
    /// The loop.
    stmt: &'f Stmt,
    body: &'f Region,
    init: &'f [Value],
    /// What differs between points, before the loop and behind it.
    before: Vec<&'f Stmt>,
    after: Vec<&'f Stmt>,
    /// The number of its iterations, not negative, in 32 bits.
    trip: Operand,
    /// The thread's place along both loops of the tile, and its number.
    place: [Operand; 2],
    thread: Operand,
    /// Whether there are any.
    some: Operand,
    stages: Vec<Staged<'f>>,
    /// The elements that the loop updates.
    kept: Vec<(usize, &'f [Value])>,
}

/// What points share, in shared memory: a row for each iteration.
struct Staged<'f> {
    shared: Shared<'f>,
    subs: &'f [Value],
    ty: Ty,
    array: SharedArray,
    /// Bytes from one row to the next.
    row: i64,
    /// The thread's first element of the rows.
    first: Reg,
}

/// What a thread copies of a tile.
struct Copies {
    /// Where each element comes from, with what the instruction adds.
    from: Vec<(Reg, i64)>,
    /// Bytes to the same element of the next tile.
    step: Operand,
    /// What it is, on its way.
    value: Vec<Reg>,
    /// Where the first one goes, and how many bytes behind it each goes.
    to: Reg,
    apart: i64,
}

/// A point of a thread.
struct Point {
    known: Known,
    /// Which one along both loops of the tile.
    at: [usize; 2],
    /// Whether the kernel has it.
    inside: Operand,
    /// What the loop carries, and behind that the elements that it updates.
    carried: Vec<(Reg, Ty)>,
}

/// Where the points of a thread lie along a loop: the number of each, and whether it is there.
type Line = Vec<(Operand, Operand)>;

fn side(of: Side) -> usize {
    match of {
        Side::Across => 0,
        Side::Down => 1,
    }
}

impl<'f> Entry<'_, 'f> {
    /// A kernel in tiles of points.
    ///
    /// # Errors
    /// An operation without PTX.
    pub fn points_in_tiles(&mut self, tiled: &Tiled) -> Result<Grid, String> {
        let nest = self.nest_of_tiles(tiled)?;
        let [across, down] = tiled.sides;
        let [(xs, wide), (ys, high)] = [(Axis::X, across, 0), (Axis::Y, down, 1)].map(|(axis, number, side)| {
            let width = Operand::Int(tiled.tile[side].into());
            (self.by_blocks(axis, width), self.count(&[number]))
        });
        let layer = |entry: &mut Self| {
            entry.walk(&ys, high, &mut |entry, y| entry.walk(&xs, wide, &mut |entry, x| entry.tile(&nest, [x, y])))
        };
        if tiled.others.is_empty() {
            layer(self)?;
        } else {
            let (layers, count) = (self.by_blocks(Axis::Z, Operand::Int(1)), self.count(&tiled.others));
            self.walk(&layers, count, &mut |entry, number| {
                entry.take_apart(number, &tiled.others)?;
                layer(entry)
            })?;
        }
        let (tile, threads, others) = (tiled.tile, tiled.threads(), tiled.others.clone());
        Ok(Grid::Tiles { across, down, others, tile, threads })
    }

    /// Takes the body apart, and computes what is the same everywhere.
    fn nest_of_tiles(&mut self, tiled: &Tiled) -> Result<Nest<'f>, String> {
        let source = self.source;
        let tiles = Tiles::of(&source.subject, self.memory, tiled.sides).ok_or("points that share nothing")?;
        let Op::For { trip, init, body } = &tiles.stmt.op else { return Err("no loop in the body".into()) };
        let stmts = &source.subject.kernel.body.stmts;
        let at = stmts.iter().position(|stmt| std::ptr::eq(stmt, tiles.stmt)).unwrap_or(0);
        let is_same = |stmt: &&Stmt| {
            !stmt.results.is_empty() && stmt.results.iter().all(|value| source.subject.maps.is_uniform(*value))
        };
        let (same, before): (Vec<&Stmt>, Vec<&Stmt>) = stmts[..at].iter().partition(is_same);
        for stmt in same {
            self.stmt(stmt, &mut Vec::new())?;
        }
        let trip = self.value(*trip)?;
        let trip = self.e.arith(Arith::Max, Ty::S64, &[trip, Operand::Int(0)]);
        let trip = self.e.convert(Ty::U32, Ty::U64, trip);
        let some = self.e.compare(Compare::Gt, Ty::U32, trip, Operand::Int(0));
        let place = [Axis::X, Axis::Y].map(|axis| self.special(Special::Tid(axis)));
        let wide = Operand::Int(tiled.threads()[0].into());
        let thread = self.e.arith(Arith::Mul, Ty::U32, &[place[1], wide]);
        let thread = self.e.arith(Arith::Add, Ty::U32, &[thread, place[0]]);
        let mut stages = Vec::new();
        for shared in tiles.shared {
            let pad = tiled.staged.iter().find(|(mem, _)| *mem == shared.mem).map(|(_, pad)| *pad);
            if let Some(pad) = pad {
                stages.push(self.staged(tiled, shared, (pad, place))?);
            }
        }
        let after = stmts[at + 1..].iter().collect();
        let (tiled, stmt, kept) = (tiled.clone(), tiles.stmt, tiles.kept);
        Ok(Nest { tiled, stmt, body, init, before, after, trip, some, place, thread, stages, kept })
    }

    /// Room in shared memory.
    fn staged(
        &mut self,
        tiled: &Tiled,
        shared: Shared<'f>,
        (pad, place): (u32, [Operand; 2]),
    ) -> Result<Staged<'f>, String> {
        let Some(Op::Load(_, subs)) = shared.loads.first() else { return Err("nothing that is staged".into()) };
        let ty = memory(self.source.arrays[self.number_of(shared.mem)?].element);
        let row = i64::from(tiled.tile[side(shared.side)] + pad) * ty.bytes() as i64;
        let array = self.e.shared((row * i64::from(tiled.depth)).unsigned_abs());
        let first = self.shared_at(array, ty, place[side(shared.side)]);
        Ok(Staged { shared, subs, ty, array, row, first })
    }

    /// A tile of points whose first ones have these numbers in the part.
    fn tile(&mut self, nest: &Nest<'f>, origin: [Operand; 2]) -> Result<(), String> {
        let lines = [0, 1].map(|side| self.line_of_points(nest, origin[side], side));
        let mut points = self.points_of_thread(nest, &lines)?;
        let depth = Operand::Int(nest.tiled.depth.into());
        let whole = self.e.arith(Arith::Div, Ty::U32, &[nest.trip, depth]);
        let whole = self.e.arith(Arith::Mul, Ty::U32, &[whole, depth]);
        let copies = self.copies(nest, origin)?;
        let any = self.e.compare(Compare::Gt, Ty::U32, whole, Operand::Int(0));
        self.when(any, &mut |entry| {
            copies.iter().zip(&nest.stages).for_each(|(copy, stage)| entry.fetch(copy, stage));
            Ok(())
        })?;
        self.walk(&Stride { start: Operand::Int(0), step: depth }, whole, &mut |entry, start| {
            entry.keep(nest, &copies);
            entry.e.push(Inst::Barrier);
            let next = entry.e.arith(Arith::Add, Ty::U32, &[start, depth]);
            let more = entry.e.compare(Compare::Lt, Ty::U32, next, whole);
            entry.when(more, &mut |entry| {
                copies.iter().zip(&nest.stages).for_each(|(copy, stage)| entry.fetch_next(copy, stage));
                Ok(())
            })?;
            let steps = Stride { start: Operand::Int(0), step: Operand::Int(nest.tiled.unroll.into()) };
            entry
                .walk(&steps, depth, &mut |entry, at| entry.steps(nest, &mut points, (start, at), nest.tiled.unroll))?;
            entry.e.push(Inst::Barrier);
            Ok(())
        })?;
        let rest = self.e.arith(Arith::Sub, Ty::U32, &[nest.trip, whole]);
        let any = self.e.compare(Compare::Gt, Ty::U32, rest, Operand::Int(0));
        self.when(any, &mut |entry| {
            entry.fetch_rest(nest, &copies, (origin, whole))?;
            entry.keep(nest, &copies);
            entry.e.push(Inst::Barrier);
            let steps = Stride { start: Operand::Int(0), step: Operand::Int(1) };
            entry.walk(&steps, rest, &mut |entry, at| entry.steps(nest, &mut points, (whole, at), 1))?;
            entry.e.push(Inst::Barrier);
            Ok(())
        })?;
        points.iter_mut().try_for_each(|point| self.behind(nest, point))
    }

    /// The number of a point of the part along a loop of the tile, or of the last one.
    pub fn number_along(&mut self, axis: usize, at: Operand) -> Operand {
        let (count, first) = (self.count(&[axis]), self.bound(Bound::First(axis)));
        let last = self.e.arith(Arith::Sub, Ty::U32, &[count, Operand::Int(1)]);
        let at = self.e.arith(Arith::Min, Ty::U32, &[at, last]);
        self.e.arith(Arith::Add, Ty::U32, &[at, first])
    }

    /// The points of a thread along a loop of the tile.
    fn line_of_points(&mut self, nest: &Nest<'f>, origin: Operand, side: usize) -> Line {
        let (axis, threads) = (nest.tiled.sides[side], nest.tiled.threads()[side]);
        let own = self.e.arith(Arith::Add, Ty::U32, &[origin, nest.place[side]]);
        let count = self.count(&[axis]);
        let point = |k: u32| {
            let at = self.e.arith(Arith::Add, Ty::U32, &[own, Operand::Int((k * threads).into())]);
            let inside = self.e.compare(Compare::Lt, Ty::U32, at, count);
            (self.number_along(axis, at), inside)
        };
        (0..nest.tiled.each[side]).map(point).collect()
    }

    /// The points of a thread, where what stands before the loop is done.
    fn points_of_thread(&mut self, nest: &Nest<'f>, [xs, ys]: &[Line; 2]) -> Result<Vec<Point>, String> {
        let mut points = Vec::new();
        for (y, x) in (0..ys.len()).flat_map(|y| (0..xs.len()).map(move |x| (y, x))) {
            let mut numbers = self.numbers.clone();
            [(0, xs[x].0), (1, ys[y].0)].into_iter().for_each(|(side, at)| numbers[nest.tiled.sides[side]] = at);
            let inside = self.e.and(xs[x].1, ys[y].1);
            let mut known = self.known_at(numbers);
            let carried = self.at_point(&mut known, |entry| entry.before(nest, inside))?;
            points.push(Point { known, at: [x, y], inside, carried });
        }
        Ok(points)
    }

    /// What stands before the loop: what it carries then.
    fn before(&mut self, nest: &Nest<'f>, inside: Operand) -> Result<Vec<(Reg, Ty)>, String> {
        let results = nest.stmt.results.iter().map(|value| register(self.source.subject.func.ty(*value).class));
        let kept = nest.kept.iter().map(|(out, _)| Ok(memory(self.source.arrays[*out].element)));
        let types = results.chain(kept).collect::<Result<Vec<Ty>, String>>()?;
        let carried: Vec<(Reg, Ty)> = types.into_iter().map(|ty| (self.e.reg(ty.bank()), ty)).collect();
        if nest.before.is_empty() && nest.kept.is_empty() {
            let init = self.all(nest.init)?;
            self.carry(&carried, &init);
            return Ok(carried);
        }
        for (reg, ty) in &carried {
            self.e.assign(*ty, *reg, float(*ty, 0.0));
        }
        self.when(inside, &mut |entry| {
            nest.before.iter().try_for_each(|stmt| entry.stmt(stmt, &mut Vec::new()))?;
            let init = entry.all(nest.init)?;
            entry.carry(&carried[..init.len()], &init);
            entry.when(nest.some, &mut |entry| {
                for ((out, subs), to) in nest.kept.iter().zip(&carried[init.len()..]) {
                    let value = entry.load(Mem::Out(*out), subs)?;
                    entry.carry(&[*to], &[value]);
                }
                Ok(())
            })
        })?;
        Ok(carried)
    }

    /// What stands behind the loop.
    fn behind(&mut self, nest: &Nest<'f>, point: &mut Point) -> Result<(), String> {
        let Point { known, inside, carried, .. } = point;
        self.at_point(known, |entry| {
            nest.stmt.results.iter().zip(&*carried).for_each(|(value, (reg, _))| entry.define(*value, (*reg).into()));
            let kept = &carried[nest.stmt.results.len()..];
            entry.when(*inside, &mut |entry| {
                entry.when(nest.some, &mut |entry| {
                    let mut all = nest.kept.iter().zip(kept);
                    all.try_for_each(|((out, subs), (reg, _))| entry.put_operand(*out, subs, (*reg).into()))
                })?;
                nest.after.iter().try_for_each(|stmt| entry.stmt(stmt, &mut Vec::new()))
            })
        })
    }

    /// What a thread copies of the first tile of iterations.
    fn copies(&mut self, nest: &Nest<'f>, origin: [Operand; 2]) -> Result<Vec<Copies>, String> {
        let mut list = Vec::new();
        for stage in &nest.stages {
            let cells = self.cells_of(nest, stage);
            let from = self.sources(nest, stage, (origin, &cells.list))?;
            let moving = from.into_iter().map(|(address, more)| {
                let own = self.e.reg(Ty::S64.bank());
                self.e.assign(Ty::S64, own, address.into());
                (own, more)
            });
            let from: Vec<(Reg, i64)> = moving.collect();
            let moved = self.moved_by(stage.shared.mem, stage.subs, nest.body.params[0])?;
            let bytes = i64::from(nest.tiled.depth) * stage.ty.bytes() as i64;
            let step = match moved.as_constant() {
                Some(known) => Operand::Int(known * bytes),
                None => {
                    let moved = self.short_size(&moved)?;
                    self.e.mul_wide(Ty::S32, moved, Operand::Int(bytes))
                }
            };
            let value = from.iter().map(|_| self.e.reg(stage.ty.bank())).collect();
            list.push(Copies { from, step, value, to: cells.to, apart: cells.apart });
        }
        Ok(list)
    }

    /// The elements of a tile that a thread copies: neighbouring threads neighbours in memory.
    fn cells_of(&mut self, nest: &Nest<'f>, stage: &Staged<'f>) -> Cells {
        let (tile, depth) = (nest.tiled.tile[side(stage.shared.side)], nest.tiled.depth);
        let [wide, high] = nest.tiled.threads();
        let (near, far) = if stage.shared.turned { (depth, tile) } else { (tile, depth) };
        let (rows, shift) = (wide * high / near, Operand::Int(near.trailing_zeros().into()));
        let inner = self.e.arith(Arith::And, Ty::B32, &[nest.thread, Operand::Int((near - 1).into())]);
        let outer = self.e.arith(Arith::Shr, Ty::U32, &[nest.thread, shift]);
        let place = |inner, outer| if stage.shared.turned { [outer, inner] } else { [inner, outer] };
        let cell = |k: u32| place(inner, self.e.arith(Arith::Add, Ty::U32, &[outer, Operand::Int((k * rows).into())]));
        let list: Vec<[Operand; 2]> = (0..far / rows).map(cell).collect();
        let [point, iteration] = place(inner, outer);
        let before = self.e.arith(Arith::Mul, Ty::U32, &[iteration, Operand::Int(stage.row / stage.ty.bytes() as i64)]);
        let number = self.e.arith(Arith::Add, Ty::U32, &[before, point]);
        let apart = if stage.shared.turned { stage.ty.bytes() as i64 } else { stage.row } * i64::from(rows);
        Cells { list, to: self.shared_at(stage.array, stage.ty, number), apart }
    }

    /// Where elements come from: of these points of the tile at these iterations.
    fn sources(
        &mut self,
        nest: &Nest<'f>,
        stage: &Staged<'f>,
        (origin, cells): ([Operand; 2], &[[Operand; 2]]),
    ) -> Result<Vec<(Reg, i64)>, String> {
        let side = side(stage.shared.side);
        let mut list = Vec::new();
        for [point, iteration] in cells {
            let at = self.e.arith(Arith::Add, Ty::U32, &[origin[side], *point]);
            let mut numbers = self.numbers.clone();
            numbers[nest.tiled.sides[side]] = self.number_along(nest.tiled.sides[side], at);
            let iteration = self.e.convert(Ty::S64, Ty::U32, *iteration);
            let array = self.number_of(stage.shared.mem)?;
            let mut found = None;
            self.in_place_of(&numbers, &[(nest.body.params[0], iteration)], &mut |entry| {
                found = Some(entry.address(array, stage.subs)?);
                Ok(())
            })?;
            list.extend(found);
        }
        Ok(list)
    }

    /// Begins to load what a thread copies.
    fn fetch(&mut self, copy: &Copies, stage: &Staged<'f>) {
        for ((base, offset), dst) in copy.from.iter().zip(&copy.value) {
            self.e.push(Inst::Load { space: Space::Constant, ty: stage.ty, dst: *dst, base: *base, offset: *offset });
        }
    }

    /// The same of the next tile.
    fn fetch_next(&mut self, copy: &Copies, stage: &Staged<'f>) {
        for (base, _) in &copy.from {
            self.e.advance(*base, copy.step);
        }
        self.fetch(copy, stage);
    }

    /// The same of the last tile, which is not whole.
    fn fetch_rest(
        &mut self,
        nest: &Nest<'f>,
        copies: &[Copies],
        (origin, start): ([Operand; 2], Operand),
    ) -> Result<(), String> {
        let last = self.e.arith(Arith::Sub, Ty::U32, &[nest.trip, Operand::Int(1)]);
        for (copy, stage) in copies.iter().zip(&nest.stages) {
            let mut cells = self.cells_of(nest, stage).list;
            for [_, iteration] in &mut cells {
                let at = self.e.arith(Arith::Add, Ty::U32, &[start, *iteration]);
                *iteration = self.e.arith(Arith::Min, Ty::U32, &[at, last]);
            }
            let from = self.sources(nest, stage, (origin, &cells))?;
            for ((base, offset), dst) in from.into_iter().zip(&copy.value) {
                self.e.push(Inst::Load { space: Space::Constant, ty: stage.ty, dst: *dst, base, offset });
            }
        }
        Ok(())
    }

    /// What was loaded, into shared memory.
    fn keep(&mut self, nest: &Nest<'f>, copies: &[Copies]) {
        for (copy, stage) in copies.iter().zip(&nest.stages) {
            for (k, value) in copy.value.iter().enumerate() {
                self.store_shared(stage.ty, copy.to, k as i64 * copy.apart, (*value).into());
            }
        }
    }

    /// Some iterations of the loop at all points of the thread, of which these are the number of the tile's first one and that in the tile.
    fn steps(
        &mut self,
        nest: &Nest<'f>,
        points: &mut [Point],
        (start, at): (Operand, Operand),
        count: u32,
    ) -> Result<(), String> {
        let rows: Vec<Reg> = nest.stages.iter().map(|stage| self.row_of(stage, at)).collect();
        let mut carried: Vec<Vec<Operand>> =
            points.iter().map(|point| point.carried.iter().map(|(reg, _)| (*reg).into()).collect()).collect();
        for step in 0..count {
            let number = self.e.arith(Arith::Add, Ty::U32, &[start, at]);
            let number = self.e.arith(Arith::Add, Ty::U32, &[number, Operand::Int(step.into())]);
            let number = self.e.convert(Ty::S64, Ty::U32, number);
            let mut held = self.held(nest, &rows, step);
            for (point, carried) in points.iter_mut().zip(&mut carried) {
                let at = point.at;
                *carried = self.at_point(&mut point.known, |entry| {
                    entry.define(nest.body.params[0], number);
                    nest.body.params[1..]
                        .iter()
                        .zip(carried.iter())
                        .for_each(|(value, now)| entry.define(*value, *now));
                    let kept = carried[nest.stmt.results.len()..].to_vec();
                    entry.step(nest, &mut held, (at, kept))
                })?;
            }
        }
        for (point, values) in points.iter().zip(&carried) {
            self.carry(&point.carried, values);
        }
        Ok(())
    }

    /// The thread's part of a row in shared memory.
    fn row_of(&mut self, stage: &Staged<'f>, at: Operand) -> Reg {
        let away = self.e.arith(Arith::Mul, Ty::U32, &[at, Operand::Int(stage.row)]);
        let address = self.e.arith(Arith::Add, Ty::U32, &[stage.first.into(), away]);
        self.e.in_reg(Ty::U32, address)
    }

    /// What points share in an iteration, in registers.
    fn held(&mut self, nest: &Nest<'f>, rows: &[Reg], step: u32) -> Held {
        let mut held = Held::default();
        for (stage, row) in nest.stages.iter().zip(rows) {
            let side = side(stage.shared.side);
            let apart = i64::from(nest.tiled.threads()[side]) * stage.ty.bytes() as i64;
            for k in 0..nest.tiled.each[side] as usize {
                let offset = i64::from(step) * stage.row + k as i64 * apart;
                let value = self.load_shared(stage.ty, *row, offset);
                for load in &stage.shared.loads {
                    let mut at = [None, None];
                    at[side] = Some(k);
                    held.insert((std::ptr::from_ref::<Op>(load), at), value);
                }
            }
        }
        held
    }

    /// An iteration of the loop at a point: what it carries then.
    fn step(
        &mut self,
        nest: &Nest<'f>,
        held: &mut Held,
        (at, mut kept): ([usize; 2], Vec<Operand>),
    ) -> Result<Vec<Operand>, String> {
        let place = |out: usize| nest.kept.iter().position(|(own, _)| *own == out).ok_or("an element that is not kept");
        for stmt in &nest.body.stmts {
            let (mem, subs) = match &stmt.op {
                Op::Load(Mem::Out(out), _) => {
                    self.define(stmt.results[0], kept[place(*out)?]);
                    continue;
                }
                Op::Put(out, _, value) => {
                    kept[place(*out)?] = self.value(*value)?;
                    continue;
                }
                Op::Load(mem, subs) => (mem, subs),
                _ => {
                    self.stmt(stmt, &mut Vec::new())?;
                    continue;
                }
            };
            let key = (std::ptr::from_ref(&stmt.op), self.moves_at(&stmt.op, (nest.tiled.sides, at)));
            let value = match held.get(&key) {
                Some(value) => *value,
                None => {
                    let value = self.load(*mem, subs)?;
                    held.insert(key, value);
                    value
                }
            };
            self.define(stmt.results[0], value);
        }
        let Terminator::Yield(values) = &nest.body.term else { return Err("a loop that is left".into()) };
        let mut carried = self.all(values)?;
        carried.extend(kept);
        Ok(carried)
    }

    /// The place of a point along the loops of the tile that a load moves with.
    fn moves_at(&self, load: &Op, (sides, at): ([usize; 2], [usize; 2])) -> [Option<usize>; 2] {
        let access = self.source.subject.accesses.iter().find(|access| std::ptr::eq(access.op, load));
        let map = access.and_then(|access| access.map.as_ref());
        let moves = |axis: usize| map.is_none_or(|map| map.iter().any(|affine| affine.coeffs[axis] != 0));
        [0, 1].map(|side| moves(sides[side]).then_some(at[side]))
    }
}

/// What a thread copies.
struct Cells {
    /// The point of the tile and the iteration of each element.
    list: Vec<[Operand; 2]>,
    /// Where the first one goes, and how many bytes behind it each goes.
    to: Reg,
    apart: i64,
}

/// What loads give in an iteration, by the place of points along those loops of the tile that they move with.
type Held = HashMap<(*const Op, [Option<usize>; 2]), Operand>;
