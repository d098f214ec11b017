function [a,b,c,d] = page_sums(n,m,p)
% Sums and extremes over the pages of a block
% megha: fn page_sums(n: usize, m: usize, p: usize) -> (a, b, c, d)
V = zeros(n,m,p);
for k=1:p
  V(:,:,k) = reshape(1:n*m,n,m)*k;
end
a = sum(V,3);
b = squeeze(max(max(V)));
c = squeeze(V(1,:,:));
W = permute(V,[3 1 2]);
d = squeeze(mean(W(:,:,1),1));
e = cat(3,V(:,:,1),a);
f = size(e);
d = d + f(3) + numel(W) + ndims(V);
