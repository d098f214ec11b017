"""The workloads, a module each.

A module has:
- `TITLE`, the row's name, and `FORMS`: for each way of writing the program that is measured, the name of Megha's program in `src/programs.rs`;
- `ORDERS`: the memory orders of Megha's arguments that are measured, `F` for columns first and `C` for rows first;
- `inputs()`: the arguments, arrays of doubles and numbers, for Megha and the peers alike;
- `BYTES` and `OPERATIONS`, the least that any program must do: each argument read and each result written once, additions and
  multiplications one each, and one for a division, a root, `exp`, `log` or `erf`;
- `with_numpy`, `with_scipy`, `with_numba`, `with_jax`, `with_torch`, those that there are: each takes the arguments as the library's arrays and
  gives a function without arguments that does the work and returns the results. It may keep arrays for results from call to call, which Megha
  may not;
- where results differ in form, `result(form, array)`: what of Megha's result is compared; and where they may differ, `agree(ours, theirs)`.

Results agree if they differ by at most 1e-9 of the largest.
"""

import numpy as np


def uniform(seed, shape, low, high):
    """Numbers between `low` and `high` by splitmix64, the same on every machine."""
    with np.errstate(over="ignore"):
        z = (np.arange(np.prod(shape), dtype=np.uint64) + np.uint64((seed << 40) + 1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return (low + (high - low) * ((z >> np.uint64(11)) * 2.0**-53)).reshape(shape)
