"""Softmax of each row of a matrix of order 4096."""

import math

import numpy as np

from . import uniform

TITLE = "softmax of rows, order 4096"
FORMS = {"arrays": "softmax", "row by row": "softmax_rows"}
ORDERS = "FC"
N = 4096
BYTES = 2 * 8 * N * N
OPERATIONS = 5 * N * N


def inputs():
    return [uniform(1, (N, N), -4, 4)]


def with_numpy(a):
    def run():
        e = np.exp(a - a.max(1, keepdims=True))
        return (e / e.sum(1, keepdims=True),)

    return run


def with_numba(a):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def softmax(a, y):
        for i in numba.prange(a.shape[0]):
            largest = a[i, 0]
            for j in range(a.shape[1]):
                largest = max(largest, a[i, j])
            total = 0.0
            for j in range(a.shape[1]):
                y[i, j] = math.exp(a[i, j] - largest)
                total += y[i, j]
            for j in range(a.shape[1]):
                y[i, j] /= total

    y = np.empty((N, N))

    def run():
        softmax(a, y)
        return (y,)

    return run


def with_jax(a):
    import jax

    softmax = jax.jit(lambda a: jax.nn.softmax(a, axis=1))
    return lambda: (softmax(a),)


def with_torch(a):
    import torch

    softmax = torch.compile(lambda a: torch.softmax(a, 1), dynamic=False)
    return lambda: (softmax(a),)
