#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kscope bench operators as a user would: operators_cli.py KSCOPE [KSCOPE_TORCH]. The parser is held against
Python's own reading of the same lines; without KSCOPE_TORCH only what needs no PyTorch is tried."""

import ast
import collections
import csv
import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

KSCOPE = sys.argv.pop(1)
TORCH = sys.argv.pop(1) if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else None
SUITES = pathlib.Path(__file__).parents[2] / "resources" / "op_inputs"

SMALL = """Operator: aten.add.Tensor
cnt: 3, ((T([8, 16], f16), T([8, 16], f16)), {})
cnt: 2, ((T([8, 16], f16, stride=(0, 0)), 1), {'alpha': 2})
Operator: aten.native_dropout.default
cnt: 4, ((T([8, 16], f16), 0.1, True), {})
Operator: aten.index_put.default
cnt: 1, ((T([8, 16], f16), [T([4], i64)], T([4, 16], f16), True), {})
Operator: aten._unsafe_view.default
cnt: 5, ((T([8, 16], f16), [128]), {})
Operator: aten.convolution.default
cnt: 1, ((T([2, 3, 8, 8], f16), T([4, 3, 3, 3], f16), None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1), {})
Operator: aten.embedding.default
cnt: 1, ((T([10, 4], f16), T([3], i64)), {})
Operator: aten.relu_.default
cnt: 1, ((T([4], f16),), {})
"""
NO_IMPL = """Operator: aten.div_.Scalar
cnt: 1, ((T([4], f16), 2), {})
"""
CRASH = """Operator: aten.relu.default
cnt: 1, ((T([4], f32),), {})
Operator: aten.native_channel_shuffle.default
cnt: 1, ((T([2, 4, 3, 3], f32), 2), {})
cnt: 1, ((T([2, 4, 3, 3], f32), 0), {})
cnt: 1, ((T([2, 4, 5, 5], f32), 2), {})
Operator: aten.sigmoid.default
cnt: 1, ((T([4], f32),), {})
"""


def python_reading(text):
    """{operator: [(count, values)]}: by ast, equal calls merged, lines that are not Python left out."""
    operators = collections.defaultdict(dict)
    operator, bad = None, 0
    for line in text.splitlines():
        if line.startswith("Operator: "):
            operator = line[10:]
            operators[operator]
            continue
        head, _, tail = line.partition(",")
        try:
            values = repr(value_of(ast.parse(tail.strip(), mode="eval").body))
        except SyntaxError:
            bad += 1
            continue
        calls = operators[operator]
        calls[values] = calls.get(values, 0) + int(head[5:])
    return {name: list(calls.items()) for name, calls in operators.items()}, bad


def value_of(node):
    if isinstance(node, (ast.Tuple, ast.List)):
        return (type(node).__name__, [value_of(one) for one in node.elts])
    if isinstance(node, ast.Dict):
        return {value_of(k): value_of(v) for k, v in zip(node.keys, node.values)}
    if isinstance(node, ast.Call):
        return (node.func.id, [value_of(a) for a in node.args], {k.arg: value_of(k.value) for k in node.keywords})
    if isinstance(node, ast.UnaryOp):
        return ("minus", value_of(node.operand))
    return ast.unparse(node) if not isinstance(node, ast.Constant) else node.value


class Base(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def kscope(self, *arguments, **environment):
        # No PyTorch of the machine's Python: packages would take minutes.
        given = {"KINETOSCOPE_RESULTS": str(self.folder / "results"), "KINETOSCOPE_PYTHON": "/bin/false", **environment}
        return subprocess.run([KSCOPE, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, **given})

    def operators(self, text, *arguments, **environment):
        path = self.folder / "inputs.txt"
        path.write_text(text)
        return self.kscope("bench", "operators", "--inp-file", path, "--device", "cpu", "--time-limit", "0.01",
                           *arguments, **environment)

    def document(self, text, *arguments):
        run = self.operators(text, "--json", *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def one_line(self, run, code, part):
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertTrue(run.stderr.startswith("kscope: "))
        self.assertIn(part, run.stderr)


class WithoutTorch(Base):
    def test_suites_are_read_as_python_reads_them(self):
        for suite, bad_lines in (("huggingface", 0), ("timm", 0), ("torchbench", 2)):
            text = gzip.decompress((SUITES / f"{suite}_train.txt.gz").read_bytes()).decode()
            expected, bad = python_reading(text)
            run = self.kscope("bench", "operators", "--suite", suite, "--plan", "--json", "--max-samples", "100000",
                              "--dtype", "recorded")
            plan = json.loads(run.stdout)
            found = {one["name"]: [(repr(value_of(ast.parse(s["name"], mode="eval").body)), s["count"])
                                   for s in one.get("parts", [])] for one in plan["items"]}
            self.assertEqual(found, expected)
            self.assertEqual((len(plan.get("problems", [])), bad), (bad_lines, bad_lines))
        self.assertEqual([(p["line"], p["column"]) for p in plan["problems"]], [(1132, 28), (1133, 28)])

    def test_samples_are_selected_and_cast(self):
        plan = json.loads(self.operators(SMALL, "--plan", "--json", "--start-idx", "1", "--max-samples", "1",
                                         "--op", "torch.ops.aten.add.Tensor").stdout)
        self.assertEqual([one["name"] for one in plan["items"]], ["aten.add.Tensor"])
        self.assertEqual([(s["index"], s["name"]) for s in plan["items"][0]["parts"]],
                         [(1, "((T([8, 16], f32, stride=(0, 0)), 1), {'alpha': 2})")])

    def test_wrong_use_ends_in_one_line(self):
        self.one_line(self.kscope("bench", "operators", "--suite", "all"), 2, "unknown suite 'all'")
        self.one_line(self.kscope("bench", "operators", "--dtype", "int8"), 2, "--dtype: 'int8' is not one of float16")
        self.one_line(self.kscope("bench", "operators", "--op", "aten.no.default"), 2, "no inputs for aten.no.default")
        plan = self.kscope("bench", "operators", "--plan", "--json", "--op", "aten.mm.default,aten.add.Tensor,aten.no.default")
        self.assertEqual({item["name"] for item in json.loads(plan.stdout)["items"]}, {"aten.mm.default", "aten.add.Tensor"})
        self.one_line(self.kscope("bench", "operators", "--json", "--csv"), 2, "--json excludes --csv")
        self.one_line(self.kscope("bench", "operators", "--inp-file", "/nonexistent"), 2, "no such file")
        self.one_line(self.kscope("bench", "operators", "--implementations", "magic"), 2, "'magic'")
        self.one_line(self.operators("hello\n", "--plan"), 2, "line 1, column 1")
        self.one_line(self.kscope("bench", "operators", "--resume"), 2, "holds no results")

    def test_without_kscope_torch_it_says_how_to_get_it(self):
        run = self.operators(SMALL, KINETOSCOPE_TORCH="/nonexistent/kscope-torch")
        self.one_line(run, 2, "KINETOSCOPE_TORCH")


@unittest.skipUnless(TORCH, "kscope-torch is not built")
class WithTorch(Base):
    def test_all_dtypes_and_values_run(self):
        document = self.document(SMALL, "--repeats", "2")
        self.assertEqual((document["schema"], document["kind"]), ("kinetoscope.result/2", "operators"))
        self.assertEqual(document["coverage"], {"calls": 18, "run": 18, "share": 1.0})
        self.assertIn("inductor", document["unavailable"])
        for one in document["items"]:
            self.assertNotIn("reason", one)
            for sample in one["parts"]:
                eager, jit = sample["series"]
                self.assertEqual((eager["name"], jit["name"]), ("eager", "jit"))
                self.assertEqual(len(eager["repeats_ns"]), 2)
                self.assertTrue(eager["moved"])
                self.assertAlmostEqual(jit["speedup"], eager["time_ns"] / jit["time_ns"], places=9)
                self.assertLessEqual(eager["low_ns"], eager["high_ns"])

    def test_accuracy_is_one_repeat_and_equal(self):
        document = self.document(SMALL, "--accuracy-checking", "True")
        self.assertEqual(document["repeats"], 1)
        found = [i["accuracy"] for o in document["items"] for s in o["parts"] for i in s["series"][1:]]
        self.assertEqual(len(found), 8)
        for accuracy in found:
            self.assertEqual((accuracy["same"], accuracy.get("reason")), (True, None))
            self.assertLess(accuracy["max_abs"], 1e-3)
        for word in ("False", "off", "n", "NO", "0", "f"):
            self.assertFalse(self.document(SMALL, "--plan", "--accuracy-checking", word)["accuracy_checking"], word)
        for word in ("true", "ON", "y", "1"):
            self.assertTrue(self.document(SMALL, "--plan", f"--accuracy-checking={word}")["accuracy_checking"], word)
        run = self.operators(SMALL, "--plan", "--accuracy-checking", "banana")
        self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), run.stderr)
        self.assertIn("'banana' is not true or false", run.stderr)

    def test_compat_prints_the_older_scripts_lines(self):
        for expected_files in (1, 2):
            run = self.operators(SMALL + NO_IMPL, "--compat", "--op", "all", "--dtype", "float32", "--measure-nvfuser",
                                 "True")
            self.assertEqual(run.returncode, 0, run.stderr)
            lines = run.stdout.splitlines()
            self.assertEqual(lines[:3], ["Running aten.add.Tensor", "Iter 0", "Iter 1"])
            self.assertEqual(lines[3:5], ["aten.add.Tensor:", "Inductor Speedups : [nan, nan, nan]"])
            self.assertRegex(lines[5], r"^NVFUSER Speedups :\[\d+\.\d+, \d+\.\d+, \d+\.\d+\]$")
            self.assertEqual(lines[6], "")
            self.assertIn("Skipping aten.index_put.default, input generator nyi", lines)
            self.assertIn("Skipping aten._unsafe_view.default, non compute operator", lines)
            self.assertIn("Skipping aten.div_.Scalar, no inductor impl", lines)
            self.assertNotIn("convolution", run.stdout)
            embedding = lines.index("Running aten.embedding.default")
            self.assertEqual(lines[embedding + 1], "Running aten.relu_.default")
            text = (self.folder / "timings_torchbench_allfloat32.txt").read_text()
            self.assertEqual(text.count("aten.add.Tensor:\n"), expected_files)
            self.assertNotIn("\n\n", text)
        kept = json.loads(next((self.folder / "results").glob("*.json")).read_text())
        self.assertTrue(kept["means"])
        eager = kept["items"][0]["parts"][0]["series"][0]
        self.assertEqual((len(eager["repeats_ns"]), eager["runs"]), (3, 3))  # one run of each repeat

    def test_stream_is_the_kept_document(self):
        run = self.operators(SMALL, "--stream", "--implementations", "jit")
        self.assertEqual(run.returncode, 0, run.stderr)
        events = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(events[0]["event"], "plan")
        names = [one["name"] for one in events[0]["document"]["items"]]
        kept = json.loads(next((self.folder / "results").glob("*.json")).read_text())
        self.assertEqual(names, [one["name"] for one in kept["items"]])
        for event in ("start", "result"):
            self.assertEqual(sorted(e["item"] for e in events if e["event"] == event), list(range(len(names))))
        results = {e["item"]: e["result"] for e in events if e["event"] == "result"}
        self.assertEqual([results[item] for item in sorted(results)], kept["items"])
        samples = [(e["item"], e["part"], e["result"]) for e in events if e["event"] == "part"]
        self.assertEqual(sorted(samples, key=lambda sample: sample[:2]), [(i, j, sample) for i, one in enumerate(kept["items"])
                                   for j, sample in enumerate(one["parts"])])

    def test_csv_has_a_row_per_operator(self):
        run = self.operators(SMALL, "--csv")
        rows = list(csv.DictReader(run.stdout.splitlines()))
        self.assertEqual(len(rows), 7)
        self.assertLessEqual(float(rows[0]["jit 20th"]), float(rows[0]["jit 80th"]))

    def test_a_crash_costs_one_row(self):
        document = self.document(CRASH)
        relu, shuffle, sigmoid = document["items"]
        self.assertEqual([one["measured"] for one in (relu, shuffle, sigmoid)], [1, 2, 1])
        # PyTorch 1 divides by zero here; later ones refuse, and the worker lives on.
        crashes = document["torch"]["version"].startswith("1.")
        self.assertEqual(shuffle["parts"][1]["reason"],
                         f"its worker was killed by signal {int(signal.SIGFPE)}" if crashes else
                         "Number of groups to divide channels in must be positive. Value of groups:0")
        self.assertEqual(document["coverage"]["run"], 4)

    def test_unknown_operators_and_arguments_say_why(self):
        document = self.document("Operator: aten.no_such.default\ncnt: 1, ((), {})\n"
                                 "Operator: aten.relu.default\ncnt: 1, ((3, 4), {})\ncnt: 1, ((), {'x': 1})\n"
                                 "cnt: 1, ((ST([2], f32, torch.sparse_coo, True),), {})\n")
        reasons = [s["reason"] for o in document["items"] for s in o["parts"]]
        for reason, part in zip(reasons, ("no such operator", "2 arguments", "'x'", "sparse")):
            self.assertIn(part, reason)

    def test_an_interrupted_run_is_resumed(self):
        self.document(SMALL)
        path = next((self.folder / "results").glob("*.json"))
        kept = json.loads(path.read_text())
        for one in kept["items"][1:]:
            one["done"] = False
        before = kept["items"][0]
        before["parts"][0]["series"][0]["repeats_ns"] = [123.0]
        path.write_text(json.dumps(kept))
        run = self.kscope("bench", "operators", "--resume", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        document = json.loads(run.stdout)
        self.assertTrue(all(one["done"] for one in document["items"]))
        self.assertEqual(document["items"][0]["parts"][0]["series"][0]["repeats_ns"], [123.0])
        self.assertEqual(len(list((self.folder / "results").glob("*.json"))), 1)

    def test_results_list_and_show_it(self):
        self.document(SMALL)
        listed = self.kscope("results", "list", COLUMNS="150")
        self.assertIn("operators", listed.stdout)
        shown = self.kscope("results", "show", COLUMNS="150")
        self.assertIn("aten.index_put.default", shown.stdout)
        exported = json.loads(self.kscope("results", "export").stdout)
        self.assertEqual(exported["kind"], "operators")
        self.assertIn("jit 50th", self.kscope("results", "export", "--csv").stdout)

    # Operators none of whose lines can be read: the suite's file cuts them off.
    UNREADABLE = {"torchbench": ["aten.set_.source_Storage"]}

    # KINETOSCOPE_SUITES="huggingface timm torchbench" takes minutes.
    def test_most_calls_of_the_suites_run_on_a_cpu(self):
        calls = ran = 0
        for suite in os.environ.get("KINETOSCOPE_SUITES", "timm").split():
            run = self.kscope("bench", "operators", "--suite", suite, "--max-samples", "2", "--shrink", "--repeats",
                              "1", "--time-limit", "0.001", "--device", "cpu", "--implementations", "eager", "--json",
                              "--no-save")
            self.assertEqual(run.returncode, 0, run.stderr)
            document = json.loads(run.stdout)
            calls += document["coverage"]["calls"]
            ran += document["coverage"]["run"]
            self.assertEqual([one["name"] for one in document["items"] if "parts" not in one],
                             self.UNREADABLE.get(suite, []))
            for one in document["items"]:
                for sample in one.get("parts", []):
                    self.assertTrue(sample.get("reason") or sample["series"])
        self.assertGreaterEqual(ran / calls, 0.95)


@unittest.skipUnless(TORCH and "KINETOSCOPE_TEST_PYTHON" in os.environ, "no Python with PyTorch was given")
class WithInductor(Base):
    def test_packages_are_compiled_and_agree(self):
        text = ("Operator: aten.gelu.default\ncnt: 1, ((T([64, 32], f16),), {})\n"
                "Operator: aten.sub.Tensor\ncnt: 1, ((T([8], f16), 1), {'alpha': 2})\n"
                "Operator: aten.cat.default\ncnt: 1, (([T([8], f16), T([4], f16)],), {})\n"
                "Operator: aten.no_such.default\ncnt: 1, ((), {})\n")
        run = self.operators(text, "--json", "--accuracy-checking",
                             KINETOSCOPE_PYTHON=os.environ["KINETOSCOPE_TEST_PYTHON"])
        self.assertEqual(run.returncode, 0, run.stderr)
        document = json.loads(run.stdout)
        self.assertEqual(document["unavailable"], {})
        for one in document["items"][:3]:
            inductor = one["parts"][0]["series"][2]
            self.assertEqual((inductor["name"], inductor.get("reason")), ("inductor", None))
            self.assertTrue(inductor["accuracy"]["same"])
            self.assertGreater(inductor["speedup"], 0.0)
        self.assertIn("q50", document["items"][0]["speedups"]["inductor"])


if __name__ == "__main__":
    unittest.main()
