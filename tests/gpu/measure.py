#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py BIN PART…: records real programs and prints what came of it.

BIN holds kscope, libkinetoscope-inject.so, libfloor.so and launches (see run). Parts: agree
(against torch.profiler), cost (per launch), save (time to a saved trace), inside (a program that
profiles itself), programs (graphs, streams, fork, copies, two processes)."""

import collections
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BIN = pathlib.Path(sys.argv[1]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
WORK = pathlib.Path(tempfile.mkdtemp())
KSCOPE = str(BIN / "kscope")
LAUNCHES = str(BIN / "launches")
TORCH = [sys.executable, str(HERE / "workload.py")]
GPU_WORK = ("kernel", "gpu_memcpy", "gpu_memset")


def run(command, timeout=120, **variables):
    environment = dict(os.environ, **variables)
    try:
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        return subprocess.CompletedProcess(command, 124, str(error.stdout), str(error.stderr))


def values(result, word):
    return [float(line.split()[1]) for line in result.stdout.splitlines() if line.startswith(word + " ")]


def record(options, command, out, **variables):
    if pathlib.Path(out).is_dir():
        shutil.rmtree(out)
    return run([KSCOPE, "record", *options, "-o", str(out), "--", *command], **variables)


def read(path):
    events = json.loads(pathlib.Path(path).read_text())["traceEvents"]
    work = [e for e in events if e.get("cat") in GPU_WORK]
    spans = sorted((round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)) for e in work)
    busy = end = 0
    for start, stop in spans:
        busy += max(0, stop - max(start, end))
        end = max(end, stop)
    names = collections.Counter(e["name"] for e in work)
    work.sort(key=lambda e: e["ts"])
    return {"first": [(round(e["ts"] * 1000), round(e["dur"] * 1000)) for e in work[:6]], "names": names, "sum": round(sum(e["dur"] for e in work) * 1000), "busy": busy,
            "cats": collections.Counter(e.get("cat") for e in events if e.get("ph") == "X"),
            "launches": len({e["args"]["correlation"] for e in events
                             if e.get("cat") in ("cuda_runtime", "cuda_driver")}
                            & {e["args"]["correlation"] for e in work})}


def agree():
    print("agree: kernel names and counts, sums and busy ns against two runs of torch.profiler")
    for mode in ("train", "compiled"):
        for name in ("a", "b", "c"):
            result = run([*TORCH, mode, "--profile", str(WORK / f"{name}.json")], timeout=200)
            if result.returncode:
                print(result.stderr[-600:])
            ours_name = {"a": "ours", "b": "ours2", "c": "ours3"}[name]
            result = record(["--range", "measured"], [*TORCH, mode], WORK / f"{ours_name}.json", timeout=200)
            if result.returncode or "warning" in result.stderr:
                print(" ", result.returncode, result.stderr[-600:])
        try:
            a, b, c, ours, ours2, ours3 = (read(WORK / f"{name}.json")
                                           for name in ("a", "b", "c", "ours", "ours2", "ours3"))
        except (OSError, ValueError) as error:
            print(f"  {mode}: {error}")
            continue
        same = a["names"] == ours["names"]
        print(f"  {mode:9} names and counts {'equal' if same else 'DIFFER'} ({sum(ours['names'].values())} of "
              f"{len(ours['names'])}), linked {ours['launches']}; sum ns profiler {a['sum']} {b['sum']} {c['sum']} ours {ours['sum']} {ours2['sum']} {ours3['sum']};"
              f" busy ns {a['busy']} {b['busy']} {c['busy']} ours {ours['busy']} {ours2['busy']} {ours3['busy']}")
        for title, trace in (("profiler", a), ("ours", ours)):
            print(f"    {title}: {trace['first']}")
        if not same:
            print("    only there:", list((a["names"] - ours["names"]).items())[:4])
            print("    only here:", list((ours["names"] - a["names"]).items())[:4])


def cost():
    variants = [("bare", None, None)]
    variants += [(f"{kind}{level}", kind, level) for level in (1, 3, 4) for kind in ("floor", "ours")]
    for title, command, processes, extra in (
            ("C++", [LAUNCHES, "loop", "100000", "3"], 3, []),
            ("PyTorch", [*TORCH, "loop", "--count", "100000", "--rounds", "3"], 3, [("profiler", "profiler", 0)])):
        times = collections.defaultdict(list)
        for process in range(processes):
            for name, kind, level in variants + extra:
                if kind == "ours":
                    result = record(["--level", str(level)], command, WORK / "cost")
                elif kind == "floor":
                    result = run(command, FLOOR_LEVEL=str(level), CUDA_INJECTION64_PATH=str(BIN / "libfloor.so"))
                elif kind == "profiler":
                    result = run([*command, "--profile", str(WORK / "p.json")])
                    times["saved"] += values(result, "saved")
                else:
                    result = run(command)
                if result.returncode:
                    print("  failed:", name, result.returncode, result.stderr[-300:])
                times[name] += values(result, "us")
        bare = statistics.median(times["bare"])
        print(f"cost of {title}, µs per launch, median of {len(times['bare'])}, bare {bare:.3f}")
        for name in times:
            if name not in ("bare", "saved") and times[name]:
                median = statistics.median(times[name])
                print(f"  {name:9} {median:.3f}  +{median - bare:.3f}  spread {min(times[name]):.3f}..{max(times[name]):.3f}")
        if times["saved"]:
            print(f"  profiler stop and export {statistics.median(times['saved']):.3f} s")


def save():
    print("save: from the last kernel to a saved JSON, 100,000 launches")
    for title, command in (("C++", [LAUNCHES, "loop", "100000", "1"]),
                           ("PyTorch", [*TORCH, "loop", "--count", "100000"])):
        for level in ("1", "3"):
            options = ["--level", level] + (["--range", "measured"] if title == "PyTorch" else [])
            result = record(options, command, WORK / "save.json")
            end = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            last = values(result, "last")
            bare = run(command)
            exit_time = (time.clock_gettime_ns(time.CLOCK_MONOTONIC) - values(bare, "last")[0]) / 1e9
            if last:
                print(f"  {title:8} level {level}: {(end - last[0]) / 1e9:.3f} s, of which the bare program's exit "
                      f"{exit_time:.3f} s; {result.stderr.strip().splitlines()[-1][-60:]}")
            else:
                print("  failed", result.returncode, result.stderr[-300:])


def inside():
    print("inside: a program that starts torch.profiler while it is recorded")
    alone = run([*TORCH, "train", "--profile", str(WORK / "alone.json")], timeout=200)
    result = record([], [*TORCH, "train", "--profile", str(WORK / "inside.json")], WORK / "inside", timeout=200)
    print(f"  exit codes {alone.returncode} {result.returncode}; said: {result.stderr.strip()[-500:]}")
    print("  unknown buffer:", "unknown buffer" in result.stderr + result.stdout)
    try:
        a, b = read(WORK / "alone.json"), read(WORK / "inside.json")
        print(f"  profiler's own trace: kernels equal {a['names'] == b['names']} ({sum(b['names'].values())}),"
              f" sum ns {a['sum']} {b['sum']}, categories equal {set(a['cats']) == set(b['cats'])}")
    except (OSError, ValueError) as error:
        print("  ", error)


def programs():
    print("programs: exit code, GPU operations, linked launches")
    for name, command, options in (
            ("loop", [LAUNCHES, "loop", "1000", "1"], []), ("level 1", [LAUNCHES, "loop", "1000", "1"], ["--level", "1"]),
            ("level 2", [LAUNCHES, "loop", "1000", "1"], ["--level", "2"]),
            ("level 4", [LAUNCHES, "loop", "1000", "1"], ["--level", "4"]),
            ("streams", [LAUNCHES, "streams", "1000", "1"], []), ("graph", [LAUNCHES, "graph", "1000", "1"], []),
            ("graph, level 0", [LAUNCHES, "graph", "1000", "1"], ["--level", "0"]),
            ("copies", [LAUNCHES, "copies", "100", "1"], ["--level", "4"]), ("fork", [LAUNCHES, "fork", "1000", "1"], []),
            ("reset", [LAUNCHES, "reset", "1000", "1"], []), ("kernel filter", [LAUNCHES, "loop", "1000", "1"], ["--kernel", "^nothing"]),
            ("two processes", ["bash", "-c", f"RANK=0 {LAUNCHES} loop 500 1 & RANK=1 {LAUNCHES} loop 500 1; wait"], [])):
        result = record(options, command, WORK / "p.json", timeout=60)
        try:
            trace = read(WORK / "p.json")
            print(f"  {name:14} {result.returncode} {sum(trace['names'].values()):5} work {trace['launches']:5} linked "
                  f"{dict(trace['cats'])} {[l for l in result.stderr.splitlines() if 'warning' in l][:2]}")
        except (OSError, ValueError) as error:
            print(f"  {name:14} {result.returncode} {error} {result.stderr[-300:]}")
        (WORK / "p.json").unlink(missing_ok=True)
    record([], [LAUNCHES, "streams", "1000", "1"], WORK / "sane")
    report = run([KSCOPE, "report", *map(str, (WORK / "sane").glob("*.kscope"))])
    print("  report:", report.returncode, " | ".join(l.strip() for l in report.stdout.splitlines()
                                                  if "delay" in l or "work_before" in l or "busy" in l))
    size = sum(p.stat().st_size for p in (WORK / "sane").glob("*.kscope"))
    print(f"  bytes per launch {size / 1001:.0f}")


if __name__ == "__main__":
    for part in sys.argv[2:]:
        began = time.time()
        globals()[part]()
        print(f"  ({time.time() - began:.0f} s)", flush=True)
    shutil.rmtree(WORK, ignore_errors=True)
