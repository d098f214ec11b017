//! MATLAB basic blocks for the decision where their kernels run (MEGHA, section 3.2.3).
//!
//! A block begins at a kernel that a device can run, or at a matrix product, and ends where control does, or where a size appears that is not known when the
//! block begins. The run-time system gets its arrays and statements ([`megha_base::plan::block`]); [`Item::Plan`] is where it decides. A
//! kernel that need not wait for all that is before it says what its launch passes, if that is known when the block begins: a device can
//! start it while the host is still at what comes first. Numbers that can be computed before a block are computed before it, so that more
//! sizes are known when it begins, and the lengths of loops behind it, of whose first block it knows ([`lookahead`]).

use crate::hash::{HashMap, HashSet};

use super::bands::Banded;
use super::device::Kernels;
use super::inline::Inlined;
use super::liveness::used_by;
use super::sized::Origin;
use super::storage::{Item, Rounds, Slot, Storage};
use super::transfer::{How, Transfer};
use crate::ir::{Func, FuncId, Op, Size, Stmt, Sub, Sym, Type, Value};
use megha_base::plan::block::{Block, Data, Form, Next, Node, Task};
use megha_base::plan::{Grid, Role, SizeExpr};

mod following;
mod lookahead;
mod passed;
mod work;
pub use passed::Given;
use work::Work;

/// Puts the decisions among the items of a function, and their blocks into `kernels`.
pub fn place<'f>(
    (id, func): (FuncId, &'f Func),
    (inlined, banded): (&Inlined<'f>, &HashMap<Value, Banded>),
    storage: &mut Storage<'f>,
    kernels: &mut Kernels,
) {
    let items = std::mem::take(&mut storage.items);
    let mut fetched = HashSet::default();
    read_on_host(&items, storage, &mut fetched);
    let seen = func.params.iter().map(|param| (param.value, 0)).collect();
    let mut walk = Walk { id, func, inlined, banded, storage, kernels, fetched, rounds: Rounds::default(), seen };
    storage.items = walk.items(items);
}

/// The variables that the host reads somewhere.
fn read_on_host(items: &[Item<'_>], storage: &Storage<'_>, out: &mut HashSet<Slot>) {
    for item in items {
        match item {
            Item::Fetch(slot, _) => drop(out.insert(*slot)),
            Item::Return(values) => out.extend(values.iter().filter_map(|(v, _)| storage.slot(*v))),
            Item::If(_, a, b) | Item::While(_, a, _, b) => {
                read_on_host(a, storage, out);
                read_on_host(b, storage, out);
            }
            Item::For(_, _, _, body) => read_on_host(body, storage, out),
            _ => {}
        }
    }
}

/// A block under construction.
struct Building {
    /// Where among the items it begins.
    at: usize,
    block: Block,
    /// The number of the array in a variable.
    of: HashMap<Slot, usize>,
    /// The variables whose arrays exist before the block, by the arrays' numbers.
    before: Vec<Slot>,
    symbols: Vec<Sym>,
    /// The values that the block's statements define.
    defined: HashSet<Value>,
    /// Whether variables changed hands: from then on a value may be in another variable than when the block began.
    assigned: bool,
    /// The nodes that may begin early as far as that goes.
    candidates: Vec<usize>,
}

impl Building {
    fn new(at: usize) -> Building {
        Building {
            at,
            block: Block::default(),
            of: HashMap::default(),
            before: Vec::new(),
            symbols: Vec::new(),
            defined: HashSet::default(),
            assigned: false,
            candidates: Vec::new(),
        }
    }

    /// The number of a symbol, which is the block's from then on.
    fn symbol(&mut self, sym: Sym) -> usize {
        self.symbols.iter().position(|known| *known == sym).unwrap_or_else(|| {
            self.symbols.push(sym);
            self.symbols.len() - 1
        })
    }
}

struct Walk<'w, 'f> {
    id: FuncId,
    func: &'f Func,
    inlined: &'w Inlined<'f>,
    banded: &'w HashMap<Value, Banded>,
    storage: &'w Storage<'f>,
    kernels: &'w mut Kernels,
    fetched: HashSet<Slot>,
    /// The loops around the place.
    rounds: Rounds,
    /// The values that statements have defined so far, and how many there were before.
    seen: HashMap<Value, usize>,
}

impl<'f> Walk<'_, 'f> {
    fn items(&mut self, list: Vec<Item<'f>>) -> Vec<Item<'f>> {
        let mut out = Vec::new();
        let mut open: Option<Building> = None;
        let mut rest = list.into_iter();
        while let Some(item) = rest.next() {
            if matches!(item, Item::If(..) | Item::While(..)) {
                self.close(&mut open, &mut out, &[]);
            }
            match item {
                Item::Stmt(stmt) => self.stmt(stmt, &mut open, &mut out, rest.as_slice()),
                Item::Assign(list, defines) => {
                    if let Some(building) = &mut open {
                        self.assign(&list, building);
                        building.assigned = true;
                    }
                    out.push(Item::Assign(list, defines));
                }
                Item::Free(slot) => {
                    if let Some(building) = &mut open {
                        building.of.remove(&slot);
                    }
                    out.push(Item::Free(slot));
                }
                Item::If(cond, then, els) => {
                    let (then, els) = (self.items(then), self.items(els));
                    out.push(Item::If(cond, then, els));
                }
                Item::For(label, counter, trip, body) => {
                    let before = self.seen.len();
                    let body = self.looped(Some((trip, counter)), |walk| walk.items(body));
                    let rounds = open.as_mut().map(|building| self.look_ahead(building, before, (trip, &body)));
                    self.close_into(&mut open, &mut out, rounds.unwrap_or_default());
                    out.push(Item::For(label, counter, trip, body));
                }
                Item::While(label, test, cond, body) => {
                    let (test, body) = self.looped(None, |walk| (walk.items(test), walk.items(body)));
                    out.push(Item::While(label, test, cond, body));
                }
                Item::Return(values) => {
                    let returns = [Item::Return(values)];
                    self.close(&mut open, &mut out, &returns);
                    out.extend(returns);
                }
                item => out.push(item),
            }
        }
        self.close(&mut open, &mut out, &[]);
        out
    }

    /// What a loop holds: one that counts, if it has a number of iterations and a counter.
    fn looped<R>(&mut self, counts: Option<(Value, Value)>, walk: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.rounds.clone();
        // a number that is an element of an array may be on the device
        let known = counts.filter(|(trip, _)| {
            let mut reads = Vec::new();
            self.reads(*trip, &mut reads);
            reads.is_empty()
        });
        match known {
            Some(counted) => self.rounds.counted.push(counted),
            None => self.rounds = Rounds { conditional: true, ..Rounds::default() },
        }
        let result = walk(self);
        self.rounds = outer;
        result
    }

    fn array(&self, value: Value) -> Option<Slot> {
        if self.func.ty(value).is_scalar() { None } else { self.storage.slot(value) }
    }

    /// The arrays that an expression for the value reads.
    fn reads(&self, value: Value, out: &mut Vec<Value>) {
        match self.inlined.get(value) {
            Some(op) => op.for_each_operand(&mut |v| self.reads(v, out)),
            None if self.array(value).is_some() => out.push(value),
            None => {}
        }
    }

    /// Whether a size was known when the block began; the statement that defines `own` is not part of it yet.
    fn known(&self, size: &Size, building: &Building, own: &[Value]) -> bool {
        let before = |value: Value| !building.defined.contains(&value) && !own.contains(&value);
        size.symbols().all(|sym| self.func.symbols.is_known(sym, &before))
    }

    fn stmt(&mut self, stmt: &'f Stmt, open: &mut Option<Building>, out: &mut Vec<Item<'f>>, rest: &[Item<'f>]) {
        for result in &stmt.results {
            self.seen.insert(*result, self.seen.len());
        }
        if let Some(building) = open.as_mut().filter(|building| self.is_before(stmt, building)) {
            out.insert(building.at, Item::Stmt(stmt));
            building.at += 1;
            return;
        }
        let task = self.task(stmt);
        let mut operands = Vec::new();
        used_by(&stmt.op, &mut operands);
        let mut touched = Vec::new();
        operands.iter().for_each(|v| self.reads(*v, &mut touched));
        let results: Vec<Value> = stmt.results.iter().copied().filter(|r| self.array(*r).is_some()).collect();
        let fits = |walk: &Self, building: &Building| {
            let mut arrays = touched.iter().chain(&results).flat_map(|v| &walk.func.ty(*v).dims);
            let work = work::of(walk.func, stmt).work;
            arrays.all(|d| walk.known(d, building, &stmt.results)) && walk.known(&work, building, &[])
        };
        if open.as_ref().is_some_and(|building| !fits(self, building)) {
            // the statement itself may use what the block leaves
            let unknown = touched.iter().chain(&results).filter_map(|v| self.array(*v)).collect::<HashSet<_>>();
            self.close_before(open, out, (rest, &unknown));
        }
        if open.is_none() && task.is_offered() {
            *open = Some(Building::new(out.len()));
        }
        if let Some(building) = open {
            match task {
                _ if matches!(stmt.op, Op::Reshape(_)) && self.storage.keeps_memory(stmt) => {
                    self.reshape(building, stmt)
                }
                Task::Kernel(number) => self.kernel(building, stmt, number, &touched),
                Task::Product(_) => self.product(building, stmt, task, &touched),
                Task::Host | Task::Memory => self.host(building, stmt, task, (&touched, &results)),
            }
            building.defined.extend(&stmt.results);
        }
        out.push(Item::Stmt(stmt));
    }

    /// Who can do a statement. An array that is filled, or gets the sizes that it has, is made where it is needed.
    fn task(&self, stmt: &Stmt) -> Task {
        match &stmt.op {
            Op::Fill(_) | Op::FillAround { .. } => Task::Memory,
            Op::Resize(_) if self.storage.keeps_memory(stmt) => Task::Memory,
            _ => self.kernels.task(self.id, stmt),
        }
    }

    /// An array in other sizes is the array that it was.
    fn reshape(&self, building: &mut Building, stmt: &Stmt) {
        let Op::Reshape(array) = &stmt.op else { return };
        let array = if self.storage.reshapes_variable(stmt) { stmt.results[0] } else { *array };
        if let (Some(number), Some(slot)) = (self.existing(building, array), self.array(stmt.results[0])) {
            building.of.insert(slot, number);
        }
    }

    /// Adds a statement of the host, or one of memory alone, if it matters where arrays are or whether the call goes on.
    fn host(&self, building: &mut Building, stmt: &Stmt, task: Task, (reads, results): (&[Value], &[Value])) {
        let (node, _) = self.node(building, reads, results);
        let work = self.size(building, &work::of(self.func, stmt).work);
        let node = Node { task, guards: guards(&stmt.op), work, ..node };
        if node.guards || !node.reads.is_empty() || !node.writes.is_empty() {
            building.block.nodes.push(node);
        }
    }

    /// Adds a kernel that a device can run. The host reads the numbers to which it reduces at once.
    fn kernel(&self, building: &mut Building, stmt: &Stmt, number: usize, reads: &[Value]) {
        let plan = self.kernels.plan(number);
        let inputs = plan.arrays.iter().filter(|array| array.role == Role::In);
        let inputs: Option<Vec<usize>> = inputs.map(|a| self.existing(building, Value::new(a.value))).collect();
        let (node, made) = self.node(building, reads, &stmt.results);
        let form = match plan.entries[0].grid {
            Grid::Points(_) => Form::Points,
            Grid::Rows { .. } => Form::Lines(self.size(building, &work::longest(self.func, stmt))),
            _ => Form::Reduction,
        };
        // a plan has the out-variables first
        let places = inputs.map(|inputs| made.iter().copied().chain(inputs).collect::<Vec<usize>>());
        let arrays = places.filter(|list| list.len() == plan.arrays.len()).unwrap_or_default();
        let node = Node { arrays, form, guards: !plan.checks.is_empty() || stmt.op.has_effect(), ..node };
        let fresh = plan.arrays.iter().all(|array| !matches!(array.role, Role::Update(_)));
        self.offered(building, stmt, (Task::Kernel(number), node), fresh);
        let numbers = stmt.results.iter().zip(made).filter(|(value, _)| self.func.ty(**value).is_scalar());
        building.block.nodes.extend(numbers.map(|(_, made)| Node { reads: vec![made], ..Node::default() }));
    }

    /// Adds a matrix product that a device may make.
    fn product(&self, building: &mut Building, stmt: &Stmt, task: Task, reads: &[Value]) {
        let Op::Lib(_, factors) = &stmt.op else { return };
        let factors: Option<Vec<usize>> = factors.iter().map(|v| self.existing(building, *v)).collect();
        let (node, made) = self.node(building, reads, &stmt.results);
        let arrays = factors.map(|factors| made.into_iter().chain(factors).collect()).unwrap_or_default();
        self.offered(building, stmt, (task, Node { arrays, ..node }), true);
    }

    /// Adds a node that a device may do; it can begin early if it makes new arrays and all that comes with it is known.
    fn offered(&self, building: &mut Building, stmt: &Stmt, (task, node): (Task, Node), fresh: bool) {
        let Work { points, work, traffic } = work::of(self.func, stmt);
        let [points, work, traffic] = [points, work, traffic].map(|size| self.size(building, &size));
        if fresh && !building.assigned && !node.arrays.is_empty() {
            building.candidates.push(building.block.nodes.len());
        }
        building.block.nodes.push(Node { task, points, work, traffic, ..node });
    }

    /// A node that reads some arrays and makes others, and the numbers of what it makes; an array in the variable of one that it reads is
    /// an update.
    fn node(&self, building: &mut Building, reads: &[Value], results: &[Value]) -> (Node, Vec<usize>) {
        let mut read: Vec<usize> = reads.iter().filter_map(|v| self.existing(building, *v)).collect();
        let mut writes = Vec::new();
        for result in results {
            let slot = self.array(*result);
            let updated = slot.filter(|slot| reads.iter().any(|v| self.array(*v) == Some(*slot)));
            let known = updated.and_then(|slot| building.of.get(&slot)).copied();
            let Some(number) = known.or_else(|| self.add(building, *result, false)) else { continue };
            if let Some(slot) = slot {
                building.of.insert(slot, number);
            }
            writes.push(number);
        }
        read.sort_unstable();
        read.dedup();
        (Node { reads: read, writes: writes.clone(), ..Node::default() }, writes)
    }

    /// The number of an array that a statement reads.
    fn existing(&self, building: &mut Building, value: Value) -> Option<usize> {
        let slot = self.array(value)?;
        if let Some(number) = building.of.get(&slot) {
            return Some(*number);
        }
        let number = self.add(building, value, true)?;
        building.of.insert(slot, number);
        building.before.push(slot);
        Some(number)
    }

    fn add(&self, building: &mut Building, value: Value, before: bool) -> Option<usize> {
        let Type { class, dims, .. } = self.func.ty(value);
        let element = class.element()?;
        let dims = dims.iter().map(|d| self.size(building, d)).collect();
        let next = Next::Unknown;
        building.block.data.push(Data { element, before, after: false, lives: false, next, again: None, dims });
        Some(building.block.data.len() - 1)
    }

    /// A size over the block's symbols.
    fn size(&self, building: &mut Building, size: &Size) -> SizeExpr {
        let mut number = |sym: &Sym| building.symbol(*sym);
        SizeExpr { terms: size.terms().map(|(m, c)| (c, m.iter().map(&mut number).collect())).collect() }
    }

    fn assign(&self, list: &[Transfer], building: &mut Building) {
        let before = building.of.clone();
        for Transfer { to, from, how } in list {
            let Some(slot) = self.array(*from) else { continue };
            let Some(number) = self.existing(building, *from) else { continue };
            if *how == How::Move {
                building.of.insert(*to, number);
                if building.of.get(&slot) == before.get(&slot) && slot != *to {
                    building.of.remove(&slot);
                }
                continue;
            }
            if let Some(copy) = self.add(building, *from, false) {
                building.of.insert(*to, copy);
                let (task, reads, writes) = (Task::Memory, vec![number], vec![copy]);
                building.block.nodes.push(Node { task, reads, writes, ..Node::default() });
            }
        }
    }

    fn close(&mut self, open: &mut Option<Building>, out: &mut Vec<Item<'f>>, following: &[Item<'f>]) {
        self.close_before(open, out, (following, &HashSet::default()));
    }

    /// Ends the block, if there is one. What follows is known, except for some variables.
    fn close_before(
        &mut self,
        open: &mut Option<Building>,
        out: &mut Vec<Item<'f>>,
        (following, unknown): (&[Item<'f>], &HashSet<Slot>),
    ) {
        if let Some(building) = open {
            for (slot, number) in building.of.iter().filter(|(slot, _)| !unknown.contains(slot)) {
                building.block.data[*number].next = self.next(*slot, following);
            }
        }
        self.close_into(open, out, Vec::new());
    }

    /// Ends the block, if there is one, before loops with these numbers of iterations, and puts its decision where it began.
    fn close_into(&mut self, open: &mut Option<Building>, out: &mut Vec<Item<'f>>, loops: Vec<Value>) {
        let Some(mut building) = open.take() else { return };
        for (slot, number) in &building.of {
            building.block.data[*number].after |= self.fetched.contains(slot);
            building.block.data[*number].lives = true;
        }
        let mut existing = building.before.iter();
        for number in (0..building.block.data.len()).filter(|d| building.block.data[*d].before).collect::<Vec<_>>() {
            let variable = existing.next();
            building.block.data[number].again = variable.and_then(|slot| building.of.get(slot)).copied();
        }
        let passed = self.passed(&mut building);
        let repeats = self.rounds.conditional || !self.rounds.counted.is_empty();
        let steps = self.rounds.counted.iter().find_map(|(_, counter)| self.banded.get(counter));
        let origin = Origin { func: self.id, repeats, slope: steps.and_then(Banded::slope) };
        let number = self.kernels.add_block(building.block, Given { symbols: building.symbols, ..passed }, origin);
        let rounds = Rounds { following: loops, ..self.rounds.clone() };
        out.insert(building.at, Item::Plan { number, arrays: building.before, rounds });
    }
}

/// Whether the call may end at a statement of the host, or somebody may see when it is done.
fn guards(op: &Op) -> bool {
    match op {
        Op::Lib(lib, _) => !lib.multiplies(),
        Op::Index { subs, .. } | Op::Store { subs, .. } => {
            op.has_effect() || subs.iter().any(|sub| matches!(sub, Sub::Vector(_)))
        }
        op => op.has_effect(),
    }
}
