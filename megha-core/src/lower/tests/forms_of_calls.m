% Forms of calls and brackets that older programs have.
1;
function checked(a)
    error(nargchk(1, 2, nargin, 'struct'));
    disp(size(a))
end
a = [1 2;, 3 4], b = [5;, 6]
n = numel(find(a > 2));
if n > 9, error 'There are too many.', end
if n > 9, error('forms:many', 'There are too many.'), elseif n < 0, error, end
disp hello
warning('more than 5% NaN values');
z = interp2([1 2; 3 4], [1 1.5], [1.2 1.3], '*linear')
dec2base(10 * n, n + 1), dec2base([5 100], 34 + n)
checked(a)
