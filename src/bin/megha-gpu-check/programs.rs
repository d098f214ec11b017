//! The twelve programs.

use megha::rt::ndarray::{Array1, Array2};

use crate::cases::{Case, Doubles, Noise, Size};

megha::matlab!(
    file "../../../examples/matlab/bscholes.m",
    fn bscholes(spot: f64[n, 1], strike: f64[n, 1], rate: f64[n, 1], volatility: f64[n, 1], time: f64[n, 1])
        -> (call: f64[n, 1], put: f64[n, 1])
);
megha::matlab!(file "../../../examples/matlab/clos.m", fn clos(adjacency: f64[n, n]) -> reach: f64[n, n]);
megha::matlab!(
    file "../../../examples/matlab/fdtd.m",
    fn fdtd(lx: f64, ly: f64, lz: f64, nx: usize, ny: usize, nz: usize, nt: usize) -> (ex, ey, ez, hx, hy, hz)
);
megha::matlab!(
    file "../../../examples/matlab/filter_bank.m",
    fn filter_bank(signal: f64[n, 1], taps: f64[k, f]) -> out: f64[:, f]
);
megha::matlab!(file "../../../examples/matlab/matmul.m", fn matmul(a: f64[m, k], b: f64[k, n]) -> c: f64[m, n]);
megha::matlab!(
    file "../../../examples/matlab/nb3d.m",
    fn nb3d(position: f64[n, 3], velocity: f64[n, 3], mass: f64[n, 1], softening: f64, dt: f64, nt: usize)
        -> (position: f64[n, 3], velocity: f64[n, 3])
);
megha::matlab!(file "../../../examples/matlab/capr.m");
megha::matlab!(file "../../../examples/matlab/crni.m");
megha::matlab!(file "../../../examples/matlab/dich.m");
megha::matlab!(file "../../../examples/matlab/edit.m");
megha::matlab!(file "../../../examples/matlab/fiff.m");
megha::matlab!(file "../../../examples/matlab/nb1d.m");

pub fn all(size: Size) -> Vec<Case> {
    vec![
        options(size),
        closure(size),
        cavity(size),
        filters(size),
        product(size),
        bodies(size),
        capacitance(size),
        crank_nicolson(size),
        laplace(size),
        distance(size),
        string(size),
        line(size),
    ]
}

fn options(size: Size) -> Case {
    let n = size.pick([300, 1 << 20, 1 << 24]);
    let mut noise = Noise(1);
    let spot = noise.column(n, 20.0, 200.0);
    let strike = &spot * &noise.column(n, 0.6, 1.4);
    let [rate, volatility, time] = [(0.0, 0.06), (0.05, 0.65), (0.02, 3.0)].map(|(a, b)| noise.column(n, a, b));
    Case::new("bscholes", n, move || {
        let (call, put) = bscholes(&spot, &strike, &rate, &volatility, &time)?;
        Ok(vec![call.doubles(), put.doubles()])
    })
}

fn closure(size: Size) -> Case {
    let n = size.pick([12, 512, 2048]);
    let mut noise = Noise(2);
    let edge = 1.5 / n as f64;
    let adjacency = Array2::from_shape_simple_fn((n, n), || f64::from(u8::from(noise.next() < edge)));
    Case::new("clos", n, move || Ok(vec![clos(&adjacency)?.doubles()]))
}

fn cavity(size: Size) -> Case {
    let [nx, ny, nz] = size.pick([[5, 4, 3], [256, 256, 15], [512, 512, 32]]);
    let steps = size.pick([3, 10, 10]);
    let [lx, ly, lz] = [nx, ny, nz].map(|cells| 1e-3 * cells as f64);
    Case::new("fdtd", format!("{nx}x{ny}x{nz}-nt{steps}"), move || {
        let (ex, ey, ez, hx, hy, hz) = fdtd(lx, ly, lz, nx, ny, nz, steps)?;
        Ok([ex, ey, ez, hx, hy, hz].map(Doubles::doubles).into())
    })
}

fn filters(size: Size) -> Case {
    let (n, order) = size.pick([(100, 8), (1_000_000, 32), (1_500_000, 128)]);
    let mut noise = Noise(5);
    let (signal, taps) = (noise.column(n, -1.0, 1.0), noise.matrix(order, 4));
    Case::new("filter_bank", format!("{n}-4x{order}"), move || Ok(vec![filter_bank(&signal, &taps)?.doubles()]))
}

fn product(size: Size) -> Case {
    let n = size.pick([8, 256, 1024]);
    let mut noise = Noise(4);
    let (a, b) = (noise.matrix(n, n), noise.matrix(n, n));
    Case::new("matmul", n, move || Ok(vec![matmul(&a, &b)?.doubles()]))
}

fn bodies(size: Size) -> Case {
    let (n, steps) = size.pick([(12, 2), (1024, 10), (1536, 10)]);
    let mut noise = Noise(3);
    let (position, velocity) = (noise.matrix(n, 3), 0.3 * noise.matrix(n, 3));
    let mass = noise.column(n, 0.5, 1.5) / n as f64;
    Case::new("nb3d", format!("{n}-nt{steps}"), move || {
        let (position, velocity) = nb3d(&position, &velocity, &mass, 0.05, 0.01, steps)?;
        Ok(vec![position.doubles(), velocity.doubles()])
    })
}

fn capacitance(size: Size) -> Case {
    let n = size.pick([8, 24, 60]);
    Case::new("capr", n, move || Ok(vec![capr(0.5, 0.25, 1.0, 1.0, n, 1e-6, 1.5)?.doubles()]))
}

fn crank_nicolson(size: Size) -> Case {
    let (n, m) = size.pick([(9, 6), (500, 100), (2000, 500)]);
    Case::new("crni", format!("{n}x{m}"), move || Ok(vec![crni(2.0, 0.3, 1.5, n, m)?.doubles()]))
}

fn laplace(size: Size) -> Case {
    let (cells, most) = size.pick([(8, 5), (50, 50), (200, 100)]);
    let h = 1.0 / f64::from(cells);
    Case::new("dich", format!("{cells}x{cells}"), move || Ok(vec![dich(1.0, 1.0, h, 1e-9, most)?.doubles()]))
}

fn distance(size: Size) -> Case {
    let n = size.pick([20, 300, 1000]);
    let mut noise = Noise(6);
    let mut text = || Array1::from_shape_simple_fn(n, || (4.0 * noise.next()).floor());
    let (a, b) = (text(), text());
    Case::new("edit", n, move || Ok(vec![edit(&a, &b)?.doubles()]))
}

fn string(size: Size) -> Case {
    let (n, m) = size.pick([(12, 16), (2000, 400), (20_000, 1000)]);
    // stable: no wave passes a node in a step
    let duration = 0.9 * (m - 1) as f64 / (n - 1) as f64;
    Case::new("fiff", format!("{n}x{m}"), move || Ok(vec![fiff(1.0, duration, 1.0, n, m)?.doubles()]))
}

fn line(size: Size) -> Case {
    let n = size.pick([8, 100, 300]);
    let duration = size.pick([0.02, 0.05, 0.05]);
    let mut noise = Noise(7);
    let (x, v) = (noise.column(n, -1.0, 1.0), noise.column(n, -0.3, 0.3));
    let mass = noise.column(n, 0.5, 1.5) / n as f64;
    Case::new("nb1d", n, move || {
        let (x, v, steps) = nb1d(&x, &v, &mass, 0.05, duration)?;
        Ok(vec![x.doubles(), v.doubles(), steps.doubles()])
    })
}
