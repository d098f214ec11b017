//! Index arrays that are put together from ranges: `x([k+1:n, 1:k])`, elements at one distance around a ring.
//!
//! ```text
//! y = y + f(x([k+1:n, 1:k]))     becomes     y(1:n-k) = y(1:n-k) + f(x(k+1:n));  y(n-k+1:n) = y(n-k+1:n) + f(x(1:k))
//! ```
//!
//! Read through the array, each element would cost a load of its subscript, a conversion and a test, and no vector could be read in one piece. Of each range the
//! subscripts are affine, so index array elimination ([`super::index_arrays`]; MEGHA 3.2.1.4) does the rest. Statements on arrays that use such
//! elements are computed range by range, up to those whose results are used by others: these store each piece into the array that they update.
//! Elements are computed by the same operations, so results keep their bits.

use super::index_arrays::{Whole, ranges};
use crate::hash::{HashMap, HashSet};
use crate::ir::{Class, Const, Func, Kind, Loc, Op, Region, Size, Stmt, Sub, Type, Value};

/// Ranges at most: statements are written out for each.
const MOST: usize = 4;

/// Rewrites such statements of a function.
pub fn run(func: &mut Func) {
    let joined = joined(func);
    if joined.is_empty() {
        return;
    }
    let mut body = std::mem::take(&mut func.body);
    region(func, &joined, &mut body);
    func.body = body;
}

/// A range that a subscript is put together from.
#[derive(Debug, Clone)]
struct Part {
    array: Value,
    elements: Whole,
    len: Size,
}

/// Two ranges of the same elements are the same, whoever made them.
impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        (&self.elements, &self.len) == (&other.elements, &other.len)
    }
}

/// The ranges that vectors are put together from.
fn joined(func: &Func) -> HashMap<Value, Vec<Part>> {
    let mut joined: HashMap<Value, Vec<Part>> = HashMap::default();
    let has_concat = func.body.any(|op| matches!(op, Op::Concat(_, parts) if parts.len() > 1));
    let known = if has_concat { ranges(func) } else { HashMap::default() };
    func.body.walk(&mut |stmt| {
        let [result] = stmt.results[..] else { return };
        let parts = match &stmt.op {
            Op::Concat(_, parts) => {
                let part = |array: &Value| {
                    let elements = known.get(array)?.clone();
                    Some(Part { array: *array, elements, len: func.ty(*array).numel() })
                };
                parts.iter().map(part).collect()
            }
            Op::Reshape(from) | Op::Transpose(from) => joined.get(from).cloned(),
            _ => None,
        };
        joined.extend(
            parts
                .filter(|parts| (2..=MOST).contains(&parts.len()) && long(func.ty(result)).is_some())
                .map(|parts| (result, parts)),
        );
    });
    joined
}

/// The only dimension of a vector that is not one.
fn long(ty: &Type) -> Option<usize> {
    let mut long = (0..ty.dims.len()).filter(|at| !ty.dims[*at].is_one());
    long.next().filter(|_| long.next().is_none())
}

fn region(func: &mut Func, joined: &HashMap<Value, Vec<Part>>, of: &mut Region) {
    for stmt in &mut of.stmts {
        stmt.op.regions_mut().into_iter().for_each(|inner| region(func, joined, inner));
    }
    while let Some(group) = Group::first(func, joined, of) {
        group.replace(func, of);
    }
}

/// The parts of the subscript vector with which a statement reads a vector.
fn gathered<'j>(func: &Func, joined: &'j HashMap<Value, Vec<Part>>, op: &Op) -> Option<&'j Vec<Part>> {
    let Op::Index { array, subs, .. } = op else { return None };
    let [Sub::Vector(vector)] = subs[..] else { return None };
    joined.get(&vector).filter(|_| func.ty(*array).is_vector())
}

/// Statements that are computed piece by piece.
struct Group {
    /// Where they stand, in order.
    members: Vec<usize>,
    /// The ranges.
    parts: Vec<Part>,
    /// The results that others use, and the arrays that they update.
    results: Vec<(Value, Value)>,
    /// The sizes of all results, and which of them is long.
    dims: Vec<Size>,
    long: usize,
}

impl Group {
    /// The first group of a region that can be computed so.
    fn first(func: &Func, joined: &HashMap<Value, Vec<Part>>, region: &Region) -> Option<Self> {
        (0..region.stmts.len()).find_map(|at| Self::from(func, joined, region, at))
    }

    /// Of the gather at this place and what uses its elements.
    fn from(func: &Func, joined: &HashMap<Value, Vec<Part>>, region: &Region, at: usize) -> Option<Self> {
        let parts = gathered(func, joined, &region.stmts[at].op)?;
        let dims = func.ty(region.stmts[at].results[0]).dims.clone();
        let long = long(func.ty(region.stmts[at].results[0]))?;
        let mut group = Self { members: Vec::new(), parts: parts.clone(), results: Vec::new(), dims, long };
        let mut inside: HashSet<Value> = HashSet::default();
        for (place, stmt) in region.stmts.iter().enumerate().skip(at) {
            let mut used = HashSet::default();
            note_uses(stmt, &mut used);
            let uses = used.iter().any(|value| inside.contains(value));
            // Of what the group computes there is a piece at a time, of which other elements cannot be read.
            let joins = || {
                let same = gathered(func, joined, &stmt.op) == Some(parts);
                same && !uses && func.ty(stmt.results[0]).dims == group.dims
            };
            if joins() || group.continues(func, stmt, &inside) {
                group.members.push(place);
                inside.extend(&stmt.results);
            } else if uses {
                break;
            }
        }
        let between = &region.stmts[at..=*group.members.last()?];
        let may_move =
            |(place, stmt): (usize, &Stmt)| group.members.contains(&(at + place)) || may_precede(func, stmt, &inside);
        if !between.iter().enumerate().all(may_move) {
            return None;
        }
        group.results = group.used_results(func, region, &inside)?;
        (!group.results.is_empty()).then_some(group)
    }

    /// Whether a statement computes an array of these sizes element by element, from others in the group.
    fn continues(&self, func: &Func, stmt: &Stmt, inside: &HashSet<Value>) -> bool {
        let [result] = stmt.results[..] else { return false };
        let (mut uses, mut fits) = (false, stmt.op.kind() == Kind::Elementwise && func.ty(result).dims == self.dims);
        stmt.op.for_each_operand(&mut |value| {
            uses |= inside.contains(&value);
            fits &= func.ty(value).is_scalar() || func.ty(value).dims == self.dims;
        });
        uses && fits
    }

    /// The results that others use, each with an array that its statement takes beside those of the group and that is of its type.
    fn used_results(&self, func: &Func, region: &Region, inside: &HashSet<Value>) -> Option<Vec<(Value, Value)>> {
        let mut used: HashSet<Value> = region.term.values().iter().copied().collect();
        let others = region.stmts.iter().enumerate().filter(|(place, _)| !self.members.contains(place));
        others.for_each(|(_, stmt)| note_uses(stmt, &mut used));
        let members = self.members.iter().map(|at| &region.stmts[*at]);
        let found: Option<Vec<(Value, Value)>> = members
            .filter(|stmt| used.contains(&stmt.results[0]))
            .map(|stmt| {
                let mut updated = None;
                stmt.op.for_each_operand(&mut |value| {
                    let is_like = !inside.contains(&value) && func.ty(value) == func.ty(stmt.results[0]);
                    updated = updated.or(Some(value).filter(|_| is_like && stmt.op.kind() == Kind::Elementwise));
                });
                updated.map(|updated| (stmt.results[0], updated))
            })
            .collect();
        let is_alone =
            |(_, array): &(Value, Value), all: &[(Value, Value)]| all.iter().filter(|(_, a)| a == array).count() == 1;
        found.filter(|found| found.iter().all(|result| is_alone(result, found)))
    }

    /// Puts the pieces in the place of the last statement, and takes the others out.
    fn replace(&self, func: &mut Func, region: &mut Region) {
        let members: Vec<Stmt> = self.members.iter().map(|at| region.stmts[*at].clone()).collect();
        let mut pieces = Pieces { func, stmts: Vec::new(), loc: Loc::NONE };
        let mut states: HashMap<Value, Value> = self.results.iter().map(|(_, array)| (*array, *array)).collect();
        let mut offset = Size::constant(0);
        for (place, part) in self.parts.iter().enumerate() {
            let is_last = place + 1 == self.parts.len();
            pieces.part(self, &members, (part, &offset), &mut states, is_last);
            offset = offset.add(&part.len);
        }
        let (stmts, last) = (pieces.stmts, *self.members.last().expect("a group has a gather"));
        let mut kept: Vec<Stmt> = Vec::with_capacity(region.stmts.len() + stmts.len());
        let mut new = Some(stmts);
        for (place, stmt) in std::mem::take(&mut region.stmts).into_iter().enumerate() {
            if !self.members.contains(&place) {
                kept.push(stmt);
            } else if place == last {
                kept.extend(new.take().into_iter().flatten());
            }
        }
        region.stmts = kept;
    }
}

fn note_uses(stmt: &Stmt, used: &mut HashSet<Value>) {
    stmt.op.for_each_operand(&mut |value| {
        used.insert(value);
    });
    for region in stmt.op.regions() {
        region.stmts.iter().for_each(|inner| note_uses(inner, used));
        used.extend(region.term.values());
    }
}

/// Whether a statement may stand before a group whose values these are: it computes numbers or subscripts without them, and cannot fail.
fn may_precede(func: &Func, stmt: &Stmt, inside: &HashSet<Value>) -> bool {
    let mut uses = false;
    stmt.op.for_each_operand(&mut |value| uses |= inside.contains(&value));
    let scalar = || stmt.results.iter().all(|result| func.ty(*result).is_scalar());
    !uses
        && match &stmt.op {
            Op::Const(_) | Op::Size(_) | Op::Range { .. } | Op::Concat(..) | Op::Reshape(_) | Op::Transpose(_) => true,
            op => op.kind() == Kind::Elementwise && scalar(),
        }
}

/// The statements of pieces in the making.
struct Pieces<'f> {
    func: &'f mut Func,
    stmts: Vec<Stmt>,
    loc: Loc,
}

impl Pieces<'_> {
    fn push(&mut self, op: Op, ty: Type) -> Value {
        let result = self.func.new_value(ty);
        self.stmts.push(Stmt { results: vec![result], op, loc: self.loc });
        result
    }

    /// The statements of a group for one range, whose elements begin there in the results.
    fn part(
        &mut self,
        group: &Group,
        members: &[Stmt],
        (Part { array: part, len, .. }, offset): (&Part, &Size),
        states: &mut HashMap<Value, Value>,
        is_last: bool,
    ) {
        self.loc = members[0].loc;
        let start = match offset.as_constant() {
            Some(number) => Op::Const(Const::Int(number)),
            None => Op::Size(offset.clone()),
        };
        let start = self.push(start, Type::scalar(Class::Index));
        let mut subs = vec![Sub::All; group.dims.len()];
        subs[group.long] = Sub::Range { start, step: 1, len: len.clone() };
        let mut of: HashMap<Value, Value> = HashMap::default();
        for stmt in members {
            self.loc = stmt.loc;
            let result = stmt.results[0];
            let mut ty = self.func.ty(result).clone();
            ty.dims[group.long] = len.clone();
            let mut op = stmt.op.clone();
            if let Op::Index { subs, .. } = &mut op {
                *subs = vec![Sub::Vector(*part)];
            } else {
                let mut operands = Vec::new();
                op.for_each_operand(&mut |value| operands.push(value));
                for value in operands {
                    if !self.func.ty(value).is_scalar() && !of.contains_key(&value) {
                        let array = states.get(&value).copied().unwrap_or(value);
                        let mut ty = self.func.ty(value).clone();
                        ty.dims[group.long] = len.clone();
                        let slice = self.push(Op::Index { array, subs: subs.clone(), checked: false }, ty);
                        of.insert(value, slice);
                    }
                }
                op.for_each_operand_mut(&mut |value| *value = of.get(value).copied().unwrap_or(*value));
            }
            let piece = self.push(op, ty);
            of.insert(result, piece);
        }
        for (result, array) in &group.results {
            let ty = self.func.ty(*result).clone();
            let store = Op::Store { array: states[array], subs: subs.clone(), value: of[result], checked: false };
            if is_last {
                self.stmts.push(Stmt { results: vec![*result], op: store, loc: self.loc });
            } else {
                let state = self.push(store, ty);
                states.insert(*array, state);
            }
        }
    }
}
