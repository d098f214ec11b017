"""A peer as a server for `measure.py`: `serve.py numpy|scipy|numba|jax|torch`, one line for each question and answer.

The questions are those of `src/main.rs`, but that `load` has a workload's name only: the arguments are the workload's own.
"""

import importlib
import os
import sys
import time

import numpy as np

# what libraries print goes to the error output, answers alone to the output
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def library(peer, threads):
    """How arrays become the library's, and a function that waits for results; with its number of threads."""
    if peer == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_compilation_cache_dir", os.environ["PEERS_CACHE"] + "/jax")
        return jax.numpy.asarray, jax.block_until_ready
    if peer == "torch":
        import torch

        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        return torch.from_numpy, lambda results: results
    if peer == "numba":
        import numba

        numba.set_num_threads(threads)
    return np.asarray, lambda results: results


class Server:
    def __init__(self, peer, threads):
        self.peer = peer
        self.convert, self.wait = library(peer, threads)
        self.workload = self.function = self.last = None

    def call(self):
        return self.wait(self.function())

    def load(self, name):
        self.function = self.last = None
        self.workload = importlib.import_module(f"workloads.{name}")
        arguments = [self.convert(a) if isinstance(a, np.ndarray) else a for a in self.workload.inputs()]
        self.function = getattr(self.workload, f"with_{self.peer}")(*arguments)
        self.last = self.call()
        return []

    def results(self, prefix):
        of_peer = getattr(self.workload, "peer_result", lambda place, array: array)
        shapes = []
        for place, result in enumerate(self.last):
            array = np.ascontiguousarray(of_peer(place, np.asarray(result)), dtype=np.float64)
            array.tofile(f"{prefix}.{place}")
            shapes.append("x".join(map(str, array.shape or (1,))))
        return shapes

    def time(self, seconds):
        times = []
        begun = time.perf_counter()
        self.call()
        first = time.perf_counter() - begun
        # a call that takes all the time is not repeated to warm up
        if first > float(seconds):
            return [first]
        while not times or time.perf_counter() - begun < float(seconds):
            start = time.perf_counter()
            results = self.call()
            times.append(time.perf_counter() - start)
            del results
        return times


def main():
    server = Server(sys.argv[1], int(sys.argv[2]))
    for line in sys.stdin:
        question, *words = line.split()
        try:
            answer = ["ok", *{"load": server.load, "results": server.results, "time": server.time}[question](*words)]
        except Exception as error:  # whatever a library throws is the answer
            answer = ["error", type(error).__name__, " ".join(str(error).split())[:300]]
        print(*answer, file=answers, flush=True)


main()
