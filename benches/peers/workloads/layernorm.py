"""Layer normalisation of each row of a matrix of order 4096, with gain and bias."""

import math

import numpy as np

from . import uniform

TITLE = "layer norm of rows, order 4096"
FORMS = {"": "layernorm"}
ORDERS = "FC"
N = 4096
BYTES = 2 * 8 * N * N
OPERATIONS = 7 * N * N


def inputs():
    return [uniform(1, (N, N), -4, 4), uniform(2, N, 0.5, 2), uniform(3, N, -1, 1)]


def with_numpy(a, g, b):
    def run():
        d = a - a.mean(1, keepdims=True)
        return (d / np.sqrt((d * d).mean(1, keepdims=True) + 1e-5) * g + b,)

    return run


def with_numba(a, g, b):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def layernorm(a, g, b, y):
        n, m = a.shape
        for i in numba.prange(n):
            total = 0.0
            for j in range(m):
                total += a[i, j]
            mean, squares = total / m, 0.0
            for j in range(m):
                squares += (a[i, j] - mean) ** 2
            scale = 1 / math.sqrt(squares / m + 1e-5)
            for j in range(m):
                y[i, j] = (a[i, j] - mean) * scale * g[j] + b[j]

    y = np.empty((N, N))

    def run():
        layernorm(a, g, b, y)
        return (y,)

    return run


def with_jax(a, g, b):
    import jax
    import jax.numpy as jnp

    @jax.jit
    def layernorm(a, g, b):
        d = a - a.mean(1, keepdims=True)
        return d / jnp.sqrt((d * d).mean(1, keepdims=True) + 1e-5) * g + b

    return lambda: (layernorm(a, g, b),)


def with_torch(a, g, b):
    import torch

    layernorm = torch.compile(lambda a, g, b: torch.nn.functional.layer_norm(a, (N,), g, b, 1e-5), dynamic=False)
    return lambda: (layernorm(a, g, b),)
