function [survivor, order] = josephus(n, k)
% every k-th of n people in a circle leaves; the order and the last one
% megha: fn josephus(n: usize, k: usize) -> (survivor, order)
people = 1:n;
order = [];
pos = 0;
while numel(people) > 1
    pos = mod(pos + k - 1, numel(people));
    order(end+1) = people(pos+1);
    people(pos+1) = [];
end
survivor = people;
