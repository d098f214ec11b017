"""Lattice Boltzmann, D2Q9, on a torus of 512 × 512 cells, 50 steps.

The peers have each population in rows of its own, as MATLAB has them in columns of its own: the natural order of either.
"""

import numpy as np

from . import uniform

TITLE = "lattice Boltzmann 512², 50 steps"
FORMS = {"": "lattice"}
ORDERS = "FC"
N, STEPS = 512, 50
BYTES = 2 * 8 * 9 * N * N
OPERATIONS = 140 * N * N * STEPS
WEIGHTS = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
CX = [0, 1, 0, -1, 0, 1, -1, -1, 1]
CY = [0, 0, 1, 0, -1, 1, 1, -1, -1]


def inputs():
    return [uniform(1, (N, N, 9), 0.5, 1) * np.array(WEIGHTS), STEPS]


def peer_result(place, array):
    """Back to cells first."""
    return array.T


def step(lib, f):
    """A step on populations first, then `y` and `x`."""
    f = [lib.roll(f[q], (CY[q], CX[q]), (0, 1)) for q in range(9)]
    rho = f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7] + f[8]
    ux = (f[1] - f[3] + f[5] - f[6] - f[7] + f[8]) / rho
    uy = (f[2] - f[4] + f[5] + f[6] - f[7] - f[8]) / rho
    s = 1.5 * (ux * ux + uy * uy)
    relaxed = []
    for q in range(9):
        e = 3 * (CX[q] * ux + CY[q] * uy)
        relaxed.append(f[q] + 0.6 * (WEIGHTS[q] * rho * (1 + e + 0.5 * e * e - s) - f[q]))
    return lib.stack(relaxed)


def with_numpy(f0, steps):
    f0 = f0.T.copy()

    def run():
        f = f0
        for _ in range(steps):
            f = step(np, f)
        return (f,)

    return run


def with_numba(f0, steps):
    import numba

    f0 = f0.T.copy()

    @numba.njit(fastmath=True, inline="always")
    def relaxed(f, weight, rho, e, s):
        return f + 0.6 * (weight * rho * (1 + e + 0.5 * e * e - s) - f)

    @numba.njit(fastmath=True)
    def cell(f, g, j, i, down, up, left, right):
        f0, f1, f2, f3, f4 = f[0, j, i], f[1, j, left], f[2, down, i], f[3, j, right], f[4, up, i]
        f5, f6, f7, f8 = f[5, down, left], f[6, down, right], f[7, up, right], f[8, up, left]
        rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8
        ux = (f1 - f3 + f5 - f6 - f7 + f8) / rho
        uy = (f2 - f4 + f5 + f6 - f7 - f8) / rho
        s = 1.5 * (ux * ux + uy * uy)
        g[0, j, i] = relaxed(f0, 4 / 9, rho, 0.0, s)
        g[1, j, i] = relaxed(f1, 1 / 9, rho, 3 * ux, s)
        g[2, j, i] = relaxed(f2, 1 / 9, rho, 3 * uy, s)
        g[3, j, i] = relaxed(f3, 1 / 9, rho, -3 * ux, s)
        g[4, j, i] = relaxed(f4, 1 / 9, rho, -3 * uy, s)
        g[5, j, i] = relaxed(f5, 1 / 36, rho, 3 * (ux + uy), s)
        g[6, j, i] = relaxed(f6, 1 / 36, rho, 3 * (uy - ux), s)
        g[7, j, i] = relaxed(f7, 1 / 36, rho, -3 * (ux + uy), s)
        g[8, j, i] = relaxed(f8, 1 / 36, rho, 3 * (ux - uy), s)

    # the first and the last column apart, so that the others are neighbours in memory
    @numba.njit(parallel=True, fastmath=True)
    def move(f, g):
        for j in numba.prange(N):
            down, up = (j + N - 1) % N, (j + 1) % N
            cell(f, g, j, 0, down, up, N - 1, 1)
            for i in range(1, N - 1):
                cell(f, g, j, i, down, up, i - 1, i + 1)
            cell(f, g, j, N - 1, down, up, N - 2, 0)

    spare = [np.empty_like(f0), np.empty_like(f0)]

    def run():
        f = f0
        for turn in range(steps):
            move(f, spare[turn % 2])
            f = spare[turn % 2]
        return (f,)

    return run


def with_jax(f0, steps):
    import jax
    import jax.numpy as jnp

    f0 = f0.T.copy()
    all_steps = jax.jit(lambda f: jax.lax.fori_loop(0, steps, lambda _, f: step(jnp, f), f))
    return lambda: (all_steps(f0),)


def with_torch(f0, steps):
    import torch

    f0 = f0.permute(2, 1, 0).contiguous()
    compiled = torch.compile(lambda f: step(torch, f), dynamic=False)

    def run():
        f = f0
        for _ in range(steps):
            f = compiled(f)
        return (f,)

    return run
