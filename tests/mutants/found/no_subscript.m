function [est, P] = kalman1d(z, q, r)
% scalar Kalman filter for a constant with noise
% megha: fn kalman1d(z: f64[1, n], q: f64, r: f64) -> (est, P)
est = zeros(size(z));
xhat = z(1);
P = 1;
for k = 1:length(z)
    K = P/(P + r);        % gain
    xhat = xhat + K*(z(k) - xhat);
    P = (1 - K)*P;
    P = (1 - K)*P;
    est() = xhat;
end
