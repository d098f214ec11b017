"""PolyBench's deriche, floyd-warshall, nussinov.

`deriche` goes down columns in strips; `nussinov` runs by diagonals, whose elements are independent.
"""

import math

import numpy as np
from nest import STRIP, parallel
from numba import prange


@parallel
def deriche(alpha, img_in, img_out, y1, y2):
    w, h = img_in.shape
    e = math.exp(-alpha)
    k = (1.0 - e) * (1.0 - e) / (1.0 + 2.0 * alpha * e - math.exp(2.0 * alpha))
    a1, a2, a3, a4 = k, k * e * (alpha - 1.0), k * e * (alpha + 1.0), -k * math.exp(-2.0 * alpha)
    b1, b2 = 2.0**-alpha, -math.exp(-2.0 * alpha)
    for i in prange(w):
        ym1 = ym2 = xm1 = 0.0
        for j in range(h):
            y1[i, j] = a1 * img_in[i, j] + a2 * xm1 + b1 * ym1 + b2 * ym2
            xm1, ym2, ym1 = img_in[i, j], ym1, y1[i, j]
        yp1 = yp2 = xp1 = xp2 = 0.0
        for j in range(h - 1, -1, -1):
            y2[i, j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2
            xp2, xp1, yp2, yp1 = xp1, img_in[i, j], yp1, y2[i, j]
        for j in range(h):
            img_out[i, j] = y1[i, j] + y2[i, j]
    for strip in prange((h + STRIP - 1) // STRIP):
        first, end = strip * STRIP, min(h, (strip + 1) * STRIP)
        x1, x2, z1, z2 = np.zeros(STRIP), np.zeros(STRIP), np.zeros(STRIP), np.zeros(STRIP)
        for i in range(w):
            image, out = img_out[i, first:end], y1[i, first:end]
            for j in range(len(out)):
                out[j] = a1 * image[j] + a2 * x1[j] + b1 * z1[j] + b2 * z2[j]
                x1[j], z2[j], z1[j] = image[j], z1[j], out[j]
        x1[:] = x2[:] = z1[:] = z2[:] = 0.0
        for i in range(w - 1, -1, -1):
            image, out = img_out[i, first:end], y2[i, first:end]
            for j in range(len(out)):
                out[j] = a3 * x1[j] + a4 * x2[j] + b1 * z1[j] + b2 * z2[j]
                x2[j], x1[j], z2[j], z1[j] = x1[j], image[j], z1[j], out[j]
        for i in range(w):
            for j in range(first, end):
                img_out[i, j] = y1[i, j] + y2[i, j]


@parallel
def floyd_warshall(path):
    n = len(path)
    for k in range(n):
        for i in prange(n):
            to = path[i, k]
            for j in range(n):
                path[i, j] = min(path[i, j], to + path[k, j])


@parallel
def nussinov(seq, table):
    n = len(seq)
    for d in range(1, n):
        for i in prange(n - d):
            j = i + d
            pair = 1 if i < j - 1 and seq[i] + seq[j] == 3 else 0
            best = max(table[i, j], table[i, j - 1], table[i + 1, j], table[i + 1, j - 1] + pair)
            for k in range(i + 1, j):
                best = max(best, table[i, k] + table[k + 1, j])
            table[i, j] = best
