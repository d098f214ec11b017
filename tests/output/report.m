% megha: fn report(x: f64[m, n], k: f64)
function total = report(x, k)
% REPORT  prints a table in many ways; Octave's output is report.txt.
total = sum(x(:))
rows = size(x, 1)
half = x / 2;
half
mask = x > k
whole = round(x)
codes = int32(x * 10)
tiny = x * 1e-7
large = x * 1e6;
large
first = x(1, :)
ramp = 0:0.25:1
steps = 1:5;
steps
nothing = []
k
name = 'table';
name
fprintf('%s of %d numbers, sum %g\n', name, numel(x), total);
fprintf('%6.2f %6.2f\n', x);
fprintf('%d\n', k);
fprintf(1, 'to %s\n', 'stdout');
fprintf('%5d|%-5d|%05d|%+d\n', 1, 2, 3, 4);
fprintf('%s: %s\n', name, num2str(total));
fprintf(['k = ' num2str(k) ' of ' name '\n']);
fprintf(['k = ' num2str(k) ', total %g\n'], total);
fprintf("tab\there\n");
fprintf('%d %d\n', 1, 2, 3);
fprintf('\n');
fprintf('none: %d\n', []);
disp('text')
disp(x)
disp(total)
disp(['total: ', num2str(total), ' (', num2str(k, 8), ')'])
disp(num2str([1 2 3] * k))
disp(mat2str(x > k))
disp(mat2str(x))
disp(sprintf('%5.1f|', x))
disp(int2str(k))
letter = name(2)
middle = name(k:k + 2);
fprintf('<%s>\n', middle);
disp(middle)
shifted = char(mod(double(name) - 97 + k, 26) + 97);
disp(shifted)
for i = 1:2
    i
    disp(i * x(1, i));
end
if strcmp(name, 'table') && ~isempty(name)
    disp(upper(name));
end
switch class(codes)
    case {'int8', 'int32'}
        disp([class(codes) ' it is']);
    otherwise
        disp('something else');
end
end
