#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kscope bench operators --from TRACE and kscope bench roof, as a user runs them: replay_cli.py KSCOPE [TRACE…]. What
stands in for kscope-torch answers as it does; the costliest calls of the traces are found here too, by other means."""

import collections
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

KSCOPE = os.path.abspath(sys.argv.pop(1))
TRACES = [pathlib.Path(path).resolve() for path in sys.argv[1:]]
del sys.argv[1:]

UUID = "GPU-00112233-4455-6677-8899-aabbccddeeff"
TORCH = r'''#!/usr/bin/env python3
import json, re, sys
request = json.load(sys.stdin)
open(FOLDER + "/asked", "a").write(json.dumps(request) + "\n")
def say(**line): print(json.dumps(line), flush=True)
say(event="torch", version="9.9", device="cuda", packages=False, threads=1, gpu="NVIDIA H200", uuid=UUID,
    architecture="sm_90", memory_bytes=1 << 37, l2_bytes=50 << 20, multiprocessors=132)
task = request["task"]
lines = request.get("inputs", "").splitlines()
OVERLOADS = {"aten.mm": "default", "aten.add": "Tensor", "aten.gelu": "default", "aten.sum": "dim_IntList"}
if task == "overloads":
    for number, line in enumerate(lines, 1):
        if line.startswith("Operator: "):
            name = line[10:]
            continue
        call = line.partition(", ")[2]
        if name not in OVERLOADS:
            say(event="overload", line=number, reason="PyTorch 9.9 has no such operator")
        elif name == "aten.gelu":
            say(event="overload", line=number, name="aten.gelu.default", call=call.replace(", None)", ",)"),
                assumed=["approximate='none'"])
        else:
            say(event="overload", line=number, name=name + "." + OVERLOADS[name], call=call)
elif task == "operators":
    for index, line in enumerate(line for line in lines if line.startswith("cnt:")):
        time = 1000.0 if "f32" in line else 2000.0
        say(event="start", index=index)
        say(event="result", index=index, implementations={
            "eager": {"graph": True, "repeats_ns": [[time] * 5] * 3}, "jit": {"repeats_ns": [[500.0] * 5] * 3}})
elif task == "kernels":
    place = -1
    for line in lines:
        if line.startswith("Operator: "):
            place, index = place + 1, 0
            continue
        same = {"name": "gemm<bf16>", "time_ns": 1800.0}
        say(event="kernels", operator=place, index=index,
            implementations={"eager": {"kernels": [same if "bf16" in line else {"name": "other", "time_ns": 7.0}]}})
        index += 1
elif task == "roof":
    def one(samples=None, **what):
        say(event="begin", **what)
        say(event="measured", **what, **({"samples_ns": samples} if samples else {"reason": "this PyTorch has none"}))
    one([1000.0, 1000.0, 3000.0], operation="copy", bytes=16 << 20)
    one([100000.0], operation="copy", bytes=400_000_000)
    one([50000.0], operation="triad", bytes=300_000_000)
    one([2e6], operation="product", type="bf16", size=8192)
    one([1e6], operation="product", type="bf16", size=4096)
    one(operation="product", type="int8", size=4096)
'''


def shapes(*sizes):
    return {"Input Dims": list(sizes)}


class Events:
    """A trace, event by event; times in microseconds."""

    def __init__(self):
        self.events, self.time, self.number = [], 100, 0

    def call(self, name, kernels, **args):
        self.number += 1
        start, end = self.time, self.time + 20 + 10 * len(kernels)
        self.add("cpu_op", name, 1, 1, start, end - start, {"External id": self.number, **args})
        for i, (kernel, duration) in enumerate(kernels):
            launch = 1000 * self.number + i
            category = "gpu_memcpy" if kernel.startswith("Memcpy") else "kernel"
            self.add("cuda_runtime", "cudaLaunchKernel", 1, 1, start + 1 + 10 * i, 5,
                     {"External id": self.number, "correlation": launch})
            self.add(category, kernel, 0, 7, end + 100 * i, duration,
                     {"External id": self.number, "correlation": launch, "device": 0, "stream": 7})
        self.time = end + 1000

    def add(self, category, name, pid, tid, start, duration, args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start,
                            "dur": duration, "args": args})

    def document(self):
        return {"deviceProperties": [{"id": 0, "name": "NVIDIA H200"}], "traceEvents": self.events}


def made():
    trace = Events()
    product = {"Input Dims": [[64, 128], [128, 32]], "Input type": ["c10::BFloat16"] * 2, "Concrete Inputs": ["", ""],
               "Input Strides": [[128, 1], [1, 128]]}
    for duration in (2, 4, 3):
        trace.call("aten::mm", [("gemm<bf16>", duration)], **product)
    trace.call("aten::add", [("AUnaryFunctor<float>", 1)], **{
        "Input Dims": [[16], [], []], "Input type": ["float", "double", "Scalar"], "Concrete Inputs": ["", "", "1"],
        "Input Strides": [[1], [], []]})
    trace.call("aten::gelu", [("gelu<bf16>", 2)], **{
        "Input Dims": [[8, 8], []], "Input type": ["c10::BFloat16", ""], "Concrete Inputs": ["", ""],
        "Input Strides": [[1, 8], []]})
    trace.call("aten::sum", [("reduce<float>", 5), ("reduce<float>", 1)], **{
        "Input Dims": [[4, 4], [], [], []], "Input type": ["float", "ScalarList", "Scalar", ""],
        "Concrete Inputs": ["", "[0]", "True", ""], "Input Strides": [[4, 1], [], [], []]})
    trace.call("aten::fft", [("fft", 90)], **{"Input Dims": [[4]], "Input type": ["float"], "Concrete Inputs": [""]})
    trace.call("aten::relu", [("relu", 80)])
    trace.call("triton_poi_fused_0", [("triton_poi_fused_0", 70)])
    trace.call("record_param_comms", [("ncclDevKernel", 60)])
    trace.call("aten::copy_", [("Memcpy HtoD (Pageable -> Device)", 50)], **{
        "Input Dims": [[4], [4], []], "Input type": ["float", "float", "Scalar"], "Concrete Inputs": ["", "", "False"]})
    trace.call("aten::cat", [("cat<double>", 40)], **{"Input Dims": [[], []], "Input type": ["TensorList", "Scalar"],
                                                    "Concrete Inputs": ["", "0"]})
    return trace


def slowly(path):
    """{(operator, arguments): [calls, nanoseconds]} of a recorded trace, one operation at a time."""
    read = gzip.open if path.suffix == ".gz" else open
    events = [e for e in json.load(read(path, "rt"))["traceEvents"] if e.get("ph") == "X"]
    operators = {e["args"]["External id"]: e for e in events if e.get("cat") == "cpu_op" and "External id" in e["args"]}
    spans = collections.defaultdict(list)
    for event in events:
        if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            owner = operators.get(event["args"].get("External id"))
            if owner is not None:
                start = round(event["ts"] * 1000)
                spans[id(owner)].append((owner, start, start + round(event["dur"] * 1000)))
    found = collections.defaultdict(lambda: [0, 0])
    for one in spans.values():
        busy = end = 0
        for _, start, stop in sorted(one, key=lambda span: span[1:]):
            busy += max(0, stop - max(start, end))
            end = max(end, stop)
        owner = one[0][0]
        key = (owner["name"], json.dumps(owner["args"].get("Input Dims")), json.dumps(owner["args"].get("Input type")),
               json.dumps(owner["args"].get("Concrete Inputs")), json.dumps(owner["args"].get("Input Strides")))
        found[key][0] += 1
        found[key][1] += busy
    return found


class Base(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.torch = self.folder / "kscope-torch"
        self.torch.write_text(TORCH.replace("FOLDER", repr(folder.name)).replace("=UUID", f"={UUID!r}"))
        self.torch.chmod(0o755)
        self.trace = self.folder / "trace.json"
        self.trace.write_text(json.dumps(made().document()))

    def kscope(self, *arguments, code=0, **environment):
        given = {"KINETOSCOPE_RESULTS": str(self.folder / "results"), "KINETOSCOPE_TORCH": str(self.torch),
                 "KINETOSCOPE_PYTHON": "/bin/false", "KINETOSCOPE_NVML": "/nonexistent", **environment}
        run = subprocess.run([KSCOPE, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                             env={**os.environ, **given})
        self.assertEqual(run.returncode, code, run.stderr)
        return run


class Replay(Base):
    def replayed(self, *arguments):
        return self.kscope("bench", "operators", "--from", self.trace, *arguments)

    def test_the_plan_has_the_costliest_calls_with_their_arguments(self):
        plan = json.loads(self.replayed("--plan", "--json").stdout)
        samples = {one["name"]: one["parts"][0] for one in plan["items"]}
        self.assertEqual(list(samples), ["aten.fft", "aten.mm", "aten.sum", "aten.gelu", "aten.add"])
        self.assertEqual(samples["aten.mm"]["name"], "((T([64, 128], bf16), T([128, 32], bf16, stride=(1, 128))), {})")
        self.assertEqual(samples["aten.sum"]["name"], "((T([4, 4], f32), [0], True, None), {})")
        # A kernel that took a number says so by its name.
        self.assertEqual(samples["aten.add"]["name"], "((T([16], f32), 2.0, 1), {})")
        traced = samples["aten.mm"]["traced"]
        self.assertEqual((samples["aten.mm"]["count"], traced["time_ns"], traced["total_ns"]), (3, 3000.0, 9000.0))
        self.assertEqual(traced["kernels"], [{"name": "gemm<bf16>", "time_ns": 3000.0}])
        self.assertEqual(samples["aten.sum"]["traced"]["time_ns"], 6000.0)
        # Products in each type, the trace's own first.
        recast = next(one for one in plan["items"] if one["name"] == "aten.mm")["parts"][1:]
        self.assertEqual([(s["recast"], s.get("count", 0), "traced" in s) for s in recast], [("f32", 0, False), ("f16", 0, False)])
        self.assertEqual(recast[0]["name"], "((T([64, 128], f32), T([128, 32], f32, stride=(1, 128))), {})")
        self.assertEqual(plan["trace"]["device"], "NVIDIA H200")
        self.assertEqual(plan["trace"]["total_ns"], 1000.0 * sum(
            event["dur"] for event in made().events if event["cat"] in ("kernel", "gpu_memcpy")))
        left = {one["name"]: one["reason"] for one in plan["trace"]["left_out"]}
        self.assertEqual(list(left), ["aten::relu", "triton_poi_fused_0", "record_param_comms", "aten::copy_", "aten::cat"])
        for name, part in (("aten::relu", "record_shapes=True"), ("triton_poi_fused_0", "kscope bench kernels"),
                           ("record_param_comms", "other ranks"), ("aten::copy_", "host"),
                           ("aten::cat", "argument 0: the sizes")):
            self.assertIn(part, left[name])

    def test_top_and_names(self):
        plan = json.loads(self.replayed("--plan", "--json", "--top", "2").stdout)
        self.assertEqual([one["name"] for one in plan["items"]], ["aten.fft", "aten.mm"])
        plan = json.loads(self.replayed("--plan", "--json", "--op", "aten::sum").stdout)
        self.assertEqual([one["name"] for one in plan["items"]], ["aten.sum"])
        plan = json.loads(self.replayed("--plan", "--json", "--op", "aten.mm", "--input-shapes",
                                        "[[64, 128], [128, 32]]").stdout)
        self.assertEqual([one["name"] for one in plan["items"]], ["aten.mm"])
        self.assertIn("no aten::mm of the shapes [[1]]", self.replayed_fails("--op", "aten::mm", "--input-shapes", "[[1]]"))
        self.assertIn("no aten::bmm in the trace", self.replayed_fails("--op", "aten::bmm"))
        self.assertIn("excludes", self.replayed_fails("--suite", "timm"))
        self.assertIn("excludes", self.replayed_fails("--compat"))

    def replayed_fails(self, *arguments):
        run = self.kscope("bench", "operators", "--from", self.trace, *arguments, code=2)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        return run.stderr

    def test_an_operator_has_what_its_inner_ones_launch(self):
        trace = made()
        start = trace.time
        trace.call("aten::addmm", [("gemm<bf16>", 7), ("bias", 1)])
        trace.add("cpu_op", "aten::linear", 1, 1, start - 1, 500, {
            "External id": 999, "Input Dims": [[2, 2], [2, 2]], "Input type": ["float"] * 2, "Concrete Inputs": ["", ""]})
        self.trace.write_text(json.dumps(trace.document()))
        plan = json.loads(self.replayed("--plan", "--json", "--op", "aten::linear").stdout)
        sample = plan["items"][0]["parts"][0]
        self.assertEqual((sample["name"], sample["traced"]["time_ns"], len(sample["traced"]["kernels"])),
                         ("((T([2, 2], f32), T([2, 2], f32)), {})", 8000.0, 2))

    def test_inner_work_is_compared_but_ranks_apart(self):
        trace = made()
        start = trace.time
        trace.call("aten::batch_norm", [("norm", 500)], **{"Input Dims": [[4]], "Input type": ["float"],
                                                        "Concrete Inputs": [""]})
        trace.add("cpu_op", "aten::fill_", 1, 1, start + 10, 8, {"External id": 777})
        trace.add("cuda_runtime", "cudaLaunchKernel", 1, 1, start + 12, 2, {"External id": 777, "correlation": 77})
        trace.add("kernel", "fill", 0, 7, start + 1000, 300, {"External id": 777, "correlation": 77, "device": 0, "stream": 7})
        self.trace.write_text(json.dumps(trace.document()))
        plan = json.loads(self.replayed("--plan", "--json", "--top", "1").stdout)
        sample = plan["items"][0]["parts"][0]
        self.assertEqual(plan["items"][0]["name"], "aten.batch_norm")
        self.assertEqual((sample["traced"]["total_ns"], sample["traced"]["time_ns"]), (500000.0, 800000.0))
        self.assertEqual([one["name"] for one in sample["traced"]["kernels"]], ["norm", "fill"])

    def test_trace_beside_bench(self):
        run = self.replayed("--json", "--implementations", "jit")
        document = json.loads(run.stdout)
        samples = {one["name"]: one["parts"] for one in document["items"]}
        self.assertEqual(list(samples), ["aten.mm.default", "aten.sum.dim_IntList", "aten.gelu.default", "aten.add.Tensor"])
        product = samples["aten.mm.default"]
        self.assertEqual([s["series"][0]["time_ns"] for s in product], [2000.0, 1000.0, 2000.0])
        self.assertEqual((product[0]["trace_ratio"], product[0]["trace_time"], product[0]["same_kernels"]),
                         (1.5, "longer", True))
        # Between what is in the cache (1.8 µs) and what is not (2 µs) it is the same.
        self.assertEqual((samples["aten.gelu.default"][0]["trace_time"], samples["aten.gelu.default"][0]["same_kernels"]),
                         ("same", False))
        self.assertEqual(samples["aten.gelu.default"][0]["traced"]["assumed"], ["approximate='none'"])
        self.assertEqual(samples["aten.sum.dim_IntList"][0]["same_kernels"], False)
        self.assertIn("aten.fft", [one["name"] for one in document["trace"]["left_out"]])
        self.assertIn("no such operator", run.stderr)
        asked = [json.loads(line) for line in (self.folder / "asked").read_text().splitlines()]
        self.assertEqual([one["task"] for one in asked], ["facts", "overloads"] + ["operators"] * 4 + ["kernels"])
        # Saved with both sides; text and Markdown have them too.
        text = self.kscope("results", "show").stdout
        for part in ("Trace and bench", "aten.mm.default", "as f32", "longer", "approximate='none'", "aten::relu: not measured",
                     "in the trace reduce, reduce; here other"):
            self.assertIn(part, text)
        kept = json.loads(self.kscope("results", "export").stdout)
        self.assertEqual((kept["items"], kept["trace"]), (document["items"], document["trace"]))
        error = self.kscope("bench", "operators", "--resume", code=2).stderr
        self.assertIn("start over with --from", error)

    def test_streams_carry_the_trace(self):
        lines = [json.loads(line) for line in self.replayed("--stream", "--op", "aten::mm").stdout.splitlines()]
        self.assertEqual([one["event"] for one in lines], ["plan", "start", "part", "part", "part", "result"] + ["part"] * 3)
        self.assertEqual(lines[0]["document"]["items"][0]["parts"][0]["traced"]["total_ns"], 9000.0)
        self.assertEqual(lines[6]["result"]["same_kernels"], True)

    def test_nothing_to_measure_is_said(self):
        for events, part in (([], "no GPU work"), (made().events[-3:], "argument 0: the sizes")):
            self.trace.write_text(json.dumps({"traceEvents": events}))
            self.assertIn(part, self.replayed_fails())
        self.trace.write_text("{")
        self.kscope("bench", "operators", "--from", self.trace, code=2)

    def test_recorded_traces_by_other_means(self):
        for path in TRACES:
            with self.subTest(path=path.name):
                expected = sorted(slowly(path).values(), key=lambda one: -one[1])
                self.trace = path
                plan = self.kscope("bench", "operators", "--from", path, "--plan", "--json", "--top", "10000").stdout
                plan = json.loads(plan)
                found = [[s["count"], s["traced"]["total_ns"]] for one in plan["items"] for s in one["parts"]
                         if "traced" in s] + [[one["count"], one["total_ns"]] for one in plan["trace"]["left_out"]]
                left = collections.Counter(tuple(one) for one in expected)
                for one in found:
                    left[tuple(one)] -= 1
                measured = sum(1 for one in plan["items"] for s in one["parts"] if "traced" in s)
                self.assertGreater(measured, 0)
                # What nothing launched is not an operator's there; every operator's is here.
                self.assertEqual([key for key, count in left.items() if count > 0], [])


class Roof(Base):
    def test_the_roof_is_measured_and_kept(self):
        run = self.kscope("bench", "roof", "--json")
        roof = json.loads(run.stdout)
        self.assertEqual((roof["device"], roof["uuid"], roof["torch"]), ("NVIDIA H200", UUID, "9.9"))
        # Medians; memory is what four caches do not hold, the cache what half of it holds.
        self.assertEqual(roof["memory_gb_per_s"], 6000.0)
        self.assertAlmostEqual(roof["l2_gb_per_s"], (16 << 20) / 1000.0)
        self.assertEqual(list(roof["tflop_per_s"]), ["bf16"])
        self.assertAlmostEqual(roof["tflop_per_s"]["bf16"], 2 * 8192 ** 3 / 2e6 / 1e3)
        self.assertEqual(roof["figures"][-1]["reason"], "this PyTorch has none")
        kept = self.folder / "results" / "roofs" / f"{UUID}.json"
        self.assertEqual(json.loads(kept.read_text()), roof)
        self.assertIn(str(kept), run.stderr)
        self.assertEqual([path.name for path in kept.parent.iterdir()], [kept.name])
        text = self.kscope("bench", "roof", "--no-save").stdout
        for part in ("6000", "4800", "125.00 %", "549.8", "int8: not measured: this PyTorch has none"):
            self.assertIn(part, text)
        self.assertEqual(self.kscope("results", "list").stderr, "")
        self.assertEqual(len(self.kscope("bench", "roof", "--csv").stdout.splitlines()), 7)

    def roofline(self, *options):
        run = self.kscope("report", "--roofline", "--json", *options, self.trace)
        return json.loads(run.stdout)["roofline"], run.stderr

    def test_a_report_takes_the_measured_roof_when_asked(self):
        told, _ = self.roofline()
        missing, said = self.roofline("--roof", "measured")
        self.assertEqual((missing["roofs"][0]["kind"], missing["rows"]), ("table", told["rows"]))
        self.assertIn("no measured roof of NVIDIA H200 is saved", said)
        self.kscope("bench", "roof")
        measured, said = self.roofline("--roof", "measured")
        self.assertNotIn("kept", said)
        roof = measured["roofs"][0]
        self.assertEqual((roof["kind"], roof["memory_gb_per_s"]), ("measured", 6000.0))
        self.assertAlmostEqual(roof["tflop_per_s"]["bf16"], 549.755813888)
        self.assertEqual(roof["tflop_per_s"]["fp32"], told["roofs"][0]["tflop_per_s"]["fp32"])
        self.assertIn("measured on", roof["sources"]["tflop_per_s"])
        again, _ = self.roofline("--roof", "table")
        self.assertEqual(again["roofs"], told["roofs"])
        row = {one["name"]: one for one in measured["rows"]}["aten::sum"]
        before = {one["name"]: one for one in told["rows"]}["aten::sum"]
        self.assertAlmostEqual(row["efficiency"] * 6000.0, before["efficiency"] * 4800.0)

    def test_roofs_are_scaled_to_the_traces_clocks(self):
        told, _ = self.roofline()
        trace = made()
        end = trace.time
        # The clock while the GPU works counts, not that of its pauses.
        busy = [event for event in trace.events if event["cat"] in ("kernel", "gpu_memcpy")]
        for event in busy:
            for time, clock in ((event["ts"], 915.0), (event["ts"] + event["dur"], 345.0)):
                trace.events.append({"ph": "C", "name": "Clocks (MHz)", "pid": 0, "tid": 0, "ts": time, "args": {"SM": clock}})
        trace.events.append({"ph": "C", "name": "Clocks (MHz)", "pid": 0, "tid": 0, "ts": end, "args": {"SM": 345.0}})
        self.trace.write_text(json.dumps(trace.document()))
        scaled, _ = self.roofline()
        roof, before = scaled["roofs"][0], told["roofs"][0]
        self.assertAlmostEqual(roof["scaled_to_mhz"], 915.0)
        self.assertIsNone(before["scaled_to_mhz"])
        self.assertAlmostEqual(roof["tflop_per_s"]["bf16"], before["tflop_per_s"]["bf16"] * 915.0 / before["clock_mhz"])
        self.assertEqual(roof["memory_gb_per_s"], before["memory_gb_per_s"])
        text = self.kscope("report", "--roofline", self.trace).stdout
        self.assertIn("scaled to the trace's 915 MHz", " ".join(text.split()))


if __name__ == "__main__":
    unittest.main()
