use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

#[megha::offload]
fn prints(x: ArrayView1<f64>) {
    for i in 0..x.len() {
        println!("{}", x[i]);
    }
}

#[megha::offload]
fn returns_an_array(x: ArrayView2<f64>) -> Array2<f64> {
    x.to_owned()
}

#[megha::offload]
fn borrows_text(name: &str, mut y: ArrayViewMut1<f64>) {
    for i in 0..y.len() {
        y[i] = 0.0;
    }
}

#[megha::offload]
fn maps_with_a_closure(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
    let double = |v: f64| 2.0 * v;
    for i in 0..x.len() {
        y[i] = double(x[i]);
    }
}

#[megha::offload]
fn walks_an_iterator(x: ArrayView1<f64>, mut y: ArrayViewMut2<f64>) {
    for v in x.iter() {
        y[[0, 0]] += v;
    }
}

fn main() {}
