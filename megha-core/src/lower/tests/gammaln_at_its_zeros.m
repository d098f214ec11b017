1;
% gammaln is exact to its last digits where it is small, at 1 and 2.
x = [1 2 3 0.5 1.5 2.5 0.75 1.25 1.75 2.25];
fprintf('%.13g\n', gammaln(x));
d = [1e-1 1e-3 1e-7 1e-11];
fprintf('%.13g\n', gammaln(1 + d), gammaln(1 - d), gammaln(2 + d), gammaln(2 - d));
fprintf('%.13g\n', gammaln([0.1 7 15 40.5 1e6 Inf 0]));
fprintf('%d\n', gammaln(1) == 0, gammaln(2) == 0, isnan(gammaln(NaN)), gammaln([-1 -7 -Inf]) == Inf);
