"""The product of two matrices of order 2048."""

from . import uniform

TITLE = "product, order 2048"
FORMS = {"`A * B`": "product"}
ORDERS = "FC"
N = 2048
BYTES = 3 * 8 * N * N
OPERATIONS = 2 * N**3


def inputs():
    return [uniform(seed, (N, N), -1, 1) for seed in (1, 2)]


def with_numpy(a, b):
    return lambda: (a @ b,)


def with_jax(a, b):
    import jax

    product = jax.jit(lambda a, b: a @ b)
    return lambda: (product(a, b),)


def with_torch(a, b):
    return lambda: (a @ b,)
