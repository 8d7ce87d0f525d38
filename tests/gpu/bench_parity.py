#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares kscope's kernel bench with PyTorch and Triton on one GPU, in one session:
bench_parity.py KSCOPE CACHE... Each CACHE holds inductor_cache. Prints tables; exit 1 when a bar is
missed. Runs the caches' own sources, so give it only caches you trust."""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

PARITY, PARITY_US = 0.05, 1.0
COLD, COLD_US = 0.02, 1.0


def kscope(binary, cache, *options):
    run = subprocess.run([binary, "bench", "kernels", "--json", "--no-save", "--time-limit", "1", *options, cache],
                         capture_output=True, text=True, timeout=400)
    if run.returncode != 0:
        sys.exit(f"kscope failed: {run.stderr}")
    return {kernel["key"]: kernel for kernel in json.loads(run.stdout)["items"]}


def load_kernel(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def chosen(kernel):
    configs = kernel["series"]
    return next((c for c in configs if c.get("autotuned")),
                min(configs, key=lambda c: c["time_ns"]))


def within(ours, theirs, part, microseconds):
    return abs(ours - theirs) <= max(part * theirs, microseconds)


def compare_outputs(folder, key, module):
    """Largest difference, relative to the largest value, between kscope's and PyTorch's results of one launch on the same data."""
    import torch
    args = list(module.get_args())
    tensors = [(n, a) for n, a in zip(parameter_names(module), args) if torch.is_tensor(a)]
    for name, tensor in tensors:
        raw = (folder / key / f"{name}.in.bin").read_bytes()
        data = torch.frombuffer(bytearray(raw), dtype=tensor.dtype)
        flat = torch.as_strided(tensor, (data.numel(),), (1,))
        flat.copy_(data.to("cuda"))
    module.call(args)
    torch.cuda.synchronize()
    worst = 0.0
    for name, tensor in tensors:
        raw = (folder / key / f"{name}.out.bin").read_bytes()
        data = torch.frombuffer(bytearray(raw), dtype=tensor.dtype)
        flat = torch.as_strided(tensor, (data.numel(),), (1,)).cpu()
        if name != "ws_ptr":
            ours, theirs = data.double(), flat.double()
            same = (ours == theirs) | (ours.isnan() & theirs.isnan())
            # A split scan adds in another order each time, so values near zero are off by more.
            scale = theirs.abs().nan_to_num(0.0, 0.0, 0.0).max().clamp(min=1.0)
            off = ((ours - theirs).abs() / scale).masked_fill(same, 0.0)
            worst = max(worst, off.nan_to_num(1e30).max().item() if off.numel() else 0.0)
    return worst


def parameter_names(module):
    return next(v for k, v in vars(module).items()
                if k.startswith("triton_") and hasattr(v, "fn") and hasattr(v, "inductor_meta")).fn.arg_names


def main() -> int:
    binary, caches = sys.argv[1], sys.argv[2:]
    from torch._inductor.runtime.benchmarking import benchmarker
    from triton.testing import do_bench
    missed = 0
    print(f"{'kernel':40} {'-k us':>8} {'parity':>8} {'again':>8} {'do_bench':>8} {'cold':>8} {'+-':>5} {'batch':>8} {'graph':>8} {'cupti':>8} {'diff':>9}")
    for cache in caches:
        folder = pathlib.Path(tempfile.mkdtemp())
        parity = kscope(binary, cache, "--method", "benchmarker", "--dump", str(folder))
        cold = kscope(binary, cache, "--accuracy")
        batch = kscope(binary, cache, "--method", "event-batch")
        graph = kscope(binary, cache, "--method", "graph-cold")
        cupti = kscope(binary, cache, "--method", "cupti-cold")
        for path in sorted(pathlib.Path(cache).rglob("*.py")):
            if path.stem not in parity or "async_compile.triton(" in path.read_text():
                continue
            reasons = [run[path.stem]["reason"] for run in (parity, cold, batch, graph, cupti)]
            if any(reasons):
                print(f"{parity[path.stem]['name'][:40]:40} not run: {reasons}")
                # What no run can launch is missing from the cache, and no bar.
                missed += not all(reasons)
                continue
            module = load_kernel(path)
            args = module.get_args()
            module.call(args)
            theirs = 1e3 * benchmarker.benchmark(lambda: module.call(args), device="cuda", rep=40)
            again = 1e3 * benchmarker.benchmark(lambda: module.call(args), device="cuda", rep=40)
            bench = 1e3 * do_bench(lambda: module.call(args), return_mode="median")
            ours = [chosen(run[path.stem])["time_ns"] / 1e3 for run in (parity, cold, batch, graph, cupti)]
            gap = chosen(cold[path.stem])["summary"]
            difference = compare_outputs(folder, path.stem, module)
            bad = "" if within(ours[0], theirs, PARITY, PARITY_US) else " PARITY"
            # PyTorch times a kernel that changes its arguments on what the launch before left.
            restored = parity[path.stem]["name"].startswith("triton_spl")
            bad += "" if restored or within(ours[1], bench, COLD, COLD_US) else " COLD"
            # Atomic additions come in another order each time.
            tolerance = 1e-5 if "tl.atomic_add" in path.read_text() else 1e-6
            bad += "" if difference <= tolerance else " OUTPUT"
            missed += bool(bad)
            print(f"{parity[path.stem]['name'][:40]:40} {theirs:8.2f} {ours[0]:8.2f} {again:8.2f} {bench:8.2f} {ours[1]:8.2f} "
                  f"{(gap['high_ns'] - gap['low_ns']) / 2e3:5.2f} {ours[2]:8.2f} {ours[3]:8.2f} {ours[4]:8.2f} {difference:9.2g}{bad}", flush=True)
    print(f"{missed} bars missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
