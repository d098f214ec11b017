function [W1, W2, loss] = mlp_step(X, Y, W1, W2, lr, steps)
% gradient descent for a network with one hidden layer
% megha: fn mlp_step(X: f64[n, d], Y: f64[n, k], W1: f64[d, h], W2: f64[h, k], lr: f64, steps: usize) -> (W1, W2, loss)
n = size(X,1);
loss = zeros(1,steps);
for s = 1:steps
    H = tanh(X*W1);
    O = 1./(1 + exp(-H*W2));
    D = O - Y;
    loss(s) = sum(D(:).^2)/(2*n);
    G2 = D.*O.*(1 - O);
    G1 = (G2*W2').*(1 - H.^2);
    W2 = W2 - lr*(H'*G2)/n;
    W1 = W1 - lr*(X'*G1)/n;
end
