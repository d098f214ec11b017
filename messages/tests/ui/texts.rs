// Texts, output and errors: what is outside of what Megha compiles, and mistakes in formats.

megha::matlab! {
    function y = texts(x)
    arguments
        x (n,1) double
    end
    fprintf("%y\n", 1);
    fprintf(x);
    y = num2str(x(1), 4) + 1;
    disp(["n = ", x(1)]);
    disp(["two"; "rows"]);
    disp(num2str(x));
    disp("abc"(4));
    y = strrep(sprintf("%g", x(1)), "1", "2");
    name = @(t) t;
    for k = 1:x(1)
        disp(name(k));
        name = @(t) 2 * t;
    end
    y = isletter(x);
    s = "abc";
    s(2) = @(t) t;
    y = strrep(x, 'a', 'b');
    if x(1) > 0
        word = "more";
    else
        word = "less";
    end
    fprintf("%s\n", word);
    fprintf("%s\n", label(x(1)));
    for k = 1:3
        last = "x";
    end
    disp(last);
    fprintf(["a ", num2str(x(1)), " %d\n"], x);
    if x(1) > 0
        format long
    end
    format long g
    y = x(1)
    assert(x, [1; 2]);
    exit(1);
    y = regexp("a b", "b");
    y = str2num("1 + 2");
    y = 1;
    end

    function s = label(v)
    if v > 0
        s = "more";
    else
        s = "less";
    end
    end
}

megha::matlab! {
    function [n, c] = lists(x)
    arguments
        x (n,1) double
    end
    c = {};
    for k = 1:numel(x)
        c{end + 1} = x(k);
    end
    n = numel(c) + numel(later(2));
    c = {1, 2};
    n = n + c;
    d = {[1 2], [3 4 5]};
    n = sum(d{sum(x)});
    end

    function r = later(n)
    if n > 0
        r = numel(unknown_list{n});
    else
        r = later(n - 1);
    end
    end
}

fn main() {}
