% megha: fn always()
function always()
  disp(1)
  error('always %d', 2);
end
