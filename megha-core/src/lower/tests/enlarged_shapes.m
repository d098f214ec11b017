% What stores and brackets make of arrays of few or no elements, by what each array is before, where it is enlarged and how.
one = numel(find([0 1 0])); none = 3 * one;
x = []; k = 4; x(end + 1) = k; k = 5; x(end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x(end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x(end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x(k) = k; k = 5; x(k) = k;
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x(k) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x(k) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x(end + 1, 1) = k; k = 5; x(end + 1, 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x(end + 1, 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x(end + 1, 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x(1, end + 1) = k; k = 5; x(1, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x(1, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x(1, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x(end + 1, :) = [k 2 3]; k = 5; x(end + 1, :) = [k 2 3];
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x(end + 1, :) = [k 2 3]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x(end + 1, :) = [k 2 3]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x(end + 1, :) = [k 2 3]; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x(end + 1, :) = [k 2 3]; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x(end + 1, :) = [k 2 3]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x(:, end + 1) = [k; 2; 3]; k = 5; x(:, end + 1) = [k; 2; 3];
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x(:, end + 1) = [k; 2; 3]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x(:, end + 1) = [k; 2; 3]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x(:, end + 1) = [k; 2; 3]; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x(:, end + 1) = [k; 2; 3]; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x(:, end + 1) = [k; 2; 3]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x = [x k]; k = 5; x = [x k];
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x = [x k]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x = [x k]; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x = [x; k]; k = 5; x = [x; k];
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x = [x; k]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x = [x; k]; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x = [x, [k; 2; 3]]; k = 5; x = [x, [k; 2; 3]];
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x = [x, [k; 2; 3]]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x = [x, [k; 2; 3]]; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x = [x; [k 2 3]]; k = 5; x = [x; [k 2 3]];
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x = [x; [k 2 3]]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x = [x; [k 2 3]]; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x(end + 1, :) = k; k = 5; x(end + 1, :) = k;
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x(end + 1, :) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x(end + 1, :) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; x(:, end + 1) = k; k = 5; x(:, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; while k < 7, x(:, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = []; k = 4; if one, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:6, if k ~= 5, x(:, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = []; for k = 4:none, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; x(end + 1) = k; k = 5; x(end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; while k < 7, x(end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; if one, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, if k ~= 5, x(end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:none, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; x(k) = k; k = 5; x(k) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; while k < 7, x(k) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; if one, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, if k ~= 5, x(k) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:none, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; x(end + 1, 1) = k; k = 5; x(end + 1, 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; while k < 7, x(end + 1, 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; if one, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, if k ~= 5, x(end + 1, 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:none, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; x(1, end + 1) = k; k = 5; x(1, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; while k < 7, x(1, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; if one, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, if k ~= 5, x(1, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:none, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; x = [x k]; k = 5; x = [x k];
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; while k < 7, x = [x k]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; if one, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, if k ~= 5, x = [x k]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:none, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; x = [x; k]; k = 5; x = [x; k];
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; while k < 7, x = [x; k]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; if one, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, if k ~= 5, x = [x; k]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:none, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; x = [x, [k; 2; 3]]; k = 5; x = [x, [k; 2; 3]];
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; while k < 7, x = [x, [k; 2; 3]]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; if one, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, if k ~= 5, x = [x, [k; 2; 3]]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:none, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; x = [x; [k 2 3]]; k = 5; x = [x; [k 2 3]];
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; while k < 7, x = [x; [k 2 3]]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; if one, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, if k ~= 5, x = [x; [k 2 3]]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:none, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; x(end + 1, :) = k; k = 5; x(end + 1, :) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; while k < 7, x(end + 1, :) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; if one, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, if k ~= 5, x(end + 1, :) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:none, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; x(:, end + 1) = k; k = 5; x(:, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; while k < 7, x(:, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); k = 4; if one, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:6, if k ~= 5, x(:, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 1); for k = 4:none, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; x(end + 1) = k; k = 5; x(end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; while k < 7, x(end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; if one, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, if k ~= 5, x(end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:none, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; x(k) = k; k = 5; x(k) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; while k < 7, x(k) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; if one, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, if k ~= 5, x(k) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:none, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; x(end + 1, 1) = k; k = 5; x(end + 1, 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; while k < 7, x(end + 1, 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; if one, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, if k ~= 5, x(end + 1, 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:none, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; x(1, end + 1) = k; k = 5; x(1, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; while k < 7, x(1, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; if one, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, if k ~= 5, x(1, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:none, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; x = [x k]; k = 5; x = [x k];
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; while k < 7, x = [x k]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; if one, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, if k ~= 5, x = [x k]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:none, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; x = [x; k]; k = 5; x = [x; k];
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; while k < 7, x = [x; k]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; if one, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, if k ~= 5, x = [x; k]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:none, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; x = [x, [k; 2; 3]]; k = 5; x = [x, [k; 2; 3]];
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; while k < 7, x = [x, [k; 2; 3]]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; if one, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, if k ~= 5, x = [x, [k; 2; 3]]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:none, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; x = [x; [k 2 3]]; k = 5; x = [x; [k 2 3]];
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; while k < 7, x = [x; [k 2 3]]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; if one, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, if k ~= 5, x = [x; [k 2 3]]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:none, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; x(end + 1, :) = k; k = 5; x(end + 1, :) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; while k < 7, x(end + 1, :) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; if one, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, if k ~= 5, x(end + 1, :) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:none, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; x(:, end + 1) = k; k = 5; x(:, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; while k < 7, x(:, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); k = 4; if one, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:6, if k ~= 5, x(:, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(1, 0); for k = 4:none, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; x(end + 1) = k; k = 5; x(end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; while k < 7, x(end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; if one, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, if k ~= 5, x(end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:none, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; x(k) = k; k = 5; x(k) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; while k < 7, x(k) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; if one, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, if k ~= 5, x(k) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:none, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; x(end + 1, 1) = k; k = 5; x(end + 1, 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; while k < 7, x(end + 1, 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; if one, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, if k ~= 5, x(end + 1, 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:none, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; x(1, end + 1) = k; k = 5; x(1, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; while k < 7, x(1, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; if one, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, if k ~= 5, x(1, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:none, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; x(end + 1, :) = [k 2 3]; k = 5; x(end + 1, :) = [k 2 3];
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, x(end + 1, :) = [k 2 3]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; while k < 7, x(end + 1, :) = [k 2 3]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; if one, x(end + 1, :) = [k 2 3]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, if k ~= 5, x(end + 1, :) = [k 2 3]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:none, x(end + 1, :) = [k 2 3]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; x = [x; [k 2 3]]; k = 5; x = [x; [k 2 3]];
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; while k < 7, x = [x; [k 2 3]]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; if one, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, if k ~= 5, x = [x; [k 2 3]]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:none, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; x(end + 1, :) = k; k = 5; x(end + 1, :) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; while k < 7, x(end + 1, :) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; if one, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, if k ~= 5, x(end + 1, :) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:none, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; x(:, end + 1) = k; k = 5; x(:, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; while k < 7, x(:, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); k = 4; if one, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:6, if k ~= 5, x(:, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(0, 3); for k = 4:none, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; x(end + 1) = k; k = 5; x(end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; while k < 7, x(end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; if one, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, if k ~= 5, x(end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:none, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; x(k) = k; k = 5; x(k) = k;
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; while k < 7, x(k) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; if one, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, if k ~= 5, x(k) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:none, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; x(end + 1, 1) = k; k = 5; x(end + 1, 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; while k < 7, x(end + 1, 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; if one, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, if k ~= 5, x(end + 1, 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:none, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; x(1, end + 1) = k; k = 5; x(1, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; while k < 7, x(1, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; if one, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, if k ~= 5, x(1, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:none, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; x = [x k]; k = 5; x = [x k];
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; while k < 7, x = [x k]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; if one, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, if k ~= 5, x = [x k]; end, end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:none, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; x = [x; k]; k = 5; x = [x; k];
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; while k < 7, x = [x; k]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; if one, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, if k ~= 5, x = [x; k]; end, end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:none, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; x(end + 1, :) = k; k = 5; x(end + 1, :) = k;
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; while k < 7, x(end + 1, :) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; if one, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, if k ~= 5, x(end + 1, :) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:none, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; x(:, end + 1) = k; k = 5; x(:, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; while k < 7, x(:, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = 7; k = 4; if one, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:6, if k ~= 5, x(:, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = 7; for k = 4:none, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; x(end + 1) = k; k = 5; x(end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; while k < 7, x(end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; if one, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, if k ~= 5, x(end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:none, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; x(k) = k; k = 5; x(k) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; while k < 7, x(k) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; if one, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, if k ~= 5, x(k) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:none, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; x(end + 1, 1) = k; k = 5; x(end + 1, 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; while k < 7, x(end + 1, 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; if one, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, if k ~= 5, x(end + 1, 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:none, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; x(1, end + 1) = k; k = 5; x(1, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; while k < 7, x(1, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; if one, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, if k ~= 5, x(1, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:none, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; x(end + 1, :) = [k 2 3]; k = 5; x(end + 1, :) = [k 2 3];
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, x(end + 1, :) = [k 2 3]; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; while k < 7, x(end + 1, :) = [k 2 3]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; if one, x(end + 1, :) = [k 2 3]; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, if k ~= 5, x(end + 1, :) = [k 2 3]; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:none, x(end + 1, :) = [k 2 3]; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; x = [x k]; k = 5; x = [x k];
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; while k < 7, x = [x k]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; if one, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, if k ~= 5, x = [x k]; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:none, x = [x k]; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; x = [x; [k 2 3]]; k = 5; x = [x; [k 2 3]];
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; while k < 7, x = [x; [k 2 3]]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; if one, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, if k ~= 5, x = [x; [k 2 3]]; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:none, x = [x; [k 2 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; x(end + 1, :) = k; k = 5; x(end + 1, :) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; while k < 7, x(end + 1, :) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; if one, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, if k ~= 5, x(end + 1, :) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:none, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; x(:, end + 1) = k; k = 5; x(:, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; while k < 7, x(:, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; k = 4; if one, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:6, if k ~= 5, x(:, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7 8 9]; for k = 4:none, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; x(end + 1) = k; k = 5; x(end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; while k < 7, x(end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; if one, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, if k ~= 5, x(end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:none, x(end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; x(k) = k; k = 5; x(k) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; while k < 7, x(k) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; if one, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, if k ~= 5, x(k) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:none, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; x(end + 1, 1) = k; k = 5; x(end + 1, 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; while k < 7, x(end + 1, 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; if one, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, if k ~= 5, x(end + 1, 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:none, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; x(1, end + 1) = k; k = 5; x(1, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; while k < 7, x(1, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; if one, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, if k ~= 5, x(1, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:none, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; x(:, end + 1) = [k; 2; 3]; k = 5; x(:, end + 1) = [k; 2; 3];
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, x(:, end + 1) = [k; 2; 3]; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; while k < 7, x(:, end + 1) = [k; 2; 3]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; if one, x(:, end + 1) = [k; 2; 3]; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, if k ~= 5, x(:, end + 1) = [k; 2; 3]; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:none, x(:, end + 1) = [k; 2; 3]; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; x = [x; k]; k = 5; x = [x; k];
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; while k < 7, x = [x; k]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; if one, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, if k ~= 5, x = [x; k]; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:none, x = [x; k]; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; x = [x, [k; 2; 3]]; k = 5; x = [x, [k; 2; 3]];
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; while k < 7, x = [x, [k; 2; 3]]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; if one, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, if k ~= 5, x = [x, [k; 2; 3]]; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:none, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; x(end + 1, :) = k; k = 5; x(end + 1, :) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; while k < 7, x(end + 1, :) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; if one, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, if k ~= 5, x(end + 1, :) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:none, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; x(:, end + 1) = k; k = 5; x(:, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; while k < 7, x(:, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; k = 4; if one, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:6, if k ~= 5, x(:, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = [7; 8; 9]; for k = 4:none, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:none, x(k) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; x(end + 1, 1) = k; k = 5; x(end + 1, 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; while k < 7, x(end + 1, 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; if one, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, if k ~= 5, x(end + 1, 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:none, x(end + 1, 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; x(1, end + 1) = k; k = 5; x(1, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; while k < 7, x(1, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; if one, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, if k ~= 5, x(1, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:none, x(1, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; x(:, end + 1) = [k; 2; 3]; k = 5; x(:, end + 1) = [k; 2; 3];
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, x(:, end + 1) = [k; 2; 3]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; while k < 7, x(:, end + 1) = [k; 2; 3]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; if one, x(:, end + 1) = [k; 2; 3]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, if k ~= 5, x(:, end + 1) = [k; 2; 3]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:none, x(:, end + 1) = [k; 2; 3]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; x = [x, [k; 2; 3]]; k = 5; x = [x, [k; 2; 3]];
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; while k < 7, x = [x, [k; 2; 3]]; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; if one, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, if k ~= 5, x = [x, [k; 2; 3]]; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:none, x = [x, [k; 2; 3]]; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; x(end + 1, :) = k; k = 5; x(end + 1, :) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; while k < 7, x(end + 1, :) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; if one, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, if k ~= 5, x(end + 1, :) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:none, x(end + 1, :) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; x(:, end + 1) = k; k = 5; x(:, end + 1) = k;
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; while k < 7, x(:, end + 1) = k; k = k + 1; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); k = 4; if one, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:6, if k ~= 5, x(:, end + 1) = k; end, end
fprintf('%d ', size(x), x); disp('|')
x = zeros(3, 0); for k = 4:none, x(:, end + 1) = k; end
fprintf('%d ', size(x), x); disp('|')
% Pages that are created in a loop beside another array, whose first size is only found there.
x = [1 2 3; 4 5 6];
for i = 1:size(x, 3)
  h(:, :, i) = 2 * x(:, :, i);
  v(:, :, i) = abs(h(:, :, i));
end
fprintf('%d ', size(v), v); disp('|')
