"""Maxwell's equations on 128 × 128 × 64 cells, 20 steps of six fields."""

import numpy as np

from . import uniform

TITLE = "FDTD 128 × 128 × 64, 20 steps"
FORMS = {"": "fdtd"}
ORDERS = "FC"
SIZES, STEPS = (128, 128, 64), 20
POINTS = 128 * 128 * 64
BYTES = 5 * 8 * POINTS
OPERATIONS = 6 * 5 * POINTS * STEPS
C = 0.3


def inputs():
    return [uniform(1, SIZES, 0, 1), STEPS]


def step(ex, ey, ez, hx, hy, hz):
    """A step in place, on NumPy's or torch's arrays."""
    hx[:, :-1, :-1] -= C * ((ez[:, 1:, :-1] - ez[:, :-1, :-1]) - (ey[:, :-1, 1:] - ey[:, :-1, :-1]))
    hy[:-1, :, :-1] -= C * ((ex[:-1, :, 1:] - ex[:-1, :, :-1]) - (ez[1:, :, :-1] - ez[:-1, :, :-1]))
    hz[:-1, :-1, :] -= C * ((ey[1:, :-1, :] - ey[:-1, :-1, :]) - (ex[:-1, 1:, :] - ex[:-1, :-1, :]))
    ex[:, 1:, 1:] += C * ((hz[:, 1:, 1:] - hz[:, :-1, 1:]) - (hy[:, 1:, 1:] - hy[:, 1:, :-1]))
    ey[1:, :, 1:] += C * ((hx[1:, :, 1:] - hx[1:, :, :-1]) - (hz[1:, :, 1:] - hz[:-1, :, 1:]))
    ez[1:, 1:, :] += C * ((hy[1:, 1:, :] - hy[:-1, 1:, :]) - (hx[1:, 1:, :] - hx[1:, :-1, :]))


def with_numpy(e0, steps):
    def run():
        fields = [e0.copy() for _ in range(3)] + [np.zeros_like(e0) for _ in range(3)]
        for _ in range(steps):
            step(*fields)
        return fields[:4]

    return run


def with_numba(e0, steps):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def magnetic(ex, ey, ez, hx, hy, hz):
        nx, ny, nz = ex.shape
        for i in numba.prange(nx):
            for j in range(ny):
                if j + 1 < ny:
                    for k in range(nz - 1):
                        hx[i, j, k] -= C * ((ez[i, j + 1, k] - ez[i, j, k]) - (ey[i, j, k + 1] - ey[i, j, k]))
                if i + 1 < nx:
                    for k in range(nz - 1):
                        hy[i, j, k] -= C * ((ex[i, j, k + 1] - ex[i, j, k]) - (ez[i + 1, j, k] - ez[i, j, k]))
                    if j + 1 < ny:
                        for k in range(nz):
                            hz[i, j, k] -= C * ((ey[i + 1, j, k] - ey[i, j, k]) - (ex[i, j + 1, k] - ex[i, j, k]))

    @numba.njit(parallel=True, fastmath=True)
    def electric(ex, ey, ez, hx, hy, hz):
        nx, ny, nz = ex.shape
        for i in numba.prange(nx):
            for j in range(ny):
                if j > 0:
                    for k in range(1, nz):
                        ex[i, j, k] += C * ((hz[i, j, k] - hz[i, j - 1, k]) - (hy[i, j, k] - hy[i, j, k - 1]))
                if i > 0:
                    for k in range(1, nz):
                        ey[i, j, k] += C * ((hx[i, j, k] - hx[i, j, k - 1]) - (hz[i, j, k] - hz[i - 1, j, k]))
                    if j > 0:
                        for k in range(nz):
                            ez[i, j, k] += C * ((hy[i, j, k] - hy[i - 1, j, k]) - (hx[i, j, k] - hx[i, j - 1, k]))

    def run():
        fields = [e0.copy() for _ in range(3)] + [np.zeros_like(e0) for _ in range(3)]
        for _ in range(steps):
            magnetic(*fields)
            electric(*fields)
        return fields[:4]

    return run


def with_jax(e0, steps):
    import jax
    import jax.numpy as jnp

    def step(_, fields):
        ex, ey, ez, hx, hy, hz = fields
        hx = hx.at[:, :-1, :-1].add(-C * ((ez[:, 1:, :-1] - ez[:, :-1, :-1]) - (ey[:, :-1, 1:] - ey[:, :-1, :-1])))
        hy = hy.at[:-1, :, :-1].add(-C * ((ex[:-1, :, 1:] - ex[:-1, :, :-1]) - (ez[1:, :, :-1] - ez[:-1, :, :-1])))
        hz = hz.at[:-1, :-1, :].add(-C * ((ey[1:, :-1, :] - ey[:-1, :-1, :]) - (ex[:-1, 1:, :] - ex[:-1, :-1, :])))
        ex = ex.at[:, 1:, 1:].add(C * ((hz[:, 1:, 1:] - hz[:, :-1, 1:]) - (hy[:, 1:, 1:] - hy[:, 1:, :-1])))
        ey = ey.at[1:, :, 1:].add(C * ((hx[1:, :, 1:] - hx[1:, :, :-1]) - (hz[1:, :, 1:] - hz[:-1, :, 1:])))
        ez = ez.at[1:, 1:, :].add(C * ((hy[1:, 1:, :] - hy[:-1, 1:, :]) - (hx[1:, 1:, :] - hx[1:, :-1, :])))
        return ex, ey, ez, hx, hy, hz

    @jax.jit
    def all_steps(e0):
        zero = jnp.zeros_like(e0)
        return jax.lax.fori_loop(0, steps, step, (e0, e0, e0, zero, zero, zero))[:4]

    return lambda: all_steps(e0)


def with_torch(e0, steps):
    import torch

    compiled = torch.compile(step, dynamic=False)

    def run():
        fields = [e0.clone() for _ in range(3)] + [torch.zeros_like(e0) for _ in range(3)]
        for _ in range(steps):
            compiled(*fields)
        return fields[:4]

    return run
