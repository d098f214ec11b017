"""Prices of 1,000,000 European options, with `erf` for the normal distribution."""

import math

import numpy as np

from .black_scholes import BYTES, N, ORDERS, inputs

TITLE = "Black–Scholes, `erf`"
FORMS = {"": "black_scholes_erf"}
OPERATIONS = 35 * N


def priced(lib, erf, s, k, r, v, t):
    """The formula with a library of arrays."""
    vs = v * lib.sqrt(t)
    d1 = (lib.log(s / k) + (r + 0.5 * v * v) * t) / vs
    n1, n2 = (0.5 + 0.5 * erf(d * 0.7071067811865476) for d in (d1, d1 - vs))
    ke = k * lib.exp(-r * t)
    return s * n1 - ke * n2, ke * (1 - n2) - s * (1 - n1)


def with_numpy(*options):
    from scipy.special import erf

    return lambda: priced(np, erf, *options)


def with_numba(s, k, r, v, t):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def prices(s, k, r, v, t, call, put):
        for i in numba.prange(len(s)):
            vs = v[i] * math.sqrt(t[i])
            d1 = (math.log(s[i] / k[i]) + (r[i] + 0.5 * v[i] * v[i]) * t[i]) / vs
            n1 = 0.5 + 0.5 * math.erf(d1 * 0.7071067811865476)
            n2 = 0.5 + 0.5 * math.erf((d1 - vs) * 0.7071067811865476)
            ke = k[i] * math.exp(-r[i] * t[i])
            call[i] = s[i] * n1 - ke * n2
            put[i] = ke * (1 - n2) - s[i] * (1 - n1)

    call, put = np.empty_like(s), np.empty_like(s)

    def run():
        prices(s, k, r, v, t, call, put)
        return call, put

    return run


def with_jax(*options):
    import jax
    import jax.numpy as jnp

    prices = jax.jit(lambda *options: priced(jnp, jax.scipy.special.erf, *options))
    return lambda: prices(*options)


def with_torch(*options):
    import torch

    prices = torch.compile(lambda *options: priced(torch, torch.erf, *options), dynamic=False)
    return lambda: prices(*options)
