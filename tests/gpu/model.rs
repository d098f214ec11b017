//! Whether the schedule that a launch runs by is near the best of all, by the simulated clocks of all cards: what a kernel does it does once, and each prices it.

pub mod kernels;

use std::collections::HashMap;
use std::env;
use std::time::Duration;

use super::processors::on_all_processors;
use kernels::Case;
use megha::device::Device as _;
use megha::device::sim::SimDevice;
use megha_base::plan::{Ceilings, Element, Entry, KernelPlan, Param, Part, Role};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ir::{FuncId, Module};
use megha_core::ptx::{Ptx, carries_out, generate};
use megha_core::schedule::candidates::{Bounds, candidates};
use megha_core::schedule::{Memory, Schedule, Schedules, subjects};
use megha_sim::{Arg, Checks, Config, Device, Launch, Model, Ptr, Report, Stream};

/// The entries of a program on a device that looks for no mistakes.
struct Timed {
    device: Device,
    loaded: megha_sim::Module,
    ptx: Ptx,
}

impl Timed {
    fn new(module: &Module, schedules: &Schedules) -> Self {
        let ptx = generate(verify(module).unwrap_or_else(|v| panic!("{}", v[0])), schedules);
        assert_eq!(ptx.refused, []);
        let config = Config { checks: Checks::none(), instruction_limit: u64::MAX, ..Config::default() };
        let device = Device::new(config);
        let loaded = device.load(&ptx.text).unwrap_or_else(|e| panic!("{e}\n{}", ptx.text));
        Self { device, loaded, ptx }
    }

    /// How long the kernel takes on each card as a launch there runs it, arrays columns first; with which entry.
    fn chosen(&self, cards: &[Card], sizes: &[i64]) -> Vec<(Duration, String)> {
        let plan = &self.ptx.kernels[0];
        let symbol = |s: usize| sizes[s];
        let whole = plan.whole(&symbol);
        let mut known: HashMap<usize, Vec<Report>> = HashMap::new();
        let on = |card: &Card| {
            let way = plan.way_for(&whole, 0, &symbol, &card.ceilings);
            let one = plan.finish_for(way, &whole, 0);
            let entry = one.unwrap_or_else(|| plan.way(way, 0));
            let reports = known.entry(way).or_insert_with(|| self.reports(plan, (entry, one.is_none()), sizes));
            (card.time(reports), entry.name.clone())
        };
        cards.iter().map(on).collect()
    }

    /// How long each way takes on a card.
    fn ways(&self, card: &Card, sizes: &[i64]) -> Vec<Duration> {
        let plan = &self.ptx.kernels[0];
        let whole = plan.whole(&|s| sizes[s]);
        let time = |way: usize| {
            let one = plan.finish_for(way, &whole, 0);
            card.time(&self.reports(plan, (one.unwrap_or_else(|| plan.way(way, 0)), one.is_none()), sizes))
        };
        (0..=plan.variants.len()).map(time).collect()
    }

    /// What it does with one launch and with two, if it is a reduction.
    fn forms(&self, sizes: &[i64]) -> Vec<Vec<Report>> {
        let plan = &self.ptx.kernels[0];
        let whole = plan.whole(&|s| sizes[s]);
        let two = self.reports(plan, (&plan.entries[0], true), sizes);
        let one = plan.finish_for(0, &whole, 0).map(|entry| self.reports(plan, (entry, false), sizes));
        [two].into_iter().chain(one).collect()
    }

    /// What the launches of an entry do.
    fn reports(&self, plan: &KernelPlan, (entry, combines): (&Entry, bool), sizes: &[i64]) -> Vec<Report> {
        let symbol = |s: usize| sizes[s];
        let whole = plan.whole(&symbol);
        let (points, chunks) = plan.partials(&whole).unwrap_or((1, 1));
        let mut blocks = Vec::new();
        let mut zeros = |elements: i64, element: Element| {
            let bytes = (elements as usize * element.bytes() as usize).max(1);
            let at = self.device.alloc(bytes).unwrap();
            self.device.copy_in(Stream::DEFAULT, at, &vec![0; bytes]).unwrap();
            blocks.push(at);
            at
        };
        let arrays: Vec<[Ptr; 2]> = (plan.arrays.iter())
            .map(|a| {
                let own = zeros(a.dims.iter().map(|d| d.eval(&symbol)).product(), a.element);
                let is_partial = a.role == Role::Reduced && chunks > 1;
                [own, if is_partial { zeros(points * chunks, a.element) } else { own }]
            })
            .collect();
        let launch = |entry: &Entry, part: &Part| {
            let strides: Vec<i64> = entry.strides.iter().map(|stride| stride.of_whole(&symbol)).collect();
            let argument = |param: &Param| match param {
                Param::Array(a) => Arg::Ptr(arrays[*a][0]),
                Param::Partials(a) => Arg::Ptr(arrays[*a][1]),
                Param::Size(size) => Arg::I64(entry.size(size, &symbol, &strides)),
                Param::Bound(bound) => Arg::I64(part.bound(bound)),
                Param::Scalar(_, Element::F32) => Arg::F32(0.5),
                Param::Scalar(..) => Arg::F64(0.5),
                Param::Fault => panic!("not among these kernels"),
            };
            let args: Vec<Arg> = entry.params.iter().map(argument).collect();
            let launch = entry.grid.launch(part).unwrap();
            let launch = Launch { grid: launch.grid, block: launch.block, shared: 0 };
            self.device.launch(Stream::DEFAULT, &self.loaded, &entry.name, launch, &args).unwrap()
        };
        let mut reports = vec![launch(entry, &whole)];
        if let Some([combine, _]) = plan.combine.as_ref().filter(|_| combines && chunks > 1) {
            reports.push(launch(combine, &whole.results()));
        }
        blocks.into_iter().for_each(|block| self.device.free(block).unwrap());
        reports
    }
}

/// A simulated card.
struct Card {
    name: &'static str,
    model: Model,
    ceilings: Ceilings,
}

impl Card {
    fn named(name: &'static str) -> Card {
        let config = Config::named(name).unwrap_or_else(|| panic!("no card `{name}`"));
        Card { name, model: config.model.clone(), ceilings: SimDevice::new(config).ceilings() }
    }

    /// All cards, or those that `MEGHA_CARD` names by a part of their names.
    fn wanted() -> Vec<Card> {
        let wanted = env::var("MEGHA_CARD").unwrap_or_default();
        Config::NAMES.into_iter().filter(|name| name.contains(&wanted)).map(Card::named).collect()
    }

    fn time(&self, reports: &[Report]) -> Duration {
        reports.iter().map(|report| report.time_by(&self.model)).sum()
    }
}

/// A case at a size on a card: the time that is chosen, and the best with its schedule.
struct Row<'c> {
    name: &'static str,
    card: &'c Card,
    sizes: Vec<i64>,
    chosen: (Duration, String),
    best: (Duration, String),
    tried: usize,
}

impl Row<'_> {
    fn ratio(&self) -> f64 {
        self.chosen.0.as_secs_f64() / self.best.0.as_secs_f64()
    }

    fn is_near(&self) -> bool {
        self.ratio() <= 1.1
    }

    fn print(&self) {
        let Row { name, card, sizes, chosen, best, tried } = self;
        let (ratio, card) = (self.ratio(), card.name);
        println!("{card}: {name}, {sizes:?}: {:?} by {}, best of {tried} {:?}, {ratio:.2}", chosen.0, chosen.1, best.0);
        if !self.is_near() {
            println!("{}", best.1);
        }
    }
}

/// The schedules of the kernel that the back end carries out, columns first.
fn listed(module: &Module) -> Vec<Schedule> {
    let list = subjects(&module.funcs[0]);
    let all = candidates(&list[0], Memory::ColumnMajor, &Bounds::TIMED).into_iter().flat_map(|(_, all)| all);
    all.filter(|schedule| carries_out(schedule, &list[0]).is_ok()).collect()
}

fn rows<'c>(case: &Case, cards: &'c [Card]) -> Vec<Row<'c>> {
    let module = parse(&case.text).unwrap_or_else(|e| panic!("{e}\n{}", case.text));
    let own = Timed::new(&module, &Schedules::of(&module));
    let schedules = listed(&module);
    let mut rows = Vec::new();
    for sizes in &case.sizes {
        rows.extend(cards.iter().zip(own.chosen(cards, sizes)).map(|(card, chosen)| {
            let best = chosen.clone();
            Row { name: case.name, card, sizes: sizes.clone(), chosen, best, tried: schedules.len() }
        }));
    }
    for schedule in &schedules {
        let mut table = Schedules::of(&module);
        table
            .set(&module, (FuncId::new(0), 0), schedule.clone())
            .unwrap_or_else(|wrong| panic!("{}", wrong.join("; ")));
        let timed = Timed::new(&module, &table);
        for of_size in rows.chunks_mut(cards.len()) {
            let forms = timed.forms(&of_size[0].sizes);
            for row in of_size {
                let time = forms.iter().map(|reports| row.card.time(reports)).min().unwrap_or_default();
                if time < row.best.0 {
                    row.best = (time, schedule.to_string());
                }
            }
        }
    }
    rows
}

/// What sums take by the simulated clock as launches run them, arrays columns first: `docs/gpu.md`, *What reductions cost*.
#[test]
#[ignore = "a measurement: run it with --nocapture"]
fn time_of_reductions() {
    let sum = |axes: &str, dims: &str| kernels::reduction("f64", "sum", axes, dims);
    let all = [
        ("vectors", sum("[0, 1]", "1, 1").replace("f64[1, 1]", "f64"), vec![[1 << 16, 1], [1 << 20, 1], [1 << 24, 1]]),
        ("columns", sum("[0]", "1, m"), vec![[65_536, 256], [2048, 512], [2048, 2048], [300, 4096]]),
        ("rows", sum("[1]", "n, 1"), vec![[256, 65_536], [512, 2048], [2048, 2048], [300, 4096], [1024, 128]]),
    ];
    let card = Card::named("h100");
    for (name, text, sizes) in all {
        let module = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let timed = Timed::new(&module, &Schedules::of(&module));
        for sizes in sizes {
            let (time, entry) = timed.chosen(std::slice::from_ref(&card), &sizes).remove(0);
            let all: Vec<String> = timed.ways(&card, &sizes).iter().map(|time| format!("{time:?}")).collect();
            println!("{name} of {sizes:?}: {time:?} by {entry}, all {}", all.join(", "));
        }
    }
}

/// Twenty kernels at five sizes each, on all cards: the entry that a launch takes against the best of all schedules. `MEGHA_MODEL` names some of the kernels by a part of
/// their names, `MEGHA_CARD` some of the cards.
#[test]
#[ignore = "a measurement of some minutes: run it with --nocapture"]
fn the_choice_is_near_the_best() {
    let wanted = env::var("MEGHA_MODEL").unwrap_or_default();
    let cases: Vec<Case> = kernels::all().into_iter().filter(|case| case.name.contains(&wanted)).collect();
    let cards = Card::wanted();
    let rows = on_all_processors(cases.len(), |number| {
        let rows = rows(&cases[number], &cards);
        rows.iter().for_each(Row::print);
        rows
    });
    for card in &cards {
        let own: Vec<&Row> = rows.iter().flatten().filter(|row| row.card.name == card.name).collect();
        let near = own.iter().filter(|row| row.is_near()).count();
        let worst = own.iter().map(|row| row.ratio()).fold(1.0, f64::max);
        println!(
            "{}: {near} of {} are within 10 % of the best, the worst takes {worst:.2} times",
            card.name,
            own.len()
        );
    }
}
