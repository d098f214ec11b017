//! A kernel's loops: rows (or blocks of a reduction) outside, short vector loops over the points of a row inside.
//!
//! The body is cut into *groups*: straight runs of statements, each of which becomes one function with a loop over the points of a row, so
//! that slices passed to it are known not to overlap; and sequential loops with the same number of iterations at every point, which
//! stay outside the loops over points (loop interchange), what they carry being kept in one array element per point.

mod blocks;
mod bounds;
mod checks;
mod masked;
mod moderate;
mod panels;
mod places;
mod plain;
mod settled;
pub mod streamed;
mod tiles;
mod windows;

use crate::hash::{HashMap, HashSet};
use std::collections::BTreeSet;

use self::checks::Checks;
use self::streamed::Streamed;
use super::body::{Body, Place};
use super::chosen;
use super::expr::{Binds, Expr, rust_type};
use super::groups::{Group, group, split, stores_apart, touch, visit};
use super::kernel::{Nest, write_struct};
use super::shared::Shared;
use super::source::Code;
use super::storage::{Item, Slot};
use crate::ir::{Class, Mem, Op, Type, Value};
use crate::schedule::access::Access;

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
    /// Whether getting it may take a copy.
    copied: bool,
    /// What the caller passes, if not the name.
    pass: Option<String>,
}

impl Kind {
    /// The type of the parameter of a loop over points.
    fn ty(&self) -> String {
        match self {
            Self::Number(_) => "i64".into(),
            Self::Scalar(ty) => ty.clone(),
            Self::Lane(class) | Self::RowOut(class) => format!("&mut [{}]", rust_type(*class)),
            Self::RowIn(class) => format!("&[{}]", rust_type(*class)),
            Self::View(ty) => format!("rt::View<'_, L, {}, {}>", rust_type(ty.class), ty.dims.len()),
            Self::Out(ty) => format!("rt::Out<'_, L, {}, {}>", rust_type(ty.class), ty.dims.len()),
        }
    }
}

impl Outside {
    /// What the caller has under this name.
    fn given(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind, fetch: None, copied: false, pass: None }
    }

    /// The line that moves the number of a loop on by so many; `axes` are the loops that move, columns first and rows first.
    fn advanced(&self, axes: [Option<usize>; 2], by: &str) -> Option<String> {
        self.stepped(axes.map(|axis| axis.map(|axis| (axis, 1))), by)
    }

    /// The same in steps of several numbers.
    fn stepped(&self, axes: [Option<(usize, i64)>; 2], by: &str) -> Option<String> {
        let Kind::Number(axis) = self.kind else { return None };
        let times = |step: i64, by: String| if step == 1 { by } else { format!("{step} * {by}") };
        let moving = axes.map(|moving| moving.filter(|(own, _)| *own == axis).map(|(_, step)| step));
        let step = match moving {
            [Some(columns), Some(rows)] if columns == rows => times(rows, format!("{by} as i64")),
            [Some(columns), Some(rows)] => {
                let columns = times(columns, format!("rt::only_columns::<L>({by})"));
                format!("{columns} + {}", times(rows, format!("rt::only_rows::<L>({by})")))
            }
            [Some(columns), None] => times(columns, format!("rt::only_columns::<L>({by})")),
            [None, Some(rows)] => times(rows, format!("rt::only_rows::<L>({by})")),
            [None, None] => return None,
        };
        Some(format!("let {0} = {0} + {step};", self.name))
    }
}

struct Writer<'n, 'f> {
    nest: &'n Nest<'f>,
    run: Code,
    functions: Code,
    stem: String,
    outside: Vec<Outside>,
    calls: usize,
    /// The functions for sequential loops over a few points.
    sweeps: Code,
    /// In a register tile: the layout, and the names of its panels.
    panels: Option<(usize, Vec<String>)>,
    /// Where the code that is being written stands.
    around: Around,
    /// The values of one element per point: their names and classes.
    lanes: Vec<(String, Class)>,
    /// Which of these were used since the list was last emptied.
    touched: BTreeSet<String>,
    /// The lane that keeps an element of an array, for each load and store of it.
    kept: HashMap<*const Op, String>,
    /// The loads and stores in loops of which several iterations run at a time, with the counters of these.
    stepped: Vec<(*const Op, Vec<Value>)>,
    /// How many iterations of a loop inside of such a one run at a time.
    steps_inside: usize,
    /// How those are done, if not as elsewhere.
    step_places: HashMap<*const Op, Place>,
    /// The results that may be written past the caches.
    streamed: Vec<Streamed>,
}

/// What stands around a loop over points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    /// The loop over a chunk's rows.
    Chunk,
    /// A tile of a row, or of several rows.
    Tile,
    /// A sequential loop over a few points.
    Sweep,
}

/// Writes the structure, the functions and the implementation of a kernel, in its plain form too if it has one; returns the checks that it makes.
pub fn write<'f>(
    shared: &mut Shared,
    nest: &mut Nest<'f>,
    body: &mut Body<'f>,
    plain: Option<Body<'f>>,
) -> Vec<(String, String)> {
    write_struct(shared, nest);
    let items = nest.within_bounds(std::mem::take(&mut body.storage.items));
    let groups = stores_apart(nest, body, split(nest, body, group(nest, &items)));
    let stem = nest.name.to_lowercase();
    let mut writer = Writer {
        nest,
        run: Code::default(),
        functions: Code::default(),
        stem,
        outside: Vec::new(),
        calls: 0,
        sweeps: Code::default(),
        panels: None,
        around: Around::Chunk,
        lanes: Vec::new(),
        touched: BTreeSet::new(),
        kept: HashMap::default(),
        stepped: Vec::new(),
        steps_inside: 1,
        step_places: HashMap::default(),
        streamed: Vec::new(),
    };
    writer.captured(body);
    writer.choices(body);
    writer.counters(body, &groups);
    writer.lanes(body, &groups);
    if writer.is_tiled(&groups) {
        writer.keep(body, &groups);
    }
    let places = writer.places(body);
    body.places = places;
    writer.streamed = writer.streamed(body);
    let direct = writer.direct(body);
    let mut checks = Checks { shared, nest, direct, plain: false, sites: Vec::new() };
    writer.implementation(&mut checks, body, &groups);
    writer.within(body);
    if let Some(plain) = plain {
        checks.plain = true;
        match nest.reduced() {
            Some(axes) => writer.short(&mut checks, axes, plain),
            None => writer.plain(&mut checks, plain),
        }
    }
    let streamed = writer.streamed.iter().map(|s| s.out).collect();
    let sites = checks.sites;
    shared.items.append(writer.functions);
    shared.items.append(writer.run);
    shared.items.line("\n");
    nest.streamed = streamed;
    sites
}

fn contribution(nest: &Nest<'_>, out: usize) -> String {
    format!("{}_part", nest.arrays[out].name)
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
            list.push(Outside::given(name, kind));
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
                self.outside.push(Outside { pass, ..Outside::given(name, kind) });
            }
        }
        let _ = body;
    }

    /// The choices after which a store may put back what was there.
    fn choices(&mut self, body: &mut Body<'f>) {
        let choices = chosen::choices(body.func, self.nest.kernel);
        if choices.is_empty() {
            return;
        }
        let name = body.names.fresh("zero");
        let fetch = Some(format!("let {name} = rt::zero();"));
        self.outside.push(Outside { fetch, ..Outside::given(name.clone(), Kind::Scalar("u64".into())) });
        body.choices = (choices, name);
    }

    /// Names the counters of the sequential loops that stand outside the loops over points.
    fn counters(&mut self, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) {
        for group in groups {
            let Group::Loop(counter, _, inner) = group else { continue };
            let name = body.names.fresh(body.func.names[counter.index()].as_deref().unwrap_or("step"));
            body.vars.insert(*counter, Expr::name(name.clone()));
            body.bounded.insert(*counter);
            self.outside.push(Outside::given(name, Kind::Scalar("i64".into())));
            self.counters(body, inner);
        }
    }

    /// Variables that more than one loop over points uses; they get one element per point. Those of one class that live at different times
    /// share a tile, as a kernel of a hundred loops would need more stack than a thread has; not those of sequential loops, which
    /// live from one round to the next.
    fn lanes(&mut self, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) {
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
            self.outside.push(Outside::given(name.clone(), Kind::Lane(class)));
            lanes.push((name, class, last));
        }
        self.lanes.extend(lanes.into_iter().map(|(name, class, _)| (name, class)));
    }

    /// The first row of an array bears the array's name.
    fn name_row(&self, body: &mut Body<'f>, field: &str, rows: &[(Mem, String, Option<String>)]) -> String {
        if rows.iter().any(|(_, n, _)| n == field) { body.names.fresh(field) } else { field.to_owned() }
    }

    /// Whether the points are taken in tiles, through which sequential loops go.
    fn is_tiled(&self, groups: &[Group<'_, 'f>]) -> bool {
        self.nest.reduced().is_none() && groups.iter().any(|g| matches!(g, Group::Loop(..)))
    }

    fn implementation(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) {
        let tiled = self.is_tiled(groups);
        self.run.open(format!("impl<L: rt::Layout> rt::Kernel for {}<'_, L> {{", self.nest.name));
        if tiled {
            self.highest_set();
        }
        self.run.line("#[inline(always)]");
        self.run.open("fn run<I: rt::Isa>(&self, chunk: &rt::Chunk) {");
        self.stages();
        if tiled {
            let loops = &self.nest.loops;
            if loops.panels.iter().any(Option::is_some) || loops.windows.iter().any(Option::is_some) {
                self.in_panels()
            } else {
                self.tiles_of_rows()
            }
            self.run.close("}");
            self.run.close("}");
            self.run.line("\n");
            self.tile(checks, body, groups);
            return self.panel_functions(checks, body, groups);
        }
        self.scalars();
        for (name, class) in self.lanes.clone() {
            self.run.line(format!("let mut {name} = rt::Tile::<{}>::CLEAR;", rust_type(class)));
        }
        match self.nest.reduced() {
            Some(axes) => self.blocks(checks, body, groups, axes),
            None => self.rows(checks, body, groups, !self.lanes.is_empty()),
        }
        self.run.close("}");
        self.run.close("}");
    }

    /// The captured numbers as variables.
    fn scalars(&mut self) {
        let mut scalars: Vec<String> = self.nest.fields.iter().filter(|f| f.scalar).map(|f| f.name.clone()).collect();
        if self.nest.checks {
            scalars.push("fault".into());
        }
        if !scalars.is_empty() {
            self.run.line(format!("let Self {{ {}, .. }} = *self;", scalars.join(", ")));
        }
    }

    fn rows(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, groups: &[Group<'_, 'f>], tiled: bool) {
        let rows = self.rows_within();
        let rows = if tiled { self.in_tiles(rows) } else { rows.into() };
        self.run.open(format!("for row in {rows} {{"));
        let line = self.iteration("row.at");
        self.run.line(line);
        self.run.line("let len = row.len;");
        self.fetch_copies(groups);
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

    /// Code that differs between the memory orders: `write` is given 0 for columns first and 1 for rows first. The condition is a constant, so that a
    /// function that only one order calls is compiled for that one.
    fn in_each_order(&mut self, mut write: impl FnMut(&mut Self, usize)) {
        self.run.open("if L::COLUMNS_FIRST {");
        write(self, 0);
        self.run.reopen("} else {");
        write(self, 1);
        self.run.close("}");
    }

    fn groups(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) {
        let several = groups.len() > 1;
        for group in groups {
            match group {
                Group::Points(items) => {
                    if several {
                        self.run.open("{");
                    }
                    self.each_row(|this| this.points(checks, body, items));
                    if several {
                        self.run.close("}");
                    }
                }
                Group::Loop(counter, trip, inner) if self.around == Around::Tile => {
                    self.sweep(checks, body, (*counter, *trip, inner));
                }
                Group::Loop(counter, trip, inner)
                    if self.around == Around::Sweep && self.settles(checks, body, (*counter, *trip, inner)) => {}
                Group::Loop(counter, trip, inner) => {
                    let trip = self.nest.uniform(body, *trip).typed(Class::Index).within(Binds::Or);
                    let name = body.text(*counter);
                    self.run.open(format!("for {name} in 0..{trip} {{"));
                    self.groups(checks, body, inner);
                    self.left_by_all(checks, body, *counter);
                    self.run.close("}");
                }
            }
        }
    }

    /// One loop over points: a function of its own, and the call.
    fn points(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, items: &[&Item<'f>]) {
        let (params, code) = self.loop_over_points(checks, body, items);
        if code.is_empty() {
            return;
        }
        let name = format!("{}_loop{}", self.stem, self.calls);
        self.calls += 1;
        self.fetch(&params);
        self.call(&name, &params);
        let forms = self.moderate(checks, body, items);
        self.function(&name, &params, code, forms);
    }

    /// The code for a point, and what it uses from outside.
    fn loop_over_points(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        items: &[&Item<'f>],
    ) -> (Vec<Outside>, Code) {
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
        self.touched.extend(params.iter().filter(|o| matches!(o.kind, Kind::Lane(_))).map(|o| o.name.clone()));
        (params, code)
    }

    /// Gets what may take a copy once for all loops over points of a row, if there are several and nothing else.
    fn fetch_copies(&mut self, groups: &[Group<'_, 'f>]) {
        if groups.len() > 1 && groups.iter().all(|group| matches!(group, Group::Points(_))) {
            let copied = self.outside.iter_mut().filter(|o| o.copied);
            copied.filter_map(|o| o.fetch.take()).for_each(|fetch| self.run.line(fetch));
        }
    }

    fn fetch(&mut self, params: &[Outside]) {
        params.iter().filter_map(|o| o.fetch.as_ref()).for_each(|fetch| self.run.line(fetch));
    }

    /// What the caller of a loop over points passes.
    fn pass(&self, outside: &Outside) -> String {
        match (&outside.pass, &outside.kind, self.around) {
            (Some(text), ..) => text.clone(),
            (None, Kind::Lane(_), Around::Chunk) => format!("&mut {}", outside.name),
            (None, Kind::Lane(_), Around::Tile) => format!("&mut {}{}", outside.name, self.of_row()),
            _ => outside.name.clone(),
        }
    }

    /// Cuts the rows and lanes of a loop over points to its length.
    fn cut_to_length(&self, params: &[Outside], text: &mut Code) {
        for o in params {
            match o.kind {
                Kind::Lane(_) | Kind::RowOut(_) => text.line(format!("let {0} = &mut {0}[..len];", o.name)),
                Kind::RowIn(_) => text.line(format!("let {0} = &{0}[..len];", o.name)),
                _ => {}
            }
        }
    }

    fn function(&mut self, name: &str, params: &[Outside], code: Code, forms: Option<moderate::Forms>) {
        let declare = |o: &Outside| format!("{}: {}", o.name, o.kind.ty());
        let list: Vec<String> = std::iter::once("len: usize".to_owned()).chain(params.iter().map(declare)).collect();
        self.functions.line("#[inline(always)]");
        self.functions.open(format!("fn {name}<L: rt::Layout>({}) {{", list.join(", ")));
        let mut text = std::mem::take(&mut self.functions);
        self.cut_to_length(params, &mut text);
        self.functions = text;
        match forms {
            Some(forms) => self.tested_loops(params, code, forms),
            None => self.each_point(params, code),
        }
        self.functions.close("}");
        self.functions.line("\n");
    }

    /// The loop itself.
    fn each_point(&mut self, params: &[Outside], code: Code) {
        let label = if self.nest.checks { "'points: " } else { "" };
        self.functions.open(format!("{label}for l in 0..len {{"));
        let axes = self.nest.loops.walks.map(|walk| Some((walk.axis, walk.step)));
        params.iter().filter_map(|o| o.stepped(axes, "l")).for_each(|line| self.functions.line(line));
        self.functions.append(code);
        self.functions.close("}");
    }
}

/// A number's name in a pattern.
fn pattern(name: &str) -> &str {
    if name == "0" { "_" } else { name }
}

/// Whether an access has one subscript that counts columns first.
fn is_linear(nest: &Nest<'_>, access: &Access<'_>) -> bool {
    let Some(array) = nest.array(access.mem) else { return false };
    matches!(&access.map, Some(map) if map.len() == 1 && rank_of(&array.ty) > 1)
        || matches!(access.op, Op::Load(_, s) | Op::Put(_, s, _) if s.len() == 1 && rank_of(&array.ty) > 1)
}

fn rank_of(ty: &Type) -> usize {
    ty.dims.iter().filter(|d| !d.is_one()).count()
}
