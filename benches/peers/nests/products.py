"""PolyBench's correlation, covariance, 2mm, 3mm, atax, bicg, doitgen, mvt."""

import math

import numpy as np
from nest import STRIP, parallel, sequential
from numba import prange


@sequential
def add_columns(a, x, y, first, end):
    """What columns of `a` make of `x`, added to `y`."""
    out = y[first:end]
    for i in range(len(a)):
        factor, row = x[i], a[i, first:end]
        for j in range(len(out)):
            out[j] += row[j] * factor


@sequential
def mean_of_columns(data):
    n, m = data.shape
    mean = np.zeros(m)
    for i in range(n):
        for j in range(m):
            mean[j] += data[i, j]
    for j in range(m):
        mean[j] /= n
    return mean


@parallel
def correlation(data, corr, mean, stddev):
    n, m = data.shape
    mean[:] = mean_of_columns(data)
    stddev[:] = 0.0
    for i in range(n):
        for j in range(m):
            stddev[j] += (data[i, j] - mean[j]) * (data[i, j] - mean[j])
    for j in range(m):
        stddev[j] = math.sqrt(stddev[j] / n)
        if stddev[j] <= 0.1:
            stddev[j] = 1.0
    root = math.sqrt(n)
    for i in prange(n):
        for j in range(m):
            data[i, j] = (data[i, j] - mean[j]) / (root * stddev[j])
    for i in prange(m - 1):
        corr[i, i] = 1.0
        out = corr[i, i + 1 :]
        out[:] = 0.0
        for k in range(n):
            factor = data[k, i]
            right = data[k, i + 1 :]
            for j in range(len(out)):
                out[j] += factor * right[j]
        for j in range(i + 1, m):
            corr[j, i] = corr[i, j]
    corr[m - 1, m - 1] = 1.0


@parallel
def covariance(data, cov):
    n, m = data.shape
    mean = mean_of_columns(data)
    for i in prange(n):
        for j in range(m):
            data[i, j] -= mean[j]
    for i in prange(m):
        out = cov[i, i:]
        out[:] = 0.0
        for k in range(n):
            factor = data[k, i]
            right = data[k, i:]
            for j in range(len(out)):
                out[j] += factor * right[j]
        for j in range(i, m):
            cov[i, j] /= n - 1.0
            cov[j, i] = cov[i, j]


@parallel
def multiply(a, b, c):
    for i in prange(len(a)):
        for j in range(b.shape[1]):
            c[i, j] = 0.0
        for k in range(a.shape[1]):
            factor = a[i, k]
            for j in range(b.shape[1]):
                c[i, j] += factor * b[k, j]


@parallel
def two_products(alpha, beta, a, b, c, d):
    tmp = np.empty((len(a), b.shape[1]))
    for i in prange(len(a)):
        for j in range(b.shape[1]):
            tmp[i, j] = 0.0
        for k in range(a.shape[1]):
            factor = alpha * a[i, k]
            for j in range(b.shape[1]):
                tmp[i, j] += factor * b[k, j]
    for i in prange(len(a)):
        for j in range(d.shape[1]):
            d[i, j] *= beta
        for k in range(tmp.shape[1]):
            factor = tmp[i, k]
            for j in range(d.shape[1]):
                d[i, j] += factor * c[k, j]


@sequential
def three_products(a, b, c, d, e, f, g):
    multiply(a, b, e)
    multiply(c, d, f)
    multiply(e, f, g)


@parallel
def atax(a, x, y, tmp):
    m, n = a.shape
    for i in prange(m):
        total = 0.0
        for j in range(n):
            total += a[i, j] * x[j]
        tmp[i] = total
    for strip in prange((n + STRIP - 1) // STRIP):
        first, end = strip * STRIP, min(n, (strip + 1) * STRIP)
        y[first:end] = 0.0
        add_columns(a, tmp, y, first, end)


@parallel
def bicg(a, s, q, p, r):
    n, m = a.shape
    for strip in prange((m + STRIP - 1) // STRIP):
        first, end = strip * STRIP, min(m, (strip + 1) * STRIP)
        s[first:end] = 0.0
        add_columns(a, r, s, first, end)
    for i in prange(n):
        total = 0.0
        for j in range(m):
            total += a[i, j] * p[j]
        q[i] = total


@parallel
def doitgen(a, c4):
    nr, nq, np_ = a.shape
    for r in prange(nr):
        total = np.empty(np_)
        for q in range(nq):
            total[:] = 0.0
            for s in range(np_):
                factor = a[r, q, s]
                for p in range(np_):
                    total[p] += factor * c4[s, p]
            for p in range(np_):
                a[r, q, p] = total[p]


@parallel
def mvt(x1, x2, y1, y2, a):
    n = len(a)
    for i in prange(n):
        total = x1[i]
        for j in range(n):
            total += a[i, j] * y1[j]
        x1[i] = total
    for strip in prange((n + STRIP - 1) // STRIP):
        first, end = strip * STRIP, min(n, (strip + 1) * STRIP)
        add_columns(a, y2, x2, first, end)
