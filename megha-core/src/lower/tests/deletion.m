x = 1:6;
x(2) = [];
fprintf('%g ', x); fprintf('%g ', size(x)); fprintf('\n');
x(end) = [];
fprintf('%g ', x); fprintf('\n');
x([1 3]) = [];
fprintf('%g ', x); fprintf('\n');
y = (1:8)';
y(3:5) = [];
fprintf('%g ', y); fprintf('%g ', size(y)); fprintf('\n');
y(y > 6) = [];
fprintf('%g ', y); fprintf('%g ', size(y)); fprintf('\n');
A = reshape(1:12, 3, 4);
A(2, :) = [];
fprintf('%g ', A); fprintf('%g ', size(A)); fprintf('\n');
A(:, [1 4]) = [];
fprintf('%g ', A); fprintf('%g ', size(A)); fprintf('\n');
s = 5; t = 0;
while ~isempty(s)
  v = s(end);
  s(end) = [];
  t = t + v;
  if v > 1
    s = [s, v-1];
    if v == 3
      s(end+1) = 1;
    end
  end
end
fprintf('%g ', t, numel(s)); fprintf('\n');
q = 1:10; out = [];
while numel(q) > 0
  out(end+1) = q(1);
  q(1) = [];
  k = min(2, numel(q));
  q(1:k) = [];
end
fprintf('%g ', out); fprintf('\n');
people = 1:7; order = []; pos = 0;
while numel(people) > 1
  pos = mod(pos + 2, numel(people));
  order(end+1) = people(pos+1);
  people(pos+1) = [];
end
fprintf('%g ', people, order); fprintf('\n');
z = 1:3;
z(5:4) = [];
fprintf('%g ', z); fprintf('\n');
