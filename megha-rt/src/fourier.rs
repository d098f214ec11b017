//! Discrete Fourier transforms, by the `rustfft` crate: like matrix products (`linalg`), results that depend on the instruction set,
//! but not on the number of threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use megha_base::fourier::root;
use megha_base::memory::{gathered, reserve, tested};
use megha_base::plan::block::FOURIER;
use rustfft::{Fft, FftDirection, FftPlanner};

use crate::device::host_multiplies;
use crate::launch::share_out;
use crate::layout::Layout;
use crate::view::{Out, View};
use crate::{Array, Result, Site, c64};

/// Elements below which one thread transforms all lines.
const PARALLEL_ELEMENTS: usize = 1 << 14;
/// Elements that are worth a task of their own.
const TASK_ELEMENTS: usize = 1 << 12;
/// Lines across memory that are read and written together at least, so that each cache line is used whole.
const GROUP: usize = 8;
/// Numbers for each point that making a plan takes at most.
const PLANNED: usize = 10;
/// How many plans are kept; each holds about three numbers for each point.
const KEPT_PLANS: usize = 64;

/// The transforms of the lines of elements along `axis` of the matrix with these parts, each line cut or filled with zeros to
/// `shape[axis]` points; the inverse is not divided by their number. The parts of the result lie behind each other in its third
/// dimension. The transform of real numbers is symmetric to the last bit, and that of such a symmetric line is real.
///
/// # Errors
/// No memory.
pub fn transform<L: Layout>(
    re: View<'_, L, f64, 2>,
    im: View<'_, L, f64, 2>,
    axis: i64,
    inverse: bool,
    shape: [usize; 3],
    site: &Site,
) -> Result<Array<L, f64, 3>> {
    let axis = axis as usize;
    let (n, lines) = (shape[axis], shape[1 - axis]);
    if n == 0 || lines == 0 {
        return Array::<L, f64, 3>::filled(shape, 0.0, site);
    }
    host_multiplies(|| shape.iter().product::<usize>() as u64 * FOURIER);
    let mut out = Array::<L, f64, 3>::uninit(shape, site)?;
    let given = n.min(re.shape()[axis]);
    let least = if L::inner::<2>() == axis { 1 } else { GROUP };
    let group = least.max(TASK_ELEMENTS / n);
    let lanes = Lanes { re, im, out: out.fill(), axis, given, lines, group, plan: plan(n, inverse) };
    let groups = lines.div_ceil(group);
    let threads = if n * lines < PARALLEL_ELEMENTS { 1 } else { rayon::current_num_threads() };
    share_out(groups, threads, &|next| {
        let mut room = Room::default();
        while let Some(group) = next() {
            lanes.transform(group, &mut room);
        }
    });
    // SAFETY: the groups have all lines, and each element of a line is written.
    Ok(unsafe { out.assume_init() })
}

/// How lines of one length are transformed.
struct Plan {
    /// Of complex lines.
    whole: Arc<dyn Fft<f64>>,
    /// Of real lines of an even number of points.
    halved: Option<Halved>,
    inverse: bool,
}

/// The transform of real x of 2h points by that of the h complex numbers x(2j) + i x(2j+1) (Cooley, Lewis and Welch 1970).
struct Halved {
    fft: Arc<dyn Fft<f64>>,
    /// exp(-i pi k / h), k = 0 .. h-1.
    turns: Vec<c64>,
}

/// Plans by the number of points and whether they are of the inverse transform.
type Plans = HashMap<(usize, bool), Arc<Plan>>;

fn plan(n: usize, inverse: bool) -> Arc<Plan> {
    static MADE: Mutex<Option<Plans>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let made = made.get_or_insert_default();
    if let Some(plan) = made.get(&(n, inverse)) {
        return plan.clone();
    }
    if made.len() == KEPT_PLANS {
        made.clear();
    }
    // The planner makes tables that it cannot be refused: those of transforms of a length inside another have up to four times as many points.
    tested(PLANNED * n * size_of::<c64>());
    let mut planner = FftPlanner::new();
    let direction = if inverse { FftDirection::Inverse } else { FftDirection::Forward };
    let halved = n.is_multiple_of(2).then(|| Halved {
        fft: planner.plan_fft_forward(n / 2),
        turns: gathered((0..n / 2).map(|k| root(k, n)).map(|(cos, sin)| c64::new(cos, -sin))),
    });
    let plan = Arc::new(Plan { whole: planner.plan_fft(n, direction), halved, inverse });
    made.insert((n, inverse), plan.clone());
    plan
}

impl Plan {
    /// Transforms a line in place; `room` is as long.
    fn run(&self, line: &mut [c64], room: &mut Vec<c64>) {
        let n = line.len();
        let real = line.iter().all(|z| z.im == 0.0);
        // From outside in: most lines that are not symmetric show it at once.
        let symmetric = line[0].im == 0.0 && (1..=n / 2).all(|k| line[k] == line[n - k].conj());
        match &self.halved {
            Some(halved) if real => {
                halved.run(line, room);
                if self.inverse {
                    line.iter_mut().for_each(|z| *z = z.conj());
                }
            }
            _ => {
                apply(&*self.whole, line, room);
                if real {
                    line[0].im = 0.0;
                    (n / 2 + 1..n).for_each(|k| line[k] = line[n - k].conj());
                }
            }
        }
        if symmetric {
            line.iter_mut().for_each(|z| z.im = 0.0);
        }
    }
}

impl Halved {
    fn run(&self, line: &mut [c64], room: &mut Vec<c64>) {
        let (n, h) = (line.len(), line.len() / 2);
        for j in 0..h {
            line[j] = c64::new(line[2 * j].re, line[2 * j + 1].re);
        }
        apply(&*self.fft, &mut line[..h], room);
        let first = line[0];
        // Numbers k and h-k of the result come from the same two of the half.
        for k in 1..=h / 2 {
            let (a, b) = (line[k], line[h - k].conj());
            let (even, odd) = ((a + b) * 0.5, (a - b) * 0.5);
            let turned = odd * self.turns[k];
            let turned = c64::new(turned.im, -turned.re);
            (line[k], line[h - k]) = (even + turned, (even - turned).conj());
        }
        line[0] = c64::new(first.re + first.im, 0.0);
        line[h] = c64::new(first.re - first.im, 0.0);
        (h + 1..n).for_each(|k| line[k] = line[n - k].conj());
    }
}

fn apply(fft: &dyn Fft<f64>, line: &mut [c64], room: &mut Vec<c64>) {
    let wanted = fft.get_inplace_scratch_len();
    if room.len() < wanted {
        reserve(room, wanted - room.len());
        room.resize(wanted, c64::ZERO);
    }
    fft.process_with_scratch(line, &mut room[..wanted]);
}

/// What a thread needs for a group: its lines, and what their transforms take. Both serve the next group.
#[derive(Default)]
struct Room {
    block: Vec<c64>,
    scratch: Vec<c64>,
}

/// The lines of a matrix and where their transforms go.
struct Lanes<'a, L: Layout> {
    re: View<'a, L, f64, 2>,
    im: View<'a, L, f64, 2>,
    out: Out<'a, L, f64, 3>,
    axis: usize,
    /// Elements of a line that take part.
    given: usize,
    lines: usize,
    group: usize,
    plan: Arc<Plan>,
}

impl<L: Layout> Lanes<'_, L> {
    /// Transforms the lines of a group.
    fn transform(&self, group: usize, room: &mut Room) {
        let n = self.out.shape()[self.axis];
        let from = group * self.group;
        let count = self.group.min(self.lines - from);
        let more = (n * count).saturating_sub(room.block.len());
        reserve(&mut room.block, more);
        room.block.resize(n * count, c64::ZERO);
        let block = &mut room.block[..];
        if self.given < n {
            block.fill(c64::ZERO);
        }
        self.each(self.given, count, |k, line| {
            let at = self.place(k, from + line);
            // SAFETY: the parts have `lines` lines of at least `given` elements.
            block[line * n + k] = unsafe { c64::new(self.re.get_unchecked(at), self.im.get_unchecked(at)) };
        });
        block.chunks_exact_mut(n).for_each(|line| self.plan.run(line, &mut room.scratch));
        self.each(n, count, |k, line| {
            let [row, column] = self.place(k, from + line);
            let z = block[line * n + k];
            // SAFETY: the result has `lines` lines of `n` elements and two planes; the group's lines are this thread's.
            unsafe {
                self.out.set([row, column, 0], z.re);
                self.out.set([row, column, 1], z.im);
            }
        });
    }

    fn place(&self, k: usize, line: usize) -> [usize; 2] {
        if self.axis == 0 { [k, line] } else { [line, k] }
    }

    /// All elements of a group, in the order of the matrix in memory.
    fn each(&self, n: usize, count: usize, mut visit: impl FnMut(usize, usize)) {
        if L::inner::<2>() == self.axis {
            (0..count).for_each(|line| (0..n).for_each(|k| visit(k, line)));
        } else {
            (0..n).for_each(|k| (0..count).for_each(|line| visit(k, line)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::transform;
    use crate::{Array, ColMajor, Layout, RowMajor, Site, c64};

    const SITE: Site = Site { path: "f.m", line: 1, column: 1, text: "fft(x)" };

    fn wave(k: usize, line: usize) -> f64 {
        ((k * k + 3 * line + 1) as f64 * 0.7).sin()
    }

    /// The elements of a matrix with these lines.
    fn matrix<L: Layout>(
        axis: usize,
        given: usize,
        lines: usize,
        at: impl Fn(usize, usize) -> f64,
    ) -> Array<L, f64, 2> {
        let shape = if axis == 0 { [given, lines] } else { [lines, given] };
        let mut out = Array::<L, f64, 2>::filled(shape, 0.0, &SITE).unwrap();
        for (k, line) in (0..given).flat_map(|k| (0..lines).map(move |line| (k, line))) {
            // SAFETY: within the shape.
            unsafe { out.set_unchecked(if axis == 0 { [k, line] } else { [line, k] }, at(k, line)) };
        }
        out
    }

    /// The distance from the sum that defines the transform, relative in the 2-norm.
    fn distance<L: Layout>(axis: usize, [given, n, lines]: [usize; 3], inverse: bool, real: bool) -> f64 {
        let imaginary = |k, line| if real { 0.0 } else { wave(k + 5, line) };
        let (re, im) = (matrix::<L>(axis, given, lines, wave), matrix::<L>(axis, given, lines, imaginary));
        let shape = if axis == 0 { [n, lines, 2] } else { [lines, n, 2] };
        let out = transform(re.view(), im.view(), axis as i64, inverse, shape, &SITE).unwrap();
        let sign = if inverse { 1.0 } else { -1.0 };
        let (mut error, mut size) = (0.0, 0.0);
        for (k, line) in (0..n).flat_map(|k| (0..lines).map(move |line| (k, line))) {
            let term = |j: usize| {
                let turn = c64::cis(sign * std::f64::consts::TAU * (j * k % n) as f64 / n as f64);
                c64::new(wave(j, line), imaginary(j, line)) * turn
            };
            let want: c64 = (0..given.min(n)).map(term).sum();
            let at = |part| if axis == 0 { [k, line, part] } else { [line, k, part] };
            // SAFETY: within the shape.
            let got = unsafe { c64::new(out.view().get_unchecked(at(0)), out.view().get_unchecked(at(1))) };
            error += (got - want).norm_sqr();
            size += want.norm_sqr();
        }
        (error / size).sqrt()
    }

    #[test]
    fn lines_are_transformed_as_defined() {
        for n in [1_usize, 2, 3, 4, 5, 8, 12, 17, 30, 64, 97, 100, 210] {
            for (given, lines, inverse, real) in
                [(n, 1, false, true), (n, 19, true, true), (n + 3, 9, false, false), (n.div_ceil(2), 2, true, false)]
            {
                for axis in [0, 1] {
                    let sizes = [given, n, lines];
                    let error = distance::<ColMajor>(axis, sizes, inverse, real)
                        .max(distance::<RowMajor>(axis, sizes, inverse, real));
                    assert!(error < 1e-14, "{sizes:?} along {axis}, inverse {inverse}, real {real}: {error:e}");
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long")]
    fn many_lines_are_shared_among_threads() {
        assert!(distance::<ColMajor>(1, [128, 128, 150], false, false) < 1e-14);
    }

    /// Real lines give conjugate pairs and symmetric lines real numbers, to the last bit.
    #[test]
    fn symmetry_is_exact() {
        for n in [2, 7, 12, 97] {
            let (re, im) = (matrix::<ColMajor>(0, n, 1, wave), matrix::<ColMajor>(0, n, 1, |_, _| 0.0));
            let there = transform(re.view(), im.view(), 0, false, [n, 1, 2], &SITE).unwrap();
            let (re, im) = there.as_slice().split_at(n);
            assert!((0..n).all(|k| re[k] == re[(n - k) % n] && im[k] == -im[(n - k) % n]), "{n}: {re:?} {im:?}");
            let part = |of: &[f64]| matrix::<ColMajor>(0, n, 1, |k, _| of[k]);
            let back = transform(part(re).view(), part(im).view(), 0, true, [n, 1, 2], &SITE).unwrap();
            assert!(back.as_slice()[n..].iter().all(|im| *im == 0.0), "{n}: {:?}", back.as_slice());
        }
    }

    #[test]
    fn nothing_is_transformed_to_nothing_or_zeros() {
        let empty = matrix::<ColMajor>(0, 0, 3, wave);
        let zeros = transform(empty.view(), empty.view(), 0, false, [4, 3, 2], &SITE).unwrap();
        assert_eq!(zeros.as_slice(), [0.0; 24]);
        assert!(transform(empty.view(), empty.view(), 0, false, [0, 3, 2], &SITE).unwrap().is_empty());
    }
}
