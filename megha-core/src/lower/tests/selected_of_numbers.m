% Masks of single numbers select one element or none, and what is computed of them is stored.
1;
function f = in_parts(z)
    low = z < 3;
    f = 0 * z;
    f(low) = 1 + z(low);
    f(~low) = 2 * exp(z(~low) - 1);
end
n = numel(find([1 2 3] > 1));
printf('%.6f ', in_parts(5), in_parts(2), in_parts(n), in_parts(2 * n), in_parts([1 5 2])); printf('\n');
g = uint8([10 200; 30 255; 7 200]);
median(g), median(g(1:2, :)), median(g, 2), median(median(g)), median(uint8([200 200])), median(int8([-100 -120 5 7; -3 -4 -100 -99]), 2)
