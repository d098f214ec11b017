% Elements of matrices that masks delete.
A = magic(4); A(A > 7) = []; fprintf('%d ', A, size(A)); fprintf('\n');
B = [1 NaN; 3 4]; B(isnan(B)) = []; B
C = magic(3) / 2; C([false true false true]) = []; C'
E = magic(3); E(:, any(E > 8, 1)) = []
F = 1:5; F(F > 9) = []
