function y = fir_filter(x, h)
y = filter(h, 1, x);
end
