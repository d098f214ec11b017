% Sizes that come as one vector, and the numbers in it.
A = reshape(1:12, 3, 4); B = A(:, find(A(1, :) > 1));
dims = size(B);
Z = zeros(dims); disp(size(Z))
Z(end, end) = dims(1) * 10 + dims(end);
disp(Z)
disp(size(ones(dims + 1))), disp(size(zeros(fliplr(dims), 'int8')))
sz = [dims(2), dims(1)];
disp(reshape(B, sz)), disp(size(repmat(B, [2, 1]))), disp(size(reshape(1:24, [2 3 4])))
for k = 1:dims(2)
    Z(:, k) = Z(:, k) + k;
end
disp(Z), disp(size(eye(2 * [1 2]))), disp(size(rand(dims')))
v = [int8(100), int8(50)]; w = double(v); w(1) + w(2), t = double([true, false]); class(t(1))
