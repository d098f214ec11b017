"""The sums of the rows of a matrix of order 4096."""

import numpy as np

from . import uniform

TITLE = "row sums, order 4096"
FORMS = {"": "row_sums"}
ORDERS = "FC"
N = 4096
BYTES = 8 * N * N
OPERATIONS = N * N


def inputs():
    return [uniform(1, (N, N), 0, 1)]


def with_numpy(a, along=1):
    return lambda: (a.sum(along),)


def with_numba(a):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def row_sums(a, y):
        for i in numba.prange(a.shape[0]):
            total = 0.0
            for j in range(a.shape[1]):
                total += a[i, j]
            y[i] = total

    y = np.empty(N)

    def run():
        row_sums(a, y)
        return (y,)

    return run


def with_jax(a, along=1):
    import jax

    sums = jax.jit(lambda a: a.sum(along))
    return lambda: (sums(a),)


def with_torch(a, along=1):
    import torch

    sums = torch.compile(lambda a: a.sum(along), dynamic=False)
    return lambda: (sums(a),)
