% Eigenvalues of which only magnitudes and parts are asked may be complex, whatever the class of the program; and the
% both gradients of a matrix that loses columns.
1;
function [radius, unstable, weighted] = modes(A)
  radius = max(abs(eig(A)));
  e = eig(A);
  unstable = any(real(e) > 0);
  weighted = 0;
  for k = 1:numel(e)
    weighted = weighted + abs(e(k)) * real(e(k)) + abs(imag(e(k)));
  end
end
function s = slopes(a, steps)
  s = 0;
  for t = 1:steps
    [gx, gy] = gradient(a);
    s = s + sum(abs(gx(:))) + 10 * sum(abs(gy(:)));
    a = a(:, 1:end-1);
  end
end
[radius, unstable, weighted] = modes([0 1; -1 0.5]);
fprintf('%.6f %d %.6f\n', radius, unstable, weighted);
[radius, unstable, weighted] = modes([2 1; 1 3]);
fprintf('%.6f %d %.6f\n', radius, unstable, weighted);
[radius, unstable, weighted] = modes([-2 1 0; 0 -3 4; 1 -1 -1]);
fprintf('%.6f %d %.6f\n', radius, unstable, weighted);
fprintf('%g %g\n', slopes([1 2 4; 3 7 1], 2), slopes([1 5; 2 9; 4 1], 1));
[gx, gy] = gradient([1; 4; 9]);
fprintf('%g ', gx, gy, size(gx), size(gy)); fprintf('\n');
