function r = failing(x)
  r = beside_failing(x);
end
