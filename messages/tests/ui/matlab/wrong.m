function y = wrong(x)
% A mistake here, and one in the file beside it.
z = helper(x);
y = x(:, 1) * x;
end
