"""PolyBench's adi, fdtd-2d, heat-3d, jacobi-1d, jacobi-2d, seidel-2d.

Rows in parallel; of `adi`, what goes down columns does so in strips. `seidel-2d` would have to run by diagonals and is sequential.
"""

from nest import STRIP, parallel, sequential
from numba import prange


@parallel
def adi(tsteps, u, v, p, q):
    n = len(u)
    step, dt = 1.0 / n, 1.0 / tsteps
    mul1, mul2 = 2.0 * dt / (step * step), 1.0 * dt / (step * step)
    a, b = -mul1 / 2.0, 1.0 + mul1
    d, e = -mul2 / 2.0, 1.0 + mul2
    c, f = a, d
    for _ in range(tsteps):
        for i in prange(1, n - 1):
            p[i, 0], q[i, 0] = 0.0, 1.0
            p_i, q_i = p[i], q[i]
            for j in range(1, n - 1):
                p_i[j] = -c / (a * p_i[j - 1] + b)
                over = -d * u[j, i - 1] + (1.0 + 2.0 * d) * u[j, i] - f * u[j, i + 1] - a * q_i[j - 1]
                q_i[j] = over / (a * p_i[j - 1] + b)
        for strip in prange((n - 2 + STRIP - 1) // STRIP):
            first, end = 1 + strip * STRIP, min(n - 1, 1 + (strip + 1) * STRIP)
            for i in range(first, end):
                v[0, i] = v[n - 1, i] = 1.0
            for j in range(n - 2, 0, -1):
                out, last = v[j], v[j + 1]
                for i in range(first, end):
                    out[i] = p[i, j] * last[i] + q[i, j]
        for i in prange(1, n - 1):
            p[i, 0], q[i, 0] = 0.0, 1.0
            above, own, below, p_i, q_i = v[i - 1], v[i], v[i + 1], p[i], q[i]
            for j in range(1, n - 1):
                p_i[j] = -f / (d * p_i[j - 1] + e)
                over = -a * above[j] + (1.0 + 2.0 * a) * own[j] - c * below[j] - d * q_i[j - 1]
                q_i[j] = over / (d * p_i[j - 1] + e)
            u[i, 0] = u[i, n - 1] = 1.0
            for j in range(n - 2, 0, -1):
                u[i, j] = p[i, j] * u[i, j + 1] + q[i, j]


@parallel
def fdtd_2d(ex, ey, hz, fict):
    nx, ny = hz.shape
    for t in range(len(fict)):
        for j in range(ny):
            ey[0, j] = fict[t]
        for i in prange(1, nx):
            own, above, out = hz[i], hz[i - 1], ey[i]
            for j in range(ny):
                out[j] -= 0.5 * (own[j] - above[j])
        for i in prange(nx):
            own, out = hz[i], ex[i]
            for j in range(1, ny):
                out[j] -= 0.5 * (own[j] - own[j - 1])
        for i in prange(nx - 1):
            along, across, below, out = ex[i], ey[i], ey[i + 1], hz[i]
            for j in range(ny - 1):
                out[j] -= 0.7 * (along[j + 1] - along[j] + below[j] - across[j])


@parallel
def heat_step(a, b):
    n = len(a)
    for i in prange(1, n - 1):
        for j in range(1, n - 1):
            own, out = a[i, j], b[i, j]
            below, above, right, left = a[i + 1, j], a[i - 1, j], a[i, j + 1], a[i, j - 1]
            for k in range(1, n - 1):
                out[k] = (
                    0.125 * (below[k] - 2.0 * own[k] + above[k])
                    + 0.125 * (right[k] - 2.0 * own[k] + left[k])
                    + 0.125 * (own[k + 1] - 2.0 * own[k] + own[k - 1])
                    + own[k]
                )


@sequential
def heat_3d(tsteps, a, b):
    for _ in range(tsteps):
        heat_step(a, b)
        heat_step(b, a)


@parallel
def jacobi_1d(tsteps, a, b):
    for _ in range(tsteps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])


@parallel
def jacobi_step(a, b):
    n = len(a)
    for i in prange(1, n - 1):
        own, below, above, out = a[i], a[i + 1], a[i - 1], b[i]
        for j in range(1, n - 1):
            out[j] = 0.2 * (own[j] + own[j - 1] + own[j + 1] + below[j] + above[j])


@sequential
def jacobi_2d(tsteps, a, b):
    for _ in range(tsteps):
        jacobi_step(a, b)
        jacobi_step(b, a)


@sequential
def seidel_2d(tsteps, a):
    n = len(a)
    for _ in range(tsteps):
        for i in range(1, n - 1):
            above, own, below = a[i - 1], a[i], a[i + 1]
            for j in range(1, n - 1):
                upper = above[j - 1] + above[j] + above[j + 1]
                own[j] = (upper + own[j - 1] + own[j] + own[j + 1] + below[j - 1] + below[j] + below[j + 1]) / 9.0
