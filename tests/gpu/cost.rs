//! What reductions and running sums cost on the device: threads, instructions and memory by the simulator's counts.

use std::sync::OnceLock;

use megha_base::plan::{Element, Entry, KernelPlan, Param, Part, Role};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ptx::{Ptx, generate};
use megha_core::schedule::Schedules;
use megha_sim::{Arg, Config, Device, Launch, Ptr, Report, Stream};

/// The reports of the entries of the only kernel of a function, columns first, on arrays of zeros; `sizes` are those of its symbols.
fn reports(text: &str, sizes: &[i64]) -> Vec<Report> {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let ptx = generate(verify(&module).unwrap_or_else(|v| panic!("{}", v[0])), &Schedules::of(&module));
    reports_of(&ptx, 0, sizes)
}

/// The same of a kernel by its number.
fn reports_of(ptx: &Ptx, kernel: usize, sizes: &[i64]) -> Vec<Report> {
    let plan = &ptx.kernels[kernel];
    reports_with(ptx, (plan, &plan.entries[0]), sizes)
}

/// The same with this first entry.
pub fn reports_with(ptx: &Ptx, (plan, first): (&KernelPlan, &Entry), sizes: &[i64]) -> Vec<Report> {
    let symbol = |s: usize| sizes[s];
    let device = Device::new(Config::default());
    let loaded = device.load(&ptx.text).unwrap();
    let zeros = |elements: i64, element: Element| {
        let bytes = elements as usize * element.bytes() as usize;
        let at = device.alloc(bytes).unwrap();
        device.copy_in(Stream::DEFAULT, at, &vec![0; bytes]).unwrap();
        at
    };
    let whole = plan.whole(&symbol);
    let (points, chunks) = plan.partials(&whole).unwrap_or((1, 1));
    let arrays: Vec<[Ptr; 2]> = (plan.arrays.iter())
        .map(|a| {
            let own = zeros(a.dims.iter().map(|d| d.eval(&symbol)).product(), a.element);
            let partials = if a.role == Role::Reduced && chunks > 1 { zeros(points * chunks, a.element) } else { own };
            [own, partials]
        })
        .collect();
    let args = |entry: &Entry, part: &Part| -> Vec<Arg> {
        let strides: Vec<i64> = entry.strides.iter().map(|stride| stride.of_whole(&symbol)).collect();
        (entry.params.iter())
            .map(|param| match param {
                Param::Array(a) => Arg::Ptr(arrays[*a][0]),
                Param::Partials(a) => Arg::Ptr(arrays[*a][1]),
                Param::Size(size) => Arg::I64(entry.size(size, &symbol, &strides)),
                Param::Bound(bound) => Arg::I64(part.bound(bound)),
                Param::Scalar(..) | Param::Fault => panic!("not among these kernels"),
            })
            .collect()
    };
    let run = |(entry, part): (&Entry, &Part)| {
        let launch = entry.grid.launch(part).unwrap();
        let launch = Launch { grid: launch.grid, block: launch.block, shared: 0 };
        device.launch(Stream::DEFAULT, &loaded, &entry.name, launch, &args(entry, part)).unwrap()
    };
    let results = whole.results();
    let combine = plan.combine.as_ref().filter(|_| chunks > 1).map(|[combine, _]| (combine, &results));
    [(first, &whole)].into_iter().chain(combine).map(run).collect()
}

/// What an entry costs at most, and its threads.
struct Cost {
    threads: u64,
    /// Instructions for each of the kernel's elements.
    instructions: f64,
}

/// Runs a kernel over so many elements and holds the costs of its entries against these. Each sector of memory is to be read once, but for
/// what two blocks share, and shared memory without conflicts.
fn costs(text: &str, sizes: &[i64], most: &[Cost]) {
    let reports = reports(text, sizes);
    assert_eq!(reports.len(), most.len());
    let elements = sizes.iter().product::<i64>() as f64;
    for (report, most) in reports.iter().zip(most) {
        assert_eq!(report.threads, most.threads, "{report}");
        assert!(report.thread_instructions as f64 <= most.instructions * elements, "{report}");
        assert_eq!(report.traffic.bank_conflicts, 0, "{report}");
    }
    let traffic = &reports[0].traffic;
    assert!(traffic.sectors as f64 <= 1.01 * traffic.unique_sectors as f64, "{}", reports[0]);
}

#[test]
fn a_sum_has_a_thread_for_sixteen_elements() {
    let first = Cost { threads: (1 << 18) / 16, instructions: 24.0 };
    costs(SUM, &[1 << 18], &[first, Cost { threads: 64, instructions: 0.1 }]);
}

#[test]
fn work_before_a_sum_has_a_thread_for_sixteen_elements() {
    let first = Cost { threads: (1 << 18) / 16, instructions: 82.0 };
    costs(HEAVY, &[1 << 18], &[first, Cost { threads: 64, instructions: 0.1 }]);
}

#[test]
fn sums_of_columns_have_a_block_each() {
    costs(COLS, &[2048, 128], &[Cost { threads: 128 * 256, instructions: 32.0 }]);
}

#[test]
fn sums_of_rows_have_a_thread_for_each_lane() {
    costs(ROWS, &[128, 2048], &[Cost { threads: 128 * 32, instructions: 13.0 }]);
}

/// The elements of the running sum: 600 lines of 1000.
const N: i64 = 600_000;

/// The kernels of the running sum: totals of runs, their running sums, and the running sums of each run. Run once for all tests.
fn running_sum() -> &'static (Ptx, [Report; 3]) {
    static RUN: OnceLock<(Ptx, [Report; 3])> = OnceLock::new();
    RUN.get_or_init(run_running_sum)
}

fn run_running_sum() -> (Ptx, [Report; 3]) {
    let module = super::scans::lowered(&super::scans::scan("sum", "f64", &["n", "1"], 0));
    let ptx = generate(verify(&module).unwrap_or_else(|v| panic!("{}", v[0])), &Schedules::of(&module));
    let reports = [0, 1, 2].map(|kernel| reports_of(&ptx, kernel, &[N, N / 1000, 1000, 1]).remove(0));
    (ptx, reports)
}

fn count(report: &Report, name: &str) -> u64 {
    report.instructions.get(name).copied().unwrap_or(0)
}

#[test]
fn long_running_sums_go_through_tiles() {
    let (ptx, reports) = running_sum();
    // One of the least powers of two lines that leave no more than 512 blocks, each of 256 threads, and a tile of 1024 elements.
    let tiles = [(300, 2), (1, 1), (301, 2)].map(|(blocks, lines)| (blocks, 1000u64.div_ceil(1024 / lines)));
    let elements = [N as f64, N as f64 / 1000.0, N as f64];
    for (kernel, (report, (blocks, tiles))) in reports.iter().zip(tiles).enumerate() {
        assert_eq!(ptx.kernels[kernel].entries[0].shared_bytes, (1024 + 32) * 8);
        let block = ptx.block(&ptx.kernels[kernel].entries[0]).unwrap();
        assert!(block.shared == (1024 + 32) * 8 && block.registers < 100, "{block:?}");
        assert_eq!(report.threads, blocks * 256, "{report}");
        assert_eq!(count(report, "bar.sync"), 2 * tiles * report.threads, "{report}");
        assert_eq!(report.traffic.bank_conflicts, 0, "{report}");
        assert!(report.traffic.sectors as f64 <= 1.02 * report.traffic.unique_sectors as f64 + 2.0, "{report}");
        let most = [30.0, 90.0, 50.0][kernel] * elements[kernel];
        assert!(report.thread_instructions as f64 <= most, "{report}");
    }
    // What lines have computed before their loop goes from lane to lane once, not for each tile.
    assert_eq!(reports.each_ref().map(|r| count(r, "shfl.sync.idx.b32") / r.threads), [8, 4, 16]);
}

/// The same sums with a thread for each line, which a second carried value asks for.
#[test]
fn tiles_are_faster_than_a_thread_for_each_line() {
    const LINES: &str = "func @f(%a: f64[n, m]) -> (s: f64[1, m]) {
        sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
        %z: f64 = const 0.0
        %k: index = size n
        %s: f64[1, m] = kernel 0 over [m] into (fresh) |%j| {
          %i0: index = const 0
          %t: f64, %u: index = for %k with %z, %i0 |%i, %sum, %last| {
            %x: f64 = load %a[%i, %j]
            %y: f64 = add %sum, %x
            yield %y, %i
          }
          put out0[%i0, %j] = %t
        }
        return %s
      }";
    let by_line = reports(LINES, &[1000, 600]).remove(0);
    let (_, [totals, ..]) = running_sum();
    assert!(totals.time * 20 < by_line.time, "{totals} {by_line}");
}

const SUM: &str = "func @f(%a: f64[n, 1]) -> (s: f64) {
    sym n = dim 0 0, >= 0
    %s: f64 = kernel 0 over [n] into (reduce sum along [0]) |%i| { %x: f64 = load %a[%i] accumulate out0, %x }
    return %s
  }";
const ROWS: &str = "func @f(%a: f64[n, m]) -> (s: f64[n, 1]) {
    sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
    %s: f64[n, 1] = kernel 0 over [n, m] into (reduce sum along [1]) |%i, %j| { %x: f64 = load %a[%i, %j] accumulate out0, %x }
    return %s
  }";
const COLS: &str = "func @f(%a: f64[n, m]) -> (s: f64[1, m]) {
    sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
    %s: f64[1, m] = kernel 0 over [n, m] into (reduce sum along [0]) |%i, %j| { %x: f64 = load %a[%i, %j] accumulate out0, %x }
    return %s
  }";
const HEAVY: &str = "func @f(%a: f64[n, 1]) -> (s: f64) {
    sym n = dim 0 0, >= 0
    %s: f64 = kernel 0 over [n] into (reduce sum along [0]) |%i| {
      %x: f64 = load %a[%i] %y: f64 = exp %x %z: f64 = sqrt %y %w: f64 = div %z, %y accumulate out0, %w
    }
    return %s
  }";
