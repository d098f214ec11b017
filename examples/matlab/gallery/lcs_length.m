function [len, seq] = lcs_length(a, b)
% longest common subsequence of two rows of numbers
% megha: fn lcs_length(a: f64[1, n], b: f64[1, m]) -> (len, seq)
n = length(a); m = length(b);
T = zeros(n+1,m+1);
for i = 2:n+1
  for j = 2:m+1
    if a(i-1) == b(j-1)
      T(i,j) = T(i-1,j-1) + 1;
    else
      T(i,j) = max(T(i-1,j), T(i,j-1));
    end
  end
end
len = T(n+1,m+1);
seq = zeros(1,len);
i = n+1; j = m+1; k = len;
while k > 0
  if T(i,j) == T(i-1,j)
    i = i - 1;
  elseif T(i,j) == T(i,j-1)
    j = j - 1;
  else
    seq(k) = a(i-1);
    i = i - 1; j = j - 1; k = k - 1;
  end
end
