function [u, K] = fem1d(nel)
% linear finite elements for -u'' + u = x on (0,1), u(0) = 0, u'(1) = 1
% megha: fn fem1d(nel: usize) -> (u, K)
nn = nel + 1;
h = 1/nel;
K = zeros(nn,nn);
F = zeros(nn,1);
ke = [1 -1; -1 1]/h + h/6*[2 1; 1 2];
for e = 1:nel
    nodes = [e e+1];
    xm = (e - 0.5)*h;
    K(nodes,nodes) = K(nodes,nodes) + ke;
    F(nodes) = F(nodes) + xm*h/2;
end
F(nn) = F(nn) + 1;
% essential condition
K(1,:) = 0; K(1,1) = 1; F(1) = 0;
u = K\F;
