"""A filter of 128 taps on 1,000,000 samples."""

import numpy as np

from . import uniform

TITLE = "FIR, 10⁶ × 128 taps"
FORMS = {"loops": "fir_loops", "`conv`": "fir_conv", "`filter`": "fir_filter", "slices": "fir_slices", "contracted": "fir_loops_contracted"}
ORDERS = "F"
N, TAPS = 1_000_000, 128
BYTES = 2 * 8 * N
OPERATIONS = 2 * N * TAPS


def inputs():
    return [uniform(1, N, -1, 1), uniform(2, TAPS, -1, 1)]


def result(form, array):
    """`filter` also answers for the first samples, whose past it takes as zeros."""
    return array[TAPS - 1 :] if form == "`filter`" else array


def with_numpy(x, h):
    return lambda: (np.convolve(x, h, "valid"),)


def with_scipy(x, h):
    from scipy.signal import oaconvolve

    return lambda: (oaconvolve(x, h, "valid"),)


def with_numba(x, h):
    import numba

    # blocks of results that stay in the first cache, four taps at a time
    @numba.njit(parallel=True, fastmath=True)
    def fir(x, reversed_taps, y):
        block = 1024
        for b in numba.prange((len(y) + block - 1) // block):
            low, high = b * block, min(b * block + block, len(y))
            part = y[low:high]
            part[:] = 0.0
            for k in range(0, len(reversed_taps), 4):
                h0, h1, h2, h3 = reversed_taps[k], reversed_taps[k + 1], reversed_taps[k + 2], reversed_taps[k + 3]
                near = x[low + k : high + k + 3]
                for i in range(len(part)):
                    part[i] += (h0 * near[i] + h1 * near[i + 1]) + (h2 * near[i + 2] + h3 * near[i + 3])

    reversed_taps, y = h[::-1].copy(), np.empty(N - TAPS + 1)

    def run():
        fir(x, reversed_taps, y)
        return (y,)

    return run


def with_jax(x, h):
    import jax
    import jax.numpy as jnp

    fir = jax.jit(lambda x, h: jnp.convolve(x, h, "valid"))
    return lambda: (fir(x, h),)


def with_torch(x, h):
    import torch

    taps = h.flip(0)[None, None].contiguous()
    fir = torch.compile(lambda x: torch.nn.functional.conv1d(x[None, None], taps)[0, 0], dynamic=False)
    return lambda: (fir(x),)
