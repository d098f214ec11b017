function [digits, parity] = hex_digits(v)
% Hexadecimal digits and parity of bytes
% megha: fn hex_digits(v: f64[1,n]) -> (digits, parity)
n = length(v);
digits = zeros(n,2);
parity = zeros(1,n);
for i=1:n
  b = uint8(v(i));
  hi = bitshift(b,-4);
  lo = bitand(b,15);
  digits(i,:) = [double(hi) double(lo)];
  p = uint8(0);
  x = b;
  while x > 0
    p = bitxor(p, bitand(x,1));
    x = bitshift(x,-1);
  end
  parity(i) = p;
end
