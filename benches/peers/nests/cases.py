"""The nests by name: the function, its arguments as in the Rust benches, and which of them are results.

`POLYBENCH` has those of `cargo bench --bench polybench`, `PAPERS` those on doubles of `--bench papers`, with their sizes.
"""

import blas
import medley
import numba
import numpy as np
import papers
import products
import solvers
import stencils
from nest import numbers


def matrices(n, count):
    return [numbers(seed + 1, (n, n), 0.125) for seed in range(count)]


def vectors(n, count):
    return [numbers(seed + 7, n, 0.125) for seed in range(count)]


def dominant(n):
    """A symmetric matrix whose diagonal dominates."""
    (a,) = matrices(n, 1)
    return a + a.T + 2.0 * n * np.eye(n)


def in_pieces(function):
    """A nest whose rows differ in length: a thread takes eight of them at a time."""

    def call(*arguments):
        with numba.parallel_chunksize(8):
            function(*arguments)

    return call


def of(function, scalars, count_of_matrices, count_of_vectors, order, results):
    """A case of scalars, matrices and vectors, which are numbered in the order in which they are made; `order` is that of the arguments."""

    def make(n):
        arrays = matrices(n, count_of_matrices) + vectors(n, count_of_vectors)
        return function, [*scalars, *(arrays[place] for place in order)], [arrays[place] for place in results]

    return make


def doitgen(n):
    a, (c4,) = numbers(9, (n // 2, n // 2, n), 0.125), matrices(n, 1)
    return products.doitgen, [a, c4], [a]


def durbin(n):
    r, y = vectors(n, 2)
    return solvers.durbin, [0.3 * r / n, y], [y]


def factor(function):
    def make(n):
        a = dominant(n)
        return function, [a], [a]

    return make


def ludcmp(n):
    a, (b, x, y) = dominant(n), vectors(n, 3)
    return solvers.ludcmp, [a, b, x, y], [a, x, y]


def trisolv(n):
    l, (b, x) = dominant(n), vectors(n, 2)
    return solvers.trisolv, [l, x, b], [x]


def fdtd_2d(n):
    (ex, ey, hz), (fict,) = matrices(n, 3), vectors(10, 1)
    return stencils.fdtd_2d, [ex, ey, hz, fict], [ex, ey, hz]


def heat_3d(n):
    a, b = numbers(1, (n, n, n), 0.125), numbers(2, (n, n, n), 0.125)
    return stencils.heat_3d, [5, a, b], [a, b]


def floyd_warshall(n):
    path = np.floor(matrices(n, 1)[0] * 100.0)
    return medley.floyd_warshall, [path], [path]


def nussinov(n):
    seq = (vectors(n, 1)[0] * 16.0).astype(np.uint8) % 4
    table = np.zeros((n, n), np.int32)
    return medley.nussinov, [seq, table], [table]


POLYBENCH = {
    "gemm": (512, of(blas.gemm, [1.5, 1.2], 3, 0, [0, 1, 2], [0])),
    "gemver": (2048, of(blas.gemver, [1.5, 1.2], 1, 8, range(9), [0, 5, 6])),
    "gesummv": (2048, of(blas.gesummv, [1.5, 1.2], 2, 3, range(5), [2, 4])),
    "symm": (512, of(blas.symm, [1.5, 1.2], 3, 0, [0, 1, 2], [0])),
    "syr2k": (512, of(in_pieces(blas.syr2k), [1.5, 1.2], 3, 0, [0, 1, 2], [0])),
    "syrk": (512, of(in_pieces(blas.syrk), [1.5, 1.2], 2, 0, [0, 1], [0])),
    "trmm": (512, of(in_pieces(blas.trmm), [1.5], 2, 0, [0, 1], [1])),
    "correlation": (512, of(in_pieces(products.correlation), [], 2, 2, range(4), range(4))),
    "covariance": (512, of(in_pieces(products.covariance), [], 2, 0, [0, 1], [0, 1])),
    "2mm": (512, of(products.two_products, [1.5, 1.2], 4, 0, range(4), [3])),
    "3mm": (512, of(products.three_products, [], 7, 0, range(7), [4, 5, 6])),
    "atax": (2048, of(products.atax, [], 1, 3, range(4), [2, 3])),
    "bicg": (2048, of(products.bicg, [], 1, 4, range(5), [1, 2])),
    "doitgen": (128, doitgen),
    "mvt": (2048, of(products.mvt, [], 1, 4, [1, 2, 3, 4, 0], [1, 2])),
    "cholesky": (512, factor(solvers.cholesky)),
    "durbin": (2048, durbin),
    "gramschmidt": (384, of(solvers.gramschmidt, [], 3, 0, range(3), range(3))),
    "lu": (512, factor(solvers.lu)),
    "ludcmp": (512, ludcmp),
    "trisolv": (2048, trisolv),
    "adi": (512, of(stencils.adi, [5], 4, 0, range(4), range(4))),
    "fdtd-2d": (1024, fdtd_2d),
    "heat-3d": (128, heat_3d),
    "jacobi-1d": (1 << 18, of(stencils.jacobi_1d, [10], 0, 2, [0, 1], [0, 1])),
    "jacobi-2d": (1024, of(stencils.jacobi_2d, [10], 2, 0, [0, 1], [0, 1])),
    "seidel-2d": (512, of(stencils.seidel_2d, [5], 1, 0, [0], [0])),
    "deriche": (1024, of(medley.deriche, [0.25], 4, 0, range(4), [1])),
    "floyd-warshall": (512, floyd_warshall),
    "nussinov": (512, nussinov),
}


def paper(function, scalars, shapes, results, order=None):
    """A case whose arrays have the shapes that `shapes` gives for a size, numbered from 1 by their seeds."""

    def make(n):
        arrays = [numbers(seed + 1, shape) for seed, shape in enumerate(shapes(n))]
        arguments = [arrays[place] for place in order or range(len(arrays))]
        return function, [*scalars, *arguments], [arrays[place] for place in results]

    return make


PAPERS = {
    "product": (512, paper(products.multiply, [], lambda n: [(n, n + 1), (n + 1, n + 2), (n, n + 2)], [2])),
    "mv": (2048, paper(papers.mv, [], lambda n: [(n + 1, n), n, n + 1], [2])),
    "tmv": (2048, paper(papers.tmv, [], lambda n: [(n + 1, n), n + 1, n], [2])),
    "mvt": (2048, paper(products.mvt, [], lambda n: [(n, n), n, n, n, n], [3, 4], [3, 4, 1, 2, 0])),
    "rank-k": (512, paper(in_pieces(papers.rank_k), [1.5], lambda n: [(n, n + 2), (n, n)], [1])),
    "rank-2k": (512, paper(in_pieces(papers.rank_2k), [1.5], lambda n: [(n, n + 2), (n, n + 2), (n, n)], [2])),
    "distances": (4096, paper(papers.distances, [], lambda n: [n, n, n, n], [3])),
    "cp": (256, paper(papers.cp, [0.1], lambda n: [(n, 4), (n, n + 1)], [1])),
    "stencil": (1024, paper(papers.stencil, [0.5, 0.125], lambda n: [(n, n + 2), (n, n + 2)], [1])),
    "mri-q": (1024, paper(papers.mri_q, [], lambda n: [(n, 3), (n + 3, 3), n, n, n + 3, n + 3], [4, 5], [0, 2, 3, 1, 4, 5])),
    "mri-fhd": (
        1024,
        paper(
            papers.mri_fhd,
            [],
            lambda n: [n, n, n, n + 3, n + 3, n + 3, (n, 2), (n, 2), (n + 3, 2)],
            [8],
            [0, 1, 2, 6, 7, 3, 4, 5, 8],
        ),
    ),
    "fdtd": (1024, paper(stencils.fdtd_2d, [], lambda n: [10, (n, n + 2), (n, n + 2), (n, n + 2)], [1, 2, 3], [1, 2, 3, 0])),
    "2mm": (
        512,
        paper(
            papers.two_products,
            [],
            lambda n: [(n, n + 1), (n + 1, n + 2), (n + 2, n + 3), (n, n + 2), (n, n + 3)],
            [3, 4],
        ),
    ),
    "hotspot": (1024, paper(papers.hotspot, [10, 0.1], lambda n: [(n, n + 2), (n, n + 2)], [0, 1])),
    "gravity": (1024, paper(papers.gravity, [3, 1e-3], lambda n: [n, (n, 3), (n, 3)], [1, 2])),
    "reduction": (1 << 22, paper(papers.reduction, [64], lambda n: [n, 1], [0, 1])),
}
