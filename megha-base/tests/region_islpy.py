#!/usr/bin/env python3
"""Random regions with exact answers from isl, for region.rs.

Usage: pip install islpy; python3 region_islpy.py > region_islpy.txt

One line per pair of regions, fields separated by `;`:
    rank; A; B; elements of A; of B; of the union; of the intersection; of A without B; A covers B; least and greatest of the difference
A and B are sections separated by `,`, each `start:step:count` per dimension, separated by blanks; sections may overlap. The last field has the
least and the greatest subscript of A without B in each dimension, separated by blanks; `-` if it has no elements.
"""
import random

import islpy as isl


def triplet(size):
    start = random.randrange(size)
    step = random.choice([1, 1, 1, 2, 3, 4, 6])
    return start, step, random.randint(1, (size - 1 - start) // step + 1)


def isl_set(rank, sections):
    names = [f"x{d}" for d in range(rank)]
    parts = []
    for section in sections:
        bounds = []
        for name, (start, step, count) in zip(names, section):
            bounds.append(f"{start} <= {name} <= {start + (count - 1) * step} and ({name} - {start}) mod {step} = 0")
        parts.append(f"[{', '.join(names)}] : {' and '.join(bounds)}")
    return isl.Set("{ " + "; ".join(parts) + " }")


def words(section):
    return " ".join(":".join(map(str, t)) for t in section)


def extremes(region, rank):
    if region.is_empty():
        return "-"
    found = []
    for d in range(rank):
        found += [region.dim_min_val(d).to_str(), region.dim_max_val(d).to_str()]
    return " ".join(found)


random.seed(20)
for _ in range(400):
    rank = random.randint(1, 3)
    sizes = [random.choice([12, 40, 300]) for _ in range(rank)]
    a, b = [[[triplet(n) for n in sizes] for _ in range(random.randint(1, 2))] for _ in range(2)]
    in_a, in_b = isl_set(rank, a), isl_set(rank, b)
    sets = [in_a, in_b, in_a | in_b, in_a & in_b, in_a - in_b]
    counts = [s.count_val().to_str() for s in sets]
    covers = "yes" if in_b.is_subset(in_a) else "no"
    fields = [str(rank), ",".join(map(words, a)), ",".join(map(words, b))] + counts + [covers, extremes(sets[4], rank)]
    print(";".join(fields))
