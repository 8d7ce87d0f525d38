# SPDX-License-Identifier: Apache-2.0
"""Runs whole processes beside their yardsticks and remembers the best of each."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROUNDS = 7
PHASE = re.compile(r"^(\w+)\s+([\d.]+) ms", re.MULTILINE)


class Measured:
    """All runs of one command: seconds, of the clock and of all processors, peak memory and, of
    kscope, seconds of its phases."""

    def __init__(self):
        self.seconds, self.processor, self.mebibytes, self.phases = [], [], [], {}

    def add(self, seconds, processor, mebibytes, phases):
        self.seconds.append(seconds)
        self.processor.append(processor)
        self.mebibytes.append(mebibytes)
        for name, value in phases.items():
            self.phases.setdefault(name, []).append(value)

    @property
    def best(self):
        return min(self.seconds)

    @property
    def peak_bytes(self):
        return max(self.mebibytes) * 2**20

    def phase(self, name):
        return min(self.phases[name])

    def as_json(self):
        found = {"seconds": self.best, "all_seconds": self.seconds, "peak_mib": max(self.mebibytes),
                 "processor_seconds": min(self.processor)}
        if self.phases:
            found["phases"] = {name: min(values) for name, values in self.phases.items()}
        return found


def run(command):
    """(seconds, processor seconds, MiB, {phase: seconds}) of one whole process."""
    with tempfile.TemporaryFile() as error:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=error)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        error.seek(0)
        text = error.read().decode(errors="replace")
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed: {text}")
    phases = {name: float(ms) / 1e3 for name, ms in PHASE.findall(text)}
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, phases


def interleaved(commands, rounds=ROUNDS):
    """{name: Measured}: every command once a round, after a round that is not counted."""
    found = {name: Measured() for name in commands}
    for round_ in range(rounds + 1):
        for name, command in commands.items():
            measured = run(command)
            if round_:
                found[name].add(*measured)
        if sys.stderr.isatty():
            print(f"\r  round {round_} of {rounds}\r", end="", file=sys.stderr, flush=True)
    return found


def output(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def json_of(command):
    return json.loads(output(command).splitlines()[-1])


class Bars:
    """Rows of what was asked for and what was found; printed as they come."""

    def __init__(self):
        self.rows = []

    def add(self, row, what, value, bar, unit="", goal=None, note=""):
        """`value` and `bar` are in `unit`; less is better. None: could not be measured."""
        verdict = "not measured" if value is None else "met" if value <= bar else "MISSED"
        if goal is not None and value is not None and value <= goal:
            verdict = "met, goal too"
        self.rows.append({"row": row, "what": what, "value": value, "bar": bar, "goal": goal,
                          "unit": unit, "verdict": verdict, "note": note})
        shown = "–" if value is None else f"{value:.2f}"
        wanted = f"≤ {bar:g}" + (f" ({goal:g})" if goal is not None else "")
        print(f"  {row:10} {what:44} {shown:>8} {unit:14} {wanted:12} {verdict:14} {note}", flush=True)

    def missed(self):
        return [row for row in self.rows if row["verdict"] in ("MISSED", "not measured")]


def need_room(folder, bytes_needed):
    """Says how much disk the files will take, and stops when there is not enough."""
    free = shutil.disk_usage(folder).free
    print(f"files to make: {bytes_needed / 1e9:.1f} GB in {folder}, {free / 1e9:.1f} GB free", file=sys.stderr)
    if bytes_needed * 1.1 > free:
        raise SystemExit(f"not enough room in {folder}; see --rows and --size")
