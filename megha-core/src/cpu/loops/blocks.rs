//! The loops of a reduction: blocks of the tree outside, tiles of contributions inside. Where what an iteration contributes is an element of
//! an array, the array's own run takes the place of the tile.

use super::{Checks, Writer, contribution, pattern};
use crate::cpu::body::{Body, Place};
use crate::cpu::expr::rust_type;
use crate::cpu::groups::Group;
use crate::cpu::host::reducer;
use crate::cpu::kernel::Nest;
use crate::hash::HashMap;
use crate::ir::Op;

/// An out-variable that is a reduction.
struct Reduced {
    name: String,
    /// The tile of contributions,
    part: String,
    /// and the run of an array that takes its place.
    direct: Option<String>,
    class: &'static str,
    op: &'static str,
}

impl Reduced {
    fn of(nest: &Nest<'_>, out: usize, direct: Option<&String>) -> Option<Self> {
        let (op, class) = (nest.reducer(out)?, nest.out_types[out].class);
        Some(Self {
            name: nest.arrays[out].name.clone(),
            part: contribution(nest, out),
            direct: direct.cloned(),
            class: rust_type(class),
            op: reducer(op),
        })
    }
}

impl Reduced {
    /// So many contributions.
    fn values(&self, len: &str) -> String {
        self.direct.clone().unwrap_or_else(|| format!("&{}[..{len}]", self.part))
    }
}

impl<'n, 'f> Writer<'n, 'f> {
    /// The out-variables whose contributions are the elements of a run, with its name; none where a tile is filled by several runs.
    pub(super) fn direct(&self, body: &Body<'f>) -> HashMap<usize, String> {
        let Some(axes) = self.nest.reduced() else { return HashMap::default() };
        let long = axes.iter().filter(|a| !self.nest.kernel.domain[**a].is_one()).count();
        if long > 1 && !self.nest.loops.walks.iter().all(|walk| walk.neighbours) {
            return HashMap::default();
        }
        let run = |op: &'f Op| {
            let Op::Accumulate(out, value) = op else { return None };
            let load = body.inlined.get(*value).filter(|op| matches!(op, Op::Load(..)))?;
            match body.places.get(&std::ptr::from_ref(load))? {
                Place::Row(name) => Some((*out, name.clone())),
                _ => None,
            }
        };
        self.nest.maps.inside(self.nest.kernel).stmts.iter().filter_map(|stmt| run(&stmt.op)).collect()
    }

    fn fetch_direct(&mut self, outs: &[Reduced]) {
        let mut names: Vec<&String> = outs.iter().filter_map(|out| out.direct.as_ref()).collect();
        names.dedup();
        for name in names {
            let fetch = self.outside.iter().find(|o| o.name == *name).and_then(|o| o.fetch.clone());
            fetch.into_iter().for_each(|fetch| self.run.line(fetch));
        }
    }

    /// Whether the kernel does nothing but reduce elements that lie in memory.
    fn is_direct(&self, outs: &[Reduced]) -> bool {
        let reduces_all = outs.len() == self.nest.kernel.outs.len() && !self.nest.checks;
        reduces_all && outs.iter().all(|out| out.direct.is_some())
    }

    /// The loop over the blocks of a reduction, for each layout if they differ.
    pub(super) fn blocks(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        axes: &[usize],
    ) {
        let outs: Vec<Reduced> =
            (0..self.nest.kernel.outs.len()).filter_map(|k| Reduced::of(self.nest, k, checks.direct.get(&k))).collect();
        for out in outs.iter().filter(|out| out.direct.is_none()) {
            self.run.line(format!("let mut {} = rt::Tile::<{}>::CLEAR;", out.part, out.class));
        }
        let [columns, rows] = self.nest.loops.walks;
        if columns.neighbours == rows.neighbours {
            return self.blocks_along(checks, body, groups, (axes, &outs, 0));
        }
        self.in_each_order(|this, layout| this.blocks_along(checks, body, groups, (axes, &outs, layout)));
    }

    fn blocks_along(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        (axes, outs, layout): (&[usize], &[Reduced], usize),
    ) {
        if !self.nest.loops.walks[layout].neighbours && self.nest.has_short() {
            self.run.open("if self.space.is_short() {");
            self.run.line("return self.short(chunk);");
            self.run.close("}");
        }
        self.run.open("for block in self.space.blocks(chunk) {");
        if self.nest.loops.walks[layout].neighbours {
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
        let [columns, rows] = self.nest.loops.walks.map(|walk| walk.axis);
        let same = self.nest.loops.walks[0].neighbours == self.nest.loops.walks[1].neighbours;
        if !same || columns == rows {
            let axis = self.nest.loops.walks[layout].axis;
            return self.neighbours_on(checks, body, groups, (axes, outs, axis));
        }
        self.in_each_order(|this, order| {
            this.neighbours_on(checks, body, groups, (axes, outs, [columns, rows][order]));
        });
    }

    /// The same with the neighbours on this axis.
    fn neighbours_on(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        (axes, outs, axis): (&[usize], &[Reduced], usize),
    ) {
        let long = axes.iter().copied().find(|a| !self.nest.kernel.domain[*a].is_one()).unwrap_or(axes[0]);
        let others: Vec<usize> = self.nest.kept().into_iter().filter(|a| *a != axis).collect();
        self.unravel(body, "block.outer", &others, true);
        for Reduced { name, op, .. } in outs {
            let rows = format!("(unsafe {{ self.{name}.rows::<rt::reduce::{op}>(&block) }})");
            self.run.line(format!("let Some(mut {name}) = {rows} else {{ return }};"));
        }
        let number = self.nest.numbers[long].clone();
        if self.is_direct(outs) {
            return self.whole_lanes(outs, &number, &self.nest.numbers[axis].clone());
        }
        self.run.open("for (element, piece) in block.walk() {");
        self.run.line(format!("let {number} = element as i64;"));
        self.run.line(format!("let {} = piece.start as i64;", self.nest.numbers[axis]));
        self.run.line("let (done, len) = (0, piece.len());");
        self.groups(checks, body, groups);
        self.fetch_direct(outs);
        for out in outs {
            let (name, values) = (&out.name, out.values("len"));
            self.run.line(format!("{name}.push(element, piece.start - block.inner.start, {values});"));
        }
        self.run.close("}");
        for Reduced { name, .. } in outs {
            self.run.line(format!("{name}.fold::<I>();"));
        }
    }

    /// The lanes of neighbouring reductions of elements that lie in memory: a few elements of a lane enter it together.
    fn whole_lanes(&mut self, outs: &[Reduced], element: &str, neighbour: &str) {
        self.run.line(format!("let {neighbour} = block.inner.start as i64;"));
        self.run.line("let len = block.inner.len();");
        self.run.open("for (l_first, l_count) in block.bands() {");
        for Reduced { name, direct, .. } in outs {
            let run = direct.as_deref().unwrap_or(name);
            let fetch = self.outside.iter().find(|o| o.name == run).and_then(|o| o.fetch.clone()).unwrap_or_default();
            self.run.open(format!("{name}.push_band::<I>(l_first, l_count, std::array::from_fn(|l| {{"));
            self.run.line(format!("let {element} = (l_first + l.min(l_count - 1) * rt::reduce::tree::LANES) as i64;"));
            self.run.line(fetch);
            self.run.line(run);
            self.run.close("}));");
        }
        self.run.close("}");
        outs.iter().for_each(|out| self.run.line(format!("{}.fold::<I>();", out.name)));
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
            self.run.line(format!("let mut {name} = rt::reduce::Lanes::<{class}, rt::reduce::{op}>::new(&block);"));
        }
        let long: Vec<usize> = axes.iter().copied().filter(|a| !self.nest.kernel.domain[*a].is_one()).collect();
        // Where nothing is computed, longer ones: each costs a call.
        let tiles = if self.is_direct(outs) && long.len() == 1 { "runs" } else { "tiles" };
        self.run.open(format!("for tile in block.{tiles}() {{"));
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
        self.fetch_direct(outs);
        for out in outs {
            let (name, values) = (&out.name, out.values("tile.len()"));
            self.run.line(format!("{name}.push::<I>({values});"));
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
            "let [{}] = rt::indices(rt::unravel::<{layout}, {}>([{}], {from}));",
            names.join(", "),
            axes.len(),
            extents.join(", ")
        ));
    }
}
