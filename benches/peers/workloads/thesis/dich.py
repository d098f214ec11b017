"""Laplace's equation on 4000 × 4000 nodes, ten sweeps of over-relaxation."""

import math

import numpy as np

TITLE, SIZE = "dich", "4000 × 4000, 10 sweeps"
FORMS = {"": "thesis.dich"}
ORDERS = "F"
OCTAVE, OCTAVE_SIZE = (80,), "80 × 80, 10 sweeps"


def inputs(n=4000, sweeps=10):
    return [1.0 * (n - 1), 1.0 * (n - 1), 1.0, 1e-12, sweeps]


def with_numba(width, height, h, tol, most):
    import numba

    # each point needs the one before it: in order, on one thread, but along rows, which gives the same
    @numba.njit(fastmath=True)
    def sweep(u, omega):
        change = 0.0
        for i in range(1, u.shape[0] - 1):
            above, own, below = u[i - 1], u[i], u[i + 1]
            for j in range(1, u.shape[1] - 1):
                correction = omega * (own[j + 1] + own[j - 1] + below[j] + above[j] - 4 * own[j]) / 4
                own[j] += correction
                change = max(change, abs(correction))
        return change

    @numba.njit(parallel=True)
    def fill(u, average):
        for i in numba.prange(len(u)):
            u[i] = average

    n, m = round(width / h) + 1, round(height / h) + 1
    u = np.empty((m, n))

    def run():
        fill(u, (width * (20 + 180) + height * (80 + 0)) / (2 * width + 2 * height))
        u[0], u[-1], u[:, 0], u[:, -1] = 180, 20, 80, 0
        u[0, 0], u[0, -1], u[-1, 0], u[-1, -1] = (180 + 80) / 2, 180 / 2, (20 + 80) / 2, 20 / 2
        c = math.cos(math.pi / (n - 1)) + math.cos(math.pi / (m - 1))
        omega = 4 / (2 + math.sqrt(4 - c**2))
        for _ in range(most):
            if sweep(u, omega) <= tol:
                break
        return (u,)

    return run
