//! What `#[offload]` refuses: one construct in each function, one message about the whole of it.

use ndarray::{Array2, ArrayD, ArrayView1, ArrayView2, ArrayViewMut1};

#[megha::offload]
fn prints(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    println!("{}", x[0]);
}

#[megha::offload]
fn maps_with_a_closure(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let double = move |v: f64| 2.0 * v;
}

#[megha::offload]
fn calls_an_unknown_function(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = unknown(x[0]);
}

#[megha::offload]
fn calls_through_a_field(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = (x.f)(1.0);
}

#[megha::offload]
fn walks_windows(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for v in a.windows((2, 2)) { y[0] += v[[0, 0]]; }
}

#[megha::offload]
fn walks_chunks(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for v in a.exact_chunks((2, 2)) { y[0] += v[[0, 0]]; }
}

#[megha::offload]
fn walks_without_an_end(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for i in 0.. { y[i] = 0.0; }
}

#[megha::offload]
fn walks_a_filter(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for (i, v) in x.iter().filter(|v| **v > 0.0).enumerate() { y[i] += v; }
}

#[megha::offload]
fn walks_a_chain(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for v in a.rows().into_iter().chain(a.rows()) { let z = v[0]; }
}

#[megha::offload]
fn takes_part_of_a_matrix_in_order(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for v in a.iter().skip(1) { y[0] += v; }
}

#[megha::offload]
fn sums_up(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = a.t().sum();
}

#[megha::offload]
fn multiplies_matrices(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let c = a.dot(&a);
}

#[megha::offload]
fn assigns_a_product_of_matrices(x: ArrayView1<f64>, a: ArrayView2<f64>, mut b: ndarray::ArrayViewMut2<f64>) {
    b.assign(&a.t().dot(&a));
}

#[megha::offload]
fn adds_arrays(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = (&x + &x)[0];
}

#[megha::offload]
fn takes_a_slice(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = x.slice(s![..;n]);
}

#[megha::offload]
fn takes_a_range_of_elements(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = x[0..2];
}

#[megha::offload]
fn prints_by_a_method(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    x.print();
}

#[megha::offload]
fn adds_a_dimension(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = x.insert_axis(Axis(0));
}

#[megha::offload]
fn uses_a_tuple_as_a_number(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = (1.0, 2.0);
    y[0] = z;
}

#[megha::offload]
fn takes_an_option(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let Ok(z) = x.first() else { return };
}

#[megha::offload]
fn tests_with_if_let(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    if let Some(z) = next(n) { y[0] = z; }
}

#[megha::offload]
fn loops_while_let(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    while let Some(z) = next(n) { y[0] = z; }
}

#[megha::offload]
fn breaks_with_a_value(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for i in 0..n { break 1.0; }
}

#[megha::offload]
fn leaves_a_block_with_what_nothing_takes(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for i in 0..n { 'a: { y[i] = 1.0; break 'b 1.0; } }
}

#[megha::offload]
fn breaks_out_of_nothing(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    break;
}

#[megha::offload]
fn continues_nothing(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    continue;
}

#[megha::offload]
fn fails_with_a_question_mark(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = parse(n)?;
}

#[megha::offload]
fn is_unsafe(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = unsafe { *x.uget(0) };
}

#[megha::offload]
fn holds_text(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = "text";
}

#[megha::offload]
fn holds_a_character(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = 'c';
}

#[megha::offload]
fn holds_a_wide_number(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = 340282366920938463463374607431768211455u128;
}

#[megha::offload]
fn makes_a_struct(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = Point { x: 1.0 };
}

#[megha::offload]
fn reads_a_field(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = self_.x;
}

#[megha::offload]
fn borrows_mutably(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = &mut n;
}

#[megha::offload]
fn declares_a_struct(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    struct Point;
}

#[megha::offload]
fn declares_a_type_of_text(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z: char = n;
}

#[megha::offload]
fn casts_to_a_pointer(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = n as *const f64;
}

#[megha::offload]
fn assigns_within(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = (n = 1);
}

#[megha::offload]
fn has_no_effect(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    n + 1;
}

#[megha::offload]
fn assigns_to_a_sum(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    n + 1 = 2;
}

#[megha::offload]
fn stores_a_range(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = 0..n;
}

#[megha::offload]
fn formats(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = format!("{n}");
}

#[megha::offload]
fn uses_a_path(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = std::env::consts::arch;
}

#[megha::offload]
fn matches_a_struct(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    match n { Point { x } => {} _ => {} }
}

#[megha::offload]
fn matches_a_slice(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    match n { [a, b] => {} _ => {} }
}

#[megha::offload]
fn goes_through_all_numbers(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for i in 0..=u64::MAX { if i > 7 { break; } y[0] += 1.0; }
}

#[megha::offload]
fn goes_on_without_an_end(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for i in n..usize::MAX { if i > 7 { break; } y[0] += 1.0; }
}

#[megha::offload]
fn adds_what_may_have_another_shape(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let mut v = ndarray::Array1::<f64>::zeros(x[1] as usize);
    v += &x;
}

#[megha::offload]
fn gives_no_value_otherwise(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = 1.0 + if n > 0 { 2.0 };
}

#[megha::offload]
fn asks_at_another_time(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = async { 1.0 };
}

#[megha::offload]
fn knows_no_such_name(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = z;
}

#[megha::offload]
fn changes_what_is_not_mutable(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    x[0] = 1.0;
}

#[megha::offload]
fn assigns_to_a_constant_variable(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = 1.0; z = 2.0;
}

#[megha::offload]
fn mixes_types(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = x[0] + n;
}

#[megha::offload]
fn subscripts_with_a_float(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = x[x[0]];
}

#[megha::offload]
fn subscripts_too_few(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = a[0];
}

#[megha::offload]
fn subscripts_a_number(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = n[0];
}

#[megha::offload]
fn uses_an_array_as_a_number(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = 2.0 * x;
}

#[megha::offload]
fn asks_for_a_dimension_too_many(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = x.shape()[3];
}

#[megha::offload]
fn tests_a_number(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    if n { y[0] = 1.0; }
}

#[megha::offload]
fn negates_what_has_no_sign(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = -n;
}

#[megha::offload]
fn shifts_a_float(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = x[0] << 1;
}

#[megha::offload]
fn takes_the_remainder_of_a_bool(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = (n > 1) % true;
}

#[megha::offload]
fn casts_to_bool(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = n as bool;
}

#[megha::offload]
fn casts_bool_to_a_float(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = (n > 1) as f64;
}

#[megha::offload]
fn calls_an_unknown_method(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = x[0].gamma();
}

#[megha::offload]
fn calls_a_method_of_floats(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = n.sqrt();
}

#[megha::offload]
fn calls_with_too_many(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    y[0] = x[0].sqrt(1.0);
}

#[megha::offload]
fn ranges_over_floats(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    for z in 0.0..1.0 { y[0] = z; }
}

#[megha::offload]
fn returns_what_it_has_not(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    return 1.0;
}

#[megha::offload]
fn has_a_value_too_many(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    1.0
}

#[megha::offload]
fn returns_an_array(x: ArrayView2<f64>) -> Array2<f64> {
    x.to_owned()
}

#[megha::offload]
fn borrows_text(name: &str, mut y: ArrayViewMut1<f64>) {
    y[0] = 0.0;
}

#[megha::offload]
fn takes_any_dimension(x: ArrayD<f64>) {}

#[megha::offload]
fn takes_characters(x: &[char]) {}

#[megha::offload]
fn takes_nested_slices(x: &[[[f64; 2]; 2]]) {}

#[megha::offload]
fn takes_a_number_by_reference(x: &mut f64) {}

#[megha::offload]
fn takes_a_tuple((a, b): (f64, f64)) {}

#[megha::offload]
fn takes_a_function(f: fn(f64) -> f64) {}

#[megha::offload]
fn takes_types<T>(x: f64) {}

#[megha::offload]
async fn is_asynchronous(x: f64) {}

#[megha::offload]
const fn is_constant(x: f64) {}

#[megha::offload]
extern "C" fn is_foreign(x: f64) {}

#[megha::offload]
fn gives_more_than_is_named(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let (b, c) = if n > 0 { (1.0, 2.0) } else { (1.0, 2.0, 3.0) };
}

#[megha::offload]
fn names_some_of_a_list(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let list = [1.0, 2.0, 3.0];
    let [first, ..] = list;
}

#[megha::offload]
fn replaces_an_array(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let mut z = ndarray::Array1::<f64>::zeros(n);
    z = ndarray::Array1::<f64>::ones(n);
}

#[megha::offload]
fn is_of_whole_numbers_with_a_sign(x: ArrayView1<f64>, a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, mut n: usize) {
    let z = n.is_negative();
}

#[megha::offload]
fn gives_nothing(x: f64) -> f64 {
    let z = x;
}

fn main() {}
