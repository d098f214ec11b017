function [two, one, sizes, sums] = table(z, w)
% megha: fn table(z: c64[m, n], w: c64) -> (two, one, sizes, sums)
% every element-wise function and operator on a grid
two = [z*w, z/w, z.^2, z.^5, z.^-3, z.^0.3, z.^w, 2.^z, exp(z), log(z), log2(z), log10(z), sqrt(z), ...
       sin(z), cos(z), tan(z), sinh(z), cosh(z), tanh(z), sign(z), round(z), floor(1.7*z), ceil(z), fix(1.7*z), ...
       w - z, -z, conj(z), 3 - z, z + 1, 1./(z + w), w./(z + 5), z.', z', cumsum(z), cumsum(z, 2)];
one = [abs(z), angle(z), real(z), imag(z), double(z == conj(z)), z ~= conj(z), z < w, z >= 1i, z > z.', ...
       isnan(z), isinf(z), isfinite(z), ~z, z & 1, z | 0, real(z) + 0*z <= 1];
sizes = [norm(z(:,1)); norm(z(:,1), 1); norm(z(1,:), Inf); norm(z, 'fro'); isreal(z); isreal(z - real(z) - 1i*imag(z)); iscomplex(z)];
sums = [sum(z), prod(z), mean(z), sum(z.'), dot(z(:,1), z(:,2)), dot(z, z), any(z), all(z), prod(z(:,1)), sum(sum(z))];
end
