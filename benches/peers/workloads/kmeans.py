"""A step of k-means: 100,000 points of 4 numbers, 8 centres."""

import numpy as np

from . import uniform

TITLE = "k-means step, 10⁵ × 4, 8 centres"
FORMS = {"": "kmeans"}
ORDERS = "FC"
N, WIDTH, CENTRES = 100_000, 4, 8
BYTES = 8 * (N * WIDTH + N)
OPERATIONS = (3 * CENTRES + 1) * N * WIDTH


def inputs():
    points = uniform(1, (N, WIDTH), 0, 1)
    return [points, points[:CENTRES].copy()]


def peer_result(place, array):
    """The labels begin with 0 in Python and are whole numbers."""
    return array + 1.0 if place == 0 else array


def with_numpy(x, c):
    def run():
        distances = np.stack([((x - centre) ** 2).sum(1) for centre in c], axis=1)
        label = distances.argmin(1)
        return label, np.stack([x[label == q].mean(0) for q in range(CENTRES)])

    return run


def with_numba(x, c):
    import numba

    # sums of parts of the points, which are added in the end
    @numba.njit(parallel=True, fastmath=True)
    def step(x, c, label, sums, counts):
        parts, n = len(sums), len(x)
        sums[:] = 0.0
        counts[:] = 0.0
        for part in numba.prange(parts):
            for i in range(part * n // parts, (part + 1) * n // parts):
                nearest, least = 0, np.inf
                for q in range(CENTRES):
                    distance = 0.0
                    for d in range(WIDTH):
                        distance += (x[i, d] - c[q, d]) ** 2
                    if distance < least:
                        nearest, least = q, distance
                label[i] = nearest
                counts[part, nearest] += 1
                for d in range(WIDTH):
                    sums[part, nearest, d] += x[i, d]

    parts = 16
    label, sums, counts = np.empty(N, np.int64), np.empty((parts, CENTRES, WIDTH)), np.empty((parts, CENTRES))

    def run():
        step(x, c, label, sums, counts)
        return label, sums.sum(0) / counts.sum(0)[:, None]

    return run


def with_jax(x, c):
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(x, c):
        label = ((x[:, None, :] - c[None, :, :]) ** 2).sum(2).argmin(1)
        chosen = (label[:, None] == jnp.arange(CENTRES)).astype(x.dtype)
        return label, chosen.T @ x / chosen.sum(0)[:, None]

    return lambda: step(x, c)


def with_torch(x, c):
    import torch

    def step(x, c):
        label = ((x[:, None, :] - c[None, :, :]) ** 2).sum(2).argmin(1)
        chosen = (label[:, None] == torch.arange(CENTRES)).to(x.dtype)
        return label, chosen.T @ x / chosen.sum(0)[:, None]

    step = torch.compile(step, dynamic=False)
    return lambda: step(x, c)
