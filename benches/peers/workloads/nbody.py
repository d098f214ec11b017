"""Accelerations of 4096 bodies by all others."""

import math

import numpy as np

from . import uniform

TITLE = "n-body, 4096 bodies"
FORMS = {"arrays": "nbody", "loops": "nbody_loops"}
ORDERS = "F"
N = 4096
BYTES = 7 * 8 * N
OPERATIONS = 18 * N * N


def inputs():
    return [uniform(seed, N, -1, 1) for seed in (1, 2, 3)] + [uniform(4, N, 0.1, 1)]


def accelerations(lib, x, y, z, m):
    """The formula with a library of arrays."""
    dx, dy, dz = (v[None, :] - v[:, None] for v in (x, y, z))
    r2 = dx * dx + dy * dy + dz * dz + 1e-3
    w = m / (r2 * lib.sqrt(r2))
    return (w * dx).sum(1), (w * dy).sum(1), (w * dz).sum(1)


def with_numpy(*bodies):
    return lambda: accelerations(np, *bodies)


def with_numba(x, y, z, m):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def all_bodies(x, y, z, m, ax, ay, az):
        n = len(x)
        for i in numba.prange(n):
            a, b, c = 0.0, 0.0, 0.0
            xi, yi, zi = x[i], y[i], z[i]
            for j in range(n):
                dx, dy, dz = x[j] - xi, y[j] - yi, z[j] - zi
                r2 = dx * dx + dy * dy + dz * dz + 1e-3
                w = m[j] / (r2 * math.sqrt(r2))
                a += w * dx
                b += w * dy
                c += w * dz
            ax[i], ay[i], az[i] = a, b, c

    results = [np.empty_like(x) for _ in range(3)]

    def run():
        all_bodies(x, y, z, m, *results)
        return results

    return run


def with_jax(*bodies):
    import jax
    import jax.numpy as jnp

    compiled = jax.jit(lambda *bodies: accelerations(jnp, *bodies))
    return lambda: compiled(*bodies)


def with_torch(*bodies):
    import torch

    compiled = torch.compile(lambda *bodies: accelerations(torch, *bodies), dynamic=False)
    return lambda: compiled(*bodies)
