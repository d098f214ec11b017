"""Counts the instructions of loops in machine code (SASS, sm_90) of Megha's kernels, of natural CUDA and of Triton. Needs no GPU.

    cargo build --bin megha && cargo run -p megha-rt --example product_ptx -- target/product_ptx
    PATH=<nvcc, ptxas, nvdisasm>:$PATH python3 benches/gpu/sass/count.py        # with Triton installed, its kernels too

Prints for each kernel how many instructions it has, how many of these on doubles, and for each innermost loop the instructions and what they are.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
VECTOR = "f64[n,1]"
SIGNATURES = {
    ROOT / "benches/peers/m/saxpy.m": "fn saxpy(a: f32, x: f32[n,1], y: f32[n,1]) -> y: f32[n,1]",
    HERE / "stencil.m": "fn stencil(u: f64[n,m]) -> v: f64[n,m]",
    HERE / "nbody.m": f"fn nbody(x: {VECTOR}, y: {VECTOR}, z: {VECTOR}, m: {VECTOR}, soft: f64) -> (ax: {VECTOR}, ay: {VECTOR}, az: {VECTOR})",
    ROOT / "examples/matlab/bscholes.m": "fn bscholes("
    + ", ".join(f"{name}: f32[n, 1]" for name in ["spot", "strike", "rate", "volatility", "time"])
    + ") -> (call: f32[n, 1], put: f32[n, 1])",
}


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def kernels(cubin):
    """The instructions and labels of each kernel."""
    found, name = {}, None
    for line in run("nvdisasm", "-c", cubin).splitlines():
        if section := re.match(r"\.text\.(\S+):", line):
            name = section.group(1)
            found[name] = []
        elif name and (label := re.match(r"(\.L_\S+):", line)):
            found[name].append(label.group(1))
        elif name and (instruction := re.search(r"/\*[0-9a-f]{4,5}\*/\s+(.*?);", line)):
            found[name].append(instruction.group(1).strip())
    return found


def operation(instruction):
    return re.sub(r"^@!?U?P\w+\s+", "", instruction).split()[0]


def loops(lines):
    """The innermost loops, as lists of operations."""
    labels = {line: at for at, line in enumerate(lines) if line.startswith(".L_")}
    ends = []
    for at, line in enumerate(lines):
        target = re.search(r"BRA.*`\((\.L_\S+?)\)", line)
        if target and labels.get(target.group(1), at) < at:
            ends.append((labels[target.group(1)], at))
    innermost = [(a, b) for a, b in ends if not any(a <= c and d < b for c, d in ends)]
    bodies = ([operation(line) for line in lines[a : b + 1] if not line.startswith(".L_")] for a, b in innermost)
    return [body for body in bodies if len(body) > 3]


def report(whose, cubin):
    for name, lines in sorted(kernels(cubin).items()):
        all_of = [operation(line) for line in lines if not line.startswith(".L_")]
        doubles = sum(bool(re.match(r"D(ADD|MUL|FMA|SETP|MMA)|MUFU.*64", op)) for op in all_of)
        print(f"{whose} {name}: {len([op for op in all_of if op != 'NOP'])} instructions, {doubles} on doubles")
        for body in loops(lines):
            kinds = collections.Counter(op.split(".")[0] for op in body)
            wide = sorted({op for op in body if re.match(r"(LDG|STG|LDS|LDGSTS)\b.*(64|128)", op)})
            print(f"    loop of {len(body)}: {dict(kinds.most_common(8))} {' '.join(wide)}")


def triton_kernels(folder):
    sys.path.insert(0, str(HERE))
    import by_triton

    return by_triton.compiled(folder)


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for file, signature in SIGNATURES.items():
            ptx, cubin = folder / f"{file.stem}.ptx", folder / f"{file.stem}.cubin"
            ptx.write_text(run(ROOT / "target/debug/megha", "explain", file, "--sig", signature, "--emit", "ptx"))
            run("ptxas", "-arch=sm_90", ptx, "-o", cubin)
            report("megha", cubin)
        for ptx in (ROOT / f"target/product_ptx/product.sm_{needs}.ptx" for needs in (70, 90)):
            cubin = folder / f"{ptx.stem}.cubin"
            run("ptxas", "-arch=sm_90", ptx, "-o", cubin)
            report("megha", cubin)
        cubin = folder / "natural.cubin"
        run("nvcc", "-O3", "-arch=sm_90", "-cubin", "-o", cubin, HERE / "natural.cu")
        report("nvcc", cubin)
        try:
            for cubin in triton_kernels(folder):
                report("triton", cubin)
        except ImportError as missing:
            print(f"without Triton: {missing}")


if __name__ == "__main__":
    main()
