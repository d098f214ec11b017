% megha: fn classes(n: f64)
function classes(n)
% Variables that change their class in loops. n is 3, which only the run knows.
  x = 1;
  for k = 1:n
    x = single(x) / 3;
  end
  report_of(x)
  k
  x = 0;
  k = 0;
  while k < n
    x = int32(x) + 1;
    k = k + 1;
  end
  report_of(x)
  x = int32(5);
  do
    k = k - 1;
    x = x * 2;
  until k == 0
  report_of(x)
  s = [];
  for k = n:-1:1
    s = [s single(k) / 7];
  end
  report_of(s)
  x = 0;
  y = 0;
  for k = 0.1:0.1:n / 10
    y = y + x * 2;
    x = single(x) + k;
  end
  report_of(x)
  report_of(y)
  x = 0;
  for i = 1:n
    for j = 1:2
      x = bitxor(uint8(x), uint8(i + j));
    end
  end
  report_of(x)
  x = 0;
  for q = int8([5 6 7; 1 1 n])
    x = x * 2 + q(1) - q(2);
  end
  report_of(x)
  x = zeros(2);
  for k = n:n
    x = single(x) + k;
  end
  report_of(x)
  singular(n);
end

function report_of(x)
  disp(class(x))
  disp(x)
end

function singular(n)
% Warnings are no part of what is compared.
  A = [1 2; 2 n + 1];
  disp(A \ [1; n])
  disp([1 n] / A)
  disp(inv(A))
  disp([A; A] \ [1; 2; 3; 4])
  disp(fft(n))
  y = fft([n n])
  [p, ~, mu] = polyfit(1:5, [1 4 9 16 26], n - 1);
  disp([p mu])
  disp(polyval(p, 6, [], mu))
end
