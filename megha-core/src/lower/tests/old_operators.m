% Octave still reads `.+` and `.-`.
disp(1 .+ [1 2])
x = [3 4];
disp(x.-1), disp([x .+2])
