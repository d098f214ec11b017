//! What `#[offload]` refuses of closures and constant arrays.

const OUTSIDE: [[f64; 2]; 2] = computed();

const fn computed() -> [[f64; 2]; 2] {
    [[1.0, 2.0], [3.0, 4.0]]
}

#[megha::offload]
fn stores_into_a_constant(y: &mut [f64]) {
    const W: [f64; 3] = [1.0, 2.0, 3.0];
    W[0] = 4.0;
    y[0] = W[0];
}

#[megha::offload]
fn adds_to_a_constant(y: &mut [f64]) {
    const W: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];
    W[0][1] += y[0];
}

#[megha::offload]
fn fills_a_constant(y: &mut [f64]) {
    const W: [f64; 3] = [0.0; 3];
    W.fill(1.0);
    y[0] = W[0];
}

#[megha::offload]
fn goes_over_a_constant(y: &mut [f64]) {
    const W: [f64; 3] = [0.0; 3];
    for w in W.iter_mut() {
        *w = y[0];
    }
}

#[megha::offload]
fn lends_a_constant(y: &mut [f64]) {
    const W: [f64; 3] = [0.0; 3];
    let w = &mut W;
    w[1] = 2.0;
    y[0] = w[1];
}

#[megha::offload]
fn exchanges_with_a_constant(y: &mut [f64]) {
    const W: [f64; 3] = [0.0; 3];
    std::mem::swap(&mut y[0], &mut W[0]);
}

#[megha::offload]
fn uses_a_computed_matrix_from_outside(y: &mut [f64]) {
    y[0] = OUTSIDE[1][0];
}

#[megha::offload]
fn uses_what_a_closure_does_not_give(y: &mut [f64]) {
    let mut put = |v: f64| {
        y[0] = v;
    };
    let x = put(1.0);
}

#[megha::offload]
fn lends_an_element_to_a_closure(y: &mut [f64]) {
    let add = |v: &mut f64, d: f64| *v += d;
    add(&mut y[0], 2.0);
}

#[megha::offload]
fn has_a_closure_of_a_pair(y: &mut [f64]) {
    let sum = |(a, b): (f64, f64)| a + b;
    y[0] = sum((1.0, 2.0));
}

#[megha::offload]
fn has_a_closure_that_returns(y: &mut [f64]) {
    let mut put = |v: f64| {
        if v > 0.0 {
            return;
        }
        y[0] = v;
    };
    put(1.0);
}

fn main() {}
