//! The twelve programs of MEGHA's thesis, with the signatures that their files have.

use megha::matlab;

use super::Call;
use crate::arrays::{Argument, Results};

matlab!(file "../../../../examples/matlab/bscholes.m");
matlab!(file "../../../../examples/matlab/capr.m");
matlab!(file "../../../../examples/matlab/clos.m");
matlab!(file "../../../../examples/matlab/crni.m");
matlab!(file "../../../../examples/matlab/dich.m");
matlab!(file "../../../../examples/matlab/edit.m");
matlab!(file "../../../../examples/matlab/fdtd.m");
matlab!(file "../../../../examples/matlab/fiff.m");
matlab!(file "../../../../examples/matlab/filter_bank.m");
matlab!(file "../../../../examples/matlab/matmul.m");
matlab!(file "../../../../examples/matlab/nb1d.m");
matlab!(file "../../../../examples/matlab/nb3d.m");

/// The program of this name.
pub fn find(name: &str, arguments: Vec<Argument>) -> Option<Call> {
    Some(match name {
        "bscholes" => call!(bscholes, arguments: vector, vector, vector, vector, vector),
        "capr" => call!(capr, arguments: number, number, number, number, count, number, number),
        "clos" => call!(clos, arguments: matrix),
        "crni" => call!(crni, arguments: number, number, number, count, count),
        "dich" => call!(dich, arguments: number, number, number, number, count),
        "edit" => call!(edit, arguments: vector, vector),
        "fdtd" => Box::new(move || {
            let [lx, ly, lz] = [0, 1, 2].map(|place| arguments[place].number());
            let [nx, ny, nz, nt] = [3, 4, 5, 6].map(|place| arguments[place].count());
            let (ex, ey, ez, hx, hy, hz) = fdtd(lx, ly, lz, nx, ny, nz, nt)?;
            Ok(Results::from([ex, ey, ez, hx, hy, hz]))
        }),
        "fiff" => call!(fiff, arguments: number, number, number, count, count),
        "filter_bank" => call!(filter_bank, arguments: vector, matrix),
        "matmul" => call!(matmul, arguments: matrix, matrix),
        "nb1d" => call!(nb1d, arguments: vector, vector, vector, number, number),
        "nb3d" => call!(nb3d, arguments: matrix, matrix, vector, number, number, count),
        _ => return None,
    })
}
