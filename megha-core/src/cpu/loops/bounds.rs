//! Bounds of a kernel's domain as bounds of its innermost loop: rows of the box are cut to the points that do something. Where these are every
//! so many points of a row, the row is in steps: its length counts them, and code takes so many numbers at once.

use super::Writer;
use crate::cpu::body::Body;
use crate::cpu::kernel::Nest;
use crate::cpu::storage::Item;
use crate::schedule::access::Affine;
use crate::schedule::domain::{self, Congruence, End, Run, Steps};

impl<'f> Nest<'f> {
    /// Whether the kernel's domain is narrower than its box.
    pub fn is_bounded(&self) -> bool {
        self.maps.is_narrowed()
    }

    /// The items of the body without the guard, which the bounds of the loops stand for.
    pub(super) fn within_bounds(&self, items: Vec<Item<'f>>) -> Vec<Item<'f>> {
        if !self.is_bounded() {
            return items;
        }
        let inside = |item| match item {
            Item::If(_, then, _) => then,
            item => vec![item],
        };
        items.into_iter().flat_map(inside).collect()
    }
}

impl<'n, 'f> Writer<'n, 'f> {
    /// The rows of a chunk that have points.
    pub(super) fn rows_within(&self) -> &'static str {
        if self.nest.is_bounded() {
            "chunk.rows(self.extents).map(|row| self.within(row)).filter(|row| row.len > 0)"
        } else {
            "chunk.rows(self.extents)"
        }
    }

    /// The function that cuts a row.
    pub(super) fn within(&mut self, body: &mut Body<'f>) {
        if !self.nest.is_bounded() {
            return;
        }
        let rank = self.nest.loops.orders[0].len();
        self.run.line("\n");
        self.run.open(format!("impl<L: rt::Layout> {}<'_, L> {{", self.nest.name));
        self.run.line("/// The points of a row that are within the bounds.");
        self.run.line("#[inline(always)]");
        self.run.open(format!("fn within(&self, row: rt::Row<{rank}>) -> rt::Row<{rank}> {{"));
        let scalars: Vec<&str> = self.nest.fields.iter().filter(|f| f.scalar).map(|f| f.name.as_str()).collect();
        if !scalars.is_empty() {
            self.run.line(format!("let Self {{ {}, .. }} = *self;", scalars.join(", ")));
        }
        let line = self.iteration("row.at");
        self.run.line(line);
        let inner = |order: &[usize]| order.last().copied().unwrap_or(0);
        let [columns, rows] = self.nest.loops.orders.each_ref().map(|order| inner(order));
        let cut = |axis| {
            let clipped = self.clipped(body, &domain::run(self.nest.maps.bounds(), axis));
            self.in_steps(body, axis, clipped)
        };
        let text = if columns == rows {
            cut(rows)
        } else {
            let (columns, rows) = (cut(columns), cut(rows));
            format!("match L::ORDER {{ rt::Order::ColMajor => {columns}, rt::Order::RowMajor => {rows} }}")
        };
        self.run.line(text);
        self.run.close("}");
        self.run.close("}");
    }

    /// The row cut to a run.
    fn clipped(&self, body: &Body<'f>, run: &Run) -> String {
        let from = run.from.iter().map(|end| self.end(body, end, true));
        let to = run.to.iter().map(|end| self.end(body, end, false));
        let text = format!("row.clipped({}, {})", extreme(from, "max", "0"), extreme(to, "min", "i64::MAX"));
        let conditions: Vec<String> =
            run.conditions.iter().map(|c| format!("{} < 0", self.nest.affine(body, c))).collect();
        if conditions.is_empty() {
            return if run.from.is_empty() && run.to.is_empty() { "row".into() } else { text };
        }
        format!("if {} {{ row.clipped(0, 0) }} else {{ {text} }}", conditions.join(" || "))
    }

    /// The part of a row that fits the congruence, if there is one.
    fn in_steps(&self, body: &Body<'f>, axis: usize, row: String) -> String {
        let Some(congruence) = self.nest.maps.congruence() else { return row };
        let row = if row.starts_with("if") { format!("({{ {row} }})") } else { row };
        let text = |Congruence { form, by }: &Congruence| (self.nest.affine(body, form).text(), *by);
        match congruence.steps(axis) {
            Steps::From(same) => {
                let (first, by) = text(&same);
                format!("{row}.every({by}, {first})")
            }
            Steps::All(multiple) => {
                let (number, by) = text(&multiple);
                format!("if ({number}).rem_euclid({by}) == 0 {{ {row} }} else {{ row.clipped(0, 0) }}")
            }
        }
    }

    /// Rows in tiles.
    pub(super) fn in_tiles(&self, rows: &str) -> String {
        let [columns, by] = self.nest.loops.walks.map(|walk| walk.step);
        let step = match columns == by {
            true => by.to_string(),
            false => format!("match L::ORDER {{ rt::Order::ColMajor => {columns}, rt::Order::RowMajor => {by} }}"),
        };
        format!("rt::in_tiles({rows}, {step})")
    }

    /// The first index that a bound allows, or the one behind the last.
    fn end(&self, body: &Body<'f>, End { form, by }: &End, first: bool) -> String {
        let text = |affine: &Affine| self.nest.affine(body, affine).text();
        match (first, by) {
            (true, 1) => text(form),
            // A constant alone would be of no type that has methods.
            (true, by) => format!("-i64::div_euclid(-({}), {by})", text(form)),
            (false, 1) => text(&plus_one(form)),
            (false, by) => format!("i64::div_euclid({}, {by}) + 1", text(form)),
        }
    }
}

fn plus_one(form: &Affine) -> Affine {
    Affine { size: form.size.add_const(1), ..form.clone() }
}

/// The largest or smallest of several numbers, `usual` if there are none.
fn extreme(mut texts: impl Iterator<Item = String>, method: &str, usual: &str) -> String {
    let Some(first) = texts.next() else { return usual.to_owned() };
    texts.fold(first, |all, next| format!("i64::{method}({all}, {next})"))
}
