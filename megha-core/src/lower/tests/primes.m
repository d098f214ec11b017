1;
function p = primes_to(n)
  p = [];
  for k = 2:n
    isp = true;
    for q = p
      if mod(k,q) == 0
        isp = false;
        break;
      end
    end
    if isp
      p(end+1) = k;
    end
  end
end
fprintf('%g ', primes_to(50)); fprintf('\n');
function [u, v] = two(n)
  u = []; v = 1;
  for i = 1:n
    if i > 2
      u = [u, i];
      v = [v; u(end)];
    end
  end
end
[u, v] = two(6);
fprintf('%g ', u); fprintf('%g ', v); fprintf('%g ', size(v)); fprintf('\n');
[u, v] = two(1);
fprintf('%g ', numel(u)); fprintf('%g ', v); fprintf('\n');
