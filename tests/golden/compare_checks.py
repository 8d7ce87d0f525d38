# SPDX-License-Identifier: Apache-2.0
"""What holds of kscope compare whatever the trace is."""

import collections
import gzip
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from scale_trace import scale

KSCOPE = ""  # set by the program


def kernels_of(path):
    """Names of a trace's kernels with their durations in nanoseconds."""
    found = collections.defaultdict(list)
    for event in json.load(gzip.open(path))["traceEvents"]:
        if event.get("cat") == "kernel":
            found[event["name"]].append(round(event["dur"] * 1000))
    return found


class CompareCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def kscope(self, *arguments):
        return subprocess.run([KSCOPE, "compare", *map(str, arguments)], capture_output=True, text=True,
                              env={**os.environ, "KINETOSCOPE_RESULTS": str(self.folder / "results")})

    def compared(self, *arguments):
        run = self.kscope("--json", *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def scaled(self, source, factor, kernel=None):
        target = self.folder / f"scaled{len(list(self.folder.iterdir()))}.json"
        scale(source, target, factor, kernel)
        return target

    def against_itself(self, path):
        result = self.compared(path, path)
        self.assertEqual(result["schema"], "kinetoscope.compare/1")
        self.assertEqual(result["delta_ns"], 0)
        self.assertEqual(result["only_base"] + result["only_candidate"], [])
        for kernel in result["kernels"]:
            self.assertEqual((kernel["delta_ns"], kernel["share_of_change"], kernel["verdict"]), (0, 0, "SAME"))
            self.assertEqual(kernel["speedup"]["q20"], kernel["speedup"]["q80"])
        for figure in [result["breakdown"], *result["gpus"]]:
            for key, value in figure.items():
                if key.endswith("_ns"):
                    self.assertEqual(value[0], value[1], key)
        for step in result["steps"]:
            # The edge of a cut may have a step without its kernels: nothing tells that it is the same.
            expected = "SAME" if step["kernels"] != [0, 0] else "UNSURE"
            self.assertEqual((step["delta_ns"], step["verdict"]), (0, expected))
        sums = {name: (len(times), sum(times)) for name, times in kernels_of(path).items()}
        self.assertEqual({k["name"]: (k["count"][0], k["total_ns"][0]) for k in result["kernels"]}, sums)

    def one_slower(self, path, name):
        times = kernels_of(path)
        result = self.compared(path, self.scaled(path, 1.1, name))
        verdicts = {k["name"]: k["verdict"] for k in result["kernels"]}
        self.assertEqual([n for n, v in verdicts.items() if v != "SAME"], [name])
        slower = result["kernels"][0]
        self.assertEqual((slower["name"], slower["verdict"]), (name, "SLOWER"))
        self.assertAlmostEqual(slower["delta_percent"], 10, delta=0.1)
        self.assertAlmostEqual(slower["speedup"]["q50"], 1 / 1.1, delta=0.001)
        self.assertEqual(slower["share_of_change"], 1)
        whole = sum(map(sum, times.values()))
        self.assertAlmostEqual(result["delta_percent"], 10 * sum(times[name]) / whole, delta=0.01)

    def all_slower(self, path, at_least):
        result = self.compared(path, self.scaled(path, 1.1))
        whole = sum(k["total_ns"][0] for k in result["kernels"])
        slower = sum(k["total_ns"][0] for k in result["kernels"] if k["verdict"] == "SLOWER")
        # Only what has too few launches may be UNSURE: no pair is lost.
        for kernel in result["kernels"]:
            self.assertEqual(kernel["speedup"]["pairs"], kernel["count"][0], kernel["name"])
            self.assertEqual(kernel["verdict"], "SLOWER" if kernel["count"][0] >= 5 else "UNSURE", kernel["name"])
        self.assertGreaterEqual(slower / whole, at_least)
        self.assertEqual([k["verdict"] for k in result["kernels"] if k["verdict"] in ("FASTER", "SAME")], [])
        self.assertAlmostEqual(result["delta_percent"], 10, delta=0.02)
