1;
% Counts and sums of which there is one place, or none.
n = histc([0.5; 1.5; 2], zeros(0, 1));
disp(numel(n));
[n, k] = histc([0.5 1 2], 1)
a = accumarray([1; 1; 1], [1; 2; 3])
b = accumarray([1; 1], 2)
