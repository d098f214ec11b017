function [x, res] = mesh_solve(n, w)
% megha: fn mesh_solve(n: usize, w: f64) -> (x: c64[n, 1], res)
A = zeros(n);
for k = 1:n
    A(k,k) = 2 + 1i*w*k;
    if k < n
        A(k,k+1) = -1;
        A(k+1,k) = -1 - 0.5i;
    end
end
b = ones(n, 1);
b(1) = 2i;
x = A \ b;
res = double(norm(A*x - b) < 1e-12);
end
