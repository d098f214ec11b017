function d = edit_distance(s, t)
% Levenshtein's distance of two sequences of numbers.
m = length(s);
n = length(t);
D = zeros(m + 1, n + 1);
for i = 1:m + 1
    D(i, 1) = i - 1;
end
for j = 1:n + 1
    D(1, j) = j - 1;
end
for j = 2:n + 1
    for i = 2:m + 1
        if s(i - 1) == t(j - 1)
            cost = 0;
        else
            cost = 1;
        end
        D(i, j) = min([D(i - 1, j) + 1, D(i, j - 1) + 1, D(i - 1, j - 1) + cost]);
    end
end
d = D(m + 1, n + 1);
end
