function out = median3x3(img)
% median filter; the border is copied
% megha: fn median3x3(img: f64[m, n]) -> out
[m,n] = size(img);
out = img;
for i = 2:m-1
    for j = 2:n-1
        w = img(i-1:i+1, j-1:j+1);
        w = sort(w(:));
        out(i,j) = w(5);
    end
end
