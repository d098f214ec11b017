"""Laplace's equation on 1024 × 1024 points, 50 sweeps of over-relaxation, red points before black ones."""

from . import uniform

TITLE = "SOR red–black 1024², 50 sweeps"
FORMS = {"loops": "sor", "contracted": "sor_contracted"}
ORDERS = "FC"
N, SWEEPS = 1024, 50
BYTES = 2 * 8 * N * N
OPERATIONS = 7 * N * N * SWEEPS


def inputs():
    return [uniform(1, (N, N), 0, 1), SWEEPS]


def with_numpy(u0, sweeps):
    def run():
        u = u0.copy()
        for _ in range(sweeps):
            for colour in (0, 1):
                # rows of each parity, whose points of this colour begin at 1 or 2
                for row in (1, 2):
                    column = 1 + (row + 1 + colour) % 2
                    i, j = slice(row, -1, 2), slice(column, -1, 2)
                    up, down = slice(row - 1, -2, 2), slice(row + 1, None, 2)
                    left, right = slice(column - 1, -2, 2), slice(column + 1, None, 2)
                    u[i, j] += 0.45 * ((u[up, j] + u[down, j]) + (u[i, left] + u[i, right]) - 4 * u[i, j])
        return (u,)

    return run


def with_numba(u0, sweeps):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def sweep(u, colour):
        n, m = u.shape
        for i in numba.prange(1, n - 1):
            for j in range(1 + (i + 1 + colour) % 2, m - 1, 2):
                u[i, j] += 0.45 * ((u[i - 1, j] + u[i + 1, j]) + (u[i, j - 1] + u[i, j + 1]) - 4 * u[i, j])

    def run():
        u = u0.copy()
        for _ in range(sweeps):
            sweep(u, 0)
            sweep(u, 1)
        return (u,)

    return run


def masked(lib, u0):
    """Where the points of both colours are, and a step on all of one colour."""
    i = lib.arange(1, N - 1)
    red = (i[:, None] + i[None, :]) % 2 == 0

    def half(u, colour):
        inside = u[1:-1, 1:-1]
        change = 0.45 * ((u[:-2, 1:-1] + u[2:, 1:-1]) + (u[1:-1, :-2] + u[1:-1, 2:]) - 4 * inside)
        return lib.where(red if colour == 0 else ~red, inside + change, inside)

    return half


def with_jax(u0, sweeps):
    import jax
    import jax.numpy as jnp

    half = masked(jnp, u0)

    def sweep(_, u):
        for colour in (0, 1):
            u = u.at[1:-1, 1:-1].set(half(u, colour))
        return u

    all_sweeps = jax.jit(lambda u: jax.lax.fori_loop(0, sweeps, sweep, u))
    return lambda: (all_sweeps(u0),)


def with_torch(u0, sweeps):
    import torch

    half = masked(torch, u0)

    def step(u, v):
        v[1:-1, 1:-1] = half(u, 0)
        u[1:-1, 1:-1] = half(v, 1)

    step = torch.compile(step, dynamic=False)

    def run():
        u, v = u0.clone(), u0.clone()
        for _ in range(sweeps):
            step(u, v)
        return (u,)

    return run
