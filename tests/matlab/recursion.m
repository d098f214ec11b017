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
