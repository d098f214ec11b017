n = 3;
for k = 1:n
    if k > 2
        error('stop:late', 'k is %g', k);
    end
    fprintf('%g ', k);
end
