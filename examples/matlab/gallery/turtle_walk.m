function [P,area] = turtle_walk(cmds)
% A turtle that obeys letters: F forward, L left, R right
% megha: fn turtle_walk(cmds: f64[1,n]) -> (P, area)
pos = [0 0]; ang = 0;
P = pos;
for c = cmds
    switch c
        case 'F'
            pos = pos + [cos(ang) sin(ang)];
            P = [P; pos];
        case 'L'
            ang = ang + pi/2;
        case 'R'
            ang = ang - pi/2;
    end
end
x = P(:,1); y = P(:,2);
area = .5*abs(sum(x.*circshift(y,-1)-y.*circshift(x,-1)));
