//! A kernel's loops: rows (or blocks of a reduction) outside, short vector loops over the points of a row inside.
//!
//! The body is cut into *groups*: straight runs of statements, each of which becomes one function with a loop over the points of a row, so
//! that slices passed to it are known not to overlap; and sequential loops with the same number of iterations at every point, which
//! stay outside the loops over points (loop interchange), what they carry being kept in one array element per point.

use std::collections::{HashMap, HashSet};

use super::access::Access;
use super::body::{Body, Dialect, Place, leaves, padded};
use super::expr::{Binds, Context, Expr, rust_type, scalar};
use super::host::weight;
use super::kernel::{Nest, Reach, reach, write_struct};
use super::shared::Shared;
use super::source::Code;
use super::storage::{Item, Slot};
use super::transfer::How;
use crate::ir::{Class, Mem, Op, Stmt, Type, Value};

/// A part of a kernel's body.
enum Group<'a, 'f> {
    /// One loop over the points of a row.
    Points(Vec<&'a Item<'f>>),
    /// A sequential loop that is the same at every point: its counter, number of iterations and body.
    Loop(Value, Value, Vec<Group<'a, 'f>>),
}

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

/// An out-variable that is a reduction.
struct Reduced {
    name: String,
    /// The tile of contributions.
    part: String,
    class: &'static str,
    zero: String,
    op: &'static str,
}

impl Reduced {
    fn of(nest: &Nest<'_>, out: usize) -> Option<Self> {
        let (op, class) = (nest.reducer(out)?, nest.out_types[out].class);
        Some(Self {
            name: nest.arrays[out].name.clone(),
            part: contribution(nest, out),
            class: rust_type(class),
            zero: zero(class),
            op: super::host::reducer(op),
        })
    }
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

/// Cuts items into groups.
fn group<'a, 'f>(nest: &Nest<'f>, items: &'a [Item<'f>]) -> Vec<Group<'a, 'f>> {
    let mut groups = Vec::new();
    let mut points: Vec<&Item<'f>> = Vec::new();
    for item in items {
        match item {
            Item::For(label, counter, trip, inner)
                if nest.maps.is_counter(*counter) && !leaves(inner, *label) && !nest.checks && !jumps(inner) =>
            {
                if !points.is_empty() {
                    groups.push(Group::Points(std::mem::take(&mut points)));
                }
                groups.push(Group::Loop(*counter, *trip, group(nest, inner)));
            }
            Item::Return(_) => {}
            item => points.push(item),
        }
    }
    if !points.is_empty() {
        groups.push(Group::Points(points));
    }
    groups
}

/// Most calls of costly functions in one loop over points: more of them spill the vector registers.
const COSTLY: usize = 2;

/// Cuts long runs of statements, so that each loop over points holds few costly functions; what lives from one loop to the next goes
/// through a tile in the first-level cache.
fn split<'a, 'f>(nest: &Nest<'f>, body: &Body<'f>, groups: Vec<Group<'a, 'f>>) -> Vec<Group<'a, 'f>> {
    if nest.checks {
        return groups;
    }
    let mut out = Vec::new();
    for group in groups {
        match group {
            Group::Loop(counter, trip, inner) => out.push(Group::Loop(counter, trip, split(nest, body, inner))),
            Group::Points(items) => {
                let (mut run, mut so_far) = (Vec::new(), 0);
                for item in items {
                    let more = costly(body, item);
                    if so_far > 0 && more > 0 && so_far + more > COSTLY {
                        out.push(Group::Points(std::mem::take(&mut run)));
                        so_far = 0;
                    }
                    so_far += more;
                    run.push(item);
                }
                out.push(Group::Points(run));
            }
        }
    }
    out
}

/// How many costly functions an item calls at each point.
fn costly(body: &Body<'_>, item: &Item<'_>) -> usize {
    fn of_op(body: &Body<'_>, op: &Op) -> usize {
        let mut count = usize::from(weight(op) >= 20);
        op.for_each_operand(&mut |v| count += body.inlined.get(v).map_or(0, |op| of_op(body, op)));
        count
    }
    let of_value = |v: Value| body.inlined.get(v).map_or(0, |op| of_op(body, op));
    let all = |items: &[Item<'_>]| items.iter().map(|i| costly(body, i)).sum::<usize>();
    match item {
        Item::Stmt(stmt) => of_op(body, &stmt.op),
        Item::Assign(list, _) => list.iter().map(|t| of_value(t.from)).sum(),
        Item::If(cond, a, b) => of_value(*cond) + all(a) + all(b),
        Item::For(_, _, _, inner) => all(inner),
        Item::While(_, test, cond, inner) => of_value(*cond) + all(test) + all(inner),
        _ => 0,
    }
}

/// Whether a top-level `break` or `continue` stands among the items, outside any nested loop.
fn jumps(items: &[Item<'_>]) -> bool {
    items.iter().any(|item| match item {
        Item::Break(_) | Item::Continue(_) => true,
        Item::If(_, a, b) => jumps(a) || jumps(b),
        _ => false,
    })
}

/// The dialect inside kernels.
struct Checks<'s, 'n, 'f> {
    shared: &'s mut Shared,
    nest: &'n Nest<'f>,
    sites: Vec<(String, String)>,
}

impl Checks<'_, '_, '_> {
    fn record(&mut self, body: &mut Body<'_>, stmt: &Stmt, text: &str) {
        let id = self.sites.len();
        self.sites.push((self.shared.site(stmt.loc), text.to_owned()));
        let number = logical_number(self.nest, body);
        body.note("fault");
        body.code.line(format!("fault.record({number}, {id});"));
        body.code.line("continue 'points;");
    }
}

/// The number of an iteration, first axis fastest.
fn logical_number(nest: &Nest<'_>, body: &Body<'_>) -> String {
    let mut text = String::new();
    for axis in (0..nest.numbers.len()).rev().filter(|a| nest.numbers[*a] != "0") {
        let number = &nest.numbers[axis];
        body.note(number);
        let extent = body.size(&nest.kernel.domain[axis]).within(Binds::Product);
        text = if text.is_empty() { number.clone() } else { format!("{number} + {extent} * ({text})") };
    }
    if text.is_empty() { "0".into() } else { text }
}

impl<'f> Dialect<'f> for Checks<'_, '_, 'f> {
    fn stmt(&mut self, body: &mut Body<'f>, stmt: &'f Stmt) {
        match &stmt.op {
            Op::Put(out, subs, value) => {
                let value = body.text(*value);
                let target = body.places.get(&std::ptr::from_ref(&stmt.op)).cloned();
                match target {
                    Some(Place::Row(name)) => {
                        body.note(&name);
                        body.code.line(format!("{name}[l] = {value};"));
                    }
                    Some(Place::General(name, linear)) => {
                        body.note(&name);
                        let ty = self.nest.out_types[*out].clone();
                        let at = body.subscripts(subs, &ty, linear);
                        let method = if linear { "put_linear" } else { "put" };
                        body.code.line(format!("unsafe {{ {name}.{method}({at}, {value}) }};"));
                    }
                    Some(Place::Uniform(_)) | None => self.shared.unsupported(body.func, stmt),
                }
            }
            Op::Accumulate(out, value) => {
                let value = body.text(*value);
                let name = contribution(self.nest, *out);
                body.note(&name);
                body.code.line(format!("{name}[l] = {value};"));
            }
            Op::Assert(cond, text) => {
                let cond = body.operand(*cond).within(Binds::Prefix);
                body.code.open(format!("if !{cond} {{"));
                self.record(body, stmt, text);
                body.code.close("}");
            }
            Op::ToIndex(a) => {
                let a = body.operand(*a).within(Binds::Cast);
                let define = body.define(stmt.results[0]);
                body.code.open(format!("{define}match rt::subscript::try_whole({a} as f64) {{"));
                body.code.line("Some(n) => n,");
                body.code.open("None => {");
                self.record(body, stmt, "a subscript is not a whole number");
                body.code.close("}");
                body.code.close("};");
            }
            Op::Load(..) => {
                let text = body.load(&stmt.op).text;
                let define = body.define(stmt.results[0]);
                body.code.line(format!("{define}{text};"));
            }
            op => {
                let result = stmt.results[0];
                let Some(expr) = scalar(body, op, body.func.ty(result).class) else {
                    return self.shared.unsupported(body.func, stmt);
                };
                let define = body.define(result);
                body.code.line(format!("{define}{};", expr.text));
            }
        }
    }

    fn returns(&mut self, _: &mut Body<'f>, _: &[(Value, How)]) {}

    fn copied(&self, body: &Body<'f>, value: Value) -> String {
        body.text(value)
    }
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
            body.vars.insert(*counter, Expr::atom(name.clone()));
            body.bounded.insert(*counter);
            self.outside.push(Outside { name, kind: Kind::Scalar("i64".into()), fetch: None, pass: None });
            self.counters(body, inner);
        }
    }

    /// Variables that more than one loop over points uses; they get one element per point.
    fn lanes(&mut self, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) -> Vec<(String, Class)> {
        let mut seen: HashMap<Slot, usize> = HashMap::new();
        let mut shared: Vec<Slot> = Vec::new();
        let mut number = 0;
        visit(groups, &mut |items| {
            number += 1;
            let mut touched = HashSet::new();
            items.iter().for_each(|item| touch(body, item, &mut touched));
            for slot in touched {
                if *seen.entry(slot).or_insert(number) != number && !shared.contains(&slot) {
                    shared.push(slot);
                }
            }
        });
        shared.sort_unstable();
        let mut lanes = Vec::new();
        for slot in shared {
            let class = body.storage.slots[slot.0].ty.class;
            let name = body.name_slot(slot);
            body.set_slot(slot, format!("{name}[l]"));
            self.outside.push(Outside { name: name.clone(), kind: Kind::Lane(class), fetch: None, pass: None });
            lanes.push((name, class));
        }
        lanes
    }

    /// Decides how each load and store is done, and names what that takes.
    fn places(&mut self, body: &mut Body<'f>) -> HashMap<*const Op, Place> {
        let mut places = HashMap::new();
        let mut rows: Vec<(Mem, String, Option<String>)> = Vec::new();
        for access in &self.nest.accesses {
            let place = self.place(body, access, &mut rows);
            places.insert(std::ptr::from_ref(access.op), place);
        }
        places
    }

    fn place(
        &mut self,
        body: &mut Body<'f>,
        access: &Access<'f>,
        rows: &mut Vec<(Mem, String, Option<String>)>,
    ) -> Place {
        let Some(array) = self.nest.array(access.mem) else { return Place::Uniform("missing".into()) };
        let (ty, field, written) = (array.ty.clone(), array.name.clone(), array.written);
        let linear = matches!(&access.map, Some(map) if map.len() == 1 && rank_of(&ty) > 1)
            || matches!(access.op, Op::Load(_, s) | Op::Put(_, s, _) if s.len() == 1 && rank_of(&ty) > 1);
        let at = access.map.as_ref().map(|map| {
            let texts: Vec<String> = map.iter().map(|a| self.nest.affine_text(body, a)).collect();
            padded(&texts, &ty)
        });
        let class = ty.class;
        let reach = reach(access, &ty, &self.nest.walks);
        if let Some(at) = at.filter(|_| reach != Reach::General) {
            let (text, row) = (at.join(", "), reach == Reach::Row);
            let key = Some(text.clone());
            let found = rows.iter().find(|(m, _, t)| *m == access.mem && *t == key).map(|(_, n, _)| n.clone());
            let name = found.unwrap_or_else(|| {
                let name = self.name_row(body, &field, rows);
                rows.push((access.mem, name.clone(), key));
                let method = if row { format!("along([{text}], len)") } else { format!("at([{text}])") };
                let kind = match (row, written) {
                    (true, true) => Kind::RowOut(class),
                    (true, false) => Kind::RowIn(class),
                    _ => Kind::Scalar(rust_type(class).into()),
                };
                let fetch = Some(format!("let {name} = unsafe {{ self.{field}.{method} }};"));
                self.outside.push(Outside { name: name.clone(), kind, fetch, pass: None });
                name
            });
            return if row { Place::Row(name) } else { Place::Uniform(name) };
        }
        if !rows.iter().any(|(m, _, t)| *m == access.mem && t.is_none()) {
            let name = body.names.fresh(&format!("{field}_"));
            rows.push((access.mem, name.clone(), None));
            let kind = if written { Kind::Out(ty.clone()) } else { Kind::View(ty.clone()) };
            self.outside.push(Outside { name, kind, fetch: None, pass: Some(format!("self.{field}")) });
        }
        let name = rows.iter().find(|(m, _, t)| *m == access.mem && t.is_none()).map(|(_, n, _)| n.clone());
        Place::General(name.unwrap_or_default(), linear)
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
        self.run.open(format!("impl<L: rt::Layout> rt::Kernel for {}<'_, L> {{", self.nest.name));
        self.run.line("#[inline(always)]");
        self.run.open("fn run<I: rt::Isa>(&self, chunk: &rt::Chunk) {");
        let mut scalars: Vec<String> = self.nest.fields.iter().filter(|f| f.scalar).map(|f| f.name.clone()).collect();
        if self.nest.checks {
            scalars.push("fault".into());
        }
        if !scalars.is_empty() {
            self.run.line(format!("let Self {{ {}, .. }} = *self;", scalars.join(", ")));
        }
        for (name, class) in lanes {
            self.run.line(format!("let mut {name} = [{}; rt::TILE];", zero(*class)));
        }
        match self.nest.reduced() {
            Some(axes) => self.blocks(checks, body, groups, axes),
            None => self.rows(checks, body, groups, !lanes.is_empty()),
        }
        self.run.close("}");
        self.run.close("}");
    }

    fn rows(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, groups: &[Group<'_, 'f>], tiled: bool) {
        let tiles = if tiled { ".flat_map(|row| row.tiles())" } else { "" };
        self.run.open(format!("for row in chunk.rows(self.extents){tiles} {{"));
        let [columns, rows] = self.nest.orders.clone();
        let names = |order: &[usize]| {
            let list: Vec<&str> = order.iter().map(|a| pattern(&self.nest.numbers[*a])).collect();
            format!("[{}]", list.join(", "))
        };
        let natural = rows.is_sorted() && columns.iter().rev().eq(rows.iter());
        let line = match (columns == rows, natural) {
            (true, _) => format!("let {} = row.at.map(|n| n as i64);", names(&rows)),
            (_, true) => format!("let {} = L::permute(row.at).map(|n| n as i64);", names(&rows)),
            _ => {
                let mut sorted = rows.clone();
                sorted.sort_unstable();
                let pick = |order: &[usize]| {
                    let at: Vec<String> = sorted
                        .iter()
                        .map(|a| format!("row.at[{}]", order.iter().position(|o| o == a).unwrap_or(0)))
                        .collect();
                    format!("[{}]", at.join(", "))
                };
                let (c, r) = (pick(&columns), pick(&rows));
                let names = names(&sorted);
                format!(
                    "let {names} = match L::ORDER {{ rt::Order::ColMajor => {c}, rt::Order::RowMajor => {r} }}.map(|n| n as i64);"
                )
            }
        };
        self.run.line(line);
        self.run.line("let len = row.len;");
        self.groups(checks, body, groups);
        self.run.close("}");
    }

    /// The loop over the blocks of a reduction, for each layout if they differ.
    fn blocks(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        axes: &[usize],
    ) {
        let outs: Vec<Reduced> = (0..self.nest.kernel.outs.len()).filter_map(|k| Reduced::of(self.nest, k)).collect();
        for out in &outs {
            self.run.line(format!("let mut {} = [{}; rt::TILE];", out.part, out.zero));
        }
        let [columns, rows] = self.nest.walks;
        if columns.neighbours == rows.neighbours {
            return self.blocks_along(checks, body, groups, (axes, &outs, 0));
        }
        self.run.open("match L::ORDER {");
        for (layout, name) in ["ColMajor", "RowMajor"].into_iter().enumerate() {
            self.run.open(format!("rt::Order::{name} => {{"));
            self.blocks_along(checks, body, groups, (axes, &outs, layout));
            self.run.close("}");
        }
        self.run.close("}");
    }

    fn blocks_along(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        (axes, outs, layout): (&[usize], &[Reduced], usize),
    ) {
        self.run.open("for block in self.space.blocks(chunk) {");
        if self.nest.walks[layout].neighbours {
            self.neighbours(checks, body, groups, (axes, outs, layout));
        } else {
            self.tiles(checks, body, groups, (axes, outs));
        }
        self.run.close("}");
    }

    /// A block whose points are neighbouring reductions: one element of each enters the lanes at a time.
    fn neighbours(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        (axes, outs, layout): (&[usize], &[Reduced], usize),
    ) {
        // With the same kind of walk in both layouts the axes may still differ.
        let [columns, rows] = self.nest.walks.map(|walk| walk.axis);
        let same = self.nest.walks[0].neighbours == self.nest.walks[1].neighbours;
        let arms = if same && columns != rows {
            vec![(Some("ColMajor"), columns), (Some("RowMajor"), rows)]
        } else {
            vec![(None, self.nest.walks[layout].axis)]
        };
        let long = axes.iter().copied().find(|a| !self.nest.kernel.domain[*a].is_one()).unwrap_or(axes[0]);
        if arms.len() > 1 {
            self.run.open("match L::ORDER {");
        }
        for (name, axis) in &arms {
            if let Some(name) = name {
                self.run.open(format!("rt::Order::{name} => {{"));
            }
            let others: Vec<usize> = self.nest.kept().into_iter().filter(|a| a != axis).collect();
            self.unravel(body, "block.outer", &others, true);
            for Reduced { name, class, op, .. } in outs {
                let lanes = "rt::reduce::LaneRows";
                self.run.line(format!(
                    "let mut {name} = {lanes}::<{class}, rt::reduce::{op}, {{ rt::reduce::WIDTH }}>::new();"
                ));
            }
            self.run.line(format!("let {} = block.inner.start as i64;", self.nest.numbers[*axis]));
            self.run.line("let (done, len) = (0, block.inner.len());");
            let number = self.nest.numbers[long].clone();
            self.run.open(format!("for {number} in block.range.start as i64..block.range.end as i64 {{"));
            self.groups(checks, body, groups);
            for Reduced { name, part, .. } in outs {
                self.run.line(format!("{name}.push({number} as usize, &{part}[..len]);"));
            }
            self.run.close("}");
            for Reduced { name, .. } in outs {
                self.run.line(format!("{name}.fold_into(unsafe {{ self.{name}.of(&block) }});"));
            }
            if name.is_some() {
                self.run.close("}");
            }
        }
        if arms.len() > 1 {
            self.run.close("}");
        }
    }

    /// A block of one reduction: pieces along the first reduced axis fill a tile, whose elements then enter the lanes.
    fn tiles(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        (axes, outs): (&[usize], &[Reduced]),
    ) {
        self.unravel(body, "block.outer", &self.nest.kept(), true);
        for Reduced { name, class, op, .. } in outs {
            self.run.line(format!("let mut {name} = rt::reduce::Lanes::<{class}, rt::reduce::{op}>::new();"));
        }
        self.run.open("for tile in block.tiles() {");
        let long: Vec<usize> = axes.iter().copied().filter(|a| !self.nest.kernel.domain[*a].is_one()).collect();
        if long.len() > 1 {
            self.run.line("let mut done = 0;");
            self.run.open("while done < tile.len() {");
            self.unravel(body, "tile.start + done", &long, false);
            let first = &self.nest.numbers[long[0]];
            let extent = body.extent(&self.nest.kernel.domain[long[0]]);
            self.run.line(format!("let len = (tile.len() - done).min({extent} - {first} as usize);"));
            self.groups(checks, body, groups);
            self.run.line("done += len;");
            self.run.close("}");
        } else {
            self.run.line("let (done, len) = (0, tile.len());");
            if let Some(axis) = long.first() {
                self.run.line(format!("let {} = tile.start as i64;", self.nest.numbers[*axis]));
            }
            self.groups(checks, body, groups);
        }
        for Reduced { name, part, .. } in outs {
            self.run.line(format!("{name}.push(&{part}[..tile.len()]);"));
        }
        self.run.close("}");
        for Reduced { name, .. } in outs {
            self.run.line(format!("unsafe {{ self.{name}.of(&block)[0] = {name}.fold() }};"));
        }
    }

    /// Numbers of these axes from one number that counts through them: the first fastest, or in the order of memory.
    fn unravel(&mut self, body: &Body<'f>, from: &str, axes: &[usize], memory: bool) {
        let axes: Vec<usize> = axes.iter().copied().filter(|a| !self.nest.kernel.domain[*a].is_one()).collect();
        if axes.is_empty() {
            return;
        }
        let names: Vec<&str> = axes.iter().map(|a| pattern(&self.nest.numbers[*a])).collect();
        let extents: Vec<String> = axes.iter().map(|a| body.extent(&self.nest.kernel.domain[*a])).collect();
        let layout = if memory { "L" } else { "rt::ColMajor" };
        self.run.line(format!(
            "let [{}] = rt::unravel::<{layout}, {}>([{}], {from}).map(|n| n as i64);",
            names.join(", "),
            axes.len(),
            extents.join(", ")
        ));
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
                    let trip = self.nest.uniform_text(body, *trip).within(Binds::Or);
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
        let [columns, rows] = self.nest.walks.map(|walk| walk.axis);
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

/// A number's name in a pattern.
fn pattern(name: &str) -> &str {
    if name == "0" { "_" } else { name }
}

fn rank_of(ty: &Type) -> usize {
    ty.dims.iter().filter(|d| !d.is_one()).count()
}

/// Calls `f` on the items of each loop over points.
fn visit<'a, 'f>(groups: &[Group<'a, 'f>], f: &mut impl FnMut(&[&'a Item<'f>])) {
    for group in groups {
        match group {
            Group::Points(items) => f(items),
            Group::Loop(_, _, inner) => visit(inner, f),
        }
    }
}

/// The variables that an item reads or writes.
fn touch(body: &Body<'_>, item: &Item<'_>, out: &mut HashSet<Slot>) {
    let value = |v: Value, out: &mut HashSet<Slot>| {
        let mut read = Vec::new();
        body.inlined.variables(v, &mut read);
        out.extend(read.into_iter().filter_map(|v| body.storage.slot(v)));
    };
    match item {
        Item::Stmt(stmt) => {
            stmt.op.for_each_operand(&mut |v| value(v, out));
            out.extend(stmt.results.iter().filter_map(|r| body.storage.slot(*r)));
        }
        Item::Declare(slot) | Item::Free(slot) => drop(out.insert(*slot)),
        Item::Assign(list, _) => list.iter().for_each(|t| {
            out.insert(t.to);
            value(t.from, out);
        }),
        Item::If(cond, a, b) => {
            value(*cond, out);
            a.iter().chain(b).for_each(|i| touch(body, i, out));
        }
        Item::For(_, _, trip, inner) => {
            value(*trip, out);
            inner.iter().for_each(|i| touch(body, i, out));
        }
        Item::While(_, test, cond, inner) => {
            value(*cond, out);
            test.iter().chain(inner).for_each(|i| touch(body, i, out));
        }
        _ => {}
    }
}
