//! The programs of this folder as Rust loops: the same operations in the same order, indices checked. Matrices are
//! stored columns first, which is the order that the loops run in.
#![allow(clippy::needless_range_loop, reason = "loops over subscripts are what is compared")]

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ShapeBuilder};

pub fn sieve(n: usize) -> f64 {
    let mut prime = vec![true; n + 1];
    prime[1] = false;
    for p in 2..=n.isqrt() {
        if prime[p] {
            for multiple in (p * p..=n).step_by(p) {
                prime[multiple] = false;
            }
        }
    }
    let mut count = 0.0;
    for k in 1..=n {
        if prime[k] {
            count += 1.0;
        }
    }
    count
}

pub fn collatz(limit: usize) -> (f64, f64) {
    let (mut start, mut steps) = (1.0, 0.0);
    for k in 1..=limit {
        let mut m = k as f64;
        let mut count = 0.0;
        while m != 1.0 {
            if m % 2.0 == 0.0 {
                m /= 2.0;
            } else {
                m = 3.0 * m + 1.0;
            }
            count += 1.0;
        }
        if count > steps {
            steps = count;
            start = k as f64;
        }
    }
    (start, steps)
}

/// The same with integers, as Rust would have it.
pub fn collatz_integers(limit: usize) -> (f64, f64) {
    let (mut start, mut steps) = (1, 0);
    for k in 1..=limit {
        let mut m = k as u64;
        let mut count = 0;
        while m != 1 {
            if m.is_multiple_of(2) {
                m /= 2;
            } else {
                m = 3 * m + 1;
            }
            count += 1;
        }
        if count > steps {
            steps = count;
            start = k;
        }
    }
    (start as f64, steps as f64)
}

pub fn mandelbrot(width: usize, height: usize, most: usize) -> Array2<f64> {
    let mut counts = Array2::zeros((height, width).f());
    for col in 0..width {
        let cr = -2.0 + 3.0 * col as f64 / (width as f64 - 1.0);
        for row in 0..height {
            let ci = -1.25 + 2.5 * row as f64 / (height as f64 - 1.0);
            let (mut zr, mut zi, mut k) = (0.0, 0.0, 0);
            while k < most && zr * zr + zi * zi <= 4.0 {
                let t = zr * zr - zi * zi + cr;
                zi = 2.0 * zr * zi + ci;
                zr = t;
                k += 1;
            }
            counts[[row, col]] = k as f64;
        }
    }
    counts
}

pub fn lu_loops(a: ArrayView2<f64>) -> (Array2<f64>, Array1<f64>) {
    let mut a = a.to_owned();
    let n = a.nrows();
    let mut order = Array1::from_shape_fn(n, |k| (k + 1) as f64);
    for k in 0..n - 1 {
        let mut p = k;
        for i in k + 1..n {
            if a[[i, k]].abs() > a[[p, k]].abs() {
                p = i;
            }
        }
        if p != k {
            for j in 0..n {
                let t = a[[k, j]];
                a[[k, j]] = a[[p, j]];
                a[[p, j]] = t;
            }
            order.swap(k, p);
        }
        for i in k + 1..n {
            a[[i, k]] /= a[[k, k]];
        }
        for j in k + 1..n {
            for i in k + 1..n {
                a[[i, j]] -= a[[i, k]] * a[[k, j]];
            }
        }
    }
    (a, order)
}

/// Positions, velocities and masses.
#[derive(Clone)]
pub struct Bodies {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub z: Vec<f64>,
    pub vx: Vec<f64>,
    pub vy: Vec<f64>,
    pub vz: Vec<f64>,
    pub m: Vec<f64>,
}

pub fn nbody(bodies: &Bodies, dt: f64, steps: usize) -> f64 {
    let Bodies { mut x, mut y, mut z, mut vx, mut vy, mut vz, m } = bodies.clone();
    let n = m.len();
    for _ in 0..steps {
        for i in 0..n {
            for j in i + 1..n {
                let (dx, dy, dz) = (x[i] - x[j], y[i] - y[j], z[i] - z[j]);
                let d2 = dx * dx + dy * dy + dz * dz;
                let mag = dt / (d2 * d2.sqrt());
                vx[i] -= dx * m[j] * mag;
                vy[i] -= dy * m[j] * mag;
                vz[i] -= dz * m[j] * mag;
                vx[j] += dx * m[i] * mag;
                vy[j] += dy * m[i] * mag;
                vz[j] += dz * m[i] * mag;
            }
        }
        for i in 0..n {
            x[i] += dt * vx[i];
            y[i] += dt * vy[i];
            z[i] += dt * vz[i];
        }
    }
    let mut energy = 0.0;
    for i in 0..n {
        energy += 0.5 * m[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]);
        for j in i + 1..n {
            let (dx, dy, dz) = (x[i] - x[j], y[i] - y[j], z[i] - z[j]);
            energy -= m[i] * m[j] / (dx * dx + dy * dy + dz * dz).sqrt();
        }
    }
    energy
}

pub fn edit_distance(s: &[f64], t: &[f64]) -> f64 {
    let (m, n) = (s.len(), t.len());
    let mut d = Array2::<f64>::zeros((m + 1, n + 1).f());
    for i in 0..=m {
        d[[i, 0]] = i as f64;
    }
    for j in 0..=n {
        d[[0, j]] = j as f64;
    }
    for j in 1..=n {
        for i in 1..=m {
            let cost = if s[i - 1] == t[j - 1] { 0.0 } else { 1.0 };
            d[[i, j]] = (d[[i - 1, j]] + 1.0).min(d[[i, j - 1]] + 1.0).min(d[[i - 1, j - 1]] + cost);
        }
    }
    d[[m, n]]
}

pub fn bubble(x: &[f64]) -> (Vec<f64>, f64) {
    let mut x = x.to_vec();
    let mut n = x.len();
    let mut swaps = 0.0;
    let mut swapped = true;
    while swapped {
        swapped = false;
        for k in 1..n {
            if x[k - 1] > x[k] {
                x.swap(k - 1, k);
                swapped = true;
                swaps += 1.0;
            }
        }
        n -= 1;
    }
    (x, swaps)
}

pub fn tridiagonal(a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> Vec<f64> {
    let (mut b, mut d) = (b.to_vec(), d.to_vec());
    let n = d.len();
    let mut x = vec![0.0; n];
    for i in 1..n {
        let w = a[i] / b[i - 1];
        b[i] -= w * c[i - 1];
        d[i] -= w * d[i - 1];
    }
    x[n - 1] = d[n - 1] / b[n - 1];
    for i in (0..n - 1).rev() {
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i];
    }
    x
}

pub fn product(a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
    let mut c = Array2::zeros((a.nrows(), b.ncols()).f());
    for i in 0..a.nrows() {
        for j in 0..b.ncols() {
            let mut s = 0.0;
            for k in 0..a.ncols() {
                s += a[[i, k]] * b[[k, j]];
            }
            c[[i, j]] = s;
        }
    }
    c
}

pub fn lorenz(n: usize, h: f64) -> Array2<f64> {
    let slope = |x: f64, y: f64, z: f64| (10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z);
    let mut path = Array2::zeros((3, n + 1).f());
    let (mut x, mut y, mut z) = (1.0, 1.0, 1.0);
    path.column_mut(0).assign(&ArrayView1::from(&[x, y, z]));
    for step in 1..=n {
        let (k1, l1, m1) = slope(x, y, z);
        let (k2, l2, m2) = slope(x + h / 2.0 * k1, y + h / 2.0 * l1, z + h / 2.0 * m1);
        let (k3, l3, m3) = slope(x + h / 2.0 * k2, y + h / 2.0 * l2, z + h / 2.0 * m2);
        let (k4, l4, m4) = slope(x + h * k3, y + h * l3, z + h * m3);
        x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        y += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
        z += h / 6.0 * (m1 + 2.0 * m2 + 2.0 * m3 + m4);
        path[[0, step]] = x;
        path[[1, step]] = y;
        path[[2, step]] = z;
    }
    path
}

pub fn gauss_seidel(u: ArrayView2<f64>, f: ArrayView2<f64>, h: f64, tol: f64, most: usize) -> (Array2<f64>, f64) {
    let mut u = u.to_owned();
    let (m, n) = u.dim();
    let (mut sweeps, mut change) = (0, f64::INFINITY);
    while change > tol && sweeps < most {
        change = 0.0;
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                let old = u[[i, j]];
                u[[i, j]] = (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] - h * h * f[[i, j]]) / 4.0;
                change = change.max((u[[i, j]] - old).abs());
            }
        }
        sweeps += 1;
    }
    (u, sweeps as f64)
}

pub fn knapsack(value: &[f64], weight: &[usize], capacity: usize) -> f64 {
    let mut most = vec![0.0; capacity + 1];
    for k in 0..value.len() {
        for c in (weight[k]..=capacity).rev() {
            let take = most[c - weight[k]] + value[k];
            if take > most[c] {
                most[c] = take;
            }
        }
    }
    most[capacity]
}
