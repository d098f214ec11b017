function [p,h] = palindrome(s)
% Whether a text is a palindrome, and a hash of its letters
% megha: fn palindrome(s: f64[1,n]) -> (p, h)
t = char(s);
t = t(isletter(t));
t = upper(t);
p = all(t == t(end:-1:1));
h = 5381;
for c = t
  h = mod(h*33+double(c),2^32);
end
