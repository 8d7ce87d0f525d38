#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the built programs against their yardsticks: bench.py --build DIR [load] [frames] [panels] [memory] [ranks] [parts].

load    whole processes of kscope beside wc -l, cat, simdjson, nlohmann and ISA-L: every bar of loading
frames  the window: first picture, pans and zooms of ten million slices
panels  the window: a selected time of ten million slices, tables of a million rows, the flame graph
memory  a snapshot of the allocator of a gigabyte: read, on screen, pans and zooms
ranks   jobs: 64 ranks of 50 MB and 8 of 1 GB beside a report of each, 1,024 partials merged
parts   Google Benchmark: readers, names, lanes, queries and each analysis, and how they grow

Runs are interleaved and the best of seven counts: ratios hold from day to day, seconds do not.
Traces are made once in DIR (about 7 GB for load, 1 GB each for memory and ranks). Results are printed and written to DIR/bench.json.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import time

from load_bars import ROWS, Files, LoadBars
from measuring import ROUNDS, Bars, json_of, output, run
from rank_bars import RankBars


def load(options):
    return LoadBars(options).run()


def ranks(options):
    return RankBars(options).run()


def frames(options):
    files = Files(options.build, options.size, options.file)
    files.make(files.of_rows((), [] if options.file else [options.size]))
    bars = Bars()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    path = files.whole()
    pictures = [json_of([options.build / "bin/first_picture", path]) for _ in range(options.rounds)]
    first, finished, stall = (min(picture[key] for picture in pictures) for key in
                              ("first_ms_after_load_start", "finished_ms", "longest_stall_ms"))
    print(f"\nwindow, {path.name}, 1920 x 1080, drawn offscreen")
    bars.add("picture", "slices on screen after the load's start", first, 300, "ms")
    bars.add("picture", "finished picture after the program's start", finished, 1000, "ms",
             note=f"the window stood still for {stall:.0f} ms at most")
    frame = json_of([options.build / "bin/frame_time", "--json"])
    bars.add("frame", "95 % of pans and zooms, 10 million slices", frame["p95_ms"], 16, "ms",
             note=f"processor {frame['p95_cpu_ms']:.1f} ms")
    bars.add("frame", "99 % of them", frame["p99_ms"], 50, "ms")
    job = json_of([options.build / "bin/job_frame_time"])
    bars.add("picture", "first picture of 1,024 partials", job["first_ms"], 1000, "ms",
             note=f"all of it after {job['whole_ms']} ms")
    bars.add("frame", "95 % of pans and zooms, 1,024 ranks", job["p95_ms"], 16, "ms",
             note=f"processor {job['p95_cpu_ms']:.1f} ms")
    return {"first_picture": pictures, "frame_time": frame, "job_frame_time": job, "bars": bars.rows}


def memory(options):
    path = options.build / "snapshot-1G.pickle"
    if not path.exists():
        maker = pathlib.Path(__file__).parents[1] / "tools" / "make_snapshot.py"
        subprocess.run([sys.executable, maker, path, "--bytes", str(10**9)], check=True)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    found = [json_of([options.build / "bin/snapshot_frame_time", path]) for _ in range(options.rounds)]
    seconds, processor, mebibytes, _ = zip(*[run([options.build / "bin/kscope", "memory", path]) for _ in range(options.rounds)])
    bars = Bars()
    print(f"\nsnapshot of the allocator, {path.stat().st_size / 1e9:.2f} GB, 1920 x 1080, drawn offscreen")
    bars.add("read", "kscope memory", min(seconds), 3, "s",
             note=f"{min(processor):.2f} s of processor time, {max(mebibytes):.0f} MiB")
    bars.add("picture", "blocks on screen", min(one["opened_ms"] for one in found), 3000, "ms")
    bars.add("frame", "95 % of pans and zooms", min(one["p95_ms"] for one in found), 16, "ms",
             note=f"processor {min(one['p95_cpu_ms'] for one in found):.1f} ms, all of it redrawn on a worker in "
                  f"{min(one['picture_ms'] for one in found):.0f} ms")
    return {"snapshot": found, "read_s": seconds, "bars": bars.rows}


def panels(options):
    files = Files(options.build, options.size, options.file)
    files.make(files.of_rows((), [] if options.file else [options.size]))
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    bars, found = Bars(), {}
    for row, arguments in (("select", []), ("tables", []), ("flames", [files.whole()])):
        text = output([options.build / "bin/panel_time", row, *arguments])
        print(f"\n{text}", end="")
        found[row] = json.loads(text.splitlines()[-1])
    for row, what in (("select", "a selected time"), ("tables", "a table sorted or filtered"),
                      ("flames", "another flame graph")):
        bars.add(row, f"longest pause of the window, {what}", found[row]["pause_ms"], 100, "ms")
    # What takes longer than the picture of it may has to say so.
    bars.add("select", "all panels, or progress shown", 0 if found["select"]["told"] else found["select"]["select_ms"],
             200, "ms", note=f"{found['select']['select_ms']:.0f} ms at most")
    bars.add("flames", "flame graph once operators are known", found["flames"]["first_ms"], 300, "ms")
    return found | {"bars": bars.rows}


def growth_of(rows):
    """{benchmark: time of four times the work / 4} from "name/1000" and "name/4000"."""
    times = {}
    for row in rows:
        match = re.fullmatch(r"(.+)/(\d+)(?:/.*)?_median", row["name"])
        if match:
            times.setdefault(match.group(1), {})[int(match.group(2))] = row["cpu_time"]
    for name, found in times.items():
        if len(found) > 1:
            least, most = min(found), max(found)
            yield name, found[most] / found[least] / (most / least)


def parts(options):
    out = options.build / "parts.json"
    subprocess.run([options.build / "bin/parts_bench", f"--benchmark_out={out}", "--benchmark_out_format=json",
                    "--benchmark_repetitions=3", "--benchmark_report_aggregates_only=true",
                    f"--benchmark_filter={options.filter}"], check=True)
    results = json.loads(out.read_text())
    bars = Bars()
    print("\ngrowth: time of one element when there are four times as many")
    for name, ratio in growth_of(results["benchmarks"]):
        # A quadratic step would make it 4; growing out of the caches costs up to twice the time.
        bars.add("growth", name, ratio, 2.2, "x")
    return results | {"bars": bars.rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--size", default="1G", help="of the trace that is made, e.g. 100M (default 1G)")
    parser.add_argument("--file", help="measure this trace instead of a made one")
    parser.add_argument("--rows", type=lambda text: text.split(","), metavar="ROW,…",
                        help="of load, only these: " + ",".join(ROWS))
    parser.add_argument("--huge", action="store_true", help="of load, growth to 20 GB too; takes 20 GB of disk")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often everything runs (default 7)")
    parser.add_argument("--filter", default=".", help="of parts, only those that match this")
    parser.add_argument("what", nargs="*", choices=["load", "frames", "panels", "memory", "ranks", "parts", []])
    options = parser.parse_args()
    if unknown := set(options.rows or ()) - set(ROWS):
        parser.error(f"--rows knows {', '.join(ROWS)}, not {', '.join(sorted(unknown))}")
    results = {"machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores",
               "date": time.strftime("%Y-%m-%d")}
    missed = []
    for name in options.what or ["load", "frames"]:
        results[name] = {"load": load, "frames": frames, "panels": panels, "memory": memory, "ranks": ranks,
                         "parts": parts}[name](options)
        missed += [row for row in results[name]["bars"] if row["verdict"] == "MISSED"]
    (options.build / "bench.json").write_text(json.dumps(results, indent=2) + "\n")
    print(f"\n{len(missed)} bars missed" if missed else "\nevery bar that was measured is met")
    for row in missed:
        print(f"  {row['row']}: {row['what']}: {row['value']:.2f} {row['unit']}, bar {row['bar']:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
