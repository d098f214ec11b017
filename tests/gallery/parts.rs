//! Launches that are cut into parts at random, of all programs in both memory orders, and failures: the first failing iteration is that of all.

use ndarray::{ArrayD, ArrayViewD};

use super::golden;
use super::parting::assert_parts;
use super::programs::COMPILED;

#[test]
fn parts_make_what_the_whole_makes() {
    let mut launches = [0; 2];
    for (program, call) in COMPILED {
        for golden in golden(program) {
            let columns: Vec<ArrayViewD<f64>> = golden.inputs().map(|a| a.view()).collect();
            let rows: Vec<ArrayD<f64>> = columns.iter().map(|a| a.as_standard_layout().into_owned()).collect();
            let rows: Vec<ArrayViewD<f64>> = rows.iter().map(|a| a.view()).collect();
            for arguments in [columns, rows] {
                let [whole, parts] = assert_parts(&golden.name, &|| call(&arguments));
                launches = [launches[0] + whole, launches[1] + parts];
            }
        }
    }
    assert!(launches[0] > 0 && launches[1] > 3 * launches[0], "{launches:?}");
}
