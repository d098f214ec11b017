% Texts of several rows.
n = numel(find([1 0 1]));
x = ['ab'; 'cd'], disp(x), size(x), x(n, :), x(2, 1), x', x(:)', upper(x), x == 'a', class(x)
for k = 1:n, fprintf('%s|\n', x(k, :)); end
fprintf('%s|\n', x); sprintf('%s', x)
y = char('a', 'bcd', '', 'ef'), size(y), ['[' deblank(y(n - 1, :)) ']']
z = strvcat('a', '', num2str(n * 100)), size(z)
m = ['#.#'; '.#.'; '##.']; sum(sum(m == '#'))
x(1, 2) = 'Z'; x(3, :) = 'ef', [x; 'gh']
repmat('-', 2, 3), repmat('ab', n, n), deblank('a  ')
num2str(pi * n, '%10.5f'), num2str([1 2 n], '%d'), num2str([1 2 n], '%d '), num2str(n, '%05d'), num2str([1 2 n], '%d,')
['[' num2str([1.5 n], '%6.2f') ']'], num2str(n, '%d\n'), num2str(n, ' %d ')
