% Texts whose characters only the run knows.
words = 'the quick Brown fox';
n = numel(find(words == 'o')); out = ''; count = 0;
for k = 1:length(words)
    c = words(k);
    if isspace(c)
        out = [out '_'];
    elseif isletter(c) && ~isupper(c)
        out(end + 1) = upper(c);
        count = count + 1;
    else
        out = [out lower(c)];
    end
end
out, disp(out), fprintf('<%s> %d\n', out, count); printf('[%s]\n', fliplr(out));
class(out), ischar(out), length(out), double(out(1:3))
strcmp(out, 'THE_QUICK_bROWN_FOX'), strcmpi(out, words), strncmp(out, 'THEM', 3), strcmp(out, 'THE')
str = num2str(100 * n + 37); str - '0', str(end), length(str), sum(str == '2'), str(end:-1:1)
str2num(fliplr(str)), str2double(['1' str '.5']), str2double('1e3'), str2double([out 'x'])
b = dec2bin(n + 8), dec2bin(n, 6), bin2dec(b), bin2dec('1011'), hex2dec('FF'), hex2dec(upper(['a' b(1)]))
t = ['a':'e']; t(n) = 'Z'; t, t([1 end]) = 'xy'
u = 'abc'; u(2) = 'X', ['<' t '>'], strtrim([' ' t '  ']), repmat('-', 1, n + 1)
for c = out(1:3), switch c, case 'T', disp('tee'), case {'E', 'F'}, disp('vowel or not'), otherwise, disp(c), end, end
switch 66 + 0 * n, case 'A', disp('A'), case 'B', disp('B'), end
if n > 1, name = [out(1:2) 'x']; else name = 'none'; end
name
x = sprintf('%d', -12 * n); x, x(1), numel(x)
