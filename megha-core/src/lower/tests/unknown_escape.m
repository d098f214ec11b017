d = "C:\Mine\n";
fprintf('%d %s', numel(d), d);
