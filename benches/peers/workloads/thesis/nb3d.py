"""The motion of 1536 bodies in space, ten steps."""

import math

import numpy as np

from .. import uniform

TITLE, SIZE = "nb3d", "1536 bodies, 10 steps"
FORMS = {"": "thesis.nb3d"}
ORDERS = "F"
OCTAVE, OCTAVE_SIZE = (1536, 2), "1536 bodies, 2 steps"


def inputs(bodies=1536, steps=10):
    return [uniform(1, (bodies, 3), -1, 1), uniform(2, (bodies, 3), -0.3, 0.3), uniform(3, bodies, 0.5, 1.5) / bodies, 0.05, 0.01, steps]


def with_numba(position0, velocity0, mass, softening, dt, nt):
    import numba

    # a coordinate of all bodies lies together, as in the program's memory order
    @numba.njit(parallel=True, fastmath=True)
    def attract(x, y, z, velocity, mass, softening, dt):
        n = len(x)
        for i in numba.prange(n):
            a, b, c = 0.0, 0.0, 0.0
            xi, yi, zi = x[i], y[i], z[i]
            for j in range(n):
                dx, dy, dz = x[j] - xi, y[j] - yi, z[j] - zi
                square = dx * dx + dy * dy + dz * dz + softening * softening
                pull = mass[j] / (square * math.sqrt(square))
                a += pull * dx
                b += pull * dy
                c += pull * dz
            velocity[0, i] += dt * a
            velocity[1, i] += dt * b
            velocity[2, i] += dt * c

    def run():
        position, velocity = position0.T.copy(), velocity0.T.copy()
        for _ in range(nt):
            attract(*position, velocity, mass, softening, dt)
            position += dt * velocity
        return position.T, velocity.T

    return run
