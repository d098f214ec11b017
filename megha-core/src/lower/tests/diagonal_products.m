A=[Inf 1;NaN 2]; D=diag([2 3]);
x = D*A
y = A*D
z = eye(2)*A
w = D*[1;Inf]
u = [1 Inf]*D
v = D*D
t = A*diag([1 2])*A
q = diag(single([1 2]))*[1 2;3 4]
r = diag(1:3)*ones(3,2)*2
s = [1+2i 3]*diag([2 5])
