"""The heat equation on a rod of 8000 nodes, by Crank and Nicolson's method, at 4000 points in time."""

import math

import numpy as np

TITLE, SIZE = "crni", "8000 × 4000"
FORMS = {"": "thesis.crni"}
ORDERS = "F"
OCTAVE, OCTAVE_SIZE = (250, 100), "250 × 100"


def inputs(n=8000, m=4000):
    return [1.0, 1.0, 0.01, n, m]


def with_numba(length_x, duration, diffusivity, n, m):
    import numba

    # rows are points in time, so that both passes go along memory; the system is solved as the program has it, for any three diagonals
    @numba.njit(fastmath=True)
    def rod(u, r, lower, middle, upper, diagonal, right):
        m, n = u.shape
        u[:, n - 1] = 1.0
        u[0, 0] = 0.0
        for i in range(1, n - 1):
            x = i / (n - 1)
            u[0, i] = x + math.sin(math.pi * x) + 0.5 * math.sin(3 * math.pi * x)
        for j in range(1, m):
            before, now = u[j - 1], u[j]
            diagonal[0], right[0] = middle[0], 0.0
            for i in range(1, n):
                factor = lower[i - 1] / diagonal[i - 1]
                diagonal[i] = middle[i] - factor * upper[i - 1]
                given = before[i - 1] + (2 / r - 2) * before[i] + before[i + 1] if i < n - 1 else 1.0
                right[i] = given - factor * right[i - 1]
            now[n - 1] = right[n - 1] / diagonal[n - 1]
            for i in range(n - 2, -1, -1):
                now[i] = (right[i] - upper[i] * now[i + 1]) / diagonal[i]

    h, k = length_x / (n - 1), duration / (m - 1)
    r = diffusivity * k / h**2
    u, diagonal, right = np.empty((m, n)), np.empty(n), np.empty(n)
    lower, upper = np.full(n - 1, -1.0), np.full(n - 1, -1.0)
    lower[-1] = upper[0] = 0.0
    middle = np.full(n, 2 / r + 2)
    middle[0] = middle[-1] = 1.0

    def run():
        rod(u, r, lower, middle, upper, diagonal, right)
        return (u.T,)

    return run
