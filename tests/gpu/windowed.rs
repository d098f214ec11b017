//! One part of a kernel alone, with buffers that hold nothing of the arrays but the boxes that access maps say the part touches: it makes what the
//! whole makes, and touches nothing else (the simulator finds accesses outside of buffers).

use megha_base::access::{Access, Known};
use megha_base::plan::{KernelPlan, Part, Role, Window};
use megha_base::region::Region;
use megha_core::interp::{Datum, Scalar};
use megha_core::ir::Value;
use megha_sim::Ptr;

use super::guarded::digits;
use super::{Memory, Pointers, content, same, transposed};

/// How many arrays were windows, and how many of these are results that were compared.
#[derive(Debug, Default, Clone, Copy)]
pub struct Counts {
    pub windows: usize,
    pub results: usize,
}

/// The place of an element, what it is and what it should be.
type Difference = (usize, Vec<u8>, Vec<u8>);

const ACCESSES: [Access; 3] = [Access::Read, Access::Write, Access::Accumulate];

impl Memory<'_> {
    /// The boxes that a part touches, those of arrays that share strides equally large.
    pub fn windows(&self, plan: &KernelPlan, part: &Part) -> Vec<Window> {
        let whole = |at: usize| Window::whole(&plan.arrays[at], self.symbol);
        let own = |at: usize| {
            let regions = ACCESSES.map(|access| self.touched(plan, part, (at, access)));
            let all = regions.iter().fold(Region::empty(), |all, region| all.union(region));
            let Some(hull) = all.hull().filter(|_| plan.may_be_windowed(at)) else { return whole(at) };
            let dims = &hull.dims()[..plan.arrays[at].dims.len()];
            Window {
                origin: dims.iter().map(|t| t.start()).collect(),
                extents: dims.iter().map(|t| t.last() - t.start() + 1).collect(),
            }
        };
        let mut windows: Vec<Window> = (0..plan.arrays.len()).map(own).collect();
        let largest = windows.clone();
        for (window, array) in windows.iter_mut().zip(&plan.arrays) {
            let alike = || largest.iter().zip(&plan.arrays).filter(|(_, other)| other.dims == array.dims);
            for d in 0..array.dims.len() {
                // A stride that is known when compiling is no parameter.
                if array.dims[d].terms.iter().all(|(_, symbols)| symbols.is_empty()) {
                    (window.origin[d], window.extents[d]) = (0, array.dims[d].eval(self.symbol));
                    continue;
                }
                window.extents[d] = alike().map(|(other, _)| other.extents[d]).max().unwrap_or(0);
                window.origin[d] = window.origin[d].min(array.dims[d].eval(self.symbol) - window.extents[d]);
            }
        }
        let fits = plan.strides(self.order, &windows).is_some();
        if fits { windows } else { (0..plan.arrays.len()).map(whole).collect() }
    }

    fn touched(&self, plan: &KernelPlan, part: &Part, what: (usize, Access)) -> Region {
        let scalar = |value: usize| match (self.run.value)(Value::new(value)).and_then(|datum| datum.get(0)) {
            Some(Scalar::Index(number)) => number,
            other => panic!("%{value} is {other:?}"),
        };
        let nothing = part.chunks.0 >= part.chunks.1 || plan.iterations(part).iter().any(|(low, high)| low >= high);
        let known = Known { symbol: self.symbol, scalar: &scalar };
        if nothing { Region::empty() } else { plan.touched_by(what, part, &known) }
    }

    /// Buffers for the windows, and the addresses where the arrays would begin.
    pub fn buffers(&mut self, plan: &KernelPlan, whole: &Part, windows: &[Window]) -> Result<Pointers, String> {
        let mut pointers = self.all(plan, whole)?;
        for (at, array) in plan.arrays.iter().enumerate() {
            if !is_windowed(&windows[at], &array.sizes(self.symbol)) {
                continue;
            }
            let bytes = array.element.bytes();
            let elements = self.places(&array.sizes(self.symbol), &windows[at]);
            let from = match array.role {
                Role::In => Some(array.value),
                Role::Update(from) => Some(from),
                Role::Fresh | Role::Reduced | Role::Flag(_) => None,
            };
            let buffer = match from {
                None => {
                    let bytes = elements.len() as u64 * bytes;
                    self.alloc(bytes, Some(&super::guarded::pattern(bytes)))?
                }
                Some(value) => {
                    let all = content(&(self.run.value)(Value::new(value)).expect("a value"), self.order);
                    let element = |at: &usize| all[at * bytes as usize..(at + 1) * bytes as usize].to_vec();
                    let packed: Vec<u8> = elements.iter().flat_map(element).collect();
                    self.alloc(packed.len() as u64, Some(&packed))?
                }
            };
            pointers.arrays[at] = Ptr(buffer.0.wrapping_sub(windows[at].before(self.order) as u64 * bytes));
            if array.role != Role::Reduced {
                pointers.partials[at] = pointers.arrays[at];
            }
        }
        pointers.strides = plan.strides(self.order, windows).expect("strides that arrays share");
        Ok(pointers)
    }

    /// The places in the whole array, in its order, of a window's elements, in theirs.
    fn places(&self, sizes: &[i64], window: &Window) -> Vec<usize> {
        let count = window.extents.iter().product::<i64>();
        let extents: Vec<usize> = window.extents.iter().map(|n| *n as usize).collect();
        let dims: Vec<usize> = sizes.iter().map(|n| *n as usize).collect();
        let place = |k: i64| {
            let number = if self.order == 0 { k as usize } else { transposed(k as usize, &extents) };
            let at = digits(number as i64, &window.extents);
            let at: Vec<i64> = at.iter().zip(&window.origin).map(|(a, b)| a + b).collect();
            let ahead = |axis: usize| if self.order == 0 { 0..axis } else { axis + 1..dims.len() };
            (0..dims.len()).map(|axis| at[axis] as usize * dims[ahead(axis)].iter().product::<usize>()).sum()
        };
        (0..count).map(place).collect()
    }

    /// Compares what the part has made with the results of the whole.
    pub fn judge_windows(
        &self,
        plan: &KernelPlan,
        (part, windows): (&Part, &[Window]),
        pointers: &Pointers,
        counts: &mut Counts,
    ) -> Result<(), String> {
        let Ok(results) = self.run.results else { return Ok(()) };
        for ((at, array), want) in plan.arrays.iter().enumerate().zip(results) {
            let sizes = array.sizes(self.symbol);
            if array.role == Role::Reduced || !is_windowed(&windows[at], &sizes) {
                continue;
            }
            counts.results += 1;
            let region = self.touched(plan, part, (at, Access::Write));
            self.judge_window((&region, &sizes), (want, &windows[at]), pointers.arrays[at], array.element.bytes())
                .and_then(|differ| match differ {
                    Some((element, got, want)) if !same(&got, &want, array.element) => {
                        Err(format!("element {element} of {} is {got:?}, not {want:?}", array.name))
                    }
                    _ => Ok(()),
                })?;
        }
        counts.windows += (plan.arrays.iter().zip(windows))
            .filter(|(array, window)| is_windowed(window, &array.sizes(self.symbol)))
            .count();
        Ok(())
    }

    /// The first element of a window that must be written and is not what it should be.
    fn judge_window(
        &self,
        (region, sizes): (&Region, &[i64]),
        (want, window): (&Datum, &Window),
        base: Ptr,
        bytes: u64,
    ) -> Result<Option<Difference>, String> {
        let want = content(want, self.order);
        let places = self.places(sizes, window);
        let mut got = vec![0; places.len() * bytes as usize];
        self.read(Ptr(base.0.wrapping_add(window.before(self.order) as u64 * bytes)), &mut got)?;
        let dims: Vec<usize> = sizes.iter().map(|n| *n as usize).collect();
        let size = bytes as usize;
        for (k, place) in places.iter().enumerate() {
            let number = if self.order == 0 { *place } else { transposed(*place, &dims) };
            if !region.is_exact() || !region.contains(&digits(number as i64, sizes)) {
                continue;
            }
            let [got, want] = [&got[k * size..(k + 1) * size], &want[place * size..(place + 1) * size]];
            if got != want {
                return Ok(Some((*place, got.to_vec(), want.to_vec())));
            }
        }
        Ok(None)
    }
}

/// Whether a buffer holds less than the whole array.
fn is_windowed(window: &Window, sizes: &[i64]) -> bool {
    window.extents != sizes
}
