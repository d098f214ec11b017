"""Compares Megha's loop nests with Numba's on this machine's processor: PolyBench's thirty kernels and the papers' sixteen, on doubles.

    benches/peers/run --nests [--check|--report] [NAME…]

A name is that of a kernel, of a paper's with `papers/` before it. The same arguments go to both sides. Each kernel's first results in Numba must be
those of the plain Rust loop, but for 1e-9 of the largest. Then Numba has its turns, on one thread and two, the Rust bench times the plain form,
rayon by hand and Megha's in one process (`benches/papers/turns.rs`), and Numba has its turns again; times are medians. As in the bench, a nest goes
on with its own results, and between two calls as many other arrays go through the caches as another form would have: an array of 32 MB would stay in
them in part otherwise. Figures go to `target/peers/nests`, a file each; the table of all that there are is printed at the end, in Markdown. `--check`
compares results only; `--report` prints only the table. Numba's functions are compiled when they are first called, which takes some minutes in all, and kept.

Numba's side, in this folder, is what one who knows Numba would write: `prange` over rows or strips of columns, loops in the order that suits rows
in memory, without `fastmath`, which would add in another order. BLAS is not called: a nest is a nest.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import cases
import numba
import numpy as np

THREADS = (1, 2)
# A side's turns before the Rust bench, and after it, end after so many seconds or calls.
ENOUGH_SECONDS, ENOUGH_CALLS = 0.5, 15
BENCHES = {"polybench": cases.POLYBENCH, "papers": cases.PAPERS}


def executables():
    """The Rust benches, built."""
    command = ["cargo", "bench", "-p", "megha", "--no-run", "--message-format=json", *(word for name in BENCHES for word in ("--bench", name))]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    built = (json.loads(line) for line in lines if '"executable"' in line)
    return {part["target"]["name"]: part["executable"] for part in built if part.get("executable")}


def rust(executable, bench, name, *options):
    """What a Rust bench prints for one kernel."""
    whole = f"{name} f64" if bench == "papers" else name
    # NumPy asks for huge pages for its arrays: so do those of the Rust forms.
    environment = os.environ | {"MEGHA_DEVICE": "cpu", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
    printed = subprocess.run([executable, f"={whole}", *options], check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout
    return whole, printed


def compare(executable, bench, name, results):
    """Whether Numba's first results are those of the plain Rust loop."""
    with tempfile.TemporaryDirectory() as folder:
        whole, _ = rust(executable, bench, name, f"--results={folder}")
        files = [Path(folder) / f"{whole}.{place}" for place in range(len(results))]
        expected = [np.fromfile(file) for file in files]
        assert len(os.listdir(folder)) == len(files), f"{name}: other results"
    for ours, theirs in zip(results, expected, strict=True):
        theirs = theirs.reshape(ours.shape)
        # `not <=`, so that NaN differs.
        if not np.abs(ours - theirs).max() <= 1e-9 * np.abs(theirs).max():
            sys.exit(f"{bench} {name}: Numba's results differ from Rust's")


def take_turns(function, arguments, times):
    """Calls on each number of threads in turns."""
    arrays = [argument for argument in arguments if isinstance(argument, np.ndarray)]
    # In the Rust bench one form runs between Megha's on one thread and on two, and two forms before it runs on one again.
    others = {2: [array.copy() for array in arrays], 1: [array.copy() for array in arrays * 2]}
    begun = time.perf_counter()
    for turn in range(ENOUGH_CALLS):
        if turn >= 3 and time.perf_counter() - begun > ENOUGH_SECONDS:
            break
        for threads in THREADS:
            numba.set_num_threads(threads)
            for other in others[threads]:
                other += 0
            start = time.perf_counter()
            function(*arguments)
            times[threads].append(time.perf_counter() - start)


def measure(executable, bench, name, check):
    size, make = BENCHES[bench][name]
    function, arguments, results = make(size)
    function(*arguments)
    compare(executable, bench, name, results)
    if check:
        return None
    times = {threads: [] for threads in THREADS}
    take_turns(function, arguments, times)
    whole, printed = rust(executable, bench, name)
    take_turns(function, arguments, times)
    row = next(line for line in printed.splitlines() if line.startswith(f"{whole} "))
    plain, one, two = (part.split() for part in row.split("|")[:3])
    numba_times = [1e3 * median(times[threads]) for threads in THREADS]
    return {
        "plain": float(plain[-1]),
        "ours": [float(one[0]), float(two[0])],
        "rayon": [float(one[1]), float(two[1])],
        "numba": numba_times,
    }


def table(folder):
    """All that has been measured, in milliseconds; a ratio is the best other time over ours on as many threads."""
    for bench, kernels in BENCHES.items():
        print(f"\n| {bench} | plain | rayon, 1 | 2 | Numba, 1 | 2 | Megha, 1 | 2 | best other over Megha, 1 | 2 |")
        print("|---" * 10 + "|")
        for name in kernels:
            file = folder / f"{bench}.{name}.json"
            if file.exists():
                print(row(name, json.loads(file.read_text())))


def row(name, figures):
    times = [figures["plain"], *figures["rayon"], *figures["numba"], *figures["ours"]]
    ratios = []
    for rayon, by_numba, ours in zip(figures["rayon"], figures["numba"], figures["ours"]):
        others = {"plain": figures["plain"], "rayon": rayon, "Numba": by_numba}
        best = min(others, key=others.get)
        ratios.append(f"{others[best] / ours:.2f} ({best})")
    return " | ".join([f"| {name}", *(f"{time:.3g}" if time < 100 else f"{time:.0f}" for time in times), *ratios]) + " |"


def main():
    folder = Path(sys.argv[1]).resolve() / "nests"
    folder.mkdir(parents=True, exist_ok=True)
    options = {word for word in sys.argv[2:] if word.startswith("--")}
    wanted = [word for word in sys.argv[2:] if word not in options]
    if "--report" not in options:
        built = executables()
        for bench, kernels in BENCHES.items():
            for name in kernels:
                if wanted and (f"papers/{name}" if bench == "papers" else name) not in wanted:
                    continue
                figures = measure(built[bench], bench, name, "--check" in options)
                print(bench, name, figures or "agrees", flush=True)
                if figures:
                    (folder / f"{bench}.{name}.json").write_text(json.dumps(figures))
    if "--check" not in options:
        table(folder)


main()
