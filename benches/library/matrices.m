% Functions of matrices of order 40 to 500, for library.rs, as in vectors.m.
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
% megha: fn solution(A: f64[m, m], b: f64[m, 1]) -> (s)
function s = solution(A, b)
  s = A \ b;
end
% megha: fn solution_matrix(A: f64[m, m], B: f64[p, p]) -> (s)
function s = solution_matrix(A, B)
  s = A(1:200, 1:200) \ B;
end
% megha: fn solution_right(A: f64[m, m], b: f64[m, 1]) -> (s)
function s = solution_right(A, b)
  s = b' / A;
end
% megha: fn determinant(A: f64[m, m]) -> (s)
function s = determinant(A)
  s = det(A);
end
% megha: fn inverse_of(A: f64[m, m]) -> (s)
function s = inverse_of(A)
  s = inv(A);
end
% megha: fn factors_lower_upper(A: f64[m, m]) -> (L, U, P)
function [L, U, P] = factors_lower_upper(A)
  [L, U, P] = lu(A);
end
% megha: fn factor_cholesky(A: f64[m, m]) -> (s)
function s = factor_cholesky(A)
  s = chol(A * A' + eye(size(A, 1)));
end
% megha: fn factors_orthogonal(B: f64[p, p]) -> (Q, R)
function [Q, R] = factors_orthogonal(B)
  [Q, R] = qr(B);
end
% megha: fn singular_values_only(B: f64[p, p]) -> (s)
function s = singular_values_only(B)
  s = svd(B);
end
% megha: fn singular_vectors(B: f64[p, p]) -> (U, D, V)
function [U, D, V] = singular_vectors(B)
  [U, D, V] = svd(B);
end
% megha: fn eigenvalues_symmetric(B: f64[p, p]) -> (s)
function s = eigenvalues_symmetric(B)
  s = eig(B + B');
end
% megha: fn eigenvectors_symmetric(B: f64[p, p]) -> (V, D)
function [V, D] = eigenvectors_symmetric(B)
  [V, D] = eig(B + B');
end
% megha: fn eigenvalues_general(K: f64[e, e]) -> (s)
function s = eigenvalues_general(K)
  s = abs(eig(complex(K)));
end
% megha: fn least_squares(B: f64[p, p], b: f64[m, 1]) -> (s)
function s = least_squares(B, b)
  s = B(:, 1:50) \ b(1:200);
end
% megha: fn pseudo_inverse(K: f64[e, e]) -> (s)
function s = pseudo_inverse(K)
  s = pinv(K);
end
% megha: fn rank_of(B: f64[p, p]) -> (s)
function s = rank_of(B)
  s = rank(B);
end
% megha: fn null_space(K: f64[e, e]) -> (s)
function s = null_space(K)
  s = null(K(1:20, :));
end
% megha: fn orthonormal_basis(K: f64[e, e]) -> (s)
function s = orthonormal_basis(K)
  s = orth(K);
end
% megha: fn condition(B: f64[p, p]) -> (s)
function s = condition(B)
  s = cond(B);
end
% megha: fn exponential_matrix(K: f64[e, e]) -> (s)
function s = exponential_matrix(K)
  s = expm(K / 10);
end
% megha: fn square_root_matrix(S: f64[3, 3]) -> (s)
function s = square_root_matrix(S)
  s = sqrtm(S * S');
end
% megha: fn matrix_power(B: f64[p, p]) -> (s)
function s = matrix_power(B)
  s = (B / 100) ^ 5;
end
% megha: fn norm_spectral(B: f64[p, p]) -> (s)
function s = norm_spectral(B)
  s = norm(B);
end
% megha: fn norm_columns(A: f64[m, m]) -> (s)
function s = norm_columns(A)
  s = norm(A, 1);
end
% megha: fn norm_rows(A: f64[m, m]) -> (s)
function s = norm_rows(A)
  s = norm(A, Inf);
end
% megha: fn trace_of(A: f64[m, m]) -> (s)
function s = trace_of(A)
  s = trace(A);
end
% megha: fn diagonal_of(A: f64[m, m]) -> (s)
function s = diagonal_of(A)
  s = diag(A);
end
% megha: fn diagonal_matrix(b: f64[m, 1]) -> (s)
function s = diagonal_matrix(b)
  s = diag(b) + 1;
end
% megha: fn quadratic_form(A: f64[m, m], b: f64[m, 1]) -> (s)
function s = quadratic_form(A, b)
  s = b' * A * b;
end
% megha: fn row_times_matrix(A: f64[m, m], b: f64[m, 1]) -> (s)
function s = row_times_matrix(A, b)
  s = b' * A;
end
% megha: fn product_three(B: f64[p, p]) -> (s)
function s = product_three(B)
  s = B * B * B;
end
% megha: fn product_rectangular(A: f64[m, m]) -> (s)
function s = product_rectangular(A)
  s = A(:, 1:50)' * A;
end
% megha: fn product_by_transposed(A: f64[m, m]) -> (s)
function s = product_by_transposed(A)
  s = A * A';
end
% megha: fn product_sum(A: f64[m, m]) -> (s)
function s = product_sum(A)
  s = A * A' + A;
end
% megha: fn max_rows_places(A: f64[m, m]) -> (s, k)
function [s, k] = max_rows_places(A)
  [s, k] = max(A, [], 2);
end
% megha: fn min_columns(A: f64[m, m]) -> (s)
function s = min_columns(A)
  s = min(A);
end
% megha: fn max_all(A: f64[m, m]) -> (s)
function s = max_all(A)
  s = max(A(:));
end
% megha: fn sum_all(A: f64[m, m]) -> (s)
function s = sum_all(A)
  s = sum(A(:));
end
% megha: fn mean_all(A: f64[m, m]) -> (s)
function s = mean_all(A)
  s = mean(A(:));
end
% megha: fn mean_columns(A: f64[m, m]) -> (s)
function s = mean_columns(A)
  s = mean(A);
end
% megha: fn median_rows(A: f64[m, m]) -> (s)
function s = median_rows(A)
  s = median(A, 2);
end
% megha: fn std_columns(A: f64[m, m]) -> (s)
function s = std_columns(A)
  s = std(A);
end
% megha: fn variance_rows(A: f64[m, m]) -> (s)
function s = variance_rows(A)
  s = var(A, 0, 2);
end
% megha: fn mode_columns(A: f64[m, m]) -> (s)
function s = mode_columns(A)
  s = mode(floor(A * 10));
end
% megha: fn any_rows(A: f64[m, m]) -> (s)
function s = any_rows(A)
  s = any(A > 30, 2);
end
% megha: fn all_columns(A: f64[m, m]) -> (s)
function s = all_columns(A)
  s = all(A > -1);
end
% megha: fn all_rows(A: f64[m, m]) -> (s)
function s = all_rows(A)
  s = all(A > -1, 2);
end
% megha: fn products_columns(A: f64[m, m]) -> (s)
function s = products_columns(A)
  s = prod(1 + A / 1000);
end
% megha: fn products_running_rows(A: f64[m, m]) -> (s)
function s = products_running_rows(A)
  s = cumprod(1 + A / 1000, 2);
end
% megha: fn products_running_columns(A: f64[m, m]) -> (s)
function s = products_running_columns(A)
  s = cumprod(1 + A / 1000);
end
% megha: fn maxima_running_rows(A: f64[m, m]) -> (s)
function s = maxima_running_rows(A)
  s = cummax(A, 2);
end
% megha: fn maxima_running_columns(A: f64[m, m]) -> (s)
function s = maxima_running_columns(A)
  s = cummax(A);
end
% megha: fn differences_columns(A: f64[m, m]) -> (s)
function s = differences_columns(A)
  s = diff(A);
end
% megha: fn find_in_matrix(A: f64[m, m]) -> (i, j)
function [i, j] = find_in_matrix(A)
  [i, j] = find(A > 0.5);
end
% megha: fn find_with_values(A: f64[m, m]) -> (i, j, s)
function [i, j, s] = find_with_values(A)
  [i, j, s] = find(A > 0.9);
end
% megha: fn masked_matrix(A: f64[m, m]) -> (s)
function s = masked_matrix(A)
  s = A; s(A > 0.5) = 0;
end
% megha: fn mask_of_matrix(A: f64[m, m]) -> (s)
function s = mask_of_matrix(A)
  s = A(A > 0.5);
end
% megha: fn normalised_columns(A: f64[m, m]) -> (s)
function s = normalised_columns(A)
  s = bsxfun(@rdivide, A, sum(A));
end
% megha: fn centred_columns(A: f64[m, m]) -> (s)
function s = centred_columns(A)
  s = A - mean(A);
end
% megha: fn scaled_columns(A: f64[m, m]) -> (s)
function s = scaled_columns(A)
  s = (A - mean(A)) ./ std(A);
end
% megha: fn bsx_plus(A: f64[m, m], b: f64[m, 1]) -> (s)
function s = bsx_plus(A, b)
  s = bsxfun(@plus, A, b');
end
% megha: fn bsx_maximum(A: f64[m, m], b: f64[m, 1]) -> (s)
function s = bsx_maximum(A, b)
  s = bsxfun(@max, A, b);
end
% megha: fn repeated_row(b: f64[m, 1]) -> (s)
function s = repeated_row(b)
  s = repmat(b', 500, 1);
end
% megha: fn repeated_column(b: f64[m, 1]) -> (s)
function s = repeated_column(b)
  s = repmat(b, 1, 500);
end
% megha: fn reshaped(A: f64[m, m]) -> (s)
function s = reshaped(A)
  s = reshape(A, 250, []) + 1;
end
% megha: fn permuted_pages(A: f64[m, m]) -> (s)
function s = permuted_pages(A)
  s = permute(reshape(A, 50, 10, []), [3 1 2]);
end
% megha: fn sum_of_pages(A: f64[m, m]) -> (s)
function s = sum_of_pages(A)
  s = sum(reshape(A, 50, 10, []), 3);
end
% megha: fn flipped_columns(A: f64[m, m]) -> (s)
function s = flipped_columns(A)
  s = fliplr(A);
end
% megha: fn flipped_rows(A: f64[m, m]) -> (s)
function s = flipped_rows(A)
  s = flipud(A);
end
% megha: fn turned_round(A: f64[m, m]) -> (s)
function s = turned_round(A)
  s = rot90(A, 2);
end
% megha: fn block(A: f64[m, m]) -> (s)
function s = block(A)
  s = A(100:400, 50:450);
end
% megha: fn block_stored(A: f64[m, m]) -> (s)
function s = block_stored(A)
  s = A; s(100:300, 100:300) = 0;
end
% megha: fn interior(A: f64[m, m]) -> (s)
function s = interior(A)
  s = A; s(2:end-1, 2:end-1) = (A(1:end-2, 2:end-1) + A(3:end, 2:end-1) + A(2:end-1, 1:end-2) + A(2:end-1, 3:end)) / 4;
end
% megha: fn row_deleted(A: f64[m, m]) -> (s)
function s = row_deleted(A)
  s = A; s(7, :) = [];
end
% megha: fn columns_deleted(A: f64[m, m]) -> (s)
function s = columns_deleted(A)
  s = A; s(:, 1:2:end) = [];
end
% megha: fn columns_swapped(A: f64[m, m]) -> (s)
function s = columns_swapped(A)
  s = A; s(:, [1 2]) = s(:, [2 1]);
end
% megha: fn rows_sorted(A: f64[m, m]) -> (s)
function s = rows_sorted(A)
  s = sortrows(A, 3);
end
% megha: fn columns_sorted_places(A: f64[m, m]) -> (s, k)
function [s, k] = columns_sorted_places(A)
  [s, k] = sort(A);
end
% megha: fn gather_both(A: f64[m, m], g: f64[g, 1]) -> (s)
function s = gather_both(A, g)
  s = A(g, g);
end
% megha: fn linear_subscripts(A: f64[m, m], g: f64[g, 1]) -> (s)
function s = linear_subscripts(A, g)
  s = A(sub2ind(size(A), g, g));
end
% megha: fn subscripts_of(g: f64[g, 1]) -> (i, j)
function [i, j] = subscripts_of(g)
  [i, j] = ind2sub([50, 10], g);
end
% megha: fn kronecker_identity(K: f64[e, e]) -> (s)
function s = kronecker_identity(K)
  s = kron(eye(10), K);
end
% megha: fn block_diagonal(K: f64[e, e]) -> (s)
function s = block_diagonal(K)
  s = blkdiag(K, K, K);
end
% megha: fn toeplitz_matrix(b: f64[m, 1]) -> (s)
function s = toeplitz_matrix(b)
  s = toeplitz(b);
end
% megha: fn hankel_matrix(b: f64[m, 1]) -> (s)
function s = hankel_matrix(b)
  s = hankel(b);
end
% megha: fn hilbert_matrix() -> (s)
function s = hilbert_matrix()
  s = hilb(300);
end
% megha: fn magic_square() -> (s)
function s = magic_square()
  s = magic(300);
end
% megha: fn laplacian(A: f64[m, m]) -> (s)
function s = laplacian(A)
  s = 4 * A - circshift(A, 1) - circshift(A, -1) - circshift(A, [0 1]) - circshift(A, [0 -1]);
end
% megha: fn padded(A: f64[m, m]) -> (s)
function s = padded(A)
  s = zeros(size(A) + 2); s(2:end-1, 2:end-1) = A;
end
% megha: fn filtered_matrix(A: f64[m, m]) -> (s)
function s = filtered_matrix(A)
  s = filter([1 2 1] / 4, 1, A);
end
% megha: fn filtered_image(A: f64[m, m]) -> (s)
function s = filtered_image(A)
  s = filter2(ones(3) / 9, A);
end
% megha: fn convolution_full(A: f64[m, m], k5: f64[5, 5]) -> (s)
function s = convolution_full(A, k5)
  s = conv2(A, k5);
end
% megha: fn convolution_valid(A: f64[m, m], k5: f64[5, 5]) -> (s)
function s = convolution_valid(A, k5)
  s = conv2(A, k5, 'valid');
end
% megha: fn gradient_matrix(B: f64[p, p]) -> (x, y)
function [x, y] = gradient_matrix(B)
  [x, y] = gradient(B);
end
% megha: fn spectrum_columns(A: f64[m, m]) -> (s)
function s = spectrum_columns(A)
  s = abs(fft(A));
end
% megha: fn spectrum_rows(A: f64[m, m]) -> (s)
function s = spectrum_rows(A)
  s = abs(fft(A, [], 2));
end
% megha: fn filtered_spectrum(B: f64[p, p]) -> (s)
function s = filtered_spectrum(B)
  s = real(ifft2(fft2(B) .* 0.5));
end
% megha: fn trapezoids_columns(A: f64[m, m]) -> (s)
function s = trapezoids_columns(A)
  s = trapz(A);
end
% megha: fn running_trapezoids_columns(A: f64[m, m]) -> (s)
function s = running_trapezoids_columns(A)
  s = cumtrapz(A);
end
% megha: fn interpolation_columns(B: f64[p, p]) -> (s)
function s = interpolation_columns(B)
  s = interp1((1:200)', B, (1.5:1:199.5)');
end
% megha: fn quantiles_columns(A: f64[m, m]) -> (s)
function s = quantiles_columns(A)
  s = quantile(A, [0.25 0.75]);
end
% megha: fn correlation_columns(B: f64[p, p]) -> (s)
function s = correlation_columns(B)
  s = corrcoef(B);
end
% megha: fn pairwise(H: f64[h, 3]) -> (s)
function s = pairwise(H)
  q = H(1:400, :); s = sqrt(max(sumsq(q, 2) + sumsq(q, 2)' - 2 * (q * q'), 0));
end
% megha: fn unique_of_matrix(A: f64[m, m]) -> (s)
function s = unique_of_matrix(A)
  s = unique(floor(A * 100));
end
% megha: fn counts_by_place(A: f64[m, m]) -> (s)
function s = counts_by_place(A)
  s = histc(A, 0:0.1:1);
end
% megha: fn mean_of_squares_rows(A: f64[m, m]) -> (s)
function s = mean_of_squares_rows(A)
  s = mean(A .^ 2, 2);
end
% megha: fn dots_of_columns(A: f64[m, m], B: f64[p, p]) -> (s)
function s = dots_of_columns(A, B)
  s = dot(A(1:200, 1:200), B);
end
% megha: fn symmetric_check(A: f64[m, m]) -> (s)
function s = symmetric_check(A)
  s = issymmetric(A);
end
% megha: fn minors(B: f64[p, p]) -> (s)
function s = minors(B)
  s = det(B(1:50, 1:50)) + trace(inv(B(1:50, 1:50) + eye(50)));
end
% megha: fn zeros_and_ones() -> (s)
function s = zeros_and_ones()
  s = zeros(500) + ones(500) * 2;
end
% megha: fn logical_matrix(A: f64[m, m]) -> (s)
function s = logical_matrix(A)
  s = double(A > 0.5 & A < 0.9);
end
% megha: fn counted_rows(A: f64[m, m]) -> (s)
function s = counted_rows(A)
  s = sum(A > 0.5, 2);
end
% megha: fn upper_sum(A: f64[m, m]) -> (s)
function s = upper_sum(A)
  s = sum(sum(triu(A, 1)));
end
% megha: fn cumulated_share(A: f64[m, m]) -> (s)
function s = cumulated_share(A)
  s = cumsum(A) ./ sum(A);
end
% megha: fn roots_of(x: f64[1, q]) -> (s)
function s = roots_of(x)
  s = abs(roots(x));
end
% megha: fn polynomial_from_roots(x: f64[1, q]) -> (s)
function s = polynomial_from_roots(x)
  s = poly(x);
end
% megha: fn characteristic(S: f64[3, 3]) -> (s)
function s = characteristic(S)
  s = poly(S);
end
