#!/usr/bin/env python3
"""Writes options.csv beside this script: European options as an exchange might quote them.

    python3 examples/data/make_options.py [ROWS]

Columns, with a header line: spot and strike in one currency, rate per year (continuously
compounded), volatility per square root of a year, expiry in years. The seed is fixed, so
the same rows come out each time. Only the standard library is needed.
"""

import math
import random
import sys
from pathlib import Path

SEED = 20260101
ROWS = 120_000
UNDERLYINGS = 400
# Listed expiries in days: weeklies, monthlies, quarterlies and long-dated ones.
EXPIRIES = [2, 7, 14, 21, 30, 45, 60, 91, 122, 182, 273, 365, 547, 730, 1095]
# Risk-free yields by maturity in years, interpolated in between.
YIELDS = [(0.0, 0.0432), (0.25, 0.0428), (0.5, 0.0415), (1.0, 0.0393), (2.0, 0.0377), (3.0, 0.0374)]


def zero_rate(expiry):
    """Yield for a maturity in years, linear between the points of YIELDS."""
    for (t0, r0), (t1, r1) in zip(YIELDS, YIELDS[1:]):
        if expiry <= t1:
            return r0 + (r1 - r0) * (expiry - t0) / (t1 - t0)
    return YIELDS[-1][1]


def strike_step(spot):
    """Distance between listed strikes, which widens with the price."""
    if spot < 25:
        return 0.5
    if spot < 100:
        return 1.0
    return 5.0 if spot < 500 else 10.0


def implied_volatility(level, moneyness, expiry):
    """A skewed smile around LEVEL that flattens with time; MONEYNESS is ln(strike / forward)."""
    slope = moneyness / math.sqrt(expiry + 0.05)
    return min(max(level - 0.06 * slope + 0.04 * slope * slope, 0.05), 1.5)


def option(draw, underlying):
    """One row, as the text of its five columns."""
    price, level = underlying
    spot = round(price * math.exp(draw.gauss(0.0, 0.004)), 2)
    expiry = draw.choice(EXPIRIES) / 365
    rate = zero_rate(expiry) + draw.gauss(0.0, 0.0004)
    width = level * math.sqrt(expiry)
    step = strike_step(spot)
    # Nobody lists strikes much beyond a factor of two from the price.
    distance = 0.8 * math.tanh(draw.gauss(0.0, 1.2 * width) / 0.8)
    strike = max(round(spot * math.exp(distance) / step), 1) * step
    moneyness = math.log(strike / spot) - rate * expiry
    volatility = implied_volatility(level, moneyness, expiry) * math.exp(draw.gauss(0.0, 0.02))
    return f"{spot:.2f},{strike:g},{rate:.5f},{volatility:.4f},{expiry:.4f}"


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    draw = random.Random(SEED)
    underlyings = [
        (math.exp(draw.gauss(4.4, 0.9)), min(max(draw.gauss(0.32, 0.12), 0.1), 0.8))
        for _ in range(UNDERLYINGS)
    ]
    with open(Path(__file__).with_name("options.csv"), "w", newline="\n") as out:
        out.write("spot,strike,rate,volatility,expiry\n")
        for _ in range(rows):
            out.write(option(draw, draw.choice(underlyings)) + "\n")


if __name__ == "__main__":
    main()
