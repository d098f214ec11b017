//! Electromagnetic field in a closed metal box (K. S. Yee, 1966).

use std::f64::consts::PI;

use ndarray::{Array1, Array3, ArrayView3, ArrayViewMut3, s};

/// A box of `cells[a]` cells and `edges[a]` metres along axis `a`.
#[derive(Clone, Copy)]
pub struct Cavity {
    /// Lengths of the edges in metres.
    pub edges: [f64; 3],
    /// Cells along each edge.
    pub cells: [usize; 3],
}

/// The field: electric components on the edges of the cells, magnetic ones on their faces.
pub struct Field {
    /// V/m, (nx, ny+1, nz+1).
    pub ex: Array3<f64>,
    /// V/m, (nx+1, ny, nz+1).
    pub ey: Array3<f64>,
    /// V/m, (nx+1, ny+1, nz).
    pub ez: Array3<f64>,
    /// A/m, (nx+1, ny, nz).
    pub hx: Array3<f64>,
    /// A/m, (nx, ny+1, nz).
    pub hy: Array3<f64>,
    /// A/m, (nx, ny, nz+1).
    pub hz: Array3<f64>,
}

/// Coefficients of the updates along each axis, `dt / (mu * d)` and `dt / (epsilon * d)`.
struct Coefficients {
    a: [f64; 3],
    b: [f64; 3],
}

impl Cavity {
    fn coefficients(&self) -> Coefficients {
        let c = 299_792_458.0_f64;
        let mu = 4e-7 * PI;
        let epsilon = 1.0 / (mu * c * c);
        let d = [0, 1, 2].map(|axis| self.edges[axis] / self.cells[axis] as f64);
        let dt = 0.99 / (c * d.iter().map(|d| 1.0 / (d * d)).sum::<f64>().sqrt());
        Coefficients { a: d.map(|d| dt / (mu * d)), b: d.map(|d| dt / (epsilon * d)) }
    }

    /// The field at rest but for a Gaussian pulse in its electric components.
    fn pulse(&self) -> Field {
        let [nx, ny, nz] = self.cells;
        let [nodes_x, cells_x] = gaussian(nx, 0.4);
        let [nodes_y, cells_y] = gaussian(ny, 0.55);
        let [nodes_z, cells_z] = gaussian(nz, 0.45);
        let mut field = Field {
            ex: Array3::zeros((nx, ny + 1, nz + 1)),
            ey: Array3::zeros((nx + 1, ny, nz + 1)),
            ez: Array3::zeros((nx + 1, ny + 1, nz)),
            hx: Array3::zeros((nx + 1, ny, nz)),
            hy: Array3::zeros((nx, ny + 1, nz)),
            hz: Array3::zeros((nx, ny, nz + 1)),
        };
        let inner = field.ex.slice_mut(s![.., 1..ny, 1..nz]);
        assign_product(inner, 0.5, [&cells_x, &nodes_y, &nodes_z]);
        let inner = field.ey.slice_mut(s![1..nx, .., 1..nz]);
        assign_product(inner, -0.7, [&nodes_x, &cells_y, &nodes_z]);
        let inner = field.ez.slice_mut(s![1..nx, 1..ny, ..]);
        assign_product(inner, 1.0, [&nodes_x, &nodes_y, &cells_z]);
        field
    }
}

/// Factor of the pulse along an axis of `n` cells, at the inner nodes and at the centres.
fn gaussian(n: usize, centre: f64) -> [Array1<f64>; 2] {
    let factor = |x: f64| (-20.0 * (x / n as f64 - centre).powi(2)).exp();
    [Array1::from_shape_fn(n - 1, |i| factor((i + 1) as f64)), Array1::from_shape_fn(n, |i| factor(i as f64 + 0.5))]
}

fn assign_product(mut target: ArrayViewMut3<f64>, scale: f64, factors: [&Array1<f64>; 3]) {
    for ((i, j, k), element) in target.indexed_iter_mut() {
        *element = scale * factors[0][i] * factors[1][j] * factors[2][k];
    }
}

/// The field after `steps` steps by whole-array operators on slices.
pub fn operators(cavity: Cavity, steps: usize) -> Field {
    let Coefficients { a: [ax, ay, az], b: [bx, by, bz] } = cavity.coefficients();
    let Field { mut ex, mut ey, mut ez, mut hx, mut hy, mut hz } = cavity.pulse();
    let [nx, ny, nz] = cavity.cells;
    for _ in 0..steps {
        hx += &(along_z(ey.view()) * az - along_y(ez.view()) * ay);
        hy += &(along_x(ez.view()) * ax - along_z(ex.view()) * az);
        hz += &(along_y(ex.view()) * ay - along_x(ey.view()) * ax);

        let mut inner = ex.slice_mut(s![.., 1..ny, 1..nz]);
        inner += &(along_y(hz.slice(s![.., .., 1..nz])) * by - along_z(hy.slice(s![.., 1..ny, ..])) * bz);
        let mut inner = ey.slice_mut(s![1..nx, .., 1..nz]);
        inner += &(along_z(hx.slice(s![1..nx, .., ..])) * bz - along_x(hz.slice(s![.., .., 1..nz])) * bx);
        let mut inner = ez.slice_mut(s![1..nx, 1..ny, ..]);
        inner += &(along_x(hy.slice(s![.., 1..ny, ..])) * bx - along_y(hx.slice(s![1..nx, .., ..])) * by);
    }
    Field { ex, ey, ez, hx, hy, hz }
}

/// Differences of neighbours along the first axis.
fn along_x(field: ArrayView3<f64>) -> Array3<f64> {
    &field.slice(s![1.., .., ..]) - &field.slice(s![..-1, .., ..])
}

/// Differences of neighbours along the second axis.
fn along_y(field: ArrayView3<f64>) -> Array3<f64> {
    &field.slice(s![.., 1.., ..]) - &field.slice(s![.., ..-1, ..])
}

/// Differences of neighbours along the third axis.
fn along_z(field: ArrayView3<f64>) -> Array3<f64> {
    &field.slice(s![.., .., 1..]) - &field.slice(s![.., .., ..-1])
}

/// The same, one cell at a time.
pub fn loops(cavity: Cavity, steps: usize) -> Field {
    let coefficients = cavity.coefficients();
    let mut field = cavity.pulse();
    for _ in 0..steps {
        step_magnetic(&mut field, coefficients.a, cavity.cells);
        step_electric(&mut field, coefficients.b, cavity.cells);
    }
    field
}

fn step_magnetic(field: &mut Field, [ax, ay, az]: [f64; 3], [nx, ny, nz]: [usize; 3]) {
    let Field { ex, ey, ez, hx, hy, hz } = field;
    for i in 0..=nx {
        for j in 0..=ny {
            for k in 0..=nz {
                if j < ny && k < nz {
                    hx[[i, j, k]] +=
                        az * (ey[[i, j, k + 1]] - ey[[i, j, k]]) - ay * (ez[[i, j + 1, k]] - ez[[i, j, k]]);
                }
                if i < nx && k < nz {
                    hy[[i, j, k]] +=
                        ax * (ez[[i + 1, j, k]] - ez[[i, j, k]]) - az * (ex[[i, j, k + 1]] - ex[[i, j, k]]);
                }
                if i < nx && j < ny {
                    hz[[i, j, k]] +=
                        ay * (ex[[i, j + 1, k]] - ex[[i, j, k]]) - ax * (ey[[i + 1, j, k]] - ey[[i, j, k]]);
                }
            }
        }
    }
}

fn step_electric(field: &mut Field, [bx, by, bz]: [f64; 3], [nx, ny, nz]: [usize; 3]) {
    let Field { ex, ey, ez, hx, hy, hz } = field;
    for i in 0..nx {
        for j in 0..ny {
            for k in 0..nz {
                if j > 0 && k > 0 {
                    ex[[i, j, k]] +=
                        by * (hz[[i, j, k]] - hz[[i, j - 1, k]]) - bz * (hy[[i, j, k]] - hy[[i, j, k - 1]]);
                }
                if i > 0 && k > 0 {
                    ey[[i, j, k]] +=
                        bz * (hx[[i, j, k]] - hx[[i, j, k - 1]]) - bx * (hz[[i, j, k]] - hz[[i - 1, j, k]]);
                }
                if i > 0 && j > 0 {
                    ez[[i, j, k]] +=
                        bx * (hy[[i, j, k]] - hy[[i - 1, j, k]]) - by * (hx[[i, j, k]] - hx[[i, j - 1, k]]);
                }
            }
        }
    }
}
