"""Shortest paths between 512 nodes by Floyd and Warshall."""

import numpy as np

from . import uniform

TITLE = "Floyd–Warshall, 512 nodes"
FORMS = {"`min`": "floyd", "loops": "floyd_loops"}
ORDERS = "FC"
N = 512
BYTES = 2 * 8 * N * N
OPERATIONS = 2 * N**3


def inputs():
    return [uniform(1, (N, N), 1, 100)]


def with_numpy(d0):
    def run():
        d = d0.copy()
        for k in range(N):
            np.minimum(d, d[:, k, None] + d[None, k, :], out=d)
        return (d,)

    return run


def with_numba(d0):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def step(d, k):
        for i in numba.prange(N):
            first = d[i, k]
            for j in range(N):
                d[i, j] = min(d[i, j], first + d[k, j])

    def run():
        d = d0.copy()
        for k in range(N):
            step(d, k)
        return (d,)

    return run


def with_jax(d0):
    import jax
    import jax.numpy as jnp

    def step(k, d):
        return jnp.minimum(d, d[:, k, None] + d[None, k, :])

    paths = jax.jit(lambda d: jax.lax.fori_loop(0, N, step, d))
    return lambda: (paths(d0),)


def with_torch(d0):
    import torch

    def run():
        d = d0.clone()
        for k in range(N):
            torch.minimum(d, d[:, k, None] + d[None, k, :], out=d)
        return (d,)

    return run
