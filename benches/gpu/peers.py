"""What CuPy, JAX and torch.compile take on a GPU for the cases of `megha-gpu-check`, on doubles that lie there already.

    python3 benches/gpu/peers.py [usual|large] [NAME ...]

Prints a line for each case and peer: medians of times by the host's clock around calls that are waited for. To be set beside the column
"alone ms" of `megha-gpu-check`, which is the time of its kernels. A peer that is not installed is left out.
"""

import importlib
import statistics
import sys
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


cupy, cupy_special, jax, torch = module("cupy"), module("cupyx.scipy.special"), module("jax"), module("torch")
if jax:
    jax.config.update("jax_enable_x64", True)
    jnp, jax_special = jax.numpy, importlib.import_module("jax.scipy.special")
random = np.random.default_rng(1)


def bscholes(m, erf):
    def run(spot, strike, rate, volatility, time):
        spread = volatility * m.sqrt(time)
        d1 = (m.log(spot / strike) + (rate + 0.5 * volatility**2) * time) / spread
        nd1, nd2 = 0.5 * (1 + erf(d1 * 0.5**0.5)), 0.5 * (1 + erf((d1 - spread) * 0.5**0.5))
        discounted = strike * m.exp(-rate * time)
        return spot * nd1 - discounted * nd2, discounted * (1 - nd2) - spot * (1 - nd1)

    return run


def nb3d(m, _):
    def run(position, velocity, mass, steps=10):
        for _ in range(steps):
            difference = [position[:, a][None, :] - position[:, a][:, None] for a in range(3)]
            distance = sum(d * d for d in difference) + 0.05**2
            pull = mass[None, :] / (distance * m.sqrt(distance))
            velocity = velocity + 0.01 * m.stack([(pull * d).sum(1) for d in difference], 1)
            position = position + 0.01 * velocity
        return position, velocity

    return run


def fdtd(m, _):
    if m is getattr(jax, "numpy", None):
        def put(a, at, by):
            return a.at[at].add(by)
    else:
        def put(a, at, by):
            a[at] += by
            return a
    a, b = 0.3, 0.4
    whole, inner = slice(None), slice(1, -1)

    def step(ex, ey, ez, hx, hy, hz):
        hx = put(hx, (whole,) * 3, a * (ey[:, :, 1:] - ey[:, :, :-1]) - a * (ez[:, 1:, :] - ez[:, :-1, :]))
        hy = put(hy, (whole,) * 3, a * (ez[1:, :, :] - ez[:-1, :, :]) - a * (ex[:, :, 1:] - ex[:, :, :-1]))
        hz = put(hz, (whole,) * 3, a * (ex[:, 1:, :] - ex[:, :-1, :]) - a * (ey[1:, :, :] - ey[:-1, :, :]))
        ex = put(ex, (whole, inner, inner), b * (hz[:, 1:, inner] - hz[:, :-1, inner]) - b * (hy[:, inner, 1:] - hy[:, inner, :-1]))
        ey = put(ey, (inner, whole, inner), b * (hx[inner, :, 1:] - hx[inner, :, :-1]) - b * (hz[1:, :, inner] - hz[:-1, :, inner]))
        ez = put(ez, (inner, inner, whole), b * (hy[1:, inner, :] - hy[:-1, inner, :]) - b * (hx[inner, 1:, :] - hx[inner, :-1, :]))
        return ex, ey, ez, hx, hy, hz

    def run(*fields):
        for _ in range(10):
            fields = step(*fields)
        return fields

    return run


def filter_bank(m, _):
    def run(signal, taps):
        samples = signal.shape[0] - taps.shape[0] + 1
        out = taps[0][None, :] * signal[taps.shape[0] - 1 :][:, None]
        for k in range(1, taps.shape[0]):
            start = taps.shape[0] - 1 - k
            out = out + taps[k][None, :] * signal[start : start + samples][:, None]
        return out

    return run


def reductions(m, _):
    least, most = getattr(m, "amin", None) or m.min, getattr(m, "amax", None) or m.max
    return lambda x: ((x * x).sum(), x.sum(0), x.sum(1), least(x, 0), most(x, 1))


def matmul(m, _):
    return lambda a, b: a @ b


def copy(m, _):
    return lambda x: x + 1.0


def inputs(name, large):
    def uniform(low, high, *shape):
        return random.uniform(low, high, shape)

    n = 1 << 24 if large else 1 << 20
    cells = (512, 512, 32) if large else (256, 256, 15)
    nx, ny, nz = cells
    return {
        "bscholes": lambda: [uniform(20, 200, n), uniform(20, 200, n), uniform(0, 0.06, n), uniform(0.05, 0.65, n), uniform(0.02, 3, n)],
        "nb3d": lambda: (lambda k: [uniform(-1, 1, k, 3), uniform(-1, 1, k, 3), uniform(0.5, 1.5, k)])(1536 if large else 1024),
        "fdtd": lambda: [
            uniform(-1, 1, *shape)
            for shape in [(nx, ny + 1, nz + 1), (nx + 1, ny, nz + 1), (nx + 1, ny + 1, nz), (nx + 1, ny, nz), (nx, ny + 1, nz), (nx, ny, nz + 1)]
        ],
        "filter_bank": lambda: [uniform(-1, 1, 1_500_000 if large else 1_000_000), uniform(-1, 1, 128 if large else 32, 4)],
        "reductions": lambda: [uniform(-1, 1, *((20_000, 1000) if large else (5000, 300)))],
        "matmul": lambda: [uniform(-1, 1, *((2 * (1024,)) if large else (2 * (256,)))) for _ in range(2)],
        "copy": lambda: [uniform(-1, 1, 1 << 26)],
    }[name]()


FORMS = {"bscholes": bscholes, "nb3d": nb3d, "fdtd": fdtd, "filter_bank": filter_bank, "reductions": reductions, "matmul": matmul, "copy": copy}


def median(call, wait, times=15):
    for _ in range(3):
        call()
    wait()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        wait()
        taken.append(time.perf_counter() - start)
    return 1e3 * statistics.median(taken)


def peers(form, arrays):
    if cupy:
        placed = [cupy.asarray(a) for a in arrays]
        run = form(cupy, cupy_special.erf)
        yield "CuPy", lambda: run(*placed), cupy.cuda.Device().synchronize
    if jax:
        on_jax = [jnp.asarray(a) for a in arrays]
        jitted = jax.jit(form(jnp, jax_special.erf))
        yield "JAX", lambda: jax.block_until_ready(jitted(*on_jax)), lambda: None
    if torch:
        on_torch = [torch.from_numpy(a).cuda() for a in arrays]
        compiled = torch.compile(form(torch, torch.erf))
        yield "torch", lambda: compiled(*on_torch), torch.cuda.synchronize


def main():
    large = "large" in sys.argv[1:]
    names = [name for name in sys.argv[1:] if name in FORMS] or list(FORMS)
    for name in names:
        arrays = inputs(name, large)
        for peer, call, wait in peers(FORMS[name], arrays):
            try:
                print(f"{name:<12} {peer:<6} {median(call, wait):9.3f} ms", flush=True)
            except Exception as fault:  # one that fails is no reason to lose the others
                print(f"{name:<12} {peer:<6} fails: {type(fault).__name__}: {str(fault)[:120]}", flush=True)


main()
