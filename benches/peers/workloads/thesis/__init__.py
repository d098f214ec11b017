"""The twelve programs of MEGHA's thesis (`examples/matlab`) at the largest sizes of its tables 3.2 and 3.3 that take some seconds at most here.

A module has what other workloads have, in Numba alone, and:
- `SIZE`, as the table of `report.py` names it;
- where Octave would take longer than that: `OCTAVE`, arguments of `inputs` for the sizes at which it is compared with Megha, and `OCTAVE_SIZE`.

The bytes and operations that any program must do are not counted: the ratios are the bar.
"""
