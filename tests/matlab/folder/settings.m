% A script that others run by its name: what it assigns is theirs.
width = 3;
more_settings
if width > limit, width = limit; end
for unused = 1:2, more_settings; end
settings_of_parts.first = beside(width);
