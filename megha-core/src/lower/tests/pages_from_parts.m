% The first store of a part gives the array the sizes of what `:` takes.
image = reshape(1:48, 4, 4, 3);
half = numel(find([1 0 1]));
for i = 1:4/half
    for j = 1:4/half
        rows = half*(i-1)+1 : half*i;
        columns = half*(j-1)+1 : half*j;
        out(rows, columns, :) = image(rows, columns, :) * 2;
    end
end
disp(size(out)), disp(out(:, :, 3))
wide(:, 2:3) = [1 2; 3 4; 5 6];
disp(wide)
deep(2, :, 1:2) = [1 2; 3 4; 5 6];
disp(size(deep)), disp(squeeze(deep(2, :, :)))
line(3, :) = [7 8 9];
disp(line)
