//! Where the elements of a kernel's accesses lie, from one iteration of its innermost loop to the next.

use crate::hash::HashMap;

use super::{Kind, Outside, Writer, rank_of};
use crate::cpu::body::{Body, Place, padded};
use crate::cpu::expr::rust_type;
use crate::cpu::kernel::{Reach, reach};
use crate::ir::{Mem, Op};
use crate::schedule::access::Access;

impl<'n, 'f> Writer<'n, 'f> {
    /// Decides how each load and store is done, and names what that takes.
    pub(super) fn places(&mut self, body: &mut Body<'f>) -> HashMap<*const Op, Place> {
        let mut places = HashMap::default();
        let mut rows: Vec<(Mem, String, Option<String>)> = Vec::new();
        // A slice of a written array is the only way to its elements as long as it lives: where some access of the array needs
        // subscripts at each point, all have them.
        let written = |a: &&Access<'f>| matches!(a.mem, Mem::Out(_));
        let general = |a: &&Access<'f>| self.reach_here(body, a) == Reach::General;
        let pointed: Vec<Mem> = self.nest.accesses.iter().filter(written).filter(general).map(|a| a.mem).collect();
        for access in &self.nest.accesses {
            let reach = if pointed.contains(&access.mem) { Reach::General } else { self.reach_here(body, access) };
            let place = self.place(body, access, reach, &mut rows);
            places.insert(std::ptr::from_ref(access.op), place);
        }
        places
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

    fn place(
        &mut self,
        body: &mut Body<'f>,
        access: &Access<'f>,
        reach: Reach,
        rows: &mut Vec<(Mem, String, Option<String>)>,
    ) -> Place {
        let Some(array) = self.nest.array(access.mem) else { return Place::Uniform("missing".into()) };
        let (ty, field, written) = (array.ty.clone(), array.name.clone(), array.written);
        let linear = matches!(&access.map, Some(map) if map.len() == 1 && rank_of(&ty) > 1)
            || matches!(access.op, Op::Load(_, s) | Op::Put(_, s, _) if s.len() == 1 && rank_of(&ty) > 1);
        let at = access.map.as_ref().map(|map| {
            let texts: Vec<String> = map.iter().map(|a| self.nest.affine(body, a).text()).collect();
            padded(&texts, &ty, &"0".to_owned())
        });
        let class = ty.class;
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
}
