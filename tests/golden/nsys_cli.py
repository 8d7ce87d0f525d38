#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports of Nsight Systems through kscope: figures against SQL of the export, and pairs that kscope compare has to judge.

nsys_cli.py KSCOPE MAKE_NSYS_PY"""

import contextlib
import gzip
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

KSCOPE, MAKE = sys.argv[1:3]
del sys.argv[1:3]
GEMM = "void gemm<128, 128>(float const*)"
SOFTMAX = "void softmax_forward(float*)"


def run(*words):
    return subprocess.run([KSCOPE, *map(str, words)], capture_output=True, text=True, timeout=120)


class NsysCli(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.before = cls.made("before.sqlite")

    @classmethod
    def made(cls, name, *words):
        path = pathlib.Path(cls.folder.name) / name
        subprocess.run([sys.executable, MAKE, "--steps", "30", *words, path], check=True)
        return path

    def compared(self, candidate, code=0, *words):
        done = run("compare", "--json", *words, self.before, candidate)
        self.assertEqual(done.returncode, code, done.stderr)
        result = json.loads(done.stdout)
        return {kernel["name"]: kernel["verdict"] for kernel in result["kernels"]}, result

    def test_figures_are_those_of_the_export(self):
        report = json.loads(run("report", "--json", self.before).stdout)
        with contextlib.closing(sqlite3.connect(self.before)) as database:
            expected = database.execute(
                "SELECT value, count(*), sum(end - start), min(end - start), max(end - start) "
                "FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = demangledName GROUP BY value").fetchall()
            linked, = database.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r "
                                       "ON r.correlationId = k.correlationId").fetchone()
            ranges, = database.execute("SELECT count(*) FROM NVTX_EVENTS").fetchone()
        found = [(k["name"], k["count"], k["total_ns"], k["min_ns"], k["max_ns"]) for k in report["kernels"]]
        self.assertEqual(sorted(found), sorted(expected))
        rows = json.loads(run("query", "--json", self.before,
                              "SELECT (SELECT count(*) FROM launches l JOIN gpu_ops g ON g.id = l.id "
                              "WHERE g.category = 'kernel' AND l.call IS NOT NULL) AS linked, "
                              "(SELECT count(*) FROM launches l JOIN gpu_ops g ON g.id = l.id "
                              "WHERE g.category = 'kernel' AND l.operator_name IS NULL) AS alone, "
                              "(SELECT count(*) FROM slices WHERE category IN ('cpu_op', 'user_annotation')) AS ranges, "
                              "(SELECT count(*) FROM steps) AS steps").stdout)
        self.assertEqual(rows, [{"linked": linked, "alone": 0, "ranges": ranges, "steps": 30}])

    def test_compressed_is_the_same(self):
        packed = self.before.with_suffix(".sqlite.gz")
        packed.write_bytes(gzip.compress(self.before.read_bytes()))
        kernels = [json.loads(run("report", "--json", path).stdout)["kernels"] for path in (self.before, packed)]
        self.assertEqual(*kernels)

    def test_a_slower_kernel_is_found(self):
        after = self.made("after.sqlite", "--slower", f"{GEMM}=1.5", "--seed", "2")
        verdicts, result = self.compared(after)
        self.assertEqual(verdicts.pop(GEMM), "SLOWER")
        self.assertEqual(set(verdicts.values()), {"SAME"})
        slower = next(kernel for kernel in result["kernels"] if kernel["name"] == GEMM)
        self.assertAlmostEqual(1 / slower["speedup"]["q50"], 1.5, delta=0.01)
        self.assertEqual(run("compare", "--fail-on", "slower", self.before, after).returncode, 1)

    def test_a_faster_one_too(self):
        verdicts, _ = self.compared(self.made("faster.sqlite", "--slower", f"{SOFTMAX}=0.8", "--seed", "3"))
        self.assertEqual(verdicts.pop(SOFTMAX), "FASTER")
        self.assertEqual(set(verdicts.values()), {"SAME"})

    def test_another_run_of_the_same_is_the_same(self):
        verdicts, _ = self.compared(self.made("again.sqlite", "--seed", "4"))
        self.assertEqual(set(verdicts.values()), {"SAME"})

    def test_an_empty_file_and_one_of_nobody_say_so(self):
        empty = pathlib.Path(self.folder.name) / "empty.sqlite"
        empty.touch()
        songs = pathlib.Path(self.folder.name) / "songs.sqlite"
        with contextlib.closing(sqlite3.connect(songs)) as database:
            database.execute("CREATE TABLE songs(title)")
        for path, words in ((empty, "is empty"), (songs, "not of a known profiler")):
            done = run("report", path)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count(os.linesep), 1)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
