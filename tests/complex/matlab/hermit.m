function [G, t, ok] = hermit(A)
% megha: fn hermit(A: c64[m, n]) -> (G: c64[n, n], t: c64, ok: f64)
G = A'*A;
B = A.'*conj(A);
t = trace_of(G);
ok = isreal(t) + 2*all(all(abs(B - conj(G)) < 1e-12));
end
function s = trace_of(M)
s = 0;
for k = 1:size(M,1)
    s = s + M(k,k);
end
end
