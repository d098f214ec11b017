function [est, hits] = mc_pi(n, seed)
% Estimates pi from points in the unit square.  The random numbers come from
% a linear congruential generator of Park and Miller, so that every run and
% every system gives the same result.
% megha: fn mc_pi(n: usize, seed: f64) -> (est, hits)

a = 16807; m = 2147483647;
s = seed;
hits = 0;
k = 0;
while k < n
    s = mod(a*s, m);
    x = s / m;
    s = mod(a*s, m);
    y = s / m;
    if x*x + y*y <= 1
        hits = hits + 1;
    end
    k = k + 1;
end
est = 4*hits/max(n,1);
fprintf('pi is about %f after %d points\n', est, n);
