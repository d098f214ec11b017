"""A matrix of order 4096 times a vector."""

import numpy as np

from . import uniform

TITLE = "`A * x`, order 4096"
FORMS = {"": "matrix_vector"}
ORDERS = "FC"
N = 4096
BYTES = 8 * N * N
OPERATIONS = 2 * N * N


def inputs():
    return [uniform(1, (N, N), -1, 1), uniform(2, N, -1, 1)]


def with_numpy(a, x):
    return lambda: (a @ x,)


def with_numba(a, x):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def product(a, x, y):
        for i in numba.prange(a.shape[0]):
            total = 0.0
            for j in range(a.shape[1]):
                total += a[i, j] * x[j]
            y[i] = total

    y = np.empty(N)

    def run():
        product(a, x, y)
        return (y,)

    return run


def with_jax(a, x):
    import jax

    product = jax.jit(lambda a, x: a @ x)
    return lambda: (product(a, x),)


def with_torch(a, x):
    return lambda: (a @ x,)
