% Functions whose bodies are written as texts.
f = inline('x^2 - 2'); g = inline('b*t + a', 't', 'a', 'b'); h = inline('sin(w) + k*pi');
n = numel(find([1 0 1]));
fprintf('%g ', f(n), g(n, 10, 100), h(1, n)); fprintf('\n');
s = str2func('@(x) x .^ 2 - 1'); disp(s(n)), c = str2func('cos');
fprintf('%g ', c(0), fzero(f, [0 2]), quad(inline('exp(-x.^2)'), 0, 1)); fprintf('\n');
disp(func2str(@(x) x.^2+1)), disp(func2str(@sin))
for k = 1:n, fprintf('%g ', feval(f, k)); end, fprintf('\n');
