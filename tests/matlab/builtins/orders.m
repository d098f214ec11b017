% Sorting, extremes with their places, sets.
function y = orders(r, c, B)
  [s, i] = sort(r);
  [t, j] = sort(c, 'descend');
  [m, k] = max(B);
  [n, l] = min(B, [], 2);
  [o, p] = min(r);
  u = unique(r);
  [x, q] = sortrows(B, -2);
  y = [s(:); i(:); t(:); j(:); m(:); k(:); n(:); l(:); o; p; u(:); x(:); q(:); cummax(r)'; ismember(c, r)];
end
