//! Elements of matrices by one subscript, which counts columns first, in loops whose rows go through them together; and products of graphs.

use ndarray::{Array2, ShapeBuilder};

megha::matlab! {
    function y = filtered(h, x)
    arguments
        h (p,q) double
        x (n,m) double
    end
    y = zeros(size(x, 1), size(x, 2) - numel(h));
    for i = 1:size(y, 1)
        for j = 1:size(y, 2)
            s = 0;
            for k = 1:numel(h)
                s = s + h(k) * x(i, j + k);
            end
            y(i, j) = s;
        end
    end
    end

    function y = windowed(h, x)
    arguments
        h (3,4) double
        x (n,m) double
    end
    y = zeros(size(x, 1) - 3, size(x, 2) - 4);
    for i = 1:size(y, 1)
        for j = 1:size(y, 2)
            s = 0;
            for l = 1:4
                for k = 1:3
                    s = s + h(k + (l - 1) * 3) * x(i + k, j + l);
                end
            end
            y(i, j) = s;
        end
    end
    end

    function y = numbered(h, x)
    arguments
        h (5,1) double
        x (40,50) double
    end
    y = zeros(40, 44);
    for i = 1:40
        for j = 1:44
            s = 0;
            for k = 1:5
                s = s + h(k) * x(i + (j + k) * 40);
            end
            y(i, j) = s;
        end
    end
    end

    function y = multiplied(a, b)
    arguments
        a (n,7) double
        b (7,m) double
    end
    y = zeros(size(a, 1), size(b, 2));
    for i = 1:size(a, 1)
        for j = 1:size(b, 2)
            s = 0;
            for k = 1:7
                s = s + a(i, k) * b(k + (j - 1) * 7);
            end
            y(i, j) = s;
        end
    end
    end

    function y = paths(a)
    arguments
        a (n,n) single
    end
    y = 2 * ((a * a) > 0) + (0 ~= a * transpose(a));
    end
}

fn matrix((rows, columns): (usize, usize), by_columns: bool, seed: usize) -> Array2<f64> {
    let number = |i: usize, j: usize| ((i * 37 + j * 101 + seed * 13) % 89) as f64 / 7.0 - 5.0;
    Array2::from_shape_fn((rows, columns).set_f(by_columns), |(i, j)| number(i, j))
}

/// Elements columns first.
fn listed(x: &Array2<f64>) -> Vec<f64> {
    x.t().iter().copied().collect()
}

#[test]
fn rows_together_find_elements_by_one_subscript() {
    for by_columns in [true, false] {
        for (n, m) in [(1, 1), (5, 40), (23, 70)] {
            let sum = |terms: &mut dyn Iterator<Item = f64>| terms.fold(0.0, |sum, term| sum + term);
            let (h, x) = (matrix((2, 3), by_columns, 1), matrix((n, m + 6), by_columns, 2));
            let by = listed(&h);
            let wanted = Array2::from_shape_fn((n, m), |(i, j)| sum(&mut (0..6).map(|k| by[k] * x[[i, j + k + 1]])));
            assert_eq!(filtered(&h, &x).unwrap(), wanted, "filtered, {n} by {m}");

            let (h, x) = (matrix((3, 4), by_columns, 3), matrix((n + 3, m + 4), by_columns, 4));
            let by = listed(&h);
            let wanted = Array2::from_shape_fn((n, m), |(i, j)| {
                sum(&mut (0..12).map(|k| by[k] * x[[i + k % 3 + 1, j + k / 3 + 1]]))
            });
            assert_eq!(windowed(&h, &x).unwrap(), wanted, "windowed, {n} by {m}");

            let (a, b) = (matrix((n, 7), by_columns, 5), matrix((7, m), by_columns, 6));
            let wanted = Array2::from_shape_fn((n, m), |(i, j)| sum(&mut (0..7).map(|k| a[[i, k]] * b[[k, j]])));
            assert_eq!(multiplied(&a, &b).unwrap(), wanted, "multiplied, {n} by {m}");
        }
        let (h, x) = (matrix((5, 1), by_columns, 7), matrix((40, 50), by_columns, 8));
        let all = listed(&x);
        let wanted = Array2::from_shape_fn((40, 44), |(i, j)| {
            (0..5).fold(0.0, |sum, k| sum + h[[k, 0]] * all[i + (j + k + 2) * 40])
        });
        assert_eq!(numbered(&h, &x).unwrap(), wanted, "numbered");
    }
}

/// Where there is a path of two edges, and where two nodes lead to the same one: of singles, in both orders.
#[test]
fn products_of_graphs_are_compared_with_zero() {
    for (n, by_columns) in [(3, true), (64, false), (130, true), (130, false)] {
        let edge = |i: usize, j: usize| (i * 7 + j * 11).is_multiple_of(29);
        let graph = Array2::from_shape_fn((n, n).set_f(by_columns), |(i, j)| if edge(i, j) { 0.5f32 } else { 0.0 });
        let wanted = Array2::from_shape_fn((n, n), |(i, j)| {
            let two = (0..n).any(|k| edge(i, k) && edge(k, j));
            let same = (0..n).any(|k| edge(i, k) && edge(j, k));
            f64::from(2 * u8::from(two) + u8::from(same))
        });
        assert_eq!(paths(&graph).unwrap(), wanted, "{n} nodes");
    }
}
