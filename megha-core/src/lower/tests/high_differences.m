% Differences along a dimension that is given, of more orders than there are elements.
n = numel(find([1 0 1]));
size(diff(5, 1, 2)), size(diff([1 2 3], 3, 2)), size(diff(1:n, 4, 2)), diff([1 4 9 n], 2)
