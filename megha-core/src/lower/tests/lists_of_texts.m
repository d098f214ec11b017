p = strsplit('a,b,,c', ',');
for k = 1:numel(p), printf('[%s]', p{k}); end
disp('')
p = strsplit('a,b,,c', ',', 'CollapseDelimiters', false); numel(p)
q = strsplit(' one two  three '); numel(q)
strjoin({'a', 'b', 'c'}, '-')
strjoin({'a', 'b', 'c'})
strjoin({'a', 'b'}, '\n')
strjoin(p, ', ')
any(strcmp('b', {'a', 'b'}))
strcmp({'a', 'b'}, 'b')
strcmpi({'A'; 'b'}, 'a')
strcmp({'a', 'b'}, {'a', 'c'})
ismember('b', {'a', 'b'})
[tf, loc] = ismember('b', {'a', 'b'})
find(strcmp({'x', 'yy', 'zzz'}, 'yy'))
u = upper({'ab', 'cd'}); u{2}
numel(strsplit('', ','))
v = strcat({'a ', 'b'}, 'x'); v{1}, v{2}
w = strcat('a ', {'b'}); w{1}
s = 'ab'; s(1) = []; s
r = str2double(strsplit('1.5 2 x', ' '))
