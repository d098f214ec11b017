"""The motion of 16,384 bodies on a line, one step."""

import math

import numpy as np

from .. import uniform

TITLE, SIZE = "nb1d", "16,384 bodies, 1 step"
FORMS = {"": "thesis.nb1d"}
ORDERS = "F"
OCTAVE, OCTAVE_SIZE = (4096,), "4096 bodies, 1 step"


def inputs(bodies=16_384):
    # less than the first step could take: the fastest body has the speed 1
    velocities = uniform(2, bodies, -0.5, 0.5)
    velocities[0] = 1
    return [uniform(1, bodies, -1, 1), velocities, uniform(3, bodies, 0.5, 1.5) / bodies, 0.05, 0.004]


def with_numba(x0, v0, mass, softening, duration):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def attract(x, mass, softening, pull):
        n = len(x)
        for i in numba.prange(n):
            own, sum_ = x[i], 0.0
            for j in range(n):
                gap = x[j] - own
                square = gap * gap + softening * softening
                sum_ += mass[j] * gap / (square * math.sqrt(square))
            pull[i] = sum_

    @numba.njit(parallel=True, fastmath=True)
    def move(x, v, pull, dt):
        for i in numba.prange(len(x)):
            v[i] += dt * pull[i]
            x[i] += dt * v[i]

    pull = np.empty_like(x0)

    def run():
        x, v = x0.copy(), v0.copy()
        t, steps = 0.0, 0
        while t < duration and steps < 10000:
            attract(x, mass, softening, pull)
            dt = min(0.1 * softening / max(np.abs(v).max(), 1e-3), duration - t)
            move(x, v, pull, dt)
            t += dt
            steps += 1
        return x, v, np.array([float(steps)])

    return run
