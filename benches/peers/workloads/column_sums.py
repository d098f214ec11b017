"""The sums of the columns of a matrix of order 4096."""

import numpy as np

from . import row_sums
from .row_sums import BYTES, N, OPERATIONS, ORDERS, inputs

TITLE = "column sums, order 4096"
FORMS = {"": "column_sums"}


def with_numpy(a):
    return row_sums.with_numpy(a, 0)


def with_numba(a):
    import numba

    # a band of columns for each thread, four rows at a time
    @numba.njit(parallel=True, fastmath=True)
    def column_sums(a, y, bands):
        width = a.shape[1] // bands
        for band in numba.prange(bands):
            low, high = band * width, (band + 1) * width
            y[low:high] = 0.0
            for i in range(0, a.shape[0], 4):
                for j in range(low, high):
                    y[j] += (a[i, j] + a[i + 1, j]) + (a[i + 2, j] + a[i + 3, j])

    y, bands = np.empty(N), numba.get_num_threads()
    while N % bands:
        bands -= 1

    def run():
        column_sums(a, y, bands)
        return (y,)

    return run


def with_jax(a):
    return row_sums.with_jax(a, 0)


def with_torch(a):
    return row_sums.with_torch(a, 0)
