"""How the loop nests are compiled, and the arguments that they get: the same numbers as those of the Rust benches.

Division by zero gives infinities, as in Rust; `fastmath` is off, so that sums keep their order, as in Rust. What is compiled is kept
(`NUMBA_CACHE_DIR`).
"""

import numba
import numpy as np

#: A nest with loops that run in parallel, and one without loops of its own that do.
parallel = numba.njit(parallel=True, error_model="numpy", cache=True)
sequential = numba.njit(error_model="numpy", cache=True)

#: Columns of a strip, where loops go down columns of a matrix that has its rows in memory.
STRIP = 64


def numbers(seed, shape, least=0.0):
    """`Given::number` of `examples/offload/given.rs`; that of `tests/common/twice.rs` adds 0.125."""
    mixer = np.uint64(0x9E3779B97F4A7C15) ^ (np.uint64(seed) << np.uint64(20))
    mixed = np.arange(1, np.prod(shape) + 1, dtype=np.uint64) * mixer
    return ((mixed >> np.uint64(11)) / 2.0**53 + least).reshape(shape)
