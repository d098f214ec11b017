1;
function t = windows(d, centres, k)
  t = [];
  for n = 1:length(centres)
    range = centres(n)-k : centres(n)+k-1;
    t = [t d(range)];
  end
end
function t = lines(d, centres, k)
  t = [];
  for c = centres
    t = [t; c d(c - k:c + k)];
  end
end
function P = chosen(v, k)
  if k == 1
    P = v';
  else
    P = [];
    for at = 1:numel(v) - k + 1
      Q = chosen(v(at + 1:end), k - 1);
      P = [P; [v(at * ones(size(Q, 1), 1))' Q]];
    end
  end
end
d = (1:20) .^ 2;
windows(d', [5 8 12], 2)
windows(d', [], 2)
lines(d, [4 9], 3)
chosen([2 3 5 7], 2)
chosen([2 3 5 7], 3)
chosen(2, 2)
disp(size([zeros(0, 2), zeros(0, 1)]))
disp(size([zeros(0, 1), zeros(0, 2), zeros(1, 0)]))
disp(size([zeros(2, 0); zeros(1, 0)]))
disp(size([zeros(1, 0); zeros(1, 2)]))
disp(size([zeros(0, 1), ones(2, 2), zeros(2, 0)]))
function xt = shifted(x, xt)
  for k = 1:numel(x)
    xt = [x(k), xt(1:end-1)];
  end
end
disp(shifted([4 5], 0))
disp(shifted([4 5], [1 2 3]))
disp([7, zeros(1, 0)])
