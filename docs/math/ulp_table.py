#!/usr/bin/env python3
"""Measure the math functions of megha-base against multiple-precision references.

Usage:
  python3 docs/math/ulp_table.py measure [NAME..]  prints the rows of the table in docs/math.md (about a million points each)
  python3 docs/math/ulp_table.py golden [NAME..]   rewrites megha-rt/tests/math/*.txt (reference values by mpmath)

Needs mpmath and gmpy2, and `cargo build --release -p megha-rt --example math_eval` done before. `measure` takes its references
from MPFR (through gmpy2), which is fast enough for millions of points; `golden` takes them from mpmath, so the two also check each
other. Points come from a fixed seed: uniform in value over the interesting ranges, uniform in exponent over all doubles, and
dense near the joints of each method. One ulp is that of the correctly rounded result (2^-1074 for subnormal results).
"""

import array
import math
import os
import random
import struct
import subprocess
import sys

import gmpy2
import mpmath
from gmpy2 import mpfr

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVAL = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "examples", "math_eval")
GOLDEN = os.path.join(ROOT, "megha-rt", "tests", "math")
SPECIAL = [0.0, 1.0, 0.5, 2.0, 5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, math.inf,
           1e-300, 1e300, 2.0**53, 2.0**53 - 1, 1 - 2.0**-53, 1 + 2.0**-52, 2.0**-27, 2.0**-54, 3.0, 10.0, 1000.0, 0.1]
SPECIAL = SPECIAL + [-x for x in SPECIAL] + [math.nan]

# name: (mpmath reference, MPFR reference, ranges that matter)
FUNCTIONS = {
    "exp": (mpmath.exp, gmpy2.exp, [(-745.2, 709.8), (-1, 1), (-746, -708)]),
    "exp2": (lambda x: mpmath.power(2, x), gmpy2.exp2, [(-1075, 1024), (-1, 1)]),
    "expm1": (mpmath.expm1, gmpy2.expm1, [(-40, 710), (-2, 2), (-0.4, 0.4)]),
    "log": (mpmath.log, gmpy2.log, [(0, 4), (0.9, 1.1), (0.7, 1.42)]),
    "log2": (lambda x: mpmath.log(x, 2), gmpy2.log2, [(0, 4), (0.9, 1.1), (0.7, 1.42)]),
    "log10": (mpmath.log10, gmpy2.log10, [(0, 4), (0.9, 1.1), (0.7, 1.42)]),
    "log1p": (mpmath.log1p, gmpy2.log1p, [(-1, 3), (-0.1, 0.1), (-0.5, 1)]),
    "sin": (mpmath.sin, gmpy2.sin, [(-7, 7), (-1e5, 1e5), (-1e13, 1e13), (-0.8, 0.8)]),
    "cos": (mpmath.cos, gmpy2.cos, [(-7, 7), (-1e5, 1e5), (-1e13, 1e13), (-0.8, 0.8)]),
    "tan": (mpmath.tan, gmpy2.tan, [(-7, 7), (-1e5, 1e5), (-1e13, 1e13), (-0.8, 0.8)]),
    "asin": (mpmath.asin, gmpy2.asin, [(-1, 1), (0.49, 0.51), (0.99, 1)]),
    "acos": (mpmath.acos, gmpy2.acos, [(-1, 1), (0.49, 0.51), (0.99, 1)]),
    "atan": (mpmath.atan, gmpy2.atan, [(-5, 5), (0.4, 0.45), (2.3, 2.5)]),
    "sinh": (mpmath.sinh, gmpy2.sinh, [(-711, 711), (-2, 2), (-0.4, 0.4)]),
    "cosh": (mpmath.cosh, gmpy2.cosh, [(-711, 711), (-2, 2), (-0.4, 0.4)]),
    "tanh": (mpmath.tanh, gmpy2.tanh, [(-21, 21), (-2, 2), (-0.4, 0.4)]),
    "asinh": (mpmath.asinh, gmpy2.asinh, [(-5, 5), (-0.1, 0.1), (0, 1e10)]),
    "acosh": (mpmath.acosh, gmpy2.acosh, [(1, 5), (1, 1.1), (0, 1e10)]),
    "atanh": (mpmath.atanh, gmpy2.atanh, [(-1, 1), (-0.1, 0.1), (0.99, 1)]),
    "gamma": (mpmath.gamma, gmpy2.gamma, [(-184, 172), (-5, 10), (0, 2), (165, 171.7)]),
    "erf": (mpmath.erf, gmpy2.erf, [(-6, 6), (-1.2, 1.2), (0.9, 1.5)]),
    "erfc": (mpmath.erfc, gmpy2.erfc, [(-6, 27.3), (-1, 1), (26, 27.3)]),
    "pow": (mpmath.power, lambda x, y: x**y, [((0, 4), (-300, 300)), ((0.9, 1.1), (-7000, 7000)), ((0, 1e3), (-100, 100))]),
    "atan2": (mpmath.atan2, gmpy2.atan2, [((-5, 5), (-5, 5)), ((0, 1e-3), (-1, 1)), ((-1, 1), (0.4, 2.5))]),
    "hypot": (mpmath.hypot, gmpy2.hypot, [((-5, 5), (-5, 5)), ((0, 1e-3), (-1, 1)), ((1e-8, 1e-7), (0, 1))]),
}
BINARY = {"pow", "atan2", "hypot"}
# Doubles that come unusually near to a multiple of pi/2 (J.-M. Muller, Elementary Functions, 3rd ed., section 11.1).
NEAR_MULTIPLES = [6381956970095103.0 * 2.0**797, 5.319372648326541e255, 1.2345e22, 2.0**1023, 2.0**40, 2.0**40 + 2.0**-12,
                  math.pi, math.pi / 2, 3 * math.pi / 2, 22.0, 355.0, 103993.0, 1e22]


def to_bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def any_double(rng):
    while True:
        x = struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]
        if x == x:
            return x


def points(name, count, seed):
    """A list of argument tuples: specials, all exponents, then each range in equal parts."""
    rng = random.Random(f"{name} {seed}")
    ranges = FUNCTIONS[name][2]
    share = count // (len(ranges) + 1)
    if name in BINARY:
        out = [(a, b) for a in SPECIAL for b in SPECIAL]
        out += [(any_double(rng), any_double(rng) if name != "pow" else rng.uniform(-3, 3)) for _ in range(share)]
        for (a, b), (c, d) in ranges:
            out += [(rng.uniform(a, b), rng.uniform(c, d)) for _ in range(share)]
        if name == "pow":
            out += [(float(rng.randint(-50, 50)), float(rng.randint(-60, 60))) for _ in range(2000)]
    else:
        out = [(x,) for x in SPECIAL]
        if name in ("sin", "cos", "tan"):
            out += [(x,) for x in NEAR_MULTIPLES] + [(-x,) for x in NEAR_MULTIPLES]
            out += [(k * math.pi / 2,) for k in range(1, 2000)]
        if name == "gamma":
            out += [(float(k),) for k in range(1, 172)]
        if name == "log10":
            out += [(10.0**k,) for k in range(-10, 23)]
        out += [(any_double(rng),) for _ in range(share)]
        for a, b in ranges:
            out += [(rng.uniform(a, b),) for _ in range(share)]
    return out


def at_pole(name, p):
    """Where Octave's value, which is ours, is not MPFR's: `gamma` at negative integers and minus infinity."""
    return name == "gamma" and p[0] < 0 and (math.isinf(p[0]) or p[0] == math.floor(p[0]))


def evaluate(name, pts):
    data = array.array("d", [x for p in pts for x in p])
    result = array.array("d")
    result.frombytes(subprocess.run([EVAL, name], input=data.tobytes(), stdout=subprocess.PIPE, check=True).stdout)
    return result


def ulp_of(y):
    """The spacing of doubles at the double `y`, finite."""
    return math.ulp(y)


def error(got, exact):
    """Error of `got` in ulps of the rounded `exact`, or None where the two agree as special values."""
    want = float(exact)
    if want != want or got != got:
        return 0.0 if (want != want) == (got != got) else math.inf
    if math.isinf(want) or math.isinf(got):
        if want == got:
            return 0.0
        return 1.0 if (abs(got) == 1.7976931348623157e308 or abs(want) == 1.7976931348623157e308) and got * want > 0 else math.inf
    if want == 0 and got == 0:
        return 0.0 if exact != 0 or math.copysign(1, want) == math.copysign(1, got) else math.inf
    return abs(float((got - exact) / mpfr(ulp_of(want))))


def measure(name, count=1_000_000, keep=0):
    """Largest error and where; with `keep`, also the `keep` worst points."""
    gmpy2.get_context().precision = 120
    gmpy2.get_context().emax, gmpy2.get_context().emin = 2**30, -(2**30)
    reference = FUNCTIONS[name][1]
    pts = points(name, count, "measure")
    worst = []
    best, where = -1.0, None
    for p, got in zip(pts, evaluate(name, pts)):
        e = error(got, math.inf if at_pole(name, p) else reference(*map(mpfr, p)))
        if e > best:
            best, where = e, p
        if keep:
            worst.append((e, p))
    worst.sort(key=lambda t: -t[0])
    return best, where, len(pts), [p for _, p in worst[:keep]]


def exact_by_mpmath(name, p):
    mpmath.mp.prec = 120 if name not in ("sin", "cos", "tan") else 1400
    if any(x != x for x in p):
        return mpmath.nan
    try:
        y = FUNCTIONS[name][0](*map(mpmath.mpf, p))
    except (ZeroDivisionError, ValueError):
        return mpmath.nan
    return y if isinstance(y, mpmath.mpf) else mpmath.nan


def golden_line(name, p):
    """`x.. y r`: bits of the arguments, bits of the rounded result, and the rest of it in 2^-15 ulp (signed, decimal)."""
    want = exact_by_mpmath(name, p)
    rounded = float(want)
    rest = 0
    if math.isfinite(rounded):
        rest = int(mpmath.nint((want - mpmath.mpf(rounded)) / mpmath.mpf(ulp_of(rounded)) * 2**15))
    return " ".join(f"{to_bits(x):x}" for x in p) + f" {to_bits(rounded):x} {rest}"


def golden(names):
    os.makedirs(GOLDEN, exist_ok=True)
    for name in names:
        _, _, _, hard = measure(name, 200_000, keep=300)
        finite = [p for p in points(name, 600, "golden") if all(math.isfinite(x) and x != 0 for x in p)]
        lines = []
        for p in hard + random.Random(name).sample(finite, min(len(finite), 700)):
            if math.isfinite(float(exact_by_mpmath(name, p))):
                lines.append(golden_line(name, p))
        with open(os.path.join(GOLDEN, name + ".txt"), "w") as f:
            f.write("\n".join(lines) + "\n")
        print(name, len(lines))


def main():
    if sys.argv[1:2] == ["golden"]:
        golden(sys.argv[2:] or FUNCTIONS)
    elif sys.argv[1:2] == ["measure"]:
        for name in sys.argv[2:] or FUNCTIONS:
            e, where, n, _ = measure(name, int(os.environ.get("POINTS", "1000000")))
            print(f"| {name} | {e:.3f} | {n} | {', '.join(map(repr, where))} |", flush=True)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
