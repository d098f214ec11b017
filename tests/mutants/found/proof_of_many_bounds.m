function [v, A, x3, x5] = p2902(n, v, A)
  [~, x2] = p2902_f0(mod(floor(n), 11));
  for x4 = 1:n+0
    x3(x4) = mod(x4*2 + n, 19);
  end
  A(mod(mod(floor(x2), 8), n) + 1, [2, 1]) = mod(double((linspace(0, 0, 2) <= x2)), 101);
  x5 = complex(mod(real(((n + 1i*7))'), 31), mod(imag(((n + 1i*7))'), 37));
  x6 = (max((reshape(1:n*(n+1), n, (n+1))), 2) <= double(mod((reshape(1:(n+1)*1, (n+1), 1)).', 17)));
  v(end+1, :) = mod(v, 64);
  if (x2 + 19) <= numel(unique([x2, x2, n]))
    if numel(x3) < 40, x3 = [x3, mod(mod(14, 29)*mod((x2 - n), 31), 41)]; end
  else
    x2 = mod(x2 + (isempty(x3) + 0), 103);
  end
  switch mod(mod(floor(n), 10), 4)
  case {3, 3}
    x7 = mod(reshape(1:n*(n+1), n, (n+1)), 101);
  case 3
    for x8 = -2:2
      v = mod(cummax(mod((mod(double(int8((2*ones(2, (n+1))))), 7) * mod((eye((n+1), n) + 0), 5)), 19), 2), 101);
      x9 = complex(mod(mod(repmat(6, n, (n+1)), 11) .* mod(repmat(0, 1, (n+1)), 13), 31), mod(2 .^ mod(floor((zeros(n, (n+1)))), 6), 23));
    end
  end
  A(mod(mod(floor(x2), 11), n) + 1, :) = mod(mod(mod((1:n), 11) .* mod((1:n), 13), 11) .* mod(linspace(0, 0, n), 13), 17);
  for x10 = n:-2:0
    v(:, end-1) = mod(abs((fliplr((reshape(1:2*1, 2, 1))))), 17);
    x11 = 3;
    while x11 > 0
      x11 = x11 - 1;
      x2 = max(x2, A(mod(mod(floor(x11), 5), n) + 1, 1));
      x2 = mod((x11 - v(mod(mod(floor(x2), 7), 2) + 1, end)), 101);
      v(mod(mod(floor(x2), 12), 2) + 1, end-1) = mod(mod(v(mod(mod(floor(x10), 9), 2) + 1, end), 29)*mod(p2902_f0(mod(floor(x10), 5)), 31), 17);
      if (numel(unique(x3)) ~= 3.5) || (x11 > 18), continue; end
      x2 = max(x2, min((x11), 6));
    end
    x2 = mod(x2 + p2902_f0(mod(floor(x2), 5)), 103);
    if all((reshape(1:1*3, 1, 3) < zeros(1, 3))), continue; end
    x12 = double('abc'); disp(x12(1) + 4);
  end
end

function [r, s] = p2902_f0(a)
r = 0; s = 0;
for k = 1:a
  s = mod(s * 3 + k, 83);
  if s > 35, r = k; return; end
end
r = -1;
end
% megha: pub fn p2902(n: usize, v: f64[1, n], A: f64[n, n]) -> (v, A, x3, x5)
