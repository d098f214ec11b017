% Writes what report.m, corners.m, classes.m, shown.m and lists.m print in GNU Octave 7.3 to report.txt and so on:
%
%   octave-cli --quiet --norc tests/output/make.m

folder = fileparts(mfilename('fullpath'));
addpath(folder);
text = evalc('total = report([1.5 -2; 3.25 40], 2);');
file = fopen(fullfile(folder, 'report.txt'), 'w');
fputs(file, text);
fclose(file);

% Octave warns that it makes a character of a number.
warning('off', 'all');
text = evalc('corners(3, 0, 2, 0.1);');
file = fopen(fullfile(folder, 'corners.txt'), 'w');
fputs(file, text);
fclose(file);

text = evalc('classes(3);');
file = fopen(fullfile(folder, 'classes.txt'), 'w');
fputs(file, text);
fclose(file);

for program = {'shown', 'lists'}
    text = evalc([program{1}, '(3, 0.5);']);
    file = fopen(fullfile(folder, [program{1}, '.txt']), 'w');
    fputs(file, text);
    fclose(file);
end

% What tests/output/errors.rs expects of faulty.m.
for k = [1:7, 9]
    try
        faulty(k);
    catch problem
        printf('%d [%s] %s\n', k, problem.identifier, problem.message);
    end
end
