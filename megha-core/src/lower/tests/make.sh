#!/bin/sh
# Writes what GNU Octave prints for each program.
cd "$(dirname "$0")" || exit
for program in *.m; do
    octave-cli --quiet --norc "$program" > "${program%.m}.txt" 2>/dev/null
done
# And for each line how it ends: what it prints before it fails.
octave-cli --quiet --norc --eval "file = fopen('failing.lines'); while ischar(line = fgetl(file)), \
    state = 'goes on'; text = evalc('try, eval(line), catch, state = \"fails\"; end'); \
    printf('%s \"%s\"\n', state, strrep(text, \"\n\", '\n')); end" > failing.txt 2>/dev/null
