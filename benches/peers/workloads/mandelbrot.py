"""How long 1024 × 1024 points stay inside, of 200 iterations."""

import numpy as np

TITLE = "Mandelbrot 1024², 200 iterations"
FORMS = {"arrays": "mandelbrot", "loops": "mandelbrot_loops", "contracted": "mandelbrot_loops_contracted"}
ORDERS = "F"
N, ITERATIONS = 1024, 200
BYTES = 8 * N * N
# what is left out once a point is outside is not counted: 8 operations for each of the iterations that are inside
OPERATIONS = 8 * 56_273_792


def inputs():
    steps = np.arange(N) / (N - 1)
    return [-2 + 2.5 * steps, -1.25 + 2.5 * steps]


def agree(ours, theirs):
    """Where multiply-adds are fused, a few points at the edge leave at another time."""
    return np.mean(ours != theirs) < 1e-3


def with_numpy(cr, ci):
    def run():
        zr, zi, k = (np.zeros((N, N)) for _ in range(3))
        with np.errstate(all="ignore"):
            for _ in range(ITERATIONS):
                r2, i2 = zr * zr, zi * zi
                k += r2 + i2 <= 4
                zi = 2 * zr * zi + ci[:, None]
                zr = r2 - i2 + cr
        return (k,)

    return run


def with_numba(cr, ci):
    import numba

    # without the flags that assume that there is no infinity
    @numba.njit(parallel=True, fastmath={"contract", "arcp", "nsz", "reassoc"})
    def points(cr, ci, k):
        for i in numba.prange(N):
            for j in range(N):
                a, b, inside = 0.0, 0.0, 0.0
                for _ in range(ITERATIONS):
                    r2, i2 = a * a, b * b
                    if r2 + i2 > 4:
                        break
                    inside += 1
                    b = 2 * a * b + ci[i]
                    a = r2 - i2 + cr[j]
                k[i, j] = inside

    k = np.empty((N, N))

    def run():
        points(cr, ci, k)
        return (k,)

    return run


def with_jax(cr, ci):
    import jax
    import jax.numpy as jnp

    @jax.jit
    def points(cr, ci):
        def step(_, state):
            zr, zi, k = state
            r2, i2 = zr * zr, zi * zi
            return r2 - i2 + cr, 2 * zr * zi + ci[:, None], k + (r2 + i2 <= 4)

        zero = jnp.zeros((N, N))
        return jax.lax.fori_loop(0, ITERATIONS, step, (zero, zero, zero))[2]

    return lambda: (points(cr, ci),)


def with_torch(cr, ci):
    import torch

    c, d = cr.expand(N, N).contiguous(), ci[:, None].expand(N, N).contiguous()

    # 20 iterations in one kernel: all 200 would take minutes to compile
    def steps(zr, zi, k):
        for _ in range(20):
            r2, i2 = zr * zr, zi * zi
            k = k + (r2 + i2 <= 4)
            zr, zi = r2 - i2 + c, 2 * zr * zi + d
        return zr, zi, k

    steps = torch.compile(steps, dynamic=False)

    def run():
        state = [torch.zeros((N, N), dtype=torch.float64) for _ in range(3)]
        for _ in range(ITERATIONS // 20):
            state = steps(*state)
        return (state[2],)

    return run
