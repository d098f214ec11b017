% Zeros and minima that tolerances end early, so that they tell which points were tried.
function y = points_tried(s)
  [a, fa, ka] = fminsearch(@(p) (p(1) - 1)^2 + s * (p(2) + 2)^2 + (p(1) * p(2))^2, [0; 0]);
  [b, fb, kb] = fminsearch(@(p) (p - s)^2 + cos(p), 0, optimset('TolX', 1e-2, 'TolFun', 1e-3));
  [c, fc, kc] = fminsearch(@(p) sum((p - [1 2 s]).^2), [1 1 1], optimset('MaxIter', 30, 'Display', 'off'));
  [d, fd, kd] = fminbnd(@(x) x * sin(s * x), 0, 5);
  [e, fe, ke] = fminbnd(@(x) abs(x - 1), -s, 4, optimset('MaxIter', 5, 'Display', 'off'));
  [g, fg, kg] = fzero(@(x) sin(x) - s / 10, 3, optimset('TolX', 1e-3));
  h = zeros(1, 4);
  for k = 1:4
    h(k) = fzero(@(x) cos(x) * exp(-x / 10) + 0.01 * x, 5 * k - 8);
  end
  [i, fi, ki] = fzero(@(x) x^3 - s, [-1 4], optimset('MaxIter', 4, 'Display', 'none'));
  y = [a; fa; ka; b; fb; kb; c.'; fc; kc; d; fd; kd; e; fe; ke; g; kg; h.'; i; fi; ki];
end
