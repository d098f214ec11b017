"""The kernels that Triton is compared by, compiled for sm_90 without a GPU."""

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def product(a, b, c, rows, columns, terms, R: tl.constexpr, C: tl.constexpr, K: tl.constexpr, TYPE: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    n = tl.program_id(1) * C + tl.arange(0, C)
    k = tl.arange(0, K)
    of_a, of_b = a + r[:, None] * terms + k[None, :], b + k[:, None] * columns + n[None, :]
    sums = tl.zeros((R, C), dtype=TYPE)
    for _ in range(0, terms, K):
        sums = tl.dot(tl.load(of_a), tl.load(of_b), sums, input_precision="ieee", out_dtype=TYPE)
        of_a += K
        of_b += K * columns
    tl.store(c + r[:, None] * columns + n[None, :], sums)


@triton.jit
def softmax(x, y, length, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0) * length
    values = tl.load(x + row + at, mask=at < length, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(y + row + at, powers / tl.sum(powers, 0), mask=at < length)


@triton.jit
def saxpy(a, x, y, z, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z + at, a * tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


def compiled(folder):
    """Files of machine code, one for each kernel and size of its tiles."""
    aligned = [["tt.divisibility", 16]]

    def one(name, kernel, types, constants, warps):
        constant = {(kernel.arg_names.index(key),): value for key, value in constants.items()}
        signature = types | {key: "constexpr" for key in constants}
        attributes = {(kernel.arg_names.index(key),): aligned for key, of in types.items() if of[0] in "*i"}
        source = ASTSource(fn=kernel, signature=signature, constexprs=constant, attrs=attributes)
        options = {"num_warps": warps, "num_stages": 3}
        built = triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)
        file = folder / f"triton-{name}.cubin"
        file.write_bytes(built.asm["cubin"])
        return file

    sizes = {"rows": "i32", "columns": "i32", "terms": "i32"}
    for of, name in [(tl.float64, "fp64"), (tl.float32, "fp32")]:
        arrays = {key: f"*{name}" for key in "abc"}
        for rows, warps in [(64, 4), (128, 8)]:
            constants = {"R": rows, "C": 64, "K": 16, "TYPE": of}
            yield one(f"product-{name}-{rows}", product, arrays | sizes, constants, warps)
    yield one("softmax", softmax, {"x": "*fp32", "y": "*fp32", "length": "i32"}, {"BLOCK": 4096}, 8)
    floats = {key: "*fp32" for key in "xyz"}
    yield one("saxpy", saxpy, {"a": "fp32"} | floats | {"n": "i32"}, {"BLOCK": 1024}, 4)
