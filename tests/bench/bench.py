#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the built programs against their yardsticks: bench.py --build DIR [load] [frames].

Whole processes, interleaved, medians of five; ratios hold from day to day, seconds do not.
Results are printed and written to DIR/bench.json.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 5


def timed(command):
    """Seconds and peak memory (MiB) of one run of a whole process."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed")
    return seconds, usage.ru_maxrss / 1024


def interleaved(commands):
    """{name: (median seconds, median MiB)} over RUNS rounds after one that is not counted."""
    found = {name: [] for name in commands}
    for round_ in range(RUNS + 1):
        for name, command in commands.items():
            measured = timed(command)
            if round_:
                found[name].append(measured)
    return {name: tuple(statistics.median(column) for column in zip(*runs))
            for name, runs in found.items()}


def big_trace(build: pathlib.Path, size: str) -> pathlib.Path:
    path = build / f"big-{size}.json"
    if not path.exists():
        print(f"writing {path.name}", file=sys.stderr)
        subprocess.run([sys.executable, ROOT / "tests/bench/grow_trace.py", "--size", size,
                        ROOT / "resources/sample.json.gz", path], check=True)
    return path


def load(options):
    path = pathlib.Path(options.file) if options.file else big_trace(options.build, options.size)
    binary = options.build / "bin"
    commands = {
        "wc -l": ["wc", "-l", path],
        "load": [binary / "load_time", path],
        "report --json": [binary / "kscope", "report", "--json", path],
    }
    if (binary / "simdjson_walk").exists():
        commands["simdjson walk"] = [binary / "simdjson_walk", path]
    rows = interleaved(commands)
    yardstick = rows["wc -l"][0]
    print(f"\n{path.name}, {path.stat().st_size / 1e9:.2f} GB")
    for name, (seconds, mib) in rows.items():
        print(f"  {name:16} {seconds:8.3f} s {seconds / yardstick:8.1f} x wc -l {mib:10.0f} MiB")
    return {name: {"seconds": s, "peak_mib": m, "times_wc": s / yardstick}
            for name, (s, m) in rows.items()}


def frames(options):
    done = subprocess.run([options.build / "bin/frame_time", "--json"], text=True, check=True,
                          capture_output=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    found = json.loads(done.stdout.splitlines()[-1])
    print("\nframes of the timeline, 10 million slices, 1920 x 1080")
    for name, value in found.items():
        print(f"  {name:16} {value}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--size", default="1G", help="of the trace that is made, e.g. 100M")
    parser.add_argument("--file", help="measure the load of this trace instead")
    parser.add_argument("what", nargs="*", choices=["load", "frames", []])
    options = parser.parse_args()
    results = {"machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores",
               "date": time.strftime("%Y-%m-%d")}
    for name in options.what or ["load", "frames"]:
        results[name] = {"load": load, "frames": frames}[name](options)
    (options.build / "bench.json").write_text(json.dumps(results, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
