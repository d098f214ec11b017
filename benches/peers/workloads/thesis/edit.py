"""The edit distance of two texts of 8192 characters."""

import numpy as np

from .. import uniform

TITLE, SIZE = "edit", "8192 characters"
FORMS = {"": "thesis.edit"}
ORDERS = "F"
OCTAVE, OCTAVE_SIZE = (200,), "200"


def inputs(n=8192):
    return [np.floor(uniform(seed, n, 97, 123)) for seed in (1, 2)]


def with_numba(a, b):
    import numba

    # a row of the table at a time, in place; what is kept in it is a cell of the row before until its turn comes
    @numba.njit
    def distance(a, b, row):
        n, m = len(a), len(b)
        for j in range(m + 1):
            row[j] = j
        for i in range(n):
            character, diagonal, cost = a[i], row[0], i + 1
            row[0] = cost
            for j in range(m):
                above = row[j + 1]
                cost = min(min(diagonal + (character != b[j]), above + 1), cost + 1)
                row[j + 1] = cost
                diagonal = above
        return row[m]

    codes = [text.astype(np.int64) for text in (a, b)]
    row = np.empty(b.size + 1, np.int64)
    return lambda: (np.array([float(distance(*codes, row))]),)
