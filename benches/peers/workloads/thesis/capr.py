"""The capacitance of a line with rectangular conductors, by over-relaxation on 1000 × 2000 cells."""

import numpy as np

TITLE, SIZE = "capr", "1000 × 2000 cells, 4 sweeps"
FORMS = {"": "thesis.capr"}
ORDERS = "F"
OCTAVE, OCTAVE_SIZE = (50, 1e-2), "50 × 100, 7 sweeps"


def inputs(n=1000, tol=1e-3):
    return [0.25, 0.5, 1.0, 2.0, n, tol, 1.9]


def with_numba(a, b, c, d, n, tol, omega):
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def start(f, na, nb):
        n, m = f.shape[0] - 1, f.shape[1] - 1
        for i in numba.prange(n + 1):
            for j in range(m + 1):
                fall = max((i - na) / (n - na), (j - nb) / (m - nb))
                f[i, j] = 1 - min(max(fall, 0.0), 1.0)

    # each point needs the one before it: in order, on one thread
    @numba.njit(fastmath=True)
    def relax(f, na, nb, omega):
        n, m = f.shape[0] - 1, f.shape[1] - 1
        for i in range(n):
            left, own, right = f[1 if i == 0 else i - 1], f[i], f[i + 1]
            first = nb + 1
            if i > na:
                own[0] += omega * ((left[0] + right[0] + 2 * own[1]) / 4 - own[0])
                first = 1
            for j in range(first, m):
                own[j] += omega * ((left[j] + right[j] + own[j - 1] + own[j + 1]) / 4 - own[j])

    @numba.njit(fastmath=True)
    def flux(f, ni, nj):
        q = 0.5 * (f[ni - 1, 0] - f[ni, 0]) + 0.5 * (f[0, nj - 1] - f[0, nj])
        for j in range(1, nj):
            q += f[ni - 1, j] - f[ni, j]
        for i in range(1, ni):
            q += f[i, nj - 1] - f[i, nj]
        return q

    h = c / n
    m, na, nb = round(d / h), round(a / h), round(b / h)
    f = np.empty((n + 1, m + 1))

    @numba.njit(fastmath=True)
    def sweeps(f):
        capacitance = 0.0
        for _ in range(1000):
            relax(f, na, nb, omega)
            before = capacitance
            capacitance = 4 * 8.8541878128e-12 * flux(f, (n + na + 1) // 2, (m + nb + 1) // 2)
            if abs(capacitance - before) < tol * capacitance:
                break
        return capacitance

    def run():
        start(f, na, nb)
        return (np.array([sweeps(f)]),)

    return run
