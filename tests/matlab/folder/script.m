% A script: inputs and outputs are named by who compiles it.
scale = 2;
y = twice(x) * scale;
total = beside(sum(y));
if exist('offset', 'var')
  total = total + offset;
end
function r = twice(x)
  r = 2 * x;
end
