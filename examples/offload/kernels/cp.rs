//! Coulombic potential of point charges on the points of a grid: CP of Parboil, Garg and Amaral (5.2.3). A row of `atoms` is x, y, the square
//! of the distance from the grid's plane, and the charge.

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn cp(spacing: $real, atoms: ArrayView2<$real>, mut energy: ArrayViewMut2<$real>) {
            for j in 0..energy.nrows() {
                for i in 0..energy.ncols() {
                    let x = spacing * i as $real;
                    let y = spacing * j as $real;
                    let mut sum = 0.0;
                    for n in 0..atoms.nrows() {
                        let dx = x - atoms[[n, 0]];
                        let dy = y - atoms[[n, 1]];
                        sum += atoms[[n, 3]] / (dx * dx + dy * dy + atoms[[n, 2]]).sqrt();
                    }
                    energy[[j, i]] += sum;
                }
            }
        }
    };
}
pub(super) use kernel;
