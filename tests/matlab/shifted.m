function y = shifted(x)
y = x - 1;
end
