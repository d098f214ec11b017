#!/bin/sh
# Writes what GNU Octave prints for each program.
cd "$(dirname "$0")" || exit
for program in *.m; do
    octave-cli --quiet --norc "$program" > "${program%.m}.txt" 2>/dev/null
done
