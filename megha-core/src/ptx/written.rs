//! The entries of a kernel as they are written: code and what the plan says of it, for both orders of memory, for each way to run it.

use super::cost;
use super::entry::{Entry, Finished, Source};
use super::print::EntryCode;
use super::scheduled::Form;
use crate::schedule::{Memory, Optimisation, Schedule};
use megha_base::plan::{self, Check, Cost, Grid};

/// An entry's code and what its plan says.
pub(super) struct Written {
    code: EntryCode,
    params: Vec<plan::Param>,
    strides: Vec<plan::Stride>,
    checks: Vec<Check>,
    grid: Grid,
    cost: Option<Cost>,
}

impl Written {
    pub(super) fn of(
        mut entry: Entry<'_, '_>,
        grid: impl FnOnce(&mut Entry<'_, '_>) -> Result<Grid, String>,
    ) -> Result<Self, String> {
        let grid = grid(&mut entry)?;
        let Finished { code, params, strides, checks } = entry.finish()?;
        Ok(Self { code, params, strides, checks, grid, cost: None })
    }

    /// One of the first entries of a kernel, among which launches choose.
    fn first(source: &Source<'_>, schedule: &Schedule) -> Result<(Self, Form), String> {
        let form = Form::of(schedule, &source.subject)?;
        let mut written = Self::of(Entry::new(source, schedule.memory), |entry| first(entry, &form))?;
        written.cost = cost::cost(&source.subject, schedule.memory, &form, &written.code);
        Ok((written, form))
    }

    fn plan(&self, name: &str) -> plan::Entry {
        plan::Entry {
            name: name.to_owned(),
            params: self.params.clone(),
            strides: self.strides.clone(),
            grid: self.grid.clone(),
            shared_bytes: self.code.shared.iter().sum(),
            cost: self.cost,
        }
    }
}

/// The first entry of a kernel.
fn first(entry: &mut Entry<'_, '_>, form: &Form) -> Result<Grid, String> {
    match form {
        Form::Points(points) => entry.points(points),
        Form::Neighbouring(neighbours) => entry.neighbouring_points(neighbours),
        Form::Warps(loops) => entry.reduction(loops, false),
        Form::Neighbours(loops) => entry.reduction(loops, true),
        Form::Lines(axes) => entry.rows(axes),
        Form::Tiles(tiled) => entry.points_in_tiles(tiled),
        Form::Turned(tiles) => entry.points_in_turned_tiles(tiles),
        Form::Halos(each) => entry.points_with_halos(*each),
    }
}

/// What is written for both orders of memory, columns first.
pub(super) struct Both {
    pub(super) entries: [plan::Entry; 2],
    pub(super) checks: Vec<Check>,
    /// The code of each entry once.
    pub(super) code: Vec<(String, EntryCode)>,
}

impl Both {
    /// The entries for both orders, which are one where these do the same.
    pub(super) fn of(written: Vec<Written>, name: &str) -> Result<Self, String> {
        let Ok([columns, rows]) = <[Written; 2]>::try_from(written) else {
            return Err("not two orders of memory".into());
        };
        let alike = columns.code == rows.code && columns.plan(name) == rows.plan(name);
        if alike {
            let entry = columns.plan(name);
            let code = vec![(entry.name.clone(), columns.code)];
            return Ok(Self { entries: [entry.clone(), entry], checks: columns.checks, code });
        }
        let entries = [columns.plan(&format!("{name}_c")), rows.plan(&format!("{name}_r"))];
        let names = entries.each_ref().map(|entry| entry.name.clone());
        let code = names.into_iter().zip([columns.code, rows.code]).collect();
        Ok(Self { entries, checks: columns.checks, code })
    }
}

/// A way to run a kernel, in both orders of memory.
pub(super) struct Way {
    pub(super) both: Both,
    pub(super) forms: Vec<Form>,
    /// Of a reduction, the entries that combine the partial results too.
    pub(super) finish: Option<Both>,
}

impl Way {
    /// The way of two schedules. Only where it `is_chosen` among others it has a cost.
    pub(super) fn of(
        source: &Source<'_>,
        (schedules, name): ([&Schedule; 2], &str),
        is_chosen: bool,
    ) -> Result<Self, String> {
        let (mut first, mut forms, mut finish) = (Vec::new(), Vec::new(), Vec::new());
        for schedule in schedules {
            let (mut written, form) = Written::first(source, schedule)?;
            written.cost = written.cost.filter(|_| is_chosen);
            first.push(written);
            let combines = source.optimisations.has(Optimisation::OneLaunch);
            if let (Form::Warps(loops) | Form::Neighbours(loops), true) = (&form, combines) {
                let entry = Entry::new(source, schedule.memory);
                let across = matches!(form, Form::Neighbours(_));
                finish.push(Written::of(entry, |entry| entry.finished_reduction(loops, across))?);
            }
            forms.push(form);
        }
        let finish = (!finish.is_empty()).then(|| Both::of(finish, &format!("{name}_finish"))).transpose()?;
        Ok(Self { both: Both::of(first, name)?, forms, finish })
    }
}

/// The entries that combine partial results, if these forms are those of a reduction. Partial results lie as every way to run it leaves them. They are numbered in the
/// order of memory, so each order has its own entry where several loops number the results.
pub(super) fn combined(source: &Source<'_>, forms: &[Form], name: &str) -> Result<Option<Both>, String> {
    let mut written = Vec::new();
    for (memory, form) in Memory::ALL.into_iter().zip(forms) {
        if let Form::Warps(loops) | Form::Neighbours(loops) = form {
            written.push(Written::of(Entry::new(source, memory), |entry| entry.combination(loops))?);
        }
    }
    (!written.is_empty()).then(|| Both::of(written, name)).transpose()
}
