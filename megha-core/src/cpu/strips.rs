//! Consecutive launches that run strip by strip ([`crate::schedule::strips`]) in host code.
//!
//! Such launches are written as any others, but given to a `rt::strips::Strips`, which may note them and run them behind the last one. Memory that they
//! work on must stay till then. So a run ends where anything but a launch touches an array, or where an array ends that is as large as those whose rows are shared (to keep it
//! would take memory); the others end behind the run. The variables of what a run makes are new ones: to assign to an old one would end what is in it.
//!
//! Where a loop does nothing but launch one run, its iterations may be steps that run together: then the variable that takes the launches stands before the loop.

use crate::hash::{HashMap, HashSet};

use super::bands::Banded;
use super::body::Body;
use super::factors::Factor;
use super::kernel::Nest;
use super::storage::{Item, Slot, Storage};
use crate::ir::{Class, Func, Op, Out, Region, Size, Stmt, Sym, SymDef, Value, Walk};
use crate::schedule::default::packs;
use crate::schedule::strips::{Rows, Run, runs};
use crate::schedule::{Memory, Subject};

/// The runs of a function, except in loops that run in bands.
pub fn stripped(
    func: &Func,
    storage: &Storage<'_>,
    (bands, factors): (&HashMap<Value, Banded>, &HashMap<u32, Factor>),
) -> Vec<Stripped> {
    let mut segments = HashMap::default();
    number_segments(func, &func.body, &mut 0, &mut segments);
    let mut search =
        Search { func, storage, bands, factors, segments, declared: HashSet::default(), found: Vec::new() };
    search.items(&storage.items);
    search.found
}

/// Launches that run strip by strip.
#[derive(Debug, Clone)]
pub struct Stripped {
    /// Which, and where their rows are.
    pub run: Run,
    /// What is computed between them, or in the loop over steps.
    defined: HashSet<Value>,
    /// The counter of the loop whose iterations launch them and do nothing else with arrays, so that several go together.
    steps: Option<Value>,
}

/// Numbers kernels by the segments of the program between statements that touch arrays otherwise. The items do not tell: an element that is read is
/// written within what uses it.
fn number_segments(func: &Func, region: &Region, next: &mut usize, segments: &mut HashMap<u32, usize>) {
    for stmt in &region.stmts {
        if let Op::Kernel(kernel) = &stmt.op {
            segments.insert(kernel.id, *next);
        } else if !stmt.is_scalar_code(func) {
            *next += 1;
            for inner in stmt.op.regions() {
                number_segments(func, inner, next, segments);
                *next += 1;
            }
        }
    }
}

struct Search<'s, 'f> {
    func: &'f Func,
    storage: &'s Storage<'f>,
    bands: &'s HashMap<Value, Banded>,
    /// Copies that products on the CPU do without.
    factors: &'s HashMap<u32, Factor>,
    /// Of each kernel.
    segments: HashMap<u32, usize>,
    /// Variables that are there before they have a value.
    declared: HashSet<Slot>,
    found: Vec<Stripped>,
}

/// Launches with nothing between them that touches an array.
#[derive(Default)]
struct Launches<'f> {
    subjects: Vec<Subject<'f>>,
    /// What is computed behind the first of them.
    defined: HashSet<Value>,
    /// The most dimensions of an array that they touch.
    order: usize,
    segment: usize,
}

impl<'f> Search<'_, 'f> {
    fn items(&mut self, items: &[Item<'f>]) {
        let mut launches = Launches::default();
        for item in items {
            let goes_on = match item {
                Item::Stmt(stmt) => self.stmt(stmt, &mut launches),
                Item::Declare(slot) => {
                    self.declared.insert(*slot);
                    true
                }
                Item::Assign(list, _) => {
                    // A number of these could be a size that the run's beginning asks for.
                    list.iter().all(|transfer| {
                        let ty = self.func.ty(transfer.from);
                        ty.is_scalar() && (launches.subjects.is_empty() || ty.class != Class::Index)
                    })
                }
                Item::Free(slot) => self.storage.slots[slot.0].ty.order() < launches.order,
                // They concern devices, and where there is one launches run as they come.
                Item::Sizes(_) | Item::Plan { .. } => true,
                Item::For(_, counter, _, body) => {
                    if !self.bands.contains_key(counter) {
                        let before = self.found.len();
                        self.items(body);
                        if let [only] = &self.found[before..]
                            && let Some(defined) = self.steps(only, *counter, body)
                        {
                            self.found[before].steps = Some(*counter);
                            self.found[before].defined = defined;
                        }
                    }
                    false
                }
                Item::If(_, a, b) | Item::While(_, a, _, b) => {
                    self.items(a);
                    self.items(b);
                    false
                }
                Item::Fetch(..) | Item::FetchElement(..) | Item::Wrote(_) => false,
                Item::Break(_) | Item::Continue(_) | Item::Return(_) | Item::Unreachable => false,
            };
            if !goes_on {
                self.close(&mut launches);
            }
        }
        self.close(&mut launches);
    }

    /// Whether a statement may stand in a run; if it is a launch, it is added.
    fn stmt(&mut self, stmt: &'f Stmt, launches: &mut Launches<'f>) -> bool {
        let Op::Kernel(kernel) = &stmt.op else {
            if !launches.subjects.is_empty() {
                launches.defined.extend(&stmt.results);
            }
            return stmt.is_scalar_code(self.func);
        };
        let segment = self.segments.get(&kernel.id).copied().unwrap_or_default();
        if segment != launches.segment {
            self.close(launches);
            launches.segment = segment;
        }
        let is_new = |value: Value| {
            let slot = self.storage.slot(value).filter(|slot| !self.declared.contains(slot));
            slot.is_some_and(|slot| self.storage.slots[slot.0].first == value)
        };
        let fits = kernel.outs.iter().zip(&stmt.results).all(|(out, result)| match out {
            Out::Fresh => is_new(*result),
            Out::Reduce(..) => is_new(*result) && !self.func.ty(*result).is_scalar(),
            Out::Update(_) => true,
        });
        let subject = Subject::of(self.func, stmt, kernel);
        // In each strip a kernel would pack anew what all rows share.
        let packs = || Memory::ALL.iter().any(|memory| packs(&subject, *memory));
        let fits = fits
            && !self.factors.contains_key(&kernel.id)
            && !stmt.op.has_effect()
            && subject.maps.bounds().is_empty()
            && !packs();
        if fits {
            let orders = subject.arrays().into_iter().map(|mem| subject.ty(mem).order());
            launches.order = orders.fold(launches.order, usize::max);
            launches.subjects.push(subject);
        }
        fits
    }

    /// What a loop computes whose iterations are steps of a run: they launch its kernels, which update arrays, and only compute numbers beside that; and first rows
    /// never fall.
    fn steps(&self, Stripped { run, .. }: &Stripped, counter: Value, body: &[Item<'f>]) -> Option<HashSet<Value>> {
        // The items do not tell of elements that are read within what uses them.
        let touches_else = |stmt: &Stmt| !matches!(stmt.op, Op::Kernel(_)) && !stmt.is_scalar_code(self.func);
        let (mut is_only, mut defined) = (false, HashSet::default());
        self.func.body.walk(&mut |stmt| {
            if let Op::For { body, .. } = &stmt.op
                && body.params.first() == Some(&counter)
            {
                is_only = !body.stmts.iter().any(touches_else);
                // the counter, and what is carried from step to step
                defined.extend(&body.params);
            }
            Walk::Advance
        });
        is_only.then_some(())?;
        let mut launched = Vec::new();
        for item in body {
            match item {
                Item::Stmt(Stmt { op: Op::Kernel(kernel), .. }) => {
                    let updates = kernel.outs.iter().all(|out| matches!(out, Out::Update(_)));
                    updates.then(|| launched.push(kernel.id))?;
                }
                Item::Stmt(stmt) => {
                    (stmt.is_scalar_code(self.func) && !stmt.op.has_effect()).then(|| defined.extend(&stmt.results))?;
                }
                Item::Declare(slot) => self.slot_is_scalar(*slot).then_some(())?,
                Item::Assign(list, _) => {
                    list.iter().all(|transfer| self.func.ty(transfer.from).is_scalar()).then_some(())?;
                }
                Item::Sizes(values) => defined.extend(values),
                Item::Plan { .. } => {}
                Item::Free(_)
                | Item::For(..)
                | Item::If(..)
                | Item::While(..)
                | Item::Fetch(..)
                | Item::FetchElement(..)
                | Item::Wrote(_)
                | Item::Break(_)
                | Item::Continue(_)
                | Item::Return(_)
                | Item::Unreachable => return None,
            }
        }
        let symbols = &self.func.symbols;
        let is_known = |size: &Size| {
            let mut all = size.symbols();
            all.all(|sym| symbols.is_known(sym, &|value| !defined.contains(&value)))
        };
        let is_counter = |sym: Sym| symbols.get(sym).def == SymDef::Value(counter);
        let never_falls = |first: &Size| {
            first.terms().all(|(monomial, by)| match &monomial[..] {
                [only] if is_counter(*only) => by > 0,
                several => several.iter().all(|sym| is_known(&Size::sym(*sym))),
            })
        };
        let holds = run.rows.iter().all(|rows| {
            rows.settled.as_ref().is_some_and(is_known) && rows.launches.iter().all(|(_, first)| never_falls(first))
        });
        (holds && launched == run.kernels).then_some(defined)
    }

    fn slot_is_scalar(&self, slot: Slot) -> bool {
        self.storage.slots[slot.0].ty.is_scalar()
    }

    fn close(&mut self, launches: &mut Launches<'f>) {
        let Launches { subjects, defined, .. } = std::mem::take(launches);
        let number = |value: Value| self.storage.slot(value).map(|slot| slot.0);
        let found = runs(&subjects, &number).into_iter();
        self.found.extend(found.map(|run| Stripped { run, defined: defined.clone(), steps: None }));
    }
}

impl Stripped {
    /// Whether this is a run of which the iterations of a loop are steps.
    pub fn is_in_steps(&self, counter: Value) -> bool {
        self.steps == Some(counter)
    }

    /// Writes what stands before the loop whose iterations are steps, and gives the variable that takes the launches.
    pub fn before_steps(&self, body: &mut Body<'_>) -> String {
        let of = |rows: &Rows| rows.settled.as_ref().map_or_else(|| "None".to_owned(), |all| shared(rows, all, body));
        let shared = self.run.rows.each_ref().map(of);
        self.declare(("over_steps", shared), body)
    }

    /// Declares the variable that takes the launches.
    fn declare(&self, (new, shared): (&str, [String; 2]), body: &mut Body<'_>) -> String {
        let strips = body.names.fresh("strips");
        let symbols = &body.func.symbols;
        let is_known = |value: &&Value| {
            let mut known = body.func.ty(**value).dims.iter().flat_map(|dim| dim.symbols());
            known.all(|sym| symbols.is_known(sym, &|value| !self.defined.contains(&value)))
        };
        let bytes = self.run.arrays.iter().filter(is_known).map(|value| {
            let ty = body.func.ty(*value);
            format!("({}, &{})", ty.class.bytes(), body.shape(&ty.dims))
        });
        let bytes: Vec<String> = bytes.collect();
        body.code.line(format!(
            "let mut {strips} = rt::strips::Strips::{new}::<L>([{}], rt::bands::bytes(&[{}]));",
            shared.join(", "),
            bytes.join(", ")
        ));
        strips
    }
}

/// What is said of rows, of which there are so many.
fn shared(rows: &Rows, count: &Size, body: &Body<'_>) -> String {
    format!("Some(rt::strips::Shared {{ rows: {}, adjacent: {} }})", body.extent(count), rows.adjacent)
}

/// The run that is being written.
pub struct Open {
    launches: Run,
    /// The variable that takes the launches.
    strips: String,
    /// The lines that stand behind the run.
    behind: Vec<String>,
    /// Whether each run is a step of a loop.
    in_steps: bool,
}

impl Open {
    /// Writes what stands before a run whose first launch is that of `nest`.
    pub fn begin(stripped: &Stripped, nest: &Nest<'_>, body: &mut Body<'_>) -> Self {
        let of = |rows: &Rows| shared(rows, &nest.kernel.domain[rows.launches[0].0], body);
        let shared = stripped.run.rows.each_ref().map(of);
        let strips = stripped.declare((if stripped.run.combines { "combining" } else { "new" }, shared), body);
        Self { launches: stripped.run.clone(), strips, behind: Vec::new(), in_steps: false }
    }

    /// A run that is a step of a loop before which [`Stripped::before_steps`] has declared this variable.
    pub fn step(stripped: &Stripped, strips: String) -> Self {
        Self { launches: stripped.run.clone(), strips, behind: Vec::new(), in_steps: true }
    }

    /// Whether this is the last launch.
    pub fn is_last(&self, kernel: u32) -> bool {
        self.launches.kernels.last() == Some(&kernel)
    }

    /// Writes what stands behind the last launch.
    pub fn end(self, body: &mut Body<'_>) {
        body.code.line(if self.in_steps { format!("{}.step();", self.strips) } else { self.run() });
        self.behind.into_iter().for_each(|line| body.code.line(line));
    }

    /// Runs the launches so far.
    pub fn run(&self) -> String {
        format!("{}.run();", self.strips)
    }

    /// Puts a line behind the run.
    pub fn defer(&mut self, line: String) {
        self.behind.push(line);
    }

    /// The condition under which a launch would run where it stands.
    pub fn runs_at_once(&self) -> String {
        format!("!{}.defers()", self.strips)
    }

    /// The partial results of a reduction.
    pub fn partials(&self, class: &str) -> String {
        format!("{}.partials::<{class}>(space)", self.strips)
    }

    /// The results of a reduction, of this operation, class and rank, which are behind the run if the launches are.
    pub fn combined(
        &mut self,
        partials: &str,
        (op, class, rank): (&str, &str, usize),
        (shape, site): (&str, &str),
    ) -> String {
        self.defer(format!("{partials}.complete({site})?;"));
        let strips = &self.strips;
        format!("{strips}.combine::<rt::reduce::{op}, {class}, L, {rank}>(&mut {partials}, along, {shape}, {site})?")
    }

    /// Where the rows of a reduction are.
    pub fn along(&self, nest: &Nest<'_>, body: &Body<'_>) -> Option<String> {
        let launch = self.place(nest)?;
        let nests = nest.nests();
        let of = |memory: usize| {
            let axis = self.launches.rows[memory].launches[launch].0;
            let Some(at) = nests[memory].outer.iter().position(|outer| *outer == axis) else {
                return "rt::strips::Along::Neighbours".to_owned();
            };
            let before: Vec<String> =
                nests[memory].outer[..at].iter().map(|outer| body.extent(&nest.kernel.domain[*outer])).collect();
            let before = if before.is_empty() { "1".to_owned() } else { before.join(" * ") };
            let rows = body.extent(&nest.kernel.domain[axis]);
            format!("rt::strips::Along::Outer {{ before: {before}, rows: {rows} }}")
        };
        let [columns, rows] = [0, 1].map(of);
        if columns == rows {
            return Some(columns);
        }
        Some(format!("match L::ORDER {{ rt::Order::ColMajor => {columns}, rt::Order::RowMajor => {rows} }}"))
    }

    /// The launch of a kernel, which is in the variable `kernel`.
    pub fn launch(&self, nest: &Nest<'_>, body: &Body<'_>, (domain, weight): (&str, &str)) -> Option<String> {
        let (strips, launch) = (&self.strips, self.place(nest)?);
        if nest.reduced().is_some() {
            return Some(format!("unsafe {{ {strips}.reduce((space, {weight}), along, kernel) }};"));
        }
        let places = [0, 1].map(|memory| {
            let (axis, first) = &self.launches.rows[memory].launches[launch];
            (nest.loops.orders[memory].iter().position(|own| own == axis), body.size(first).text())
        });
        let [(Some(columns), first), (Some(rows), second)] = places else { return None };
        let rows = format!("rt::strips::Rows {{ axis: [{columns}, {rows}], first: [{first}, {second}] }}");
        Some(format!("unsafe {{ {strips}.launch((kernel.extents, {domain}, {weight}), {rows}, kernel) }};"))
    }

    fn place(&self, nest: &Nest<'_>) -> Option<usize> {
        self.launches.kernels.iter().position(|kernel| *kernel == nest.kernel.id)
    }
}
