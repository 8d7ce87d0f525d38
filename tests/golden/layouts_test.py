# SPDX-License-Identifier: Apache-2.0
"""The traces that the benchmarks make: one set of events in every layout, with the same answers.

usage: layouts_test.py KSCOPE [unittest options]
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

KSCOPE = ""
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))
import layouts  # noqa: E402

SAMPLE = ROOT / "resources/sample.json.gz"


class LayoutsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.reports = {name: cls.report("--size", "12M", "--layout", name) for name in layouts.LAYOUTS}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def make(cls, *arguments):
        path = pathlib.Path(cls.folder.name) / "trace.json"
        subprocess.run([sys.executable, ROOT / "tests/bench/grow_trace.py", *arguments, SAMPLE, path], check=True)
        return path

    @classmethod
    def report(cls, *arguments):
        done = subprocess.run([KSCOPE, "report", "--json", cls.make(*arguments)], capture_output=True, check=True)
        return json.loads(done.stdout)

    @staticmethod
    def figures(report):
        """What must not depend on the layout: whole GPUs, and counts by kernel."""
        return ([{key: gpu[key] for key in ("gpu", "busy_ns", "window_ns", "kernel_busy_ns")}
                 for gpu in report["gpus"]],
                sorted((kernel["gpu"], kernel["name"], kernel["count"]) for kernel in report["kernels"]))

    def test_nothing_is_odd_about_any(self):
        for name, report in self.reports.items():
            with self.subTest(name):
                self.assertEqual((report["import"]["skipped"], report["import"]["warnings"]), (0, []))
                self.assertEqual(len(report["gpus"]), 2)

    def test_equal_events_give_equal_figures(self):
        expected = self.figures(self.reports["kineto"])
        self.assertGreater(len(expected[1]), 20)
        for name, report in self.reports.items():
            if name == "chrome":  # whole microseconds only
                self.assertEqual(self.figures(report)[1], expected[1])
            else:
                with self.subTest(name):
                    self.assertEqual(self.figures(report), expected)

    def test_the_mix_is_that_of_a_training_run(self):
        events = json.loads(self.make("--size", "12M").read_text())["traceEvents"]
        flows = sum(event["ph"] in "sf" for event in events) / len(events)
        gpu = sum(event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset") for event in events) / len(events)
        self.assertAlmostEqual(flows, 0.38, delta=0.02)
        self.assertAlmostEqual(gpu, 0.11, delta=0.01)

    def test_copies_never_overlap_on_a_stream(self):
        last = {}
        events = json.loads(self.make("--size", "12M").read_text())["traceEvents"]
        kernels = sorted((event for event in events if event.get("cat") == "kernel"), key=lambda e: e["ts"])
        for event in kernels:
            row = event["pid"], event["tid"]
            self.assertGreaterEqual(event["ts"] + 0.001, last.get(row, 0))
            last[row] = event["ts"] + event["dur"]
        correlations = [event["args"]["correlation"] for event in kernels]
        self.assertEqual(len(set(correlations)), len(correlations))

    def test_announced_processes_are_there(self):
        report = self.report("--processes", "1000")
        self.assertEqual(report["import"]["skipped"], 0)
        self.assertGreater(report["import"]["events"], 3000)

    def test_equal_arguments_give_equal_files(self):
        for name in ("rocm", "keys"):
            first = self.make("--size", "9M", "--layout", name).read_bytes()
            self.assertEqual(self.make("--size", "9M", "--layout", name).read_bytes(), first)


if __name__ == "__main__":
    KSCOPE = sys.argv.pop(1)
    unittest.main()
