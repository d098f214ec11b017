% Writes a golden file, whose format make.m describes: names and values of the inputs and of the
% outputs as cell arrays.  RANK is the least number of sizes that an output is written with.
function write_golden(path, program, inputs, arguments, outputs, results, rank)
    file = fopen(path, 'w');
    fprintf(file, 'megha-golden 1 %s\n', program);
    for k = 1:numel(inputs)
        write_array(file, 'in', inputs{k}, arguments{k}, 2);
    end
    for k = 1:numel(results)
        write_array(file, 'out', outputs{k}, results{k}, rank);
    end
    fclose(file);
end

function write_array(file, role, name, value, rank)
    sizes = size(value);
    sizes(end+1:rank) = 1;
    fprintf(file, '%s %s%s\n', role, name, sprintf(' %d', sizes));
    words = cellstr(num2hex(double(value(:))));
    for first = 1:8:numel(value)
        last = min(first + 7, numel(value));
        fprintf(file, '%s\n', strjoin(words(first:last)', ' '));
    end
end
