function [H,A] = convex_hull(P)
% Convex hull by Andrew's monotone chain, and its area
% megha: fn convex_hull(P: f64[n,2]) -> (H, A)
P = sortrows(P);
n = size(P,1);
lower = [];
for i=1:n
  while size(lower,1)>=2 && cross2(lower(end-1,:),lower(end,:),P(i,:))<=0
    lower(end,:) = [];
  end
  lower = [lower; P(i,:)];
end
upper = zeros(0,2);
for i=n:-1:1
  while size(upper,1)>=2 && cross2(upper(end-1,:),upper(end,:),P(i,:))<=0
    upper(end,:) = [];
  end
  upper(end+1,:) = P(i,:);
end
H = [lower(1:end-1,:); upper(1:end-1,:)];
A = polyarea(H(:,1),H(:,2));
end
function z = cross2(o,a,b)
z = (a(1)-o(1))*(b(2)-o(2))-(a(2)-o(2))*(b(1)-o(1));
end
