function energy = nbody(x, y, z, vx, vy, vz, m, dt, steps)
% The energy of bodies that attract each other, after some steps.
n = length(m);
for step = 1:steps
    for i = 1:n
        for j = i + 1:n
            dx = x(i) - x(j);
            dy = y(i) - y(j);
            dz = z(i) - z(j);
            d2 = dx ^ 2 + dy ^ 2 + dz ^ 2;
            mag = dt / (d2 * sqrt(d2));
            vx(i) = vx(i) - dx * m(j) * mag;
            vy(i) = vy(i) - dy * m(j) * mag;
            vz(i) = vz(i) - dz * m(j) * mag;
            vx(j) = vx(j) + dx * m(i) * mag;
            vy(j) = vy(j) + dy * m(i) * mag;
            vz(j) = vz(j) + dz * m(i) * mag;
        end
    end
    for i = 1:n
        x(i) = x(i) + dt * vx(i);
        y(i) = y(i) + dt * vy(i);
        z(i) = z(i) + dt * vz(i);
    end
end
energy = 0;
for i = 1:n
    energy = energy + 0.5 * m(i) * (vx(i) ^ 2 + vy(i) ^ 2 + vz(i) ^ 2);
    for j = i + 1:n
        dx = x(i) - x(j);
        dy = y(i) - y(j);
        dz = z(i) - z(j);
        energy = energy - m(i) * m(j) / sqrt(dx ^ 2 + dy ^ 2 + dz ^ 2);
    end
end
end
