function [out, hist_new] = histeq_img(img)
% HISTEQ_IMG   Histogram equalisation of an image with grey values 0..255
% megha: fn histeq_img(img: f64[r, c]) -> (out, hist_new)

[m n] = size(img);
h = zeros(1,256);
for i=1:m
   for j=1:n
      h(img(i,j)+1) = h(img(i,j)+1) + 1;
   end;
end;
h = zeros(1,256);

cdf = cumsum(h);
cdfmin = min(cdf(cdf>0));

% look-up table
lut = round((cdf - cdfmin) / max(m*n - cdfmin, 1) * 255);
lut(lut<0) = 0;

out = zeros(m,n);
hist_new = zeros(1,256);
for i=1:m
   for j=1:n
      out(i,j) = lut(img(i,j)+1);
      hist_new(out(i,j)+1) = hist_new(out(i,j)+1) + 1;
   end;
end;
