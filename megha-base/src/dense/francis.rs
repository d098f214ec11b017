//! The real Schur form of a Hessenberg matrix: Francis's implicit double steps (Golub and Van Loan, Matrix Computations, 4th edition, 7.5)
//! with LAPACK's shifts and its test of what is negligible (M. Ahues and F. Tisseur 1997), so that the eigenvalues come in LAPACK's order.

use super::rotation::Rotation;
use super::schur_block::{Standard, standard};
use super::square::{Square, length_of, turn};
use crate::memory;

const SMALLEST: f64 = f64::MIN_POSITIVE / f64::EPSILON;
/// After so many steps without an eigenvalue the shifts are others, lest the iteration go round in a circle.
const STEPS_OF_A_CIRCLE: usize = 10;

/// A matrix on the way to its Schur form.
pub(super) struct Schur {
    /// The matrix: in the end triangular but for blocks of two rows that hold complex pairs, if vectors are wanted.
    pub form: Square,
    /// The product of all reflections, if vectors are wanted.
    pub vectors: Option<Square>,
    pub re: Vec<f64>,
    pub im: Vec<f64>,
}

/// Two numbers that are both real, or conjugate.
struct Shifts {
    first: (f64, f64),
    second: (f64, f64),
}

impl Schur {
    /// The Schur form of a Hessenberg matrix whose rows before low and behind high are triangular; `None` if the iterations do not converge.
    #[inline(always)]
    pub fn of(form: Square, vectors: Option<Square>, low: usize, high: usize) -> Option<Self> {
        let n = form.n;
        let mut schur =
            Self { re: memory::gathered((0..n).map(|i| form[(i, i)])), im: memory::zeros(n), form, vectors };
        let rows = if n == 0 { 0 } else { high + 1 - low };
        let most_steps = 30 * rows.max(10);
        let mut end = low + rows;
        let mut steps = 0;
        let mut fruitless = 0;
        while end > low {
            let last = end - 1;
            let first = schur.block_start(low, high, last);
            if first > low {
                schur.form[(first, first - 1)] = 0.0;
            }
            if first + 1 < last {
                if steps == most_steps {
                    return None;
                }
                (steps, fruitless) = (steps + 1, fruitless + 1);
                schur.double_step(first, last, fruitless);
                continue;
            }
            if first == last {
                schur.re[last] = schur.form[(last, last)];
            } else {
                schur.split(first);
            }
            end = first;
            (steps, fruitless) = (0, 0);
        }
        Some(schur)
    }

    /// The first row of the last block that does not fall apart: the element before it counts as zero.
    #[inline(always)]
    fn block_start(&self, low: usize, high: usize, last: usize) -> usize {
        (low + 1..=last).rev().find(|&k| self.is_negligible(k, low, high)).unwrap_or(low)
    }

    /// Whether the subdiagonal's element in row k counts as zero.
    #[inline(always)]
    fn is_negligible(&self, k: usize, low: usize, high: usize) -> bool {
        let h = &self.form;
        let below = h[(k, k - 1)].abs();
        let smallest = SMALLEST * (high + 1 - low) as f64;
        if below <= smallest {
            return true;
        }
        let mut near = h[(k - 1, k - 1)].abs() + h[(k, k)].abs();
        if near == 0.0 {
            if k >= low + 2 {
                near += h[(k - 1, k - 2)].abs();
            }
            if k < high {
                near += h[(k + 1, k)].abs();
            }
        }
        if below > f64::EPSILON * near {
            return false;
        }
        let above = h[(k - 1, k)].abs();
        let (diagonal, difference) = (h[(k, k)].abs(), (h[(k - 1, k - 1)] - h[(k, k)]).abs());
        let (far, close) = (diagonal.max(difference), diagonal.min(difference));
        let all = far + below.max(above);
        below.min(above) * (below.max(above) / all) <= smallest.max(f64::EPSILON * (close * (far / all)))
    }

    /// The eigenvalues of rows first and first + 1, whose block gets its standard form.
    #[inline(always)]
    fn split(&mut self, first: usize) {
        let (last, n) = (first + 1, self.form.n);
        let h = &mut self.form;
        let block = standard([h[(first, first)], h[(first, last)], h[(last, first)], h[(last, last)]]);
        let Standard { block: [a, b, c, d], turning } = block;
        if let Some(vectors) = &mut self.vectors {
            let Rotation { cosine, sine } = turning;
            for j in last + 1..n {
                let (x, y) = (h[(first, j)], h[(last, j)]);
                (h[(first, j)], h[(last, j)]) = (cosine * x + sine * y, cosine * y - sine * x);
            }
            let (x, y) = h.two_columns(first, last);
            turn(&mut x[..first], &mut y[..first], turning);
            let (x, y) = vectors.two_columns(first, last);
            turn(x, y, turning);
            (h[(first, first)], h[(first, last)], h[(last, first)], h[(last, last)]) = (a, b, c, d);
        }
        (self.re[first], self.re[last]) = (a, d);
        let im = if c == 0.0 { 0.0 } else { b.abs().sqrt() * c.abs().sqrt() };
        (self.im[first], self.im[last]) = (im, -im);
    }

    /// Two shifts at once, in real arithmetic: the first reflection makes a bulge, the others chase it down.
    #[inline(always)]
    fn double_step(&mut self, first: usize, last: usize, fruitless: usize) {
        let n = self.form.n;
        let (from, to) = if self.vectors.is_some() { (0, n) } else { (first, last + 1) };
        let (start, mut direction) = self.start(first, last, &self.shifts(first, last, fruitless));
        for k in start..last {
            let h = &mut self.form;
            let three = k + 2 <= last;
            if k > start {
                direction = [h[(k, k - 1)], h[(k + 1, k - 1)], if three { h[(k + 2, k - 1)] } else { 0.0 }];
            }
            let Bulge { value, scale, q, r } = Bulge::of(direction);
            if k > start {
                h.column_mut(k - 1)[k..k + 2 + usize::from(three)].fill(0.0);
                h[(k, k - 1)] = value;
            } else if start > first {
                h[(k, k - 1)] *= 1.0 - scale;
            }
            let (by_q, by_r) = (scale * q, scale * r);
            if three {
                for column in h.elements[k * n..to * n].chunks_exact_mut(n) {
                    let x = &mut column[k..k + 3];
                    let sum = x[0] + q * x[1] + r * x[2];
                    x[0] -= sum * scale;
                    x[1] -= sum * by_q;
                    x[2] -= sum * by_r;
                }
            } else {
                for column in h.elements[k * n..to * n].chunks_exact_mut(n) {
                    let x = &mut column[k..k + 2];
                    let sum = x[0] + q * x[1];
                    x[0] -= sum * scale;
                    x[1] -= sum * by_q;
                }
            }
            reflect_columns(h, k, from..last.min(k + 3) + 1, [scale, by_q, by_r, q, r], three);
            if let Some(vectors) = &mut self.vectors {
                reflect_columns(vectors, k, 0..n, [scale, by_q, by_r, q, r], three);
            }
        }
    }

    /// Where in the block the step may begin, since two small elements follow each other, and the direction of the first reflection.
    #[inline(always)]
    fn start(&self, first: usize, last: usize, shifts: &Shifts) -> (usize, [f64; 3]) {
        let h = &self.form;
        let mut m = last - 2;
        loop {
            let direction = self.first_direction(m, shifts);
            let [p, q, r] = direction.map(f64::abs);
            if m == first {
                return (m, direction);
            }
            let near = h[(m - 1, m - 1)].abs() + h[(m, m)].abs() + h[(m + 1, m + 1)].abs();
            if h[(m, m - 1)].abs() * (q + r) <= f64::EPSILON * p * near {
                return (m, direction);
            }
            m -= 1;
        }
    }

    /// The eigenvalues of the last two rows, mostly.
    #[inline(always)]
    fn shifts(&self, first: usize, last: usize, fruitless: usize) -> Shifts {
        let h = &self.form;
        let exceptional = |s: f64, x: f64| [0.75 * s + x, -0.4375 * s, s, 0.75 * s + x];
        let block = if fruitless.is_multiple_of(2 * STEPS_OF_A_CIRCLE) {
            exceptional(h[(last, last - 1)].abs() + h[(last - 1, last - 2)].abs(), h[(last, last)])
        } else if fruitless.is_multiple_of(STEPS_OF_A_CIRCLE) {
            exceptional(h[(first + 1, first)].abs() + h[(first + 2, first + 1)].abs(), h[(first, first)])
        } else {
            [h[(last - 1, last - 1)], h[(last - 1, last)], h[(last, last - 1)], h[(last, last)]]
        };
        let s: f64 = block.iter().map(|x| x.abs()).sum();
        if s == 0.0 {
            return Shifts { first: (0.0, 0.0), second: (0.0, 0.0) };
        }
        let [a, b, c, d] = block.map(|x| x / s);
        let middle = (a + d) / 2.0;
        let determinant = (a - middle) * (d - middle) - b * c;
        let root = determinant.abs().sqrt();
        if determinant >= 0.0 {
            return Shifts { first: (middle * s, root * s), second: (middle * s, -(root * s)) };
        }
        let (up, down) = (middle + root, middle - root);
        let nearer = if (up - d).abs() <= (down - d).abs() { up } else { down } * s;
        Shifts { first: (nearer, 0.0), second: (nearer, 0.0) }
    }

    /// The first column of (H - first shift) (H - second shift) from row m on, to a factor.
    #[inline(always)]
    fn first_direction(&self, m: usize, shifts: &Shifts) -> [f64; 3] {
        let h = &self.form;
        let ((r1, i1), (r2, i2)) = (shifts.first, shifts.second);
        let (here, next, below) = (h[(m, m)], h[(m + 1, m + 1)], h[(m + 1, m)]);
        let s = (here - r2).abs() + i2.abs() + below.abs();
        let part = below / s;
        let direction = [
            part * h[(m, m + 1)] + (here - r1) * ((here - r2) / s) - i1 * (i2 / s),
            part * (here + next - r1 - r2),
            part * h[(m + 2, m + 1)],
        ];
        let s: f64 = direction.iter().map(|x| x.abs()).sum();
        direction.map(|x| x / s)
    }
}

/// The reflection 1 - scale (1, q, r)' (1, q, r) that takes a direction to (value, 0, 0).
struct Bulge {
    value: f64,
    scale: f64,
    q: f64,
    r: f64,
}

impl Bulge {
    #[inline(always)]
    fn of([p, q, r]: [f64; 3]) -> Self {
        let below = length_of(q, r);
        if below == 0.0 {
            return Self { value: p, scale: 0.0, q: 0.0, r: 0.0 };
        }
        let value = -length_of(p, below).copysign(p);
        Self { value, scale: (value - p) / value, q: q / (p - value), r: r / (p - value) }
    }
}

/// Applies a reflection to two or three columns, in these rows.
#[inline(always)]
fn reflect_columns(
    a: &mut Square,
    k: usize,
    rows: std::ops::Range<usize>,
    [scale, by_q, by_r, q, r]: [f64; 5],
    three: bool,
) {
    let n = a.n;
    let (x, rest) = a.elements[k * n..].split_at_mut(n);
    let (y, rest) = rest.split_at_mut(n);
    let (x, y) = (&mut x[rows.clone()], &mut y[rows.clone()]);
    if three {
        for ((x, y), z) in x.iter_mut().zip(y).zip(&mut rest[rows]) {
            let sum = *x + q * *y + r * *z;
            *x -= sum * scale;
            *y -= sum * by_q;
            *z -= sum * by_r;
        }
    } else {
        for (x, y) in x.iter_mut().zip(y) {
            let sum = *x + q * *y;
            *x -= sum * scale;
            *y -= sum * by_q;
        }
    }
}
