% Variables that only later iterations read before the loop assigns them again, through each other.
r = [1; 2; 3]; total = 0;
for k = 1:4
    if k > 1
        p = r - (e / f) * p;
        q = r + f * q;
    else
        p = r;
        q = 2 * r;
    end
    s = p + q;
    e = sum(s);
    f = e / norm(s);
    r = r / 2;
    total = total + f;
end
fprintf('%.6f ', p, q, e, total); fprintf('\n');
% A statement that makes no sense for what the variable is before the loop.
P = [1 2; 3 1; 5 4; 6 0]; stack = []; w = [];
for k = 1:size(P, 1)
    while size(stack, 1) >= 2 && stack(end, 2) - stack(end - 1, 1) > P(k, 2)
        stack(end, :) = [];
    end
    stack = [stack; P(k, :)];
    if isempty(w), w = P(k, :)'; else w = [w, w(:, end) + P(k, :)']; end
end
disp(stack), disp(w)
