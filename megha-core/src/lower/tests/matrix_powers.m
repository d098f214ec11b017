% Powers of matrices, by exponents that are known and others.
A = [2 1; 1 3]; n = numel(find(A > 1));
A ^ n, A ^ (n + 5), fprintf('%g ', A ^ 0, A ^ (n - 2)), fprintf('%.10f\n', A ^ -1, A ^ (-n));
P = [0.5 0.5 0; 0.2 0.3 0.5; 0 0.1 0.9];
for k = [1 2 n 30], Q = P ^ k; fprintf('%.12f ', Q(1, :)); fprintf('\n'); end
