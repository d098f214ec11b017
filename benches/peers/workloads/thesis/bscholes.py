"""Prices of options by the error function."""

import math

from .. import black_scholes, uniform

TITLE, SIZE = "bscholes", "204,800 options"
FORMS = {"": "thesis.bscholes"}
ORDERS = "F"


def inputs(options=204_800):
    bounds = [(10, 100), (10, 100), (0.01, 0.1), (0.05, 0.65), (0.1, 2)]
    return [uniform(seed, options, low, high) for seed, (low, high) in enumerate(bounds, 1)]


def with_numba(*options):
    import numba

    @numba.njit(fastmath=True)
    def normal(d):
        return 0.5 * (1 + math.erf(d * math.sqrt(0.5)))

    return black_scholes.priced_by_numba(normal, *options)
