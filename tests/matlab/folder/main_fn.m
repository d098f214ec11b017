function [y, z] = main_fn(x)
% Calls the first functions of the files beside it; each file has a `helper` of its own.
  y = beside(x) + helper(x);
  z = feval('other_name', x);
end

function r = helper(x)
  r = 100 * x;
end
