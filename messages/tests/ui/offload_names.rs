//! What `#[offload]` refuses since it would have to guess what a name, an attribute or a value means.

use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1};

mod far {
    pub const small: usize = 3;
    const HIDDEN: f64 = 1.0;

    #[inline]
    pub fn hidden(x: f64) -> f64 {
        x + HIDDEN
    }

    #[inline]
    pub fn counted<const N: usize>(x: [f64; N]) -> f64 {
        x[0] + N as f64
    }

    #[inline]
    pub fn typed<T: Copy>(x: T) -> T {
        x
    }

    pub fn unmarked(x: f64) -> f64 {
        x
    }

    #[inline]
    pub fn leaves(x: f64) -> f64 {
        for i in 0..3 {
            if x > i as f64 {
                return x;
            }
        }
        0.0
    }
}

#[cfg(debug_assertions)]
#[inline]
fn built(x: f64) -> f64 {
    x
}

#[cfg(not(debug_assertions))]
#[inline]
fn built(x: f64) -> f64 {
    2.0 * x
}

#[allow(unused_imports)]
use std::primitive::usize as size;

#[megha::offload]
fn goes_along_a_dimension(a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>, k: usize) {
    for v in a.index_axis(ndarray::Axis(k), 0).iter() {
        y[0] += v;
    }
}

#[megha::offload]
fn takes_the_default(mut y: ArrayViewMut1<f64>) {
    y[0] = f64::default();
}

#[megha::offload]
fn depends_on_the_build(mut y: ArrayViewMut1<f64>) {
    #[cfg(test)]
    {
        y[0] = 1.0;
    }
}

#[megha::offload]
fn depends_on_the_build_within(mut y: ArrayViewMut1<f64>, n: usize) {
    match n {
        #[cfg(not(test))]
        0 => y[0] = 1.0,
        _ => {}
    }
}

#[megha::offload]
fn calls_what_the_build_decides(mut y: ArrayViewMut1<f64>) {
    y[0] = built(1.0);
}

#[megha::offload]
fn calls_for_a_length(mut y: ArrayViewMut1<f64>) {
    let t = [1.0, 2.0];
    y[0] = far::counted(t);
}

#[megha::offload]
fn calls_for_a_type(mut y: ArrayViewMut1<f64>) {
    y[0] = far::typed(1.0);
}

#[megha::offload]
fn calls_what_is_not_marked(mut y: ArrayViewMut1<f64>) {
    y[0] = far::unmarked(1.0);
}

#[megha::offload]
fn has_what_a_macro_may_change(mut y: ArrayViewMut1<f64>) {
    #[loops::unrolled]
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

#[megha::offload]
fn calls_what_returns_early(mut y: ArrayViewMut1<f64>) {
    y[0] = far::leaves(1.0);
}

#[megha::offload]
fn calls_for_a_private_constant(mut y: ArrayViewMut1<f64>) {
    y[0] = far::hidden(1.0);
}

#[megha::offload]
fn matches_what_may_be_a_constant(mut y: ArrayViewMut1<f64>, n: usize) {
    use far::small;
    match n {
        small => y[0] = 1.0,
        size => y[0] = 2.0,
    }
}

#[megha::offload]
fn uses_all_names(mut y: ArrayViewMut1<f64>) {
    use std::f64::consts::*;
    y[0] = 1.0;
}

#[megha::offload]
fn gives_a_tuple_of_one(x: f64) -> (f64,) {
    (x,)
}

#[megha::offload]
fn lends_an_element(mut y: ArrayViewMut1<f64>) {
    fn grow(x: &mut f64) {
        *x += 1.0;
    }
    grow(&mut y[0]);
}

#[megha::offload]
fn repeats_a_list(mut y: ArrayViewMut1<f64>) {
    let m = [[1.0, 2.0]; 2];
}

#[megha::offload]
fn fills_with_what_is_refused(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
    let z = [x.mean(); 3];
    y[0] = z[1];
    for v in &z {
        y[0] += v;
    }
}

#[megha::offload]
fn sums_in_any_order(a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>) {
    let mut sum = 0.0;
    ndarray::azip!((&a in &a) sum += a);
    y[0] = sum;
}

#[megha::offload]
fn counts_in_any_order(mut a: ndarray::ArrayViewMut2<f64>) {
    let mut count = 0.0;
    a.map_inplace(|v| {
        count += 1.0;
        *v = count;
    });
}

#[megha::offload]
fn gives_an_error(x: f64) -> megha::Result<f64> {
    parse(x)?;
    Ok(x)
}

macro_rules! assert_ne {
    ($($anything:tt)*) => {};
}

#[megha::offload]
fn calls_a_macro_of_the_file(mut y: ArrayViewMut1<f64>) {
    assert_ne!(y.len(), 0);
    y[0] = 1.0;
}

fn around() {
    #[inline]
    fn near(x: f64) -> f64 {
        x
    }

    #[megha::offload]
    fn stands_in_a_function(mut y: ArrayViewMut1<f64>) {
        y[0] = near(1.0);
    }
}

macro_rules! two {
    ($x:ident) => {
        #[megha::offload]
        fn two($x: f64, x: f64, mut y: ArrayViewMut1<f64>) {
            y[0] = x;
        }
    };
}
two!(x);

fn main() {}
