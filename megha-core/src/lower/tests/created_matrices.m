n = 4; m = 3;
for i = 1:n
  for j = 1:m
    A(i,j) = i*10 + j;
  end
end
fprintf('%g ', A); fprintf('%g ', size(A)); fprintf('\n');
B = [];
for i = 1:n
  B(i,:) = [i i^2 i^3];
end
fprintf('%g ', B); fprintf('%g ', size(B)); fprintf('\n');
C = [];
for j = 1:n
  C(:,j) = [j; 2*j];
end
fprintf('%g ', C); fprintf('%g ', size(C)); fprintf('\n');
for i = 1:n
  D(i,:) = A(i,:)*2;
end
fprintf('%g ', D); fprintf('%g ', size(D)); fprintf('\n');
x(1:3) = [5 6 7];
fprintf('%g ', x); fprintf('%g ', size(x)); fprintf('\n');
x(6) = 1;
fprintf('%g ', x); fprintf('%g ', size(x)); fprintf('\n');
