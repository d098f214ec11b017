function y = wrong(x)
arguments
    x (3,1) double
end
y = x + zeros(4, 1);
z = x * ;
end

function y = mismatch(x)
arguments
    x (3,1) double
end
y = x + zeros(4, 1);
y = unknown(y);
end
