"""The field of a pulse in a metal box of 1024 × 1024 × 32 cells, four steps."""

import math

import numpy as np

TITLE, SIZE = "fdtd", "1024 × 1024 × 32, 4 steps"
FORMS = {"": "thesis.fdtd"}
ORDERS = "F"
OCTAVE, OCTAVE_SIZE = (256, 256, 32), "256 × 256 × 32, 4 steps"


def inputs(nx=1024, ny=1024, nz=32, nt=4):
    return [1e-3 * nx, 1e-3 * ny, 1e-3 * nz, nx, ny, nz, nt]


def with_numba(lx, ly, lz, nx, ny, nz, nt):
    import numba

    # The program's memory order, columns first, is that of the arrays' mirror images: z, y, x. Two passes, one for each field.
    @numba.njit(parallel=True, fastmath=True)
    def start(ex, ey, ez, hx, hy, hz, nodes, cells):
        nz, ny, nx = len(cells[2]), len(cells[1]), len(cells[0])
        for k in numba.prange(nz + 1):
            for j in range(ny + 1):
                ex[k, j, :] = 0.0
                if j < ny:
                    ey[k, j, :] = 0.0
                    hz[k, j, :] = 0.0
                if k < nz:
                    ez[k, j, :] = 0.0
                    hy[k, j, :] = 0.0
                    if j < ny:
                        hx[k, j, :] = 0.0
                inner_j, inner_k = 0 < j < ny, 0 < k < nz
                if inner_j and inner_k:
                    for i in range(nx):
                        ex[k, j, i] = 0.5 * cells[0][i] * nodes[1][j - 1] * nodes[2][k - 1]
                if j < ny and inner_k:
                    for i in range(1, nx):
                        ey[k, j, i] = -0.7 * nodes[0][i - 1] * cells[1][j] * nodes[2][k - 1]
                if inner_j and k < nz:
                    for i in range(1, nx):
                        ez[k, j, i] = nodes[0][i - 1] * nodes[1][j - 1] * cells[2][k]

    @numba.njit(parallel=True, fastmath=True)
    def magnetic(ex, ey, ez, hx, hy, hz, ax, ay, az):
        nz, ny, nx = hx.shape[0], hx.shape[1], hy.shape[2]
        for k in numba.prange(nz + 1):
            for j in range(ny + 1):
                if k < nz and j < ny:
                    for i in range(nx + 1):
                        hx[k, j, i] += az * (ey[k + 1, j, i] - ey[k, j, i]) - ay * (ez[k, j + 1, i] - ez[k, j, i])
                if k < nz:
                    for i in range(nx):
                        hy[k, j, i] += ax * (ez[k, j, i + 1] - ez[k, j, i]) - az * (ex[k + 1, j, i] - ex[k, j, i])
                if j < ny:
                    for i in range(nx):
                        hz[k, j, i] += ay * (ex[k, j + 1, i] - ex[k, j, i]) - ax * (ey[k, j, i + 1] - ey[k, j, i])

    @numba.njit(parallel=True, fastmath=True)
    def electric(ex, ey, ez, hx, hy, hz, bx, by, bz):
        nz, ny, nx = hx.shape[0], hx.shape[1], hy.shape[2]
        for k in numba.prange(nz):
            for j in range(ny):
                if k > 0 and j > 0:
                    for i in range(nx):
                        ex[k, j, i] += by * (hz[k, j, i] - hz[k, j - 1, i]) - bz * (hy[k, j, i] - hy[k - 1, j, i])
                if k > 0:
                    for i in range(1, nx):
                        ey[k, j, i] += bz * (hx[k, j, i] - hx[k - 1, j, i]) - bx * (hz[k, j, i] - hz[k, j, i - 1])
                if j > 0:
                    for i in range(1, nx):
                        ez[k, j, i] += bx * (hy[k, j, i] - hy[k, j, i - 1]) - by * (hx[k, j, i] - hx[k, j - 1, i])

    c, mu = 299792458.0, 4e-7 * math.pi
    epsilon = 1 / (mu * c**2)
    steps = [lx / nx, ly / ny, lz / nz]
    dt = 0.99 / (c * math.sqrt(sum(1 / step**2 for step in steps)))
    to_magnetic = [dt / (mu * step) for step in steps]
    to_electric = [dt / (epsilon * step) for step in steps]
    electric_shapes = [(nz + 1, ny + 1, nx), (nz + 1, ny, nx + 1), (nz, ny + 1, nx + 1)]
    magnetic_shapes = [(nz, ny, nx + 1), (nz, ny + 1, nx), (nz + 1, ny, nx)]
    fields = [np.empty(shape) for shape in electric_shapes + magnetic_shapes]

    def pulse(at, n, centre):
        return np.exp(-20 * (at / n - centre) ** 2)

    def run():
        along = [(nx, 0.4), (ny, 0.55), (nz, 0.45)]
        nodes = tuple(pulse(np.arange(1, n), n, centre) for n, centre in along)
        cells = tuple(pulse(np.arange(n) + 0.5, n, centre) for n, centre in along)
        start(*fields, nodes, cells)
        for _ in range(nt):
            magnetic(*fields, *to_magnetic)
            electric(*fields, *to_electric)
        return [field.T for field in fields]

    return run
