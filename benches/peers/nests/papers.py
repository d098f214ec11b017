"""The kernels of the papers (`examples/offload/kernels`) on doubles.

Rows in parallel and the innermost loop along rows, so that it becomes vectors; for that `rank-k` and `rank-2k` take transposed copies, and `distances`
takes points in pieces. `fdtd` is PolyBench's, and so is the body of `mvt`.
"""

import math

import numpy as np
from nest import STRIP, parallel, sequential
from numba import prange
from products import add_columns, multiply


@parallel
def mv(a, x, y):
    for i in prange(len(a)):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j] * x[j]
        y[i] = total


@parallel
def tmv(a, x, y):
    m = a.shape[1]
    for strip in prange((m + STRIP - 1) // STRIP):
        first, end = strip * STRIP, min(m, (strip + 1) * STRIP)
        y[first:end] = 0.0
        add_columns(a, x, y, first, end)


@parallel
def rank_k(alpha, a, c):
    n, m = a.shape
    at = a.T.copy()
    for i in prange(n):
        total = np.zeros(i + 1)
        for k in range(m):
            factor = a[i, k]
            for j in range(i + 1):
                total[j] += factor * at[k, j]
        for j in range(i + 1):
            c[i, j] += alpha * total[j]


@parallel
def rank_2k(alpha, a, b, c):
    n, m = a.shape
    at, bt = a.T.copy(), b.T.copy()
    for i in prange(n):
        total = np.zeros(i + 1)
        for k in range(m):
            by_a, by_b = a[i, k], b[i, k]
            for j in range(i + 1):
                total[j] += by_a * bt[k, j] + by_b * at[k, j]
        for j in range(i + 1):
            c[i, j] += alpha * total[j]


@parallel
def distances(x, y, z, sums):
    n = len(x)
    for strip in prange((n + STRIP - 1) // STRIP):
        first, end = strip * STRIP, min(n, (strip + 1) * STRIP)
        own_x, own_y, own_z, own = x[first:end], y[first:end], z[first:end], sums[first:end]
        own[:] = 0.0
        for j in range(n):
            for i in range(len(own)):
                dx, dy, dz = own_x[i] - x[j], own_y[i] - y[j], own_z[i] - z[j]
                own[i] += math.sqrt(dx * dx + dy * dy + dz * dz)


@parallel
def cp(spacing, atoms, energy):
    rows, columns = energy.shape
    for j in prange(rows):
        y = spacing * j
        total = np.zeros(columns)
        for n in range(len(atoms)):
            x_n, dy, z_n, charge = atoms[n, 0], y - atoms[n, 1], atoms[n, 2], atoms[n, 3]
            for i in range(columns):
                dx = spacing * i - x_n
                total[i] += charge / math.sqrt(dx * dx + dy * dy + z_n)
        for i in range(columns):
            energy[j, i] += total[i]


@parallel
def stencil(centre, side, a, b):
    n, m = a.shape
    for i in prange(1, n - 1):
        above, own, below, out = a[i - 1], a[i], a[i + 1], b[i]
        for j in range(1, m - 1):
            out[j] = centre * own[j] + side * (above[j] + below[j] + own[j - 1] + own[j + 1])


@parallel
def mri_q(k, phi_r, phi_i, x, qr, qi):
    samples = len(k)
    magnitude = phi_r * phi_r + phi_i * phi_i
    for v in prange(len(x)):
        re = im = 0.0
        for s in range(samples):
            angle = 2.0 * math.pi * (k[s, 0] * x[v, 0] + k[s, 1] * x[v, 1] + k[s, 2] * x[v, 2])
            re += magnitude[s] * math.cos(angle)
            im += magnitude[s] * math.sin(angle)
        qr[v], qi[v] = re, im


@parallel
def mri_fhd(kx, ky, kz, phi, d, x, y, z, fhd):
    samples = len(kx)
    mu_r, mu_i = np.empty(samples), np.empty(samples)
    for s in range(samples):
        mu_r[s] = phi[s, 0] * d[s, 0] + phi[s, 1] * d[s, 1]
        mu_i[s] = phi[s, 0] * d[s, 1] - phi[s, 1] * d[s, 0]
    for v in prange(len(x)):
        re, im = fhd[v, 0], fhd[v, 1]
        for s in range(samples):
            angle = 2.0 * math.pi * (kx[s] * x[v] + ky[s] * y[v] + kz[s] * z[v])
            sin, cos = math.sin(angle), math.cos(angle)
            re += mu_r[s] * cos - mu_i[s] * sin
            im += mu_i[s] * cos + mu_r[s] * sin
        fhd[v, 0], fhd[v, 1] = re, im


@sequential
def two_products(a, b, d, c, e):
    multiply(a, b, c)
    multiply(c, d, e)


@parallel
def relax(rate, a, b):
    n, m = a.shape
    for i in prange(1, n - 1):
        above, own, below, out = a[i - 1], a[i], a[i + 1], b[i]
        for j in range(1, m - 1):
            flow = above[j] + below[j] + own[j - 1] + own[j + 1] - 4.0 * own[j]
            out[j] = own[j] + rate * flow


@sequential
def hotspot(steps, rate, a, b):
    for _ in range(steps // 2):
        relax(rate, a, b)
        relax(rate, b, a)


@parallel
def gravity(steps, dt, mass, position, velocity):
    n = len(mass)
    for _ in range(steps):
        for i in prange(n):
            fx = fy = fz = 0.0
            for j in range(n):
                dx = position[j, 0] - position[i, 0]
                dy = position[j, 1] - position[i, 1]
                dz = position[j, 2] - position[i, 2]
                square = 1e-3 + dx * dx + dy * dy + dz * dz
                pull = mass[j] / (square * math.sqrt(square))
                fx += pull * dx
                fy += pull * dy
                fz += pull * dz
            velocity[i, 0] += dt * fx
            velocity[i, 1] += dt * fy
            velocity[i, 2] += dt * fz
        for i in range(n):
            for c in range(3):
                position[i, c] += dt * velocity[i, c]


@parallel
def halve(x, half, pairs):
    low, high = x[:pairs], x[half:]
    for i in prange(pairs):
        low[i] += high[i]


@sequential
def reduction(threshold, x, total):
    n = len(x)
    while n > threshold and n > 1:
        half = (n + 1) // 2
        halve(x, half, n // 2)
        n = half
    total[0] = 0.0
    for i in range(n):
        total[0] += x[i]
