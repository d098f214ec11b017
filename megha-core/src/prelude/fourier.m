% Discrete Fourier transforms.

function y = fft(x, n, dim)
  if nargin < 3, dim = default_dimension(x); end
  if nargin < 2, n = []; end
  y = transformed(x, points(x, n, dim), dim, -1);
end

function y = ifft(x, n, dim)
  if nargin < 3, dim = default_dimension(x); end
  if nargin < 2, n = []; end
  n = points(x, n, dim);
  y = transformed(x, n, dim, 1) / n;
end

function n = points(x, n, dim)
  if isempty(n), n = size(x, dim); end
end

function y = fft2(x, m, n)
  if nargin < 3
    y = fft(fft(x, [], 1), [], 2);
  else
    y = fft(fft(x, m, 1), n, 2);
  end
end

function y = ifft2(x, m, n)
  if nargin < 3
    y = ifft(ifft(x, [], 1), [], 2);
  else
    y = ifft(ifft(x, m, 1), n, 2);
  end
end

function y = fftn(x)
  y = fft2(x);
  if ndims(x) > 2, y = fft(y, [], 3); end
end

function y = ifftn(x)
  y = ifft2(x);
  if ndims(x) > 2, y = ifft(y, [], 3); end
end

function y = fftshift(x, dim)
  if nargin > 1
    y = circshift(x, floor(size(x, dim) / 2), dim);
  else
    y = circshift(circshift(x, floor(size(x, 1) / 2), 1), floor(size(x, 2) / 2), 2);
    if ndims(x) > 2, y = circshift(y, floor(size(x, 3) / 2), 3); end
  end
end

function y = ifftshift(x, dim)
  if nargin > 1
    y = circshift(x, ceil(size(x, dim) / 2), dim);
  else
    y = circshift(circshift(x, ceil(size(x, 1) / 2), 1), ceil(size(x, 2) / 2), 2);
    if ndims(x) > 2, y = circshift(y, ceil(size(x, 3) / 2), 3); end
  end
end

function y = transformed(x, n, dim, sign)
  if dim == 1 && ndims(x) < 3
    y = columns_transformed(x, n, sign);
  else
    y = with_lines(columns_transformed(lines_of(x, dim), n, sign), x, dim);
  end
end

% Each column, cut or filled with zeros to n rows. Stockham's transform for factors of any size: no permutation, one pass over
% the data for each prime factor p of n, in which groups of p elements are transformed as they are by definition. The
% transform of real numbers is symmetric to the last bit, and that of such a symmetric column is real.
function y = columns_transformed(x, n, sign)
  columns = size(x, 2);
  w = exp(sign * 2i * pi * (0:n-1) / n);
  y = complex(zeros(n, columns));
  y(1:min(n, size(x, 1)), :) = x(1:min(n, size(x, 1)), :);
  z = y;
  real_input = isreal(y);
  symmetric = is_symmetric(y, n);
  left = n;
  stride = 1;
  while left > 1
    p = smallest_factor(left);
    m = left / p;
    for c = 1:columns
      for k = 0:m-1
        for r = 0:p-1
          turn = w(mod(k * r * stride, n) + 1);
          for q = 1:stride
            a = y(q + stride * k, c);
            for j = 1:p-1
              a = a + y(q + stride * (k + m * j), c) * w(mod(j * r, p) * (n / p) + 1);
            end
            z(q + stride * (p * k + r), c) = a * turn;
          end
        end
      end
    end
    y = z;
    left = m;
    stride = stride * p;
  end
  if real_input
    for c = 1:columns
      for k = 1:n
        other = mod(n - k + 1, n) + 1;
        if other == k
          y(k, c) = real(y(k, c));
        elseif other < k
          y(k, c) = conj(y(other, c));
        end
      end
    end
  end
  if symmetric
    y = complex(real(y));
  end
end

% Whether the elements k and n - k of each column are conjugates.
function answer = is_symmetric(y, n)
  answer = true;
  for c = 1:size(y, 2)
    for k = 1:n
      if y(k, c) ~= conj(y(mod(n - k + 1, n) + 1, c))
        answer = false;
      end
    end
  end
end

function p = smallest_factor(n)
  p = n;
  for d = 2:floor(sqrt(n))
    if mod(n, d) == 0
      p = d;
      break
    end
  end
end
