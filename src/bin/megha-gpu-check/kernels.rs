//! Kernels of every kind: reductions in both forms, running sums, single precision, integers, logicals, gathers, branches, mathematical functions, checks.

use megha::rt::ndarray::Array1;

use crate::cases::{Case, Doubles, Noise, Size};

megha::matlab! {
    function [all_of, columns, rows, least, most] = reductions(x)
    arguments
        x (m,n) double
    end
    all_of = sum(sum(x .* x));
    columns = sum(x, 1);
    rows = sum(x, 2);
    least = min(x, [], 1);
    most = max(x, [], 2);
    end

    function [total, down, across, products] = running(x, a)
    arguments
        x (n,1) double
        a (m,p) double
    end
    total = cumsum(x .* x);
    down = cumsum(a, 1);
    across = cumsum(a, 2);
    products = cumprod(1 + a / 100, 1);
    end

    function y = functions(x)
    arguments
        x (n,1) double
    end
    a = exp(-x .* x) + log(abs(x) + 1) + sqrt(abs(x));
    b = sin(x) .* cos(3 * x) + tan(x / 2) + atan2(x, 1 + x .* x);
    c = sinh(x / 4) + cosh(x / 5) + tanh(x) + asin(x / 20) + acos(x / 20) + atan(x);
    y = a + b .* c + abs(x) .^ 1.7 + floor(x) + mod(x, 0.7);
    end

    function y = singles(x)
    arguments
        x (n,1) single
    end
    y = exp(-x) .* sqrt(abs(x)) + x ./ 3 + sum(x);
    end

    function y = integers(x, shift)
    arguments
        x (n,1) int32
        shift (1,1) int32
    end
    y = (x + shift) * 3 - x / 2;
    end

    function [c, d, e] = products(a, b, x)
    arguments
        a (m,k) double
        b (k,n) double
        x (k,1) double
    end
    c = a * b;
    d = a * x;
    e = transpose(x) * b;
    end

    function c = single_product(a, b)
    arguments
        a (m,k) single
        b (k,n) single
    end
    c = a * b;
    end

    function y = gathered(x, k)
    arguments
        x (n,1) double
        k (m,1) double
    end
    y = x(k) + 2 * x(numel(x) + 1 - k);
    end

    function y = branches(x, limit)
    arguments
        x (n,1) double
        limit (1,1) double
    end
    y = zeros(size(x, 1), 1);
    for i = 1:size(x, 1)
        s = x(i);
        steps = 0;
        while abs(s) < limit && steps < 20
            s = s * s + x(i) + 0.4;
            steps = steps + 1;
        end
        if steps > 5
            y(i) = steps;
        else
            y(i) = -s;
        end
    end
    end
}

pub fn all(size: Size) -> Vec<Case> {
    let n = size.pick([200, 1 << 20, 1 << 24]);
    let (rows, columns) = size.pick([(70, 40), (5000, 300), (20_000, 1000)]);
    let mut noise = Noise(11);
    let x = noise.column(n, -10.0, 10.0);
    let single: Array1<f32> = x.mapv(|x| x as f32);
    let whole: Array1<i32> = x.mapv(|x| (x * 1e8) as i32);
    let places = Array1::from_shape_simple_fn(n, || 1.0 + (n as f64 * noise.next()).floor());
    let mut wrong = places.clone();
    wrong[n / 2] = n as f64 + 1.0;
    let matrix = noise.matrix(rows, columns);
    let [a, b, c, d, e] = [(); 5].map(|()| x.clone());
    let lines = matrix.clone();
    let order = size.pick([33, 1024, 4096]);
    let (left, right, factor) = (noise.matrix(order, order), noise.matrix(order, order), noise.matrix(order, 1));
    let [left_single, right_single] = [&left, &right].map(|matrix| matrix.mapv(|x| x as f32));
    vec![
        Case::new("products", order, move || {
            let (product, down, across) = products(&left, &right, &factor)?;
            Ok(vec![product.doubles(), down.doubles(), across.doubles()])
        }),
        Case::new("single_product", order, move || Ok(vec![single_product(&left_single, &right_single)?.doubles()])),
        Case::new("reductions", format!("{rows}x{columns}"), move || {
            let (all_of, columns, rows, least, most) = reductions(&matrix)?;
            Ok(vec![all_of.doubles(), columns.doubles(), rows.doubles(), least.doubles(), most.doubles()])
        }),
        Case::new("running", format!("{n}, {rows}x{columns}"), move || {
            let (total, down, across, products) = running(&e, &lines)?;
            Ok(vec![total.doubles(), down.doubles(), across.doubles(), products.doubles()])
        }),
        Case::new("functions", n, move || Ok(vec![functions(&a)?.doubles()])),
        Case::new("singles", n, move || Ok(vec![singles(&single)?.doubles()])),
        Case::new("integers", n, move || Ok(vec![integers(&whole, 1_000_000_000)?.doubles()])),
        Case::new("gathered", n, move || Ok(vec![gathered(&b, &places)?.doubles()])),
        Case::new("out_of_range", n, move || Ok(vec![gathered(&c, &wrong)?.doubles()])),
        Case::new("branches", n, move || Ok(vec![branches(&d, 2.0)?.doubles()])),
    ]
}
