//! A kernel's loops: rows (or blocks of a reduction) outside, short vector loops over the points of a row inside.
//!
//! The body is cut into *groups*: straight runs of statements, each of which becomes one function with a loop over the points of a row, so
//! that slices passed to it are known not to overlap; and sequential loops with the same number of iterations at every point, which
//! stay outside the loops over points (loop interchange), what they carry being kept in one array element per point.

mod blocks;
mod checks;
mod places;

use crate::hash::{HashMap, HashSet};

use self::checks::Checks;
use super::body::Body;
use super::expr::{Binds, Expr, rust_type};
use super::groups::{Group, group, split, touch, visit};
use super::kernel::{Nest, write_struct};
use super::shared::Shared;
use super::source::Code;
use super::storage::{Item, Slot};
use crate::ir::{Class, Mem, Type};
use crate::schedule::default::PIECE;

/// What a name that a loop over points uses, and does not define, is.
#[derive(Clone)]
enum Kind {
    Number(usize),
    Scalar(String),
    Lane(Class),
    RowIn(Class),
    RowOut(Class),
    View(Type),
    Out(Type),
}

/// Names from outside a loop over points, in the order of its parameters.
#[derive(Clone)]
struct Outside {
    name: String,
    kind: Kind,
    /// How the caller gets it before the call, if not by having it.
    fetch: Option<String>,
    /// What the caller passes, if not the name.
    pass: Option<String>,
}

struct Writer<'n, 'f> {
    nest: &'n Nest<'f>,
    run: Code,
    functions: Code,
    stem: String,
    outside: Vec<Outside>,
    calls: usize,
    /// Checks that can fail: place and message.
    sites: Vec<(String, String)>,
}

/// Writes the structure, the functions and the implementation of a kernel; returns the checks that it makes.
pub fn write<'f>(shared: &mut Shared, nest: &mut Nest<'f>, body: &mut Body<'f>) -> Vec<(String, String)> {
    write_struct(shared, nest);
    let items = std::mem::take(&mut body.storage.items);
    let groups = split(nest, body, group(nest, &items));
    let stem = nest.name.to_lowercase();
    let outside = Vec::new();
    let mut writer =
        Writer { nest, run: Code::default(), functions: Code::default(), stem, outside, calls: 0, sites: Vec::new() };
    writer.captured(body);
    writer.counters(body, &groups);
    let lanes = writer.lanes(body, &groups);
    let places = writer.places(body);
    body.places = places;
    let mut checks = Checks { shared, nest, sites: Vec::new() };
    writer.implementation(&mut checks, body, &groups, &lanes);
    writer.sites = checks.sites;
    shared.items.append(writer.functions);
    shared.items.append(writer.run);
    shared.items.line("\n");
    writer.sites
}

fn contribution(nest: &Nest<'_>, out: usize) -> String {
    format!("{}_part", nest.arrays[out].name)
}

fn zero(class: Class) -> String {
    match class {
        Class::Logical => "false".into(),
        class if class.is_float() => format!("0.0{}", rust_type(class)),
        class => format!("0{}", rust_type(class)),
    }
}

/// The variables of more than one loop over points, with the first and the last of these loops, in the order of the first.
fn lives(body: &Body<'_>, groups: &[Group<'_, '_>]) -> Vec<(Slot, usize, usize)> {
    let mut lives: HashMap<Slot, (usize, usize)> = HashMap::default();
    let mut number = 0;
    visit(groups, &mut |items| {
        number += 1;
        let mut touched = HashSet::default();
        items.iter().for_each(|item| touch(body, item, &mut touched));
        for slot in touched {
            lives.entry(slot).or_insert((number, number)).1 = number;
        }
    });
    let mut shared: Vec<(Slot, usize, usize)> = lives.into_iter().map(|(s, (first, last))| (s, first, last)).collect();
    shared.retain(|(_, first, last)| first < last);
    shared.sort_unstable_by_key(|(slot, first, _)| (*first, *slot));
    shared
}

impl<'n, 'f> Writer<'n, 'f> {
    /// Captured numbers, iteration numbers and loop counters.
    fn captured(&mut self, body: &Body<'f>) {
        let add = |list: &mut Vec<Outside>, name: &str, kind| {
            list.push(Outside { name: name.to_owned(), kind, fetch: None, pass: None });
        };
        for field in self.nest.fields.iter().filter(|f| f.scalar) {
            add(&mut self.outside, &field.name, Kind::Scalar(field.ty.clone()));
        }
        if self.nest.checks {
            add(&mut self.outside, "fault", Kind::Scalar("&rt::fault::Fault".into()));
        }
        for (axis, name) in self.nest.numbers.iter().enumerate().filter(|(_, n)| *n != "0") {
            add(&mut self.outside, name, Kind::Number(axis));
        }
        for k in 0..self.nest.kernel.outs.len() {
            if self.nest.reducer(k).is_some() {
                let kind = Kind::RowOut(self.nest.out_types[k].class);
                let name = contribution(self.nest, k);
                let pass = Some(format!("&mut {name}[done..done + len]"));
                self.outside.push(Outside { name, kind, fetch: None, pass });
            }
        }
        let _ = body;
    }

    /// Names the counters of the sequential loops that stand outside the loops over points.
    fn counters(&mut self, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) {
        for group in groups {
            let Group::Loop(counter, _, inner) = group else { continue };
            let name = body.names.fresh(body.func.names[counter.index()].as_deref().unwrap_or("step"));
            body.vars.insert(*counter, Expr::name(name.clone()));
            body.bounded.insert(*counter);
            self.outside.push(Outside { name, kind: Kind::Scalar("i64".into()), fetch: None, pass: None });
            self.counters(body, inner);
        }
    }

    /// Variables that more than one loop over points uses; they get one element per point. Those of one class that live at different times
    /// share a tile, as a kernel of a hundred loops would need more stack than a thread has; not those of sequential loops, which
    /// live from one round to the next.
    fn lanes(&mut self, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) -> Vec<(String, Class)> {
        let mut lanes: Vec<(String, Class, usize)> = Vec::new();
        let straight = groups.iter().all(|group| matches!(group, Group::Points(_)));
        for (slot, first, last) in lives(body, groups) {
            let class = body.storage.slots[slot.0].ty.class;
            let free = lanes.iter_mut().find(|(_, c, until)| straight && *c == class && *until < first);
            if let Some((name, _, until)) = free {
                *until = last;
                body.set_slot(slot, Expr::Element(name.clone()));
                continue;
            }
            let name = body.name_slot(slot);
            body.set_slot(slot, Expr::Element(name.clone()));
            self.outside.push(Outside { name: name.clone(), kind: Kind::Lane(class), fetch: None, pass: None });
            lanes.push((name, class, last));
        }
        lanes.into_iter().map(|(name, class, _)| (name, class)).collect()
    }

    /// The first row of an array bears the array's name.
    fn name_row(&self, body: &mut Body<'f>, field: &str, rows: &[(Mem, String, Option<String>)]) -> String {
        if rows.iter().any(|(_, n, _)| n == field) { body.names.fresh(field) } else { field.to_owned() }
    }

    fn implementation(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        lanes: &[(String, Class)],
    ) {
        let piece = self.nest.loops.piece.map(piece_text);
        self.run.open(format!("impl<L: rt::Layout> rt::Kernel for {}<'_, L> {{", self.nest.name));
        self.run.line("#[inline(always)]");
        self.run.open("fn run<I: rt::Isa>(&self, chunk: &rt::Chunk) {");
        if let Some(points) = &piece {
            self.pieces(points);
        }
        self.locals(lanes, piece.as_deref());
        match self.nest.reduced() {
            Some(axes) => self.blocks(checks, body, groups, axes),
            None if piece.is_some() => self.piece(checks, body, groups),
            None => self.rows(checks, body, groups, !lanes.is_empty()),
        }
        self.run.close("}");
        self.run.close("}");
    }

    /// The captured numbers as variables, and those of one element per point of a tile or a piece.
    fn locals(&mut self, lanes: &[(String, Class)], piece: Option<&str>) {
        let mut scalars: Vec<String> = self.nest.fields.iter().filter(|f| f.scalar).map(|f| f.name.clone()).collect();
        if self.nest.checks {
            scalars.push("fault".into());
        }
        if !scalars.is_empty() {
            self.run.line(format!("let Self {{ {}, .. }} = *self;", scalars.join(", ")));
        }
        for (name, class) in lanes {
            let zero = zero(*class);
            self.run.line(match piece {
                Some(points) => format!("let mut {name} = [{zero}; {points}];"),
                None => format!("let mut {name} = rt::Tile::<{}>::CLEAR;", rust_type(*class)),
            });
        }
    }

    /// The loop over pieces of rows, for a body with sequential loops, and the start of the function for one piece: with a constant number
    /// of points, what these loops carry stays in vector registers.
    fn pieces(&mut self, points: &str) {
        self.run.open(format!("for row in chunk.rows(self.extents).flat_map(|row| row.pieces({points})) {{"));
        self.run.open(format!("if row.len == {points} {{"));
        self.run.line(format!("self.piece(row.at, {points});"));
        self.run.reopen("} else {");
        self.run.line("self.piece(row.at, row.len);");
        self.run.close("}");
        self.run.close("}");
        self.run.close("}");
        self.run.close("}");
        self.run.line("\n");
        self.run.open(format!("impl<L: rt::Layout> {}<'_, L> {{", self.nest.name));
        self.run.line("#[inline(always)]");
        self.run.open(format!("fn piece(&self, at: [usize; {}], len: usize) {{", self.nest.loops.orders[0].len()));
    }

    fn piece(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) {
        let line = self.iteration("at");
        self.run.line(line);
        self.groups(checks, body, groups);
    }

    fn rows(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, groups: &[Group<'_, 'f>], tiled: bool) {
        let tiles = if tiled { ".flat_map(|row| row.tiles())" } else { "" };
        self.run.open(format!("for row in chunk.rows(self.extents){tiles} {{"));
        let line = self.iteration("row.at");
        self.run.line(line);
        self.run.line("let len = row.len;");
        self.groups(checks, body, groups);
        self.run.close("}");
    }

    /// Names the iteration numbers of the first point, which `at` holds in loop order.
    fn iteration(&self, at: &str) -> String {
        let [columns, rows] = &self.nest.loops.orders;
        let names = |order: &[usize]| {
            let list: Vec<&str> = order.iter().map(|a| pattern(&self.nest.numbers[*a])).collect();
            format!("[{}]", list.join(", "))
        };
        if columns == rows {
            return format!("let {} = rt::indices({at});", names(rows));
        }
        if rows.is_sorted() && columns.iter().rev().eq(rows.iter()) {
            return format!("let {} = rt::indices(L::permute({at}));", names(rows));
        }
        let mut sorted = rows.clone();
        sorted.sort_unstable();
        let pick = |order: &[usize]| {
            let position = |a: &usize| order.iter().position(|o| o == a).unwrap_or(0);
            let list: Vec<String> = sorted.iter().map(|a| format!("{at}[{}]", position(a))).collect();
            format!("[{}]", list.join(", "))
        };
        let (c, r, names) = (pick(columns), pick(rows), names(&sorted));
        format!(
            "let {names} = rt::indices(match L::ORDER {{ rt::Order::ColMajor => {c}, rt::Order::RowMajor => {r} }});"
        )
    }

    fn groups(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) {
        let several = groups.len() > 1;
        for group in groups {
            match group {
                Group::Points(items) => {
                    if several {
                        self.run.open("{");
                    }
                    self.points(checks, body, items);
                    if several {
                        self.run.close("}");
                    }
                }
                Group::Loop(counter, trip, inner) => {
                    let trip = self.nest.uniform(body, *trip).typed(Class::Index).within(Binds::Or);
                    let name = body.text(*counter);
                    self.run.open(format!("for {name} in 0..{trip} {{"));
                    self.groups(checks, body, inner);
                    self.run.close("}");
                }
            }
        }
    }

    /// One loop over points: a function of its own, and the call.
    fn points(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, items: &[&Item<'f>]) {
        let outer = std::mem::take(&mut body.code);
        let scope = body.enter_scope();
        body.take_used();
        for item in items {
            body.item(checks, item);
        }
        body.leave_scope(scope);
        let code = std::mem::replace(&mut body.code, outer);
        let used = body.take_used();
        let params: Vec<Outside> = self.outside.iter().filter(|o| used.contains(&o.name)).cloned().collect();
        let name = format!("{}_loop{}", self.stem, self.calls);
        self.calls += 1;
        for fetch in params.iter().filter_map(|o| o.fetch.as_ref()) {
            self.run.line(fetch);
        }
        let pass = |o: &Outside| match (&o.pass, &o.kind) {
            (Some(text), _) => text.clone(),
            (None, Kind::Lane(_)) => format!("&mut {}", o.name),
            _ => o.name.clone(),
        };
        let args: Vec<String> = std::iter::once("len".to_owned()).chain(params.iter().map(pass)).collect();
        self.run.line(format!("{name}::<L>({});", args.join(", ")));
        self.function(&name, &params, code);
    }

    fn function(&mut self, name: &str, params: &[Outside], code: Code) {
        let declare = |o: &Outside| {
            let ty = match &o.kind {
                Kind::Number(_) => "i64".into(),
                Kind::Scalar(ty) => ty.clone(),
                Kind::Lane(class) | Kind::RowOut(class) => format!("&mut [{}]", rust_type(*class)),
                Kind::RowIn(class) => format!("&[{}]", rust_type(*class)),
                Kind::View(ty) => format!("rt::View<'_, L, {}, {}>", rust_type(ty.class), ty.dims.len()),
                Kind::Out(ty) => format!("rt::Out<'_, L, {}, {}>", rust_type(ty.class), ty.dims.len()),
            };
            format!("{}: {ty}", o.name)
        };
        let list: Vec<String> = std::iter::once("len: usize".to_owned()).chain(params.iter().map(declare)).collect();
        self.functions.line("#[inline(always)]");
        self.functions.open(format!("fn {name}<L: rt::Layout>({}) {{", list.join(", ")));
        for o in params {
            match o.kind {
                Kind::Lane(_) | Kind::RowOut(_) => self.functions.line(format!("let {0} = &mut {0}[..len];", o.name)),
                Kind::RowIn(_) => self.functions.line(format!("let {0} = &{0}[..len];", o.name)),
                _ => {}
            }
        }
        let label = if self.nest.checks { "'points: " } else { "" };
        self.functions.open(format!("{label}for l in 0..len {{"));
        let [columns, rows] = self.nest.loops.walks.map(|walk| walk.axis);
        for o in params {
            let Kind::Number(axis) = o.kind else { continue };
            let name = &o.name;
            let step = match (axis == columns, axis == rows) {
                (true, true) => "l as i64".to_owned(),
                (true, false) => "rt::only_columns::<L>(l)".to_owned(),
                (false, true) => "rt::only_rows::<L>(l)".to_owned(),
                (false, false) => continue,
            };
            self.functions.line(format!("let {name} = {name} + {step};"));
        }
        self.functions.append(code);
        self.functions.close("}");
        self.functions.close("}");
        self.functions.line("\n");
    }
}

/// The points of a piece: the run-time system's number has a name.
fn piece_text(points: u32) -> String {
    if points == PIECE { "rt::PIECE".into() } else { points.to_string() }
}

/// A number's name in a pattern.
fn pattern(name: &str) -> &str {
    if name == "0" { "_" } else { name }
}

fn rank_of(ty: &Type) -> usize {
    ty.dims.iter().filter(|d| !d.is_one()).count()
}
