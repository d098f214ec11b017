% A function value may be given fewer arguments than it names, where it does not need them.
step = @(x, t, p) x + 2 * t;
par = 5;
keep = @(x, par) x;
disp(step(1, 3)), disp(keep(par))
total = 0;
for k = 1:3
    total = total + step(k, k);
end
disp(total)
