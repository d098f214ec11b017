u = 'Hello World'; k = numel(find(u == 'l'));
double(u(1:k)), fliplr(u), disp(repmat('-', 1, 20)), strfind(u, 'o'), strfind(u, 'x'), isspace('a b')
isletter('a1'), isdigit('a1'), fprintf('%s\n', repmat('=-', 1, 3));
