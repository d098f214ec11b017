//! Names that the code of register tiles uses itself: all bits are those of the plain loops.

use super::{Lay, base, both, cut, same};
use ndarray::{ArrayView2, ArrayViewMut2};

both! {
    pub fn product(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, part: f64) {
        let (points, packed) = (a.ncols(), 0.5 * part);
        for rows in 0..c.nrows() {
            for slab in 0..c.ncols() {
                let mut l_sums = packed;
                for l_panel in 0..points {
                    l_sums += part * a[[rows, l_panel]] * b[[l_panel, slab]] - packed;
                }
                c[[rows, slab]] = l_sums;
            }
        }
    }

    pub fn triangle(l_blocks: ArrayView2<f64>, l_numbers: ArrayView2<f64>, mut l_tile: ArrayViewMut2<f64>, l_few: f64) {
        for l_band in 0..l_tile.nrows() {
            for l_points in 0..l_tile.ncols() {
                for l_span in 0..l_band.min(l_blocks.ncols()) {
                    l_tile[[l_band, l_points]] += l_few * l_blocks[[l_band, l_span]] * l_numbers[[l_span, l_points]];
                }
            }
        }
    }

    pub fn along(l_any: ArrayView2<f64>, l_all: ArrayView2<f64>, mut chunk: ArrayViewMut2<f64>, l_rows: f64) {
        for l_was in 0..chunk.nrows() {
            for l_last in 0..chunk.ncols() {
                let mut l_changed = l_rows;
                for l_steps in 0..l_any.ncols() {
                    l_changed += l_any[[l_was, l_steps]] * l_all[[l_last, l_steps]];
                }
                chunk[[l_was, l_last]] = l_changed;
            }
        }
    }
}

type Form = fn(ArrayView2<f64>, ArrayView2<f64>, ArrayViewMut2<f64>, f64);

#[test]
fn they_do_what_the_loops_do() {
    let forms: [(Form, Form); 3] =
        [(plain::product, fast::product), (plain::triangle, fast::triangle), (plain::along, fast::along)];
    for lay in [Lay::Rows, Lay::Columns, Lay::Strided] {
        for side in [1, 7, 40] {
            let (a, b, c) = (base(side, side, lay, 1), base(side, side, lay, 2), base(side, side, lay, 3));
            let (a, b) = (cut(&a, lay), cut(&b, lay));
            for (plain, fast) in forms {
                same(&c, lay, |c| plain(a, b, c, 0.75), |c| fast(a, b, c, 0.75));
            }
        }
    }
}
