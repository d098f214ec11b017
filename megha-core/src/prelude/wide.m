% Operations of 64-bit integers x with doubles d. No class holds all values of both, so neither operand can simply become one of the
% other's. Sums round d first, as Octave's do. Products and quotients are exact, then rounded: a double that is a whole number in the
% range of x becomes an integer; elsewhere x is h + l, two doubles, and what rounding a product or a quotient loses is computed too.
% Octave's own come close to that, and are 0 for x * -0.5.

function y = wide_plus(x, d)
  y = merge(abs(d) >= 9223372036854775808, convert_like(double(x) + d, x), moved(x, d));
end
function y = wide_minus(x, d)
  y = wide_plus(x, -d);
end
function y = wide_minus_from(x, d)
  y = merge(abs(d) >= 9223372036854775808, convert_like(d - double(x), x), convert_like(d, x) - x);
end
function y = wide_times(x, d)
  h = double(x);
  p = h .* d;
  lost = product_error(h, d, p) + low_part(x, h) .* d;
  y = merge(is_whole_like(d, x), x .* convert_like(d, x), rounded_like(p, lost, x));
end
function y = wide_rdivide(x, d)
  h = double(x);
  q = h ./ d;
  p = q .* d;
  lost = ((h - p) - product_error(q, d, p) + low_part(x, h)) ./ d;
  y = merge(is_whole_like(d, x), x ./ convert_like(d, x), rounded_like(q, lost, x));
end
function y = wide_ldivide(x, d)
  y = merge(is_whole_like(d, x), convert_like(d, x) ./ x, convert_like(d ./ double(x), x));
end
function y = wide_power(x, d)
  y = merge(is_whole_like(d, x), x .^ convert_like(d, x), convert_like(double(x) .^ d, x));
end
function y = wide_exponent(x, d)
  y = merge(is_whole_like(d, x), convert_like(d, x) .^ x, convert_like(d .^ double(x), x));
end
function y = wide_eq(x, d)
  y = merge(is_whole_like(d, x), x == convert_like(d, x), comparable(x, d) == d);
end
function y = wide_ne(x, d)
  y = ~wide_eq(x, d);
end
function y = wide_lt(x, d)
  y = merge(is_whole_like(d, x), x < convert_like(d, x), comparable(x, d) < d);
end
function y = wide_le(x, d)
  y = merge(is_whole_like(d, x), x <= convert_like(d, x), comparable(x, d) <= d);
end
function y = wide_gt(x, d)
  y = merge(is_whole_like(d, x), x > convert_like(d, x), comparable(x, d) > d);
end
function y = wide_ge(x, d)
  y = merge(is_whole_like(d, x), x >= convert_like(d, x), comparable(x, d) >= d);
end

% Whether d is a value of x's class.
function y = is_whole_like(d, x)
  least = double(intmin_like(x));
  y = d == fix(d) & d >= least & d < 18446744073709551616 + least;
end

% The double nearest to x, which lies on the same side of d: d is no whole number, or beyond all of x's class.
function y = comparable(x, d)
  y = double(x) .* merge(abs(d) >= 9223372036854775808, 0.5, 1);
end

% x + round(t), also where the class has no negative numbers.
function y = moved(x, t)
  y = x + convert_like(max(t, 0), x) - convert_like(max(-t, 0), x);
end

% p + lost, of which p may have a fraction and lost is small against p.
function y = rounded_like(p, lost, x)
  whole = fix(p);
  y = merge(abs(p) < 18446744073709551616 + double(intmin_like(x)), moved(convert_like(whole, x), (p - whole) + lost), convert_like(p, x));
end

% What is left of x beyond the double h.
function y = low_part(x, h)
  y = double(x - convert_like(h, x)) - double(convert_like(h, x) - x) .* (double(intmin_like(x)) == 0);
end

% a * b - p, exactly, where p is the rounded product (Dekker 1971).
function e = product_error(a, b, p)
  [ah, al] = split(a);
  [bh, bl] = split(b);
  e = ((ah .* bh - p) + ah .* bl + al .* bh) + al .* bl;
end
function [h, l] = split(a)
  t = 134217729 .* a;
  h = t - (t - a);
  l = a - h;
end
