#!/usr/bin/env python3
"""Compute every polynomial and split constant of the math functions, as the compiler's textual IR.

Usage: python3 docs/math/remez.py > megha-core/src/math/coefficients.mir
       python3 docs/math/remez.py single > megha-core/src/math/single_coefficients.mir
Needs mpmath (with gmpy2 it takes a few seconds, without it a minute).

The polynomials are weighted minimax fits by the second algorithm of Remez (E. W. Cheney, Introduction to
Approximation Theory, ch. 3; J.-M. Muller, Elementary Functions, 3rd ed., section 3.5), solved in 60 digits and
then rounded to double, coefficient by coefficient. The weight turns the error of the fitted tail into an error
relative to the function that is assembled from it, so the error printed beside each table is the one that counts.
"""

import math
import struct
import sys
from mpmath import mp, mpf, matrix, lu_solve

mp.dps = 60


class Format:
    """A floating-point format: its type in the IR, what names and lone numbers end in, and the codes of its bits in `struct`."""

    def __init__(self, type_name, suffix, mark, code, integer):
        self.type_name, self.suffix, self.mark, self.code, self.integer = type_name, suffix, mark, code, integer

    def round(self, x):
        """The number of this format nearest to `x`."""
        return struct.unpack(self.code, struct.pack(self.code, float(x)))[0]

    def literal(self, x):
        """That number in as few digits as the format reads back to the same bits."""
        x = self.round(x)
        digits = 17 if self.code == "<d" else 9
        r = next(t for t in (f"{x:.{n}g}" for n in range(1, digits + 1)) if self.round(float(t)) == x)
        r = repr(float(r))
        return r if ("." in r or "e" in r) else r + ".0"


DOUBLE = Format("f64", "", "", "<d", "<q")
SINGLE = Format("f32", "_single", "f32", "<f", "<i")


def remez(f, weight, a, b, degree, rounds=7, samples=24):
    """Coefficients (lowest first) of the degree-`degree` minimax fit of `f` on [a, b] and its weighted error."""
    a, b = mpf(a), mpf(b)
    n = degree + 2
    mid, half = (a + b) / 2, (b - a) / 2
    # Chebyshev extrema, pulled in a little so that removable singularities at the ends are not evaluated.
    count = n * samples
    grid = [mid - half * mp.cos(mp.pi * (i + mpf(1) / 2) / count) for i in range(count)]
    fs = [f(x) for x in grid]
    ws = [weight(x) for x in grid]
    ref = [min(range(count), key=lambda j: abs(grid[j] - (mid - half * mp.cos(mp.pi * i / (n - 1))))) for i in range(n)]
    coefficients = None
    for _ in range(rounds):
        system, rhs = matrix(n, n), matrix(n, 1)
        for row, j in enumerate(ref):
            power = mpf(1)
            for col in range(degree + 1):
                system[row, col] = power
                power *= grid[j]
            system[row, n - 1] = (-1) ** row / ws[j]
            rhs[row] = fs[j]
        solution = lu_solve(system, rhs)
        coefficients = [solution[i] for i in range(degree + 1)]
        errors = [w * (horner(coefficients, x) - y) for x, y, w in zip(grid, fs, ws)]
        new = alternation(errors, n)
        if new is None or new == ref:
            break
        ref = new
    return coefficients, max(abs(e) for e in errors)


def alternation(errors, n):
    """Indices of `n` alternating extrema of `errors`, the largest of each run of equal sign."""
    runs = []
    for i, e in enumerate(errors):
        if runs and (errors[runs[-1]] > 0) == (e > 0):
            if abs(e) > abs(errors[runs[-1]]):
                runs[-1] = i
        else:
            runs.append(i)
    if len(runs) < n:
        return None
    while len(runs) > n:
        runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
    return runs


def horner(c, x):
    r = mpf(0)
    for a in reversed(c):
        r = r * x + a
    return r


def part(c, first, lines, literal):
    """The polynomial with up to eight coefficients from `first` on; appends its steps and returns its name."""
    def four(at):
        if at + 1 == len(c):
            return literal(c[at])
        pairs = []
        for i in range(at, min(at + 4, len(c)), 2):
            if i + 1 == len(c):
                pairs.append(literal(c[i]))
            else:
                pairs.append(f"%c{i}")
                lines.append(f"  %c{i} = fma %x, {literal(c[i + 1])}, {literal(c[i])}")
        if len(pairs) == 1:
            return pairs[0]
        lines.append(f"  %q{at} = fma {f'%x2, {pairs[1]}' if pairs[1][0] != '%' else f'{pairs[1]}, %x2'}, {pairs[0]}")
        return f"%q{at}"
    low = four(first)
    if len(c) <= first + 4:
        return low
    high = four(first + 4)
    lines.append(f"  %e{first} = fma {f'%x4, {high}' if high[0] != '%' else f'{high}, %x4'}, {low}")
    return f"%e{first}"


def estrin(name, doc, c, form=DOUBLE):
    """A function for the polynomial with coefficients `c`, lowest first and at most 24, by Estrin's scheme in fused steps
    (G. Estrin, Proc. Western Joint Computer Conf. 1960; J.-M. Muller, Elementary Functions, 3rd ed., section 5.5)."""
    literal = form.literal
    if len(c) <= 2:
        return function(name, doc, [f"  %value = fma %x, {literal(c[1])}, {literal(c[0])}"], "%value", form)
    if len(c) == 3:
        # By Horner's rule the chain is as long, and the square is not needed.
        lines = [f"  %c1 = fma %x, {literal(c[2])}, {literal(c[1])}", f"  %value = fma %c1, %x, {literal(c[0])}"]
        return function(name, doc, lines, "%value", form)
    lines = ["  %x2 = mul %x, %x"]
    if len(c) > 4:
        lines.append("  %x4 = mul %x2, %x2")
    if len(c) > 8:
        lines.append("  %x8 = mul %x4, %x4")
    value = part(c, 0, lines, literal)
    for first in range(8, len(c), 8):
        power = "%x8"
        if first == 16:
            lines.append("  %x16 = mul %x8, %x8")
            power = "%x16"
        block = part(c, first, lines, literal)
        block = f"{power}, {block}" if block[0] != "%" else f"{block}, {power}"
        lines.append(f"  %sum{first} = fma {block}, {value}")
        value = f"%sum{first}"
    function(name, doc, lines, value, form)


def function(name, doc, lines, value, form):
    print("\n".join(f";; {line}" for line in doc))
    print(f"func @{name}{form.suffix}(%x: {form.type_name}) -> {form.type_name} {{")
    print("\n".join(lines))
    print(f"  return {value}\n}}\n")


def constant(name, doc, x, form=DOUBLE):
    print(f";; {doc}\nfunc @{name}{form.suffix}() -> {form.type_name} {{\n  return {form.literal(x)}{form.mark}\n}}\n")


def table(name, doc, f, weight, a, b, degree, apart=False):
    """A minimax polynomial; with `apart`, the constant term and the polynomial that `x` is multiplied by stand apart."""
    c, err = remez(f, weight, a, b, degree)
    name = name.lower()
    error = f"Weighted minimax error 2^{float(mp.log(err, 2)):.1f} on [{float(mpf(a)):.6g}, {float(mpf(b)):.6g}]."
    if apart:
        constant(name + "_constant", f"The constant term of {doc}", c[0])
        estrin(name + "_slope", [f"The other terms, over `x`, of {doc}", error], c[1:])
    else:
        estrin(name, [doc, error], c)


def single_table(name, doc, f, weight, a, b, degree, apart=False):
    """A minimax polynomial with coefficients rounded to single, and the error with which they leave it; with `apart`,
    the constant term, in two parts, and the polynomial that `x` is multiplied by stand apart."""
    a, b = mpf(a), mpf(b)
    exact = remez(f, weight, a, b, degree)[0]
    c = [mpf(SINGLE.round(x)) for x in exact]
    if apart:
        c[0] += mpf(SINGLE.round(exact[0] - c[0]))
    grid = [a + (b - a) * (i + mpf(1) / 2) / 400 for i in range(400)]
    err = max(weight(x) * abs(horner(c, x) - f(x)) for x in grid)
    error = f"Weighted error 2^{float(mp.log(err, 2)):.1f} on [{float(a):.6g}, {float(b):.6g}]."
    if apart:
        constants(name + "_constant", f"The constant term of {doc.rstrip('.')}", c[0], 2, form=SINGLE)
        estrin(name + "_slope", [f"The other terms, over `x`, of {doc}", error], c[1:], SINGLE)
    else:
        estrin(name, [doc, error], c, SINGLE)


def rational(f, weight, a, b, over, under, rounds=12, samples=160):
    """Numerator and denominator (lowest first, the denominator's first 1) of a fit of `f` on [a, b], and its weighted error.

    Linear least squares, with the last round's denominator as a weight (C. K. Sanathanan and J. Koerner, IEEE Trans. Automatic
    Control 8 (1963)) and weights raised where the error is large (C. L. Lawson, 1961), which nears the minimax fit."""
    xs = [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * (i + mpf(1) / 2) / samples) for i in range(samples)]
    fs, ws = [f(x) for x in xs], [weight(x) for x in xs]
    emphasis, below, best = list(ws), [mpf(1)] * samples, None
    for _ in range(rounds):
        system, rhs = matrix(samples, over + 1 + under), matrix(samples, 1)
        for row, (x, y) in enumerate(zip(xs, fs)):
            scale = emphasis[row] / below[row]
            for col in range(over + 1):
                system[row, col] = scale * x**col
            for col in range(1, under + 1):
                system[row, over + col] = -scale * y * x**col
            rhs[row] = scale * y
        solution = list(mp.qr_solve(system, rhs)[0])
        top, bottom = solution[:over + 1], [mpf(1)] + solution[over + 1:]
        below = [horner(bottom, x) for x in xs]
        errors = [w * abs(horner(top, x) / d - y) for x, y, w, d in zip(xs, fs, ws, below)]
        if best is None or max(errors) < best[2]:
            best = top, bottom, max(errors)
        mean = sum(errors) / samples
        emphasis = [e * mp.sqrt(error / mean + mpf("0.05")) for e, error in zip(emphasis, errors)]
    return best


def quotient(name, doc, f, weight, a, b, over, under):
    """A quotient of two polynomials."""
    top, bottom, err = rational(f, weight, a, b, over, under)
    error = f"Weighted error of the quotient 2^{float(mp.log(err, 2)):.1f} on [{float(a):.6g}, {float(b):.6g}]."
    estrin(name.lower() + "_numerator", [f"The numerator of {doc}, in `a`.", error], top)
    estrin(name.lower() + "_denominator", [f"The denominator of {doc}, in `a`.", error], bottom)


def split(value, parts, trailing=0, form=DOUBLE):
    """`value` as a sum of doubles or singles; the first keeps `trailing` zero bits so that small multiples of it are exact."""
    out, rest = [], mpf(value)
    for i in range(parts):
        leading = mpf(form.round(rest))
        if i == 0 and trailing:
            bits = struct.unpack(form.integer, struct.pack(form.code, float(rest)))[0]
            bits = (bits + (1 << (trailing - 1))) >> trailing << trailing
            leading = mpf(struct.unpack(form.code, struct.pack(form.integer, bits))[0])
        out.append(leading)
        rest -= leading
    return out


def constants(name, doc, value, parts, trailing=0, form=DOUBLE):
    suffixes = {1: [""], 2: ["_hi", "_lo"], 3: ["_1", "_2", "_3"]}[parts]
    for i, x in enumerate(split(value, parts, trailing, form)):
        constant(name.lower() + suffixes[i], doc + (f" (part {i + 1} of {parts})." if parts > 1 else "."), x, form)


def exponential():
    ln2h = mp.log(2) / 2 * mpf("1.0001")
    table("EXP_TAIL", "`(e^r - 1 - r) / r^2` in `r`.", lambda r: (mp.expm1(r) - r) / r**2 if abs(r) > mpf("1e-12")
          else mpf(1) / 2 + r / 6, lambda r: r**2 / mp.exp(r) + mpf("1e-9"), -ln2h, ln2h, 10)
    z = ln2h**2
    table("SINH_TAIL", "`(sinh r - r) / r^3` in `r^2`.", lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
          lambda z: z + mpf("1e-6"), mpf("1e-9"), z, 4)
    table("COSH_TAIL", "`(cosh r - 1 - r^2/2) / r^4` in `r^2`.", lambda z: (mp.cosh(mp.sqrt(z)) - 1 - z / 2) / z**2,
          lambda z: z**2 + mpf("1e-6"), mpf("1e-9"), z, 4)


def logarithm():
    top = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * mpf("1.0001")

    def atanh_over(z):
        s = mp.sqrt(z)
        return mp.atanh(s) / s
    table("LOG_TAIL", "`(2 atanh(s) - 2 s) / s^3` in `s^2`.", lambda z: 2 * (atanh_over(z) - 1) / z,
          lambda z: z + mpf("1e-6"), mpf("1e-9"), top, 6)
    low, high = 1 + 1 / mp.sqrt(2), 1 + mp.sqrt(2)
    table("LOG_RECIPROCAL", "`1 / d` in `d`, where Newton's iteration begins.", lambda d: 1 / d, lambda d: d, low, high, 2)
    table("LOG_FAR_TAIL", "`(atanh(s) / s - 1 - s^2/3) / s^4` in `s^2`.",
          lambda z: (atanh_over(z) - 1 - z / 3) / z**2, lambda z: z**2 + mpf("1e-6"), mpf("1e-9"), top, 7)


def trigonometric():
    z = (mp.pi / 4) ** 2 * mpf("1.001")
    table("SIN_TAIL", "`(sin r - r) / r^3` in `r^2`.", lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
          lambda z: z + mpf("1e-6"), mpf("1e-9"), z, 5)
    table("COS_TAIL", "`(cos r - 1 + r^2/2) / r^4` in `r^2`.", lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2,
          lambda z: z**2 + mpf("1e-6"), mpf("1e-9"), z, 5)
    t = mp.tan(mp.pi / 8) ** 2 * mpf("1.001")
    table("ATAN_TAIL", "`(atan t - t) / t^3` in `t^2`.", lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
          lambda z: z + mpf("1e-6"), mpf("1e-9"), t, 10)
    table("ASIN_TAIL", "`(asin s - s) / s^3` in `s^2`.", lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
          lambda z: z + mpf("1e-6"), mpf("1e-9"), mpf("0.2501"), 12)


# erfc is fitted on [0, ERFC_LIMIT] in t = (x - ERFC_PIVOT) / (x + ERFC_PIVOT).
ERFC_PIVOT = mpf("3.75")
ERFC_LIMIT = mpf("27.3")
ERF_SPLIT = mpf("1")


def error_function():
    table("ERF_NEAR", "`erf(x) / x - 1` in `x^2`.",
          lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, lambda z: mpf(1), mpf("1e-9"), ERF_SPLIT**2, 11)
    # P(a) = -ln(erfc a) = a + a R(a); an error of R moves erf by a erfc(a).
    quotient("ERF_EXPONENT", "`-ln(erfc a) / a - 1`", lambda a: -mp.log(mp.erfc(a)) / a - 1,
             lambda a: a * mp.erfc(a) / mp.erf(a), mpf("1e-9"), mpf("5.93"), 8, 7)

    def scaled(t):
        x = ERFC_PIVOT * (1 + t) / (1 - t)
        return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)
    top = (ERFC_LIMIT - ERFC_PIVOT) / (ERFC_LIMIT + ERFC_PIVOT)
    table("ERFC_SCALED", f"`(1 + 2x) exp(x^2) erfc(x)` in `t = (x - {ERFC_PIVOT}) / (x + {ERFC_PIVOT})`.",
          scaled, lambda t: 1 / scaled(t), -1, top, 23, apart=True)


def stirling():
    def deviation(y):
        z = 1 / y
        return (mp.gamma(z) / (mp.sqrt(2 * mp.pi) * z ** (z - mpf(1) / 2) * mp.exp(-z)) - 1) / y
    table("STIRLING_TAIL", "`(gamma(z) / (sqrt(2 pi) z^(z - 1/2) e^-z) - 1) z` in `1/z`.", deviation,
          lambda y: y, mpf(1) / 195, mpf("0.12505"), 9)


def two_over_pi_window(name, doc, width, zeros, count, stages):
    """`zeros` zero bits, then the first bits of 2 / pi after the point, `count` words of `width` bits in all, behind a barrel shifter."""
    total = width * count - zeros
    with mp.workprec(total + 200):
        bits = int(mp.floor(mp.ldexp(2 / mp.pi, total)))
    digits = width // 4
    words = [(bits >> (width * (count - 1 - i))) & (2**width - 1) for i in range(count)]
    words = [f"0x{word:0{digits}x}" if word else "0x0" for word in words]
    print("\n".join(f";; {line}" for line in doc))
    print(f"func @{name}(%first: index) -> (w0: index, w1: index, w2: index, w3: index) {{")
    for stage in stages:
        kept = 3 + stage
        print(f"  %bit{stage} = bitand %first, {stage}\n  %by{stage} = ne %bit{stage}, 0")
        for i in range(kept):
            far = words[i + stage] if i + stage < len(words) else "0x0"
            print(f"  %s{stage}_{i} = select %by{stage}, {far}, {words[i]}")
        words = [f"%s{stage}_{i}" for i in range(kept)]
    print(f"  return {', '.join(words[:4])}\n}}\n")


def single_functions():
    """The polynomials of the functions of singles."""
    half_ln2 = mp.log(2) / 2 * mpf("1.0001")
    small = mpf("1e-9")
    single_table("exp_tail", "`(e^r - 1 - r) / r^2` in `r`.", lambda r: (mp.expm1(r) - r) / r**2,
                 lambda r: r**2 / mp.exp(r), -half_ln2, half_ln2, 4)
    low, high = mp.sqrt(mpf(1) / 2) - 1, mp.sqrt(2) - 1
    single_table("log_tail", "`(log(1 + f) - f + f^2/2) / f^3` in `f`.", lambda f: (mp.log1p(f) - f + f * f / 2) / f**3,
                 lambda f: abs(f**3 / mp.log1p(f)), low * mpf("1.0001"), high * mpf("1.0001"), 8)
    for base, name in ((mpf(2), "log2"), (mpf(10), "log10")):
        scale = 1 / mp.log(base)
        single_table(f"{name}_tail", f"`({name}(1 + f) - f / ln {int(base)}) / f^2` in `f`.",
                     lambda f: (mp.log1p(f) - f) * scale / f**2, lambda f: abs(f**2 / (mp.log1p(f) * scale)),
                     low * mpf("1.0001"), high * mpf("1.0001"), 9)
    top = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1))**2 * mpf("1.0001")
    single_table("log_far_tail", "`(atanh(s) / s - 1 - s^2/3) / s^4` in `s^2`.",
                 lambda z: (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1 - z / 3) / z**2, lambda z: z**2 + mpf("1e-6"), small, top, 2)
    quarter = (mp.pi / 4)**2 * mpf("1.003")
    single_table("sin_tail", "`(sin r - r) / r^3` in `r^2`.", lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
                 lambda z: z + mpf("1e-6"), small, quarter, 2)
    single_table("cos_tail", "`(cos r - 1 + r^2/2) / r^4` in `r^2`.", lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2,
                 lambda z: z**2 + mpf("1e-6"), small, quarter, 2)
    single_table("atan_tail", "`(atan t - t) / t^3` in `t^2`.", lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
                 lambda z: z + mpf("1e-6"), small, mpf("0.2501"), 5)
    single_table("asin_tail", "`(asin s - s) / s^3` in `s^2`.", lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
                 lambda z: z + mpf("1e-6"), small, mpf("0.2501"), 4)
    single_table("sinh_tail", "`(sinh r - r) / r^3` in `r^2`.", lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
                 lambda z: z + mpf("1e-6"), small, half_ln2**2, 2)
    single_table("cosh_tail", "`(cosh r - 1 - r^2/2) / r^4` in `r^2`.", lambda z: (mp.cosh(mp.sqrt(z)) - 1 - z / 2) / z**2,
                 lambda z: z**2 + mpf("1e-6"), small, half_ln2**2, 1)
    single_table("tanh_near", "`(tanh a - a) / a^3` in `a^2`.", lambda z: (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
                 lambda z: z + mpf("1e-6"), small, mpf("0.55")**2, 4)
    # P(a) = -ln(erfc a) = a + a R(a); an error of R moves erf by a erfc(a).
    single_table("erf_exponent", "`-ln(erfc a) / a - 1` in `a`.", lambda a: -mp.log(mp.erfc(a)) / a - 1,
                 lambda a: a * mp.erfc(a) / mp.erf(a), mpf("1e-6"), mpf("3.93"), 9)
    single_table("erf_near", "`erf(x) / x - 1` in `x^2`.", lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, lambda z: mpf(1), small,
                 mpf("0.8")**2, 5)
    pivot = mpf(3)

    def scaled(t):
        x = pivot * (1 + t) / (1 - t)
        return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)
    limit = mpf("10.1")
    single_table("erfc_scaled", "`(1 + 2x) exp(x^2) erfc(x)` in `t = (x - 3) / (x + 3)`.", scaled,
                 lambda t: 1 / scaled(t), -1, (limit - pivot) / (limit + pivot), 10, apart=True)


def single():
    print(";! Polynomials and split constants of the functions of singles. Computed by `docs/math/remez.py`; do not edit.")
    print(";!\n;! As in `coefficients`; the errors are those of the rounded coefficients.\n")
    single_functions()
    constants("ln2", "ln 2", mp.log(2), 2, form=SINGLE)
    upper, lower = split(mp.log(2), 2, 8, SINGLE)
    constant("ln2_upper", "ln 2 with 8 trailing zero bits (part 1 of 2).", upper, SINGLE)
    constant("ln2_lower", "ln 2 with 8 trailing zero bits (part 2 of 2).", lower, SINGLE)
    constants("inv_ln2", "1 / ln 2", 1 / mp.log(2), 2, form=SINGLE)
    constants("third", "1 / 3", mpf(1) / 3, 2, form=SINGLE)
    constants("inv_ln10", "1 / ln 10", 1 / mp.log(10), 2, form=SINGLE)
    constants("log10_2", "log10 2", mp.log10(2), 2, form=SINGLE)
    constants("half_pi", "pi / 2", mp.pi / 2, 3, form=SINGLE)
    constants("two_over_pi", "2 / pi", 2 / mp.pi, 1, form=SINGLE)
    constants("pi", "pi", mp.pi, 2, form=SINGLE)
    two_over_pi_window("two_over_pi_window_single",
                       ["The four words from word `first`, 0 to 3, on of eight zero bits and the bits of 2 / pi after the point, the most",
                        "significant first, behind a barrel shifter."], 32, 8, 7, (2, 1))


def main():
    print(";! Polynomials and split constants. Computed by `docs/math/remez.py`; do not edit.")
    print(";!\n;! The polynomials are evaluated by Estrin's scheme in fused steps (G. Estrin, Proc. Western Joint Computer Conf. 1960;")
    print(";! J.-M. Muller, Elementary Functions, 3rd ed., section 5.5): as many multiplications as Horner's rule and a few squarings, but")
    print(";! a chain of only `log2 N` steps. A vectorised loop keeps few iterations in flight, so this latency is what it pays.\n")
    exponential()
    logarithm()
    trigonometric()
    error_function()
    stirling()
    constants("LN2", "ln 2 with 11 trailing zero bits", mp.log(2), 2, 11)
    constants("INV_LN2", "1 / ln 2", 1 / mp.log(2), 2)
    constants("INV_LN10", "1 / ln 10", 1 / mp.log(10), 2)
    constants("LOG10_2", "log10 2 with 11 trailing zero bits", mp.log10(2), 2, 11)
    constants("HALF_PI", "pi / 2", mp.pi / 2, 3)
    constants("TWO_OVER_PI", "2 / pi", 2 / mp.pi, 1)
    two_over_pi_window("two_over_pi_window",
                       ["The four words from word `first`, 0 to 16, on of a zero word and the bits of 2 / pi after the point, the most",
                        "significant first. A barrel shifter: each stage shifts by its number of words or not, and keeps as many as still count."],
                       64, 64, 20, (16, 8, 4, 2, 1))
    constants("PI", "pi", mp.pi, 2)
    constants("SQRT_2_PI", "sqrt(2 pi)", mp.sqrt(2 * mp.pi), 2)
    constants("THIRD", "1 / 3", mpf(1) / 3, 2)


if __name__ == "__main__":
    single() if sys.argv[1:] == ["single"] else main()
