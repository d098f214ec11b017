function [r, script] = runs_scripts(x)
% The variable `script` hides the script of that name.
  script = 5; script;
  if x > 0, settings; else, width = 0; limit = 7; settings_of_parts.first = 1; end
  r = x + 10 * width + 100 * limit + 1000 * settings_of_parts.first;
end
