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

    def result(self, name, times, gpu="H", method="event-cold", clock=0):
        """A result of the kernel bench: of each kernel one time, a list of samples, or why it has none."""
        def kernel(key, time):
            if isinstance(time, str):
                return {"name": key, "key": key, "configs": [{"config": "", "reason": time}]}
            samples = time if isinstance(time, list) else [time] * 50
            return {"name": key, "key": key, "configs": [{"config": "", "samples_ns": samples, "samples_clock_mhz": [clock] * len(samples),
                                                          "samples_throttled": [False] * len(samples)}]}
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({"schema": "kinetoscope.result/1", "kind": "kernels", "method": method, "gpu": {"name": gpu},
                                    "kernels": [kernel(key, time) for key, time in times.items()]}, indent=1))
        return path

    def runs(self, name, count, times, **members):
        """That many results, each with a little noise of its own."""
        def scattered(time, i):
            return time if isinstance(time, str) else [time * (1 + i / 1000) for _ in range(50)]
        return ",".join(str(self.result(f"{name}{i}", {key: scattered(time, i) for key, time in times.items()}, **members))
                        for i in range(count))

    def test_results(self):
        base, candidate = self.result("a", {"x": 1000, "y": 500}), self.result("b", {"x": 1000, "y": 500, "z": 300})
        self.ends(1, [("failed: kernel time 1.500 µs → 1.800 µs, +20.00 %",)], "compare", base, candidate, "--fail-on", "total:20")
        self.ends(0, [], "compare", base, candidate, "--fail-on", "total:21", "--fail-on", "slower")
        self.ends(2, [("step:5 cannot be tested", "no steps")], "compare", base, candidate, "--fail-on", "step:5")

    def test_one_run_against_several_is_no_test(self):
        several = self.runs("several", 6, {"x": 1000})
        # The first samples are slow in one process: they are no runs.
        warm = self.result("warm", {"x": [1300] * 6 + [1000] * 44})
        slow = self.result("slow", {"x": [1000] * 5 + [1300] * 45})
        for one in (warm, slow):
            found = json.loads(self.ends(2, [("slower:5 cannot be tested", "5 pairs or runs")],
                                         "compare", "--json", several, one, "--fail-on", "slower:5"))
            self.assertEqual(found["kernels"][0]["verdict"], "UNSURE")
            self.assertTrue(any("one side is of one run and the other of several" in note for note in found["notes"]))
        self.ends(1, [("failed: 1 of 1 kernel is SLOWER",)], "compare", self.result("one", {"x": 1000}), slow, "--fail-on", "slower:5")

    def test_too_few_runs_are_no_test(self):
        three, slower = self.runs("three", 3, {"x": 1000}), self.runs("slower", 3, {"x": 3000})
        self.ends(2, [("slower:5 cannot be tested", "5 pairs or runs")], "compare", three, slower, "--fail-on", "slower:5")
        self.ends(1, [("failed: kernel time",), ("slower:5 cannot be tested",)],
                  "compare", three, slower, "--fail-on", "slower:5", "--fail-on", "total:5")

    def test_what_broke_does_not_pass(self):
        base = self.runs("base", 5, {"big": 1000, "small": 100})
        broken = self.runs("broken", 4, {"big": 2000, "small": 100}) + "," + self.runs("last", 1, {"big": "out of memory", "small": 100})
        said = ("cannot be tested", "only the baseline measured 'big': measured in 4 of 5 runs")
        out = self.ends(2, [("slower:5", *said), ("total:5", *said)], "compare", base, broken, "--fail-on", "slower:5", "--fail-on", "total:5")
        self.assertIn("kernel time 0.100 µs → 0.100 µs (-0.10 %)", " ".join(out.split()))
        found = json.loads(self.ends(0, [], "compare", "--json", base, broken))
        self.assertEqual([(row["name"], row.get("reason")) for row in found["only_base"] + found["only_candidate"]],
                         [("big", None), ("big", "measured in 4 of 5 runs")])
        # What only the candidate could measure does not make it slower.
        self.ends(0, [], "compare", broken, base, "--fail-on", "slower:5", "--fail-on", "total:5")

    def test_runs_of_one_side_are_alike(self):
        base = self.runs("base", 5, {"x": 1000})
        for mixed in (self.runs("a", 4, {"x": 1000}) + "," + self.runs("b", 1, {"x": 1000}, gpu="A"),
                      self.runs("a", 4, {"x": 1000}) + "," + self.runs("c", 1, {"x": 1000}, method="cupti")):
            self.ends(2, [("cannot be runs of one side: ",)], "compare", base, mixed)
            self.ends(2, [("cannot be runs of one side: ",)], "baseline", "save", "mixed", *mixed.split(","))
        # One that does not say its GPU changes nothing.
        unknown = self.runs("a", 1, {"x": 1000}) + "," + self.runs("d", 1, {"x": 1000}, gpu="") + "," + self.runs("e", 3, {"x": 1000})
        self.ends(0, [], "baseline", "save", "unknown", *unknown.split(","))
        self.ends(2, [("GPU H against A",)], "check", self.result("f", {"x": 1000}, gpu="A"), "--against", "unknown")

    def test_the_same_time_at_other_clocks_is_the_same(self):
        self.assertEqual(json.loads(self.ends(0, [], "compare", "--json", self.result("a", {"x": 1000}, clock=1500),
                                              self.result("b", {"x": [1000.1] * 50}, clock=1530)))["kernels"][0]["verdict"], "SAME")

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
