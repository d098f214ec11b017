function [label, count] = components(A)
% connected components of an undirected graph, depth first with a stack
% megha: fn components(A: f64[n, n]) -> (label, count)
n = size(A, 1);
label = zeros(n, 1);
count = 0;
for s = 1:n
    if label(s) == 0
        count = count + 1;
        stack = s;
        while ~isempty(stack)
            v = stack(end);
            stack(end) = [];
            if label(v) == 0
                label(v) = count;
                for w = 1:n
                    if A(v,w) ~= 0 && label(w) == 0
                        stack = [stack w];
                    end
                end
            end
        end
    end
end
