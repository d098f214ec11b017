function ok = sudoku_check(S)
% whether a 9 x 9 table is a solved sudoku
% megha: fn sudoku_check(S: f64[9, 9]) -> ok
ok = false;
for k = 1:9
    if any(sort(S(k,:)) ~= 1:9)
        return
    end
    if any(sort(S(:,k))' ~= 1:9)
        return
    end
    r = 3*floor((k-1)/3);
    c = 3*mod(k-1,3);
    B = S(r+1:r+3, c+1:c+3);
    if ~isequal(sort(B(:))', 1:9)
        return
    end
end
ok = true;
