% Functions of vectors of a million elements and of matrices with three columns, for library.rs.
% `octave_times.m` times the same text in GNU Octave; arguments are called what it calls them.
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
% megha: fn sort_rows_places(H: f64[h, 3]) -> (s, k)
function [s, k] = sort_rows_places(H)
  [s, k] = sortrows(H);
end
% megha: fn running_minimum(v: f64[n, 1]) -> (s)
function s = running_minimum(v)
  s = cummin(v);
end
% megha: fn running_maximum_places(v: f64[n, 1]) -> (s, k)
function [s, k] = running_maximum_places(v)
  [s, k] = cummax(v);
end
% megha: fn variance_vector(v: f64[n, 1]) -> (s)
function s = variance_vector(v)
  s = var(v);
end
% megha: fn quantiles(v: f64[n, 1]) -> (s)
function s = quantiles(v)
  s = quantile(v, [0.1 0.5 0.9]);
end
% megha: fn extremes_of_range(v: f64[n, 1]) -> (s)
function s = extremes_of_range(v)
  s = range(v);
end
% megha: fn sum_of_squares(v: f64[n, 1]) -> (s)
function s = sum_of_squares(v)
  s = sumsq(v);
end
% megha: fn mean_of_squares(v: f64[n, 1]) -> (s)
function s = mean_of_squares(v)
  s = meansq(v);
end
% megha: fn find_first(v: f64[n, 1]) -> (s)
function s = find_first(v)
  s = find(v > 0.9999, 1);
end
% megha: fn find_last(v: f64[n, 1]) -> (s)
function s = find_last(v)
  s = find(v > 0.5, 10, 'last');
end
% megha: fn any_vector(v: f64[n, 1]) -> (s)
function s = any_vector(v)
  s = any(v > 0.99999);
end
% megha: fn masked_store(v: f64[n, 1]) -> (s)
function s = masked_store(v)
  s = v; s(s > 0.5) = 0;
end
% megha: fn masked_sum(v: f64[n, 1]) -> (s)
function s = masked_sum(v)
  s = sum(v(v > 0.5));
end
% megha: fn selected(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = selected(v, u)
  s = v; k = v > 0.5; s(k) = u(k);
end
% megha: fn deleted(v: f64[n, 1]) -> (s)
function s = deleted(v)
  s = v; s(s > 0.5) = [];
end
% megha: fn conditional(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = conditional(v, u)
  s = (v > 0.5) .* v + (v <= 0.5) .* u;
end
% megha: fn reciprocal_roots(v: f64[n, 1]) -> (s)
function s = reciprocal_roots(v)
  s = 1 ./ sqrt(v + 1);
end
% megha: fn truncations(v: f64[n, 1]) -> (s)
function s = truncations(v)
  s = fix(v * 100) + round(v * 10) + ceil(v);
end
% megha: fn whole_remainders(w: f64[n, 1]) -> (s)
function s = whole_remainders(w)
  s = rem(w, 7);
end
% megha: fn whole_modulus(w: f64[n, 1]) -> (s)
function s = whole_modulus(w)
  s = mod(w, 7);
end
% megha: fn exponentials(v: f64[n, 1]) -> (s)
function s = exponentials(v)
  s = exp(v);
end
% megha: fn logarithms(v: f64[n, 1]) -> (s)
function s = logarithms(v)
  s = log(v + 1);
end
% megha: fn decimal_logarithms(v: f64[n, 1]) -> (s)
function s = decimal_logarithms(v)
  s = log10(v + 1);
end
% megha: fn binary_logarithms(v: f64[n, 1]) -> (s)
function s = binary_logarithms(v)
  s = log2(v + 1);
end
% megha: fn sines(v: f64[n, 1]) -> (s)
function s = sines(v)
  s = sin(v);
end
% megha: fn tangents(v: f64[n, 1]) -> (s)
function s = tangents(v)
  s = tan(v);
end
% megha: fn hyperbolic(v: f64[n, 1]) -> (s)
function s = hyperbolic(v)
  s = tanh(v) + sinh(v);
end
% megha: fn arcs(v: f64[n, 1]) -> (s)
function s = arcs(v)
  s = asin(v) + acos(v) + atan(v);
end
% megha: fn hypotenuses(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = hypotenuses(v, u)
  s = hypot(v, u);
end
% megha: fn error_function(v: f64[n, 1]) -> (s)
function s = error_function(v)
  s = erf(v);
end
% megha: fn cubes(v: f64[n, 1]) -> (s)
function s = cubes(v)
  s = v .^ 3;
end
% megha: fn power_of_two(v: f64[n, 1]) -> (s)
function s = power_of_two(v)
  s = 2 .^ v;
end
% megha: fn signs(v: f64[n, 1]) -> (s)
function s = signs(v)
  s = sign(v - 0.5);
end
% megha: fn absolute(v: f64[n, 1]) -> (s)
function s = absolute(v)
  s = abs(v - 0.5);
end
% megha: fn normalised(v: f64[n, 1]) -> (s)
function s = normalised(v)
  s = (v - mean(v)) / std(v);
end
% megha: fn clipped(v: f64[n, 1]) -> (s)
function s = clipped(v)
  s = min(max(v, 0.2), 0.8);
end
% megha: fn reversed(v: f64[n, 1]) -> (s)
function s = reversed(v)
  s = v(end:-1:1);
end
% megha: fn doubled(v: f64[n, 1]) -> (s)
function s = doubled(v)
  s = [v; v];
end
% megha: fn enlarged(v: f64[n, 1]) -> (s)
function s = enlarged(v)
  s = [0; v; 0];
end
% megha: fn second_differences(v: f64[n, 1]) -> (s)
function s = second_differences(v)
  s = diff(v, 2);
end
% megha: fn gradients(v: f64[n, 1]) -> (s)
function s = gradients(v)
  s = gradient(v);
end
% megha: fn correlation(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = correlation(v, u)
  s = corr(v, u);
end
% megha: fn correlation_matrix(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = correlation_matrix(v, u)
  s = corrcoef(v, u);
end
% megha: fn covariance_vectors(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = covariance_vectors(v, u)
  s = cov(v, u);
end
% megha: fn histogram_bins(v: f64[n, 1]) -> (s)
function s = histogram_bins(v)
  s = hist(v, 20);
end
% megha: fn histogram_places(v: f64[n, 1]) -> (s, k)
function [s, k] = histogram_places(v)
  [s, k] = histc(v, 0:0.1:1);
end
% megha: fn accumulate_maxima(w: f64[n, 1], v: f64[n, 1]) -> (s)
function s = accumulate_maxima(w, v)
  s = accumarray(w, v, [], @max);
end
% megha: fn accumulate_means(w: f64[n, 1], v: f64[n, 1]) -> (s)
function s = accumulate_means(w, v)
  s = accumarray(w, v, [], @mean);
end
% megha: fn accumulate_sized(w: f64[n, 1], v: f64[n, 1]) -> (s)
function s = accumulate_sized(w, v)
  s = accumarray(w, v, [2000, 1]);
end
% megha: fn membership_places(w: f64[n, 1]) -> (s, k)
function [s, k] = membership_places(w)
  [s, k] = ismember(w, 3:7:900);
end
% megha: fn looked_up(v: f64[n, 1]) -> (s)
function s = looked_up(v)
  s = lookup(0:0.01:1, v);
end
% megha: fn set_difference(w: f64[n, 1]) -> (s)
function s = set_difference(w)
  s = setdiff(w, 3:7:900);
end
% megha: fn set_union(w: f64[n, 1]) -> (s)
function s = set_union(w)
  s = union(w, 3:7:900);
end
% megha: fn set_intersection(w: f64[n, 1]) -> (s)
function s = set_intersection(w)
  s = intersect(w, 3:7:2000);
end
% megha: fn interpolation_nearest(v: f64[n, 1]) -> (s)
function s = interpolation_nearest(v)
  s = interp1((0:0.001:1)', sin(0:0.001:1)', v, 'nearest');
end
% megha: fn interpolation_cubic(v: f64[n, 1]) -> (s)
function s = interpolation_cubic(v)
  s = interp1((0:0.001:1)', sin(0:0.001:1)', v, 'spline');
end
% megha: fn interpolation_even(f: f64[f, 1]) -> (s)
function s = interpolation_even(f)
  s = interp1((1:numel(f))', f, (1.5:2:numel(f) - 1)');
end
% megha: fn fitted(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = fitted(v, u)
  s = polyfit(v, u, 3);
end
% megha: fn products_of_polynomials(c: f64[c, 1]) -> (s)
function s = products_of_polynomials(c)
  s = conv(c, c);
end
% megha: fn smoothed(v: f64[n, 1]) -> (s)
function s = smoothed(v)
  s = filter(ones(10, 1) / 10, 1, v);
end
% megha: fn trapezoids_at(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = trapezoids_at(v, u)
  s = trapz(u, v);
end
% megha: fn integers_from(v: f64[n, 1]) -> (s)
function s = integers_from(v)
  s = double(int32(v * 1000));
end
% megha: fn bytes_from(v: f64[n, 1]) -> (s)
function s = bytes_from(v)
  s = uint8(v * 255);
end
% megha: fn single_sum(v: f64[n, 1]) -> (s)
function s = single_sum(v)
  s = double(sum(single(v)));
end
% megha: fn whole_powers(w: f64[n, 1]) -> (s)
function s = whole_powers(w)
  s = bitand(w, 12) + bitshift(w, 2);
end
% megha: fn range_of_numbers() -> (s)
function s = range_of_numbers()
  s = sum((1:1000000) .^ 2);
end
% megha: fn evenly_spaced() -> (s)
function s = evenly_spaced()
  s = logspace(0, 3, 100000);
end
% megha: fn permuted_vector(v: f64[n, 1]) -> (s)
function s = permuted_vector(v)
  s = v(randperm(numel(v)));
end
% megha: fn gather_vector(v: f64[n, 1], w: f64[n, 1]) -> (s)
function s = gather_vector(v, w)
  s = v(w);
end
% megha: fn scatter_vector(v: f64[n, 1], w: f64[n, 1]) -> (s)
function s = scatter_vector(v, w)
  s = zeros(2000, 1); s(w) = v;
end
% megha: fn alternating(v: f64[n, 1]) -> (s)
function s = alternating(v)
  s = v; s(1:2:end) = -s(1:2:end);
end
% megha: fn nan_mean(v: f64[n, 1]) -> (s)
function s = nan_mean(v)
  k = isnan(v); s = sum(v(~k)) / sum(~k);
end
% megha: fn distances(H: f64[h, 3], G: f64[h, 3]) -> (s)
function s = distances(H, G)
  s = sqrt(sum((H - G) .^ 2, 2));
end
% megha: fn lengths(H: f64[h, 3]) -> (s)
function s = lengths(H)
  s = sqrt(sum(H .^ 2, 2));
end
% megha: fn mean_of_columns(H: f64[h, 3]) -> (s)
function s = mean_of_columns(H)
  s = mean(H);
end
% megha: fn dots_of_rows(H: f64[h, 3], G: f64[h, 3]) -> (s)
function s = dots_of_rows(H, G)
  s = dot(H, G, 2);
end
% megha: fn maxima_of_rows(H: f64[h, 3]) -> (s, k)
function [s, k] = maxima_of_rows(H)
  [s, k] = max(H, [], 2);
end
% megha: fn products_of_rows(H: f64[h, 3]) -> (s)
function s = products_of_rows(H)
  s = prod(H, 2);
end
% megha: fn unique_of_rows(w: f64[n, 1]) -> (s)
function s = unique_of_rows(w)
  s = unique([mod(w(1:20000), 10), mod(w(20001:40000), 7)], 'rows');
end
% megha: fn shifted_spectrum(f: f64[f, 1]) -> (s)
function s = shifted_spectrum(f)
  s = fftshift(abs(fft(f)));
end
% megha: fn inverse_spectrum(f: f64[f, 1]) -> (s)
function s = inverse_spectrum(f)
  s = real(ifft(fft(f) .* 2));
end
% megha: fn power_spectrum(f: f64[f, 1]) -> (s)
function s = power_spectrum(f)
  y = fft(f); s = y .* conj(y) / numel(f);
end
% megha: fn complex_product(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = complex_product(v, u)
  z = complex(v, u) .^ 2; s = real(z) + imag(z);
end
% megha: fn complex_magnitude(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = complex_magnitude(v, u)
  s = abs(complex(v, u));
end
% megha: fn logical_combination(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = logical_combination(v, u)
  s = sum((v > 0.2 & v < 0.7) | u > 1.0000005);
end
% megha: fn exclusive(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = exclusive(v, u)
  s = nnz(xor(v > 0.5, u > 1.0000005));
end
% megha: fn equal_arrays(v: f64[n, 1], u: f64[n, 1]) -> (s)
function s = equal_arrays(v, u)
  s = isequal(v, u);
end
% megha: fn is_sorted(v: f64[n, 1]) -> (s)
function s = is_sorted(v)
  s = issorted(v);
end
% megha: fn run_lengths(w: f64[n, 1]) -> (s)
function s = run_lengths(w)
  d = [true; diff(w) ~= 0]; s = diff(find([d; true]));
end
% megha: fn greatest_divisors(w: f64[n, 1]) -> (s)
function s = greatest_divisors(w)
  s = gcd(w, 360);
end
% megha: fn factorials(w: f64[n, 1]) -> (s)
function s = factorials(w)
  s = factorial(mod(w, 20));
end
% megha: fn combined_digits(w: f64[n, 1]) -> (s)
function s = combined_digits(w)
  s = floor(w / 100) * 7 + mod(floor(w / 10), 10);
end
% megha: fn meshed_function() -> (s)
function s = meshed_function()
  [x, y] = meshgrid(linspace(-2, 2, 1000)); s = exp(-x .^ 2 - y .^ 2);
end
