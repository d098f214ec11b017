% Discrete Fourier transforms.

function y = fft(x, n, dim)
  if nargin < 3, dim = default_dimension(x); end
  if nargin < 2, n = []; end
  y = transformed(x, points(x, n, dim), dim, false);
end

function y = ifft(x, n, dim)
  if nargin < 3, dim = default_dimension(x); end
  if nargin < 2, n = []; end
  n = points(x, n, dim);
  y = transformed(x, n, dim, true) / n;
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

function y = transformed(x, n, dim, inverse)
  if ndims(x) < 3 && dim < 3
    y = matrix_transformed(x, n, dim, inverse);
  else
    y = with_lines(matrix_transformed(lines_of(x, dim), n, 1, inverse), x, dim);
  end
end

% The library transforms the lines along a dimension. The transform of real numbers is symmetric to the last bit, and that of such a
% symmetric line is real.
function y = matrix_transformed(x, n, dim, inverse)
  if is_scalar_type(x)
    z = of_parts(real(x), imag(x));
    if dim == 1
      y = repmat(z, n, 1);
    else
      y = repmat(z, 1, n);
    end
  else
    planes = transformed_lines(real(x), imag(x), n, dim, inverse);
    y = of_parts(planes(:, :, 1), planes(:, :, 2));
  end
end
