% Sorted characters are a text, whose codes stay numbers in arithmetic; a text in int2str is itself.
t = sort('hello')
u = unique('hello')
[d, at] = sort('banana', 'descend')
w = ['x' num2str(31)];
s = sort(w)
n = sort('ba') + 1
r = int2str('abc')
q = int2str(w)
disp(class(s))
