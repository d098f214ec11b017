//! Launches that are cut into parts at random, of the six programs in both memory orders.

use ndarray::ArrayD;

use super::common::golden::Golden;
use super::octave::inputs;
use super::parting::assert_parts;
use super::{PROGRAMS, views};

#[test]
fn parts_make_what_the_whole_makes() {
    for program in &PROGRAMS {
        let mut launches = [0; 2];
        for golden in Golden::all(program.name) {
            let columns = inputs(program, &golden);
            let rows: Vec<ArrayD<f64>> = columns.iter().map(|a| a.as_standard_layout().into_owned()).collect();
            for arguments in [columns, rows] {
                let views = views(&arguments);
                let [whole, parts] = assert_parts(&golden.name, &|| (program.call)(&views));
                launches = [launches[0] + whole, launches[1] + parts];
            }
        }
        assert!(launches[0] > 0 && launches[1] > 3 * launches[0], "{}: {launches:?}", program.name);
    }
}
