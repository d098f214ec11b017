"""Measures Megha and its peers on workloads: `measure.py FOLDER [--check] [--thesis] [WORKLOAD…]`.

All take turns in one session, on the same number of threads, after their results have been compared. A turn is calls in a row for at least
30 ms, the first of which is not counted; the figure is the median of all calls of all turns. What the machine can do at most is measured in
the same session. The figures of a workload go to `FOLDER/results/WORKLOAD.json`, for `report.py`. With `--check`, results are compared and
nothing is timed; that also fills the caches of the libraries that compile. `--thesis` takes the workloads of `workloads/thesis`, whose programs
GNU Octave runs too, from the same files, in turns with Megha after the peers.
"""

import importlib
import importlib.metadata
import json
import os
import pkgutil
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np
import threadpoolctl

import workloads
import workloads.thesis

HERE = Path(__file__).parent
PROGRAMS = HERE.parent.parent / "examples" / "matlab"
PEERS = ["numpy", "scipy", "numba", "jax", "torch"]
TURNS, TURN_SECONDS = 7, 0.03
# Who has used up so many seconds, and had so many turns, has no more of them.
ENOUGH_SECONDS, ENOUGH_TURNS = 1.5, 3
# A peer that is so many times slower than the best has no second turn.
HOPELESS = 3


class Failed(Exception):
    """What a server answers where it has no answer."""


class Server:
    """A process that answers one line for each."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, env=environment, cwd=HERE, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, *words):
        if self.process.poll() is not None:
            raise Failed("it cannot be used here")
        print(*words, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().split()
        if not answer:
            self.process.wait()
            raise Failed("it cannot be used here")
        if answer[0] != "ok":
            raise Failed(" ".join(answer[1:]))
        return answer[1:]

    def stop(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait()


class Entrant:
    """One who takes turns: a form of Megha's program in a memory order, or a peer."""

    def __init__(self, server, form, order=None):
        self.server, self.form, self.order = server, form, order
        self.times, self.turns = [], 0

    def turn(self):
        self.times += map(float, self.server.ask("time", TURN_SECONDS))
        self.turns += 1

    def has_enough(self):
        return self.turns >= ENOUGH_TURNS and sum(self.times) > ENOUGH_SECONDS

    def results(self, scratch):
        shapes = [tuple(map(int, shape.split("x"))) for shape in self.server.ask("results", scratch / "result")]
        return [np.fromfile(scratch / f"result.{place}").reshape(shape) for place, shape in enumerate(shapes)]


class Session:
    """The peers that there are, and what the measurement of a workload needs."""

    def __init__(self, folder, scratch):
        self.folder, self.scratch = folder, scratch
        self.threads = len(os.sched_getaffinity(0))
        names = ["RAYON", "OMP", "OPENBLAS", "MKL", "NUMBA"]
        self.environment = os.environ | {f"{name}_NUM_THREADS": str(self.threads) for name in names}
        self.environment |= {"PEERS_CACHE": str(folder), "TORCHINDUCTOR_CACHE_DIR": str(folder / "torch"), "MEGHA_DEVICE": "cpu"}
        self.peers = {}

    def peer(self, name):
        """The peer's server, started when it is first asked for."""
        if name not in self.peers:
            self.peers[name] = Server([sys.executable, "serve.py", name, str(self.threads)], self.environment)
        return self.peers[name]

    def octave(self):
        """Octave's server for the programs of `examples/matlab`."""
        return Server(["octave-cli", "--quiet", "--norc", "serve.m", str(PROGRAMS)], self.environment)

    def limits(self):
        """Gigabytes, and billions of operations, a second."""
        printed = subprocess.run([self.folder / "limits", str(self.threads)], check=True, capture_output=True, text=True)
        return list(map(float, printed.stdout.split()))

    def machine(self):
        cpu = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
        blas = [f"{library['internal_api'].replace('openblas', 'OpenBLAS')} with its kernels for {library['architecture']}"
                for library in threadpoolctl.threadpool_info() if library["user_api"] == "blas"]
        return {"cpu": cpu, "threads": self.threads, "blas": blas, "versions": dict(filter(None, map(version, PEERS)))}


def version(package):
    try:
        return package, importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def written(session, arguments):
    """The arguments as words, arrays in files."""
    words = []
    for place, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            file = session.scratch / f"argument.{place}"
            argument.tofile(file)
            words.append("x".join(map(str, argument.shape)) + f":{file}")
        else:
            words.append(argument)
    return words


def ours(session, workload, arguments):
    """Megha's forms and orders, each in a process of its own."""
    words = written(session, arguments)
    entrants = []
    for form, program in workload.FORMS.items():
        for order in workload.ORDERS:
            entrant = Entrant(Server([session.folder / "peers"], session.environment), form, order)
            entrant.server.ask("load", program, order, *words)
            entrants.append(entrant)
    return entrants


def peers(session, workload):
    """The peers that have this workload and can be used here."""
    entrants = []
    for name in PEERS:
        if hasattr(workload, f"with_{name}"):
            entrant = Entrant(session.peer(name), name)
            try:
                entrant.server.ask("load", workload.__name__.removeprefix("workloads."))
                entrants.append(entrant)
            except Failed as why:
                print(f"  {name} is left out: {why}")
    return entrants


def close(ours, theirs):
    return np.abs(ours - theirs).max() <= 1e-9 * max(1.0, np.abs(theirs).max())


def compare(session, workload, ours, peers):
    """Stops if Megha's results are not those of the first peer, and leaves out peers that differ from it."""
    agree = getattr(workload, "agree", close)
    taken = getattr(workload, "result", lambda form, array: array)
    if not peers:
        raise Failed("no peer can be used here")
    expected = peers[0].results(session.scratch)

    def right(results, take=lambda array: array):
        pairs = list(zip(map(take, results), expected, strict=True))
        return all(a.size == b.size and agree(a.reshape(b.shape), b) for a, b in pairs)

    for entrant in ours:
        if not right(entrant.results(session.scratch), lambda array: taken(entrant.form, array)):
            raise Failed(f"Megha's {entrant.form or 'program'} ({entrant.order}) differs from {peers[0].form}")
    wrong = [peer for peer in peers if not right(peer.results(session.scratch))]
    for peer in wrong:
        print(f"  {peer.form} is left out: it differs from {peers[0].form}")
        peers.remove(peer)


def take_turns(ours, peers):
    for _ in range(TURNS):
        best = min((median(peer.times) for peer in peers if peer.times), default=np.inf)
        for entrant in ours + peers:
            hopeless = entrant in peers and entrant.times and median(entrant.times) > HOPELESS * best
            if not hopeless and not entrant.has_enough():
                entrant.turn()


def measure(session, name, check):
    workload = importlib.import_module(f"workloads.{name}")
    megha = ours(session, workload, workload.inputs())
    others = peers(session, workload)
    try:
        compare(session, workload, megha, others)
        if check:
            return
        before = session.limits()
        take_turns(megha, others)
        figures = {
            "limits": [max(pair) for pair in zip(before, session.limits())],
            "ours": [[entrant.form, entrant.order, median(entrant.times)] for entrant in megha],
            "peers": {entrant.form: median(entrant.times) for entrant in others},
        }
        store(session, name, figures)
    finally:
        for entrant in megha:
            entrant.server.stop()


def measure_octave(session, name, check):
    """Octave's times and Megha's at the sizes for Octave, beside those of the peers."""
    workload = importlib.import_module(f"workloads.{name}")
    arguments = workload.inputs(*getattr(workload, "OCTAVE", ()))
    megha = ours(session, workload, arguments)
    octave = Entrant(session.octave(), "octave")
    try:
        octave.server.ask("load", name.removeprefix("thesis."), "F", *written(session, arguments))
        compare(session, workload, megha, [octave])
        if check:
            return
        take_turns(megha, [octave])
        (program,) = megha
        stored = json.loads(result_file(session, name).read_text())
        store(session, name, stored | {"octave": {"ours": median(program.times), "octave": median(octave.times)}})
    finally:
        for entrant in [*megha, octave]:
            entrant.server.stop()


def measure_entry(session):
    """What a call costs where there is next to no work."""
    printed = subprocess.run([session.folder / "entry"], check=True, capture_output=True, text=True, env=session.environment)
    rows = [line.split() for line in printed.stdout.splitlines()]
    store(session, "entry", {"entry": [[name, float(nanoseconds), int(count)] for name, nanoseconds, count in rows]})


def result_file(session, name):
    return session.folder / "results" / f"{name}.json"


def store(session, name, figures):
    (session.folder / "results").mkdir(exist_ok=True)
    result_file(session, name).write_text(json.dumps(figures | {"machine": session.machine()}, indent=1))
    print(f"  {json.dumps({key: value for key, value in figures.items() if key != 'machine'})}")


def modules(package):
    return [module.name for module in pkgutil.iter_modules(package.__path__) if not module.ispkg]


def main():
    options = {word for word in sys.argv[2:] if word.startswith("--")}
    check, thesis = "--check" in options, "--thesis" in options
    names = [word for word in sys.argv[2:] if word not in options] or (modules(workloads.thesis) if thesis else [*modules(workloads), "entry"])
    failed = False
    octave = thesis and shutil.which("octave-cli")
    if thesis and not octave:
        print("octave is left out: it is not installed")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
        session = Session(Path(sys.argv[1]).resolve(), Path(scratch))
        for name in names:
            print(name, flush=True)
            try:
                if thesis:
                    measure(session, f"thesis.{name}", check)
                    if octave:
                        measure_octave(session, f"thesis.{name}", check)
                elif name != "entry":
                    measure(session, name, check)
                elif not check:
                    measure_entry(session)
            except Failed as why:
                print(f"  not measured: {why}")
                failed = True
        for peer in session.peers.values():
            peer.stop()
    sys.exit(failed)


if __name__ == "__main__":
    main()
