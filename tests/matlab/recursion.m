% Functions that call themselves, directly or through others.

function r = fact(n)
  if n <= 1
    r = 1;
    return
  end
  r = n * fact(n-1);
end

function r = fib(n)
  if n < 2
    r = n;
  else
    r = fib(n-1) + fib(n-2);
  end
end

function r = mygcd(a, b)
  if b == 0, r = a; return; end
  r = mygcd(b, mod(a, b));
end

function [c, s] = hanoi(n, a, b)
  if n == 0
    c = 0; s = 0;
  else
    [c1, s1] = hanoi(n-1, a, 6-a-b);
    [c2, s2] = hanoi(n-1, 6-a-b, b);
    c = c1 + 1 + c2; s = s1 + a*b + s2;
  end
end

function r = ack(m, n)
  if m == 0
    r = n + 1;
  elseif n == 0
    r = ack(m-1, 1);
  else
    r = ack(m-1, ack(m, n-1));
  end
end

function k = bsearch(x, t, lo, hi)
  if lo > hi
    k = -1; return
  end
  mid = floor((lo+hi)/2);
  if x(mid) == t
    k = mid;
  elseif x(mid) < t
    k = bsearch(x, t, mid+1, hi);
  else
    k = bsearch(x, t, lo, mid-1);
  end
end

function r = iseven(n)
  if n == 0, r = true; else r = isodd(n-1); end
end

function r = isodd(n)
  if n == 0, r = false; else r = iseven(n-1); end
end

function r = even2(n)
  r = (n == 0) || odd2(n-1);
end

function r = odd2(n)
  r = (n ~= 0) && even2(n-1);
end

function y = power_sq(x, n)
  if n == 0
    y = 1;
  elseif mod(n, 2) == 0
    h = power_sq(x, n/2);
    y = h*h;
  else
    y = x * power_sq(x, n-1);
  end
end

function q = quadstep(f, a, b, tol, fa, fc, fb)
  c = (a+b)/2; h = b-a;
  d = (a+c)/2; e = (c+b)/2;
  fd = f(d); fe = feval(f, e);
  q1 = h/6*(fa+4*fc+fb);
  q2 = h/12*(fa+4*fd+2*fc+4*fe+fb);
  if abs(q2-q1) <= tol
    q = q2 + (q2-q1)/15;
  else
    q = quadstep(f, a, c, tol, fa, fd, fc) + quadstep(f, c, b, tol, fc, fe, fb);
  end
end

function q = adapt(f, a, b, tol)
  q = quadstep(f, a, b, tol, f(a), f((a+b)/2), f(b));
end

function y = runge(x)
  y = 1/(1+25*x^2);
end

function A = fill(A, i, j, new)
  if i < 1 || j < 1 || i > size(A,1) || j > size(A,2)
    return
  end
  if A(i,j) ~= 0
    return
  end
  A(i,j) = new;
  A = fill(A, i+1, j, new);
  A = fill(A, i-1, j, new);
  A = fill(A, i, j+1, new);
  A = fill(A, i, j-1, new);
end

function c = countperm(p, k)
  n = numel(p);
  if k > n
    c = 1; return;
  end
  c = 0;
  for i = k:n
    t = p(k); p(k) = p(i); p(i) = t;
    if p(k) ~= k
      c = c + countperm(p, k+1);
    end
    t = p(k); p(k) = p(i); p(i) = t;
  end
end

function [re, im] = dft_rec(xr, xi)
  n = numel(xr);
  if n == 1
    re = xr; im = xi;
    return
  end
  [er, ei] = dft_rec(xr(1:2:n), xi(1:2:n));
  [or, oi] = dft_rec(xr(2:2:n), xi(2:2:n));
  k = 0:n/2-1;
  c = cos(-2*pi*k/n); s = sin(-2*pi*k/n);
  tr = c.*or - s.*oi; ti = c.*oi + s.*or;
  re = [er + tr, er - tr];
  im = [ei + ti, ei - ti];
end

function r = msort(x)
  n = numel(x);
  if n <= 1
    r = x;
  else
    m = floor(n/2);
    r = mymerge(msort(x(1:m)), msort(x(m+1:n)));
  end
end

function r = mymerge(a, b)
  r = zeros(1, numel(a)+numel(b));
  i = 1; j = 1;
  for k = 1:numel(r)
    if j > numel(b)
      r(k) = a(i); i = i+1;
    elseif i > numel(a)
      r(k) = b(j); j = j+1;
    elseif a(i) <= b(j)
      r(k) = a(i); i = i+1;
    else
      r(k) = b(j); j = j+1;
    end
  end
end

function x = qsort_in(x, lo, hi)
  if lo < hi
    p = x(hi); i = lo - 1;
    for j = lo:hi-1
      if x(j) <= p
        i = i + 1; t = x(i); x(i) = x(j); x(j) = t;
      end
    end
    t = x(i+1); x(i+1) = x(hi); x(hi) = t;
    x = qsort_in(x, lo, i);
    x = qsort_in(x, i+2, hi);
  end
end

function s = sumrec(x)
  if isempty(x)
    s = 0;
  else
    s = x(1) + sumrec(x(2:end));
  end
end

function d = mydet(A)
  n = size(A, 1);
  if n == 1
    d = A(1,1);
  else
    d = 0;
    for j = 1:n
      M = A(2:n, [1:j-1, j+1:n]);
      d = d + (-1)^(1+j) * A(1,j) * mydet(M);
    end
  end
end

function C = strassen(A, B)
  n = size(A,1);
  if n <= 2
    C = A*B;
  else
    h = n/2;
    i1 = 1:h; i2 = h+1:n;
    M1 = strassen(A(i1,i1)+A(i2,i2), B(i1,i1)+B(i2,i2));
    M2 = strassen(A(i2,i1)+A(i2,i2), B(i1,i1));
    M3 = strassen(A(i1,i1), B(i1,i2)-B(i2,i2));
    M4 = strassen(A(i2,i2), B(i2,i1)-B(i1,i1));
    M5 = strassen(A(i1,i1)+A(i1,i2), B(i2,i2));
    M6 = strassen(A(i2,i1)-A(i1,i1), B(i1,i1)+B(i1,i2));
    M7 = strassen(A(i1,i2)-A(i2,i2), B(i2,i1)+B(i2,i2));
    C = [M1+M4-M5+M7, M3+M5; M2+M4, M1-M2+M3+M6];
  end
end

function r = qs(x)
  if numel(x) <= 1
    r = x;
  else
    p = x(1); rest = x(2:end);
    r = [qs(rest(rest < p)), p, qs(rest(rest >= p))];
  end
end

function r = ms(x)
  n = numel(x);
  if n <= 1, r = x; return; end
  m = floor(n/2);
  a = ms(x(1:m)); b = ms(x(m+1:end));
  r = [];
  i = 1; j = 1;
  while i <= numel(a) && j <= numel(b)
    if a(i) <= b(j)
      r(end+1) = a(i); i = i + 1;
    else
      r(end+1) = b(j); j = j + 1;
    end
  end
  r = [r, a(i:end), b(j:end)];
end

function r = bits(n)
  if n < 2, r = n; else, r = [bits(floor(n/2)), mod(n,2)]; end
end

function r = collatz(n)
  r = n;
  if n == 1, return; end
  if mod(n,2) == 0, r = [n, collatz(n/2)]; else, r = [n, collatz(3*n+1)]; end
end

function P = perms_rec(v)
  n = numel(v);
  if n <= 1
    P = v;
  else
    P = [];
    for i = 1:n
      rest = v([1:i-1, i+1:n]);
      Q = perms_rec(rest);
      P = [P; repmat(v(i), size(Q,1), 1), Q];
    end
  end
end

function moves = hanoi_moves(n, a, b, c)
  if n == 0
    moves = zeros(0, 2);
  else
    moves = [hanoi_moves(n-1, a, c, b); a c; hanoi_moves(n-1, b, a, c)];
  end
end

function C = times_magic(A)
  C = strassen(A, magic(4));
end

function y = integral_of(w, a, b, tol)
  y = adapt(@(x) sin(w*x) + x, a, b, tol);
end

function y = runge_integral(tol)
  y = adapt(@runge, -1, 1, tol);
end

function [s, t] = sums(n)
  s = 0; t = 0;
  for k = 1:n
    [c, d] = hanoi(k, 1, 3);
    s = s + c; t = t + d;
  end
end

function r = depth(n)
  if n <= 1, r = 1; else, r = 1 + depth(n-1); end
end

function y = repeated(x, n)
  if n <= 0
    y = x;
  else
    y = repeated(2*x + 1, n - 1);
  end
end

function s = ends(x, n)
  y = repeated(x, n);
  s = y(1) - y(end);
end
