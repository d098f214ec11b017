//! Kernels that read neighbours of their points: which go through tiles with halos, what these cost, and results for any shape, part and window.

use megha_base::plan::{Ceilings, Grid, Part};
use megha_core::interp::{Datum, Elements};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ptx::{Ptx, generate};
use megha_core::schedule::Schedules;

use super::cost::reports_with;
use super::small::{array, check};

fn compiled(text: &str) -> Ptx {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let verified = verify(&module).unwrap_or_else(|v| panic!("{}\n{text}", v[0]));
    let ptx = generate(verified, &Schedules::of(&module));
    assert_eq!(ptx.refused, [], "{text}");
    ptx
}

/// Points of a thread, and threads of a row without points, in both orders of memory; none without such an entry.
fn tiles(text: &str) -> [Option<([u32; 2], u32)>; 2] {
    let plan = compiled(text).kernels.remove(0);
    let of = |entry: &Grid| match entry {
        Grid::Halos { each, sides, .. } => Some((*each, *sides)),
        _ => None,
    };
    [0, 1].map(|order| plan.variants.iter().find_map(|both| of(&both[order].grid)))
}

/// The inside of an array: `"i - 1"` and the like are subscripts of an element, a row of which there are for each read.
struct Stencil {
    rank: usize,
    /// How far from the edges the first and the last point are.
    margin: [usize; 2],
    /// Distances of reads of the array,
    reads: Vec<Vec<i64>>,
    /// and whether the result is the array updated.
    updates: bool,
}

impl Stencil {
    /// The sum of all that is read, each with another factor, and of a coefficient at the point.
    fn text(&self, class: &str) -> String {
        let (names, numbers) = (["n", "m", "p", "q"], ["%i", "%j", "%k", "%h"]);
        let mut dims = names[..self.rank].join(", ");
        if self.rank == 1 {
            dims += ", 1";
        }
        let [low, high] = self.margin;
        let mut symbols = String::new();
        let mut domain = Vec::new();
        for (axis, name) in names[..self.rank].iter().enumerate() {
            symbols += &format!("sym {name} = dim 0 {axis}, >= 0 sym in_{name} = max(0, {name} - {}) ", low + high);
            domain.push(format!("in_{name}"));
        }
        let mut body = String::new();
        let mut sub = |at: &[i64]| -> String {
            let mut list = Vec::new();
            for (number, by) in numbers.iter().zip(at) {
                let name = format!("%s{}", body.len());
                body += &format!("{name}: index = add {number}, {} ", by + low as i64);
                list.push(name);
            }
            list.join(", ")
        };
        let point = sub(&vec![0; self.rank]);
        let places: Vec<String> = self.reads.iter().map(|at| sub(at)).collect();
        body += &format!("%w: {class} = load %c[{point}] ");
        for (k, place) in places.iter().enumerate() {
            let sum = if k == 0 { "%w".into() } else { format!("%t{}", k - 1) };
            body += &format!(
                "%x{k}: {class} = load %a[{place}] %y{k}: {class} = mul %x{k}, %w %t{k}: {class} = sub %y{k}, {sum} "
            );
        }
        let out = if self.updates { "update %a" } else { "update %b" };
        format!(
            "func @f(%a: {class}[{dims}], %b: {class}[{dims}], %c: {class}[{dims}]) -> (r: {class}[{dims}]) {{
               {symbols}
               %r: {class}[{dims}] = kernel 0 over [{}] into ({out}) |{}| {{ {body} put out0[{point}] = %t{} }}
               return %r
             }}",
            domain.join(", "),
            numbers[..self.rank]
                .iter()
                .map(|n| format!("{n}: index"))
                .collect::<Vec<_>>()
                .join(", ")
                .replace(": index", ""),
            self.reads.len() - 1
        )
    }
}

fn stencil(rank: usize, margin: [usize; 2], reads: &[&[i64]], updates: bool) -> Stencil {
    Stencil { rank, margin, reads: reads.iter().map(|at| at.to_vec()).collect(), updates }
}

fn five() -> Stencil {
    stencil(2, [1, 1], &[&[-1, 0], &[1, 0], &[0, -1], &[0, 1]], true)
}

fn nine() -> Stencil {
    let all: Vec<[i64; 2]> = (0..9).map(|k| [k % 3 - 1, k / 3 - 1]).collect();
    stencil(2, [1, 1], &all.iter().map(|at| &at[..]).collect::<Vec<_>>(), false)
}

fn seven() -> Stencil {
    let all: [&[i64]; 7] = [&[0, 0, 0], &[-1, 0, 0], &[1, 0, 0], &[0, -1, 0], &[0, 1, 0], &[0, 0, -1], &[0, 0, 1]];
    stencil(3, [1, 1], &all, true)
}

fn numbers(class: &str, dims: &[usize], seed: usize) -> Datum {
    let count: usize = dims.iter().product();
    let data: Vec<f64> = (0..count).map(|k| ((k * 31 + seed) as f64 * 0.618).sin()).collect();
    let elements = match class {
        "f64" => Elements::Double(data),
        "f32" => Elements::Single(data.into_iter().map(|x| x as f32).collect()),
        _ => Elements::Int16(data.into_iter().map(|x| (x * 300.0) as i16).collect()),
    };
    array(dims, elements)
}

#[test]
fn results_of_every_shape() {
    let planes: &[&[usize]] = &[&[0, 3], &[1, 1], &[2, 9], &[3, 3], &[5, 4], &[33, 40], &[259, 11], &[10, 70]];
    let cubes: &[&[usize]] = &[&[2, 3, 3], &[3, 3, 3], &[5, 12, 9], &[9, 5, 19], &[130, 5, 6]];
    let lines: &[&[usize]] = &[&[1, 1], &[5, 1], &[40, 1], &[1000, 1]];
    let cases: [(Stencil, &[&[usize]]); 8] = [
        (five(), planes),
        (nine(), planes),
        (seven(), cubes),
        // far to one side, along one loop only, corners without a centre
        (stencil(2, [0, 5], &[&[5, 0], &[1, 0], &[2, 0], &[2, 5]], false), planes),
        (stencil(2, [2, 2], &[&[0, -2], &[0, -1], &[0, 0], &[0, 1], &[0, 2]], true), planes),
        (stencil(2, [2, 2], &[&[-2, 2], &[2, -2], &[-2, -2], &[2, 2]], true), planes),
        (stencil(1, [2, 2], &[&[-2], &[0], &[1], &[2]], false), lines),
        // planes one by one
        (stencil(3, [1, 1], &[&[-1, 0, 0], &[1, 0, 0], &[0, -1, 0], &[0, 1, 0]], false), cubes),
    ];
    for (stencil, shapes) in cases {
        let classes = if stencil.reads.len() == 4 || stencil.rank == 3 { &["f64", "f32", "i16"][..] } else { &["f64"] };
        for class in classes {
            let text = stencil.text(class);
            assert!(tiles(&text).iter().all(Option::is_some), "{text}");
            for dims in shapes {
                check(&text, &[1, 2, 3].map(|seed| numbers(class, dims, seed)));
            }
        }
    }
}

/// A tile has two loops beside that along memory: what is read along more of them goes through the caches, and what is not, in tiles.
#[test]
fn stencils_of_four_loops() {
    let around = |loops: &[usize]| -> Stencil {
        let mut reads = vec![vec![0; 4]];
        for (axis, by) in loops.iter().flat_map(|axis| [(*axis, -1), (*axis, 1)]) {
            reads.push((0..4).map(|own| if own == axis { by } else { 0 }).collect());
        }
        Stencil { rank: 4, margin: [1, 1], reads, updates: false }
    };
    let cases = [(&[0, 1, 2, 3][..], false), (&[0, 2, 3], false), (&[0, 1], true), (&[0, 3], true)];
    for (loops, in_tiles) in cases {
        let text = around(loops).text("f64");
        assert_eq!(tiles(&text)[0].is_some(), in_tiles, "{loops:?}");
        for dims in [[3, 4, 5, 6], [40, 3, 4, 5], [5, 12, 3, 9]] {
            check(&text, &[1, 2, 3].map(|seed| numbers("f64", &dims, seed)));
        }
    }
}

#[test]
fn points_of_a_thread() {
    assert_eq!(tiles(&five().text("f64")), [Some(([8, 1], 2)); 2]);
    assert_eq!(tiles(&nine().text("f32")), [Some(([8, 1], 2)); 2]);
    assert_eq!(tiles(&seven().text("f64")), [Some(([4, 4], 2)); 2]);
    let sides = |reads: &[&[i64]]| tiles(&stencil(2, [4, 4], reads, false).text("f64")).map(|of| of.map(|of| of.1));
    // of the loop along memory, which is the other one in the other order
    assert_eq!(sides(&[&[-1, 0], &[0, 0], &[1, 0], &[2, 0]]), [Some(3), Some(0)]);
    assert_eq!(sides(&[&[0, 0], &[4, 0], &[-4, 4], &[0, -4]]), [Some(8); 2]);
    // what is far away, or spares little, has no tiles
    assert_eq!([sides(&[&[0, 0], &[0, 1]]), sides(&[&[-4, 0], &[-4, 5], &[0, 0], &[5, 0], &[0, 2]])], [[None; 2]; 2]);
}

/// Each element is loaded once and a quarter, and each row of shared memory without conflicts.
#[test]
fn loads_of_a_point() {
    for (stencil, sizes, most) in
        [(five(), vec![512, 512], 2.0), (nine(), vec![512, 512], 2.0), (seven(), vec![64, 64, 64], 3.0)]
    {
        let ptx = compiled(&stencil.text("f64"));
        let plan = &ptx.kernels[0];
        let mut symbols = Vec::new();
        sizes.iter().for_each(|n| symbols.extend([*n, n - 2]));
        let [flat, tile] =
            [&plan.entries[0], &plan.variants[0][0]].map(|entry| reports_with(&ptx, (plan, entry), &symbols).remove(0));
        let points = sizes.iter().map(|n| (n - 2) as f64).product::<f64>();
        let loads = |name: &str| tile.instructions.get(name).copied().unwrap_or(0) as f64;
        // one of the coefficient
        let of_array = (loads("ld.global.f64") + loads("ld.global.nc.f64")) / points - 1.0;
        assert!(of_array < most, "{of_array} {tile}");
        assert_eq!(tile.traffic.bank_conflicts, 0, "{tile}");
        assert!(tile.traffic.sectors * 3 < flat.traffic.sectors * 2, "{flat}\n{tile}");
    }
}

/// The host takes it where there are enough points for a device's threads, as many for each as leaves enough of these.
#[test]
fn the_host_takes_as_many_points_for_a_thread_as_there_are_enough_of() {
    let ptx = compiled(&five().text("f64"));
    let plan = &ptx.kernels[0];
    let takes = |[n, m]: [i64; 2]| {
        let symbol = |at: usize| [n, n - 2, m, m - 2][at];
        let part: Part = plan.whole(&symbol);
        match plan.entry_for(&part, 0, &symbol, &Ceilings::default()).grid {
            Grid::Halos { each, .. } => Some(each),
            _ => None,
        }
    };
    assert_eq!([[1100, 1100], [62, 1 << 15]].map(takes), [Some([8, 1]); 2]);
    assert_eq!([[800, 800], [200, 200], [1 << 21, 4]].map(takes), [Some([4, 1]), None, Some([2, 1])]);
}

/// What may end an iteration early, reads what it stores, or reads under a condition, has no such tiles.
#[test]
fn others_have_none() {
    let five = five().text("f64");
    let put = five.find("put").unwrap();
    let with = |more: &str| format!("{}{more} {}", &five[..put], &five[put..]);
    assert!(tiles(&with("%q: bool = lt %w, %x0")).iter().all(Option::is_some));
    assert_eq!(tiles(&with("%q: bool = lt %w, %x0 assert %q, \"less\"")), [None; 2]);
    let own = five.replace("load %a[", "load out0[");
    assert_eq!(tiles(&own), [None; 2]);
}

/// Loops of a known number of iterations over what is around a point: weights that differ by row and column, one loop inside of the other.
pub fn window(class: &str, high: usize, wide: usize, more: &str) -> String {
    format!(
        "func @f(%a: {class}[n, m], %k: {class}[{high}, {wide}]) -> (r: {class}[n - {0}, m - {1}]) {{
           sym n = dim 0 0, >= {0} sym m = dim 0 1, >= {1}
           %zero: {class} = const 0
           %r: {class}[n - {0}, m - {1}] = kernel 0 over [n - {0}, m - {1}] into (fresh) |%i, %j| {{
             %p: index = const {high} %q: index = const {wide}
             %s: {class} = for %q with %zero |%c, %before| {{
               %t: {class} = for %p with %before |%d, %so_far| {{
                 %y: index = add %i, %d %x: index = add %j, %c
                 %u: {class} = load %a[%y, %x] %w: {class} = load %k[%d, %c] {more}
                 %uw: {class} = mul %u, %w %next: {class} = add %so_far, %uw
                 yield %next
               }}
               yield %t
             }}
             put out0[%i, %j] = %s
           }}
           return %r
         }}",
        high - 1,
        wide - 1
    )
}

#[test]
fn windows_of_loops() {
    for (class, [high, wide]) in [("f64", [5, 5]), ("f32", [3, 3]), ("f64", [1, 4]), ("i16", [4, 1]), ("f32", [2, 7])] {
        let text = window(class, high, wide, "");
        assert!(tiles(&text).iter().all(Option::is_some), "{text}");
        for [n, m] in [[1, 1], [5, 3], [33, 40], [260, 9], [7, 300]] {
            let dims = [n + high - 1, m + wide - 1];
            check(&text, &[numbers(class, &dims, 1), numbers(class, &[high, wide], 2)]);
        }
    }
    // a loop of at most so many iterations is none of so many
    let fewer = window("f64", 5, 5, "").replace("[5, 5])", "[5, 5], %most: index)");
    let fewer = fewer.replace("%s: f64 = for %q", "%fewer: index = min %most, %q %s: f64 = for %fewer");
    assert_eq!(tiles(&fewer), [None; 2]);
    // far too large, or what the kernel stores is read
    assert_eq!(tiles(&window("f64", 11, 11, "")), [None; 2]);
    assert_eq!(tiles(&window("f64", 5, 5, "%own: f64 = load out0[%i, %j]")), [None; 2]);
}

/// How long a stencil takes by the simulated clock, launch included, with a thread for each point and in tiles with halos.
#[test]
#[ignore = "a measurement: run it with --release and --nocapture"]
fn time_of_a_stencil() {
    let plain = |of: Stencil| Stencil { updates: false, ..of };
    let cases = ["f64", "f32"].into_iter().flat_map(|class| {
        [
            (class, "5 points", plain(five()).text(class), vec![4096, 4094, 4096, 4094]),
            (class, "9 points", nine().text(class), vec![4096, 4094, 4096, 4094]),
            (class, "7 points", plain(seven()).text(class), vec![256, 254, 256, 254, 256, 254]),
            (class, "a window of 5 by 5", window(class, 5, 5, ""), vec![2048, 2048]),
        ]
    });
    for (class, name, text, sizes) in cases {
        // without coefficients
        let text = match (text.find("load %c["), text.find("%x0:")) {
            (Some(from), Some(to)) => format!("{}const 0.25 {}", &text[..from], &text[to..]),
            _ => text,
        };
        let ptx = compiled(&text);
        let plan = &ptx.kernels[0];
        let points: i64 = plan.whole(&|s| sizes[s]).loops.iter().map(|(low, high)| high - low).product();
        let bytes = if class == "f64" { 16.0 } else { 8.0 };
        let limit = points as f64 * bytes / megha_sim::Config::default().model.memory_bandwidth;
        for entry in [&plan.entries[0], &plan.variants[0][0]] {
            let report = reports_with(&ptx, (plan, entry), &sizes).remove(0);
            let share = 100.0 * limit / report.time.as_secs_f64();
            let chosen = plan.entry_for(&plan.whole(&|s| sizes[s]), 0, &|s| sizes[s], &Ceilings::default());
            let chosen = chosen.name == entry.name;
            println!(
                "{name}, {class}: {} {:?}, {share:.0} % of the limit{}",
                entry.name,
                report.time,
                if chosen { ", chosen" } else { "" }
            );
        }
    }
}
