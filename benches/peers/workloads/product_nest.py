"""The product of two matrices of order 1024 as three loops in Rust, with `#[offload]`."""

import numpy as np

from . import product, uniform

TITLE = "product, order 1024, `#[offload]`"
FORMS = {"three loops": "product_nest", "contracted": "product_nest_contracted"}
ORDERS = "FC"
N = 1024
BYTES = 3 * 8 * N * N
OPERATIONS = 2 * N**3


def inputs():
    return [uniform(seed, (N, N), -1, 1) for seed in (1, 2)]


with_numpy, with_jax, with_torch = product.with_numpy, product.with_jax, product.with_torch


def with_numba(a, b):
    import numba

    # the loops in the order in which LLVM makes vectors of the innermost
    @numba.njit(parallel=True, fastmath=True)
    def product(a, b, c):
        for i in numba.prange(a.shape[0]):
            for j in range(b.shape[1]):
                c[i, j] = 0.0
            for k in range(a.shape[1]):
                for j in range(b.shape[1]):
                    c[i, j] += a[i, k] * b[k, j]

    c = np.empty((N, N))

    def run():
        product(a, b, c)
        return (c,)

    return run
