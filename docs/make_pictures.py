#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw the pictures of docs/pictures again, light and dark, from the recordings of this repository.

    docs/make_pictures.py [--program build/dev/bin/kinetoscope] [NAME…]
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "tests/data/traces"
SAMPLE = ROOT / "resources/sample.json.gz"
RANKS = [DATA / "ddp_gpt_rank0.json.gz", DATA / "ddp_gpt_rank1.json.gz"]
SNAPSHOT = ROOT / "tests/data/memory/memory_snapshot.pickle"
DUMPS = sorted((ROOT / "tests/data/flight").glob("nccl_hang_rank*.pickle"))
CACHE = ROOT / "tests/golden/plans/cache"
METRICS = ROOT / "tests/golden/metric_tables/metric_table_graph_stats.csv"
INDUCTOR = pathlib.Path("/tmp/torchinductor_user")
SAMPLE_START_NS = 4_348_443_864_220_844
NOTES = [(1.2, 15.9, "first run: caches are cold"), (28.67, 29.26, "why does nothing run here?"),
         (44.9, 44.9, "third run begins")]


def selected_time(folder: pathlib.Path) -> pathlib.Path:
    """A session in which 15 ms of the sample are selected."""
    session = folder / "selected.kscopes"
    session.write_text(json.dumps({"schema": "kinetoscope.session/1", "files": [
        {"absolute": str(SAMPLE), "window": "5ms..20ms",
         "visible_ns": [SAMPLE_START_NS, SAMPLE_START_NS + 30_000_000]}]}))
    return session


def noted(folder: pathlib.Path) -> pathlib.Path:
    """The sample with notes beside it."""
    trace = folder / "sample.json.gz"
    shutil.copy(SAMPLE, trace)
    notes = [{"start_ns": SAMPLE_START_NS + round(start * 1e6),
              "end_ns": SAMPLE_START_NS + round(end * 1e6), "text": text}
             for start, end, text in NOTES]
    (folder / "sample.json.gz.kinetoscope").write_text(
        json.dumps({"schema": "kinetoscope.sidecar/1", "notes": notes}))
    return trace


def damaged(folder: pathlib.Path) -> pathlib.Path:
    """The beginning of the sample."""
    trace = folder / "damaged.json"
    trace.write_bytes(gzip.decompress(SAMPLE.read_bytes())[:2_000_000])
    return trace


def baselines(folder: pathlib.Path) -> pathlib.Path:
    """A store with two weeks of one kernel that becomes slower, where the window looks for it."""
    noise = random.Random(4)
    os.environ["KINETOSCOPE_STORE"] = str(folder / "baselines")
    for day in range(1, 15):
        measures = []
        for name, us, now in (("all", 83, 86.4), ("triton_tem_fused_mm_0", 55, 55), ("triton_red_fused_softmax_1", 20, 23.4),
                              ("triton_poi_fused_gelu_2", 8, 8)):
            ns = 1000 * (us if day < 9 else now) * noise.uniform(0.996, 1.004)
            measures.append({"name": name, "value_ns": ns, "low_ns": 0.994 * ns, "high_ns": 1.006 * ns, "samples": 32,
                             "runs_ns": [ns]})
        entry = folder / "baselines" / "kernels" / f"202611{day:02}-120000-0123456789abcdef"
        entry.mkdir(parents=True)
        (entry / "entry.json").write_text(json.dumps({
            "schema": "kinetoscope.baseline/1", "kind": "kernels", "recorded": f"2026-11-{day:02}T12:00:00Z",
            "facts": {"gpu": "NVIDIA H200"}, "files": [{"name": "1-result.json", "from": "result.json", "bytes": 2}],
            "measures": measures}))
    return SAMPLE


def inductor() -> tuple:
    """A cache and a metric table at the place where Inductor would have them, which is shown."""
    cache = INDUCTOR / "cache"
    shutil.copytree(CACHE, cache, dirs_exist_ok=True)
    return cache, pathlib.Path(shutil.copy(METRICS, INDUCTOR))


def pictures(folder: pathlib.Path) -> dict:
    """Options of each picture but for its theme."""
    cache, metrics = inductor()
    return {
        "window": ["--size", "1280x800", SAMPLE],
        "timeline": ["--panel", "timeline", "--size", "900x420", DATA / "lstm_fwd_bwd.json.gz"],
        "summary": ["--panel", "summary", "--size", "420x640", SAMPLE],
        "details": ["--panel", "details", "--size", "420x460", "--select", "nvjet", SAMPLE],
        "kernels": ["--panel", "kernels", "--size", "980x260", SAMPLE],
        "operators": ["--panel", "operators", "--size", "980x260", SAMPLE],
        "calltree": ["--panel", "calltree", "--size", "980x260", SAMPLE],
        "findings": ["--panel", "findings", "--size", "1280x360", SAMPLE],
        "path": ["--panel", "path", "--size", "1280x360", SAMPLE],
        "idle": ["--panel", "idle", "--size", "980x260", SAMPLE],
        "selection": ["--panel", "selection", "--size", "900x260", selected_time(folder)],
        "find": ["--panel", "find", "--size", "900x260", "--find", "nvjet", SAMPLE],
        "durations": ["--panel", "durations", "--size", "900x300", "--find", "nvjet", SAMPLE],
        "query": ["--panel", "query", "--size", "900x300", SAMPLE],
        "steps": ["--panel", "steps", "--size", "900x200", SAMPLE],
        "notes": ["--panel", "notes", "--size", "900x200", noted(folder)],
        "roofline": ["--panel", "roofline", "--size", "1280x420", SAMPLE],
        "memory": ["--panel", "memory", "--size", "1280x360", RANKS[0]],
        "snapshot": ["--size", "1280x800", SNAPSHOT],
        "segments": ["--panel", "segments", "--size", "900x320", SNAPSHOT],
        "job": ["--size", "1280x720", "--job", *RANKS],
        "hang": ["--size", "1280x720", "--job", *DUMPS],
        "log": ["--panel", "log", "--size", "900x200", damaged(folder)],
        "runs": ["--panel", "runs", "--size", "900x200", "--compare", *RANKS],
        "compare": ["--panel", "compare", "--size", "1100x360", "--compare", *RANKS],
        "timelines": ["--panel", "timelines", "--size", "900x480", "--compare", *RANKS],
        "history": ["--panel", "history", "--size", "1100x320", baselines(folder)],
        "bench": ["--panel", "bench", "--size", "980x300", cache],
        "table": ["--panel", "table", "--size", "900x300", metrics],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/dev/bin/kinetoscope")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these pictures")
    options = parser.parse_args()
    out = ROOT / "docs/pictures"
    out.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        wanted = pictures(pathlib.Path(folder))
        for name in options.names or wanted:
            for theme in ("light", "dark"):
                command = [options.program, "--theme", theme, "--screenshot",
                           out / f"{name}-{theme}.png", *wanted[name]]
                subprocess.run([str(word) for word in command], check=True)
    shutil.rmtree(INDUCTOR)
    return 0


if __name__ == "__main__":
    sys.exit(main())
