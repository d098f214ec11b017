k = 0;
for i = 1:20
  if mod(i*i, 7) == 2
    k = k + 1;
    idx(k) = i;
    val(k) = i*i;
  end
end
fprintf('%g ', idx); fprintf('%g ', val); fprintf('%g ', k); fprintf('\n');
s = sum(val(1:k));
fprintf('%g ', s); fprintf('\n');
n = 0; x = 100; hist = x;
while x > 1
  x = x / 3;
  n = n + 1;
  hist(n+1) = x;
end
fprintf('%g ', hist); fprintf('%g ', n); fprintf('%g ', length(hist)); fprintf('\n');
c = [1;2];
c(5) = 3;
fprintf('%g ', c); fprintf('%g ', size(c)); fprintf('\n');
M = ones(2,3);
M(3,4) = 7;
fprintf('%g ', M); fprintf('%g ', size(M)); fprintf('\n');
