1;
% the class of new arrays is that of another one; the sizes are computed from its sizes
function e = enlarged(image, factor)
  sizes = size(image) * factor;
  e = zeros(sizes, class(image));
  e(1:factor:end, 1:factor:end) = image;
end
function m = outer(x, tolerance)
  kind = class(x);
  n = numel(x);
  m = x * ones(1, n, kind) - ones(n, 1, class(x)) * x';
  m = m > tolerance;
end
e = enlarged(uint8([250 3; 7 9]), 2);
disp(class(e)); disp(e);
s = enlarged(single([1.5 2.5]), 3);
disp(class(s)); disp(size(s)); disp(s(1, 4));
disp(outer([1; 3; 2], 0.5));
