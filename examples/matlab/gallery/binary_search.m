function pos = binary_search(v, keys)
% positions of the keys in a sorted row, 0 where a key is absent
% megha: fn binary_search(v: f64[1, n], keys: f64[1, k]) -> pos
pos = zeros(size(keys));
for q = 1:length(keys)
    lo = 1; hi = length(v);
    while lo <= hi
        mid = floor((lo + hi)/2);
        if v(mid) == keys(q)
            pos(q) = mid;
            break;
        elseif v(mid) < keys(q)
            lo = mid + 1;
        else
            hi = mid - 1;
        end
    end
end
