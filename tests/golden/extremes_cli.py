# SPDX-License-Identifier: Apache-2.0
"""Times and sizes at the reader's limits: usage extremes_cli.py KSCOPE. A sum that is more than a time can be stays at the
longest one, a mean is the true one, and nothing becomes negative."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

KSCOPE = pathlib.Path(sys.argv.pop(1)).resolve()
FIRST, LONG = -2305843009212693, 4611686018422386  # µs: from nearly the first time to nearly the last
LONG_NS = 1000 * LONG
MOST = 2**63 - 1
BYTES = 2**62


def slice_(cat, name, tid, ts, dur, pid=1, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args}


def step(number, ts=FIRST, dur=LONG):
    return slice_("user_annotation", f"ProfilerStep#{number}", 1, ts, dur)


def operation(cat, name, number, ts=FIRST, dur=LONG - 5000, gpu=0, stream=7, **args):
    """On the GPU, and the call that launched it."""
    args = {"device": gpu, "stream": stream, "correlation": number, "External id": 1, **args}
    return [slice_("cuda_runtime", "cudaLaunchKernel", 1, ts + number, 1, correlation=number),
            slice_(cat, name, stream, ts + 2 + number, dur, pid=gpu, **args)]


def product(ts=FIRST, dur=LONG):
    return slice_("cpu_op", "aten::mm", 1, ts, dur, **{"Input Dims": [[64, 64], [64, 64]], "Input type": ["float", "float"],
                                                       "External id": 1})


def side_by_side(cat, name, streams=4, gpus=1, **args):
    return [event for number in range(streams * gpus)
            for event in operation(cat, name, number, gpu=number // streams, stream=7 + number % streams, **args)]


class Extremes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def trace(self, events, name="trace.json"):
        devices = [{"id": gpu, "name": "NVIDIA H100", "numSms": 132} for gpu in range(8)]
        path = self.folder / name
        path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": devices, "traceEvents": events}))
        return path

    def kscope(self, *words):
        done = subprocess.run([KSCOPE, *map(str, words)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def document(self, command, *words):
        return json.loads(self.kscope(command, "--json", *words))

    def finding(self, path, rule):
        findings = {finding["rule"]: finding for finding in self.document("advise", path)["findings"]}
        return {row["label"]: row["value"] for row in findings[rule]["evidence"]}, findings[rule]

    def test_share_of_the_sum_of_kernels(self):
        path = self.trace([*side_by_side("kernel", "gemm"), *operation("kernel", "softmax", 9, FIRST, 100)])
        self.assertRegex(self.kscope("report", path), r"9,223,372,036\.855 +100\.00 +4 .* gemm")

    def test_operators(self):
        path = self.trace([product(), *side_by_side("kernel", "gemm")])
        rows = self.document("report", "--operators", path)["operators"]
        rows = rows if isinstance(rows, list) else rows["rows"]
        self.assertEqual(max(row["self_gpu_ns"] for row in rows), MOST)
        self.assertGreaterEqual(min(row["self_gpu_ns"] for row in rows), 0)
        table = self.kscope("query", "--csv", path, "SELECT min(self_gpu), max(self_gpu) FROM operators")
        self.assertEqual(table.splitlines()[-1], f"0,{MOST}")

    def test_roofline(self):
        text = self.kscope("report", "--roofline", self.trace([product(), *side_by_side("kernel", "gemm")]))
        self.assertIn("100.00 % of kernel time is modelled (9223372036.855 s of 9223372036.855 s)", text)

    def test_achieved_figures(self):
        sorts = [event for number in range(4) for event in operation("kernel", "sort", 20 + number, stream=20 + number)]
        for event in sorts:
            event["args"]["External id"] = 5
        path = self.trace([product(), *side_by_side("kernel", "gemm"), slice_("cpu_op", "aten::sort", 2, FIRST, LONG, **{"External id": 5}),
                           *sorts])
        document = self.document("report", "--achieved", path)
        self.assertEqual(document["achieved"]["modelled_ns"], MOST)
        self.assertEqual(document["achieved"]["kernel_ns"], MOST)
        kernels = {kernel["name"]: kernel for kernel in document["kernels"]}
        self.assertAlmostEqual(kernels["gemm"]["tflop_per_s"] * 1e12 * LONG / 1e6, 2 * 64**3, delta=1)
        self.assertIsNone(kernels["sort"]["tflop_per_s"])

    def test_comparison(self):
        base = self.trace([step(1, 1000, 900), product(1010, 200), *operation("kernel", "gemm", 1, 1020, 300)], "base.json")
        long = self.trace([step(1), product(), *side_by_side("kernel", "split", 15)], "long.json")
        text = self.kscope("compare", base, long)
        self.assertNotIn("different programs", text)
        self.assertRegex(text, r"kernel time 0\.000 s → 69,175,290,276\.261 s ")
        self.assertRegex(text, r"UNSURE +\+69,175,290,276\.260 +\+")

    def test_baselines(self):
        store = self.folder / "store"
        self.kscope("baseline", "save", "long", self.trace([step(1), product(), *side_by_side("kernel", "gemm", 15)]), "--store", store)
        text = self.kscope("baseline", "list", "--store", store)
        self.assertNotRegex(text, r" -\d")

    def test_pageable_copies(self):
        path = self.trace([step(1), *side_by_side("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", bytes=BYTES)])
        evidence, finding = self.finding(path, "pageable-copies")
        self.assertEqual(evidence["time of them a step"], "9223372036.855 s")
        self.assertNotIn("0 B", finding["title"])

    def test_means_over_gpus(self):
        path = self.trace([step(1), *side_by_side("kernel", "ncclDevKernel_AllReduce", 3, 5)])
        evidence, _ = self.finding(path, "exposed-communication")
        self.assertEqual(evidence["exposed a step"], "4611686018.417 s")
        path = self.trace([step(1), *side_by_side("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 3, 5, bytes=BYTES)])
        evidence, _ = self.finding(path, "exposed-copies")
        self.assertEqual(evidence["exposed a step and GPU"], "4611686018.417 s")
        self.assertFalse(any(value.startswith(("-", "0 B")) for value in evidence.values()), evidence)

    def test_idle_time_of_all_gpus(self):
        work = [event for gpu in range(5) for at in (0, LONG - 100)
                for event in operation("kernel", "gemm", 2 * gpu + (at > 0), FIRST + at, 5, gpu=gpu)]
        path = self.trace([*work, slice_("overhead", "Buffer Flush", 9, FIRST + 50, LONG - 200)])
        evidence, _ = self.finding(path, "profiler-gaps")
        self.assertEqual(evidence["GPU idle time caused by it"], "9223372036.855 s")
        evidence, _ = self.finding(path, "host-bound")
        self.assertEqual(evidence["GPU idle"], "100.00 %")

    def test_mean_of_long_steps(self):
        steps = [event for number in range(6) for event in
                 (step(number), *operation("kernel", "gemm", number, stream=7 + number))]
        mean = self.document("advise", self.trace(steps))["step_ns"]
        self.assertAlmostEqual(mean, LONG_NS, delta=1000)  # as near as a double is

    def test_memory(self):
        events = [{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 1000 + i,
                   "args": {"Addr": 4096 + i, "Bytes": BYTES, "Total Allocated": (i + 1) * BYTES // 2, "Total Reserved": MOST,
                            "Device Type": 1, "Device Id": 0}} for i in range(4)]
        path = self.trace([step(1, 1000, 900), *events])
        for words in ([], ["--json"], ["--markdown"]):
            text = self.kscope("memory", *words, path)
            self.assertNotRegex(text, r"-\d{3,}")
        self.assertIn("never freed: 262144.0 TiB in 4 blocks", " ".join(self.kscope("memory", path).split()))

    def test_limit_of_times(self):
        year = 31557600 * 10**6
        path = self.trace([slice_("kernel", "k", 7, ts, 5, pid=0) for ts in (1000, 72 * year, 74 * year)])
        done = subprocess.run([KSCOPE, "report", path], capture_output=True, text=True, timeout=60)
        self.assertIn("1 of 3 events skipped", done.stderr)
        self.assertIn("more than 73 years from zero", re.sub(r"\s+", " ", done.stdout + done.stderr))


if __name__ == "__main__":
    unittest.main()
