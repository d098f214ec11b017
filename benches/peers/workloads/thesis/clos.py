"""The transitive closure of a graph of 1024 nodes, by ten products."""

import numpy as np

from .. import uniform

TITLE, SIZE = "clos", "1024 vertices"
FORMS = {"": "thesis.clos"}
ORDERS = "F"


def inputs(n=1024):
    return [(uniform(1, (n, n), 0, 1) < 1.5 / n).astype(float)]


def with_numba(adjacency):
    import numba

    # the product is that of the BLAS, as the program's is a library's
    @numba.njit(parallel=True, fastmath=True)
    def closure(adjacency, reach, product):
        n = len(adjacency)
        for i in numba.prange(n):
            for j in range(n):
                reach[i, j] = 1.0 if adjacency[i, j] != 0 else 0.0
        for _ in range(int(np.ceil(np.log2(n)))):
            np.dot(reach, reach, product)
            for i in numba.prange(n):
                for j in range(n):
                    reach[i, j] = 1.0 if reach[i, j] + product[i, j] > 0 else 0.0

    reach, product = np.empty_like(adjacency), np.empty_like(adjacency)

    def run():
        closure(adjacency, reach, product)
        return (reach,)

    return run
