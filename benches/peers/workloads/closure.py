"""The transitive closure of a graph of 512 nodes, by nine products."""

from . import uniform

TITLE = "closure, 512 nodes"
FORMS = {"": "closure"}
ORDERS = "FC"
N = 512
BYTES = 2 * 8 * N * N
OPERATIONS = 9 * 2 * N**3


def inputs():
    return [(uniform(1, (N, N), 0, 1) < 0.004).astype(float)]


def with_numpy(a0):
    def run():
        a = a0
        for _ in range(9):
            a = (a @ a > 0).astype(float)
        return (a,)

    return run


def with_jax(a0):
    import jax

    @jax.jit
    def closure(a):
        for _ in range(9):
            a = (a @ a > 0).astype(float)
        return a

    return lambda: (closure(a0),)


def with_torch(a0):
    import torch

    def run():
        a = a0
        for _ in range(9):
            a = (a @ a > 0).to(torch.float64)
        return (a,)

    return run
