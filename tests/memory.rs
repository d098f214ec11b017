//! Memory of the field simulation. Alone in its process, since arrays of other tests would count too.

megha::matlab!(
    file "../examples/matlab/fdtd.m",
    fn fdtd(lx: f64, ly: f64, lz: f64, nx: usize, ny: usize, nz: usize, nt: usize) -> (ex, ey, ez, hx, hy, hz)
);

#[test]
fn temporaries_of_fdtd_disappear() {
    // The second is flat as the thesis's cavities are. What remains are numbers along two axes, which loops of three would compute again.
    for sizes in [[60, 50, 40], [128, 128, 15]] {
        no_temporaries(sizes);
    }
}

fn no_temporaries([nx, ny, nz]: [usize; 3]) {
    use megha::rt::memory::{current, peak, reset_peak};

    let before = current();
    reset_peak();
    let (ex, ey, ez, hx, hy, hz) = fdtd(1.0, 0.9, 0.8, nx, ny, nz, 3).unwrap();
    let own: usize = [ex, ey, ez, hx, hy, hz].iter().map(|field| size_of::<f64>() * field.len()).sum();
    let peak = peak() - before;
    assert!(peak >= own, "{own} bytes are results, but the peak was {peak}");
    assert!(peak * 10 <= own * 11, "a peak of {peak} bytes is more than 10 % above the {own} of the results");
    assert_eq!(current(), before, "the results belong to the caller, and nothing else is left");
}
