% Bits, primes and divisors.
function y = integers(w, s, u8)
  a = bitand(w, 12) + bitxor(w, s) + bitshift(w, 2) + bitshift(w, -1);
  b = double(bitshift(u8, 1)) + double(bitor(u8, uint8(3)));
  p = primes(50);
  f = factor(360);
  g = gcd(w, 12) + lcm(w, 6);
  l = int64(w);
  k = double(bitand(abs(l - repmat(6, size(w))), 96)); % a negative constant in a kernel of 64-bit integers
  q = [double([l * 0.3, l / 0.3, l .* (w / 8), l + 0.5]), double(uint64(w) - (w / 8))];
  % Of integers with doubles: what is converted before, what is computed in doubles.
  m = double([mod(u8, 2.5), rem(u8, -2.5), gcd(u8, 10), max(u8, 2.5)]);
  d = [trapz(u8, 2), cumtrapz(u8, 2), sumsq(u8, 2), nthroot(u8, 3), hypot(u8, 3), double(int16(u8) < u8 + 1)];
  c = cumprod(w(1:3) + 1i);
  o = [m(:); d(:); real(c(:)); imag(c(:)); angle(-w(:)); nextpow2(w(:))];
  y = [o; a(:); b(:); p(:); f(:); g(:); isprime(s); factorial(s); nchoosek(10, 3); nthroot(27, 3); q(:); k(:); l(:) > 2.5];
end
