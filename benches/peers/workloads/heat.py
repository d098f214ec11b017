"""The heat equation on 2048 × 2048 points, 100 steps of five points each."""

from . import uniform

TITLE = "heat 2048², 100 steps"
FORMS = {"slices": "heat", "slices of a copy": "heat_copy", "loops": "heat_loops"}
ORDERS = "FC"
N, STEPS = 2048, 100
BYTES = 2 * 8 * N * N
OPERATIONS = 7 * N * N * STEPS


def inputs():
    return [uniform(1, (N, N), 0, 1), STEPS]


def change(u):
    """What a step adds to the points inside."""
    return 0.1 * ((u[:-2, 1:-1] + u[2:, 1:-1]) + (u[1:-1, :-2] + u[1:-1, 2:]) - 4 * u[1:-1, 1:-1])


def inside(u):
    return (slice(1, -1),) * u.ndim


def alternating(step, steps, copy):
    """Steps from one array into another and back; `copy` makes either."""

    def run():
        u, v = copy(), copy()
        for _ in range(steps):
            step(u, v)
            u, v = v, u
        return (u,)

    return run


def with_numpy(u0, steps, change=change):
    def run():
        u = u0.copy()
        for _ in range(steps):
            u[inside(u)] += change(u)
        return (u,)

    return run


def with_numba(u0, steps):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def step(u, v):
        n, m = u.shape
        for i in numba.prange(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = u[i, j] + 0.1 * ((u[i - 1, j] + u[i + 1, j]) + (u[i, j - 1] + u[i, j + 1]) - 4 * u[i, j])

    return alternating(step, steps, u0.copy)


def with_jax(u0, steps, change=change):
    import jax

    all_steps = jax.jit(lambda u: jax.lax.fori_loop(0, steps, lambda _, u: u.at[inside(u)].add(change(u)), u))
    return lambda: (all_steps(u0),)


def with_torch(u0, steps, change=change):
    import torch

    def step(u, v):
        v[inside(u)] = u[inside(u)] + change(u)

    return alternating(torch.compile(step, dynamic=False), steps, u0.clone)
