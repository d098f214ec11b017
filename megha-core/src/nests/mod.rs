//! Loop nests and their normal form.
//!
//! A nest is a counted loop whose body computes scalars and touches single elements of arrays (`contents`), from MATLAB or
//! Rust. Before loops become kernels each maximal nest is brought to a normal form: loops are parted as far as
//! dependences allow (`distribute`, `fission`), then the loops of each perfect nest are ordered so that those which can run in
//! parallel come first (`permute`, `triangular`). Before that, inner loops that go through every so many numbers from a start that the loop around them
//! decides go through all of them under a condition, so that the two can change places (`strides`), and what a loop reads of an array as it was before is read from there (`renaming`). A loop that one iteration keeps in order is split there (`points`, `split`), and the parts are
//! brought to the same form. Of a nest that is not perfect each statement may have its own loop as the outermost (`imperfect`, `ranges`, `unite`), with scalars
//! that gather for an element in the element (`in_place`). So the many ways to write a nest become one, and what follows needs few recipes
//! (L. Trümper et al., "A Priori Loop Nest Normalization: Automatic Loop Scheduling in Complex Applications", 2023); composition
//! fuses again what shares data. What gathers from all iterations before it does so for blocks of iterations (`blocks`). What is then still in order may have several rows at a time, and strips of them on several threads (`skew`).
//!
//! None of these steps changes the order of the operations on any one element but for those of which any order gives the same (`updates`), so
//! results keep their bits. Tests of bounds that can
//! be made before the nest are made there.

mod blocks;
pub(crate) mod checks;
pub(crate) mod contents;
pub(crate) mod copy;
pub(crate) mod dependence;
mod dimensions;
mod distribute;
mod emit;
mod fission;
pub(crate) mod handed;
pub(crate) mod held;
pub(crate) mod hoist;
mod imperfect;
mod in_place;
pub(crate) mod jam;
mod permute;
mod points;
mod ranges;
mod renaming;
mod scalar_code;
pub(crate) mod settled;
pub(crate) mod skew;
mod split;
mod strides;
mod tree;
mod triangular;
mod unite;
mod updates;

use crate::affine::AccessKind;
use crate::hash::HashMap;
use crate::ir::{Func, Loc, Op, Region, Size, Stmt, Sub, Sym, Terminator, Value};
use crate::kernels::accesses::Definitions;
use checks::Plan;
use contents::Contents;
use dependence::carried;
use emit::Emit;
use imperfect::Turned;
use points::Point;
use ranges::Turning;
use split::Split;
use tree::{Frame, Loop};

/// A loop that was copied.
#[derive(Default)]
pub struct Copied {
    /// The new value of each old one, counters of loops among them.
    pub values: HashMap<Value, Value>,
    /// What the symbols of old values have become.
    pub symbols: HashMap<Sym, Size>,
    /// Counters of loops around it that the program does not have.
    pub made: Vec<Value>,
}

/// A loop that runs in order, several of its iterations together (unroll-and-jam).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jammed {
    /// Where it stands.
    pub loc: Loc,
    /// How many go together.
    pub rows: i64,
    /// By how many iterations of the loop in it each is behind the one before.
    pub behind: i64,
    /// Whether the loop in it is cut into strips that run on several threads.
    pub in_strips: bool,
}

/// Puts in the place of each loop of a function that stands in no kernel what `new` makes of it, if it makes something; else the loops in it are asked.
fn replace_loops(func: &mut Func, mut new: impl FnMut(&mut Func, &Definitions, &Stmt) -> Option<Vec<Stmt>>) {
    fn walk(region: &mut Region, new: &mut dyn FnMut(&Stmt) -> Option<Vec<Stmt>>) {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            if let Some(new) = new(&stmt) {
                stmts.extend(new);
                continue;
            }
            if !matches!(stmt.op, Op::Kernel(_)) {
                stmt.op.regions_mut().into_iter().for_each(|nested| walk(nested, new));
            }
            stmts.push(stmt);
        }
        region.stmts = stmts;
    }
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    walk(&mut body, &mut |stmt| new(func, &defs, stmt));
    func.body = body;
}

/// Whether a loop, which hands on nothing but arrays, computes scalars and touches single elements.
pub(crate) fn is_nest(func: &Func, stmt: &Stmt) -> bool {
    contents::contents(func, stmt).is_ok()
}

/// Brings the nests of a function to their normal form; gives the copies of loops, in order.
pub fn run(func: &mut Func) -> Vec<Copied> {
    let mut copies = strides::run(func);
    renaming::run(func);
    if let Some((new, mut turned)) = turned_in_place(func) {
        *func = new;
        copies.append(&mut turned);
    } else if pass(func, true, &mut copies).has_split {
        pass(func, false, &mut copies);
    }
    copies.append(&mut blocks::run(func));
    copies
}

/// The function with the scalars that gather in their elements in those imperfect nests which can be turned only then, if there are any.
fn turned_in_place(func: &Func) -> Option<(Func, Vec<Copied>)> {
    let mut nests = in_place::nests(func);
    if nests.is_empty() {
        return None;
    }
    let turned = |mut func: Func| pass(&mut func, true, &mut Vec::new()).turned;
    let before = turned(func.clone());
    nests.retain(|nest| turned(in_place::run(func, nest)) > before);
    if nests.is_empty() {
        return None;
    }
    let mut new = in_place::run(func, &nests.concat());
    let mut copies = Vec::new();
    if pass(&mut new, true, &mut copies).has_split {
        pass(&mut new, false, &mut copies);
    }
    Some((new, copies))
}

/// What a pass has done beside parting and ordering loops.
struct Done {
    has_split: bool,
    /// How many nests were turned.
    turned: usize,
}

/// One pass over the nests, which may split loops; the middle part of a split loop is not split again.
fn pass(func: &mut Func, may_split: bool, copies: &mut Vec<Copied>) -> Done {
    let defs = Definitions::of(func);
    let nothing = Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Unreachable };
    let mut body = std::mem::replace(&mut func.body, nothing);
    let done = Done { has_split: false, turned: 0 };
    let mut pass = Pass { func, defs, copies, may_split, done };
    pass.region(&mut body);
    let done = pass.done;
    func.body = body;
    done
}

struct Pass<'f> {
    func: &'f mut Func,
    defs: Definitions,
    copies: &'f mut Vec<Copied>,
    may_split: bool,
    done: Done,
}

/// A loop that stays as it is.
enum Kept {
    /// It is in its normal form, and parallel: there is nothing to be won inside of it.
    Parallel,
    Other,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            match self.normalise(&stmt) {
                Ok(new) => stmts.extend(new),
                Err(kept) => {
                    let may_split = self.may_split;
                    self.may_split &= matches!(kept, Kept::Other);
                    if !matches!(stmt.op, Op::Kernel(_)) {
                        stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested));
                    }
                    self.may_split = may_split;
                    stmts.push(stmt);
                }
            }
        }
        region.stmts = stmts;
    }

    /// The statements that take the place of a nest, unless it is none, or in its normal form already.
    fn normalise(&mut self, stmt: &Stmt) -> Result<Vec<Stmt>, Kept> {
        let Op::For { init, body, .. } = &stmt.op else { return Err(Kept::Other) };
        if !has_loops(body) && is_simple(body) {
            return Err(Kept::Other);
        }
        let contents = contents::contents(self.func, stmt).map_err(|_| Kept::Other)?;
        if !stores_all(&contents, init.len()) {
            return Err(Kept::Other);
        }
        let scope = self.defs.scope_of(body.params[0]).ok_or(Kept::Other)?;
        let plan = checks::plan(self.func, &self.defs, scope, &contents);
        let tested = without_checks(stmt, &plan);
        let frame = Frame::new(self.func, &self.defs, scope, &contents);
        let parts = parted(&frame, frame.tree(&tested).ok_or(Kept::Other)?);
        let is_parted = parts.len() > 1 || parts.iter().any(has_copies);
        let mut is_moved = false;
        // In an iteration of a parallel loop, where none of them may be split, there are processors for no more loops.
        let may_turn = self.may_split;
        let mut ordered = |part: Loop| {
            if may_turn && let Some(placed) = triangular::run(&frame, &part) {
                return (part, vec![Turned { path: Vec::new(), placed }]);
            }
            let part = permute::run(&frame, part, &[], &mut is_moved);
            let turned = if may_turn { imperfect::run(&frame, &part, &[]) } else { Vec::new() };
            (part, turned)
        };
        let (parts, turned): (Vec<Loop>, Vec<Vec<Turned>>) = parts.into_iter().map(&mut ordered).unzip();
        let is_turned = turned.iter().any(|turned| !turned.is_empty());
        let points = if self.may_split && !is_turned { points::points(&frame, &parts) } else { Vec::new() };
        let is_split = points.iter().any(Option::is_some);
        if !is_parted && !is_moved && !is_split && !is_turned {
            let whole = [parts[0].counted()];
            let is_parallel = self.may_split
                && has_loops(body)
                && carried(&frame, &frame.sites(&parts[0].body, &whole), 1) == [false];
            return Err(if is_parallel { Kept::Parallel } else { Kept::Other });
        }
        let parts = if is_turned { self.turned(parts, turned) } else { parts };
        let parts = if is_split { self.split(parts, points) } else { parts };
        Ok(emitted(self.func, stmt, (&contents, &plan), &parts, self.copies))
    }

    /// The loops, those that are turned as these say.
    fn turned(&mut self, mut loops: Vec<Loop>, turned: Vec<Vec<Turned>>) -> Vec<Loop> {
        self.done.turned += turned.iter().flatten().count();
        let mut turning = Turning { func: self.func, defs: &self.defs, copies: Vec::new() };
        for (whole, turned) in loops.iter_mut().zip(turned) {
            for Turned { path, placed } in turned {
                if let Some(inner) = whole.inside(&path) {
                    *inner = turning.nest(inner, placed);
                }
            }
        }
        self.copies.append(&mut turning.copies);
        loops
    }

    fn split(&mut self, loops: Vec<Loop>, points: Vec<Option<Point>>) -> Vec<Loop> {
        self.done.has_split = true;
        let mut points = points.into_iter();
        let mut split = Split { func: self.func, defs: &self.defs, copies: Vec::new() };
        let parts = loops.into_iter().flat_map(|whole| split.parts(whole, &mut points)).collect();
        self.copies.append(&mut split.copies);
        parts
    }
}

/// The loops that a nest is parted into. Loops that hand on scalars and store are parted too if that lets their halves go to different loops.
fn parted(frame: &Frame<'_>, whole: Loop) -> Vec<Loop> {
    let halves = fission::run(frame, &whole).map(|halves| distribute::run(frame, halves, &[]));
    halves.filter(|parts| parts.iter().all(fission::is_apart)).unwrap_or_else(|| distribute::run(frame, whole, &[]))
}

fn has_loops(region: &Region) -> bool {
    region.stmts.iter().any(|s| matches!(s.op, Op::For { .. }) || s.op.regions().into_iter().any(has_loops))
}

/// Whether a body stores once, and touches what it stores into under the same subscripts only: nothing can be parted.
fn is_simple(body: &Region) -> bool {
    let is_state = |array: &Value| body.params.contains(array) || body.stmts.iter().any(|s| s.results.contains(array));
    let mut touched: Vec<&Vec<Sub>> = Vec::new();
    let mut stores = 0;
    body.walk(&mut |stmt| match &stmt.op {
        Op::Store { subs, .. } => {
            stores += 1;
            touched.push(subs);
        }
        Op::Index { array, subs, .. } if is_state(array) => touched.push(subs),
        _ => {}
    });
    stores < 2 && touched.windows(2).all(|pair| pair[0] == pair[1])
}

fn has_copies(part: &Loop) -> bool {
    part.copied || part.body.iter().any(|node| matches!(node, tree::Node::Loop(inner) if has_copies(inner)))
}

/// Whether a nest stores into each of the arrays that it carries, of which there are so many.
fn stores_all(contents: &Contents, arrays: usize) -> bool {
    let is_stored = |array| contents.sites.iter().any(|s| s.array == array && s.kind == AccessKind::Write);
    (0..arrays).all(is_stored)
}

/// The statements that take the place of a nest: what is tested before it, and these loops.
fn emitted(
    func: &mut Func,
    stmt: &Stmt,
    (contents, plan): (&Contents, &Plan),
    loops: &[Loop],
    copies: &mut Vec<Copied>,
) -> Vec<Stmt> {
    let Op::For { init, .. } = &stmt.op else { return vec![stmt.clone()] };
    let mut out = checks::hoisted(func, &plan.hoisted);
    let mut emit = Emit { func, contents, current: init.clone(), sizes: Vec::new(), copies: Vec::new() };
    loops.iter().for_each(|part| emit.nest(part, &mut out));
    copies.append(&mut emit.copies);
    let renamed: Vec<(Value, Value)> = emit.current.into_iter().zip(stmt.results.iter().copied()).collect();
    out.iter_mut().for_each(|stmt| rename(stmt, &renamed));
    out
}

/// A nest in which the accesses are marked as tested that the plan proves or tests before it.
fn without_checks(stmt: &Stmt, plan: &Plan) -> Stmt {
    let mut tested = stmt.clone();
    mark_tested(&mut tested, plan);
    tested
}

fn mark_tested(stmt: &mut Stmt, plan: &Plan) {
    let in_place = stmt.results.first().is_some_and(|key| plan.in_place.contains_key(key));
    if let Op::Index { checked, .. } | Op::Store { checked, .. } = &mut stmt.op {
        *checked = *checked && in_place;
    }
    for region in stmt.op.regions_mut() {
        region.stmts.iter_mut().for_each(|s| mark_tested(s, plan));
    }
}

/// Gives states of arrays the names by which what follows knows them.
fn rename(stmt: &mut Stmt, renamed: &[(Value, Value)]) {
    let of = |value: &mut Value| {
        if let Some((_, known)) = renamed.iter().find(|(state, _)| state == value) {
            *value = *known;
        }
    };
    stmt.results.iter_mut().for_each(of);
    stmt.op.for_each_operand_mut(&mut |v| of(v));
    for region in stmt.op.regions_mut() {
        region.stmts.iter_mut().for_each(|s| rename(s, renamed));
        region.term.values_mut().iter_mut().for_each(of);
    }
}
