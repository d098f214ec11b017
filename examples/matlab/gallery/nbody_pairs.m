function [pos, vel, energy] = nbody_pairs(pos, vel, m, dt, nsteps)
% N-body problem by loops over the pairs, leapfrog steps
% megha: fn nbody_pairs(pos: f64[n, 3], vel: f64[n, 3], m: f64[1, n], dt: f64, nsteps: usize) -> (pos, vel, energy)

n = length(m);
eps2 = 1e-4;
acc = accel(pos, m, n, eps2);
for s=1:nsteps
    vel = vel + 0.5*dt*acc;
    pos = pos + dt*vel;
    acc = accel(pos, m, n, eps2);
    vel = vel + 0.5*dt*acc;
end

% total energy
energy = 0;
for i=1:n
    energy = energy + 0.5*m(i)*sum(vel(i,:).^2);
    for j=i+1:n
        energy = energy - m(i)*m(j)/sqrt(sum((pos(i,:)-pos(j,:)).^2) + eps2);
    end
end

function a = accel(p, m, n, eps2)
a = zeros(n,3);
for i=1:n
    for j=1:n
        if i ~= j
            d = p(j,:) - p(i,:);
            r2 = d*d' + eps2;
            a(i,:) = a(i,:) + m(j)*d/(r2*sqrt(r2));
        end
    end
end
