function M = julia(n, maxit)
% megha: fn julia(n: usize, maxit: usize) -> M: f64[n, n]
c = -0.8 + 0.156*i;
M = zeros(n);
for p = 1:n
  for q = 1:n
    z = complex(-1.5 + 3*(q-1)/(n-1), -1.5 + 3*(p-1)/(n-1));
    m = 0;
    while (m < maxit) && (abs(z) < 2)
      z = z*z + c;
      m = m + 1;
    end
    M(p,q) = m;
  end
end
end
