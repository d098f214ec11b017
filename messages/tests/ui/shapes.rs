// Operands of the wrong kind or rank, functions without a value, and programs with nothing to call.

megha::matlab! {
    function [a, b, c, d, e] = operands(m, k)
    arguments
        m (3,4) double
        k (n,1) double
    end
    cube = zeros(2, 3, 4);
    a = cube * m;
    b = transpose(cube);
    c = 2 / zeros(1, 3);
    f = @(x) x .^ 2;
    d = f + 1;
    e = [f, 1];
    y = numel(end);
    w = shout(k);
    v = mat2str(cube);
    end

    function shout(x)
    disp(numel(x));
    end
}

megha::matlab! {
    function y = never(x)
    arguments
        x (1,1) double
    end
    y = missing(x) + 1;
    end

    function y = missing(x)
    if x > 0
        error("positive");
    else
        error("not positive");
    end
    end
}

megha::matlab!("y = 1;\nend\nz = 2;\n");

megha::matlab!("% only a comment\n");

megha::matlab!(
    r#"
function y = outside(x)
    arguments
        x (n,1) double
    end
    y = x + end;
end
"#
);

const SCALE: f64 = 2.0;

#[megha::offload]
fn mixes_types(x: ndarray::ArrayView1<f64>, n: i64, mut y: ndarray::ArrayViewMut1<f64>) {
    for i in 0..x.len() {
        y[i] = SCALE * x[i];
    }
    for i in 0..x.len() {
        x[i] = 1.0;
    }
    let _k: usize = n;
}

fn main() {}
