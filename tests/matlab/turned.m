function y = turned(x)
% TURNED  A quarter of a turn of each number.
y = x .* 1i;
end
