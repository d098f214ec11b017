"""Four filters of 256 taps on 1,500,000 samples."""

import numpy as np

from .. import uniform

TITLE, SIZE = "filter_bank", "4 × 256 taps, 1.5 · 10⁶ samples"
FORMS = {"": "thesis.filter_bank"}
ORDERS = "F"
OCTAVE, OCTAVE_SIZE = (600,), "600 samples"


def inputs(samples=1_500_000):
    return [uniform(1, samples, -1, 1), uniform(2, (256, 4), -1, 1)]


def with_numba(signal, taps):
    import numba

    # blocks of responses that stay in the first cache, four taps at a time
    @numba.njit(parallel=True, fastmath=True)
    def bank(signal, reversed_taps, out):
        filters, samples = out.shape
        order, block = reversed_taps.shape[1], 1024
        for b in numba.prange((samples + block - 1) // block):
            low, high = b * block, min(b * block + block, samples)
            for f in range(filters):
                part, h = out[f, low:high], reversed_taps[f]
                part[:] = 0.0
                for k in range(0, order, 4):
                    h0, h1, h2, h3 = h[k], h[k + 1], h[k + 2], h[k + 3]
                    near = signal[low + k : high + k + 3]
                    for i in range(len(part)):
                        part[i] += (h0 * near[i] + h1 * near[i + 1]) + (h2 * near[i + 2] + h3 * near[i + 3])

    order, filters = taps.shape
    reversed_taps, out = taps[::-1].T.copy(), np.empty((filters, len(signal) - order + 1))

    def run():
        bank(signal, reversed_taps, out)
        return (out.T,)

    return run
