function [dist, prev] = dijkstra(W, src)
% shortest paths from one node; W(i,j) is the length of an edge, 0 for none
% megha: fn dijkstra(W: f64[n, n], src: usize) -> (dist, prev)
n = size(W, 1);
dist = inf(1, n);
prev = zeros(1, n);
visited = false(1, n);
dist(src) = 0;
while true
    u = 0;
    best = inf;
    for v = 1:n
        if ~visited(v) && dist(v) < best
            best = dist(v);
            u = v;
        end
    end
    if u == 0
        break;
    end
    visited(u) = true;
    for v = find(W(u,:) > 0)
        if dist(u) + W(u,v) < dist(v)
            dist(v) = dist(u) + W(u,v);
            prev(v) = u;
        end
    end
end
dist(~visited) = -1;
