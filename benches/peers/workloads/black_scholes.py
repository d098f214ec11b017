"""Prices of 1,000,000 European options, with the polynomial of Abramowitz and Stegun for the normal distribution."""

import math

import numpy as np

from . import uniform

TITLE = "Black–Scholes, polynomial"
FORMS = {"": "black_scholes"}
ORDERS = "F"
N = 1_000_000
BYTES = 7 * 8 * N
OPERATIONS = 70 * N


def inputs():
    bounds = [(10, 100), (10, 100), (0.01, 0.1), (0.05, 0.65), (0.1, 2)]
    return [uniform(seed, N, low, high) for seed, (low, high) in enumerate(bounds, 1)]


def polynomial(lib):
    """The normal distribution with a library of arrays."""

    def normal(d):
        x = abs(d)
        e = lib.exp(-0.5 * x * x) * 0.39894228040143270286
        q = 1 / (1 + 0.2316419 * x)
        poly = q * (0.319381530 + q * (-0.356563782 + q * (1.781477937 + q * (-1.821255978 + q * 1.330274429))))
        n = 1 - e * poly
        return lib.where(d < 0, 1 - n, n)

    return normal


def priced(lib, normal, s, k, r, v, t):
    """The formula with a library of arrays."""
    vs = v * lib.sqrt(t)
    d1 = (lib.log(s / k) + (r + 0.5 * v * v) * t) / vs
    n1, n2 = normal(d1), normal(d1 - vs)
    ke = k * lib.exp(-r * t)
    return s * n1 - ke * n2, ke * (1 - n2) - s * (1 - n1)


def priced_by_numba(normal, s, k, r, v, t):
    """The formula as a loop; `normal` is a function of one number that Numba has compiled."""
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def prices(s, k, r, v, t, call, put):
        for i in numba.prange(len(s)):
            vs = v[i] * math.sqrt(t[i])
            d1 = (math.log(s[i] / k[i]) + (r[i] + 0.5 * v[i] * v[i]) * t[i]) / vs
            n1, n2 = normal(d1), normal(d1 - vs)
            ke = k[i] * math.exp(-r[i] * t[i])
            call[i] = s[i] * n1 - ke * n2
            put[i] = ke * (1 - n2) - s[i] * (1 - n1)

    call, put = np.empty_like(s), np.empty_like(s)

    def run():
        prices(s, k, r, v, t, call, put)
        return call, put

    return run


def with_numpy(*options):
    return lambda: priced(np, polynomial(np), *options)


def with_numba(*options):
    import numba

    @numba.njit(fastmath=True)
    def normal(d):
        x = abs(d)
        e = math.exp(-0.5 * x * x) * 0.39894228040143270286
        q = 1 / (1 + 0.2316419 * x)
        n = 1 - e * (q * (0.319381530 + q * (-0.356563782 + q * (1.781477937 + q * (-1.821255978 + q * 1.330274429)))))
        return 1 - n if d < 0 else n

    return priced_by_numba(normal, *options)


def with_jax(*options):
    import jax
    import jax.numpy as jnp

    prices = jax.jit(lambda *options: priced(jnp, polynomial(jnp), *options))
    return lambda: prices(*options)


def with_torch(*options):
    import torch

    prices = torch.compile(lambda *options: priced(torch, polynomial(torch), *options), dynamic=False)
    return lambda: prices(*options)
