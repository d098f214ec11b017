function [nw,nv,longest] = word_stats(s)
% Words, vowels and the longest word of a text
% megha: fn word_stats(s: f64[1,n]) -> (nw, nv, longest)
t = lower(char(s));
sp = isspace(t);
d = diff([1 sp 1]);
st = find(d==-1); en = find(d==1)-1;
nw = numel(st);
longest = 0;
for k=1:nw
  longest = max(longest,en(k)-st(k)+1);
end
nv = sum(t=='a'|t=='e'|t=='i'|t=='o'|t=='u');
