#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py BIN PART…: records real programs and prints what came of it.

BIN holds kscope, libkinetoscope-inject.so, libfloor.so and launches (see run). Parts: agree
(against torch.profiler; PROGRAM=compiled LEVELS=3 PROCESSES=5 SESSIONS=3 for only these), cuda12
(CUDA12=FOLDER holds libcupti.so.12 and libcudart.so.12), clocks (what NVML tells), cost (per launch; LEVELS=3 PROGRAM=PyTorch for only these), floors (what its parts cost), save (time to a saved
trace), inside (a program that profiles itself), holders (Proton and ncu), ranks (two GPUs),
programs (graphs, streams, fork, copies, two processes)."""

import collections
import json
import os
import pathlib
import re
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
    return figures(json.loads(pathlib.Path(path).read_text())["traceEvents"])


def figures(events, work=None):
    work = sorted(work or [e for e in events if e.get("cat") in GPU_WORK], key=lambda e: e["ts"])
    busy = end = 0
    gaps = []
    for event in work:
        start, stop = round(event["ts"] * 1000), round((event["ts"] + event["dur"]) * 1000)
        gaps.append(max(0, start - end) if end else 0)
        busy += max(0, stop - max(start, end))
        end = max(end, stop)
    by_name = collections.Counter()
    for event in work:
        by_name[event["name"]] += round(event["dur"] * 1000)
    return {"names": collections.Counter(e["name"] for e in work), "by_name": by_name,
            "sum": sum(by_name.values()), "busy": busy, "gap": statistics.median(gaps) if gaps else 0,
            "cats": collections.Counter(e.get("cat") for e in events if e.get("ph") == "X"),
            "launches": len({e["args"]["correlation"] for e in events
                             if e.get("cat") in ("cuda_runtime", "cuda_driver")}
                            & {e["args"]["correlation"] for e in work})}


def read_sessions(path, sessions):
    """All sessions of one recording do the same work, so they part it evenly."""
    events = json.loads(pathlib.Path(path).read_text())["traceEvents"]
    work = sorted((e for e in events if e.get("cat") in GPU_WORK), key=lambda e: e["ts"])
    each = len(work) // sessions
    return [figures(events, work[n * each:(n + 1) * each]) for n in range(sessions)]


PROCESSES, SESSIONS = (int(os.environ.get(name, "3")) for name in ("PROCESSES", "SESSIONS"))


def agree():
    print(f"agree: against torch.profiler, {PROCESSES} processes of each, interleaved, {SESSIONS} sessions in each")
    levels = [int(level) for level in os.environ.get("LEVELS", "3").split(",")]
    for mode in os.environ.get("PROGRAM", "train,compiled,large,graph").split(","):
        command = [*TORCH, mode, "--sessions", str(SESSIONS)]
        runs = collections.defaultdict(list)
        steps = collections.defaultdict(list)
        for _ in range(PROCESSES):
            out = WORK / "a.json"
            result = run([*command, "--profile", str(out)], timeout=200)
            steps["profiler"] += values(result, "us")
            if result.returncode:
                print(result.stderr[-600:])
                return
            runs["profiler"] += [read(str(out) + (f".{n}" if n else "")) for n in range(SESSIONS)]
            for level in levels:
                result = record(["--range", "measured", "--level", str(level)], command, WORK / "o.json", timeout=200)
                steps[f"ours {level}"] += values(result, "us")
                if result.returncode or "warning" in result.stderr:
                    print(" ", result.returncode, result.stderr[-600:])
                runs[f"ours {level}"] += read_sessions(WORK / "o.json", SESSIONS)
        theirs = runs["profiler"]
        for name, all_of in runs.items():
            same = all(one["names"] == theirs[0]["names"] for one in all_of)
            print(f"  {mode:9} {name:9} {'equal' if same else 'DIFFER'} ({sum(all_of[0]['names'].values())} of "
                  f"{len(all_of[0]['names'])}) step {statistics.median(steps[name]):.1f} us, gap {all_of[0]['gap']} ns;"
                  f" sums {[one['sum'] for one in all_of]} busy {[one['busy'] for one in all_of]}")
        for figure in ("sum", "busy"):
            a, b = ([one[figure] for one in runs[name]] for name in ("profiler", "ours 3"))
            difference = statistics.median(b) - statistics.median(a)
            print(f"    {figure}: {100 * difference / statistics.median(a):+.3f} %, profiler's spread "
                  f"{100 * (max(a) - min(a)) / statistics.median(a):.3f} %, ours {100 * (max(b) - min(b)) / statistics.median(b):.3f} %,"
                  f" {'within' if abs(difference) <= max(a) - min(a) else 'BEYOND'}")
        change = {name: statistics.median(one["by_name"][name] for one in runs["ours 3"])
                  - statistics.median(one["by_name"][name] for one in theirs) for name in theirs[0]["names"]}
        for name in sorted(change, key=lambda name: -abs(change[name]))[:4]:
            print(f"    {change[name]:+8.0f} ns of {theirs[0]['by_name'][name]} in {theirs[0]['names'][name]}: {name[:70]}")


def clocks():
    print("clocks: what a capture says of the GPU it ran on")
    result = record([], [LAUNCHES, "loop", "1000", "1"], WORK / "clocks.json")
    for device in json.loads((WORK / "clocks.json").read_text())["deviceProperties"]:
        print("  exit code", result.returncode, {name: value for name, value in device.items()
                                                 if "lock" in name or name.startswith(("name", "power", "temperature"))})


def cuda12():
    print("cuda12: a program of CUDA 12 with CUPTI 12")
    folder = os.environ["CUDA12"]
    for level in ("1", "3", "4"):
        result = record(["--level", level], [str(BIN / "cuda12"), "1000"], WORK / "cuda12", LD_LIBRARY_PATH=folder)
        captures = list(map(str, (WORK / "cuda12").glob("*.kscope")))
        convert = run([KSCOPE, "convert", *captures, str(WORK / "cuda12.json")])
        trace = json.loads((WORK / "cuda12.json").read_text())
        work = figures(trace["traceEvents"])
        print(f"  level {level}: exit codes {result.returncode} {convert.returncode}, {dict(work['names'])},"
              f" {work['launches']} linked, {dict(work['cats'])}, {work['sum']} ns")
        print("   ", result.stderr.strip()[-300:])
        head = re.findall(rb'"cupti_[a-z]+": ?[^,}]*', pathlib.Path(captures[0]).read_bytes())
        print("   ", *[member.decode() for member in head])


def ranks():
    print("ranks: two processes under torchrun, one GPU each")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", str(HERE / "workload.py"), "ranks"]
    result = record(["--range", "measured"], torchrun, WORK / "ranks", timeout=200)
    captures = sorted(p.name for p in (WORK / "ranks").glob("*.kscope"))
    print(f"  exit code {result.returncode}; {captures}; {[l for l in result.stderr.splitlines() if 'warning' in l][:3]}")
    run([KSCOPE, "convert", str(WORK / "ranks"), str(WORK / "ranks.json")])
    trace = json.loads((WORK / "ranks.json").read_text())
    events = trace["traceEvents"]
    print("  devices", [(d["id"], d["name"], d["uuid"][:8]) for d in trace["deviceProperties"]])
    ends = {}
    for gpu in (0, 1):
        kernels = [e for e in events if e.get("cat") == "kernel" and e["pid"] == gpu]
        ends[gpu] = [e["ts"] + e["dur"] for e in sorted(kernels, key=lambda e: e["ts"]) if e["name"].startswith("nccl")]
        print(f"  GPU {gpu}: {len(kernels)} kernels, streams {sorted({e['tid'] for e in kernels})}, {len(ends[gpu])} collectives")
    apart = [abs(a - b) for a, b in zip(ends[0], ends[1])]
    if apart:
        print(f"  the collectives of both end within {statistics.median(apart):.1f} us of each other (median), {max(apart):.1f} at most")
    print("  names", [e["args"]["name"] for e in events if e.get("name") == "process_name"])


PROTON = """
import torch, triton.profiler as proton
x = torch.zeros(32, device="cuda")
for _ in range(100): x.add_(1)
torch.cuda.synchronize()
proton.start("OUT", backend="cupti")
for _ in range(200): x.add_(1)
torch.cuda.synchronize()
proton.finalize()
for _ in range(300): x.add_(1)
torch.cuda.synchronize()
print("done")
"""


def holders():
    print("holders: others that use CUPTI")
    script = WORK / "proton.py"
    script.write_text(PROTON.replace("OUT", str(WORK / "proton")))
    for title, out, command in (
            ("Proton alone", None, [sys.executable, str(script)]),
            ("Proton recorded", "held", [sys.executable, str(script)]),
            ("ncu around kscope", "held2", None),
            ("kscope around ncu", "held3", ["ncu", "--launch-count", "3", LAUNCHES, "loop", "100", "1"])):
        (WORK / "proton.hatchet").unlink(missing_ok=True)
        if title == "ncu around kscope":
            result = run(["ncu", "--target-processes", "all", "--launch-count", "3", KSCOPE, "record", "-o", str(WORK / out), "--",
                          LAUNCHES, "loop", "100", "1"])
        else:
            result = run(command) if out is None else record([], command, WORK / out)
        hatchet = WORK / "proton.hatchet"
        counts = re.findall(r'"count": (\d+)', hatchet.read_text()) if hatchet.exists() else None
        print(f"  {title}: exit code {result.returncode}, {result.stdout.strip().splitlines()[-1:]}, Proton counted {counts};"
              f" said {[l for l in result.stderr.splitlines() if 'kinetoscope' in l or 'kscope' in l or 'warning' in l or 'unknown' in l][:5]}")
        for capture in sorted((WORK / out).glob("*.kscope")) if out else []:
            report = run([KSCOPE, "report", "--json", str(capture)])
            try:
                document = json.loads(report.stdout)
                print("    recorded", [g.get("kernels", g.get("kernel_count")) for g in document.get("gpus", [])],
                      [i["name"] for i in document.get("import", {}).get("issues", [])])
            except ValueError:
                print("   ", report.stdout[-200:], report.stderr[-200:])


def floors():
    print("floors: what each part of a recorder costs, C++ loop, level 3")
    command = [LAUNCHES, "loop", "100000", "3"]
    times = collections.defaultdict(list)
    library = {"FLOOR_LEVEL": "3", "CUDA_INJECTION64_PATH": str(BIN / "libfloor.so")}
    extras = ("", "timestamp", "thread", "zeroed", "flush", "timestamp,thread,flush")
    older = pathlib.Path(BIN / "libolder.so")
    for _ in range(3):
        times["bare"] += values(run(command), "us")
        for extra in extras:
            times["floor " + extra] += values(run(command, FLOOR_WITH=extra, **library), "us")
        times["ours"] += values(record([], command, WORK / "cost"), "us")
        if older.exists():
            times["older"] += values(record([], command, WORK / "cost", KINETOSCOPE_INJECT=str(older)), "us")
    bare = statistics.median(times["bare"])
    for name, all_of in times.items():
        print(f"  {name:30} {statistics.median(all_of):.3f}  +{statistics.median(all_of) - bare:.3f}  least +{min(all_of) - min(times['bare']):.3f}")


def cost():
    variants = [("bare", None, None)]
    levels = [int(level) for level in os.environ.get("LEVELS", "1,3,4").split(",")]
    variants += [(f"{kind}{level}", kind, level) for level in levels for kind in ("floor", "ours")]
    for title, command, processes, extra in (
            ("C++", [LAUNCHES, "loop", "100000", "3"], 3, []),
            ("PyTorch", [*TORCH, "loop", "--count", "100000", "--rounds", "3"], 3, [("profiler", "profiler", 0)])):
        if os.environ.get("PROGRAM", title) != title:
            continue
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
                print(f"  {name:9} {median:.3f}  +{median - bare:.3f}  least +{min(times[name]) - min(times['bare']):.3f}  spread {min(times[name]):.3f}..{max(times[name]):.3f}")
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
            ("copies", [LAUNCHES, "copies", "100", "1"], ["--level", "4"]),
            ("copies, level 3", [LAUNCHES, "copies", "100", "1"], []),
            ("driver, level 2", [LAUNCHES, "driver", "100", "1"], ["--level", "2"]),
            ("driver, level 3", [LAUNCHES, "driver", "100", "1"], []), ("fork", [LAUNCHES, "fork", "1000", "1"], []),
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
