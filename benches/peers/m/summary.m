function [s, m, x] = summary(v)
s = sum(v); m = mean(v); x = max(v);
end
