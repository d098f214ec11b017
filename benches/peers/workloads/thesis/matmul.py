"""The product of two matrices of order 2048 by three loops."""

import numpy as np

from .. import uniform

TITLE, SIZE = "matmul", "2048 × 2048"
FORMS = {"": "thesis.matmul"}
ORDERS = "F"
OCTAVE, OCTAVE_SIZE = (60,), "60 × 60"


def inputs(n=2048):
    return [uniform(seed, (n, n), -1, 1) for seed in (1, 2)]


def with_numba(a, b):
    import numba

    # Blocks of the right factor that stay in the second cache, and four rows of it for each pass over a row of the product.
    @numba.njit(parallel=True, fastmath=True)
    def product(a, b, c):
        rows, terms = a.shape
        columns = b.shape[1]
        strip, depth, width = 32, 64, 512
        for block in numba.prange((rows + strip - 1) // strip):
            low, high = block * strip, min((block + 1) * strip, rows)
            c[low:high] = 0.0
            for first in range(0, columns, width):
                last = min(first + width, columns)
                for start in range(0, terms, depth):
                    end = min(start + depth, terms)
                    for i in range(low, high):
                        out = c[i, first:last]
                        k = start
                        while k + 4 <= end:
                            a0, a1, a2, a3 = a[i, k], a[i, k + 1], a[i, k + 2], a[i, k + 3]
                            b0, b1, b2, b3 = b[k, first:last], b[k + 1, first:last], b[k + 2, first:last], b[k + 3, first:last]
                            for j in range(len(out)):
                                out[j] += (a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j])
                            k += 4
                        while k < end:
                            factor, row = a[i, k], b[k, first:last]
                            for j in range(len(out)):
                                out[j] += factor * row[j]
                            k += 1

    c = np.empty((a.shape[0], b.shape[1]))

    def run():
        product(a, b, c)
        return (c,)

    return run
