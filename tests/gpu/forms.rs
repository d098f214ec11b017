//! The two forms of a reduction that has several results, both in the module: which entries there are, which one sizes choose, and that both make the bits
//! of the interpreter.

use megha_base::plan::{Ceilings, Grid, KernelPlan};
use megha_core::interp::Elements;
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ptx::{Ptx, generate};
use megha_core::schedule::Schedules;

use super::reductions::terms;
use super::small::{array, check};

/// A reduction of a matrix along one dimension.
fn along(axis: usize, op: &str, class: &str) -> String {
    let dims = ["1, m", "n, 1"][axis];
    format!(
        "func @f(%a: {class}[n, m]) -> (s: {class}[{dims}]) {{
           sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
           %s: {class}[{dims}] = kernel 0 over [n, m] into (reduce {op} along [{axis}]) |%i, %j| {{
             %x: {class} = load %a[%i, %j]
             accumulate out0, %x
           }}
           return %s
         }}"
    )
}

fn compiled(text: &str) -> Ptx {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    generate(verify(&module).unwrap_or_else(|v| panic!("{}", v[0])), &Schedules::of(&module))
}

fn plan(text: &str) -> KernelPlan {
    compiled(text).kernels.remove(0)
}

/// `n` where neighbouring results lie side by side, `l` where warps share the elements of a result.
fn form(grid: &Grid) -> char {
    match grid {
        Grid::Neighbours { .. } => 'n',
        Grid::Lanes { .. } => 'l',
        _ => '?',
    }
}

/// The forms of the ways to run a kernel in an order of memory, and of the entries that combine too.
fn forms(plan: &KernelPlan, order: usize) -> [String; 2] {
    let ways = (0..=plan.variants.len()).map(|way| form(&plan.way(way, order).grid)).collect();
    [ways, plan.finish.iter().map(|both| form(&both[order].grid)).collect()]
}

/// What the loop along memory suggests comes first.
#[test]
fn both_forms_are_there() {
    for (axis, first) in [(0, ["ln", "nl"]), (1, ["nl", "ln"])] {
        let ptx = compiled(&along(axis, "sum", "f64"));
        let plan = &ptx.kernels[0];
        for (order, first) in first.into_iter().enumerate() {
            assert_eq!(forms(plan, order), [first; 2], "along {axis}, order {order}");
        }
        for entry in plan.all_entries() {
            assert!(ptx.text.contains(&format!(".visible .entry {}(", entry.name)), "{}", entry.name);
            assert!(entry.shared_bytes <= 48 << 10, "{}", entry.name);
        }
    }
}

/// One result has no neighbours, and a test is no reduction.
#[test]
fn other_kernels_have_one() {
    let all = "func @f(%a: f64[n, m]) -> (s: f64) {
        sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
        %s: f64 = kernel 0 over [n, m] into (reduce sum along [0, 1]) |%i, %j| {
          %x: f64 = load %a[%i, %j]
          accumulate out0, %x
        }
        return %s
      }";
    let whole = plan(all);
    assert_eq!((forms(&whole, 0), forms(&whole, 1)), (["l".into(), "l".into()], ["l".into(), "l".into()]));
    let test = all.replace("(s: f64)", "(s: bool)").replace("%s: f64", "%s: bool").replace("reduce sum", "reduce any");
    let test = test.replace("accumulate out0, %x", "%p: bool = lt %x, 0.0 accumulate out0, %p");
    assert_eq!(plan(&test).variants.len(), 0);
}

/// The name of the entry that a launch of a kernel takes first.
fn taken(plan: &KernelPlan, order: usize, sizes: [i64; 2]) -> (char, String) {
    let symbol = |at: usize| sizes[at];
    let whole = plan.whole(&symbol);
    let way = plan.way_for(&whole, order, &symbol, &Ceilings::default());
    let entry = plan.finish_for(way, &whole, order).unwrap_or_else(|| plan.way(way, order));
    (form(&entry.grid), entry.name.clone())
}

/// Few results want many threads for each, of which memory is read across, and many results of few elements want one thread each.
#[test]
fn sizes_decide() {
    let (columns, rows) = (plan(&along(0, "sum", "f64")), plan(&along(1, "sum", "f64")));
    let of = |plan: &KernelPlan, order: usize, sizes: [i64; 2]| taken(plan, order, sizes).0;
    for (sizes, form) in
        [([300, 4096], 'l'), ([1024, 128], 'l'), ([2048, 2048], 'n'), ([1 << 16, 64], 'n'), ([1 << 20, 3], 'n')]
    {
        assert_eq!(of(&rows, 0, sizes), form, "rows of {sizes:?}, columns first");
        let [n, m] = sizes;
        assert_eq!(of(&columns, 1, [m, n]), form, "columns of {m} by {n}, rows first");
    }
    for (sizes, form) in [([4096, 300], 'l'), ([300, 4096], 'l'), ([2048, 2048], 'l'), ([3, 1 << 20], 'n')] {
        assert_eq!(of(&columns, 0, sizes), form, "columns of {sizes:?}, columns first");
        let [n, m] = sizes;
        assert_eq!(of(&rows, 1, [m, n]), form, "rows of {m} by {n}, rows first");
    }
}

/// One launch does what the way that is chosen does.
#[test]
fn one_launch_has_the_form_that_is_chosen() {
    let rows = plan(&along(1, "sum", "f64"));
    let (few, many) = (taken(&rows, 0, [3, 50_000]), taken(&rows, 0, [2048, 5000]));
    assert_eq!((few.0, &few.1[..]), ('l', "f_k0_v1_finish_c"));
    assert_eq!((many.0, &many.1[..]), ('n', "f_k0_finish_c"));
    // a part of the chunks has no such launch, whatever the way
    let symbol = |at: usize| [3, 50_000][at];
    let [part, _] = rows.whole(&symbol).cut_chunks(1);
    assert!((0..2).all(|way| rows.finish_for(way, &part, 0).is_none()));
}

/// Numbers of both signs with not-a-numbers and zeros of both signs among them, at places that no stride meets alone.
fn special(count: usize) -> Vec<f64> {
    let of = |(k, x): (usize, f64)| match k % 97 {
        5 => f64::NAN,
        11 => -0.0,
        12 => 0.0,
        _ => x,
    };
    terms(count).into_iter().enumerate().map(of).collect()
}

#[test]
fn both_make_the_bits_of_the_interpreter() {
    let lengths = [1, 31, 32, 33, 4095, 4096, 4097];
    for (length, other) in lengths.into_iter().flat_map(|length| [(length, 1), (length, 9)]) {
        for (axis, dims) in [(0, [length, other]), (1, [other, length])] {
            let count = dims[0] * dims[1];
            let zeros: Vec<f32> = (0..count).map(|k| if k % 3 == 0 { -0.0 } else { [0.0, f32::NAN][k % 2] }).collect();
            for op in ["sum", "max"] {
                check(&along(axis, op, "f64"), &[array(&dims, Elements::Double(special(count)))]);
            }
            check(&along(axis, "min", "f32"), &[array(&dims, Elements::Single(zeros))]);
        }
    }
    for dims in [[0, 7], [7, 0]] {
        (0..2).for_each(|axis| {
            check(&along(axis, "sum", "f64"), &[array(&dims, Elements::Double(Vec::new()))]);
        });
    }
}

#[test]
fn large_matrices() {
    for (axis, dims) in [(0, [1024, 128]), (1, [1024, 128]), (1, [300, 4096])] {
        check(&along(axis, "sum", "f64"), &[array(&dims, Elements::Double(special(dims[0] * dims[1])))]);
    }
}
