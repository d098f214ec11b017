A = magic(4); n = numel(find(A(:,1) > 8));
R = A(find(A(:,1)==9), :);
C = A(:, find(A(1,:)==13));
B = A(A(:,1)>6, A(1,:)>2);
for t = 1:3
  if t==1, X = R; elseif t==2, X = C; else X = B; end
  s = sum(X)
  m = mean(X)
  [mx, im] = max(X)
  c = cumsum(X)
  q = sort(X)
  [q2,i2] = sort(X, 'descend');
  i2
  f = find(X > 5)
  v = X(X > 5)
  w = X([1 2])
  w = X([1;2])
  sd = std(X)
  md = median(X)
  d = diff(X)
  nn = norm(X)
  n1 = norm(X, 1)
  l = length(X)
  a = any(X > 12)
  u = unique(X)
  [r,c2] = find(X > 8)
  X(X > 9) = 0
  X(2) = 77
  tr = trapz(X)
  vr = var(X)
  isrow(X), isvector(X), iscolumn(X)
  fliplr(X)
  p = prod(X)
  k = numel(X(X>3))
  for col = X, disp(col'), end
  mat2str(X)
end
