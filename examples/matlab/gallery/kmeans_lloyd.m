function [C, idx, moved] = kmeans_lloyd(X, k, maxit)
% Lloyd's algorithm; the first k points are the first centres
% megha: fn kmeans_lloyd(X: f64[n, d], k: usize, maxit: usize) -> (C, idx, moved)
[n, d] = size(X);
C = X(1:k, :);
idx = zeros(n, 1);
moved = 0;
for it = 1:maxit
    old = idx;
    for i = 1:n
        dist = zeros(1, k);
        for j = 1:k
            dist(j) = sum((X(i,:) - C(j,:)).^2);
        end
        [dmin, idx(i)] = min(dist);
    end
    for j = 1:k
        members = X(idx == j, :);
        if ~isempty(members)
            C(j,:) = sum(members, 1)/size(members, 1);
        end
    end
    moved = sum(idx ~= old);
    if moved == 0
        break
    end
end
