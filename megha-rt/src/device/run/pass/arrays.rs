//! What launches that go through the device some steps at once work on: windows of planes, and arrays that are there as wholes.

use std::collections::{HashMap, HashSet};

use megha_base::access::Known;
use megha_base::plan::{Array, Part, Planes, Role};

use super::super::super::Device;
use super::super::super::later::Waiting;
use super::super::super::table::Place;
use super::super::super::tiles::{Shape, Strip};
use super::super::Work;

/// An array of which a window is on the device.
pub struct Window {
    pub place: Place,
    pub planes: i64,
    /// Bytes of a plane.
    pub each: usize,
    /// The planes of a band: how far the first is from the band's first row, and the one behind the last from the row behind its last.
    pub reach: Planes,
    /// Whether planes come from the host, and go back there.
    pub sent: bool,
    pub stored: bool,
    /// The first and the last step that touches it.
    pub steps: (usize, usize),
}

/// Where a launch finds an array.
#[derive(Clone, Copy)]
pub enum Found {
    /// It has no elements.
    Nowhere,
    Window(usize),
    Whole(usize),
}

/// What launches work on.
pub struct Gathered {
    pub windows: Vec<Window>,
    pub wholes: Vec<Place>,
    /// For each launch where its arrays are.
    pub found: Vec<Vec<Found>>,
}

impl Work<'_> {
    /// Whether a launch may wait: it is a box of points, and what it stores are rows at constant distances.
    pub fn can_wait(&self, waiting: &Waiting) -> bool {
        let (grid, whole) = (&self.for_order(&self.plan.entries).grid, self.whole());
        let all: Vec<usize> = (0..whole.loops.len()).collect();
        let fits = |(at, array): (usize, &Array)| match array.role {
            Role::In => true,
            Role::Fresh | Role::Update(_) => self.bytes_of(at) == 0 || self.reach(at, waiting).is_some(),
            Role::Reduced | Role::Flag(_) => false,
        };
        self.plan.checks.is_empty()
            && !grid.reduces()
            && (self.is_some_point() || whole.count(&all) == 0)
            && self.plan.arrays.iter().enumerate().all(fits)
    }

    /// How far the planes of an array that rows touch are from these.
    fn reach(&self, at: usize, waiting: &Waiting) -> Option<(i64, i64)> {
        let (symbol, scalar) = (|symbol: usize| self.sizes[symbol], |value: usize| self.scalar(value));
        let known = Known { symbol: &symbol, scalar: &scalar };
        self.plan.reach(at, self.order as usize, (waiting.along, waiting.turn.first), &known)
    }

    /// How many planes an array has, and the bytes of each.
    fn planes(&self, at: usize) -> (i64, usize) {
        let symbol = |symbol: usize| self.sizes[symbol];
        let known = Known { symbol: &symbol, scalar: &|_| 0 };
        let (planes, each) = self.plan.planes(at, self.order as usize, &known);
        (planes, each.unsigned_abs() as usize * self.plan.arrays[at].element.bytes() as usize)
    }

    /// The part of a launch that belongs to a band.
    pub fn band(&self, waiting: &Waiting, (low, high): (i64, i64)) -> Part {
        let mut part = self.whole();
        let before = waiting.turn.shift + waiting.turn.first;
        match waiting.along {
            Some(along) => {
                let rows = part.loops[along].1;
                part.loops[along] = ((low - before).clamp(0, rows), (high - before).clamp(0, rows));
            }
            None if (low..high).contains(&before) => {}
            None => part.loops.iter_mut().for_each(|numbers| numbers.1 = numbers.0),
        }
        part
    }

    /// The part of the band, so many rows wide, that has the launch's middle row.
    pub fn band_in_the_middle(&self, waiting: &Waiting, width: i64) -> Part {
        let rows = waiting.along.map_or(1, |along| self.whole().loops[along].1);
        let middle = waiting.turn.shift + waiting.turn.first + rows / 2;
        let low = middle.div_euclid(width) * width;
        self.band(waiting, (low, low + width))
    }
}

impl Gathered {
    /// What launches work on; `None` if an array that one stores is touched at distances that are not constant.
    pub fn of(launches: &[Waiting]) -> Option<Gathered> {
        let mut far = HashSet::new();
        for waiting in launches {
            let work = waiting.work()?;
            let lies_far = |at: &usize| work.bytes_of(*at) > 0 && work.reach(*at, waiting).is_none();
            far.extend((0..waiting.arrays.len()).filter(lies_far).map(|at| waiting.arrays[at].key()));
        }
        let mut gathered = Gathered { windows: Vec::new(), wholes: Vec::new(), found: Vec::new() };
        let mut known: HashMap<usize, Found> = HashMap::new();
        for waiting in launches {
            let work = waiting.work()?;
            let arrays = (0..waiting.arrays.len()).map(|at| gathered.array(&mut known, &far, (&work, waiting, at)));
            let found = arrays.collect::<Option<_>>()?;
            gathered.found.push(found);
        }
        Some(gathered)
    }

    fn array(
        &mut self,
        known: &mut HashMap<usize, Found>,
        far: &HashSet<usize>,
        (work, waiting, at): (&Work<'_>, &Waiting, usize),
    ) -> Option<Found> {
        let (place, role) = (waiting.arrays[at], &work.plan.arrays[at].role);
        if work.bytes_of(at) == 0 {
            return Some(Found::Nowhere);
        }
        if far.contains(&place.key()) {
            let wholes = &mut self.wholes;
            let found = *known.entry(place.key()).or_insert_with(|| {
                wholes.push(place);
                Found::Whole(wholes.len() - 1)
            });
            return (*role == Role::In).then_some(found);
        }
        let (turn, (least, most), (planes, each)) = (waiting.turn, work.reach(at, waiting)?, work.planes(at));
        let (reach, step) = ((least - turn.shift, most + 1 - turn.shift), turn.step);
        let windows = &mut self.windows;
        let found = *known.entry(place.key()).or_insert_with(|| {
            let sent = *role != Role::Fresh;
            windows.push(Window { place, planes, each, reach, sent, stored: false, steps: (step, step) });
            Found::Window(windows.len() - 1)
        });
        let Found::Window(number) = found else { return None };
        let window = &mut windows[number];
        window.reach = (window.reach.0.min(reach.0), window.reach.1.max(reach.1));
        window.stored |= *role != Role::In;
        window.steps.1 = step;
        let same = window.planes == planes && window.each == each && window.place == place;
        (same && place.length() == planes.unsigned_abs() * each as u64).then_some(found)
    }

    /// The same as steps of a loop.
    pub fn shape(&self, device: &dyn Device, (slope, launches): (i64, usize)) -> Shape {
        let strip = |window: &Window| {
            let steps = (window.steps.1 - window.steps.0) as i64;
            let span = window.reach.1 - window.reach.0 - slope * steps;
            let Window { planes, each, sent, stored, .. } = *window;
            Strip { planes, each: each as u64, span, grows: steps > 0, sent, stored }
        };
        let strips = self.windows.iter().map(strip).collect();
        Shape { strips, whole: self.whole(device), slope, launches }
    }

    pub fn whole(&self, device: &dyn Device) -> u64 {
        self.wholes.iter().map(|place| device.takes(place.length())).fold(0, u64::saturating_add)
    }

    /// Whether it stores an array.
    pub fn stores(&self, place: Place) -> bool {
        self.windows.iter().any(|window| window.stored && window.place.key() == place.key())
    }
}

impl Window {
    /// Bytes of the longest for bands of so many rows.
    pub fn bytes(&self, width: i64) -> u64 {
        let planes = (width + self.reach.1 - self.reach.0).clamp(0, self.planes);
        planes.unsigned_abs() * self.each as u64
    }

    /// The planes for a band.
    pub fn of_band(&self, (low, high): (i64, i64)) -> Planes {
        let first = (low + self.reach.0).clamp(0, self.planes);
        (first, (high + self.reach.1).clamp(first, self.planes))
    }

    /// The bytes of planes, and those from one to another.
    pub fn length(&self, (first, end): Planes) -> usize {
        (end - first).max(0) as usize * self.each
    }

    pub fn part(&self, planes: Planes) -> Place {
        self.place.part((self.length((0, planes.0)), self.length(planes)))
    }
}
