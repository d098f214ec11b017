//! Reductions of small matrices as LAPACK makes them without blocks, down to the order of sums and the roundings of the usual libraries
//! below it, which fuse multiplications and additions (here those of OpenBLAS for processors with AVX2). Of a singular matrix with
//! whole elements rounding errors alone decide the sign of the last singular vectors, hence of a null space, and to the user these signs
//! are as good as exact: up to order four they are Octave's.

use super::PANEL;
use super::qr::Block;
use crate::memory;

/// A matrix in place, columns first.
pub(super) struct Matrix<'a> {
    pub(super) elements: &'a mut [f64],
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// Reflections of which each leaves one row more alone, beginning with so many.
#[derive(Default)]
pub(super) struct Reflections {
    height: usize,
    first: usize,
    /// Columns of `height` elements.
    vectors: Vec<f64>,
    scales: Vec<f64>,
}

impl Reflections {
    pub(super) fn new(height: usize, first: usize) -> Self {
        Self { height, first, ..Self::default() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, v: &[f64], scale: f64) {
        memory::reserve(&mut self.vectors, self.height);
        self.vectors.resize(self.vectors.len() + self.height - v.len(), 0.0);
        memory::extend(&mut self.vectors, v.iter().copied());
        memory::push(&mut self.scales, scale);
    }

    /// Their product.
    #[inline(always)]
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (p, scales) in self.scales.chunks(PANEL).enumerate() {
            let top = self.first + p * PANEL;
            let vectors = self.vectors[p * PANEL * self.height..].chunks_exact(self.height).take(scales.len());
            let v: Vec<f64> = memory::gathered(vectors.flat_map(|v| &v[top..]).copied());
            memory::push(&mut blocks, Block::new(&v, scales, top));
        }
        blocks
    }
}

/// Q' * A * P, of which only the diagonal and what is beside it is not zero: above it where A has at least as many rows as columns,
/// else below it.
pub(super) struct Reduced {
    pub(super) diagonal: Vec<f64>,
    pub(super) beside: Vec<f64>,
    pub(super) left: Reflections,
    pub(super) right: Reflections,
}

impl Reduced {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let (left, right) = (usize::from(rows < columns), usize::from(rows >= columns));
        let (left, right) = (Reflections::new(rows, left), Reflections::new(columns, right));
        Self { diagonal: Vec::new(), beside: Vec::new(), left, right }
    }

    /// That of the transposed matrix.
    pub(super) fn transposed(self) -> Self {
        Self { left: self.right, right: self.left, ..self }
    }
}

impl Matrix<'_> {
    /// The bidiagonal form; the elements are consumed.
    #[inline(always)]
    pub(super) fn bidiagonal(&mut self) -> Reduced {
        let mut reduced = Reduced::new(self.rows, self.columns);
        let steps = self.rows.min(self.columns);
        for i in 0..steps {
            let more = i + 1 < steps;
            if self.rows >= self.columns {
                memory::push(&mut reduced.diagonal, self.reflect_rows(i, i, &mut reduced.left));
                if more {
                    memory::push(&mut reduced.beside, self.reflect_columns(i, i + 1, &mut reduced.right));
                }
            } else {
                memory::push(&mut reduced.diagonal, self.reflect_columns(i, i, &mut reduced.right));
                if more {
                    memory::push(&mut reduced.beside, self.reflect_rows(i + 1, i, &mut reduced.left));
                }
            }
        }
        reduced
    }

    /// The triangle that is left of a matrix with more rows than columns by reflections of its rows, or of one with more columns by
    /// reflections of these; in columns of as many elements as it has.
    #[inline(always)]
    pub(super) fn triangle(&mut self) -> (Vec<f64>, Reflections) {
        let order = self.rows.min(self.columns);
        let mut reflections = Reflections::new(self.rows.max(self.columns), 0);
        let mut triangle = memory::zeros(order * order);
        for i in 0..order {
            let tall = self.rows >= self.columns;
            let value = if tall {
                self.reflect_rows(i, i, &mut reflections)
            } else {
                self.reflect_columns(i, i, &mut reflections)
            };
            triangle[i * (order + 1)] = value;
            for k in i + 1..order {
                let (row, column) = if tall { (i, k) } else { (k, i) };
                triangle[column * order + row] = self.elements[column * self.rows + row];
            }
        }
        (triangle, reflections)
    }

    /// Column `j` from row `i` on becomes a multiple of the first unit vector, which is the result.
    #[inline(always)]
    fn reflect_rows(&mut self, i: usize, j: usize, reflections: &mut Reflections) -> f64 {
        let mut v = memory::copied(&self.elements[j * self.rows + i..(j + 1) * self.rows]);
        let (value, scale) = reflector(&mut v);
        if scale != 0.0 {
            let used = &v[..used(&v)];
            let part = i..i + used.len();
            let columns = &mut self.elements[(j + 1) * self.rows..];
            let filled = |column: &[f64]| column[part.clone()].iter().any(|x| *x != 0.0);
            let count = columns.chunks_exact(self.rows).rposition(filled).map_or(0, |last| last + 1);
            for (k, column) in columns.chunks_exact_mut(self.rows).take(count).enumerate() {
                let column = &mut column[part.clone()];
                // Columns go by four, then by two.
                let by_two = k >= count / 4 * 4 && k < count / 2 * 2;
                let product = if by_two { pairs(column, used) } else { lanes(column, used) };
                add_multiple(column, -scale * product, used);
            }
        }
        reflections.push(&v, scale);
        value
    }

    /// Row `i` from column `j` on becomes a multiple of the first unit vector, which is the result.
    #[inline(always)]
    fn reflect_columns(&mut self, i: usize, j: usize, reflections: &mut Reflections) -> f64 {
        let mut v: Vec<f64> = memory::gathered((j..self.columns).map(|j| self.elements[j * self.rows + i]));
        let (value, scale) = reflector(&mut v);
        if scale != 0.0 {
            let used = &v[..used(&v)];
            let columns = &mut self.elements[j * self.rows..(j + used.len()) * self.rows];
            let below: Vec<&[f64]> = memory::gathered(columns.chunks_exact(self.rows).map(|column| &column[i + 1..]));
            let count = below.iter().map(|column| self::used(column)).max().unwrap_or(0);
            let sums = row_sums(&below, used, count);
            for (column, &v) in columns.chunks_exact_mut(self.rows).zip(used) {
                add_multiple(&mut column[i + 1..], -scale * v, &sums);
            }
        }
        reflections.push(&v, scale);
        value
    }
}

/// Multiples of columns added up, as far as they have so many rows: by fours where there are four rows, and in what is left one after
/// the other.
#[inline(always)]
fn row_sums(columns: &[&[f64]], factors: &[f64], rows: usize) -> Vec<f64> {
    let mut sums = memory::zeros(rows);
    let (head, tail) = sums.split_at_mut(rows / 4 * 4);
    for (column, &factor) in columns.iter().zip(factors) {
        add_multiple(tail, factor, &column[head.len()..]);
    }
    for (group, factors) in columns.chunks(4).zip(factors.chunks(4)) {
        for (i, sum) in head.iter_mut().enumerate() {
            *sum = match (group, factors) {
                (&[a, b, c, d], &[p, q, r, s]) => *sum + d[i].mul_add(s, c[i].mul_add(r, b[i].mul_add(q, a[i] * p))),
                (&[a, b, ..], &[p, q, ..]) if columns.len() > 4 => b[i].mul_add(q, a[i].mul_add(p, *sum)),
                (&[a, b, ..], &[p, q, ..]) => *sum + (a[i] * p + b[i] * q),
                _ => *sum,
            };
            if let (&[.., a], &[.., p], 1) = (group, factors, group.len() % 2) {
                *sum += a[i] * p;
            }
        }
    }
    sums
}

/// Elements up to the last that is not zero.
#[inline(always)]
fn used(v: &[f64]) -> usize {
    v.iter().rposition(|x| *x != 0.0).map_or(0, |last| last + 1)
}

#[inline(always)]
fn add_multiple(y: &mut [f64], factor: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = factor.mul_add(*x, *y));
}

/// The inner product: four sums beside each other, and then what is left.
#[inline(always)]
fn lanes(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    for (x, y) in x.as_chunks::<4>().0.iter().zip(y.as_chunks::<4>().0) {
        (0..4).for_each(|i| sums[i] = x[i].mul_add(y[i], sums[i]));
    }
    with_rest((sums[0] + sums[2]) + (sums[1] + sums[3]), x, y)
}

/// The inner product: two sums beside each other whose products are rounded, and then what is left of fours.
#[inline(always)]
fn pairs(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 2];
    let whole = x.len() / 4 * 4;
    for (x, y) in x[..whole].as_chunks::<2>().0.iter().zip(y.as_chunks::<2>().0) {
        (0..2).for_each(|i| sums[i] += x[i] * y[i]);
    }
    with_rest(sums[0] + sums[1], x, y)
}

/// A sum and the products of what is left of fours.
#[inline(always)]
fn with_rest(sum: f64, x: &[f64], y: &[f64]) -> f64 {
    match (x.as_chunks::<4>().1, y.as_chunks::<4>().1) {
        (&[a], &[b]) => a.mul_add(b, sum),
        (&[a, c], &[b, d]) => sum + a.mul_add(b, c * d),
        (&[a, c, e], &[b, d, f]) => sum + e.mul_add(f, a.mul_add(b, c * d)),
        _ => sum,
    }
}

/// The reflection that maps `x` to a multiple of the first unit vector: `x` becomes v, whose first element is one, and the result
/// is that multiple and its scale, which is zero where nothing is below the first element. The squares of elements must not overflow.
#[inline(always)]
fn reflector(x: &mut [f64]) -> (f64, f64) {
    let Some((head, below)) = x.split_first_mut() else { return (0.0, 0.0) };
    let first = std::mem::replace(head, 1.0);
    let rest = length(below);
    if rest == 0.0 {
        return (first, 0.0);
    }
    let (large, small) = (first.abs().max(rest), first.abs().min(rest));
    let ratio = small / large;
    let value = -(large * (1.0 + ratio * ratio).sqrt()).copysign(first);
    let factor = 1.0 / (first - value);
    below.iter_mut().for_each(|x| *x *= factor);
    (value, (value - first) / value)
}

/// The 2-norm, as if with more digits and rounded once.
#[inline(always)]
fn length(x: &[f64]) -> f64 {
    let (mut sum, mut rest) = (0.0, 0.0);
    for &x in x {
        let square = x * x;
        let more: f64 = sum + square;
        let taken = more - sum;
        rest += (sum - (more - taken)) + (square - taken) + x.mul_add(x, -square);
        sum = more;
    }
    let root = (sum + rest).sqrt();
    if root == 0.0 {
        return 0.0;
    }
    let rounded = sum + rest;
    let error = (-root).mul_add(root, rounded) + (rest - (rounded - sum));
    root + error / (2.0 * root)
}
