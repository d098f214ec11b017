% Numbers in texts of several rows, a number for each row, and texts of several numbers.
table = hex2dec(['0000'; '1189'; 'b29F']); table', table(1 + 2)
bin2dec(['0010'; '1 01'; '  11'; '    '])', bin2dec(['12'; 'ab'])', size(bin2dec('')), bin2dec('  ')
str2num(['1 '; '23'])', str2double(['1e2'; ' .5'; 'x  '])'
dec2bin([1 5 2]), dec2bin((0:3)', 3), dec2hex([10 300], 5), dec2base(123, 7), dec2base([5 100], 36), dec2bin(6) - '0'
rows = dec2bin(0:3);
for k = 1:4, for p = 1:2, if rows(k, p) == '0', printf('.'), else, printf('#'), end, end, end, printf('\n');
strtrim([' ab '; '  c ']), deblank(['ab '; ' c '])
n = numel(find(table)); bits = dec2bin(n:n + 2), bin2dec(bits)'
