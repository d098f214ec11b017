"""Lattice Boltzmann, D2Q9, on a torus of 512 × 512 cells, 50 steps.

The peers have each population in rows of its own, as MATLAB has them in columns of its own: the natural order of either.
"""

import numpy as np

from . import uniform

TITLE = "lattice Boltzmann 512², 50 steps"
FORMS = {"": "lattice", "contracted": "lattice_contracted"}
ORDERS = "FC"
N, STEPS = 512, 50
BYTES = 2 * 8 * 9 * N * N
OPERATIONS = 140 * N * N * STEPS
WEIGHTS = (4 / 9,) + (1 / 9,) * 4 + (1 / 36,) * 4
CX = (0, 1, 0, -1, 0, 1, -1, -1, 1)
CY = (0, 0, 1, 0, -1, 1, 1, -1, -1)


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

    # populations that come from below, from the left and so on
    @numba.njit(fastmath=True)
    def shifted(row, by, out):
        if by == 0:
            out[:] = row
        elif by == 1:
            out[1:] = row[:-1]
            out[0] = row[-1]
        else:
            out[:-1] = row[1:]
            out[-1] = row[0]

    # row by row, and within a row one short loop after the other, of which LLVM makes vectors
    @numba.njit(parallel=True, fastmath=True)
    def move(f, g):
        for j in numba.prange(N):
            for q in range(9):
                shifted(f[q, (j + N - CY[q]) % N], CX[q], g[q, j])
            ux, uy, rho = np.empty(N), np.empty(N), np.empty(N)
            h = g[:, j]
            for i in range(N):
                side, corners = h[1, i] + h[2, i] + h[3, i] + h[4, i], h[5, i] + h[6, i] + h[7, i] + h[8, i]
                rho[i] = h[0, i] + side + corners
            for i in range(N):
                ux[i] = (h[1, i] - h[3, i] + h[5, i] - h[6, i] - h[7, i] + h[8, i]) / rho[i]
            for i in range(N):
                uy[i] = (h[2, i] - h[4, i] + h[5, i] + h[6, i] - h[7, i] - h[8, i]) / rho[i]
            for q in range(9):
                cx, cy, weight, row = CX[q], CY[q], WEIGHTS[q], g[q, j]
                for i in range(N):
                    e = 3 * (cx * ux[i] + cy * uy[i])
                    s = 1.5 * (ux[i] * ux[i] + uy[i] * uy[i])
                    row[i] += 0.6 * (weight * rho[i] * (1 + e + 0.5 * e * e - s) - row[i])

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
