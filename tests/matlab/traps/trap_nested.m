% Nested functions that share no variable with the function around them; parameters and results are their own.
% megha: fn trap_nested(x: f64[1, n]) -> (lowest, spread, total)
function [lowest, spread, total] = trap_nested(x)
  function [low, high] = ordered(low, high)
    if low > high
      held = low;
      low = high;
      high = held;
    end
  end

  function sum = added(list)
    sum = 0;
    for entry = list
      sum = twice(sum) / 2 + entry;
    end
  end

  function y = twice(y)
    y = 2 * y;
  end

  total = added(x);
  [lowest, highest] = ordered(x(1), x(end));
  spread = highest - lowest;
end
