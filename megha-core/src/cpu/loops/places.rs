//! Where the elements of a kernel's accesses lie, from one iteration of its innermost loop to the next.

use crate::hash::HashMap;

use super::{Kind, Outside, Writer, is_linear};
use crate::cpu::body::{Body, Place, padded};
use crate::cpu::expr::{Expr, rust_type};
use crate::cpu::kernel::{Reach, reach};
use crate::ir::{Mem, Op, Value};
use crate::schedule::access::{Access, Affine};

/// The names of what accesses go through: the array, the name and the subscripts of the first point, `None` for the whole array.
pub(super) type Rows = Vec<(Mem, String, Option<String>)>;

/// Subscripts as they stand between brackets.
pub(super) fn texts(subscripts: &[Expr]) -> String {
    subscripts.iter().map(Expr::text).collect::<Vec<_>>().join(", ")
}

impl<'n, 'f> Writer<'n, 'f> {
    /// Decides how each load and store is done, and names what that takes.
    pub(super) fn places(&mut self, body: &mut Body<'f>) -> HashMap<*const Op, Place> {
        let mut places = HashMap::default();
        let mut rows = Rows::new();
        // A slice of a written array is the only way to its elements as long as it lives: where some access of the array needs
        // subscripts at each point, or two slices may have an element in common, all have them.
        let written = |a: &&Access<'f>| matches!(a.mem, Mem::Out(_)) && !a.unwritten && self.kept_place(a.op).is_none();
        let written: Vec<&Access<'f>> = self.nest.accesses.iter().filter(written).collect();
        let general = |a: &&&Access<'f>| {
            let meets = |b: &&Access<'f>| a.mem == b.mem && a.map != b.map && !self.are_apart(a, b);
            self.reach_here(body, a) == Reach::General || written.iter().any(meets)
        };
        let pointed: Vec<Mem> = written.iter().filter(general).map(|a| a.mem).collect();
        for access in &self.nest.accesses {
            let pointed = pointed.contains(&access.mem) && !access.unwritten;
            let reach = if pointed { Reach::General } else { self.reach_here(body, access) };
            let place = match self.kept_place(access.op) {
                Some(kept) => kept,
                None => self.place(body, access, reach, &mut rows),
            };
            places.insert(std::ptr::from_ref(access.op), place);
        }
        self.step_places(body, &places, &mut rows);
        places
    }

    /// The places of accesses where several iterations of a loop, and several rows, run at a time: what moves with them is reached by
    /// subscripts at each point.
    fn step_places(&mut self, body: &mut Body<'f>, places: &HashMap<*const Op, Place>, rows: &mut Rows) {
        let inside = self.stepped.clone();
        for (op, counters) in inside {
            let Some(access) = self.nest.accesses.iter().find(|a| std::ptr::from_ref(a.op) == op) else { continue };
            let is_general = matches!(places.get(&op), Some(Place::General(..)));
            if self.kept_place(access.op).is_some() || !(is_general || self.moves(access, &counters)) {
                continue;
            }
            let (Some(at), Some(array)) = (self.subscripts(body, access), self.nest.array(access.mem)) else {
                continue;
            };
            let linear = is_linear(self.nest, access);
            let at = match &at[..] {
                [one] if linear => one.clone(),
                _ => Expr::List(at),
            };
            let field = array.name.clone();
            let name = self.whole(body, access.mem, &field, rows);
            self.step_places.insert(op, Place::At(name, at, linear));
        }
    }

    /// Whether the runs of two accesses to one array never meet: in some dimension in which they do not move, they are a number apart.
    fn are_apart(&self, a: &Access<'f>, b: &Access<'f>) -> bool {
        let (Some(a), Some(b)) = (&a.map, &b.map) else { return false };
        let apart = |(a, b): (&Affine, &Affine)| {
            let still = self.nest.loops.walks.iter().all(|walk| a.coeffs.get(walk.axis).is_none_or(|c| *c == 0));
            let distance = a.size.sub(&b.size).as_constant();
            still && a.coeffs == b.coeffs && a.uniform == b.uniform && distance.is_some_and(|d| d != 0)
        };
        a.len() == b.len() && a.iter().zip(b).any(apart)
    }

    /// Whether an access moves with one of these counters, or with the loop over rows where several run at a time.
    fn moves(&self, access: &Access<'f>, counters: &[Value]) -> bool {
        let Some(map) = &access.map else { return true };
        let mut within = Vec::new();
        map.iter().flat_map(|a| &a.uniform).for_each(|(value, _)| self.nest.maps.counters_in(*value, &mut within));
        let rows = self.row_axes().into_iter().flatten();
        let with_rows = rows.into_iter().any(|axis| map.iter().any(|a| a.coeffs[axis] != 0));
        with_rows || within.iter().any(|counter| counters.contains(counter))
    }

    /// How the run reaches the elements, from outside the loop over points.
    fn reach_here(&self, body: &Body<'f>, access: &Access<'f>) -> Reach {
        let Some(array) = self.nest.array(access.mem) else { return Reach::General };
        // A counter that has no name yet belongs to a loop inside the loop over points.
        let mut counters = Vec::new();
        let uniform = || access.map.iter().flatten().flat_map(|a| &a.uniform);
        uniform().for_each(|(value, _)| self.nest.maps.counters_in(*value, &mut counters));
        let outside = counters.iter().all(|counter| body.vars.contains_key(counter));
        if outside { reach(access, &array.ty, &self.nest.loops.walks) } else { Reach::General }
    }

    /// The subscripts of an access in the numbers of loops.
    pub(super) fn subscripts(&self, body: &Body<'f>, access: &Access<'f>) -> Option<Vec<Expr>> {
        let ty = &self.nest.array(access.mem)?.ty;
        let map = access.map.as_ref().or(access.turned.as_ref())?;
        let numbers: Vec<Expr> = map.iter().map(|a| self.nest.affine(body, a)).collect();
        Some(padded(&numbers, ty, &Expr::Number("0".into(), None)))
    }

    fn place(&mut self, body: &mut Body<'f>, access: &Access<'f>, reach: Reach, rows: &mut Rows) -> Place {
        let Some(array) = self.nest.array(access.mem) else { return Place::Uniform("missing".into()) };
        let (class, field, written) = (array.ty.class, array.name.clone(), array.written && !access.unwritten);
        let at = self.subscripts(body, access);
        if let Some(at) = at.filter(|_| reach != Reach::General) {
            let (text, row) = (texts(&at), reach != Reach::Uniform);
            let key = Some(if reach == Reach::Row { text.clone() } else { format!("{reach:?} {text}") });
            let found = rows.iter().find(|(m, _, t)| *m == access.mem && *t == key).map(|(_, n, _)| n.clone());
            let name = found.unwrap_or_else(|| {
                let name = self.name_row(body, &field, rows);
                rows.push((access.mem, name.clone(), key));
                let method = match reach {
                    Reach::Turned([columns, rows]) => {
                        let tile = body.names.fresh(&format!("{field}_turned"));
                        self.lanes.push((tile.clone(), class));
                        format!("turned([{text}], [{columns}, {rows}], len, &mut {tile})")
                    }
                    Reach::Row if access.unwritten => format!("unwritten([{text}], len)"),
                    _ if row => format!("along([{text}], len)"),
                    _ => format!("at([{text}])"),
                };
                let kind = match (row, written) {
                    (true, true) => Kind::RowOut(class),
                    (true, false) => Kind::RowIn(class),
                    _ => Kind::Scalar(rust_type(class).into()),
                };
                let fetch = Some(format!("let {name} = unsafe {{ self.{field}.{method} }};"));
                let copied = matches!(reach, Reach::Turned(_));
                self.outside.push(Outside { name: name.clone(), kind, fetch, copied, pass: None });
                name
            });
            return if row { Place::Row(name) } else { Place::Uniform(name) };
        }
        Place::General(self.whole(body, access.mem, &field, rows), is_linear(self.nest, access))
    }

    /// The name by which loops over points know an array as a whole.
    fn whole(&mut self, body: &mut Body<'f>, mem: Mem, field: &str, rows: &mut Rows) -> String {
        if let Some((_, name, _)) = rows.iter().find(|(m, _, t)| *m == mem && t.is_none()) {
            return name.clone();
        }
        let name = body.names.fresh(&format!("{field}_"));
        rows.push((mem, name.clone(), None));
        if let Some(array) = self.nest.array(mem) {
            let ty = array.ty.clone();
            let kind = if array.written { Kind::Out(ty) } else { Kind::View(ty) };
            self.outside.push(Outside { pass: Some(format!("self.{field}")), ..Outside::given(name.clone(), kind) });
        }
        name
    }
}
