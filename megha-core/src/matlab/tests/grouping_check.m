% Checks grouping.txt with GNU Octave: both sides of a line must give the same value, or an error where an
% error number stands. Run in this folder: octave --no-gui --quiet grouping_check.m
1;
warning off
function s = outcome(text, a, b, x)
  try
    v = eval([text ";"]);
    if iscell(v)
      s = ["cell " mat2str(size(v)) " " strjoin(cellfun(@(e) outcome_of(e), v(:)', "UniformOutput", false), "|")];
    else
      s = outcome_of(v);
    end
  catch
    s = "error";
  end
end
function s = outcome_of(v)
  if is_function_handle(v)
    s = ["handle " mat2str(v(10))];
  else
    s = [class(v) " " mat2str(size(v)) " " sprintf("%.17g%+.17gi ", [real(double(v(:)))'; imag(double(v(:)))'])];
  end
end
values = {{3, 2, [4 5 6]}, {0, -1.5, [1 0 -2]}, {2+1i, 4-3i, [1i 2 3]}, {[1 2; 3 4], [2 0; 1 1], [3 1 2]}, {3, 2, 2-1i}};
failures = 0;
checked = 0;
for line = strsplit(fileread("grouping.txt"), "\n")
  text = line{1};
  if isempty(text) || text(1) == "%"
    continue
  end
  at = strfind(text, " => ")(1);
  source = strrep(strtrim(text(1:at)), "\\n", "\n");
  expected = strtrim(text(at+4:end));
  compared = false;
  for k = 1:numel(values)
    [a, b, x] = values{k}{:};
    left = outcome(source, a, b, x);
    if regexp(expected, "^M\\d+$")
      right = "error";
    else
      right = outcome(expected, a, b, x);
      compared = compared || ! strcmp(right, "error");
    end
    if ! strcmp(left, right)
      printf("%s => %s: %s but %s\n", source, expected, left, right);
      failures++;
      break
    end
  end
  checked++;
  if ! compared && expected(1) != "M"
    printf("never without error: %s\n", source);
  end
end
printf("%d checked, %d differ\n", checked, failures);
