% A script with a function of its own.
x = zeros(4, 1);
for k = 1:4
    x(k) = square(k);
end
fprintf('%g', sum(x));

function y = square(x)
    y = x * x;
end
