function orbit = logistic_bif(rmin, rmax, nr, keep)
% attractor of the logistic map for several growth rates, a row for each
% megha: fn logistic_bif(rmin: f64, rmax: f64, nr: usize, keep: usize) -> orbit
orbit = zeros(nr, keep);
row = 0;
for r = linspace(rmin, rmax, nr)
    row = row + 1;
    x = 0.5;
    for k = 1:40
        x = r*x*(1 - x);
    end
    for k = 1:keep
        x = r*x*(1 - x);
        orbit(row, k) = x;
    end
end
