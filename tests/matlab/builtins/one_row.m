% A matrix that has one row when it runs: stores through masks do not mind.
function y = one_row(r)
  a = [r; r];
  a = a(1:numel(r) - 5, :);
  m = a > 0;
  b = zeros(size(a));
  b(m) = a(m) * 2;
  b(~m) = -1;
  y = b(:);
end
