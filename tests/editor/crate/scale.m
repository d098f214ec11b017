function [y, total] = scale(x, factor)
% SCALE  Multiplies and adds up.
y = factor * x;
total = sum(y);
end
