#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kscope compare as a user would, on small traces and on pieces of recorded ones: compare_cli.py KSCOPE."""

import collections
import gzip
import json
import pathlib
import sys
import unittest

import compare_checks

TESTS = pathlib.Path(__file__).resolve().parents[1]
TRACES = TESTS / "golden" / "traces"
PIECES = TESTS / "data" / "traces"
SAMPLE = TESTS.parent / "resources" / "sample.json.gz"
STREAMS = TRACES / "four_streams.json.gz"
GEMM = "void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>(cutlass_80_simt_sgemm_256x128_8x4_nn_align1::Params)"


class CompareCli(compare_checks.CompareCase):
    def one_line(self, run, code, *words):
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertTrue(run.stderr.startswith("kscope: "))
        for word in words:
            self.assertIn(word, run.stderr)

    def test_small_trace(self):
        self.against_itself(STREAMS)
        self.one_slower(STREAMS, GEMM)
        self.all_slower(STREAMS, 0.999)

    def test_recordings_against_themselves(self):
        for path in (SAMPLE, *sorted(PIECES.glob("*.json.gz"))):
            with self.subTest(path.name):
                self.against_itself(path)

    def test_recordings_slower(self):
        self.one_slower(SAMPLE, "nvjet_sm90_tst_96x128_64x6_2x1_v_bz_NNN")
        self.all_slower(SAMPLE, 0.95)
        self.all_slower(PIECES / "inductor_module1.json.gz", 0.95)
        self.all_slower(PIECES / "resnet18_infer_compiled.json.gz", 0.64)
        self.all_slower(PIECES / "graph_streams.json.gz", 0.95)

    def test_two_ranks_are_two_sides(self):
        base, candidate = (PIECES / f"ddp_gpt_rank{rank}.json.gz" for rank in (0, 1))
        result = self.compared("--match", "exact", base, candidate)
        sides = [{name: (len(times), sum(times)) for name, times in compare_checks.kernels_of(path).items()}
                 for path in (base, candidate)]
        both = {k["name"]: tuple(zip(k["count"], k["total_ns"])) for k in result["kernels"]}
        self.assertEqual(both, {name: (sides[0][name], sides[1][name]) for name in sides[0] if name in sides[1]})
        for key, here, there in (("only_base", *sides), ("only_candidate", *reversed(sides))):
            self.assertEqual({k["name"] for k in result[key]}, set(here) - set(there))
        self.assertEqual(result["delta_ns"], sum(ns for _, ns in sides[1].values()) - sum(ns for _, ns in sides[0].values()))

    def test_recording_in_halves(self):
        run = self.kscope("--self", "--json", SAMPLE)
        check, = json.loads(run.stdout)["checks"]
        self.assertEqual((check["kind"], check["steps"]), ("steps", [2, 2]))
        self.assertEqual(check["kernels"], len(compare_checks.kernels_of(SAMPLE)))
        self.assertLess(check["false_alarm_percent"], 2)
        self.assertLess(check["unsure_time_percent"], 35)

    def test_self_without_steps_and_of_two_runs(self):
        slower = self.scaled(STREAMS, 1.2)
        run = self.kscope("--self", "--json", STREAMS, slower)
        self.assertEqual(run.returncode, 0, run.stderr)
        checks = json.loads(run.stdout)["checks"]
        self.assertEqual([c["kind"] for c in checks], ["steps", "steps", "runs"])
        self.assertEqual(checks[2]["verdicts"]["SLOWER"], 4)
        self.assertEqual(checks[2]["false_alarm_percent"], 100)
        run = self.kscope("--self", STREAMS)
        self.assertIn("s of its steps", run.stdout)

    def test_other_programs_are_not_two_runs_of_one(self):
        other = TRACES / "graphs_and_links.json"
        run = self.kscope("--self", "--json", STREAMS, other)
        self.assertEqual([c["kind"] for c in json.loads(run.stdout)["checks"]], ["steps", "launches"])
        self.assertIn("not two runs of the same program", run.stderr)

    def test_exit_codes(self):
        slower = self.scaled(STREAMS, 1.1, GEMM)
        self.assertEqual(self.kscope(STREAMS, slower).returncode, 0)
        self.assertEqual(self.kscope("--fail-on", "slower", STREAMS, slower).returncode, 1)
        self.assertEqual(self.kscope("--fail-on", "slower:9", STREAMS, slower).returncode, 1)
        self.assertEqual(self.kscope("--fail-on", "slower:11", STREAMS, slower).returncode, 0)
        self.assertEqual(self.kscope("--fail-on", "slower", slower, STREAMS).returncode, 0)
        self.assertEqual(self.kscope("--fail-on", "slower", STREAMS, STREAMS, slower).returncode, 1)

    def test_a_gate_needs_kernels(self):
        """A run that was cut off before its first kernel has not passed."""
        none = self.folder / "none.json"
        none.write_text(json.dumps({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1,
                                                     "ts": 1, "dur": 2}]}))
        for base, candidate in ((STREAMS, none), (none, STREAMS), (none, none)):
            self.assertEqual(self.kscope(base, candidate).returncode, 0)
            self.one_line(self.kscope("--fail-on", "slower", base, candidate, "-o", "/dev/null"), 2,
                          f"'{none}': has no kernels, so there is nothing to compare")

    def test_wrong_input_is_one_line(self):
        self.one_line(self.kscope(), 2, "baseline")
        self.one_line(self.kscope(STREAMS), 2, "candidate")
        self.one_line(self.kscope(STREAMS, "/nonexistent.json"), 2, "nonexistent")
        self.one_line(self.kscope(STREAMS, __file__), 2)
        self.one_line(self.kscope("--json", "--csv", STREAMS, STREAMS), 2, "exclude")
        self.one_line(self.kscope("--per", "day", STREAMS, STREAMS), 2, "step, run")
        self.one_line(self.kscope("--match", "luck", STREAMS, STREAMS), 2, "exact, normalised, operator")
        for wrong in ("faster", "slower:", "slower:x", "slower:-1", "slower5"):
            self.one_line(self.kscope("--fail-on", wrong, STREAMS, STREAMS), 2, "slower:PERCENT")
        self.one_line(self.kscope("--per", "step", STREAMS, TRACES / "graphs_and_links.json"), 2, "no steps")
        self.one_line(self.kscope("--self", "--csv", STREAMS), 2, "--self")
        self.one_line(self.kscope("--self"), 2, "no trace given")

    def test_per_step_divides(self):
        whole = self.compared("--per", "run", STREAMS, STREAMS)
        step = self.compared("--per", "step", STREAMS, STREAMS)
        self.assertEqual((whole["per"], step["per"]), ("run", "step"))
        counts = {k["name"]: k["count"][0] for k in whole["kernels"]}
        for kernel in step["kernels"]:
            self.assertEqual(kernel["count"][0] * 4, counts[kernel["name"]])

    def test_per_step_times_belong_together(self):
        for path in (SAMPLE, STREAMS, *sorted(PIECES.glob("*.json.gz"))):
            run = self.kscope("--json", "--per", "step", path, path)
            if run.returncode == 2:
                self.assertIn("no steps", run.stderr)
                continue
            with self.subTest(path.name):
                result = json.loads(run.stdout)
                self.assertEqual(result["breakdown"]["kernel_time_sum_ns"], result["kernel_time_ns"])
                for times in (result["breakdown"], *result["gpus"]):
                    time = {key: value[0] for key, value in times.items() if key.endswith("_ns")}
                    self.assertLessEqual(time["kernel_busy_ns"], time["kernel_time_sum_ns"])
                    parts = [time[key] for key in ("compute_ns", "exposed_comm_ns", "exposed_copy_ns", "idle_ns")]
                    self.assertAlmostEqual(sum(parts), time["window_ns"], delta=0.01)

    def test_per_step_without_what_ran_before(self):
        for path in (SAMPLE, STREAMS):
            document = json.load(gzip.open(path))
            kernels = [event for event in document["traceEvents"] if event.get("cat") == "kernel"]
            first = min(float(event["ts"]) for event in document["traceEvents"] if event.get("ph") == "X")
            before = {**kernels[0], "ts": first - 9000, "dur": 5000}
            before["args"] = {**before["args"], "correlation": 0, "External id": 0}
            document["traceEvents"].append(before)
            warm = self.folder / f"warm_{path.stem}"
            warm.write_text(json.dumps(document))
            result = self.compared("--per", "step", path, warm)
            for times in (result["breakdown"], *result["gpus"]):
                for key, value in times.items():
                    self.assertEqual(value[0], value[1], key)

    def test_several_candidates(self):
        slower = self.scaled(STREAMS, 1.1)
        result = self.compared(STREAMS, STREAMS, slower)
        self.assertEqual([r["verdicts"]["SLOWER"] for r in result], [0, 4])
        lines = self.kscope("--csv", STREAMS, STREAMS, slower).stdout.splitlines()
        self.assertEqual(len(lines), 1 + 4 + 4)
        self.assertTrue(lines[0].startswith("base,candidate,name,match,"))

    def test_markdown(self):
        slower = self.scaled(STREAMS, 1.1, GEMM)
        text = self.kscope("--markdown", STREAMS, slower).stdout
        self.assertIn("| **SLOWER** | `", text)
        self.assertIn("1 SLOWER, 0 FASTER, 3 SAME, 0 UNSURE of 4 kernels", text)
        self.assertEqual(text.count("<details>"), text.count("</details>"))
        for line in text.splitlines():
            self.assertFalse(line.startswith("|") and not line.endswith("|"), line)
        target = self.folder / "comment.md"
        self.assertEqual(self.kscope("--markdown", "-o", target, STREAMS, slower).stdout, "")
        self.assertEqual(target.read_text(), text)

    def test_results_of_benchmarks(self):
        def document(path, factor):
            kernels = [{"name": f"triton_{n}_{n}", "key": str(n), "configs": [{
                "config": "XBLOCK=1", "samples_ns": [1000.0 * (factor if n == 1 else 1) + i % 5 for i in range(50)],
                "samples_clock_mhz": [0] * 50, "samples_throttled": [False] * 50}]} for n in range(3)]
            path.write_text(json.dumps({"schema": "kinetoscope.result/1", "kind": "kernels", "method": "event-cold",
                                        "gpu": {"name": "H"}, "kernels": kernels}, indent=1))
            return path
        base = document(self.folder / "base.json", 1)
        candidate = document(self.folder / "candidate.json", 1.02)
        result = self.compared(base, candidate)
        self.assertEqual(result["kind"], "results")
        self.assertEqual({k["name"]: k["verdict"] for k in result["kernels"]},
                         {"triton_0_0": "SAME", "triton_1_1": "SLOWER", "triton_2_2": "SAME"})
        self.assertEqual(self.kscope("--fail-on", "slower", base, candidate).returncode, 1)
        self.one_line(self.kscope(base, STREAMS), 2, "the same kind")

    def kept(self, name, kind, **members):
        folder = self.folder / "results"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.json").write_text(json.dumps(
            {"schema": "kinetoscope.result/1", "kind": kind, "device": "cpu", **members}, indent=1))
        return name

    def operators(self, name, factor, dtype="float32", **members):
        """One operator with two calls; eager takes `factor` as long in the first one."""
        def run(name, ns):
            return {"name": name, "repeats_ns": [ns] * 3, "batches_ns": [ns + i % 3 for i in range(60)],
                    "samples": 300}
        samples = [{"index": n, "count": 1, "input": f"((T([{n}], f32),), {{}})", "implementations": [
            run("eager", 1000 * (factor if n == 0 else 1)), run("jit", 2000)]} for n in range(2)]
        return self.kept(name, "operators", dtype=dtype, **members, operators=[
            {"name": "aten.relu.default", "done": True, "samples": samples}])

    def modules(self, name, factor):
        runner = {"name": "jit", "forward": {"samples_ms": [2 + i % 3 / 1000 for i in range(30)]},
                  "backward": {"samples_ms": [3 * factor + i % 3 / 1000 for i in range(30)]}}
        return self.kept(name, "modules", modules=[{"key": "lstm", "title": "LSTM", "runners": [runner]}])

    def test_results_of_operators(self):
        base, same, slower = self.operators("a", 1), self.operators("b", 1), self.operators("c", 1.05)
        result = self.compared(base, same)
        self.assertEqual((result["kind"], result["of"], result["delta_ns"]), ("results", "operators", 0))
        self.assertEqual({k["verdict"] for k in result["kernels"]}, {"SAME"})
        result = self.compared(base, slower)
        self.assertEqual({k["name"]: k["verdict"] for k in result["kernels"]},
                         {"aten.relu.default eager ((T([0], f32),), {})": "SLOWER",
                          "aten.relu.default jit ((T([0], f32),), {})": "SAME",
                          "aten.relu.default eager ((T([1], f32),), {})": "SAME",
                          "aten.relu.default jit ((T([1], f32),), {})": "SAME"})
        first = result["kernels"][0]
        self.assertEqual((first["total_ns"], first["count"], first["speedup"]["pairs"]), ([1000, 1050], [300, 300], 60))
        self.assertEqual(first["base"][0]["operator"], "aten.relu.default")
        self.assertEqual(self.kscope("--fail-on", "slower:4", base, slower).returncode, 1)
        self.assertEqual(self.kscope("--fail-on", "slower:6", base, slower).returncode, 0)
        self.assertIn("1 SLOWER, 0 FASTER, 3 SAME, 0 UNSURE of 4 calls", self.kscope(base, slower).stdout)
        self.assertIn("`aten.relu.default eager ((T([0], f32),), {})`", self.kscope("--markdown", base, slower).stdout)
        self.assertEqual(len(self.kscope("--csv", base, slower).stdout.splitlines()), 5)
        other = self.operators("d", 1, "float16")
        self.assertEqual(self.compared(base, other)["notes"], ["different data types: float32 against float16"])

    def test_runs_that_are_pooled(self):
        def runs(names, factors):
            return ",".join(self.operators(name, factor) for name, factor in zip(names, factors))
        # Each run has the calls' time elsewhere; one run against one takes that for a change.
        wobble = (1.0, 1.03, 0.98, 1.02, 0.99)
        base = runs("fghij", wobble)
        again = runs("klmno", (1.03, 0.99, 1.01, 0.98, 1.0))
        slower = runs("pqrst", [1.2 * factor for factor in wobble])
        first = "aten.relu.default eager ((T([0], f32),), {})"
        def verdicts(a, b):
            return {k["name"]: (k["verdict"], k["speedup"]["pairs"]) for k in self.compared(a, b)["kernels"]}
        self.assertEqual(verdicts("f", "k")[first], ("SLOWER", 60))
        self.assertEqual(verdicts(base, again)[first], ("UNSURE", 5))
        self.assertEqual(verdicts(base, slower)[first], ("SLOWER", 5))
        result = self.compared(base, slower)
        row = next(k for k in result["kernels"] if k["name"] == first)
        self.assertEqual((result["base"], row["total_ns"], row["count"]), ("f,g,h,i,j", [1000, 1200], [1500, 1500]))
        lost = self.kept("u", "operators", dtype="float32", operators=[
            {"name": "aten.relu.default", "done": True, "reason": "crashed", "samples": []}])
        partly = self.compared("f,g", f"k,{lost}")
        self.assertEqual(partly["kernels"], [])
        self.assertIn("measured in 1 of 2 runs", json.dumps(partly["only_candidate"]))
        self.one_line(self.kscope("f", "k," + self.modules("v", 1)), 2, "different benches")
        self.one_line(self.kscope("f", f"k,{STREAMS}"), 2, "is a trace")
        self.one_line(self.kscope("f", "k,nowhere"), 2, "nowhere")

    def test_calls_of_one_name_stay_apart_when_runs_are_pooled(self):
        def run(name, factor):
            # The same input twice, the second one slower.
            def sample(ns):
                return {"index": 0, "count": 1, "input": "((), {})", "implementations": [
                    {"name": "eager", "repeats_ns": [ns] * 3, "batches_ns": [ns] * 60, "samples": 300}]}
            return self.kept(name, "operators", dtype="float32", operators=[
                {"name": "aten.relu.default", "done": True, "samples": [sample(1000 * factor), sample(5000 * factor)]}])
        result = self.compared(",".join(run(f"w{n}", 1) for n in range(5)), ",".join(run(f"x{n}", 2) for n in range(5)))
        self.assertEqual(sorted(k["total_ns"] for k in result["kernels"]), [[1000, 2000], [5000, 10000]])
        self.assertEqual({(k["verdict"], k["speedup"]["pairs"]) for k in result["kernels"]}, {("SLOWER", 5)})

    def test_small_changes_between_single_runs_on_a_gpu_are_noted(self):
        base, slower = self.operators("a", 1, gpu={"name": "H"}), self.operators("b", 1.02, gpu={"name": "H"})
        much = self.operators("c", 1.2, gpu={"name": "H"})
        self.assertIn("the verdict below that", " ".join(self.compared(base, slower)["notes"]))
        self.assertEqual(self.compared(base, much)["notes"], [])
        self.assertEqual(self.compared(f"{base},{base}", f"{slower},{slower}")["notes"], [])

    def test_results_of_modules(self):
        base, slower = self.modules("a", 1), self.modules("b", 1.05)
        result = self.compared(base, slower)
        self.assertEqual((result["kind"], result["of"]), ("results", "modules"))
        self.assertEqual({k["name"]: k["verdict"] for k in result["kernels"]},
                         {"lstm jit backward": "SLOWER", "lstm jit forward": "SAME"})
        self.assertAlmostEqual(result["kernels"][0]["delta_ns"], 150000, delta=1)
        self.assertEqual(self.kscope("--fail-on", "slower", base, slower).returncode, 1)
        self.assertIn("of 2 runners", self.kscope(base, slower).stdout)
        self.assertIn("Runner time", self.kscope("--markdown", base, slower).stdout)

    def test_results_of_different_benches(self):
        operators, modules = self.operators("a", 1), self.modules("b", 1)
        self.one_line(self.kscope(operators, modules), 2, "kscope bench operators", "kscope bench modules", "the same kind")
        self.one_line(self.kscope(STREAMS, modules), 2, "a trace", "kscope bench modules", "the same kind")
        self.one_line(self.kscope("--self", operators), 2, "traces")


if __name__ == "__main__":
    compare_checks.KSCOPE = sys.argv.pop(1)
    unittest.main()
