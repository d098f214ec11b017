function [w, errs] = perceptron(X, t, eta, epochs)
% perceptron rule; t holds 1 and -1, the first weight is the bias
% megha: fn perceptron(X: f64[n, d], t: f64[n, 1], eta: f64, epochs: usize) -> (w, errs)
[n, d] = size(X);
Xb = [ones(n,1) X];
w = zeros(d+1, 1);
errs = [];
for e = 1:epochs
    wrong = 0;
    for i = 1:n
        y = sign(Xb(i,:)*w);
        if y == 0
            y = -1;
        end
        if y ~= t(i)
            w = w + eta*t(i)*Xb(i,:)';
            wrong = wrong + 1;
        end
    end
    errs(e) = wrong;
    if wrong == 0
        break
    end
end
