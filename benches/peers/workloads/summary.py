"""Sum, mean and largest of 10,000,000 numbers."""

from . import uniform

TITLE = "sum, mean and max of 10⁷"
FORMS = {"": "summary"}
ORDERS = "F"
N = 10_000_000
BYTES = 8 * N
OPERATIONS = 2 * N


def inputs():
    return [uniform(1, N, 0, 1)]


def with_numpy(x):
    return lambda: (x.sum(), x.mean(), x.max())


def with_numba(x):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def summary(x):
        total, largest = 0.0, x[0]
        for i in numba.prange(len(x)):
            total += x[i]
            largest = max(largest, x[i])
        return total, total / len(x), largest

    return lambda: summary(x)


def with_jax(x):
    import jax

    summary = jax.jit(lambda x: (x.sum(), x.mean(), x.max()))
    return lambda: summary(x)


def with_torch(x):
    import torch

    summary = torch.compile(lambda x: (x.sum(), x.mean(), x.max()), dynamic=False)
    return lambda: summary(x)
