#!/usr/bin/env python3
"""Random integer systems with exact answers from isl, for islpy.rs.

Usage: pip install islpy; python3 islpy_goldens.py > islpy_goldens.txt

One line per system, fields separated by `;`:
    family; variables; inequalities; equalities; expression; feasible; implied; minimum; maximum
Rows are the constant followed by one coefficient per variable; rows of a list are separated by `,`.
`implied` says whether expression >= 0 holds throughout; minimum and maximum are those of the expression over the
integer solutions, `inf` where there is none, `-` where the system is empty.
"""
import random

import islpy as isl

NAMES = ["a", "b", "c", "d", "e"]


def affine(space, row):
    aff = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space)).set_constant_val(isl.Val(row[0]))
    for at, coefficient in enumerate(row[1:]):
        aff = aff.set_coefficient_val(isl.dim_type.in_, at, isl.Val(coefficient))
    return aff


def answer(variables, nonnegative, zero, expr):
    space = isl.Space.create_from_names(isl.DEFAULT_CONTEXT, set=NAMES[:variables])
    solutions = isl.Set.universe(space)
    for row in nonnegative:
        solutions = solutions.add_constraint(isl.Constraint.inequality_from_aff(affine(space, row)))
    for row in zero:
        solutions = solutions.add_constraint(isl.Constraint.equality_from_aff(affine(space, row)))
    if solutions.is_empty():
        return "no", "yes", "-", "-"
    objective = affine(space, expr)
    least, most = solutions.min_val(objective), solutions.max_val(objective)
    violated = solutions.add_constraint(isl.Constraint.inequality_from_aff(affine(space, [-1 - expr[0]] + [-c for c in expr[1:]])))
    text = lambda val: val.to_str() if val.is_int() else "inf"
    return "yes", "yes" if violated.is_empty() else "no", text(least), text(most)


def box(variables, side):
    rows = []
    for at in range(variables):
        unit = [int(at == other) for other in range(variables)]
        low = random.randint(-side, side)
        rows.append([-low] + unit)
        rows.append([low + random.randint(0, side)] + [-c for c in unit])
    return rows


def row(variables, largest, constant):
    return [random.randint(-constant, constant)] + [random.randint(-largest, largest) for _ in range(variables)]


def system(family):
    """Inequalities and equalities of one system of a family."""
    v = random.randint(1, 4)
    if family == "small":
        return v, [row(v, 5, 12) for _ in range(random.randint(1, 6))], [row(v, 5, 12) for _ in range(random.randint(0, 1))]
    if family == "boxed":
        return v, box(v, 20) + [row(v, 9, 60) for _ in range(random.randint(0, 3))], [row(v, 9, 60) for _ in range(random.randint(0, 2))]
    if family == "equalities":
        v = random.randint(2, 5)
        return v, box(v, 1000), [row(v, 50, 500) for _ in range(random.randint(1, v - 1))]
    if family == "billion":
        v = random.randint(2, 4)
        return v, box(v, 10**9), [row(v, 10**9, 10**9) for _ in range(random.randint(1, 2))]
    if family == "strip":
        v = random.randint(2, 3)
        form = row(v, 10**9, 10**9)
        opposite = [random.randint(0, 10**6) - form[0]] + [-c for c in form[1:]]
        return v, box(v, 200) + [form, opposite], []
    # Dense inequalities with huge coefficients.
    v = random.randint(2, 3)
    return v, [row(v, 10**9, 10**9) for _ in range(random.randint(3, 6))], []


def through(rows, point):
    """The rows with their constants moved so that they vanish at a point."""
    return [[-sum(c * x for c, x in zip(r[1:], point))] + r[1:] for r in rows]


def planted(family):
    """A system whose equalities meet inside its box in every other case; without that hardly any would have a solution."""
    v, nonnegative, zero = system(family)
    if family in ("boxed", "equalities", "billion", "strip") and random.random() < 0.6:
        point = [random.randint(-nonnegative[2 * at][0], nonnegative[2 * at + 1][0]) for at in range(v)]
        zero = through(zero, point)
        if family == "strip":
            width = nonnegative[-1][0] + nonnegative[-2][0]
            form = through(nonnegative[-2:-1], point)[0]
            offset = random.randint(0, width)
            nonnegative[-2:] = [[form[0] + offset] + form[1:], [width - form[0] - offset] + [-c for c in form[1:]]]
    return v, nonnegative, zero


def main():
    random.seed(20240607)
    show = lambda rows: ",".join(" ".join(map(str, r)) for r in rows)
    for family in ["small", "boxed", "equalities", "billion", "strip", "dense"]:
        for _ in range(120):
            v, nonnegative, zero = planted(family)
            expr = row(v, 3, 20)
            print(family, v, show(nonnegative), show(zero), show([expr]), *answer(v, nonnegative, zero, expr), sep=";")


if __name__ == "__main__":
    main()
