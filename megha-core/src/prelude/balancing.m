% What is done to a matrix before its eigenvalues are computed: balancing and the form of Hessenberg.

% Rows and columns low .. high are what is left after those that show an eigenvalue have been moved to the ends; `place` says with
% which each changed places. Then rows and columns are scaled by powers of two to have about the same lengths.
function [x, scale, place, low, high] = balanced(x)
  n = size(x, 1);
  scale = ones(n, 1);
  place = (1:n)';
  low = 1;
  high = n;
  searching = true;
  while searching && high > 1
    searching = false;
    j = high;
    while j >= 1 && ~searching
      alone = true;
      for i = 1:high
        if i ~= j && x(j, i) ~= 0, alone = false; end
      end
      if alone
        place(high) = j;
        x = exchanged(x, j, high);
        high = high - 1;
        searching = true;
      end
      j = j - 1;
    end
  end
  searching = high > 1;
  while searching && low < high
    searching = false;
    j = low;
    while j <= high && ~searching
      alone = true;
      for i = low:high
        if i ~= j && x(i, j) ~= 0, alone = false; end
      end
      if alone
        place(low) = j;
        x = exchanged(x, j, low);
        low = low + 1;
        searching = true;
      end
      j = j + 1;
    end
  end
  changing = true;
  while changing
    changing = false;
    for i = low:high
      c = 0;
      r = 0;
      for j = low:high
        c = c + x(j, i) * x(j, i);
        r = r + x(i, j) * x(i, j);
      end
      c = sqrt(c);
      r = sqrt(r);
      before = c + r;
      f = 1;
      if c > 0 && r > 0 && before < 1e300
        while c < r / 2 && f < 1e150
          f = f * 2;
          c = c * 2;
          r = r / 2;
        end
        while c / 2 >= r && f > 1e-150
          f = f / 2;
          c = c / 2;
          r = r * 2;
        end
        if c + r < 0.95 * before
          changing = true;
          scale(i) = scale(i) * f;
          for j = 1:n
            x(i, j) = x(i, j) / f;
          end
          for j = 1:n
            x(j, i) = x(j, i) * f;
          end
        end
      end
    end
  end
end

function x = exchanged(x, p, q)
  for i = 1:size(x, 1)
    t = x(i, p);
    x(i, p) = x(i, q);
    x(i, q) = t;
  end
  for i = 1:size(x, 1)
    t = x(p, i);
    x(p, i) = x(q, i);
    x(q, i) = t;
  end
end

function v = unbalanced(v, scale, place, low, high)
  n = size(v, 1);
  for j = 1:n
    for i = low:high
      v(i, j) = v(i, j) * scale(i);
    end
    for i = low-1:-1:1
      t = v(i, j);
      v(i, j) = v(place(i), j);
      v(place(i), j) = t;
    end
    for i = high+1:n
      t = v(i, j);
      v(i, j) = v(place(i), j);
      v(place(i), j) = t;
    end
  end
end

% Zeros below the subdiagonal, by reflections of rows and columns low .. high; z collects them if it is asked for.
function [x, z] = reduced(x, z, low, high, with_vectors)
  n = size(x, 1);
  for k = low:high-2
    below = 0;
    for i = k+2:high
      below = below + x(i, k) * x(i, k);
    end
    if below > 0
      head = x(k + 1, k);
      beta = -positive(head) * sqrt(head * head + below);
      w = zeros(n, 1);
      w(k + 1) = 1;
      for i = k+2:high
        w(i) = x(i, k) / (head - beta);
      end
      tau = (beta - head) / beta;
      x(k + 1, k) = beta;
      for i = k+2:high
        x(i, k) = 0;
      end
      for i = 1:high
        s = 0;
        for j = k+1:high
          s = s + x(i, j) * w(j);
        end
        for j = k+1:high
          x(i, j) = x(i, j) - tau * s * w(j);
        end
      end
      for j = k+1:n
        s = 0;
        for i = k+1:high
          s = s + w(i) * x(i, j);
        end
        for i = k+1:high
          x(i, j) = x(i, j) - tau * s * w(i);
        end
      end
      if with_vectors
        for i = 1:n
          s = 0;
          for j = k+1:high
            s = s + z(i, j) * w(j);
          end
          for j = k+1:high
            z(i, j) = z(i, j) - tau * s * w(j);
          end
        end
      end
    end
  end
end

% The sign, which of zero is positive.
function s = positive(x)
  s = 1 - 2 * (x < 0);
end
