//! PolyBench's kernels parallel by hand, on doubles: rayon over rows or over strips of columns, slices, loops in the order that suits rows in memory.
//! Each element's sums keep their order, so the results are those of the plain loops. Factorisations are right-looking, so that rows are independent;
//! `durbin`, `trisolv` and `seidel_2d`, in which that takes another algorithm, are the plain loops over slices.

use ndarray::{Array1, Array2, Array3, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis};
use rayon::prelude::*;

/// Columns of a strip.
const STRIP: usize = 64;

fn row<'a>(a: &'a ArrayView2<'_, f64>, i: usize) -> &'a [f64] {
    let m = a.ncols();
    &a.as_slice().expect("rows first")[i * m..][..m]
}

/// Each row of a matrix at once.
fn rows(mut a: ArrayViewMut2<f64>, each: impl Fn(usize, &mut [f64]) + Sync) {
    let m = a.ncols().max(1);
    a.as_slice_mut().expect("rows first").par_chunks_mut(m).enumerate().for_each(|(i, row)| each(i, row));
}

/// Strips of columns of a matrix at once: the first column of each and the strip.
fn strips(mut a: ArrayViewMut2<f64>, each: impl Fn(usize, ArrayViewMut2<f64>) + Sync) {
    let strips: Vec<_> = a.axis_chunks_iter_mut(Axis(1), STRIP).enumerate().collect();
    strips.into_par_iter().for_each(|(at, strip)| each(at * STRIP, strip));
}

fn add(c: &mut [f64], b: &[f64], f: impl Fn(f64) -> f64) {
    c.iter_mut().zip(b).for_each(|(c, b)| *c += f(*b));
}

/// `y` and what the columns of a matrix, each element by `f`, make of `x`.
fn add_columns(a: ArrayView2<f64>, x: &[f64], y: &mut [f64], f: impl Fn(f64, f64) -> f64 + Sync) {
    y.par_chunks_mut(256).enumerate().for_each(|(piece, y)| {
        for (i, x) in x.iter().enumerate() {
            y.iter_mut().zip(&row(&a, i)[piece * 256..]).for_each(|(y, a)| *y += f(*a, *x));
        }
    });
}

fn product(
    c: ArrayViewMut2<f64>,
    a: ArrayView2<f64>,
    b: ArrayView2<f64>,
    begin: impl Fn(f64) -> f64 + Sync,
    f: impl Fn(f64, f64) -> f64 + Sync,
) {
    rows(c, |i, c| {
        c.iter_mut().for_each(|c| *c = begin(*c));
        for (k, a) in row(&a, i).iter().enumerate() {
            add(c, row(&b, k), |b| f(*a, b));
        }
    });
}

pub fn gemm(alpha: f64, beta: f64, c: ArrayViewMut2<f64>, a: ArrayView2<f64>, b: ArrayView2<f64>) {
    product(c, a, b, |c| c * beta, |a, b| alpha * a * b);
}

pub fn gemver(
    alpha: f64,
    beta: f64,
    mut a: ArrayViewMut2<f64>,
    u1: ArrayView1<f64>,
    v1: ArrayView1<f64>,
    u2: ArrayView1<f64>,
    v2: ArrayView1<f64>,
    mut w: ArrayViewMut1<f64>,
    mut x: ArrayViewMut1<f64>,
    y: ArrayView1<f64>,
    z: ArrayView1<f64>,
) {
    let (v1, v2) = (v1.as_slice().unwrap(), v2.as_slice().unwrap());
    rows(a.view_mut(), |i, a| {
        for ((a, v1), v2) in a.iter_mut().zip(v1).zip(v2) {
            *a = *a + u1[i] * v1 + u2[i] * v2;
        }
    });
    let x = x.as_slice_mut().unwrap();
    add_columns(a.view(), y.as_slice().unwrap(), x, |a, y| beta * a * y);
    x.iter_mut().zip(z).for_each(|(x, z)| *x += z);
    w.as_slice_mut().unwrap().par_iter_mut().enumerate().for_each(|(i, w)| {
        row(&a.view(), i).iter().zip(&*x).for_each(|(a, x)| *w += alpha * a * x);
    });
}

pub fn gesummv(
    alpha: f64,
    beta: f64,
    a: ArrayView2<f64>,
    b: ArrayView2<f64>,
    mut tmp: ArrayViewMut1<f64>,
    x: ArrayView1<f64>,
    mut y: ArrayViewMut1<f64>,
) {
    let x = x.as_slice().unwrap();
    let both = tmp.as_slice_mut().unwrap().par_iter_mut().zip(y.as_slice_mut().unwrap());
    both.enumerate().for_each(|(i, (tmp, y))| {
        (*tmp, *y) = (0.0, 0.0);
        for ((a, b), x) in row(&a, i).iter().zip(row(&b, i)).zip(x) {
            *tmp += a * x;
            *y += b * x;
        }
        *y = alpha * *tmp + beta * *y;
    });
}

pub fn symm(alpha: f64, beta: f64, c: ArrayViewMut2<f64>, a: ArrayView2<f64>, b: ArrayView2<f64>) {
    strips(c, |first, mut c| {
        let (m, n) = c.dim();
        let mut temp = [0.0; STRIP];
        for i in 0..m {
            temp.fill(0.0);
            let own = &row(&b, i)[first..][..n];
            for k in 0..i {
                let (factor, other) = (a[[i, k]], &row(&b, k)[first..][..n]);
                let mut c = c.row_mut(k);
                for (j, c) in c.as_slice_mut().unwrap().iter_mut().enumerate() {
                    *c += alpha * own[j] * factor;
                    temp[j] += other[j] * factor;
                }
            }
            let mut c = c.row_mut(i);
            for (j, c) in c.iter_mut().enumerate() {
                *c = beta * *c + alpha * own[j] * a[[i, i]] + alpha * temp[j];
            }
        }
    });
}

pub fn syr2k(alpha: f64, beta: f64, c: ArrayViewMut2<f64>, a: ArrayView2<f64>, b: ArrayView2<f64>) {
    // Transposed, so that neighbours are neighbours.
    let turned = [a, b].map(|x| x.t().as_standard_layout().into_owned());
    let (at, bt) = (turned[0].view(), turned[1].view());
    rows(c, |i, c| {
        let c = &mut c[..=i];
        c.iter_mut().for_each(|c| *c *= beta);
        for k in 0..a.ncols() {
            let (at, bt) = (&row(&at, k)[..=i], &row(&bt, k)[..=i]);
            let (a, b) = (a[[i, k]], b[[i, k]]);
            for ((c, at), bt) in c.iter_mut().zip(at).zip(bt) {
                *c += at * alpha * b + bt * alpha * a;
            }
        }
    });
}

pub fn syrk(alpha: f64, beta: f64, c: ArrayViewMut2<f64>, a: ArrayView2<f64>) {
    let at = a.t().as_standard_layout().into_owned();
    rows(c, |i, c| {
        let c = &mut c[..=i];
        c.iter_mut().for_each(|c| *c *= beta);
        for k in 0..a.ncols() {
            let factor = alpha * a[[i, k]];
            add(c, &row(&at.view(), k)[..=i], |at| factor * at);
        }
    });
}

pub fn trmm(alpha: f64, a: ArrayView2<f64>, b: ArrayViewMut2<f64>) {
    strips(b, |_, mut b| {
        let m = b.nrows();
        for i in 0..m {
            let (mut own, rest) = b.multi_slice_mut((ndarray::s![i, ..], ndarray::s![i + 1.., ..]));
            let own = own.as_slice_mut().unwrap();
            for k in i + 1..m {
                add(own, rest.row(k - i - 1).as_slice().unwrap(), |b| a[[k, i]] * b);
            }
            own.iter_mut().for_each(|b| *b *= alpha);
        }
    });
}

/// Means of columns, by what is added of each element.
fn means(data: ArrayView2<f64>, mean: &mut [f64], of: impl Fn(usize, f64) -> f64 + Sync) {
    let n = data.nrows() as f64;
    mean.par_chunks_mut(STRIP).enumerate().for_each(|(piece, mean)| {
        mean.fill(0.0);
        for i in 0..data.nrows() {
            let data = &row(&data, i)[piece * STRIP..];
            mean.iter_mut().zip(data).enumerate().for_each(|(j, (m, x))| *m += of(piece * STRIP + j, *x));
        }
        mean.iter_mut().for_each(|m| *m /= n);
    });
}

/// Products of columns with those from a place on, into the upper triangle; then the lower one.
fn columns_by_columns(
    data: ArrayView2<f64>,
    mut out: ArrayViewMut2<f64>,
    from: usize,
    finish: impl Fn(&mut f64) + Sync,
) {
    let m = data.ncols();
    rows(out.view_mut(), |i, out| {
        let out = &mut out[(i + from).min(m)..];
        out.fill(0.0);
        for k in 0..data.nrows() {
            let data = row(&data, k);
            let factor = data[i];
            add(out, &data[(i + from).min(m)..], |x| factor * x);
        }
        out.iter_mut().for_each(&finish);
    });
    for i in 0..m {
        for j in i + from..m {
            out[[j, i]] = out[[i, j]];
        }
    }
}

pub fn correlation(
    mut data: ArrayViewMut2<f64>,
    mut corr: ArrayViewMut2<f64>,
    mut mean: ArrayViewMut1<f64>,
    mut stddev: ArrayViewMut1<f64>,
) {
    let (n, m) = data.dim();
    let (mean, stddev) = (mean.as_slice_mut().unwrap(), stddev.as_slice_mut().unwrap());
    means(data.view(), mean, |_, x| x);
    means(data.view(), stddev, |j, x| (x - mean[j]) * (x - mean[j]));
    stddev.iter_mut().for_each(|s| *s = if s.sqrt() <= 0.1 { 1.0 } else { s.sqrt() });
    rows(data.view_mut(), |_, data| {
        for (j, x) in data.iter_mut().enumerate() {
            *x -= mean[j];
            *x /= (n as f64).sqrt() * stddev[j];
        }
    });
    columns_by_columns(data.view(), corr.view_mut(), 1, |_| ());
    (0..m).for_each(|i| corr[[i, i]] = 1.0);
}

pub fn covariance(data: &mut Array2<f64>, cov: &mut Array2<f64>) {
    let mut mean = vec![0.0; data.ncols()];
    means(data.view(), &mut mean, |_, x| x);
    rows(data.view_mut(), |_, data| data.iter_mut().zip(&mean).for_each(|(x, mean)| *x -= mean));
    let n = data.nrows() as f64;
    columns_by_columns(data.view(), cov.view_mut(), 0, |x| *x /= n - 1.0);
}

pub fn two_products(alpha: f64, beta: f64, a: &Array2<f64>, b: &Array2<f64>, c: &Array2<f64>, d: &mut Array2<f64>) {
    let mut tmp = Array2::zeros((a.nrows(), b.ncols()));
    product(tmp.view_mut(), a.view(), b.view(), |_| 0.0, |a, b| alpha * a * b);
    product(d.view_mut(), tmp.view(), c.view(), |d| d * beta, |a, b| a * b);
}

pub fn three_products(
    a: ArrayView2<f64>,
    b: ArrayView2<f64>,
    c: ArrayView2<f64>,
    d: ArrayView2<f64>,
    mut e: ArrayViewMut2<f64>,
    mut f: ArrayViewMut2<f64>,
    g: ArrayViewMut2<f64>,
) {
    product(e.view_mut(), a, b, |_| 0.0, |a, b| a * b);
    product(f.view_mut(), c, d, |_| 0.0, |a, b| a * b);
    product(g, e.view(), f.view(), |_| 0.0, |a, b| a * b);
}

fn rows_by(a: ArrayView2<f64>, x: &[f64], y: &mut [f64]) {
    y.par_iter_mut().enumerate().for_each(|(i, y)| row(&a, i).iter().zip(x).for_each(|(a, x)| *y += a * x));
}

pub fn atax(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, mut tmp: ArrayViewMut1<f64>) {
    let (y, tmp) = (y.as_slice_mut().unwrap(), tmp.as_slice_mut().unwrap());
    y.fill(0.0);
    tmp.fill(0.0);
    rows_by(a, x.as_slice().unwrap(), tmp);
    add_columns(a, tmp, y, |a, tmp| a * tmp);
}

pub fn bicg(a: &Array2<f64>, s: &mut Array1<f64>, q: &mut Array1<f64>, p: &Array1<f64>, r: &Array1<f64>) {
    s.fill(0.0);
    q.fill(0.0);
    add_columns(a.view(), r.as_slice().unwrap(), s.as_slice_mut().unwrap(), |a, r| r * a);
    rows_by(a.view(), p.as_slice().unwrap(), q.as_slice_mut().unwrap());
}

pub fn doitgen(a: &mut Array3<f64>, c4: &Array2<f64>) {
    let (_, _, np) = a.dim();
    a.as_slice_mut().unwrap().par_chunks_mut(np).for_each_with(vec![0.0; np], |sum, a| {
        sum.fill(0.0);
        for (s, a) in a.iter().enumerate() {
            add(sum, row(&c4.view(), s), |c4| a * c4);
        }
        a.copy_from_slice(sum);
    });
}

pub fn mvt(x1: &mut [f64], x2: &mut [f64], y1: &[f64], y2: &[f64], a: &Array2<f64>) {
    rows_by(a.view(), y1, x1);
    add_columns(a.view(), y2, x2, |a, y| a * y);
}

pub fn cholesky(mut a: ArrayViewMut2<f64>) {
    let n = a.nrows();
    for k in 0..n {
        a[[k, k]] = a[[k, k]].sqrt();
        let pivot = a[[k, k]];
        let mut below = a.slice_mut(ndarray::s![k + 1.., ..]);
        below.column_mut(k).iter_mut().for_each(|x| *x /= pivot);
        let column = below.column(k).to_vec();
        if let Some(below) = below.as_slice_mut() {
            below.par_chunks_mut(n).zip(&column).enumerate().for_each(|(i, (a, own))| {
                a[k + 1..=k + 1 + i].iter_mut().zip(&column).for_each(|(a, other)| *a -= own * other);
            });
        }
    }
}

pub fn lu(a: &mut Array2<f64>) {
    let n = a.nrows();
    for k in 0..n {
        let (above, below) = a.as_slice_mut().unwrap().split_at_mut((k + 1) * n);
        let pivot = &above[k * n..];
        below.par_chunks_mut(n).for_each(|a| {
            a[k] /= pivot[k];
            let factor = a[k];
            a[k + 1..].iter_mut().zip(&pivot[k + 1..]).for_each(|(a, pivot)| *a -= factor * pivot);
        });
    }
}

pub fn ludcmp(a: &mut Array2<f64>, b: &Array1<f64>, x: &mut Array1<f64>, y: &mut Array1<f64>) {
    lu(a);
    let (n, a) = (a.nrows(), a.view());
    let (x, y) = (x.as_slice_mut().unwrap(), y.as_slice_mut().unwrap());
    for i in 0..n {
        y[i] = row(&a, i)[..i].iter().zip(&*y).fold(b[i], |w, (a, y)| w - a * y);
    }
    for i in (0..n).rev() {
        let w = row(&a, i)[i + 1..].iter().zip(&x[i + 1..]).fold(y[i], |w, (a, x)| w - a * x);
        x[i] = w / a[[i, i]];
    }
}

pub fn trisolv(l: ArrayView2<f64>, mut x: ArrayViewMut1<f64>, b: ArrayView1<f64>) {
    let x = x.as_slice_mut().unwrap();
    for i in 0..l.nrows() {
        let l = row(&l, i);
        x[i] = l[..i].iter().zip(&*x).fold(b[i], |w, (l, x)| w - l * x) / l[i];
    }
}

pub fn durbin(r: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
    let (r, y) = (r.as_slice().unwrap(), y.as_slice_mut().unwrap());
    let mut z = vec![0.0; r.len()];
    y[0] = -r[0];
    let (mut alpha, mut beta) = (-r[0], 1.0);
    for k in 1..r.len() {
        beta *= 1.0 - alpha * alpha;
        let sum = r[..k].iter().rev().zip(&*y).fold(0.0, |sum, (r, y)| sum + r * y);
        alpha = -(r[k] + sum) / beta;
        let back = y[..k].iter().rev();
        z.iter_mut().zip(&y[..k]).zip(back).for_each(|((z, y), back)| *z = y + alpha * back);
        y[..k].copy_from_slice(&z[..k]);
        y[k] = alpha;
    }
}

pub fn gramschmidt(a: &mut Array2<f64>, r: &mut Array2<f64>, q: &mut Array2<f64>) {
    let n = a.ncols();
    for k in 0..n {
        r[[k, k]] = a.column(k).iter().fold(0.0, |sum, a| sum + a * a).sqrt();
        let norm = r[[k, k]];
        q.column_mut(k).iter_mut().zip(a.column(k)).for_each(|(q, a)| *q = a / norm);
        let column = q.column(k).to_vec();
        let r = &mut r.as_slice_mut().unwrap()[k * n..][k + 1..n];
        r.par_chunks_mut(STRIP).enumerate().for_each(|(piece, r)| {
            r.fill(0.0);
            for (i, q) in column.iter().enumerate() {
                add(r, &row(&a.view(), i)[k + 1 + piece * STRIP..], |a| q * a);
            }
        });
        rows(a.view_mut(), |i, a| {
            let q = column[i];
            a[k + 1..].iter_mut().zip(&*r).for_each(|(a, r)| *a -= q * r);
        });
    }
}

pub fn adi(tsteps: usize, u: &mut Array2<f64>, v: &mut Array2<f64>, p: &mut Array2<f64>, q: &mut Array2<f64>) {
    let n = u.nrows();
    let (dx, dt) = (1.0 / n as f64, 1.0 / tsteps as f64);
    let (mul1, mul2) = (2.0 * dt / (dx * dx), 1.0 * dt / (dx * dx));
    let (a, b) = (-mul1 / 2.0, 1.0 + mul1);
    let (d, e) = (-mul2 / 2.0, 1.0 + mul2);
    let (c, f) = (a, d);
    let inner = n..(n - 1) * n;
    for _ in 1..=tsteps {
        let pq = |p: &mut Array2<f64>, q: &mut Array2<f64>, each: &(dyn Fn(usize, &mut [f64], &mut [f64]) + Sync)| {
            let (p, q) = (p.as_slice_mut().unwrap(), q.as_slice_mut().unwrap());
            let both = p[inner.clone()].par_chunks_mut(n).zip(q[inner.clone()].par_chunks_mut(n));
            both.enumerate().for_each(|(i, (p, q))| each(i + 1, p, q));
        };
        pq(p, q, &|i, p, q| {
            (p[0], q[0]) = (0.0, 1.0);
            for j in 1..n - 1 {
                p[j] = -c / (a * p[j - 1] + b);
                q[j] = (-d * u[[j, i - 1]] + (1.0 + 2.0 * d) * u[[j, i]] - f * u[[j, i + 1]] - a * q[j - 1])
                    / (a * p[j - 1] + b);
            }
        });
        strips(v.slice_mut(ndarray::s![.., 1..n - 1]), |first, mut v| {
            v.row_mut(0).fill(1.0);
            v.row_mut(n - 1).fill(1.0);
            for j in (1..n - 1).rev() {
                for i in 0..v.ncols() {
                    v[[j, i]] = p[[first + i + 1, j]] * v[[j + 1, i]] + q[[first + i + 1, j]];
                }
            }
        });
        pq(p, q, &|i, p, q| {
            (p[0], q[0]) = (0.0, 1.0);
            let (above, own, below) = (&v.row(i - 1), &v.row(i), &v.row(i + 1));
            for j in 1..n - 1 {
                p[j] = -f / (d * p[j - 1] + e);
                q[j] = (-a * above[j] + (1.0 + 2.0 * a) * own[j] - c * below[j] - d * q[j - 1]) / (d * p[j - 1] + e);
            }
        });
        rows(u.slice_mut(ndarray::s![1..n - 1, ..]), |i, u| {
            (u[0], u[n - 1]) = (1.0, 1.0);
            for j in (1..n - 1).rev() {
                u[j] = p[[i + 1, j]] * u[j + 1] + q[[i + 1, j]];
            }
        });
    }
}

pub fn fdtd_2d(ex: &mut Array2<f64>, ey: &mut Array2<f64>, hz: &mut Array2<f64>, fict: &Array1<f64>) {
    let (nx, ny) = hz.dim();
    for &source in fict {
        ey.row_mut(0).fill(source);
        rows(ey.slice_mut(ndarray::s![1.., ..]), |i, ey| {
            let (above, own) = (row(&hz.view(), i).to_vec(), row(&hz.view(), i + 1).to_vec());
            ey.iter_mut().zip(own).zip(above).for_each(|((ey, own), above)| *ey -= 0.5 * (own - above));
        });
        rows(ex.view_mut(), |i, ex| {
            let hz = hz.view();
            let hz = row(&hz, i);
            ex[1..].iter_mut().zip(hz.windows(2)).for_each(|(ex, hz)| *ex -= 0.5 * (hz[1] - hz[0]));
        });
        rows(hz.slice_mut(ndarray::s![..nx - 1, ..]), |i, hz| {
            let (ex, ey) = (ex.view(), ey.view());
            let (ex, ey, below) = (&row(&ex, i)[..ny], &row(&ey, i)[..ny], &row(&ey, i + 1)[..ny]);
            let hz = &mut hz[..ny];
            for j in 0..ny - 1 {
                hz[j] -= 0.7 * (ex[j + 1] - ex[j] + below[j] - ey[j]);
            }
        });
    }
}

pub fn heat_3d(tsteps: usize, a: &mut Array3<f64>, b: &mut Array3<f64>) {
    let n = a.dim().0;
    let step = |a: &Array3<f64>, b: &mut Array3<f64>| {
        let a = a.as_slice().unwrap();
        b.as_slice_mut().unwrap()[n * n..(n - 1) * n * n].par_chunks_mut(n).enumerate().for_each(|(at, b)| {
            let (i, j) = (at / n + 1, at % n);
            if j == 0 || j == n - 1 {
                return;
            }
            let line = |i: usize, j: usize| &a[(i * n + j) * n..][..n];
            let (own, b) = (line(i, j), &mut b[..n]);
            let (below, above, right, left) = (line(i + 1, j), line(i - 1, j), line(i, j + 1), line(i, j - 1));
            for k in 1..n - 1 {
                b[k] = 0.125 * (below[k] - 2.0 * own[k] + above[k])
                    + 0.125 * (right[k] - 2.0 * own[k] + left[k])
                    + 0.125 * (own[k + 1] - 2.0 * own[k] + own[k - 1])
                    + own[k];
            }
        });
    };
    for _ in 1..=tsteps {
        step(a, b);
        step(b, a);
    }
}

pub fn jacobi_1d(tsteps: usize, a: &mut [f64], b: &mut [f64]) {
    let n = a.len();
    let step = |a: &[f64], b: &mut [f64]| {
        b[1..n - 1].par_chunks_mut(4096).enumerate().for_each(|(piece, b)| {
            let a = &a[piece * 4096..];
            b.iter_mut().zip(a.windows(3)).for_each(|(b, a)| *b = 0.33333 * (a[0] + a[1] + a[2]));
        });
    };
    for _ in 0..tsteps {
        step(a, b);
        step(b, a);
    }
}

pub fn jacobi_2d(tsteps: usize, a: &mut Array2<f64>, b: &mut Array2<f64>) {
    let n = a.nrows();
    let step = |a: &Array2<f64>, b: &mut Array2<f64>| {
        rows(b.slice_mut(ndarray::s![1..n - 1, ..]), |i, b| {
            let a = a.view();
            let (above, own, below) = (&row(&a, i)[..n], &row(&a, i + 1)[..n], &row(&a, i + 2)[..n]);
            let b = &mut b[..n];
            for j in 1..n - 1 {
                b[j] = 0.2 * (own[j] + own[j - 1] + own[j + 1] + below[j] + above[j]);
            }
        });
    };
    for _ in 0..tsteps {
        step(a, b);
        step(b, a);
    }
}

pub fn seidel_2d(tsteps: usize, a: &mut Array2<f64>) {
    let n = a.nrows();
    let a = a.as_slice_mut().unwrap();
    for _ in 0..tsteps {
        for i in 1..n - 1 {
            let (above, rest) = a[(i - 1) * n..].split_at_mut(n);
            let (own, below) = rest.split_at_mut(n);
            for j in 1..n - 1 {
                own[j] = (above[j - 1]
                    + above[j]
                    + above[j + 1]
                    + own[j - 1]
                    + own[j]
                    + own[j + 1]
                    + below[j - 1]
                    + below[j]
                    + below[j + 1])
                    / 9.0;
            }
        }
    }
}

pub fn deriche(
    alpha: f64,
    img_in: ArrayView2<f64>,
    mut img_out: ArrayViewMut2<f64>,
    mut y1: ArrayViewMut2<f64>,
    mut y2: ArrayViewMut2<f64>,
) {
    let w = img_in.nrows();
    let e = (-alpha).exp();
    let k = (1.0 - e) * (1.0 - e) / (1.0 + 2.0 * alpha * e - (2.0 * alpha).exp());
    let (a1, a2, a3, a4) = (k, k * e * (alpha - 1.0), k * e * (alpha + 1.0), -k * (-2.0 * alpha).exp());
    let (b1, b2) = (2.0_f64.powf(-alpha), -(-2.0 * alpha).exp());
    rows(y1.view_mut(), |i, y1| {
        let (mut ym1, mut ym2, mut xm1) = (0.0, 0.0, 0.0);
        for (y1, x) in y1.iter_mut().zip(row(&img_in, i)) {
            *y1 = a1 * x + a2 * xm1 + b1 * ym1 + b2 * ym2;
            (xm1, ym2, ym1) = (*x, ym1, *y1);
        }
    });
    rows(y2.view_mut(), |i, y2| {
        let (mut yp1, mut yp2, mut xp1, mut xp2) = (0.0, 0.0, 0.0, 0.0);
        for (y2, x) in y2.iter_mut().zip(row(&img_in, i)).rev() {
            *y2 = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            (xp2, xp1, yp2, yp1) = (xp1, *x, yp1, *y2);
        }
    });
    let sum = |mut out: ArrayViewMut2<f64>, y1: ArrayView2<f64>, y2: ArrayView2<f64>| {
        rows(out.view_mut(), |i, out| {
            let both = row(&y1, i).iter().zip(row(&y2, i));
            out.iter_mut().zip(both).for_each(|(out, (y1, y2))| *out = 1.0 * (y1 + y2));
        });
    };
    sum(img_out.view_mut(), y1.view(), y2.view());
    let image = img_out.view();
    strips(y1.view_mut(), |first, mut y1| {
        let mut held = vec![[0.0; 3]; y1.ncols()];
        for i in 0..w {
            let x = &row(&image, i)[first..];
            for ((y1, x), [tm1, ym1, ym2]) in y1.row_mut(i).iter_mut().zip(x).zip(&mut held) {
                *y1 = a1 * x + a2 * *tm1 + b1 * *ym1 + b2 * *ym2;
                (*tm1, *ym2, *ym1) = (*x, *ym1, *y1);
            }
        }
    });
    strips(y2.view_mut(), |first, mut y2| {
        let mut held = vec![[0.0; 4]; y2.ncols()];
        for i in (0..w).rev() {
            let x = &row(&image, i)[first..];
            for ((y2, x), [tp1, tp2, yp1, yp2]) in y2.row_mut(i).iter_mut().zip(x).zip(&mut held) {
                *y2 = a3 * *tp1 + a4 * *tp2 + b1 * *yp1 + b2 * *yp2;
                (*tp2, *tp1, *yp2, *yp1) = (*tp1, *x, *yp1, *y2);
            }
        }
    });
    sum(img_out, y1.view(), y2.view());
}

pub fn floyd_warshall(path: &mut Array2<f64>) {
    for k in 0..path.nrows() {
        let via = path.row(k).to_vec();
        rows(path.view_mut(), |_, path| {
            let to = path[k];
            for (path, from) in path.iter_mut().zip(&via) {
                *path = if *path < to + from { *path } else { to + from };
            }
        });
    }
}

pub fn nussinov(seq: &[u8], table: &mut Array2<i32>) {
    let n = seq.len();
    for d in 1..n {
        let old = &*table;
        let best = |i: usize| {
            let j = i + d;
            let pair = if i < j - 1 { i32::from(seq[i] + seq[j] == 3) } else { 0 };
            let best = old[[i, j]].max(old[[i, j - 1]]).max(old[[i + 1, j]]).max(old[[i + 1, j - 1]] + pair);
            (i + 1..j).fold(best, |best, k| best.max(old[[i, k]] + old[[k + 1, j]]))
        };
        let new: Vec<i32> = (0..n - d).into_par_iter().with_min_len(16).map(best).collect();
        new.into_iter().enumerate().for_each(|(i, best)| table[[i, i + d]] = best);
    }
}
