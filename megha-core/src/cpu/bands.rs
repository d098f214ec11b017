//! Loops over time whose launches run band by band ([`crate::schedule::bands`]) in host code.
//!
//! Such a loop is written as any other, but its launches are given to a `rt::bands::Steps`, which may note them and run them later. Memory that they work
//! on must stay till then, so a state of an array that ends in an iteration is kept (`rt::bands::Spare`), and what the next iteration
//! makes takes its place: it would have been that memory anyway. This asks that each iteration makes as many arrays as it ends, of each array at most one. One that is
//! made around what a kernel stores holds what the kernel does not store if all of the array's states do, which they do if each is the last one updated by that kernel, in the same elements.

use crate::hash::HashMap;

use super::body::Body;
use super::expr::rust_type;
use super::kernel::Nest;
use super::storage::{Item, Slot, Storage};
use super::transfer::How;
use crate::ir::{Func, Mem, Op, Out, Region, Stmt, Type, Value};
use crate::schedule::bands::{Bands, Launch, Slope, TimeLoop, time_loops};
use crate::schedule::subject::Subject;

/// A loop whose launches run band by band.
#[derive(Debug, Clone)]
pub struct Banded {
    /// Along the outermost dimension and, if that is possible too, the one inside of it.
    along: Vec<Along>,
    /// The arrays that it changes: type, and how many places each has.
    arrays: Vec<(Type, usize)>,
    /// The variables whose states are kept, with what they hold.
    kept: Vec<(Vec<Slot>, Type)>,
    /// How often the loops inside of the outermost one run.
    inner_trips: Vec<Value>,
}

/// How launches run along one dimension.
#[derive(Debug, Clone)]
struct Along {
    /// The slopes for columns first and rows first.
    slopes: [Option<Slope>; 2],
    /// The launches of a step, in order: the kernel's number and where its rows are for both orders of memory.
    launches: Vec<(u32, [Option<Launch>; 2])>,
}

impl Along {
    fn of([columns, rows]: [Option<&Bands>; 2]) -> Option<Self> {
        let some = columns.or(rows)?;
        let launch = |at: usize| [columns, rows].map(|bands| Some(bands?.launches[at].clone()));
        let launches = (0..some.launches.len()).map(|at| (some.launches[at].kernel, launch(at))).collect();
        Some(Self { slopes: [columns, rows].map(|bands| bands.map(|bands| bands.slope)), launches })
    }

    /// The slopes, written out.
    fn slopes(&self) -> String {
        let slope = |slope: &Option<Slope>| match slope {
            Some(Slope::Apart) => "Some(rt::bands::Slope::Apart)".to_owned(),
            Some(Slope::Rows(rows)) => format!("Some(rt::bands::Slope::Rows({rows}))"),
            None => "None".to_owned(),
        };
        format!("[{}]", self.slopes.each_ref().map(slope).join(", "))
    }

    /// Where the rows of a launch are, written out.
    fn rows(&self, number: usize, nest: &Nest<'_>, body: &Body<'_>) -> String {
        let both = &self.launches[number].1;
        let each = |text: &dyn Fn(usize, &Launch) -> String| {
            let of =
                |memory: usize| both[memory].as_ref().map_or_else(|| "0".to_owned(), |launch| text(memory, launch));
            format!("[{}, {}]", of(0), of(1))
        };
        let axis = each(&|memory, launch| match launch.axis {
            Some(axis) => {
                let place = nest.loops.orders[memory].iter().position(|own| *own == axis);
                place.map_or_else(|| "usize::MAX".into(), |place| place.to_string())
            }
            None => "usize::MAX".into(),
        });
        let first = each(&|_, launch| body.size(&launch.first).text());
        let offset = each(&|_, launch| launch.offset.to_string());
        format!("rt::bands::Rows {{ axis: {axis}, first: {first}, offset: {offset} }}")
    }
}

impl Banded {
    /// By how many rows a step is behind the one before, in the memory order in which that is less.
    pub fn slope(&self) -> Option<u32> {
        self.along[0].slopes.iter().flatten().map(|slope| slope.rows()).min()
    }
}

/// The loops of a function that run so, by the counters of the outermost ones.
pub fn banded(func: &Func, storage: &Storage<'_>) -> HashMap<Value, Banded> {
    let loops = time_loops(func).into_iter();
    let loops = loops.filter(|time_loop| time_loop.bands.iter().any(Result::is_ok));
    loops.filter_map(|time_loop| Some((time_loop.outermost(), of_loop(func, storage, &time_loop)?))).collect()
}

fn of_loop(func: &Func, storage: &Storage<'_>, time_loop: &TimeLoop<'_>) -> Option<Banded> {
    let items = items_of(&storage.items, time_loop.counter)?;
    let mut array_of: HashMap<Slot, usize> = HashMap::default();
    for (value, array) in &time_loop.arrays {
        if let Some(slot) = storage.slot(*value)
            && *array_of.entry(slot).or_insert(*array) != *array
        {
            return None;
        }
    }
    let mut arrays: Vec<usize> = time_loop.arrays.values().copied().collect();
    arrays.sort_unstable();
    arrays.dedup();
    let traffic = Traffic::of(func, storage, items, &array_of)?;
    let leaves_alone = |outer: &&Stmt| match &outer.op {
        Op::For { body, .. } => {
            items_of(&storage.items, body.params[0]).is_some_and(|items| moves_nothing(func, items))
        }
        _ => false,
    };
    if !time_loop.around.iter().all(leaves_alone) {
        return None;
    }
    let Op::For { body, .. } = &time_loop.stmt.op else { return None };
    let (mut kept, mut places) = (Vec::new(), Vec::new());
    for array in arrays {
        let value = *time_loop.arrays.iter().filter(|(_, own)| **own == array).map(|(value, _)| value).min()?;
        let count = |list: &[usize]| list.iter().filter(|own| **own == array).count();
        let made = (count(&traffic.fresh), count(&traffic.around), count(&traffic.ended));
        match made {
            (0, 0, 0) => {}
            // The states of one run of steps would have to be kept into the next.
            _ if !time_loop.around.is_empty() => return None,
            (1, 0, 1) => {}
            (0, 1, 1) if is_chain(func, body, time_loop, array) => {}
            _ => return None,
        }
        let handed_on = body.params.iter().filter(|param| time_loop.arrays.get(param) == Some(&array)).count();
        places.push((func.ty(value).clone(), handed_on.max(1) + made.2));
        if made.2 > 0 {
            let mut slots: Vec<Slot> =
                array_of.iter().filter(|(_, own)| **own == array).map(|(slot, _)| *slot).collect();
            slots.sort_unstable();
            kept.push((slots, func.ty(value).clone()));
        }
    }
    let outermost = Along::of(time_loop.bands.each_ref().map(|bands| bands.as_ref().ok()))?;
    let inside = Along::of(time_loop.inside.each_ref().map(Option::as_ref));
    let along = [outermost].into_iter().chain(inside).collect();
    Some(Banded { along, arrays: places, kept, inner_trips: time_loop.inner_trips() })
}

/// Whether the items of a loop around a loop over time, but for that one, leave all arrays where they are.
fn moves_nothing(func: &Func, items: &[Item<'_>]) -> bool {
    items.iter().all(|item| match item {
        Item::Assign(list, _) => list.iter().all(|transfer| func.ty(transfer.from).is_scalar()),
        Item::Free(_) => false,
        Item::Stmt(_) | Item::For(..) | Item::Declare(_) | Item::Sizes(_) => true,
        Item::Fetch(..) | Item::FetchElement(..) | Item::Plan { .. } | Item::Wrote(_) => true,
        Item::If(..) | Item::While(..) | Item::Break(_) | Item::Continue(_) | Item::Return(_) | Item::Unreachable => {
            false
        }
    })
}

/// The items of the loop with this counter.
fn items_of<'s, 'f>(items: &'s [Item<'f>], counter: Value) -> Option<&'s [Item<'f>]> {
    items.iter().find_map(|item| match item {
        Item::For(_, own, _, body) if *own == counter => Some(&body[..]),
        Item::For(_, _, _, body) => items_of(body, counter),
        Item::If(_, a, b) | Item::While(_, a, _, b) => items_of(a, counter).or_else(|| items_of(b, counter)),
        _ => None,
    })
}

/// The states of arrays that an iteration makes and ends.
#[derive(Default)]
struct Traffic {
    /// By kernels that write all of them.
    fresh: Vec<usize>,
    /// By copies of all that a kernel does not store.
    around: Vec<usize>,
    ended: Vec<usize>,
}

impl Traffic {
    /// None if the items do something else to arrays.
    fn of(func: &Func, storage: &Storage<'_>, items: &[Item<'_>], array_of: &HashMap<Slot, usize>) -> Option<Self> {
        let mut found = Self::default();
        for item in items {
            match item {
                Item::Stmt(stmt) => {
                    let Op::Kernel(kernel) = &stmt.op else { continue };
                    for (out, result) in kernel.outs.iter().zip(&stmt.results) {
                        if *out == Out::Fresh {
                            found.fresh.push(*array_of.get(&storage.slot(*result)?)?);
                        }
                    }
                }
                Item::Assign(list, _) => {
                    for transfer in list.iter().filter(|transfer| !func.ty(transfer.from).is_scalar()) {
                        match transfer.how {
                            How::Move => {}
                            How::Copy => return None,
                            How::CopyAround(_) => found.around.push(*array_of.get(&transfer.to)?),
                        }
                    }
                }
                Item::Free(slot) => found.ended.push(*array_of.get(slot)?),
                Item::Declare(_) | Item::Sizes(_) => {}
                // Launches may wait for a device too.
                Item::Fetch(slot, _) | Item::Wrote(slot) if array_of.contains_key(slot) => return None,
                Item::FetchElement(Op::Index { array, .. }, _) if array_of.contains_key(&storage.slot(*array)?) => {
                    return None;
                }
                Item::Fetch(..) | Item::FetchElement(..) | Item::Plan { .. } | Item::Wrote(_) => {}
                Item::If(..)
                | Item::For(..)
                | Item::While(..)
                | Item::Break(_)
                | Item::Continue(_)
                | Item::Return(_) => {
                    return None;
                }
                Item::Unreachable => return None,
            }
        }
        Some(found)
    }
}

/// Whether an array has one state after the other in the variable that the loop hands on, each made by the same kernel, which stores the same elements.
fn is_chain(func: &Func, body: &Region, time_loop: &TimeLoop<'_>, array: usize) -> bool {
    let own = |value: &Value| time_loop.arrays.get(value) == Some(&array);
    let mut made = body.kernels().into_iter().flat_map(|(stmt, kernel)| {
        (0..kernel.outs.len()).filter(|out| own(&stmt.results[*out])).map(move |out| (stmt, kernel, out))
    });
    let (Some((stmt, kernel, out)), None) = (made.next(), made.next()) else { return false };
    let Some(before) = kernel.outs[out].updated() else { return false };
    let mut handed = body.params[1..].iter().zip(body.term.values()).filter(|(param, value)| own(param) || own(value));
    if handed.next() != Some((&before, &stmt.results[out])) || handed.next().is_some() {
        return false;
    }
    let subject = Subject::of(func, stmt, kernel);
    let mut stores = subject.accesses.iter().filter(|a| a.mem == Mem::Out(out) && matches!(a.op, Op::Put(..)));
    let Some(first) = stores.next() else { return false };
    let Some(map) = &first.map else { return false };
    !subject.maps.is_narrowed()
        && kernel.domain.iter().all(|size| time_loop.stays(func, size))
        && map.iter().all(|subscript| time_loop.repeats(func, subscript))
        && stores.all(|other| other.map == first.map)
}

/// The loop that is being written.
pub struct Open {
    banded: Banded,
    /// The variable that takes the launches.
    steps: String,
    /// The variables for ended states.
    spares: Vec<(Vec<Slot>, String)>,
}

impl Open {
    /// Writes what stands before the loop.
    pub fn begin(banded: &Banded, body: &mut Body<'_>, trip: &str) -> Self {
        let steps = body.names.fresh("steps");
        let bytes = banded.arrays.iter().map(|(ty, places)| {
            let extents: Vec<String> = ty.dims.iter().map(|dim| body.extent(dim)).collect();
            format!("({}, &[{}])", *places as u64 * ty.class.bytes(), extents.join(", "))
        });
        let bytes: Vec<String> = bytes.collect();
        let slopes: Vec<String> = banded.along.iter().map(Along::slopes).collect();
        let slopes = slopes.join(", ");
        let mut trip = trip.to_owned();
        for inner in &banded.inner_trips {
            trip = format!("i64::saturating_mul({trip}, {})", body.trip(*inner).text());
        }
        body.code.line(format!(
            "let mut {steps} = rt::bands::Steps::new::<L>(&[{slopes}], {trip}, rt::bands::bytes(&[{}]));",
            bytes.join(", ")
        ));
        let spares = banded.kept.iter().map(|(slots, ty)| {
            let name = body.names.fresh("spare");
            let (class, rank) = (rust_type(ty.class), ty.dims.len());
            body.code.line(format!("let mut {name} = rt::bands::Spare::<L, {class}, {rank}>::default();"));
            (slots.clone(), name)
        });
        let spares = spares.collect();
        Self { banded: banded.clone(), steps, spares }
    }

    /// Writes what stands behind the loop.
    pub fn end(&self, body: &mut Body<'_>, devices: bool) {
        body.code.line(self.run(devices));
        self.spares.iter().for_each(|(_, name)| body.code.line(format!("drop({name});")));
    }

    /// Runs the launches so far, on a device too if there may be one.
    pub fn run(&self, devices: bool) -> String {
        format!("{}.{};", self.steps, if devices { "finish()?" } else { "run()" })
    }

    /// The variable that takes the launches.
    pub fn steps(&self) -> &str {
        &self.steps
    }

    /// The variable that takes ended states of the array in this variable.
    pub fn spare(&self, slot: Option<Slot>) -> Option<&str> {
        let found = self.spares.iter().find(|(slots, _)| slot.is_some_and(|slot| slots.contains(&slot)));
        found.map(|(_, name)| &name[..])
    }

    /// The condition under which a launch would run where it stands.
    pub fn runs_at_once(&self) -> String {
        format!("!{}.defers()", self.steps)
    }

    /// The method that offers a launch to a device, with its first arguments.
    pub fn offers(&self, number: usize) -> String {
        format!("{}.offer({number}, &rows, ", self.steps)
    }

    /// The launch of a kernel, which is in the variable `kernel`, as its rows are there or in the variable `rows`.
    pub fn launch(&self, (number, rows): (usize, &str), (domain, weight): (&str, &str)) -> String {
        let steps = &self.steps;
        format!("unsafe {{ {steps}.launch({number}, (kernel.extents, {domain}, {weight}), &{rows}, kernel) }};")
    }

    /// The number of a launch and where its rows are.
    pub fn rows(&self, nest: &Nest<'_>, body: &Body<'_>) -> Option<(usize, String)> {
        let number = self.banded.along[0].launches.iter().position(|(id, _)| *id == nest.kernel.id)?;
        let rows: Vec<String> = self.banded.along.iter().map(|along| along.rows(number, nest, body)).collect();
        Some((number, format!("[{}]", rows.join(", "))))
    }
}
