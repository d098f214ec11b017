% megha: fn reshape_of_number(a: f64, n: f64) -> y
function y = reshape_of_number(a, n)
  y = 2 * reshape(a, 1, n);
end
