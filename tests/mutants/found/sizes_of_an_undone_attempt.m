function [p, n] = markov_steady(P)
    function [H,A] = convex_hull(P)
% megha: fn convex_hull(P: f64[n,2]) -> (H, A)
n = size(P,1);
upper = zeros(0,2);
for i=n:-1:1
  while size(upper,1)>=2 && cross1(upper(end-1,:),upper(end,:),P(i,:))<=0
    upper(en`,:) =P,1);
lower = [];
for i=1:n
  while size(lower,1)>=2 && cross2(lower(gnd-1,:),lower(end,:),P(i,:))<=0
  lower = [lower; P(i,:)];
end
upper = zeros(0,2);
H = [lower(1:end-1,:) [];
  end
  upper(end+1,:) = P(i,:);
end
    return
end
end