% Masks on both sides of a store, and below reductions: all true, none true, NaN, rows, columns, matrices.
1;
function o = shows(x)
  fprintf('%.17g ', x); fprintf('\n');
end
function z = f1(x, y, s, m)
  z = x; z(m) = sqrt(abs(y(m))) .* s - z(m);
end
function z = f2(x)
  z = x; z(x < 0) = -x(x < 0); z(isnan(x)) = 7;
end
function t = f3(x, y)
  t = [sum(x(y > 0)), numel(x(y > 0)), nnz(x(y>0) > 0.5), any(x(y>0) > 0.9), all(x(y>0) > -1), mean(x(y > -5)) * numel(x(y > -5)), max(x(y > 0)), min(x(y > 0))];
end
function z = f4(x, m)
  z = x; z(m) += 1; z(~m) *= 2; w = find(m); z(w) = z(w) .^ 2;
end
function z = f5(x, m)
  z = int16(x * 100); z(m) = z(m) * 3 - 7; z(~m) = idivide(z(~m), int16(2));
end
function z = f6(x, m)
  z = x; if any(m(:)), z(m) = sqrt(x(m)); end
end
function z = f8(x, m)
  z = x; z(m) = z(m) ./ (z(m) - z(m));
end
function z = f7(x, m)
  z = x; k = 0; for i = 1:3, z(m) = z(m) + i; m = m & z < 2; k = k + sum(sum(z .* m)); end
  z = [z(:); k];
end
function go(n, m, t)
  x = mod((1:n)' * (1:m) * 7919 + t * 104729, 1021) / 512 - 1; y = mod((1:n)' * (3:m+2) * 6007 + t * 10007, 1019) / 512 - 1;
  if t == 5, x(1) = NaN; y(end) = NaN; end
  if t == 1, k = y > 5; elseif t == 2, k = y < 5; else k = y > 0.1 * t - 0.4; end
  shows(f1(x, y, 1.5, k)); shows(f2(x)); 
  if sum(k(:)) ~= 1 && t > 2, shows(f3(x(:), y(:))); end
  shows(f4(x, k)); shows(double(f5(x, k))); shows(f6(abs(x), k)); shows(f7(x, k)); shows(f8(x, k));
end
go(1, 7, 1)
go(1, 7, 2)
go(1, 7, 3)
go(1, 7, 5)
go(9, 1, 1)
go(9, 1, 2)
go(9, 1, 3)
go(9, 1, 5)
go(5, 4, 1)
go(5, 4, 2)
go(5, 4, 3)
go(5, 4, 5)
go(7, 5, 1)
go(7, 5, 2)
go(7, 5, 3)
go(7, 5, 5)
