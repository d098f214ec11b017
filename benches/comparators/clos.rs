//! Transitive closure of a directed graph.

use ndarray::{Array2, ArrayView2};

/// 1 where a path of one or more edges leads from row to column, by repeated products of
/// (n,n) matrices; an edge is a non-zero of `adjacency`.
pub fn operators(adjacency: ArrayView2<f64>) -> Array2<f64> {
    let truth = |x: f64| f64::from(u8::from(x != 0.0));
    let mut reach = adjacency.mapv(truth);
    let mut length = 1;
    while length < adjacency.nrows() {
        let longer = reach.dot(&reach);
        reach = (reach + longer).mapv_into(truth);
        length *= 2;
    }
    reach
}

/// The same by Warshall's loop (S. Warshall, A Theorem on Boolean Matrices, 1962).
pub fn loops(adjacency: ArrayView2<f64>) -> Array2<f64> {
    let n = adjacency.nrows();
    let mut reach = adjacency.mapv(|x| f64::from(u8::from(x != 0.0)));
    for via in 0..n {
        for from in 0..n {
            if reach[[from, via]] == 0.0 {
                continue;
            }
            for to in 0..n {
                if reach[[via, to]] != 0.0 {
                    reach[[from, to]] = 1.0;
                }
            }
        }
    }
    reach
}
