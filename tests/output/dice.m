% megha: fn dice(n: f64)
% megha: fn seeded(s: f64)
% megha: fn clocks()
function [u, z, d, order, hits, last] = dice(n)
% DICE  random numbers of every kind.
u = rand(n, n);
z = 2 * randn(n) / 2;
d = randi([-2, 3], n, n, 'int8');
d = double(d);
order = randperm(n);
hits = 0;
for k = 1:n
    if rand() < 0.5
        hits = hits + 1;
    end
end
last = randi(10);
end

function [x, same] = seeded(s)
rand('seed', s);
x = rand(1, 3);
randn('state', s);
y = rand(1, 3);
rng(s);
z = rand(1, 3);
same = double(all(x == y) && all(x == z));
end

function [elapsed, parts, days] = clocks()
tic
start = clock();
id = tic;
t0 = cputime;
elapsed = toc + (cputime - t0) + etime(clock(), start) + toc(id);
parts = clock();
days = now();
end
