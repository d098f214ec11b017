function y = untyped(x, n)
y = x + n;
end
