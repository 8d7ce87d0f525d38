# SPDX-License-Identifier: Apache-2.0
"""The bars of jobs: all ranks in one process beside a report of each, one after the other."""

import gzip
import json
import os
import pathlib
import shlex
import shutil
import sys

import layouts
from grow_trace import grow, size_of
from measuring import Bars, interleaved, need_room, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
RANK = ROOT / "tests/data/traces/ddp_gpt_rank0.json.gz"
JOBS = ((64, "50M"), (8, "1G"))
PARTIALS, PARTIAL_OF = 1024, "4M"


class RankBars:
    """Every rank of a job is a link to one recording that was repeated until it is large enough; a rank is what the name
    of its file says."""

    def __init__(self, options):
        self.folder = options.build
        self.kscope = options.build / "bin/kscope"
        self.rounds = options.rounds
        self.bars = Bars()
        self.programs = {}

    def trace(self, size):
        path = self.folder / f"rank-{size}.json"
        if not path.exists():
            need_room(self.folder, size_of(size))
            with gzip.open(RANK, "rt", encoding="utf-8") as file:
                document = json.load(file)
            del document["distributedInfo"]
            print(f"writing {path.name}", file=sys.stderr)
            grow(document, layouts.LAYOUTS["kineto"], size_of(size), str(path))
        return path

    def job(self, ranks, size):
        folder = self.folder / f"job-{ranks}x{size}"
        folder.mkdir(exist_ok=True)
        files = [folder / f"rank{rank}.json" for rank in range(ranks)]
        for file in files:
            if not file.exists():
                os.link(self.trace(size), file)
        return files

    def partials(self):
        """As processes that divide the files of a job leave them."""
        out = self.folder / f"job-{PARTIALS}x{PARTIAL_OF}.json"
        parts = pathlib.Path(f"{out}.parts")
        # A newer program may not read those of an older one.
        if not out.exists() or out.stat().st_mtime < pathlib.Path(self.kscope).stat().st_mtime:
            shutil.rmtree(parts, ignore_errors=True)
            files = self.job(PARTIALS, PARTIAL_OF)
            print(f"reading {PARTIALS} ranks", file=sys.stderr)
            for worker in range(2):
                run([self.kscope, "ranks", "--json", "--worker", f"{worker}/2", "-o", out, *files])
        return parts

    def measure(self, title, commands):
        print(f"\n{title}", flush=True)
        found = interleaved(commands, self.rounds)
        self.programs[title] = {name: measured.as_json() for name, measured in found.items()}
        for name, measured in found.items():
            print(f"  {name:26} {measured.best:8.3f} s  processor {min(measured.processor):8.3f} s "
                  f"{max(measured.mebibytes):6.0f} MiB", flush=True)
        return found

    def run(self):
        for ranks, size in JOBS:
            files = self.job(ranks, size)
            one = shlex.join([str(self.kscope), "report", "--json"])
            each = f'for file; do {one} "$file" || exit; done'
            found = self.measure(f"{ranks} ranks of {size}", {
                "kscope ranks": [self.kscope, "ranks", "--json", *files],
                "kscope report of each": ["sh", "-c", each, "sh", *files]})
            whole, single = found["kscope ranks"], found["kscope report of each"]
            self.bars.add("ranks", f"{ranks} of {size}: time", whole.best / single.best, 1.3, "x reports")
            self.bars.add("ranks", f"{ranks} of {size}: peak", whole.peak_bytes / 2**20, 250 + 4 * ranks, "MiB")
        found = self.measure(f"{PARTIALS} partials", {
            "kscope ranks --merge": [self.kscope, "ranks", "--json", "--merge", self.partials()]})
        self.bars.add("ranks", f"{PARTIALS} partials merged", found["kscope ranks --merge"].best, 5, "s")
        return {"programs": self.programs, "bars": self.bars.rows}
