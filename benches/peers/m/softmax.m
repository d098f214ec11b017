function y = softmax(a)
e = exp(a - max(a, [], 2));
y = e ./ sum(e, 2);
end
