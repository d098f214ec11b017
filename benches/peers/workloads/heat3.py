"""The heat equation on 128 × 128 × 128 points, 20 steps of seven points each."""

from . import heat, uniform

TITLE = "heat 128³, 20 steps"
FORMS = {"": "heat3", "contracted": "heat3_contracted"}
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
    return heat.with_numpy(u0, steps, change)


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

    return heat.alternating(step, steps, u0.copy)


def with_jax(u0, steps):
    return heat.with_jax(u0, steps, change)


def with_torch(u0, steps):
    return heat.with_torch(u0, steps, change)
