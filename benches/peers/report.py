"""Writes what has been measured into docs/performance.md, between its markers, and docs/performance.svg: `report.py FOLDER DOCS`.

With `--thesis`, prints the table of the thesis's programs instead.
"""

import importlib
import json
import math
import sys
from pathlib import Path
from statistics import geometric_mean, median
from typing import NamedTuple

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot

BEGIN, END = "<!-- benches/peers/run writes from here -->", "<!-- to here -->"
# The rows' order in the table.
ORDER = (
    "black_scholes black_scholes_erf nbody mandelbrot heat heat3 fdtd sor lattice floyd summary row_sums column_sums matrix_vector "
    "transposed_vector softmax layernorm kmeans fir convolution product product_nest closure"
).split()
NAMES = {"numpy": "NumPy", "scipy": "SciPy", "numba": "Numba", "jax": "JAX", "torch": "torch"}


class Row(NamedTuple):
    """A way of writing a workload. Times in seconds, by memory order; `limit` is the least time that bytes and operations take."""

    title: str
    form: str
    ours: dict
    peer: str
    peer_seconds: float
    limit: float
    bound: str

    def ratio(self, order):
        return self.peer_seconds / self.ours[order]

    def better(self):
        return max(map(self.ratio, self.ours))


def rows(name, figures):
    workload = importlib.import_module(f"workloads.{name}")
    bandwidth, peak = figures["limits"]
    moved, computed = workload.BYTES / bandwidth / 1e9, workload.OPERATIONS / peak / 1e9
    peer, seconds = min(figures["peers"].items(), key=lambda item: item[1])
    for form in workload.FORMS:
        ours = {order: time for other, order, time in figures["ours"] if other == form}
        yield Row(workload.TITLE, form, ours, NAMES[peer], seconds, max(moved, computed), "B" if moved > computed else "F")


def digits(number):
    """Two or three digits that count."""
    return f"{number:.0f}" if number >= 99.5 else f"{number:.1f}" if number >= 9.95 else f"{number:.2f}"


def table(measured):
    lines = [
        "| workload | columns first, ms | rows first, ms | best peer, ms | | ratio, columns first | rows first | of the limit |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in measured:
        title = f"{row.title}: {row.form}" if row.form else row.title
        times = [digits(1e3 * row.ours[order]) if order in row.ours else "" for order in "FC"]
        ratios = [f"**{digits(row.ratio(order))}**" if order in row.ours else "" for order in "FC"]
        share = f"{100 * row.limit / min(row.ours.values()):.0f} % {row.bound}"
        lines.append(f"| {' | '.join([title, *times, digits(1e3 * row.peer_seconds), row.peer, *ratios, share])} |")
    return lines


def summary(measured):
    best = {}
    for row in measured:
        best[row.title] = max(best.get(row.title, 0), row.better())
    forms = geometric_mean(row.better() for row in measured)
    behind = sum(ratio < 0.95 for ratio in best.values())
    return (
        f"Geometric mean of the ratios, of each workload's better order and best form: {geometric_mean(best.values()):.2f} "
        f"({len(best)} workloads, {behind} of them below 0.95); of all forms: {forms:.2f}."
    )


def setting(all_figures):
    machines = [figures["machine"] for figures in all_figures]
    machine = machines[-1]
    limits = [figures["limits"] for figures in all_figures if "limits" in figures]
    bandwidth, peak = (median(column) for column in zip(*limits))
    versions = ", ".join(f"{NAMES[name]} {number}" for name, number in machine["versions"].items())
    one = "" if all(other["cpu"] == machine["cpu"] for other in machines) else " (and others: not all rows are of this one)"
    return (
        f"{machine['threads']} threads on {machine['cpu']}{one}, which copies or reads {bandwidth:.0f} GB/s and does {peak:.0f} billion "
        f"additions and multiplications a second. {versions}; {', '.join(machine['blas'])}."
    )


def disturbed(stored):
    """The workloads beside which something else ran: far fewer multiply-adds a second than beside the others."""
    peaks = {name: figures["limits"][1] for name, figures in stored.items() if "limits" in figures}
    return [name for name, peak in peaks.items() if peak < 0.85 * max(peaks.values())]


def entry(figures):
    names = {"megha": "Megha", "megha-into": "its form `saxpy_into`", "ndarray": "ndarray's operators", "slices": "a loop over slices, in place,"}
    counts = {0: "no allocation", 1: "one allocation"}
    said = [f"{names[name]} {digits(time)} ns and {counts.get(count, f'{count} allocations')}" for name, time, count in figures["entry"]]
    return f"A call of `y = a .* x + y` with ten elements, from Rust: {'; '.join(said)}."


def picture(measured, file):
    """Bars from 1 to the ratio: to the right ahead of the best peer, to the left behind it."""
    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "megha", "font.family": "sans-serif", "font.size": 8}
    figure, axes = pyplot.subplots(figsize=(8, 0.24 * len(measured) + 0.9))
    colours = {"F": "#4063b0", "C": "#9db4e0"}
    for place, row in enumerate(measured):
        for order in row.ours:
            both = len(row.ours) > 1
            height, shift = (0.4, {"F": -0.2, "C": 0.2}[order]) if both else (0.6, 0)
            axes.barh(place + shift, row.ratio(order) - 1, height, left=1, color=colours[order])
    axes.axvline(1, color="black", linewidth=0.8)
    labels = [f"{row.title}: {row.form}" if row.form else row.title for row in measured]
    axes.set_yticks(range(len(measured)), [label.replace("`", "") for label in labels])
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.set_xscale("log")
    ends = [row.ratio(order) for row in measured for order in row.ours]
    ticks = [tick for tick in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20) if min(ends) / 2 < tick < max(ends) * 2]
    axes.set_xticks(ticks, map(str, ticks))
    axes.minorticks_off()
    axes.grid(axis="x", linewidth=0.3)
    axes.set_axisbelow(True)
    axes.set_xlabel("best peer's time over Megha's: right of 1 Megha is faster (dark: columns first, light: rows first)")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


def print_thesis(stored):
    """The programs' times in milliseconds at the thesis's sizes, and those of Octave at its own."""
    print("| program | size | Megha, ms | Numba, ms | ratio | size for Octave | Megha, ms | Octave, ms | ratio |")
    print("|---" * 9 + "|")
    ratios = []
    for name, figures in sorted(stored.items()):
        workload = importlib.import_module(f"workloads.{name}")
        ((_, _, ours),) = figures["ours"]
        pairs = [(ours, figures["peers"]["numba"])]
        if "octave" in figures:
            pairs.append((figures["octave"]["ours"], figures["octave"]["octave"]))
        ratios.append([theirs / ours for ours, theirs in pairs])
        cells = [[digits(1e3 * ours), digits(1e3 * theirs), f"**{digits(theirs / ours)}**"] for ours, theirs in pairs]
        small = getattr(workload, "OCTAVE_SIZE", "the same") if len(pairs) == 2 else ""
        print(f"| {' | '.join([workload.TITLE, workload.SIZE, *cells[0], small, *(cells[1] if small else [''] * 3)])} |")
    by_numba, by_octave = ([pair[place] for pair in ratios if place < len(pair)] for place in (0, 1))
    of_octave = f", Octave's {digits(geometric_mean(by_octave))}" if by_octave else ""
    print(f"\nGeometric means: Numba's time over Megha's {geometric_mean(by_numba):.2f}{of_octave}.")


def main():
    folder, docs = Path(sys.argv[1]), Path(sys.argv[2])
    thesis = "--thesis" in sys.argv
    stored = {file.stem: json.loads(file.read_text()) for file in (folder / "results").glob("*.json")}
    stored = {name: figures for name, figures in stored.items() if name.startswith("thesis.") == thesis}
    for name in disturbed(stored):
        print(f"{name} should be measured again: something else ran beside it")
    if thesis:
        print_thesis(stored)
        return
    measured = [row for name in ORDER if name in stored for row in rows(name, stored[name])]
    written = [BEGIN, "", setting(list(stored.values())), "", *table(measured), "", summary(measured)]
    if "entry" in stored:
        written += ["", entry(stored["entry"])]
    page = docs / "performance.md"
    text = page.read_text()
    before, after = text.index(BEGIN), text.index(END)
    page.write_text(text[:before] + "\n".join([*written, "", ""]) + text[after:])
    picture(measured, docs / "performance.svg")


main()
