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


def priced(lib, below, s, k, r, v, t):
    """The formula with a library of arrays; `below(d, n)` is `1 - n` where `d < 0` and else `n`."""

    def normal(d):
        x = abs(d)
        e = lib.exp(-0.5 * x * x) * 0.39894228040143270286
        q = 1 / (1 + 0.2316419 * x)
        poly = q * (0.319381530 + q * (-0.356563782 + q * (1.781477937 + q * (-1.821255978 + q * 1.330274429))))
        return below(d, 1 - e * poly)

    vs = v * lib.sqrt(t)
    d1 = (lib.log(s / k) + (r + 0.5 * v * v) * t) / vs
    n1, n2 = normal(d1), normal(d1 - vs)
    ke = k * lib.exp(-r * t)
    return s * n1 - ke * n2, ke * (1 - n2) - s * (1 - n1)


def with_numpy(*options):
    return lambda: priced(np, lambda d, n: np.where(d < 0, 1 - n, n), *options)


def with_numba(s, k, r, v, t):
    import numba

    @numba.njit(fastmath=True)
    def normal(d):
        x = abs(d)
        e = math.exp(-0.5 * x * x) * 0.39894228040143270286
        q = 1 / (1 + 0.2316419 * x)
        n = 1 - e * (q * (0.319381530 + q * (-0.356563782 + q * (1.781477937 + q * (-1.821255978 + q * 1.330274429)))))
        return 1 - n if d < 0 else n

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


def with_jax(*options):
    import jax
    import jax.numpy as jnp

    prices = jax.jit(lambda *options: priced(jnp, lambda d, n: jnp.where(d < 0, 1 - n, n), *options))
    return lambda: prices(*options)


def with_torch(*options):
    import torch

    prices = torch.compile(lambda *options: priced(torch, lambda d, n: torch.where(d < 0, 1 - n, n), *options), dynamic=False)
    return lambda: prices(*options)
