"""PolyBench's cholesky, durbin, gramschmidt, lu, ludcmp, trisolv.

Factorisations are right-looking, so that rows are independent. `durbin` and `trisolv` have sums only, each of which needs the last.
"""

import math

import numpy as np
from nest import STRIP, parallel, sequential
from numba import prange


@parallel
def cholesky(a):
    n = len(a)
    for k in range(n):
        a[k, k] = math.sqrt(a[k, k])
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
        column = a[:, k].copy()
        for i in prange(k + 1, n):
            factor, out = column[i], a[i, k + 1 : i + 1]
            for j in range(len(out)):
                out[j] -= factor * column[k + 1 + j]


@sequential
def durbin(r, y):
    n = len(r)
    z = np.zeros(n)
    y[0] = -r[0]
    beta, alpha = 1.0, -r[0]
    for k in range(1, n):
        beta = (1.0 - alpha * alpha) * beta
        total = 0.0
        for i in range(k):
            total += r[k - i - 1] * y[i]
        alpha = -(r[k] + total) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha


@parallel
def gramschmidt(a, r, q):
    m, n = a.shape
    for k in range(n):
        total = 0.0
        for i in range(m):
            total += a[i, k] * a[i, k]
        r[k, k] = math.sqrt(total)
        for i in range(m):
            q[i, k] = a[i, k] / r[k, k]
        for strip in prange((n - k - 1 + STRIP - 1) // STRIP):
            first, end = k + 1 + strip * STRIP, min(n, k + 1 + (strip + 1) * STRIP)
            product = r[k, first:end]
            product[:] = 0.0
            for i in range(m):
                factor, row = q[i, k], a[i, first:end]
                for j in range(len(product)):
                    product[j] += factor * row[j]
            for i in range(m):
                factor, row = q[i, k], a[i, first:end]
                for j in range(len(product)):
                    row[j] -= factor * product[j]


@parallel
def lu(a):
    n = len(a)
    for k in range(n):
        for i in prange(k + 1, n):
            a[i, k] /= a[k, k]
            factor, out, pivots = a[i, k], a[i, k + 1 :], a[k, k + 1 :]
            for j in range(len(out)):
                out[j] -= factor * pivots[j]


@sequential
def ludcmp(a, b, x, y):
    n = len(a)
    lu(a)
    for i in range(n):
        w = b[i]
        for j in range(i):
            w -= a[i, j] * y[j]
        y[i] = w
    for i in range(n - 1, -1, -1):
        w = y[i]
        for j in range(i + 1, n):
            w -= a[i, j] * x[j]
        x[i] = w / a[i, i]


@sequential
def trisolv(l, x, b):
    for i in range(len(l)):
        w = b[i]
        for j in range(i):
            w -= l[i, j] * x[j]
        x[i] = w / l[i, i]
