% One-line functions for library.rs: `octave_times.m` times the same text in GNU Octave. Arguments are called what `octave_times.m` calls them.
% Vectors of a million elements.
% megha: fn sort_values(v: f64[n, 1]) -> (s)
function s = sort_values(v)
  s = sort(v);
end
% megha: fn sort_places(v: f64[n, 1]) -> (s, k)
function [s, k] = sort_places(v)
  [s, k] = sort(v);
end
% megha: fn sort_descending(v: f64[n, 1]) -> (s)
function s = sort_descending(v)
  s = sort(v, 'descend');
end
% megha: fn unique_values(w: f64[n, 1]) -> (s)
function s = unique_values(w)
  s = unique(w);
end
% megha: fn unique_places(w: f64[n, 1]) -> (s, i, j)
function [s, i, j] = unique_places(w)
  [s, i, j] = unique(w);
end
% megha: fn find_above(v: f64[n, 1]) -> (s)
function s = find_above(v)
  s = find(v > 0.5);
end
% megha: fn mask_above(v: f64[n, 1]) -> (s)
function s = mask_above(v)
  s = v(v > 0.5);
end
% megha: fn count_above(v: f64[n, 1]) -> (s)
function s = count_above(v)
  s = nnz(v > 0.5);
end
% megha: fn running_sum(v: f64[n, 1]) -> (s)
function s = running_sum(v)
  s = cumsum(v);
end
% megha: fn running_product(u: f64[n, 1]) -> (s)
function s = running_product(u)
  s = cumprod(u);
end
% megha: fn running_maximum(v: f64[n, 1]) -> (s)
function s = running_maximum(v)
  s = cummax(v);
end
% megha: fn median_vector(v: f64[n, 1]) -> (s)
function s = median_vector(v)
  s = median(v);
end
% megha: fn mode_vector(w: f64[n, 1]) -> (s)
function s = mode_vector(w)
  s = mode(w);
end
% megha: fn std_vector(v: f64[n, 1]) -> (s)
function s = std_vector(v)
  s = std(v);
end
% megha: fn mean_vector(v: f64[n, 1]) -> (s)
function s = mean_vector(v)
  s = mean(v);
end
% megha: fn sum_row(r: f64[1, n]) -> (s)
function s = sum_row(r)
  s = sum(r);
end
% megha: fn prod_vector(u: f64[n, 1]) -> (s)
function s = prod_vector(u)
  s = prod(u);
end
% megha: fn max_place(v: f64[n, 1]) -> (s, k)
function [s, k] = max_place(v)
  [s, k] = max(v);
end
% megha: fn min_place(v: f64[n, 1]) -> (s, k)
function [s, k] = min_place(v)
  [s, k] = min(v);
end
% megha: fn max_of_two(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = max_of_two(v, u)
  s = max(v, u);
end
% megha: fn any_above(v: f64[n, 1]) -> (s)
function s = any_above(v)
  s = any(v > 2);
end
% megha: fn all_below(v: f64[n, 1]) -> (s)
function s = all_below(v)
  s = all(v < 2);
end
% megha: fn differences(v: f64[n, 1]) -> (s)
function s = differences(v)
  s = diff(v);
end
% megha: fn flipped(v: f64[n, 1]) -> (s)
function s = flipped(v)
  s = flipud(v);
end
% megha: fn shifted(v: f64[n, 1]) -> (s)
function s = shifted(v)
  s = circshift(v, 17);
end
% megha: fn filter_fir(v: f64[n, 1]) -> (s)
function s = filter_fir(v)
  s = filter([1 2 3 2 1] / 9, 1, v);
end
% megha: fn filter_iir(v: f64[n, 1]) -> (s)
function s = filter_iir(v)
  s = filter([0.1 0.2], [1 -0.7 0.1], v);
end
% megha: fn convolution(v: f64[n, 1], c: f64[c, 1]) -> (s)
function s = convolution(v, c)
  s = conv(v, c);
end
% megha: fn interpolation(v: f64[n, 1]) -> (s)
function s = interpolation(v)
  s = interp1((0:0.001:1)', sin(0:0.001:1)', v);
end
% megha: fn histogram(v: f64[n, 1]) -> (s)
function s = histogram(v)
  s = histc(v, 0:0.01:1);
end
% megha: fn accumulate_ones(w: f64[n, 1]) -> (s)
function s = accumulate_ones(w)
  s = accumarray(w, 1);
end
% megha: fn accumulate(w: f64[n, 1], v: f64[n, 1]) -> (s)
function s = accumulate(w, v)
  s = accumarray(w, v);
end
% megha: fn membership(w: f64[n, 1]) -> (s)
function s = membership(w)
  s = ismember(w, 3:7:900);
end
% megha: fn trapezoids(v: f64[n, 1]) -> (s)
function s = trapezoids(v)
  s = trapz(v);
end
% megha: fn running_trapezoids(v: f64[n, 1]) -> (s)
function s = running_trapezoids(v)
  s = cumtrapz(v);
end
% megha: fn normal_numbers() -> (s)
function s = normal_numbers()
  s = randn(1000000, 1);
end
% megha: fn uniform_numbers() -> (s)
function s = uniform_numbers()
  s = rand(1000000, 1);
end
% megha: fn whole_numbers() -> (s)
function s = whole_numbers()
  s = randi(100, 1000000, 1);
end
% megha: fn permutation() -> (s)
function s = permutation()
  s = randperm(100000);
end
% megha: fn remainders(v: f64[n, 1]) -> (s)
function s = remainders(v)
  s = mod(v * 100, 7);
end
% megha: fn floors(v: f64[n, 1]) -> (s)
function s = floors(v)
  s = floor(v * 100);
end
% megha: fn norm_vector(v: f64[n, 1]) -> (s)
function s = norm_vector(v)
  s = norm(v);
end
% megha: fn inner_product(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = inner_product(v, u)
  s = dot(v, u);
end
% megha: fn polynomial(v: f64[n, 1]) -> (s)
function s = polynomial(v)
  s = polyval([1 2 3 4 5], v);
end
% megha: fn every_other(v: f64[n, 1]) -> (s)
function s = every_other(v)
  s = v(1:2:end) + 1;
end
% megha: fn softplus(v: f64[n, 1]) -> (s)
function s = softplus(v)
  s = log(1 + exp(-v));
end
% megha: fn powers(v: f64[n, 1]) -> (s)
function s = powers(v)
  s = v .^ 1.7;
end
% megha: fn squares(v: f64[n, 1]) -> (s)
function s = squares(v)
  s = v .^ 2;
end
% megha: fn trigonometry(v: f64[n, 1]) -> (s)
function s = trigonometry(v)
  s = sin(v) .* cos(v) + tan(v) + atan2(v, 1 - v);
end
% megha: fn gamma_function(v: f64[n, 1]) -> (s)
function s = gamma_function(v)
  s = gamma(v + 1);
end
% megha: fn line() -> (s)
function s = line()
  s = linspace(0, 1, 1000000);
end
% megha: fn spectrum(f: f64[f, 1]) -> (s)
function s = spectrum(f)
  s = abs(fft(f));
end
% Matrices of order 200 to 500.
% megha: fn spectrum_matrix(A: f64[m, m]) -> (s)
function s = spectrum_matrix(A)
  s = abs(fft2(A));
end
% megha: fn product_square(A: f64[m, m]) -> (s)
function s = product_square(A)
  s = A * A;
end
% megha: fn product_vector(A: f64[m, m], b: f64[m, 1]) -> (s)
function s = product_vector(A, b)
  s = A * b;
end
% megha: fn product_transposed(A: f64[m, m]) -> (s)
function s = product_transposed(A)
  s = A' * A;
end
% megha: fn product_transposed_vector(A: f64[m, m], b: f64[m, 1]) -> (s)
function s = product_transposed_vector(A, b)
  s = A' * b;
end
% megha: fn outer_product(b: f64[m, 1]) -> (s)
function s = outer_product(b)
  s = b * b';
end
% megha: fn transposed(A: f64[m, m]) -> (s)
function s = transposed(A)
  s = A';
end
% megha: fn repeated(B: f64[p, p]) -> (s)
function s = repeated(B)
  s = repmat(B, 4, 4);
end
% megha: fn kronecker(K: f64[e, e]) -> (s)
function s = kronecker(K)
  s = kron(K, K);
end
% megha: fn sum_rows(A: f64[m, m]) -> (s)
function s = sum_rows(A)
  s = sum(A, 2);
end
% megha: fn sum_columns(A: f64[m, m]) -> (s)
function s = sum_columns(A)
  s = sum(A);
end
% megha: fn mean_rows(A: f64[m, m]) -> (s)
function s = mean_rows(A)
  s = mean(A, 2);
end
% megha: fn max_columns(A: f64[m, m]) -> (s, k)
function [s, k] = max_columns(A)
  [s, k] = max(A);
end
% megha: fn max_rows(A: f64[m, m]) -> (s)
function s = max_rows(A)
  s = max(A, [], 2);
end
% megha: fn sort_columns(A: f64[m, m]) -> (s)
function s = sort_columns(A)
  s = sort(A);
end
% megha: fn sort_rows(A: f64[m, m]) -> (s)
function s = sort_rows(A)
  s = sort(A, 2);
end
% megha: fn sum_running_rows(A: f64[m, m]) -> (s)
function s = sum_running_rows(A)
  s = cumsum(A, 2);
end
% megha: fn sum_running_columns(A: f64[m, m]) -> (s)
function s = sum_running_columns(A)
  s = cumsum(A);
end
% megha: fn differences_rows(A: f64[m, m]) -> (s)
function s = differences_rows(A)
  s = diff(A, 1, 2);
end
% megha: fn median_columns(A: f64[m, m]) -> (s)
function s = median_columns(A)
  s = median(A);
end
% megha: fn variance_columns(A: f64[m, m]) -> (s)
function s = variance_columns(A)
  s = var(A);
end
% megha: fn std_rows(A: f64[m, m]) -> (s)
function s = std_rows(A)
  s = std(A, 0, 2);
end
% megha: fn any_columns(A: f64[m, m]) -> (s)
function s = any_columns(A)
  s = any(A > 30);
end
% megha: fn gather_rows(A: f64[m, m], g: f64[g, 1]) -> (s)
function s = gather_rows(A, g)
  s = A(g, :);
end
% megha: fn gather_columns(A: f64[m, m], g: f64[g, 1]) -> (s)
function s = gather_columns(A, g)
  s = A(:, g);
end
% megha: fn upper_triangle(A: f64[m, m]) -> (s)
function s = upper_triangle(A)
  s = triu(A);
end
% megha: fn lower_triangle(A: f64[m, m]) -> (s)
function s = lower_triangle(A)
  s = tril(A, -1);
end
% megha: fn permuted(B: f64[p, p]) -> (s)
function s = permuted(B)
  s = permute(reshape(B, 20, [], 100), [3 1 2]);
end
% megha: fn shifted_rows(A: f64[m, m]) -> (s)
function s = shifted_rows(A)
  s = circshift(A, [3, 5]);
end
% megha: fn turned(A: f64[m, m]) -> (s)
function s = turned(A)
  s = rot90(A);
end
% megha: fn convolution_matrix(A: f64[m, m], k5: f64[5, 5]) -> (s)
function s = convolution_matrix(A, k5)
  s = conv2(A, k5, 'same');
end
% megha: fn grid() -> (s)
function s = grid()
  [x, y] = meshgrid(1:1000, 1:800); s = x + y;
end
% megha: fn grid_matrices() -> (x, y)
function [x, y] = grid_matrices()
  [x, y] = ndgrid(1:500, 1:400);
end
% megha: fn identity_matrix(A: f64[m, m]) -> (s)
function s = identity_matrix(A)
  s = A + eye(size(A, 1));
end
% megha: fn without_row(A: f64[m, m], b: f64[m, 1]) -> (s)
function s = without_row(A, b)
  s = A - b';
end
% megha: fn bsx_function(A: f64[m, m], b: f64[m, 1]) -> (s)
function s = bsx_function(A, b)
  s = bsxfun(@times, A, b);
end
% megha: fn vandermonde(b: f64[m, 1]) -> (s)
function s = vandermonde(b)
  s = vander(b(1:200));
end
% megha: fn covariance(A: f64[m, m]) -> (s)
function s = covariance(A)
  s = cov(A);
end
% megha: fn cross_rows(H: f64[h, 3], G: f64[h, 3]) -> (s)
function s = cross_rows(H, G)
  s = cross(H, G);
end
% megha: fn norm_frobenius(A: f64[m, m]) -> (s)
function s = norm_frobenius(A)
  s = norm(A, 'fro');
end
% megha: fn stacked(A: f64[m, m]) -> (s)
function s = stacked(A)
  s = [A; A];
end
% megha: fn beside(A: f64[m, m]) -> (s)
function s = beside(A)
  s = [A, A];
end
% megha: fn tall(A: f64[m, m]) -> (s)
function s = tall(A)
  s = A(:) + 1;
end
% megha: fn primes_below() -> (s)
function s = primes_below()
  s = primes(1000000);
end
% megha: fn prime_numbers() -> (s)
function s = prime_numbers()
  s = isprime(1:20000);
end
% megha: fn bilinear(B: f64[p, p]) -> (s)
function s = bilinear(B)
  s = interp2(B, 10 + 100 * B, 20 + 90 * B);
end
% Small arrays, one call after the other.
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
