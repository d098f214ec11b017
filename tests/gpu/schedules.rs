//! Schedules written by hand: the PTX follows them, and computes the same.

use megha_core::interp::{Datum, Elements};
use megha_core::ir::parse::parse;
use megha_core::ir::{FuncId, Module};
use megha_core::ptx::generate;
use megha_core::schedule::{Memory, Schedule, Schedules, Target};

use super::reductions::terms;
use super::small::{array, check_scheduled};

const COPY: &str = "func @f(%a: f64[n, m, k, l]) -> (c: f64[l, m, k, n]) {
    sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0 sym k = dim 0 2, >= 0 sym l = dim 0 3, >= 0
    %c: f64[l, m, k, n] = kernel 0 over [n, m, k, l] into (fresh) |%h, %i, %j, %q| {
      %x: f64 = load %a[%h, %i, %j, %q]
      put out0[%q, %i, %j, %h] = %x
    }
    return %c
  }";

const SUMS: &str = "func @f(%a: f64[n, m]) -> (s: f64[n, 1]) {
    sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
    %s: f64[n, 1] = kernel 0 over [n, m] into (reduce sum along [1]) |%i, %j| {
      %x: f64 = load %a[%i, %j]
      %y: f64 = mul %x, %x
      accumulate out0, %y
    }
    return %s
  }";

const RUNNING: &str = "func @f(%a: f64[n, m]) -> (c: f64[n, m]) {
    sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
    %c: f64[n, m] = kernel 0 over [m] into (fresh) |%j| {
      %trip = size n
      %s = for %trip with 0.0 |%k, %t| {
        %x: f64 = load %a[%k, %j]
        %u: f64 = add %t, %x
        put out0[%k, %j] = %u
        yield %u
      }
    }
    return %c
  }";

fn module(text: &str) -> Module {
    parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn matrix(dims: &[usize]) -> Datum {
    array(dims, Elements::Double(terms(dims.iter().product())))
}

/// The schedules of the kernel of a text, some of them replaced by these.
fn scheduled(module: &Module, changed: &[String]) -> Schedules {
    let mut table = Schedules::of(module);
    for text in changed {
        let schedule: Schedule = text.parse().unwrap_or_else(|e| panic!("{e}"));
        table.set(module, (FuncId::new(0), 0), schedule).unwrap_or_else(|e| panic!("{}\n{text}", e.join("\n")));
    }
    table
}

fn default(module: &Module, memory: Memory) -> String {
    let table = Schedules::of(module);
    table.get((FuncId::new(0), 0), Target::Gpu, memory).expect("a schedule").to_string()
}

/// How many schedules the kernel of a text has beside the one for any sizes.
pub fn variants(text: &str) -> usize {
    Schedules::of(&module(text)).variants((FuncId::new(0), 0), Target::Gpu).len()
}

/// Runs the kernel under both schedules on the simulated device, in both memory orders, and holds it against the interpreter; whether
/// its text has changed.
fn holds(text: &str, changed: &[String], arguments: &[Datum]) -> bool {
    let module = module(text);
    let ptx = |table: &Schedules| {
        let ptx = generate(megha_core::ir::verify::verify(&module).unwrap(), table);
        assert_eq!(ptx.refused, [], "{changed:?}");
        ptx.text
    };
    let table = scheduled(&module, changed);
    check_scheduled(text, arguments, &table);
    ptx(&table) != ptx(&Schedules::of(&module))
}

/// Every way to lay four loops on the axes of a grid.
#[test]
fn points_lie_on_the_axes_that_the_schedule_names() {
    let mut orders = Vec::new();
    for k in 0..24 {
        let mut rest = vec!["i", "j", "k", "l"];
        let order: Vec<&str> = [k / 6, k / 2 % 3, k % 2, 0].map(|at| rest.remove(at)).to_vec();
        orders.push(order);
    }
    let mut different = 0;
    for (at, order) in orders.iter().enumerate() {
        let [a, b, c, d] = order[..] else { unreachable!() };
        // In turn: two loops that count as one on z, on y and on x, and the axes from outside to inside in another order.
        let body = match at % 4 {
            0 => format!(
                "order ({a} {b}) {c} {d}\nbind block.z ({a} {b}), thread.z ({a} {b}), block.y {c}, thread.y {c}, block.x {d}, thread.x {d}"
            ),
            1 => format!(
                "order {a} ({b} {c}) {d}\nbind block.z {a}, thread.z {a}, block.y ({b} {c}), thread.y ({b} {c}), block.x {d}, thread.x {d}"
            ),
            2 => format!(
                "order {a} ({b} {c} {d})\nbind block.y {a}, thread.y {a}, block.x ({b} {c} {d}), thread.x ({b} {c} {d})"
            ),
            _ => format!(
                "order {a} {b} ({c} {d})\nbind block.x {a}, thread.x {a}, block.z {b}, thread.z {b}, block.y ({c} {d}), thread.y ({c} {d})"
            ),
        };
        let changed =
            [format!("schedule on gpu, columns first\n{body}"), format!("schedule on gpu, rows first\n{body}")];
        different += usize::from(holds(COPY, &changed, &[matrix(&[3, 5, 7, 2])]));
    }
    assert!(different >= 23, "{different} of 24 texts differ from the default's");
}

/// Warps where neighbours are the default, and other numbers of terms at once.
#[test]
fn reductions_take_the_form_that_the_schedule_names() {
    let module = module(SUMS);
    let across = default(&module, Memory::ColumnMajor);
    assert!(across.contains("thread.y j") && across.contains("jam      j 4"), "{across}");
    let warps = "schedule on gpu, columns first\n  order    i j/4096 j/32 j\n  \
                 bind     block.x i, block.y j/4096, thread.x j, thread.y j/32, thread.z i\n  jam      j/32 2\n  \
                 stage    terms at j/4096 in shared\n  combine  4\n";
    let arguments = [[7, 33], [40, 9000], [1, 31], [0, 4]].map(|dims| [matrix(&dims)]);
    for changed in
        [warps.to_owned(), across.replace("jam      j 4", "jam      j 8"), across.replace("  jam      j 4\n", "")]
    {
        for argument in &arguments {
            assert!(holds(SUMS, std::slice::from_ref(&changed), argument), "{changed}");
        }
    }
}

/// A thread for each line where tiles are the default.
#[test]
fn lines_need_no_tiles() {
    let module = module(RUNNING);
    let tiles = default(&module, Memory::ColumnMajor);
    assert!(tiles.contains("stage    terms at j/1024 in shared pad 1"), "{tiles}");
    let threads = "schedule on gpu, columns first\n  order    i j\n  bind     block.x i, thread.x i\n";
    for dims in [[5, 3], [2000, 4]] {
        assert!(holds(RUNNING, &[threads.to_owned()], &[matrix(&dims)]));
    }
}

/// What would change results is refused, and what the back end cannot do it says.
#[test]
fn schedules_that_cannot_be_are_refused_with_the_reason() {
    let refused = |text: &str, schedule: &str| {
        let module = module(text);
        let schedule: Schedule = schedule.parse().unwrap_or_else(|e| panic!("{e}"));
        Schedules::of(&module).set(&module, (FuncId::new(0), 0), schedule).unwrap_err().join("; ")
    };
    let head = "schedule on gpu, columns first\n";
    let said = refused(RUNNING, &format!("{head}order i j\nbind block.x i, thread.x j"));
    assert_eq!(said, "`j` is sequential: its iterations cannot be shared at `thread.x`");
    let said = refused(RUNNING, &format!("{head}order i j\njam j 4"));
    assert_eq!(said, "`j` is sequential: its iterations cannot be computed together, but written out by `unroll`");
    let said = refused(SUMS, &format!("{head}order i j/1000 j\nbind block.y j/1000\ncombine 1"));
    assert_eq!(said, "`j/1000` at `block.y`: partial results are those of chunks of 4096 elements");
    let said = refused(COPY, &format!("{head}order i j l\nbind core i"));
    assert_eq!(said, "the loop `k` is missing from the order");
    let said = refused(COPY, &format!("{head}order i j k l l/7 m\nbind core i"));
    assert_eq!(said, "the kernel has no loop `m`: it has 4");
    let said = refused(COPY, &format!("{head}order i j k l l/7\nbind core i"));
    assert_eq!(said, "inside of `l/7` there is no loop that it cuts; `i` is at `core`, which a gpu does not have");

    let module = module(COPY);
    let staged = format!("{head}order i j k l\nbind block.x l, thread.x l\nstage array 1 at k in shared pad 1");
    let table = scheduled(&module, &[staged]);
    let ptx = generate(megha_core::ir::verify::verify(&module).unwrap(), &table);
    assert_eq!(ptx.refused[0].reason, "`l` at its place in tiles: not carried out by the code for devices");
}
