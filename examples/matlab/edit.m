function distance = edit(a, b)
% EDIT  Edit distance of two texts.
%
%   distance = edit(a, b)
%
%   a  (1,n)  codes of the characters of a text
%   b  (1,m)  of another
%
%   distance  (1,1)  the least number of characters that are inserted,
%                    removed or replaced on the way from a to b
%
%   R. A. Wagner and M. J. Fischer, The String-to-String Correction Problem,
%   Journal of the ACM 21(1), 1974.

% megha: fn edit(a: f64[1, n], b: f64[1, m]) -> distance

n = length(a);
m = length(b);

% cost(i, j) leads from the first i - 1 characters of a to the first j - 1 of b.
cost = zeros(n + 1, m + 1);
cost(:, 1) = (0:n)';
cost(1, :) = 0:m;
for i = 1:n
    for j = 1:m
        if a(i) == b(j)
            replaced = cost(i, j);
        else
            replaced = cost(i, j) + 1;
        end
        removed = cost(i, j + 1) + 1;
        inserted = cost(i + 1, j) + 1;
        cost(i + 1, j + 1) = min([replaced, removed, inserted]);
    end
end
distance = cost(n + 1, m + 1);
end
