# SPDX-License-Identifier: Apache-2.0
"""Runs kscope with one call into the system failing: the first, the second and so on of its kind, until a run
needs fewer. Each run must end by itself with exit code 0, 1 or 2; with 0 the output is what it is without
faults, or a warning says what is missing; else there is a message, and the file of before or the whole new one. No temporary file is left.

One end is the library's limit and counted apart: see ends_in_library() and docs/security.md.

usage: sweep.py KSCOPE FAULTS_LIBRARY [RECORDED_PROGRAM INJECTED_LIBRARY] [--full] [--only COMMAND[:CALL]]
Without --full the steps grow and allocations count from 64 KiB on."""
import argparse
import concurrent.futures
import gzip
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/golden"))
from limits_test import trace_text
from make_job import make_job

CALLS = ["read", "mmap", "write", "open", "rename", "sync", "thread", "clock", "allocate"]
OLD = b"what was there before\n"
WARNING = b"kscope: warning: "
# Bytes. Without any memory at all nlohmann's documents cannot be freed, which ends the program; only that there
# is no room for what is large can last.
LARGE = 1 << 16
HANGS = 120  # seconds


def say_the_same(one, other):
    """Of databases what they hold: their pages differ with the memory that was left for a cache."""
    if one == other or None in (one, other) or not one.startswith(b"SQLite format 3"):
        return one == other
    dumps = []
    for content in (one, other):
        database = sqlite3.connect(":memory:")
        database.deserialize(content)
        try:
            dumps.append(list(database.iterdump()))
        except sqlite3.Error:
            return False
    return dumps[0] == dumps[1]


class Sweep:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.failed, self.runs, self.struck, self.limits = [], 0, 0, 0
        self.inputs = folder / "inputs"
        self.inputs.mkdir()
        kernels = 4_000
        (self.inputs / "a.json").write_text(trace_text(kernels))
        (self.inputs / "b.json").write_text(trace_text(kernels, 1.3))
        with gzip.open(self.inputs / "a.json.gz", "wt", 1) as file:
            file.write(trace_text(kernels))
        (self.inputs / "job").mkdir()
        make_job(self.inputs / "job", ranks=2, steps=2)

    def commands(self):
        """By name: the words, with OUT for the file that they write."""
        a, b, packed, job = (self.inputs / name for name in ("a.json", "b.json", "a.json.gz", "job"))
        capture = SOURCE / "tests/data/captures/cpu_process.kscope"
        commands = {
            "report": ["report", packed, "--json", "-o", "OUT.json"],
            "cut": ["cut", packed, "--window", "10ms..20ms", "-o", "OUT.json.gz"],
            "compare": ["compare", a, b, "--json", "-o", "OUT.json"],
            "ranks": ["ranks", job, "--json", "-o", "OUT.json"],
            "convert": ["convert", capture, "OUT.json.gz"],
            "query": ["query", "--csv", a, "SELECT name, count(*), sum(dur) FROM slices GROUP BY name", "-o",
                      "OUT.csv"],
            "export": ["export", a, "-o", "OUT.sqlite"],
        }
        if self.options.program:
            commands["record"] = ["record", "-o", "OUT", "--", self.options.program, "launch", "20"]
        return commands

    def run(self, name, words, fault=None):
        """One run in a folder of its own: its result, and whether a call failed."""
        place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (place / "tmp").mkdir()
        out = next(word for word in words if str(word).startswith("OUT"))
        if name != "record":
            (place / out).write_bytes(OLD)
        environment = {**os.environ, "TMPDIR": str(place / "tmp"), "KINETOSCOPE_RESULTS": str(place / "results")}
        if self.options.inject:
            environment["KINETOSCOPE_INJECT"] = self.options.inject
        if fault:
            least = LARGE if fault.endswith("+") else self.options.bytes
            environment |= {"LD_PRELOAD": self.options.faults, "KINETOSCOPE_FAULT": fault,
                            "KINETOSCOPE_FAULT_MARK": str(place / "mark"), "KINETOSCOPE_FAULT_PROGRAM": "kscope",
                            "KINETOSCOPE_FAULT_BYTES": str(least)}
        command = [self.options.kscope, *map(str, words)]
        try:
            done = subprocess.run(command, cwd=place, env=environment, timeout=HANGS, stdin=subprocess.DEVNULL,
                                  capture_output=True)
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess(command, "hangs", b"", b"")
        mark, told = place / "mark", place / "mark.stack"
        struck, stack = mark.exists(), told.read_bytes() if told.exists() else b""
        for path in (mark, told):
            path.unlink(missing_ok=True)
        files = {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}
        shutil.rmtree(place)
        return done, files, struck, out, stack

    def ends_in_library(self, done, stack):
        """Whether the run ended where nlohmann frees a document, which takes memory and must not fail: that function is
        met before any of our own."""
        if done.returncode != -signal.SIGABRT or b"std::bad_alloc" not in done.stderr:
            return False
        places = re.findall(rb"kscope\(\+(0x[0-9a-f]+)\)", stack)
        told = subprocess.run(["addr2line", "-f", "-i", "-C", "-e", self.options.kscope],
                              input=b"\n".join(b"%#x" % (int(place, 16) - 1) for place in places), capture_output=True)
        library = itertools.takewhile(lambda name: b"kinetoscope::" not in name, told.stdout.splitlines()[::2])
        return any(b"::json_value::destroy" in name for name in library)

    def fault(self, name, words, expected, fault):
        done, files, struck, out, stack = self.run(name, words, fault)
        self.runs += 1
        self.struck += struck
        wrong = []
        if name == "record":
            wrong += self.recording(done, files)
        else:
            if self.ends_in_library(done, stack):
                self.limits += 1
                return struck
            if done.returncode not in (0, 1, 2):
                wrong.append("neither result nor message")
            if set(files) != {out}:
                wrong.append(f"other files: {sorted(files)}")
            written = files.get(out)
            whole = written != OLD and say_the_same(written, expected)
            if done.returncode == 0 and (written == OLD or not whole and WARNING not in done.stderr):
                wrong.append("no result" if written == OLD else "another result")
            if done.returncode != 0 and written != OLD and not whole:
                wrong.append("half a result")
            if done.returncode != 0 and b"kscope: " not in done.stderr:
                wrong.append("no message")
        if wrong:
            self.failed.append(f"{name} with {fault}: exit code {done.returncode}, {', '.join(wrong)}; "
                               f"{done.stderr.decode(errors='replace').strip()[-400:]!r}")
        return struck

    @staticmethod
    def recording(done, files):
        """The program ends as it does unrecorded, or was not begun."""
        wrong = []
        if done.returncode not in (0, 1, 2):
            wrong.append("neither result nor message")
        if done.returncode != 0 and b"kscope: " not in done.stderr:
            wrong.append("no message")
        if left := [path for path in files if not path.startswith("OUT/")]:
            wrong.append(f"other files: {left}")
        return wrong

    def sweep(self, name, words):
        done, files, _, out, _ = self.run(name, words)
        if done.returncode != 0:
            self.failed.append(f"{name} without faults: {done.stderr.decode(errors='replace')}")
            return
        expected = files.get(out)
        for call in CALLS:
            if self.options.call and call != self.options.call:
                continue
            for later in ("", "+"):
                nth = 1
                while self.fault(name, words, expected, f"{call}:{nth}{later}"):
                    nth = nth + 1 if self.options.full else nth + 1 + nth // (1 if later else 2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kscope")
    parser.add_argument("faults")
    parser.add_argument("program", nargs="?")
    parser.add_argument("inject", nargs="?")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--bytes", type=int)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    only, _, options.call = options.only.partition(":")
    # Each run has a folder of its own.
    for word in ("kscope", "faults", "program", "inject"):
        if path := getattr(options, word):
            setattr(options, word, str(pathlib.Path(path).resolve()))
    if options.bytes is None:
        options.bytes = 1 << 10 if options.full else LARGE
    with tempfile.TemporaryDirectory() as folder:
        sweep = Sweep(options, pathlib.Path(folder))
        commands = sweep.commands()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda name: sweep.sweep(name, commands[name]),
                          [name for name in commands if only in ("", name)]))
    print("\n".join(sweep.failed[:40]))
    print(f"{sweep.runs} runs, {sweep.struck} with a fault, {len(sweep.failed)} wrong, "
          f"{sweep.limits} ended where nlohmann frees a document")
    return 1 if sweep.failed or not sweep.struck else 0


if __name__ == "__main__":
    sys.exit(main())
