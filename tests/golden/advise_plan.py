# SPDX-License-Identifier: Apache-2.0
"""What tests of `kscope advise` share: programs whose works are told one by one, and what holds of any advice."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import make_paths
from make_paths import MAIN, PROCESS, US, Program

KSCOPE = pathlib.Path(sys.argv[1]).resolve()
GPU = next(gpu for gpu in json.loads(pathlib.Path(sys.argv[2]).read_text())["gpus"] if "H200" in gpu["name"])
STEPS = 5
DEVICE = {"id": 0, "name": "NVIDIA H200", "computeMajor": 9, "numSms": 132, "maxThreadsPerMultiprocessor": 2048,
          "sharedMemPerMultiprocessor": 233472}
GEMM, ELEMENTWISE = "nvjet_hsh_128x64", "vectorized_elementwise_kernel"
API = ("cuda_runtime",)
WORK = ("kernel", "gpu_memcpy", "gpu_memset")


def run(*arguments, code=0):
    done = subprocess.run([KSCOPE, "advise", *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done


class Plan(Program):
    """A program whose works are told one by one."""

    def kernel(self, name, duration, inside=None, shapes=None, kind="float", stream=7, awaited=(), **args):
        def launch():
            call = self.call("cudaLaunchKernel", MAIN, 4 * US)
            self.operation(name, stream, duration, call, awaited, **args)
        if not inside:
            return launch()
        begin = self.now()
        launch()
        self.work(MAIN, US)
        dims = {"Input Dims": shapes, "Input type": [kind] * len(shapes)} if shapes else {}
        self.slice("cpu_op", inside, PROCESS, MAIN, begin, self.now(), **dims)

    def steps_of(self, *works, count=STEPS):
        # What calls and streams take is told before the first step, which alone is not one of them.
        self.calibrate()
        self.steps.clear()
        self.events = [event for event in self.events if event["name"] != "ProfilerStep#0"]
        for number in range(1, count + 1):
            self.step(number, [lambda work=work: work(number) for work in works] + [self.synchronise])

    def item(self, line=None):
        begin = self.now()
        super().item()
        self.slice("cpu_op", "aten::_local_scalar_dense", PROCESS, MAIN, begin, self.now())
        if line:
            self.slice("python_function", line, PROCESS, MAIN, begin - US, self.now() + US)

    def span(self, category, name, duration):
        begin = self.now()
        self.work(MAIN, duration)
        self.slice(category, name, PROCESS, MAIN, begin, self.now())


class AdviceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def advice(self, program, devices=(DEVICE,), without=(), counters=(), **more):
        program.events = [event for event in program.events if event.get("cat") not in without]
        program.events += counters
        self.path = self.folder / "trace.json"
        make_paths.write(program, self.path, deviceProperties=list(devices), **more)
        return self.checked(json.loads(run("--json", self.path).stdout))

    def checked(self, advice):
        self.assertEqual(advice["schema"], "kinetoscope.advice/1")
        rules = {line.split(":")[0] for line in run("--rules").stdout.splitlines() if not line.startswith(" ")}
        told = {one["rule"] for one in advice["findings"]} | set(advice["nothing_found"])
        self.assertEqual(told, rules)
        alone = [one["saves_ns"] * one["steps"] for one in advice["findings"] if "rank" not in one]
        for one in advice["findings"]:
            self.assertEqual(one["per"], "step")
            self.assertLessEqual(one["saves_ns"], one["step_ns"])
            self.assertLessEqual(len(one["events"]), 20)
            if one["abstained"]:
                self.assertEqual((one["saves_ns"], one["events"]), (0, []))
            else:
                self.assertGreater(one["saves_ns"], 0)
                self.assertTrue(all((one["title"], one["todo"], one["what_if"], one["evidence"])))
        abstained = [bool(one["abstained"]) for one in advice["findings"]]
        self.assertEqual(abstained, sorted(abstained))
        if alone and "rank" not in advice["findings"][0]:
            self.assertGreaterEqual(advice["together_saves_ns"] * STEPS * 2, max(alone) // 2)
            self.assertLessEqual(advice["together_saves_ns"], max(one["step_ns"] for one in advice["findings"]))
        return advice

    def found(self, advice, rule, holds=""):
        findings = [one for one in advice["findings"] if one["rule"] == rule and holds in one["title"]]
        self.assertTrue(findings, (rule, [one["rule"] for one in advice["findings"]]))
        self.assertIsNone(findings[0]["abstained"])
        return findings[0]

    def abstains(self, advice, rule, words):
        findings = [one for one in advice["findings"] if one["rule"] == rule]
        self.assertEqual([bool(one["abstained"]) for one in findings], [True], rule)
        self.assertIn(words, findings[0]["abstained"])

    def silent(self, advice, *rules):
        for rule in rules:
            self.assertIn(rule, advice["nothing_found"])

    def evidence(self, finding, label):
        return next(line["value"] for line in finding["evidence"] if line["label"] == label)

    def near(self, finding, ns, part=0.03):
        self.assertLess(abs(finding["saves_ns"] - ns), part * ns + 5 * US, finding)
