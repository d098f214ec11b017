//! Loops over one array before and after the pass: how many loads are left, and equal results.

use crate::interp::{self, Datum, Options};
use crate::ir::parse::parse_func;
use crate::ir::{FuncId, Module, Op, verify::verify};
use proptest::prelude::*;

/// Columns of the array.
const COLUMNS: i64 = 40;

/// A loop in each row, which in iteration `c` stores what it computes to column `step * c + start`, and before to other columns.
#[derive(Debug, Clone)]
struct Program {
    trip: i64,
    step: i64,
    start: i64,
    /// For each load how many iterations ago its element was stored.
    distances: Vec<i64>,
    /// Columns that are stored to before the loop.
    before: Vec<i64>,
    /// Whether the loop stores to one more column.
    twice: bool,
}

impl Program {
    fn text(&self) -> String {
        let Self { trip, step, start, distances, before, twice } = self;
        let pre: String = before
            .iter()
            .enumerate()
            .map(|(k, column)| format!("%b{k} = const {column} %w{k} = const {k}.5 put out0[%i, %b{k}] = %w{k}\n"))
            .collect();
        let loads: String = distances
            .iter()
            .enumerate()
            .map(|(k, distance)| {
                let column = format!("%a{k} = const {} %l{k} = sub %s, %a{k}", step * distance);
                format!(
                    "{column} %x{k}: f64 = load out0[%i, %l{k}] %m{k} = mul %v{k}, %half %v{} = add %m{k}, %x{k}\n",
                    k + 1
                )
            })
            .collect();
        let again = if *twice { "%last = const 21 put out0[%i, %last] = %one" } else { "" };
        format!(
            "func @f(%p: f64[n, m]) -> (r: f64[n, m]) {{
               sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
               %r: f64[n, m] = kernel 0 over [n] into (update %p) |%i| {{
                 %one = const 1.0 %half = const 0.75
                 {pre}
                 %t = const {trip}
                 for %t |%c| {{
                   %step = const {step} %start = const {start} %by = mul %c, %step %s = add %by, %start
                   %v0 = const 1.25
                   {loads}
                   put out0[%i, %s] = %v{}
                   {again}
                   yield
                 }}
                 yield
               }}
               return %r
             }}",
            distances.len()
        )
    }

    /// The module before and after the pass.
    fn both(&self) -> [Module; 2] {
        let func = parse_func(&self.text()).unwrap_or_else(|e| panic!("{e}\n{}", self.text()));
        let mut after = func.clone();
        super::run(&mut after);
        [func, after].map(|func| {
            let module = Module::of(vec![func]);
            assert!(verify(&module).is_ok(), "{}", module.funcs[0]);
            module
        })
    }

    /// How many loads stand in the loop after the pass.
    fn loads(&self) -> usize {
        let [_, after] = self.both();
        let mut count = 0;
        after.funcs[0].body.walk(&mut |stmt| {
            if let Op::For { body, .. } = &stmt.op {
                count += body.count(|op| matches!(op, Op::Load(..)));
            }
        });
        count
    }
}

/// The bits of the result for three rows of numbers of all kinds.
fn results(module: &Module) -> Vec<u64> {
    let numbers = [0.5, -0.0, 3.0, f64::NAN, f64::INFINITY, -2.25, 0.0, 7.0, -1e-3, 1.0, 2.5];
    let given = (0..3 * COLUMNS as usize).map(|k| numbers[k * 7 % numbers.len()]).collect();
    let args = vec![Datum::doubles(&[3, COLUMNS as usize], given).unwrap()];
    let found = interp::run(module, FuncId::new(0), args, &Options::default(), &mut Vec::new()).unwrap();
    let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    found[0].to_doubles().unwrap().into_iter().map(bits).collect()
}

/// Stores two columns before those that the loop stores.
fn program(distances: &[i64]) -> Program {
    Program { trip: 9, step: 1, start: 8, distances: distances.to_vec(), before: vec![6, 7], twice: false }
}

#[test]
fn what_was_stored_up_to_two_iterations_ago_is_handed_on() {
    let left = |distances: &[i64]| program(distances).loads();
    assert_eq!(left(&[1]), 0);
    assert_eq!(left(&[1, 2, 1]), 0);
    assert_eq!(left(&[2, 3]), 1);
    // An element that is stored in this iteration or later is another one.
    assert_eq!(left(&[0, -1, 1]), 2);
}

#[test]
fn it_may_move_back_and_by_more() {
    assert_eq!(Program { step: -1, start: 30, before: vec![31, 32], ..program(&[1, 2]) }.loads(), 0);
    assert_eq!(Program { step: 2, before: vec![6, 4], ..program(&[2, 1]) }.loads(), 0);
}

#[test]
fn an_array_that_is_stored_to_twice_is_left() {
    assert_eq!(Program { twice: true, ..program(&[1]) }.loads(), 1);
}

#[test]
fn what_the_first_iterations_read_is_stored_before() {
    let left = |before: &[i64], distances: &[i64]| Program { before: before.to_vec(), ..program(distances) }.loads();
    assert_eq!([left(&[], &[1]), left(&[6], &[1]), left(&[7, 6], &[1]), left(&[7], &[1, 2])], [1, 1, 0, 1]);
}

proptest! {
    #[test]
    fn results_stay(
        (trip, step, distances) in (0..6_i64, prop_oneof![Just(1_i64), Just(-1), Just(2)], prop::collection::vec(-2..6_i64, 1..5)),
        (before, twice) in (prop::collection::vec(14..26_i64, 0..4), prop::bool::weighted(0.1)),
    ) {
        let program = Program { trip, step, start: 20, distances, before, twice };
        let [before, after] = program.both();
        prop_assert_eq!(results(&before), results(&after), "{}", after.funcs[0]);
    }
}
