#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures this machine's roof, and operators of traces beside it: roof.py KSCOPE OUT [TRACE…]. Builds kscope-torch
against the PyTorch of this machine's python3, unless $KINETOSCOPE_TORCH names one. Prints one table and writes it to
OUT/table.md with the results beside it; exit 1 where a part fails."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
# What is held against PyTorch's own timing of the same.
PLAIN = """
import json, torch
def best(work, amount):
    for _ in range(20): work()
    torch.cuda.synchronize()
    times = []
    for _ in range(20):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record(); work(); work(); work(); b.record(); torch.cuda.synchronize()
        times.append(a.elapsed_time(b) / 3e3)
    return amount / sorted(times)[10]
n = 8192
made = {"memory": None}
x = torch.ones(1 << 29, device="cuda"); y = torch.empty_like(x)
made["memory"] = best(lambda: y.copy_(x), 8 * x.numel())
del x, y
for name, dtype in (("bf16", torch.bfloat16), ("fp16", torch.float16)):
    a = torch.empty(n, n, device="cuda").uniform_(-1, 1).to(dtype); b = torch.empty(n, n, device="cuda").uniform_(-1, 1).to(dtype)
    made[name] = best(lambda: a @ b, 2 * n ** 3)
print(json.dumps(made))
"""


def build(folder, log):
    """kscope-torch for this PyTorch."""
    if named := os.environ.get("KINETOSCOPE_TORCH"):
        return named
    torch = subprocess.run([sys.executable, "-c", "import torch; print(torch.utils.cmake_prefix_path)"],
                           capture_output=True, text=True, check=True).stdout.strip()
    made = pathlib.Path(folder, "build")
    for command in (["cmake", "-S", TREE, "-B", made, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                     "-DKINETOSCOPE_TORCH_ONLY=ON", f"-DTorch_DIR={torch}/Torch", *os.environ.get("CMAKE_OPTIONS", "").split()],
                    ["cmake", "--build", made, "--target", "kscope-torch"]):
        run = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            raise SystemExit(f"kscope-torch does not build; see {log.name}\n" + pathlib.Path(log.name).read_text()[-4000:])
    return str(made / "bin" / "kscope-torch")


def kscope(program, log, *arguments):
    run = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    log.write(f"$ kscope {' '.join(map(str, arguments))}\n{run.stdout[-20000:]}\n{run.stderr[-4000:]}\nexit {run.returncode}\n")
    log.flush()
    if run.returncode:
        print(f"kscope {arguments[0]} {arguments[1]}: exit {run.returncode}: {run.stderr.strip()[-800:]}")
    return run.returncode == 0


def roof_table(program, out, log):
    path = out / "roof.json"
    if not kscope(program, log, "bench", "roof", "--json", "-o", path):
        return False, []
    roof = json.loads(path.read_text())
    sheet = next((gpu for gpu in json.loads((TREE / "resources" / "gpus.json").read_text())["gpus"]
                  if any(word in roof["device"].split() for word in gpu["match"])), {})
    run = subprocess.run([sys.executable, "-c", PLAIN], capture_output=True, text=True)
    plain = json.loads(run.stdout) if run.returncode == 0 else {}
    log.write(run.stderr)
    lines = [f"{roof['device']}, PyTorch {roof['torch']}", "",
             "| what | measured | data sheet | of it | PyTorch by itself | SM MHz | W |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    told = sheet.get("memory_gb_per_s", 0)
    shown = plain.get("memory", 0) / 1e9
    lines.append(f"| memory, GB/s | {roof['memory_gb_per_s']:.0f} | {told} | {roof['memory_gb_per_s'] / told if told else 0:.1%} "
                 f"| {shown:.0f} | | |")
    lines.append(f"| L2, GB/s | {roof['l2_gb_per_s']:.0f} | | | | | |")
    for kind, rate in roof["tflop_per_s"].items():
        best = max((f for f in roof["figures"] if f["type"] == kind), key=lambda f: f["per_s"])
        told = sheet.get("tflop_per_s", {}).get(kind, 0)
        shown = plain.get(kind, 0) / 1e12
        lines.append(f"| {kind}, TFLOP/s | {rate:.1f} | {told or ''} | {f'{rate / told:.1%}' if told else ''} "
                     f"| {f'{shown:.1f}' if shown else ''} | {best['clock_mhz']:.0f} | {best['power_w']:.0f} |")
    for figure in roof["figures"]:
        if figure["reason"]:
            lines.append(f"| {figure['operation']} {figure['type'] or ''} {figure['size']} | {figure['reason']} | | | | | |")
    return True, lines


def trace_table(program, out, log, trace):
    name = pathlib.Path(trace).name.split(".")[0]
    path = out / f"from_{name}.json"
    if not kscope(program, log, "bench", "operators", "--from", trace, "--top", 8, "--implementations", "inductor",
                  "--time-limit", 1, "--json", "-o", path):
        return False, []
    document = json.loads(path.read_text())
    lines = ["", f"{name}: the trace's time (median of its calls) beside the bench's", "",
             "| operator | calls | trace µs | eager µs | kernels µs | trace / eager | time | kernels | inductor µs |",
             "| --- | ---: | ---: | ---: | ---: | ---: | --- | --- | ---: |"]
    for one in document["items"]:
        for sample in one["parts"]:
            by_name = {i["name"]: i for i in sample.get("series", [])}
            time = {n: i.get("time_ns", 0) / 1e3 for n, i in by_name.items()}
            warm = sum(k["time_ns"] for k in by_name.get("eager", {}).get("kernels", [])) / 1e3
            traced = sample.get("traced")
            title = f"`{one['name']}`" if traced else f"as {sample['recast']}"
            cells = [title, sample["count"] if traced else "", f"{traced['time_ns'] / 1e3:.2f}" if traced else "",
                     f"{time.get('eager', 0):.2f}", f"{warm:.2f}",
                     f"{sample['trace_ratio']:.2f}" if sample.get("trace_ratio") else "",
                     sample.get("trace_time") or sample.get("reason", ""), {True: "same", False: "others"}.get(sample.get("same_kernels"), ""),
                     f"{time.get('inductor', 0):.2f}"]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
            if sample.get("same_kernels") is False:
                lines.append(f"| in the trace {[k['name'][:60] for k in traced['kernels']]}, here "
                             f"{[k['name'][:60] for k in by_name['eager']['kernels']]} | | | | | | | | |")
    lines += [f"- not measured: {left['name']} ({left['total_ns'] / 1e3:.0f} µs): {left['reason']}"
              for left in document["trace"]["left_out"]]
    lines += [f"- no {name}: {reason}" for name, reason in document.get("unavailable", {}).items()]
    return True, lines


def main():
    program, out = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    good, lines = True, []
    with tempfile.TemporaryDirectory() as folder, open(out / "log.txt", "w") as log:
        os.environ["KINETOSCOPE_RESULTS"] = str(pathlib.Path(folder, "results"))
        os.environ.setdefault("KINETOSCOPE_PYTHON", sys.executable)
        os.environ["KINETOSCOPE_TORCH"] = build(folder, log)
        done, found = roof_table(program, out, log)
        good, lines = good and done, lines + found
        for trace in sys.argv[3:]:
            done, found = trace_table(program, out, log, trace)
            good, lines = good and done, lines + found
            done = kscope(program, log, "report", "--roofline", "--roof", "measured", trace)
            good = good and done
    (out / "table.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
