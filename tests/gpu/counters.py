#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the counters of `kscope record --counters` with what a program is known to move and compute on one GPU:
counters.py KSCOPE [copies]. Prints one table; exit 1 when a bar is missed. `copies`: without products, which tell how
much each choice of counters slows a program down. Needs PyTorch."""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

BYTES, EDGE_US, MODEL = 0.03, 40.0, 0.05

COPY = """
import time, torch
a = torch.ones(1 << 28, device="cuda"); b = torch.empty_like(a); torch.cuda.synchronize()
time.sleep(0.3)
begin = time.time()
while time.time() - begin < 1.0:
    for _ in range(20): b.copy_(a)
    torch.cuda.synchronize()
time.sleep(0.2)
"""

# Three and two tensors of a gigabyte, by operators that tell their sizes.
ELEMENTS = """
import time, torch
a = torch.ones(1 << 28, device="cuda"); b = torch.ones_like(a); c = torch.empty_like(a); torch.cuda.synchronize()
time.sleep(0.3)
with torch.autograd.profiler.emit_nvtx(record_shapes=True):
    begin = time.time()
    while time.time() - begin < 1.0:
        for _ in range(10): torch.add(a, b, out=c); torch.neg(a, out=c)
        torch.cuda.synchronize()
time.sleep(0.2)
"""

PRODUCTS = """
import time, torch
m = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16); n = m @ m; torch.cuda.synchronize()
count, begin = 0, time.time()
while time.time() - begin < 2.0:
    for _ in range(10): m @ m
    torch.cuda.synchronize(); count += 10
print(count / (time.time() - begin))
"""


def record(kscope, program, *options):
    """The events of a recording, what the program printed, and what kscope said."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "program.py")
        script.write_text(program)
        out = pathlib.Path(folder, "out.json")
        run = subprocess.run([kscope, "record", *options, "-o", out, "--", "python3", script], capture_output=True,
                             text=True, timeout=300)
        if run.returncode != 0:
            sys.exit(f"kscope failed: {run.stderr}")
        report = json.loads(subprocess.run([kscope, "report", "--json", "--roofline", "--by", "kernel", out],
                                           capture_output=True, text=True, check=True).stdout)
        return json.loads(out.read_text())["traceEvents"], run.stdout, run.stderr, report


def series(events, counter, name):
    """[(time in µs, value)] of one series."""
    found = [(e["ts"], e["args"][name]) for e in events
             if e["ph"] == "C" and e["name"] == counter and name in e["args"]]
    return sorted(found)


def integral(samples, begin, end):
    """Of a series whose values stay until the next one, in value × µs."""
    total = 0.0
    for (start, value), (stop, _) in zip(samples, samples[1:] + [(end, 0.0)]):
        total += value * max(0.0, min(stop, end) - max(start, begin))
    return total


def main():
    kscope, good, rows = sys.argv[1], True, []

    def row(what, bar, measured, fine=True):
        nonlocal good
        good &= fine
        rows.append((what, bar, measured + ("" if fine else "  MISSED")))

    events, _, said, report = record(kscope, COPY, "--counters", "dram:20us")
    copies = [e for e in events if e.get("cat") == "gpu_memcpy" and e["args"]["bytes"] == 1 << 30]
    begin, end = min(e["ts"] for e in copies), max(e["ts"] + e["dur"] for e in copies)
    moved = sum(e["args"]["bytes"] for e in copies)
    for name in ("read", "write"):
        measured = integral(series(events, "DRAM bandwidth (GB/s)", name), begin, end) * 1e3
        row(f"DRAM {name} in {len(copies)} copies of 1 GiB, {moved / 1e12:.3f} TB", "3 %",
            f"{measured / 1e12:.3f} TB, {100 * (measured / moved - 1):+.2f} %", abs(measured / moved - 1) < BYTES)
    # Where the traffic starts, beside where the first copy does.
    first = next(t for t, v in series(events, "DRAM bandwidth (GB/s)", "write") if v > 300 and t > begin - 100)
    row("first sample with traffic after the first copy's start", f"±{EDGE_US:.0f} µs", f"{first - begin:+.1f} µs",
        abs(first - begin) <= EDGE_US)
    counters = sorted({e["name"] for e in events if e["ph"] == "C"})
    row("rows", "", ", ".join(counters))
    row("said", "", said.strip().replace("\n", " | ") or "nothing")

    # The bytes of the model, which `report --roofline --by kernel` sets beside the measured ones.
    events, _, said, report = record(kscope, ELEMENTS, "--counters", "dram:20us")
    kernels = [found for found in report["roofline"]["rows"] if found.get("measured_count", 0) > 10]
    row("kernels of additions and negations measured", "2", str(len(kernels)), len(kernels) == 2)
    for found in kernels:
        ratio = found["modelled_by_measured"]
        row(f"  {found['name'][:60]} x {found['measured_count']}: modelled by measured bytes", "5 %",
            f"{ratio:.4f} at {found['measured_gb_per_s']:.0f} GB/s", abs(ratio - 1) < MODEL)

    plain = float(record(kscope, PRODUCTS)[1]) if sys.argv[2:] != ["copies"] else 0.0
    for options in () if plain == 0.0 else ("tensor", "dram,sm,tensor,pcie", "dram,sm,tensor,pcie:50us", "dram,sm,tensor,pcie:20us",
                    "dram,nvlink"):
        started = time.time()
        events, printed, said, report = record(kscope, PRODUCTS, "--counters", options)
        seconds = time.time() - started
        samples = len([e for e in events if e["ph"] == "C"])
        row(f"products with --counters {options}", "", f"{100 * (float(printed) / plain - 1):+.2f} % products a second, "
            f"{samples} samples, {seconds:.1f} s; {said.strip() or 'nothing said'}")
        for gpu in report.get("kernel_counters", []):
            kernel = gpu["kernels"][0]
            means = ", ".join(f"{m['counter']} {m['series']} {m['mean']:.1f}" for m in kernel["means"]
                              if m["mean"] is not None)
            row(f"  {kernel['name'][:40]} × {kernel['count']}", "", means)
    width = max(len(what) for what, _, _ in rows)
    for what, bar, measured in rows:
        print(f"{what:<{width}}  {bar:<8}  {measured}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
