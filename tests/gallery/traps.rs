//! Traps of MATLAB that depend on how Rust passes the arguments; the others are programs of `tests/matlab/traps`.

use ndarray::{ArrayD, ArrayViewD};

use super::golden;
use super::programs::COMPILED;
use super::reference::equal;

/// Subscripts count columns first wherever the elements lie.
#[test]
fn memory_order_does_not_matter() {
    for (program, call) in COMPILED {
        for golden in golden(program) {
            let rows: Vec<ArrayD<f64>> = golden.inputs().map(|a| a.as_standard_layout().into_owned()).collect();
            let columns: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
            let rows: Vec<ArrayViewD<f64>> = rows.iter().map(|a| a.view()).collect();
            match (call(&rows), call(&columns)) {
                (Ok(rows), Ok(columns)) => {
                    let same = rows.iter().zip(&columns).all(|(a, b)| equal(a, b));
                    assert!(same, "{}: {rows:?}, not {columns:?}", golden.name);
                }
                (rows, columns) => assert_eq!(rows.is_ok(), columns.is_ok(), "{}", golden.name),
            }
        }
    }
}
