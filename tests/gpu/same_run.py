#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One run recorded by JAX's profiler (without JAX on a GPU: by torch.profiler) and by `kscope record`: same_run.py KSCOPE OUT.
Names, counts and sums of kernels have to agree. Where both cannot record one process, the same program runs once for
each, and sums of two runs are only told. Prints a table; exit 1 when something is missed."""

import json
import pathlib
import subprocess
import sys

SUMS = 0.001  # bar: share of a kernel's whole time

JAX = """
import sys, jax, jax.numpy as jnp
assert jax.devices()[0].platform == "gpu"
f = jax.jit(lambda a, b: jnp.tanh(a @ b).sum())
a = jnp.ones((2048, 2048)); b = jnp.ones((2048, 2048)); f(a, b).block_until_ready()
def steps():
    for _ in range(20): f(a, b).block_until_ready()
def profiled(out):
    with jax.profiler.trace(out): steps()
"""
TORCH = """
import sys, torch
a = torch.ones(2048, 2048, device="cuda"); b = torch.ones(2048, 2048, device="cuda")
def steps():
    for _ in range(20): torch.tanh(a @ b).sum()
    torch.cuda.synchronize()
steps()
def profiled(out):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]) as p:
        steps()
    p.export_chrome_trace(out + "/torch.json")
"""
# What is recorded beyond the profiled steps is left out by these times of the whole clock.
MAIN = """
import time
begin = time.time_ns()
profiled(sys.argv[1]) if len(sys.argv) > 1 else steps()
print("window", begin, time.time_ns(), flush=True)
"""


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=90, **more)
    if done.returncode != 0:
        print(f"{' '.join(map(str, command))[:120]}: exit {done.returncode}\n{done.stderr[-1500:]}")
    return done


def kernels(kscope, trace, keep, window=None):
    """{name: [count, ns]} of a trace, of what begins in a window of Unix time."""
    report = run([kscope, "report", "--json", trace])
    keep.write_text(report.stdout)
    events = run([kscope, "query", trace, "--json",
                  "SELECT name, start, dur FROM gpu_ops WHERE category = 'kernel'"])
    run_facts = json.loads(report.stdout)["run"]
    base = (run_facts["base_time_ns"] or 0) + run_facts["start_ns"]  # of the first event, where SQL's times begin
    found = {}
    for row in json.loads(events.stdout):
        if window is None or window[0] <= base + row["start"] <= window[1]:
            one = found.setdefault(row["name"], [0, 0])
            one[0] += 1
            one[1] += row["dur"]
    return found


def window_of(text):
    line = next((line for line in text.splitlines() if line.startswith("window ")), None)
    return tuple(map(int, line.split()[1:])) if line else None


def traces_in(folder):
    return [path for pattern in ("*.xplane.pb", "torch.json") for path in pathlib.Path(folder).rglob(pattern)]


def main():
    kscope, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    has_jax = subprocess.run([sys.executable, "-c", JAX], capture_output=True, check=False).returncode == 0
    program = out / "program.py"
    program.write_text((JAX if has_jax else TORCH) + MAIN)
    print("profiler:", "JAX" if has_jax else "torch.profiler")
    both, ours = out / "both", out / "both.json"
    both.mkdir(exist_ok=True)
    recorded = run([kscope, "record", "-o", ours, "--", sys.executable, program, both])
    theirs = traces_in(both)
    same = recorded.returncode == 0 and theirs
    if same:
        left = kernels(kscope, theirs[0], out / "report_theirs.json")
        right = kernels(kscope, ours, out / "report_ours.json", window_of(recorded.stdout))
        same = bool(left and right)
    if not same:
        print("both could not record one process; the program runs once for each")
        once = out / "once"
        once.mkdir(exist_ok=True)
        run([sys.executable, program, once])
        recorded = run([kscope, "record", "-o", ours, "--", sys.executable, program])
        left = kernels(kscope, traces_in(once)[0], out / "report_theirs.json")
        right = kernels(kscope, ours, out / "report_ours.json", window_of(recorded.stdout))
    missed = not left
    for name in sorted(set(left) | set(right)):
        (count, ns), (count2, ns2) = left.get(name, [0, 0]), right.get(name, [0, 0])
        off = abs(ns2 - ns) / max(ns, ns2, 1)
        wrong = count != count2 or (same and off > SUMS)
        missed |= wrong
        print(f"{'MISSED' if wrong else 'ok':6} {count:6} {count2:6} {ns:12} {ns2:12} {100 * off:8.3f} %  {name[:90]}")
    print("MISSED" if missed else "AGREE" if same else "AGREE (two runs)")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
