function reach = clos(adjacency)
% CLOS  Transitive closure of a directed graph.
%
%   reach = clos(adjacency)
%
%   adjacency  (n,n)  non-zero at (i,j) where an edge leads from i to j
%   reach      (n,n)  1 at (i,j) where a path of one or more edges leads
%                     from i to j, 0 elsewhere
%
%   After step k every path of at most 2^k edges has been found, and none
%   needs more than n.

% megha: fn clos(adjacency: f64[n, n]) -> reach

n = size(adjacency, 1);
reach = double(adjacency ~= 0);
for k = 1:ceil(log2(n))
    reach = double(reach + reach * reach > 0);
end
end
