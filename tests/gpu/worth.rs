//! What each optimisation of the code for devices is worth by the simulated clock, over all programs of this project: the table in `docs/gpu.md`, after Table 1
//! of Chakrabarti and others (CUDA: Compiling and Optimizing for a GPU Platform, 2012).

mod programs;

use std::collections::BTreeMap;

use super::device::timed::{Time, Timed};
use super::processors::on_all_processors;
use megha_core::interp::{Event, Options, run_watched};
use megha_core::ir::FuncId;
use megha_core::ir::verify::verify;
use megha_core::ptx::generate;
use megha_core::schedule::{Optimisation, Optimisations, Schedules};
use megha_sim::Model;
use programs::Program;

/// Statements and elements of a program that the interpreter runs; what would run behind them is not measured.
const STEPS: u64 = 100_000_000;
/// A kernel that runs again is measured again if it has so many times the points.
const AGAIN: i64 = 2;
/// Seconds of kernels in the table. In shorter ones the clock takes threads without a point for loads under way.
const LEAST: f64 = 1e-6;
/// Times that differ by less are the same.
const TOLERANCE: f64 = 0.03;

/// A kernel and how long it takes, with all optimisations first, `None` where nothing changes.
struct Row {
    name: String,
    times: Vec<Option<Time>>,
}

impl Row {
    /// How many times as long it takes in another set as with all: what starts kernels is left out, but where an optimisation saves launches.
    fn ratio(&self, set: usize) -> Option<f64> {
        let starts = match Optimisation::ALL.get(set - 1) {
            Some(Optimisation::OneLaunch | Optimisation::Steps) => Model::default().launch_latency.as_secs_f64(),
            _ => 0.0,
        };
        let time = |of: Time| of.own + of.launches * starts;
        let all = time(self.times[0]?);
        Some(time(self.times[set]?) / all).filter(|_| all > 0.0)
    }

    fn print(&self) {
        let sets = sets();
        let ratios = (1..sets.len()).filter_map(|set| Some(format!(", {} {:.2}", sets[set].0, self.ratio(set)?)));
        let all = self.times[0].unwrap_or_default();
        println!("  {}: {:.2} µs{}", self.name, 1e6 * all.own, ratios.collect::<String>());
    }
}

/// The sets: all, without each one, none.
fn sets() -> Vec<(&'static str, Optimisations)> {
    let without = Optimisation::ALL.map(|one| (one.name(), Optimisations::ALL.without(one)));
    let all = [("", Optimisations::ALL)].into_iter().chain(without);
    all.chain([("all of them", Optimisations::NONE)]).collect()
}

/// The kernels of a program as far as the interpreter comes.
fn rows(program: &Program) -> Vec<Row> {
    let Program { name, module, arguments, order } = program;
    let made = |(_, on): (&str, Optimisations)| {
        generate(verify(module).unwrap_or_else(|v| panic!("{name}: {}", v[0])), &Schedules::with(module, on))
    };
    let timed = Timed::new(sets().into_iter().map(made).collect());
    let mut found: BTreeMap<(String, u32), (i64, Row)> = BTreeMap::new();
    let mut watch = |event: &Event<'_>| {
        let Event::Kernel(run) = event else { return };
        let points = run.kernel.domain.iter().map(|d| (run.size)(d).unwrap_or(0)).product::<i64>();
        let key = (run.func.name.clone(), run.kernel.id);
        if run.results.is_err() || points <= found.get(&key).map_or(0, |(before, _)| AGAIN * before - 1) {
            return;
        }
        let name = format!("{name} {}", run.kernel.id);
        let times = timed.times(module, run, *order).unwrap_or_else(|why| panic!("{name}: {why}"));
        found.insert(key, (points, Row { name, times }));
    };
    let options = Options { max_steps: STEPS, ..Options::default() };
    let done = run_watched(module, FuncId::new(0), arguments.clone(), &options, &mut std::io::sink(), &mut watch);
    let end = done.err().map_or_else(String::new, |failure| format!(", up to: {failure}"));
    println!("{name}: {} kernels{end}", found.len());
    let rows: Vec<Row> = found.into_values().map(|(_, row)| row).collect();
    rows.iter().for_each(Row::print);
    rows
}

/// What one set changes: how many kernels, how many of those that are long enough are faster with all optimisations, as fast, and slower; the mean and the
/// ends of the ratios.
fn print(name: &str, set: usize, rows: &[Row]) {
    let changed = rows.iter().filter(|row| row.times[set].is_some()).count();
    let long = rows.iter().filter(|row| row.times[0].is_some_and(|time| time.own >= LEAST));
    let mut ratios: Vec<(f64, &str)> = long.filter_map(|row| Some((row.ratio(set)?, &row.name[..]))).collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(least), Some(most)) = (ratios.first(), ratios.last()) else {
        println!("| {name} | {changed} | | | | |");
        return;
    };
    let count = |is: &dyn Fn(f64) -> bool| ratios.iter().filter(|(ratio, _)| is(*ratio)).count();
    let (faster, slower) = (count(&|r| r > 1.0 + TOLERANCE), count(&|r| r < 1.0 - TOLERANCE));
    let same = ratios.len() - faster - slower;
    let mean = (ratios.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let end = |(ratio, kernel): &(f64, &str)| format!("{ratio:.2} ({kernel})");
    println!("| {name} | {changed} | {faster}, {same}, {slower} | {mean:.2} | {} | {} |", end(least), end(most));
}

/// The table. `MEGHA_WORTH` names some of the programs by a part of their names.
#[test]
#[ignore = "a measurement of some minutes: run it with --release and --nocapture"]
fn what_optimisations_are_worth() {
    let wanted = std::env::var("MEGHA_WORTH").unwrap_or_default();
    let programs: Vec<Program> = programs::all().into_iter().filter(|program| program.name.contains(&wanted)).collect();
    let rows: Vec<Row> =
        on_all_processors(programs.len(), |number| rows(&programs[number])).into_iter().flatten().collect();
    println!("\n{} kernels of {} programs", rows.len(), programs.len());
    println!("| without | changed | longer, the same, shorter | mean | least | most |");
    sets().iter().enumerate().skip(1).for_each(|(set, (name, _))| print(name, set, &rows));
}
