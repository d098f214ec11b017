function moves = hanoi_moves(n)
% moves of the towers of Hanoi, one per row: from, to
% megha: fn hanoi_moves(n: usize) -> moves
moves = hanoi(n, 1, 3, 2);

function m = hanoi(n, from, to, via)
if n == 0
    m = zeros(0, 2);
else
    m = [hanoi(n-1, from, via, to); from to; hanoi(n-1, via, to, from)];
end
