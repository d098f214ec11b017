//! The launch of a kernel in host code: its arrays made ready, the offer to a device, the domain and its weight.

use super::body::{Body, Target};
use super::expr::rust_type;
use super::factors::Lent;
use super::host::{Host, reducer};
use super::kernel::{Field, Nest};
use super::scheduled::Walk;
use super::{bands, strips};
use crate::ir::{Effect, Op, Out, Region, Size, Stmt, Value};
use crate::schedule::panels::ROWS;
use crate::schedule::weight;
use megha_base::plan;

impl<'f> Nest<'f> {
    /// The launch, between the making of fresh arrays and the promise that they are full.
    pub fn write_launch(
        &mut self,
        host: &mut Host<'_>,
        outer: &mut Body<'f>,
        stmt: &Stmt,
        (sites, has_plain): (&[(String, String)], bool),
    ) {
        let mut after = Vec::new();
        let site = host.shared.site(stmt.loc);
        if let Some(first) = host.strips.iter().find(|strips| strips.run.kernels[0] == self.kernel.id) {
            host.run = Some(match &host.steps {
                Some((kernel, strips)) if *kernel == self.kernel.id => strips::Open::step(first, strips.clone()),
                _ => strips::Open::begin(first, self, outer),
            });
        }
        let lent = self.lend(host, outer, stmt);
        if self.reduced().is_some() {
            let space = self.space(outer);
            outer.code.line(format!("let space = {space};"));
            let along = host.run.as_ref().and_then(|run| run.along(self, outer));
            along.into_iter().for_each(|along| outer.code.line(format!("let along = {along};")));
        }
        for (k, result) in stmt.results.iter().enumerate() {
            let (before, then, init) = self.prepare((host, outer), k, *result, &site);
            before.into_iter().for_each(|line| outer.code.line(line));
            after.extend(then);
            let name = self.arrays[k].name.clone();
            if let Some(field) = self.fields.iter_mut().find(|f| f.name == name) {
                field.init = init;
            }
        }
        let busy = lent.map(|lent| format!("!{lent}")).or_else(|| self.busy(outer));
        if let Some(busy) = &busy {
            outer.code.open(format!("if {busy} {{"));
        }
        if self.checks {
            outer.code.line("let fault = rt::fault::Fault::new();");
            self.fields.push(Field {
                name: "fault".into(),
                ty: "&'a rt::fault::Fault".into(),
                init: "&fault".into(),
                scalar: true,
            });
        }
        let (domain, weight) = self.domain(outer);
        self.write_kernel(host, outer);
        let device = host.shared.device.number(host.func, self.kernel.id);
        let (in_bands, through) = self.in_bands(host, outer, (&domain, &weight), device.is_some()).unzip();
        let each = self.weight(outer, &self.kernel.body);
        let in_strips = host
            .run
            .as_ref()
            .and_then(|run| run.launch(self, outer, (&domain, if self.reduced().is_some() { &each } else { &weight })));
        let at_once = match (&in_bands, &in_strips) {
            (Some(_), _) => host.open.as_ref().map(bands::Open::runs_at_once),
            (None, Some(_)) => host.run.as_ref().map(strips::Open::runs_at_once),
            (None, None) => None,
        };
        let launch = in_bands.or(in_strips).unwrap_or_else(|| self.launch_at_once((&domain, &weight)));
        if has_plain {
            let now = at_once.map_or_else(String::new, |at_once| at_once + " && ");
            let packs = self.loops.panels.iter().any(Option::is_some);
            let is_little = if packs { "is_little_to_pack" } else { "is_little" };
            outer.code.open(format!("if {now}rt::{is_little}(kernel.extents, {each}) {{"));
            outer.code.line("kernel.plain();");
            outer.code.reopen("} else {");
            // A copy: where only its numbers are used, the structure itself is never made.
            outer.code.line("let kernel = kernel;");
        }
        match device {
            Some(number) => self.write_offer(host, outer, stmt, (number, through.flatten()), (&site, launch)),
            None => outer.code.line(launch),
        }
        if has_plain {
            outer.code.close("}");
        }
        if self.checks {
            let table: Vec<String> = sites.iter().map(|(site, check)| format!("({site}, {check})")).collect();
            outer.code.line(format!("fault.check(&[{}])?;", table.join(", ")));
        }
        if busy.is_some() {
            outer.code.close("}");
        }
        after.into_iter().for_each(|line| outer.code.line(line));
        if let Some(run) = host.run.take_if(|run| run.is_last(self.kernel.id)) {
            run.end(outer);
        }
    }

    /// The kernel with its fields. One instance of a kernel of vectors serves both orders, unless those who run parts of it ask for the function's.
    fn write_kernel(&mut self, host: &Host<'_>, outer: &mut Body<'f>) {
        let is_shared = self.is_of_vectors() && host.run.is_none() && host.open.is_none();
        if is_shared {
            self.take_vectors();
        }
        // Scalars are read before the arrays are lent out.
        let (scalars, arrays): (Vec<&Field>, Vec<&Field>) = self.fields.iter().partition(|f| f.scalar);
        let fields: Vec<String> = scalars.into_iter().chain(arrays).map(field_init).collect();
        let order = if is_shared { "rt::ColMajor" } else { "L" };
        let fields = self.with_extents(outer, fields).join(", ");
        outer.code.line(format!("let kernel = {}::<{order}> {{ {fields} }};", self.name));
    }

    /// Where the copy that the kernel makes is only for devices, the variable that says whether there is none at work: then the array is left empty.
    fn lend(&self, host: &mut Host<'_>, outer: &mut Body<'f>, stmt: &Stmt) -> Option<String> {
        if host.run.is_some() || host.open.is_some() {
            return None;
        }
        let factor = host.factors.get(&self.kernel.id)?.clone();
        let lent = Lent::begin(factor, outer);
        let when = lent.when.clone();
        host.lent.insert(stmt.results[0], lent);
        Some(when)
    }

    /// The launch that waits for others of a loop over time, and where a device may take it, its rows and the call that offers it there.
    fn in_bands(
        &self,
        host: &Host<'_>,
        outer: &Body<'_>,
        numbers: (&str, &str),
        offered: bool,
    ) -> Option<(String, Option<(String, String)>)> {
        let open = host.open.as_ref()?;
        let (number, rows) = open.rows(self, outer)?;
        Some(match offered {
            true => (open.launch((number, "rows"), numbers), Some((rows, open.offers(number)))),
            false => (open.launch((number, &rows), numbers), None),
        })
    }

    /// The launch where a device may take it: by way of a loop over time, if it is given where the rows are and how it is offered there.
    fn write_offer(
        &self,
        host: &mut Host<'_>,
        outer: &mut Body<'f>,
        stmt: &Stmt,
        (number, through): (usize, Option<(String, String)>),
        (site, launch): (&str, String),
    ) {
        host.shared.device.note_nests(number, self.nests());
        if let Some((rows, _)) = &through {
            outer.code.line(format!("let rows = {rows};"));
        }
        let offers = through.as_ref().map_or("rt::device::offer(", |(_, offers)| offers);
        let offer = host.shared.device.offer((number, offers), outer, self, stmt, site);
        if self.partials.is_empty() {
            outer.code.open(format!("if !({offer}) {{"));
        } else {
            outer.code.open(format!("if {offer} {{"));
            for (partials, is_scalar) in &self.partials {
                outer.code.line(match is_scalar {
                    true => format!("unsafe {{ {partials}.delivered({site})? }};"),
                    false => format!("unsafe {{ {partials}.combined() }};"),
                });
            }
            outer.code.reopen("} else {");
        }
        outer.code.line(launch);
        outer.code.close("}");
    }

    fn with_extents(&self, outer: &Body<'_>, mut fields: Vec<String>) -> Vec<String> {
        let list = match self.reduced() {
            Some(_) => vec!["space".to_owned()],
            None => vec![format!("extents: {}", self.extents(outer))],
        };
        fields.splice(0..0, list);
        fields.push("layout: std::marker::PhantomData".into());
        fields
    }

    /// Lines before and after the launch for a result, and what the kernel's field gets.
    fn prepare(
        &mut self,
        (host, outer): (&mut Host<'_>, &mut Body<'f>),
        k: usize,
        result: Value,
        site: &str,
    ) -> (Vec<String>, Vec<String>, String) {
        let ty = &self.out_types[k];
        let class = rust_type(ty.class);
        match &self.kernel.outs[k] {
            Out::Update(_) => {
                let out = if self.streamed.contains(&k) { "out_result" } else { "out" };
                (Vec::new(), Vec::new(), format!("{}.{out}()", outer.text(result)))
            }
            Out::Fresh => {
                let shape = match host.lent.get(&result) {
                    Some(lent) => format!("if {} {{ [0; 2] }} else {{ {} }}", lent.when, outer.shape(&ty.dims)),
                    None => outer.shape(&ty.dims),
                };
                let array = match host.open.as_ref().and_then(|open| open.spare(outer.storage.slot(result))) {
                    Some(spare) => format!("{spare}.fresh({shape}, {site})?"),
                    None => format!("rt::Array::<L, {class}, {}>::uninit({shape}, {site})?", ty.dims.len()),
                };
                let define = outer.define(result);
                let name = outer.text(result);
                let fresh = match &define {
                    Target::Nothing | Target::New { .. } => name,
                    Target::Old(_) => outer.names.fresh("fresh"),
                };
                let before = vec![format!("let mut {fresh} = {array};")];
                let fill = if self.streamed.contains(&k) { "fill_result" } else { "fill" };
                (before, vec![format!("{define}unsafe {{ {fresh}.assume_init() }};")], format!("{fresh}.{fill}()"))
            }
            Out::Reduce(op, _) => {
                let partials = outer.names.fresh("partials");
                self.partials.push((partials.clone(), ty.is_scalar()));
                let define = outer.define(result);
                let op = reducer(*op);
                let rank = ty.dims.len();
                let combined = if let Some(run) = &mut host.run {
                    run.combined(&partials, (op, class, rank), (&outer.shape(&ty.dims), site))
                } else if ty.is_scalar() {
                    format!("{partials}.combine_all::<rt::reduce::{op}>({site})?")
                } else {
                    let shape = outer.shape(&ty.dims);
                    format!("{partials}.combine::<rt::reduce::{op}, L, {rank}>({shape}, {site})?")
                };
                let room = match &host.run {
                    Some(run) => run.partials(class),
                    None => format!("rt::reduce::Partials::<{class}>::new(space)"),
                };
                let before = vec![format!("let mut {partials} = {room};")];
                (before, vec![format!("{define}unsafe {{ {combined} }};")], format!("{partials}.out()"))
            }
        }
    }

    /// The extents of the loops, outermost first, for the layout.
    fn extents(&self, outer: &Body<'_>) -> String {
        let [columns, rows] = &self.loops.orders;
        let natural = rows.iter().copied().eq(0..rows.len()) && columns.iter().rev().eq(rows.iter());
        let by = |order: &[usize]| {
            let extents: Vec<String> = order.iter().map(|a| outer.extent(&self.kernel.domain[*a])).collect();
            format!("[{}]", extents.join(", "))
        };
        match (columns == rows, natural) {
            (true, _) => by(rows),
            (_, true) => format!("L::permute({})", by(rows)),
            _ => format!(
                "match L::ORDER {{ rt::Order::ColMajor => {}, rt::Order::RowMajor => {} }}",
                by(columns),
                by(rows)
            ),
        }
    }

    /// The space of a reduction for the layout.
    fn space(&self, outer: &Body<'_>) -> String {
        let product = |axes: &[usize]| {
            let size = axes.iter().fold(Size::constant(1), |n, a| n.mul(&self.kernel.domain[*a]));
            outer.extent(&size)
        };
        let reduced = product(self.reduced().unwrap_or(&[]));
        let of = |walk: Walk| {
            let inner = if walk.neighbours { vec![walk.axis] } else { Vec::new() };
            let others: Vec<usize> = self.kept().into_iter().filter(|a| !inner.contains(a)).collect();
            format!("rt::reduce::Space::new({}, {reduced}, {})", product(&others), product(&inner))
        };
        let [columns, rows] = self.loops.walks.map(of);
        if columns == rows {
            return columns;
        }
        format!("match L::ORDER {{ rt::Order::ColMajor => {columns}, rt::Order::RowMajor => {rows} }}")
    }

    /// The call that launches the kernel there and then.
    fn launch_at_once(&self, (domain, weight): (&str, &str)) -> String {
        let in_panels = self.loops.panels.iter().any(Option::is_some);
        if self.loops.spans().next().is_some() {
            // The middle one of rows whose lengths are in a line.
            let average = "kernel.iterations(kernel.extents.map(|n| n / 2))";
            return format!(
                "rt::launch_within_bands(&kernel, (kernel.extents, {ROWS}), {weight}, |row| row.weighed(kernel.iterations(row.at), {average}));"
            );
        }
        match (self.is_bounded(), in_panels) {
            (true, true) => {
                format!(
                    "rt::launch_within_bands(&kernel, (kernel.extents, {ROWS}), {weight}, |row| kernel.within(row));"
                )
            }
            (true, false) => {
                format!("rt::launch_within(&kernel, kernel.extents, {weight}, |row| kernel.within(row));")
            }
            (false, _) => format!("rt::launch(&kernel, {domain}, {weight});"),
        }
    }

    /// How the rows of the launch's domain lie among the loops, for each layout.
    pub fn nests(&self) -> [plan::Nest; 2] {
        let order = |layout: usize| -> Vec<usize> {
            let is_long = |axis: &usize| !self.kernel.domain[*axis].is_one();
            let Some(_) = self.reduced() else { return self.loops.orders[layout].clone() };
            let walk = self.loops.walks[layout];
            let others = self.kept().into_iter().filter(|a| is_long(a) && !(walk.neighbours && *a == walk.axis));
            let others: Vec<usize> = if layout == 0 { others.rev().collect() } else { others.collect() };
            others.into_iter().chain(walk.neighbours.then_some(walk.axis)).collect()
        };
        let rows = |layout: usize| {
            let mut outer = order(layout);
            let has_inner = self.reduced().is_none() || self.loops.walks[layout].neighbours;
            let inner = if has_inner { outer.pop() } else { None };
            plan::Nest { outer, inner }
        };
        [rows(0), rows(1)]
    }

    /// The launch's domain and the weight of one of its points.
    fn domain(&self, outer: &Body<'_>) -> (String, String) {
        let weight = self.weight(outer, &self.kernel.body);
        match self.reduced() {
            Some(_) => ("space.domain()".into(), format!("space.weight({weight})")),
            None => match self.loops.rows.into_iter().max() {
                _ if self.loops.panels.iter().any(Option::is_some) => {
                    (format!("rt::Domain::nest(kernel.extents).banded({ROWS}).shared()"), weight)
                }
                Some(rows) if self.loops.windows.iter().any(Option::is_some) => {
                    // Whole in the order of memory that has rows of another number together, too.
                    let band = (1..=rows).map(|n| n * ROWS as usize).find(|band| band.is_multiple_of(rows));
                    (format!("rt::Domain::nest(kernel.extents).banded({})", band.unwrap_or(ROWS as usize)), weight)
                }
                Some(rows @ 2..) => (format!("rt::Domain::nest(kernel.extents).banded({rows})"), weight),
                _ => ("rt::Domain::nest(kernel.extents)".into(), weight),
            },
        }
    }

    /// How often a loop runs at each point, if not only the point knows: a size, or a number of the host.
    fn times(&self, outer: &Body<'_>, trip: Value) -> Option<String> {
        let size = self.maps.trips(trip).map(|size| outer.size(&size).text());
        let known = matches!(outer.inlined.get(trip), Some(Op::Size(_) | Op::Const(_)))
            || self.captured.iter().any(|(value, _)| *value == trip);
        size.or_else(|| known.then(|| outer.text(trip)))
    }

    /// How often a loop runs on average that runs as often as a number of one loop of the domain says.
    fn mean_times(&self, outer: &Body<'_>, trip: Value) -> Option<String> {
        let affine = self.maps.affine(trip).filter(|affine| affine.uniform.is_empty())?;
        let mut moving = affine.coeffs.iter().zip(&self.kernel.domain).filter(|(by, _)| **by != 0);
        let ((by, extent), None) = (moving.next()?, moving.next()) else { return None };
        let twice = affine.size.scale(2).add(&extent.scale(*by));
        Some(format!("({}) / 2", outer.size(&twice).text()))
    }

    /// The condition under which points do anything, where all that they do is in loops which may not run at all. If none runs not even the points are gone
    /// through: there may be more of them than an array has elements, since the loops of a nest change places.
    fn busy(&self, outer: &Body<'_>) -> Option<String> {
        if !self.kernel.outs.iter().all(|out| matches!(out, Out::Update(_))) {
            return None;
        }
        let mut runs = Vec::new();
        for stmt in self.kernel.body.stmts.iter().filter(|stmt| stmt.op.effect() != Effect::None) {
            let Op::For { trip, .. } = &stmt.op else { return None };
            runs.push(format!("rt::extent({}) > 0", self.times(outer, *trip)?));
        }
        (!runs.is_empty()).then(|| runs.join(" || "))
    }

    /// The weight of one point: operations, those in uniform loops as often as these run.
    fn weight(&self, outer: &Body<'_>, region: &Region) -> String {
        let (mut own, mut nested) = (0, Vec::new());
        for stmt in &region.stmts {
            own += weight(&stmt.op);
            match &stmt.op {
                Op::For { trip, body, .. } => {
                    let inner = self.weight(outer, body);
                    let times = self.times(outer, *trip).or_else(|| self.mean_times(outer, *trip));
                    let times = times.map_or("16".into(), |times| format!("rt::extent({times})"));
                    nested.push(format!("rt::repeated({inner}, {times})"));
                }
                op => nested.extend(op.regions().into_iter().map(|r| self.weight(outer, r))),
            }
        }
        nested.retain(|n| n != "0");
        nested.insert(0, own.max(1).to_string());
        nested.join(" + ")
    }
}

fn field_init(field: &Field) -> String {
    if field.name == field.init { field.name.clone() } else { format!("{}: {}", field.name, field.init) }
}
