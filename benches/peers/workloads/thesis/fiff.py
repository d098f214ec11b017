"""The motion of a string of 4096 nodes at 4096 points in time."""

import math

import numpy as np

TITLE, SIZE = "fiff", "4096 × 4096"
FORMS = {"": "thesis.fiff"}
ORDERS = "F"
OCTAVE, OCTAVE_SIZE = (300, 300), "300 × 300"


def inputs(n=4096, m=4096):
    return [1.0, 0.9, 1.0, n, m]


def with_numba(length_x, duration, speed, n, m):
    import numba

    # A row is a point in time. A step is too short for two threads: started for each, they take longer than one.
    @numba.njit(fastmath=True)
    def string(u, h, r2):
        m, n = u.shape
        u[:, 0] = 0.0
        u[:, n - 1] = 0.0
        for i in range(1, n - 1):
            x = math.pi * h * i / length_x
            u[0, i] = math.sin(x) + math.sin(2 * x)
        for i in range(1, n - 1):
            u[1, i] = (1 - r2) * u[0, i] + r2 / 2 * (u[0, i + 1] + u[0, i - 1])
        twice = 2 - 2 * r2
        for j in range(2, m):
            older, before, now = u[j - 2], u[j - 1], u[j]
            for i in range(1, n - 1):
                now[i] = twice * before[i] + r2 * (before[i - 1] + before[i + 1]) - older[i]

    h, k = length_x / (n - 1), duration / (m - 1)
    u = np.empty((m, n))

    def run():
        string(u, h, (speed * k / h) ** 2)
        return (u.T,)

    return run
