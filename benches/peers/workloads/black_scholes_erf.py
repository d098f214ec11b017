"""Prices of 1,000,000 European options, with `erf` for the normal distribution."""

import math

import numpy as np

from .black_scholes import BYTES, N, ORDERS, inputs, priced, priced_by_numba

TITLE = "Black–Scholes, `erf`"
FORMS = {"": "black_scholes_erf"}
OPERATIONS = 35 * N


def by_erf(erf):
    """The normal distribution by a library's `erf`."""
    return lambda d: 0.5 + 0.5 * erf(d * 0.7071067811865476)


def with_numpy(*options):
    from scipy.special import erf

    return lambda: priced(np, by_erf(erf), *options)


def with_numba(*options):
    import numba

    @numba.njit(fastmath=True)
    def normal(d):
        return 0.5 + 0.5 * math.erf(d * 0.7071067811865476)

    return priced_by_numba(normal, *options)


def with_jax(*options):
    import jax
    import jax.numpy as jnp

    prices = jax.jit(lambda *options: priced(jnp, by_erf(jax.scipy.special.erf), *options))
    return lambda: prices(*options)


def with_torch(*options):
    import torch

    prices = torch.compile(lambda *options: priced(torch, by_erf(torch.erf), *options), dynamic=False)
    return lambda: prices(*options)
