function [rank_, iters] = pagerank(G, damping)
% PageRank; G(i,j) = 1 if page j links to page i
% megha: fn pagerank(G: f64[n, n], damping: f64) -> (rank_, iters)
n = size(G, 1);
out = sum(G);
dangling = out == 0;
M = G;
for j = 1:n
    if out(j) > 0
        M(:,j) = G(:,j)/out(j);
    end
end
M(:, dangling) = 1/n;
rank_ = ones(n,1)/n;
delta = 1; iters = 0;
while delta > 1e-12
    new = damping*M*rank_ + (1-damping)/n;
    delta = norm(new - rank_, 1);
    rank_ = new;
    iters = iters + 1;
end
