"""The heat equation on 128 × 128 × 128 points, 20 steps of seven points each."""

from . import uniform

TITLE = "heat 128³, 20 steps"
FORMS = {"": "heat3"}
ORDERS = "FC"
N, STEPS = 128, 20
BYTES = 2 * 8 * N**3
OPERATIONS = 9 * N**3 * STEPS


def inputs():
    return [uniform(1, (N, N, N), 0, 1), STEPS]


def change(u):
    """What a step adds to the points inside."""
    i, m = slice(1, -1), u[1:-1, 1:-1, 1:-1]
    return 0.1 * (((u[:-2, i, i] + u[2:, i, i]) + (u[i, :-2, i] + u[i, 2:, i])) + (u[i, i, :-2] + u[i, i, 2:]) - 6 * m)


def with_numpy(u0, steps):
    def run():
        u = u0.copy()
        for _ in range(steps):
            u[1:-1, 1:-1, 1:-1] += change(u)
        return (u,)

    return run


def with_numba(u0, steps):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def step(u, v):
        n, m, l = u.shape
        for i in numba.prange(1, n - 1):
            for j in range(1, m - 1):
                for k in range(1, l - 1):
                    sides = ((u[i - 1, j, k] + u[i + 1, j, k]) + (u[i, j - 1, k] + u[i, j + 1, k])) + (u[i, j, k - 1] + u[i, j, k + 1])
                    v[i, j, k] = u[i, j, k] + 0.1 * (sides - 6 * u[i, j, k])

    def run():
        u, v = u0.copy(), u0.copy()
        for _ in range(steps):
            step(u, v)
            u, v = v, u
        return (u,)

    return run


def with_jax(u0, steps):
    import jax

    all_steps = jax.jit(lambda u: jax.lax.fori_loop(0, steps, lambda _, u: u.at[1:-1, 1:-1, 1:-1].add(change(u)), u))
    return lambda: (all_steps(u0),)


def with_torch(u0, steps):
    import torch

    def step(u, v):
        v[1:-1, 1:-1, 1:-1] = u[1:-1, 1:-1, 1:-1] + change(u)

    step = torch.compile(step, dynamic=False)

    def run():
        u, v = u0.clone(), u0.clone()
        for _ in range(steps):
            step(u, v)
            u, v = v, u
        return (u,)

    return run
