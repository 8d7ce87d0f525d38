#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often comparisons of benches are wrong, and how often they find a change.

alarms.py measure KSCOPE OUT SECONDS RUNS CACHE…   runs of both benches of unchanged code, into OUT
alarms.py judge KSCOPE OUT [SPLITS]                five of the runs against five others, every way

`measure` needs a GPU, and for operators kscope-torch beside KSCOPE. `judge` needs neither. It asks kscope compare for its
verdicts, works them out once more by itself (Welch's test, Holm's procedure) and says where the two disagree; exit 1
then. A false alarm is FASTER or SLOWER; a change is found where the second five are SLOWER with all times multiplied."""

import collections
import itertools
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

OPERATORS = ["aten.mm.default", "aten.add.Tensor", "aten.gelu_backward.default", "aten.native_layer_norm.default",
             "aten.sum.dim_IntList"]
SIDE = 5
LOW, HIGH = math.log(0.99), math.log(1.01)


def bench(command, path, times):
    begin = time.monotonic()
    run = subprocess.run([*command, "--no-save", "--json", "-o", str(path)], capture_output=True, text=True)
    if run.returncode != 0:
        print(f"{path.name}: exit {run.returncode}: {run.stderr[-500:]}", flush=True)
    times.append(time.monotonic() - begin)
    return run.returncode == 0


def measure(kscope, out, seconds, runs, caches):
    out.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    kernels, operators = [], []
    for index in range(runs):
        bench([kscope, "bench", "kernels", "--time-limit", "1", *caches], out / f"kernels{index:02}.json", kernels)
    for index in range(runs):
        bench([kscope, "bench", "operators", "--suite", "huggingface", "--op", ",".join(OPERATORS), "--dtype", "float16",
               "--max-samples", "2", "--implementations", "jit", "--device", "cuda"], out / f"operators{index:02}.json",
              operators)
        if time.monotonic() - begin > seconds:
            break
    for what, times in (("kernels", kernels), ("operators", operators)):
        print(f"{what}: {len(times)} runs, {statistics.mean(times):.1f} s each")
    print(f"{time.monotonic() - begin:.0f} s")


def rows_of(document):
    """(name, what its key is) → time of the run, its repeats"""
    rows = {}
    for item in document["items"]:
        if "parts" not in item:
            series = item.get("series", [])
            if series:
                chosen = next((one for one in series if one.get("autotuned")), min(series, key=lambda one: one["time_ns"]))
                rows[item["name"], item["key"]] = chosen
            continue
        for call in item["parts"]:
            for series in call.get("series", []):
                rows[f"{item['name']} {series['name']} {call['name']}", call["index"]] = series
    return {key: one for key, one in rows.items() if one.get("time_ns", 0) > 0}


def scaled(document, factor):
    """The same run with every time multiplied."""
    def walk(part):
        if isinstance(part, dict):
            return {key: ([factor * v for v in value] if key in ("repeats_ns", "samples_ns") else
                          factor * value if key in ("time_ns", "low_ns", "high_ns") else walk(value))
                    for key, value in part.items()}
        return [walk(value) for value in part] if isinstance(part, list) else part
    return walk(document)


def tail(t, freedom):
    """Of Student's distribution, by Simpson's rule over the angle whose tangent is t / sqrt(freedom)."""
    if t < 0:
        return 1 - tail(-t, freedom)
    first, steps = math.atan(t / math.sqrt(freedom)), 2000
    width = (math.pi / 2 - first) / steps
    heights = [math.cos(first + i * width) ** (freedom - 1) for i in range(steps)] + [0.0]
    area = width / 3 * (heights[0] + 4 * sum(heights[1::2]) + 2 * sum(heights[2:-1:2]) + heights[-1])
    whole = math.sqrt(math.pi) * math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom + 1) / 2))
    return area / whole


def claim(base, candidate):
    """The verdict of one row and the error at which it holds."""
    base, candidate = ([math.log(value) for value in side] for side in (base, candidate))
    parts = [statistics.variance(side) / len(side) for side in (base, candidate)]
    difference = statistics.mean(candidate) - statistics.mean(base)
    error = math.sqrt(sum(parts)) or 1e-12
    freedom = sum(parts) ** 2 / sum(part ** 2 / (len(side) - 1) for part, side in zip(parts, (base, candidate))) \
        if sum(parts) else 8
    p = [2 * tail((difference - HIGH) / error, freedom), 2 * tail((LOW - difference) / error, freedom),
         2 * max(tail((HIGH - difference) / error, freedom), tail((difference - LOW) / error, freedom))]
    return min(zip(p, ("SLOWER", "FASTER", "SAME")))


def holm(claims, error=0.05):
    verdicts = {key: "UNSURE" for key in claims}
    for rank, (key, (p, verdict)) in enumerate(sorted(claims.items(), key=lambda one: one[1][0])):
        if p > error / (len(claims) - rank):
            break
        verdicts[key] = verdict
    return verdicts


def asked(kscope, base, candidate):
    """kscope's own verdicts by name; names that stand for several rows have several."""
    run = subprocess.run([kscope, "compare", "--json", ",".join(base), ",".join(candidate)], capture_output=True,
                         text=True)
    if run.returncode != 0:
        sys.exit(f"kscope compare failed: {run.stderr}")
    found = collections.defaultdict(list)
    for row in json.loads(run.stdout)["kernels"]:
        found[row["name"]].append(row["verdict"])
    return {name: sorted(all) for name, all in found.items()}


def count(verdicts, wanted):
    return sum(verdict in wanted for verdict in verdicts)


def judge_kind(kscope, files, splits, folder):
    documents = [json.loads(file.read_text()) for file in files]
    rows = [rows_of(document) for document in documents]
    keys = [key for key in rows[0] if all(key in run for run in rows)]
    paths = {}
    for factor in (1.0, 1.10, 1.05, 1.02):
        for index, document in enumerate(documents):
            path = folder / f"{files[index].stem}-{factor}.json"
            path.write_text(json.dumps(scaled(document, factor) if factor != 1.0 else document))
            paths[factor, index] = str(path)
    disagreements = 0
    result = {factor: [0, 0] for factor in (1.0, 1.10, 1.05, 1.02)}
    clocks = []
    for first, second in splits(len(files)):
        for factor, tally in result.items():
            claims = {key: claim([rows[i][key]["time_ns"] for i in first],
                                 [factor * rows[i][key]["time_ns"] for i in second]) for key in keys}
            expected = collections.defaultdict(list)
            for (name, _), verdict in holm(claims).items():
                expected[name].append(verdict)
            got = asked(kscope, [paths[1.0, i] for i in first], [paths[factor, i] for i in second])
            for name, verdicts in expected.items():
                if got.get(name) != sorted(verdicts):
                    disagreements += 1
                    if disagreements <= 5:
                        print(f"  {name}: {got.get(name)} here {sorted(verdicts)}")
            verdicts = list(itertools.chain(*got.values()))
            tally[0] += count(verdicts, ("FASTER", "SLOWER") if factor == 1.0 else ("SLOWER",))
            tally[1] += len(verdicts)
    print(f"{files[0].stem[:-2]}: {len(files)} runs, {len(keys)} rows, {disagreements} verdicts that differ")
    one = [verdict for index in range(len(files) - 1)
           for verdict in itertools.chain(*asked(kscope, [paths[1.0, index]], [paths[1.0, index + 1]]).values())]
    print(f"  one run with the next, false: {count(one, ('FASTER', 'SLOWER'))} of {len(one)}")
    for factor, (found, of) in result.items():
        print(f"  {'false' if factor == 1.0 else f'SLOWER at {factor:.2f}'}: {found} of {of} ({found / max(of, 1):.2%})")
    for key in keys:
        clocks += [run[key].get("clock_mhz", 0) for run in rows]
        times = [math.log(run[key]["time_ns"]) for run in rows]
        within = [statistics.stdev([math.log(value) for value in run[key]["repeats_ns"]]) for run in rows
                  if len(run[key].get("repeats_ns", [])) > 1]
        print(f"  {statistics.median(run[key]['time_ns'] for run in rows) / 1e3:9.2f} µs  runs {statistics.stdev(times):6.2%}"
              f"  places {statistics.median(within) if within else 0:6.2%}  {key[0][:70]}")
    if any(clocks):
        print(f"  clocks {min(clocks):.0f} to {max(clocks):.0f} MHz")
    return disagreements


def judge(kscope, out, most):
    def splits(runs):
        every = []
        for first in itertools.combinations(range(runs), SIDE):
            left = [i for i in range(runs) if i not in first]
            every += [(first, second) for second in itertools.combinations(left, SIDE) if first < second]
        random.Random(1).shuffle(every)
        return every[:most]

    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("kernels", "operators"):
            files = sorted(out.glob(f"{kind}*.json"))
            if len(files) >= 2 * SIDE:
                wrong += judge_kind(kscope, files, splits, pathlib.Path(folder))
            else:
                print(f"{kind}: {len(files)} runs are fewer than {2 * SIDE}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1] == "measure":
        measure(sys.argv[2], pathlib.Path(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]), sys.argv[6:])
    else:
        sys.exit(judge(sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 126))
