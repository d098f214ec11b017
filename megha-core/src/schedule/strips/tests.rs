//! Runs of kernels in the IR's text, where it is said what each touches.

use super::*;
use crate::ir::Func;
use crate::ir::parse::parse;
use crate::schedule::subjects;

/// A run: kernels, loops over rows and first rows, and whether rows are neighbours, columns first and rows first.
type Found = (Vec<u32>, Vec<(usize, String)>, [bool; 2]);

/// What is said of the runs among these kernels on `a` and `b`, n by m; states of one array have one number.
fn each<T>(kernels: &str, of: impl Fn(&Func, Run) -> T) -> Vec<T> {
    let text = format!(
        "func @f(%a: f64[n, m], %b: f64[n, m], %p: index) -> () {{ sym n = dim 0 0 sym m = dim 0 1 sym p = value %p, >= 0 {kernels} return }}"
    );
    let module = parse(&text).unwrap_or_else(|why| panic!("{why:?}"));
    let func = &module.funcs[0];
    let subjects = subjects(func);
    let mut state: HashMap<Value, usize> = HashMap::default();
    for subject in &subjects {
        for (out, result) in subject.kernel.outs.iter().zip(&subject.stmt.results) {
            let array = out.updated().unwrap_or(*result);
            let array = state.get(&array).copied().unwrap_or(array.index());
            state.insert(*result, array);
        }
    }
    let number = |value: Value| Some(state.get(&value).copied().unwrap_or(value.index()));
    runs(&subjects, &number).into_iter().map(|run| of(func, run)).collect()
}

/// These runs.
fn found(kernels: &str) -> Vec<Found> {
    each(kernels, |func, run| {
        let [columns, rows] = run.rows;
        assert_eq!(columns.launches, rows.launches);
        let launches = columns.launches.iter().map(|(axis, first)| (*axis, func.symbols.show(first)));
        (run.kernels, launches.collect(), [columns.adjacent, rows.adjacent])
    })
}

const SUMS: &str = "%s: f64[n, 1] = kernel 0 over [n, m] into (reduce sum along [1]) |%i, %j| {
    %e = load %a[%i, %j] accumulate out0, %e }";

#[test]
fn sums_of_rows_and_what_is_made_of_them() {
    let after = |text: &str| found(&format!("{SUMS} %y: f64[n, m] = kernel 1 over [n, m] into {text}"));
    let own = after("(fresh) |%p, %q| { %x = load %a[%p, %q] %t = load %s[%p] %z = sub %x, %t put out0[%p, %q] = %z }");
    let rows = |axes: [usize; 2]| axes.map(|axis| (axis, "0".to_owned())).to_vec();
    assert_eq!(own, [(vec![0, 1], rows([0, 0]), [true, false])]);
    // In the place of what was summed.
    let place = after("(update %a) |%p, %q| { %t = load %s[%p] put out0[%p, %q] = %t }");
    assert_eq!(place, own);
    // The loops of the second may be in another order.
    let turned = "%y: f64[n, m] = kernel 1 over [m, n] into (fresh) |%q, %p| { %x = load %a[%p, %q] %t = load %s[%p] %z = sub %x, %t put out0[%p, %q] = %z }";
    assert_eq!(found(&format!("{SUMS} {turned}")), [(vec![0, 1], rows([0, 1]), [true, false])]);
}

#[test]
fn other_rows_keep_launches_apart() {
    let after = |text: &str| found(&format!("{SUMS} {text}"));
    // A sum that is not the row's.
    let ahead = "%y: f64[n, m] = kernel 1 over [n - 1, m] into (update %b) |%p, %q| { %1: index = const 1 %r = add %p, %1 %x = load %a[%p, %q] %t = load %s[%r] %z = sub %x, %t put out0[%p, %q] = %z }";
    assert_eq!(after(ahead), []);
    // The first reads what the second stores for another row.
    let read = "%u: f64[n, m] = kernel 0 over [n - 1, m] into (update %b) |%i, %j| { %1: index = const 1 %k = add %i, %1 %e = load %a[%k, %j] put out0[%i, %j] = %e }";
    let stored = "%v: f64[n, m] = kernel 1 over [n - 1, m] into (update %a) |%p, %q| { %x = load %u[%p, %q] put out0[%p, %q] = %x }";
    let along = found(&format!("{read} {stored}"));
    assert_eq!(along, [(vec![0, 1], vec![(1, "0".to_owned()), (1, "0".to_owned())], [false, true])], "columns do");
}

/// A row that stays as it is may be read for all that change.
#[test]
fn rows_that_stay_are_read_for_all_others() {
    let launch = |id: u32, from: &str, to: &str, [rows, add]: [&str; 2]| {
        format!(
            "%{to}: f64[n, m] = kernel {id} over [{rows}, m] into (update %{from}) |%i{id}, %j{id}| {{
              %f{id}: index = size {add} %r{id} = add %i{id}, %f{id} %p{id}: index = size p
              %x{id}: f64 = load out0[%r{id}, %j{id}] %q{id}: index = const 0 %y{id}: f64 = load out0[%p{id}, %q{id}] %z{id} = add %x{id}, %y{id}
              put out0[%r{id}, %j{id}] = %z{id} }} "
        )
    };
    let of = |rows: [&str; 2]| {
        let text = launch(0, "a", "u", rows) + &launch(1, "u", "v", rows);
        found(&text).into_iter().map(|(kernels, launches, _)| (kernels, launches[0].1.clone())).collect::<Vec<_>>()
    };
    assert_eq!(of(["p", "0"]), [(vec![0, 1], "0".to_owned())], "before it");
    assert_eq!(of(["n - p - 1", "p + 1"]), [(vec![0, 1], "p + 1".to_owned())], "behind it");
    let settled = |rows: [&str; 2]| {
        let text = launch(0, "a", "u", rows) + &launch(1, "u", "v", rows);
        each(&text, |func, run| run.rows[1].settled.as_ref().map(|rows| func.symbols.show(rows)))
    };
    assert_eq!(settled(["n - p - 1", "p + 1"]), [Some("n".to_owned())], "what is read is done: steps go together");
    assert_eq!(settled(["p", "0"]), [None], "later steps may change it");
    assert_eq!(of(["p + 1", "0"]), [], "it changes last");
    assert_eq!(of(["n - p", "p"]), [], "it changes first");
}

/// Rows of launches on parts of arrays are counted from the arrays' first.
#[test]
fn parts_of_arrays_have_first_rows() {
    let below = "%u: f64[n, m] = kernel 0 over [n - 1, m] into (update %b) |%i, %j| { %1: index = const 1 %k = add %i, %1 %e = load %a[%k, %j] put out0[%k, %j] = %e }";
    let sums = "%s: f64[n, 1] = kernel 1 over [n, m] into (reduce sum along [1]) |%p, %q| { %x = load %u[%p, %q] accumulate out0, %x }";
    let found = found(&format!("{below} {sums}"));
    assert_eq!(found, [(vec![0, 1], vec![(0, "1".to_owned()), (0, "0".to_owned())], [true, false])]);
}
