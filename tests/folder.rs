//! Files that call each other, and scripts, as Rust functions.

use ndarray::array;

megha::matlab!(file "matlab/folder/main_fn.m", fn main_fn(x: f64[1, n]) -> (y, z));
megha::matlab!(file "matlab/folder/runs_scripts.m", fn runs_scripts(x: f64) -> (r, script));
megha::matlab!(
    file "matlab/folder/script.m",
    fn script(x: f64[1, n]) -> (y: f64[1, n], total),
    fn shifted(x: f64[1, n], offset: f64) -> total,
    fn twice(x: f64) -> r,
);

#[test]
fn each_file_has_its_own_helper() {
    assert_eq!(main_fn([1.0, 2.0]).unwrap(), (array![[103.0, 205.0]], -3.0));
}

#[test]
fn a_script_has_the_inputs_and_outputs_of_its_signature() {
    assert_eq!(script([1.0, 2.0]).unwrap(), (array![[4.0, 8.0]], 25.0));
    assert_eq!(shifted([1.0, 2.0], 0.5).unwrap(), 25.5);
    assert_eq!(twice(4.0).unwrap(), 8.0);
}

#[test]
fn scripts_that_are_run_by_their_names_share_the_variables() {
    assert_eq!(runs_scripts(1.0).unwrap(), (5221.0, 5.0));
    assert_eq!(runs_scripts(-1.0).unwrap(), (1699.0, 5.0));
}
