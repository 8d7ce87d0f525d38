#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What --fail-on of kscope compare and kscope check must notice, and how they end: gates_cli.py KSCOPE."""

import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import unittest

import compare_checks
from make_job import make_job

TRACES = pathlib.Path(__file__).resolve().parent / "traces"
STREAMS = TRACES / "four_streams.json.gz"
NO_STEPS = TRACES / "graphs_and_links.json"


class Gates(compare_checks.CompareCase):
    def run_kscope(self, *arguments):
        return subprocess.run([compare_checks.KSCOPE, *map(str, arguments)], capture_output=True, text=True,
                              env={**os.environ, "KINETOSCOPE_STORE": str(self.folder / "store"), "COLUMNS": "200"})

    def ends(self, code, lines, *arguments):
        """With this exit code and these lines on standard error, each a list of words."""
        run = self.run_kscope(*arguments)
        self.assertEqual(run.returncode, code, run.stderr)
        found = run.stderr.splitlines()
        self.assertEqual(len(found), len(lines), run.stderr)
        for line, words in zip(found, lines):
            self.assertTrue(line.startswith("kscope: "))
            for word in words:
                self.assertIn(word, line)
        return run.stdout

    def changed(self, name, change):
        document = json.load(gzip.open(STREAMS))
        document["traceEvents"] = [new for event in document["traceEvents"] for new in change(event)]
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(document))
        return path

    def slow_host(self):
        """Everything takes twice as long, but the kernels."""
        def change(event):
            slower = {**event, **({"ts": 2 * event["ts"]} if "ts" in event else {})}
            if "dur" in event and event.get("cat") != "kernel":
                slower["dur"] = 2 * event["dur"]
            return [slower]
        return self.changed("slow_host", change)

    def twins(self):
        """A second kernel of each step beside every one."""
        def change(event):
            return [event, {**event, "name": event["name"] + "_twin"}] if event.get("cat") == "kernel" else [event]
        return self.changed("twins", change)

    def test_a_slow_host(self):
        slow = self.slow_host()
        result = json.loads(self.ends(0, [], "compare", "--json", STREAMS, slow))
        before, after = (statistics.median(step["duration_ns"][side] for step in result["steps"]) for side in (0, 1))
        self.assertEqual((len(result["steps"]), result["step_time_ns"]), (4, [before, after]))
        self.ends(0, [], "compare", STREAMS, slow, "--fail-on", "slower:5", "--fail-on", "total:1")
        percent = 100 * (after / before - 1)
        self.assertGreater(percent, 90)
        self.ends(1, [("failed: step ", "→", f"{percent:+.2f} %", "(--fail-on step:10)")],
                  "compare", STREAMS, slow, "--fail-on", "slower:5", "--fail-on", "step:10")
        for limit, code in ((percent - 0.01, 1), (percent + 0.01, 0)):
            self.assertEqual(self.run_kscope("compare", STREAMS, slow, "--fail-on", f"step:{limit:.6f}").returncode, code)
        self.ends(0, [], "compare", slow, STREAMS, "--fail-on", "step:0.1")
        self.ends(0, [], "compare", STREAMS, STREAMS, "--fail-on", "step:0.1", "--fail-on", "total:0.1", "--fail-on", "slower")

    def test_twice_as_many_kernels(self):
        twins = self.twins()
        self.ends(0, [], "compare", STREAMS, twins, "--fail-on", "slower:5", "--fail-on", "step:5")
        self.ends(1, [("failed: kernel time ", "+100.00 %", "(--fail-on total:99)")], "compare", STREAMS, twins, "--fail-on", "total:99")
        self.ends(0, [], "compare", STREAMS, twins, "--fail-on", "total:101")

    def test_all_that_failed_is_told(self):
        slow = self.scaled(STREAMS, 1.2)
        lines = [("failed: 4 of 4 kernels are SLOWER by 5 % or more", "slower:5"), ("failed: kernel time", "total:10")]
        self.ends(1, lines, "compare", STREAMS, slow, "--fail-on", "slower:5", "--fail-on", "step:10", "--fail-on", "total:10",
                  "--fail-on", "slower:50")
        # Of several candidates the one is named.
        self.ends(1, [(f"failed: {slow}: kernel time",)], "compare", STREAMS, STREAMS, slow, "--fail-on", "total:10")

    def test_the_headline_has_the_step(self):
        slow = self.slow_host()
        text = self.ends(0, [], "compare", STREAMS, slow)
        self.assertRegex(text.splitlines()[2], r"^  step [\d.,]+ (ms|µs) → [\d.,]+ (ms|µs) \(\+\d+\.\d\d %\), median of 4 steps and 4$")
        self.assertRegex(self.ends(0, [], "compare", "--markdown", STREAMS, slow), r"\*\*Kernel time 0 %\*\*, \*\*Step \+\d+\.\d\d %\*\*: ")
        text = self.ends(0, [], "compare", NO_STEPS, NO_STEPS)
        self.assertNotIn("step ", text.splitlines()[2])
        self.assertIsNone(json.loads(self.ends(0, [], "compare", "--json", NO_STEPS, STREAMS))["step_time_ns"])

    def test_launches_without_a_match(self):
        names = sorted(self.kernels(STREAMS))
        more = self.changed("more", lambda event: [event] if event["name"] != names[0] else [event, {**event, "name": "another"}])
        text = self.ends(0, [], "compare", "--match", "exact", STREAMS, more)
        self.assertTrue(text.startswith(f"{more} against {STREAMS}\n"), text[:200])
        self.assertIn("\nWithout a match in the baseline (", text)
        self.assertNotIn("Without a match in the candidate", text)
        self.assertIn("\nWithout a match in the candidate (", self.ends(0, [], "compare", "--match", "exact", more, STREAMS))
        markdown = self.ends(0, [], "compare", "--match", "exact", "--markdown", STREAMS, more)
        self.assertTrue(markdown.startswith(f"## `{more.name}` against `{STREAMS.name}`"))
        self.assertRegex(markdown, r"<summary>Without a match in the baseline \(\d kernels?\)")

    def test_other_programs(self):
        def renamed(event):
            return [{**event, "name": f"other_{event['name']}"}] if event.get("cat") == "kernel" else [event]
        other = self.changed("other", renamed)

        def notes(*arguments):
            return json.loads(self.ends(0, [], "compare", "--json", *arguments))["notes"]
        self.assertEqual(notes("--match", "exact", STREAMS, other), [
            "only 0 % of the kernel time of the baseline and 0 % of that of the candidate have a match: these may be different programs"])
        self.assertEqual(notes(STREAMS, STREAMS), [])
        long = max((event["dur"], event["name"]) for event in json.load(gzip.open(STREAMS))["traceEvents"] if event.get("cat") == "kernel")
        extra = self.changed("extra", lambda event: [event] if event.get("cat") != "kernel" else [
            event, {**event, "name": "extra", "dur": 4 * long[0]}])
        times = [sum(map(sum, kernels.values())) for kernels in map(self.kernels, (STREAMS, extra))]
        self.assertEqual(notes("--match", "exact", STREAMS, extra), [
            f"only {100 * times[0] / times[1]:.0f} % of the kernel time of the candidate has a match: these may be different programs"])

    @staticmethod
    def kernels(path):
        found = {}
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt") as file:
            for event in json.load(file)["traceEvents"]:
                if event.get("cat") == "kernel":
                    found.setdefault(event["name"], []).append(event["dur"])
        return found

    def test_a_gate_that_tests_nothing_does_not_pass(self):
        for base, candidate, who in ((STREAMS, NO_STEPS, "the candidate has no steps"), (NO_STEPS, STREAMS, "the baseline has no steps"),
                                     (NO_STEPS, NO_STEPS, "the traces have no steps")):
            self.ends(2, [("--fail-on step:5 cannot be tested", who)], "compare", base, candidate, "--fail-on", "step:5")
        self.ends(2, [("slower cannot be tested", "nothing has a match")], "compare", "--match", "exact", STREAMS, NO_STEPS, "--fail-on", "slower")
        # What is found counts before what cannot be.
        self.ends(1, [("failed: kernel time",), ("step:5 cannot be tested",)],
                  "compare", NO_STEPS, STREAMS, "--fail-on", "step:5", "--fail-on", "total:5")
        # Steps without kernels can be compared.
        bare = self.changed("bare", lambda event: [event] if event.get("cat") != "kernel" else [])
        self.ends(0, [], "compare", bare, bare, "--fail-on", "step:5")
        self.ends(2, [("has no kernels",)], "compare", bare, bare, "--fail-on", "step:5", "--fail-on", "total:5")

    def test_wrong_conditions(self):
        for wrong in ("step", "total", "step:", "step:x", "step:-1", "step:0", "total:0", "total:nan", "total:5%", "slower:", "faster", "", "step:inf"):
            self.ends(2, [("step:PERCENT",)], "compare", STREAMS, STREAMS, "--fail-on", wrong)

    def test_check(self):
        self.ends(0, [], "baseline", "save", "t", STREAMS)
        slow = self.slow_host()
        self.ends(0, [], "check", slow, "--against", "t", "--fail-on", "slower:5")
        self.ends(1, [("failed: step", "step:10")], "check", slow, "--against", "t", "--fail-on", "slower:5", "--fail-on", "step:10")
        self.ends(1, [(f"{slow}: step",)], "check", STREAMS, slow, "--against", "t", "--fail-on", "step:10")
        self.ends(2, [("the candidate has no steps",)], "check", NO_STEPS, "--anyway", "--against", "t", "--fail-on", "step:10")

    def test_results(self):
        def result(name, times):
            path = self.folder / f"{name}.json"
            path.write_text(json.dumps({"schema": "kinetoscope.result/1", "kind": "kernels", "method": "event-cold", "gpu": {"name": "H"},
                                        "kernels": [{"name": kernel, "key": kernel, "configs": [{
                                            "config": "", "samples_ns": [time] * 50, "samples_clock_mhz": [0] * 50,
                                            "samples_throttled": [False] * 50}]} for kernel, time in times.items()]}, indent=1))
            return path
        base, candidate = result("a", {"x": 1000, "y": 500}), result("b", {"x": 1000, "y": 500, "z": 300})
        self.ends(1, [("failed: kernel time 1.500 µs → 1.800 µs, +20.00 %",)], "compare", base, candidate, "--fail-on", "total:20")
        self.ends(0, [], "compare", base, candidate, "--fail-on", "total:21", "--fail-on", "slower")
        self.ends(2, [("step:5 cannot be tested", "no steps")], "compare", base, candidate, "--fail-on", "step:5")

    def test_jobs(self):
        before, after = (str(self.folder / name) for name in ("before", "after"))
        make_job(before, ranks=2, steps=6)
        make_job(after, ranks=2, steps=6, slow=(1, None, 1.5))
        medians = json.loads(self.ends(0, [], "compare", "--json", before, after))["all_steps"]["median_ns"]
        percent = 100 * (medians[1] / medians[0] - 1)
        self.ends(1, [("failed: step", f"{percent:+.2f} %")], "compare", before, after, "--fail-on", f"step:{percent - 0.1:.4f}")
        self.ends(0, [], "compare", before, after, "--fail-on", f"step:{percent + 0.1:.4f}")
        self.ends(1, [("failed: ", "steps, ranks and collectives are SLOWER by 5 % or more")], "compare", before, after, "--fail-on", "slower:5")
        self.ends(2, [("total:5 cannot be tested", "of traces and results")], "compare", before, after, "--fail-on", "total:5")


if __name__ == "__main__":
    compare_checks.KSCOPE = sys.argv.pop(1)
    unittest.main()
