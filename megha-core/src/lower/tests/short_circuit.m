% In conditions | and & do not look at the right operand where the left one, a single value, decides.
x = [4 0 7]; n = numel(find(x >= 0));
for k = 0:n + 1
    if k < 1 | k > n | x(max(k, 1)) == 0
        fprintf('%d is none\n', k);
    end
end
k = n;
while k > 0 & x(k) ~= 0
    k = k - 1;
end
disp(k)
if (k > 2 & x(k + 9)) | (k == 2 | x(k + 9))
    disp('decided')
end
% Arrays are combined element by element.
if [1 1 0] | [0 1 1], disp('all'), end
if [1 1 0] & [0 1 1], disp('none'), else, disp('not all'), end
if k == 2 & [1 1 1], disp('every'), end
if k == 3 | [1 0 1], disp('wrong'), end
