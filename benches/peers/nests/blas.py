"""PolyBench's gemm, gemver, gesummv, symm, syr2k, syrk, trmm.

Rows in parallel, and the innermost loop along rows, so that it becomes vectors: for that `syrk` and `syr2k` take a transposed copy.
"""

import numpy as np
from nest import STRIP, parallel
from numba import prange


@parallel
def gemm(alpha, beta, c, a, b):
    ni, nj = c.shape
    for i in prange(ni):
        for j in range(nj):
            c[i, j] *= beta
        for k in range(a.shape[1]):
            factor = alpha * a[i, k]
            for j in range(nj):
                c[i, j] += factor * b[k, j]


@parallel
def gemver(alpha, beta, a, u1, v1, u2, v2, w, x, y, z):
    n = len(a)
    for i in prange(n):
        for j in range(n):
            a[i, j] = a[i, j] + u1[i] * v1[j] + u2[i] * v2[j]
    for strip in prange((n + STRIP - 1) // STRIP):
        first, end = strip * STRIP, min(n, (strip + 1) * STRIP)
        out = x[first:end]
        for j in range(n):
            factor, row = y[j], a[j, first:end]
            for i in range(len(out)):
                out[i] += beta * row[i] * factor
    for i in range(n):
        x[i] += z[i]
    for i in prange(n):
        total = w[i]
        for j in range(n):
            total += alpha * a[i, j] * x[j]
        w[i] = total


@parallel
def gesummv(alpha, beta, a, b, tmp, x, y):
    n = len(a)
    for i in prange(n):
        by_a = by_b = 0.0
        for j in range(n):
            by_a += a[i, j] * x[j]
            by_b += b[i, j] * x[j]
        tmp[i] = by_a
        y[i] = alpha * by_a + beta * by_b


@parallel
def symm(alpha, beta, c, a, b):
    m, n = c.shape
    for i in prange(m):
        total = np.zeros(n)
        for k in range(i):
            factor = a[i, k]
            for j in range(n):
                total[j] += b[k, j] * factor
        own = a[i, i]
        for j in range(n):
            c[i, j] = beta * c[i, j] + alpha * b[i, j] * own + alpha * total[j]
        for k in range(i + 1, m):
            factor = a[k, i]
            for j in range(n):
                c[i, j] += alpha * b[k, j] * factor


@parallel
def syr2k(alpha, beta, c, a, b):
    n, m = a.shape
    at, bt = a.T.copy(), b.T.copy()
    for i in prange(n):
        for j in range(i + 1):
            c[i, j] *= beta
        for k in range(m):
            by_a, by_b = a[i, k], b[i, k]
            for j in range(i + 1):
                c[i, j] += at[k, j] * alpha * by_b + bt[k, j] * alpha * by_a


@parallel
def syrk(alpha, beta, c, a):
    n, m = a.shape
    at = a.T.copy()
    for i in prange(n):
        for j in range(i + 1):
            c[i, j] *= beta
        for k in range(m):
            factor = alpha * a[i, k]
            for j in range(i + 1):
                c[i, j] += factor * at[k, j]


@parallel
def trmm(alpha, a, b):
    m, n = b.shape
    old = b.copy()
    for i in prange(m):
        for k in range(i + 1, m):
            factor = a[k, i]
            for j in range(n):
                b[i, j] += factor * old[k, j]
        for j in range(n):
            b[i, j] *= alpha
