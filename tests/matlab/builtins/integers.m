% Bits, primes and divisors.
function y = integers(w, s, u8)
  a = bitand(w, 12) + bitxor(w, s) + bitshift(w, 2) + bitshift(w, -1);
  b = double(bitshift(u8, 1)) + double(bitor(u8, uint8(3)));
  p = primes(50);
  f = factor(360);
  g = gcd(w, 12) + lcm(w, 6);
  l = int64(w);
  q = [double([l * 0.3, l / 0.3, l .* (w / 8), l + 0.5]), double(uint64(w) - (w / 8))];
  y = [a(:); b(:); p(:); f(:); g(:); isprime(s); factorial(s); nchoosek(10, 3); nthroot(27, 3); q(:); l(:) > 2.5];
end
