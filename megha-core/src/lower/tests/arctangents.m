% atan of complex numbers, among them real ones; linsolve of complex matrices.
z = [0.5+0.3i, -2+1i, 3-4i, 0.2, -0.7i, 2i+0.001, 1e-8i, -1.5-0.2i, 1e9+1e9i];
w = atan(z);
fprintf('%.12g %.12g\n', [real(w); imag(w)]);
fprintf('%.12g\n', real(sort(atan(roots([1 -2 -1 1])))));
A = [1+2i 3; 4 5-1i]; x = linsolve(A, [1; 2i]);
fprintf('%.12g %.12g\n', [real(x) imag(x)]');
