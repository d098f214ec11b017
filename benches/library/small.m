% Functions of arrays of 3 to 30 elements, called a thousand times or more one after the other, for library.rs, as in vectors.m.
% megha: fn small_product(S: f64[3, 3]) -> (s)
function s = small_product(S)
  s = S; for i = 1:1000, s = S * s / 4; end
end
% megha: fn small_transposed(S: f64[3, 3]) -> (s)
function s = small_transposed(S)
  s = S; for i = 1:1000, s = (S' * s) / 4; end
end
% megha: fn small_norm(x: f64[1, q]) -> (s)
function s = small_norm(x)
  s = 0; for i = 1:1000, x(1) = i; s = s + norm(x); end
end
% megha: fn small_sum(x: f64[1, q]) -> (s)
function s = small_sum(x)
  s = 0; for i = 1:1000, x(1) = i; s = s + sum(x); end
end
% megha: fn small_mean(x: f64[1, q]) -> (s)
function s = small_mean(x)
  s = 0; for i = 1:1000, x(1) = i; s = s + mean(x); end
end
% megha: fn small_std(x: f64[1, q]) -> (s)
function s = small_std(x)
  s = 0; for i = 1:1000, x(1) = i; s = s + std(x); end
end
% megha: fn small_median(x: f64[1, q]) -> (s)
function s = small_median(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; s = s + median(x); end
end
% megha: fn small_max(x: f64[1, q]) -> (s)
function s = small_max(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; [m, j] = max(x); s = s + m * j; end
end
% megha: fn small_sort(x: f64[1, q]) -> (s)
function s = small_sort(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; y = sort(x); s = s + y(3); end
end
% megha: fn small_sort_places(x: f64[1, q]) -> (s)
function s = small_sort_places(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; [y, j] = sort(x); s = s + y(j(1)); end
end
% megha: fn small_unique(x: f64[1, q]) -> (s)
function s = small_unique(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; s = s + numel(unique(x)); end
end
% megha: fn small_running_sum(x: f64[1, q]) -> (s)
function s = small_running_sum(x)
  s = 0; for i = 1:1000, x(1) = i; y = cumsum(x); s = s + y(end); end
end
% megha: fn small_differences(x: f64[1, q]) -> (s)
function s = small_differences(x)
  s = 0; for i = 1:1000, x(1) = i; y = diff(x); s = s + y(1); end
end
% megha: fn small_find(x: f64[1, q]) -> (s)
function s = small_find(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; s = s + numel(find(x > 0.5)); end
end
% megha: fn small_any(x: f64[1, q]) -> (s)
function s = small_any(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; s = s + any(x > 0.99); end
end
% megha: fn small_interpolation(x: f64[1, q], z: f64[1, q]) -> (s)
function s = small_interpolation(x, z)
  s = 0; for i = 1:1000, s = s + interp1(z, x, i / 1000); end
end
% megha: fn small_fit(x: f64[1, q], z: f64[1, q]) -> (s)
function s = small_fit(x, z)
  s = 0; for i = 1:1000, x(1) = i / 1000; p = polyfit(z, x, 2); s = s + p(1); end
end
% megha: fn small_polynomial(x: f64[1, q]) -> (s)
function s = small_polynomial(x)
  s = 0; for i = 1:1000, s = s + polyval(x, i / 1000); end
end
% megha: fn small_convolution(x: f64[1, q]) -> (s)
function s = small_convolution(x)
  s = 0; for i = 1:1000, x(1) = i; y = conv(x, x); s = s + y(3); end
end
% megha: fn small_filter(x: f64[1, q]) -> (s)
function s = small_filter(x)
  s = 0; for i = 1:1000, x(1) = i; y = filter([1 2], [1 -0.5], x); s = s + y(end); end
end
% megha: fn small_cross(H: f64[h, 3]) -> (s)
function s = small_cross(H)
  s = 0; for i = 1:1000, y = cross(H(i, :), H(i + 1, :)); s = s + y(1); end
end
% megha: fn small_dot(H: f64[h, 3]) -> (s)
function s = small_dot(H)
  s = 0; for i = 1:1000, s = s + dot(H(i, :), H(i + 1, :)); end
end
% megha: fn small_kronecker(x: f64[1, q], S: f64[3, 3]) -> (s)
function s = small_kronecker(x, S)
  s = 0; for i = 1:1000, S(1) = i; y = kron(S, x); s = s + y(4); end
end
% megha: fn small_repeated(x: f64[1, q]) -> (s)
function s = small_repeated(x)
  s = 0; for i = 1:1000, y = repmat(x, 3, 2); s = s + y(2, 3); end
end
% megha: fn small_membership(x: f64[1, q]) -> (s)
function s = small_membership(x)
  s = 0; for i = 1:1000, s = s + ismember(i / 7, x); end
end
% megha: fn small_histogram(x: f64[1, q]) -> (s)
function s = small_histogram(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; y = histc(x, 0:0.1:1); s = s + y(4); end
end
% megha: fn small_shift(x: f64[1, q]) -> (s)
function s = small_shift(x)
  s = 0; for i = 1:1000, x = circshift(x, 1); s = s + x(1); end
end
% megha: fn small_trapezoids(x: f64[1, q], z: f64[1, q]) -> (s)
function s = small_trapezoids(x, z)
  s = 0; for i = 1:1000, x(1) = i; s = s + trapz(z, x); end
end
% megha: fn small_grid(x: f64[1, q]) -> (s)
function s = small_grid(x)
  s = 0; for i = 1:1000, [a, b] = meshgrid(x, 1:5); s = s + a(1, 2) * b(3, 1); end
end
% megha: fn small_line() -> (s)
function s = small_line()
  s = 0; for i = 1:1000, y = linspace(0, i, 20); s = s + y(2); end
end
% megha: fn small_transform(x: f64[1, q]) -> (s)
function s = small_transform(x)
  s = 0; for i = 1:1000, x(1) = i; s = s + abs(sum(fft(x))); end
end
% megha: fn small_remainder() -> (s)
function s = small_remainder()
  s = 0; for i = 1:1000, s = s + mod(i, 7) + floor(i / 3) + abs(sin(i)); end
end
% megha: fn small_random() -> (s)
function s = small_random()
  s = 0; for i = 1:1000, s = s + rand() + randn(); end
end
% megha: fn small_text() -> (s)
function s = small_text()
  s = 0; for i = 1:1000, s = s + length(sprintf('%d: %g', i, i / 7)); end
end
% megha: fn small_number_text() -> (s)
function s = small_number_text()
  s = 0; for i = 1:1000, s = s + length(num2str(i / 7)); end
end
% megha: fn small_compare() -> (s)
function s = small_compare()
  s = 0; for i = 1:1000, s = s + strcmp(num2str(i), '77'); end
end
% megha: fn small_primes() -> (s)
function s = small_primes()
  s = 0; for i = 1:1000, s = s + isprime(i); end
end
% megha: fn small_divisor() -> (s)
function s = small_divisor()
  s = 0; for i = 1:1000, s = s + gcd(i, 360); end
end
% megha: fn small_handles() -> (s)
function s = small_handles()
  f = @(x) x ^ 2 + 1; s = 0; for i = 1:1000, s = s + f(i); end
end
% megha: fn small_mapped(x: f64[1, q]) -> (s)
function s = small_mapped(x)
  s = 0; for i = 1:1000, s = s + sum(arrayfun(@(a) a * i, x)); end
end
% megha: fn three_sum(y: f64[1, 3]) -> (s)
function s = three_sum(y)
  s = 0; for i = 1:10000, y(1) = i; s = s + sum(y); end
end
% megha: fn three_norm(y: f64[1, 3]) -> (s)
function s = three_norm(y)
  s = 0; for i = 1:10000, y(1) = i; s = s + norm(y); end
end
% megha: fn three_dot(y: f64[1, 3]) -> (s)
function s = three_dot(y)
  s = 0; for i = 1:10000, y(1) = i; s = s + dot(y, y); end
end
% megha: fn three_cross(y: f64[1, 3]) -> (s)
function s = three_cross(y)
  s = y; for i = 1:10000, s = cross(y, s) / 2; end
end
% megha: fn three_max(y: f64[1, 3]) -> (s)
function s = three_max(y)
  s = 0; for i = 1:10000, y(1) = i / 1000; [m, j] = max(y); s = s + m * j; end
end
% megha: fn three_sort(y: f64[1, 3]) -> (s)
function s = three_sort(y)
  s = 0; for i = 1:10000, y(1) = i / 1000; t = sort(y); s = s + t(2); end
end
% megha: fn three_mean(y: f64[1, 3]) -> (s)
function s = three_mean(y)
  s = 0; for i = 1:10000, y(1) = i; s = s + mean(y); end
end
% megha: fn three_product(S: f64[3, 3], y: f64[1, 3]) -> (s)
function s = three_product(S, y)
  s = y'; for i = 1:10000, s = S * s / 25; end
end
% megha: fn three_joined(y: f64[1, 3]) -> (s)
function s = three_joined(y)
  s = 0; for i = 1:10000, t = [y, i]; s = s + t(4) + numel(t); end
end
% megha: fn three_literal() -> (s)
function s = three_literal()
  s = 0; for i = 1:10000, t = [i, i + 1, i + 2]; s = s + t(2) * sum(t); end
end
% megha: fn three_any(y: f64[1, 3]) -> (s)
function s = three_any(y)
  s = 0; for i = 1:10000, y(1) = i / 10000; s = s + any(y > 0.99); end
end
% megha: fn three_find(y: f64[1, 3]) -> (s)
function s = three_find(y)
  s = 0; for i = 1:10000, y(1) = i / 10000; s = s + numel(find(y > 0.5)); end
end
% megha: fn three_repeated(y: f64[1, 3]) -> (s)
function s = three_repeated(y)
  s = 0; for i = 1:10000, t = repmat(y, 2, 1); s = s + t(2, 3); end
end
% megha: fn three_polynomial(y: f64[1, 3]) -> (s)
function s = three_polynomial(y)
  s = 0; for i = 1:10000, s = s + polyval(y, i / 10000); end
end
% megha: fn three_running(y: f64[1, 3]) -> (s)
function s = three_running(y)
  s = 0; for i = 1:10000, y(1) = i; t = cumsum(y); s = s + t(3); end
end
% megha: fn three_minimum_of_two() -> (s)
function s = three_minimum_of_two()
  s = 0; for i = 1:10000, s = s + min(max(i, 7), 5000); end
end
% megha: fn three_isempty(y: f64[1, 3]) -> (s)
function s = three_isempty(y)
  s = 0; for i = 1:10000, if ~isempty(y) && numel(y) > 2, s = s + length(y); end, end
end
% megha: fn small_solution(S: f64[3, 3]) -> (s)
function s = small_solution(S)
  s = 0; for i = 1:1000, S(1) = 20 + i; t = S \ [1; 2; 3]; s = s + t(1); end
end
% megha: fn small_determinant(S: f64[3, 3]) -> (s)
function s = small_determinant(S)
  s = 0; for i = 1:1000, S(1) = i; s = s + det(S); end
end
% megha: fn small_inverse(S: f64[3, 3]) -> (s)
function s = small_inverse(S)
  s = 0; for i = 1:1000, S(1) = 20 + i; t = inv(S); s = s + t(2); end
end
% megha: fn small_eigenvalues(S: f64[3, 3]) -> (s)
function s = small_eigenvalues(S)
  s = 0; for i = 1:1000, S(1) = i; t = eig(S + S'); s = s + t(1); end
end
% megha: fn small_singular_values(S: f64[3, 3]) -> (s)
function s = small_singular_values(S)
  s = 0; for i = 1:1000, S(1) = i; t = svd(S); s = s + t(1); end
end
% megha: fn small_roots(y: f64[1, 3]) -> (s)
function s = small_roots(y)
  s = 0; for i = 1:1000, y(1) = i; t = roots(y); s = s + abs(t(1)); end
end
% megha: fn small_exponential(S: f64[3, 3]) -> (s)
function s = small_exponential(S)
  s = 0; for i = 1:1000, S(1) = i / 1000; t = expm(S / 100); s = s + t(1); end
end
% megha: fn small_trace(S: f64[3, 3]) -> (s)
function s = small_trace(S)
  s = 0; for i = 1:1000, S(1) = i; s = s + trace(S); end
end
% megha: fn small_diagonal(S: f64[3, 3]) -> (s)
function s = small_diagonal(S)
  s = 0; for i = 1:1000, S(1) = i; t = diag(S); s = s + t(1); end
end
% megha: fn small_diagonal_matrix(y: f64[1, 3]) -> (s)
function s = small_diagonal_matrix(y)
  s = 0; for i = 1:1000, y(1) = i; t = diag(y); s = s + t(1); end
end
% megha: fn small_identity(S: f64[3, 3]) -> (s)
function s = small_identity(S)
  s = 0; for i = 1:1000, t = S + i * eye(3); s = s + t(1); end
end
% megha: fn small_power(S: f64[3, 3]) -> (s)
function s = small_power(S)
  s = 0; for i = 1:1000, S(1) = i / 1000; t = S ^ 2; s = s + t(1); end
end
% megha: fn small_outer(x: f64[1, q]) -> (s)
function s = small_outer(x)
  s = 0; for i = 1:1000, x(1) = i; t = x' * x; s = s + t(2); end
end
% megha: fn small_sum_columns(S: f64[3, 3]) -> (s)
function s = small_sum_columns(S)
  s = 0; for i = 1:1000, S(1) = i; t = sum(S); s = s + t(1); end
end
% megha: fn small_max_columns(S: f64[3, 3]) -> (s)
function s = small_max_columns(S)
  s = 0; for i = 1:1000, S(1) = i; t = max(S, [], 2); s = s + t(1); end
end
% megha: fn small_norm_matrix(S: f64[3, 3]) -> (s)
function s = small_norm_matrix(S)
  s = 0; for i = 1:1000, S(1) = i; s = s + norm(S); end
end
% megha: fn small_rank(S: f64[3, 3]) -> (s)
function s = small_rank(S)
  s = 0; for i = 1:1000, S(1) = i; s = s + rank(S); end
end
% megha: fn small_variance(x: f64[1, q]) -> (s)
function s = small_variance(x)
  s = 0; for i = 1:1000, x(1) = i; s = s + var(x); end
end
% megha: fn small_mode(x: f64[1, q]) -> (s)
function s = small_mode(x)
  s = 0; for i = 1:1000, x(1) = i; s = s + mode(floor(x * 4)); end
end
% megha: fn small_product_of(x: f64[1, q]) -> (s)
function s = small_product_of(x)
  s = 0; for i = 1:1000, x(1) = i; s = s + prod(x); end
end
% megha: fn small_all(x: f64[1, q]) -> (s)
function s = small_all(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; s = s + all(x < 0.999); end
end
% megha: fn small_mask(x: f64[1, q]) -> (s)
function s = small_mask(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; s = s + sum(x(x > 0.5)); end
end
% megha: fn small_masked_store(x: f64[1, q]) -> (s)
function s = small_masked_store(x)
  s = 0; for i = 1:1000, t = x; t(x > i / 1000) = 0; s = s + t(3); end
end
% megha: fn small_deletion(x: f64[1, q]) -> (s)
function s = small_deletion(x)
  s = 0; for i = 1:1000, t = x; t(5) = []; s = s + t(5); end
end
% megha: fn small_append() -> (s)
function s = small_append()
  s = []; for i = 1:1000, s(end + 1) = i; end
end
% megha: fn small_joined(x: f64[1, q]) -> (s)
function s = small_joined(x)
  s = 0; for i = 1:1000, t = [x, i, x]; s = s + t(31); end
end
% megha: fn small_reversed(x: f64[1, q]) -> (s)
function s = small_reversed(x)
  s = 0; for i = 1:1000, x(1) = i; t = fliplr(x); s = s + t(30); end
end
% megha: fn small_range() -> (s)
function s = small_range()
  s = 0; for i = 1:1000, s = s + sum(1:i); end
end
% megha: fn small_unique_places(x: f64[1, q]) -> (s)
function s = small_unique_places(x)
  s = 0; for i = 1:1000, x(1) = i / 1000; [t, j, k] = unique(x); s = s + j(1) + k(1); end
end
% megha: fn small_difference_of_sets(x: f64[1, q], z: f64[1, q]) -> (s)
function s = small_difference_of_sets(x, z)
  s = 0; for i = 1:1000, x(1) = z(2); s = s + numel(setdiff(x, z)); end
end
% megha: fn small_union(x: f64[1, q], z: f64[1, q]) -> (s)
function s = small_union(x, z)
  s = 0; for i = 1:1000, s = s + numel(union(x, z)); end
end
% megha: fn small_accumulated(x: f64[1, q]) -> (s)
function s = small_accumulated(x)
  s = 0; k = 1 + floor(3 * x'); for i = 1:1000, x(1) = i; t = accumarray(k, x'); s = s + t(1); end
end
% megha: fn small_spline(x: f64[1, q], z: f64[1, q]) -> (s)
function s = small_spline(x, z)
  s = 0; for i = 1:1000, s = s + interp1(z, x, i / 1000, 'spline'); end
end
% megha: fn small_gradient(x: f64[1, q]) -> (s)
function s = small_gradient(x)
  s = 0; for i = 1:1000, x(1) = i; t = gradient(x); s = s + t(1); end
end
% megha: fn small_running_trapezoids(x: f64[1, q]) -> (s)
function s = small_running_trapezoids(x)
  s = 0; for i = 1:1000, x(1) = i; t = cumtrapz(x); s = s + t(end); end
end
% megha: fn small_derivative(x: f64[1, q]) -> (s)
function s = small_derivative(x)
  s = 0; for i = 1:1000, x(1) = i; t = polyder(x); s = s + t(1); end
end
% megha: fn small_sorted_rows(S: f64[3, 3]) -> (s)
function s = small_sorted_rows(S)
  s = 0; for i = 1:1000, S(1) = i; t = sortrows(S); s = s + t(1); end
end
% megha: fn small_reshaped(x: f64[1, q]) -> (s)
function s = small_reshaped(x)
  s = 0; for i = 1:1000, x(1) = i; t = reshape(x, 5, 6); s = s + t(2, 3); end
end
% megha: fn small_subscripts() -> (s)
function s = small_subscripts()
  s = 0; for i = 1:1000, [a, b] = ind2sub([40, 25], i); s = s + a * b; end
end
% megha: fn small_triangle(S: f64[3, 3]) -> (s)
function s = small_triangle(S)
  s = 0; for i = 1:1000, S(1) = i; t = triu(S); s = s + t(1); end
end
% megha: fn small_rotated(S: f64[3, 3]) -> (s)
function s = small_rotated(S)
  s = 0; for i = 1:1000, S(1) = i; t = rot90(S); s = s + t(3); end
end
% megha: fn small_text_joined() -> (s)
function s = small_text_joined()
  s = 0; for i = 1:1000, t = ['value ', num2str(i), ' of ', num2str(1000)]; s = s + length(t); end
end
% megha: fn small_decimals() -> (s)
function s = small_decimals()
  s = 0; for i = 1:1000, s = s + length(sprintf('%8.3f|%5d|%s', i / 7, i, 'abc')); end
end
% megha: fn small_vector_text(y: f64[1, 3]) -> (s)
function s = small_vector_text(y)
  s = 0; for i = 1:1000, y(1) = i; s = s + length(sprintf('%g,', y)); end
end
% megha: fn small_matrix_text(y: f64[1, 3]) -> (s)
function s = small_matrix_text(y)
  s = 0; for i = 1:1000, y(1) = i; s = s + length(mat2str(y)); end
end
% megha: fn small_whole_text() -> (s)
function s = small_whole_text()
  s = 0; for i = 1:1000, s = s + length(int2str(i)); end
end
% megha: fn small_parsed() -> (s)
function s = small_parsed()
  s = 0; for i = 1:1000, s = s + str2double(num2str(i)); end
end
% megha: fn small_upper() -> (s)
function s = small_upper()
  s = 0; for i = 1:1000, s = s + length(upper(num2str(i))); end
end
% megha: fn small_binary() -> (s)
function s = small_binary()
  s = 0; for i = 1:1000, s = s + length(dec2bin(i)); end
end
% megha: fn small_factorial() -> (s)
function s = small_factorial()
  s = 0; for i = 1:1000, s = s + factorial(mod(i, 10)); end
end
% megha: fn small_choose() -> (s)
function s = small_choose()
  s = 0; for i = 1:1000, s = s + nchoosek(20, mod(i, 10)); end
end
% megha: fn small_factors() -> (s)
function s = small_factors()
  s = 0; for i = 1:1000, s = s + numel(factor(i + 1)); end
end
% megha: fn small_bits() -> (s)
function s = small_bits()
  s = 0; for i = 1:1000, s = s + bitand(i, 255) + bitxor(i, 3); end
end
% megha: fn small_switch() -> (s)
function s = small_switch()
  s = 0; for i = 1:1000, switch mod(i, 4), case 0, s = s + 1; case {1, 2}, s = s + 2; otherwise, s = s - 1; end, end
end
% megha: fn small_integral() -> (s)
function s = small_integral()
  s = 0; for i = 1:10, s = s + quad(@(t) t .^ 2 + i, 0, 1); end
end
% megha: fn small_zero() -> (s)
function s = small_zero()
  s = 0; for i = 1:10, s = s + fzero(@(t) t ^ 3 - i, [0, 10]); end
end
% megha: fn small_minimum() -> (s)
function s = small_minimum()
  s = 0; for i = 1:10, s = s + fminsearch(@(t) (t - i) ^ 2, 0); end
end
% megha: fn small_bracketed() -> (s)
function s = small_bracketed()
  s = 0; for i = 1:10, s = s + fminbnd(@(t) (t - i / 10) ^ 2, 0, 5); end
end
