"""A matrix of order 2048 convolved with one of order 5."""

import numpy as np

from . import uniform

TITLE = "convolution 2048² with 5 × 5"
FORMS = {"`conv2`": "convolution", "loops": "convolution_loops"}
ORDERS = "FC"
N, WIDTH = 2048, 5
BYTES = 2 * 8 * N * N
OPERATIONS = 2 * WIDTH**2 * N * N


def inputs():
    return [uniform(1, (N, N), 0, 1), uniform(2, (WIDTH, WIDTH), -1, 1)]


def with_numpy(a, h):
    m = N - WIDTH + 1

    def run():
        y = np.zeros((m, m))
        for k in range(WIDTH):
            for l in range(WIDTH):
                y += h[WIDTH - 1 - k, WIDTH - 1 - l] * a[k : k + m, l : l + m]
        return (y,)

    return run


def with_scipy(a, h):
    from scipy.signal import convolve2d

    return lambda: (convolve2d(a, h, "valid"),)


def with_numba(a, h):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def convolution(a, flipped, y):
        n, m = y.shape
        for i in numba.prange(n):
            for j in range(m):
                total = 0.0
                for k in range(WIDTH):
                    for l in range(WIDTH):
                        total += flipped[k, l] * a[i + k, j + l]
                y[i, j] = total

    flipped, y = h[::-1, ::-1].copy(), np.empty((N - WIDTH + 1, N - WIDTH + 1))

    def run():
        convolution(a, flipped, y)
        return (y,)

    return run


def with_jax(a, h):
    import jax

    convolution = jax.jit(lambda a, h: jax.scipy.signal.convolve2d(a, h, "valid"))
    return lambda: (convolution(a, h),)


def with_torch(a, h):
    import torch

    flipped = h.flip(0, 1)[None, None].contiguous()
    convolution = torch.compile(lambda a: torch.nn.functional.conv2d(a[None, None], flipped)[0, 0], dynamic=False)
    return lambda: (convolution(a),)
