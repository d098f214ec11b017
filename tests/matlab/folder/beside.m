function r = beside(x)
  r = helper(x) + 1;
end

function r = helper(x)
  r = 2 * x;
end
