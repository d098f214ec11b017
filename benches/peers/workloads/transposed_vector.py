"""A transposed matrix of order 4096 times a vector."""

import numpy as np

from .matrix_vector import BYTES, N, OPERATIONS, ORDERS, inputs

TITLE = "`A' * x`, order 4096"
FORMS = {"": "transposed_vector"}


def with_numpy(a, x):
    return lambda: (a.T @ x,)


def with_numba(a, x):
    import numba

    # a band of columns for each thread, four rows at a time
    @numba.njit(parallel=True, fastmath=True)
    def product(a, x, y, bands):
        width = a.shape[1] // bands
        for band in numba.prange(bands):
            low, high = band * width, (band + 1) * width
            y[low:high] = 0.0
            for i in range(0, a.shape[0], 4):
                x0, x1, x2, x3 = x[i], x[i + 1], x[i + 2], x[i + 3]
                for j in range(low, high):
                    y[j] += (a[i, j] * x0 + a[i + 1, j] * x1) + (a[i + 2, j] * x2 + a[i + 3, j] * x3)

    y, bands = np.empty(N), numba.get_num_threads()
    while N % bands:
        bands -= 1

    def run():
        product(a, x, y, bands)
        return (y,)

    return run


def with_jax(a, x):
    import jax

    product = jax.jit(lambda a, x: a.T @ x)
    return lambda: (product(a, x),)


def with_torch(a, x):
    return lambda: (a.T @ x,)
