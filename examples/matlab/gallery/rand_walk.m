function [ok, spread] = rand_walk(nwalk, nstep)
% Random walks on a line.  What is returned does not depend on the numbers
% that were drawn: all positions have the parity of nstep and none is
% farther than nstep.
% megha: fn rand_walk(nwalk: usize, nstep: usize) -> (ok, spread)
pos = zeros(nwalk, 1);
for t = 1:nstep
    step = 2*(rand(nwalk,1) > 0.5) - 1;
    pos = pos + step;
end
ok = all(mod(pos + nstep, 2) == 0);
spread = max(abs(pos)) <= nstep;
