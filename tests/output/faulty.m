% megha: fn faulty(k: f64)
% megha: late names
function y = faulty(k)
% FAULTY  fails in a different way for each k up to 7, for 9 in a function of the library, for 10 because there is no such function, and for 11 without a message.
if k == 1
    error('plain text 100% \n');
elseif k == 2
    error('shop:price', 'price %g of %s: [%d %d]', -2.5, 'a', [1 2]);
elseif k == 3
    error(['k is ', num2str(k)]);
elseif k == 4
    assert(k < 4);
end
assert(k ~= 5, 'shop:five', 'five is %d', k);
if k == 6
    print_usage();
elseif k == 7
    error("with a break\n");
elseif k == 9
    k = sum(svd([1 2; NaN k]));
elseif k == 10
    k = 2 * unknown_function(k) + 1;
elseif k == 11
    error();
elseif k == 12
    warning('a text alone is no format: 50% of it');
elseif k == 13
    k = 2 * refused(k);
elseif k == 14 && refused(k) > 2
    k = 0;
end
y = k;
end
function y = refused(k)
    error('shop:never', 'never %d', k);
end
