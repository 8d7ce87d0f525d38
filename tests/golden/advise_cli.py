# SPDX-License-Identifier: Apache-2.0
"""kscope advise on programs with one thing planted in each: usage advise_cli.py KSCOPE GPUS_JSON [SHARED]. Every rule finds
what it is for, with what a rerun without it saves, says why where the trace does not let it judge, and is silent elsewhere."""
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
SHARED = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
STEPS = 5
DEVICE = {"id": 0, "name": "NVIDIA H200", "computeMajor": 9, "numSms": 132, "maxThreadsPerMultiprocessor": 2048,
          "sharedMemPerMultiprocessor": 233472}
GEMM = "nvjet_hsh_128x64"


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


class Advice(unittest.TestCase):
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

    def test_host_bound(self):
        program = Plan(1)

        def launches(_):
            for _ in range(40):
                program.inside("aten::linear", lambda: program.kernel(GEMM, 4 * US))
        program.steps_of(launches)
        advice = self.advice(program)
        first = advice["findings"][0]
        self.assertEqual(first["rule"], "host-bound")
        self.assertEqual(self.evidence(first, "launches a step"), "40")
        # What the maker's own rerun says.
        saved = []
        for truth in program.steps:
            call = next(node for node in program.nodes if node.start >= truth["begin"] and node.kind == "launch")
            before = call.before[0][0]

            def graph(node):
                """One launch of 20 us a step; streams have gaps of 1 us anyhow."""
                if node is before:
                    return 20 * US / node.duration
                return 0 if node.kind in ("launch", "cpu") and node.duration < 1000 * US else 1
            saved.append(truth["end"] - truth["begin"] - make_paths.replay(program.nodes, truth, graph))
        gained = [one for one, truth in zip(saved, program.steps) if one > 0.001 * (truth["end"] - truth["begin"])]
        self.assertEqual(first["steps"], len(gained))
        self.assertLess(abs(first["saves_ns"] - sum(gained) / len(gained)), 2)
        for event in first["events"]:
            self.assertIn("idle before", event["name"])
        self.abstains(self.advice(program, without=("cuda_runtime",)), "host-bound", "no calls that launch")

    def test_busy_gpu_is_not_host_bound(self):
        program = Plan(2)
        program.steps_of(lambda _: [program.kernel(GEMM, 900 * US) for _ in range(5)])
        advice = self.advice(program)
        saved = [one["saves_ns"] for one in advice["findings"] if one["rule"] == "host-bound"]
        self.assertLess(max(saved, default=0), 100 * US)
        self.silent(advice, "sync-calls", "pageable-copies", "data-loader", "recomputation", "exposed-communication",
                    "layout-conversions", "allocator", "uneven-steps", "profiler-gaps")

    def test_sync_calls(self):
        program = Plan(3)

        def step(_):
            program.kernel(GEMM, 2000 * US)
            program.item("train.py(12): step")
            program.work(MAIN, 900 * US)
            program.kernel(GEMM, 300 * US)
        program.steps_of(step)
        finding = self.found(self.advice(program), "sync-calls", ".item()")
        self.assertIn("train.py(12): step", finding["title"])
        self.assertEqual(self.evidence(finding, "Python line"), "train.py(12): step")
        # Without it the host's 900 us are hidden behind the first kernel.
        self.near(finding, 900 * US)
        self.assertEqual(finding["events"][0]["name"], "cudaMemcpyAsync")
        self.abstains(self.advice(program, without=("cuda_runtime",)), "sync-calls", "no calls of the CUDA API")

    def product(self, name, kind, duration, size=4096):
        program = Plan(4)
        program.steps_of(lambda _: program.kernel(name, duration, "aten::mm", [[size, size], [size, size]], kind))
        return program

    def test_slow_products(self):
        program = self.product("sgemm_128x128x8", "float", 3000 * US)
        finding = self.found(self.advice(program), "slow-products")
        peaks = GPU["tflop_per_s"]
        self.near(finding, 3000 * US * (1 - peaks["fp32"] / peaks["tf32"]), 0.05)
        self.assertEqual(self.evidence(finding, "operators"), "aten::mm")
        self.abstains(self.advice(program, devices=[dict(DEVICE, name="GPU of tomorrow")]), "slow-products", "not known")
        self.silent(self.advice(self.product(GEMM, "c10::BFloat16", 3000 * US)), "slow-products")

    def test_below_roof(self):
        program = self.product(GEMM, "c10::BFloat16", 2000 * US)
        finding = self.found(self.advice(program), "below-roof")
        roof = 2 * 4096**3 / GPU["tflop_per_s"]["bf16"] * 1e-3
        self.near(finding, 2000 * US - roof)
        self.assertIn("of its roof (compute", finding["title"])
        self.abstains(self.advice(program, devices=[dict(DEVICE, name="GPU of tomorrow")]), "below-roof", "not known")
        self.silent(self.advice(self.product(GEMM, "c10::BFloat16", int(1.5 * roof))), "below-roof")

    def test_communication(self):
        program = Plan(5)

        def step(_):
            program.kernel(GEMM, 500 * US)
            awaited = program.wait_event(30, 7)
            program.kernel(make_paths.REDUCE, 400 * US, stream=30, awaited=awaited)
        program.steps_of(step)
        finding = self.found(self.advice(program), "exposed-communication")
        self.near(finding, 400 * US)
        self.assertEqual(self.evidence(finding, "of it exposed"), "100.00 %")
        beside = Plan(5)

        def overlap(_):
            awaited = beside.wait_event(30, 7)
            beside.kernel(GEMM, 300 * US)
            beside.kernel(make_paths.REDUCE, 400 * US, stream=30, awaited=awaited)
        beside.steps_of(overlap)
        hidden = self.found(self.advice(beside), "exposed-communication")
        self.near(hidden, 100 * US, 0.15)
        self.assertTrue(20 < float(self.evidence(hidden, "of it exposed").split()[0]) < 30)
        self.abstains(self.advice(program, distributedInfo={"rank": 0, "world_size": 8}), "stragglers", "all ranks")

    def test_tiny_kernels(self):
        program = Plan(6)

        def step(_):
            program.kernel(GEMM, 30 * US)
            for _ in range(6):
                program.kernel("vectorized_elementwise_kernel", 3 * US, "aten::add")
            program.kernel(GEMM, 30 * US)
        program.steps_of(step)
        advice = self.advice(program)
        finding = self.found(advice, "tiny-kernels")
        # The host is what takes the time: five launches of 4 us, and what comes before and behind each.
        before = advice["step_ns"]
        fewer = Plan(6)

        def fused(_):
            for name, duration in ((GEMM, 30), ("vectorized_elementwise_kernel", 3), (GEMM, 30)):
                fewer.kernel(name, duration * US, "aten::add" if duration == 3 else None)
        fewer.steps_of(fused)
        after = self.advice(fewer)
        self.assertLess(abs(finding["saves_ns"] - (before - after["step_ns"])), 10 * US)
        self.silent(after, "tiny-kernels")
        longer = Plan(6)
        longer.steps_of(lambda _: [longer.kernel("vectorized_elementwise_kernel", 11 * US, "aten::add") for _ in range(6)])
        self.silent(self.advice(longer), "tiny-kernels")
        self.assertEqual(self.evidence(finding, "longest run"), "6 kernels")
        self.assertIn("6 kernels from", finding["events"][0]["name"])
        self.abstains(self.advice(program, without=("cuda_runtime",)), "tiny-kernels", "no calls of the CUDA API")

    def copy(self, name, duration, size, behind=0):
        """`behind`: the call returns so long before the copy is over."""
        program = Plan(7)

        def step(_):
            begin = program.now()
            program.correlation += 1
            call = program.append(MAIN, "launch", "cudaMemcpyAsync", 0)
            copy = program.operation(name, 7, duration, call, category="gpu_memcpy", bytes=size)
            done = program.append(MAIN, "synchronization", "cudaMemcpyAsync", 2 * US, [copy])
            program.slice("cuda_runtime", "cudaMemcpyAsync", PROCESS, MAIN, begin, done.end - (behind and behind + 2 * US),
                          correlation=program.correlation)
            program.kernel(GEMM, 300 * US)
        program.steps_of(step)
        return program

    def test_pageable_copies(self):
        program = self.copy("Memcpy HtoD (Pageable -> Device)", 8000 * US, 80_000_000)
        finding = self.found(self.advice(program), "pageable-copies")
        self.near(finding, 8000 * US - 80_000_000 / 63)
        self.assertIn("10.0 GB/s", finding["title"])
        early = self.copy("Memcpy HtoD (Pageable -> Device)", 8000 * US, 80_000_000, behind=30 * US)
        self.near(self.found(self.advice(early), "pageable-copies"), 8000 * US - 80_000_000 / 63)
        self.silent(self.advice(self.copy("Memcpy HtoD (Pinned -> Device)", 2000 * US, 80_000_000)), "pageable-copies")
        self.silent(self.advice(self.copy("Memcpy HtoD (Pageable -> Device)", 900 * US, 65_535)), "pageable-copies")
        self.abstains(self.advice(program, without=("cuda_runtime",)), "pageable-copies", "no calls of the CUDA API")

    def test_allocator(self):
        program = Plan(8)

        def step(_):
            program.kernel(GEMM, 50 * US)
            for name in ("cudaFree", "cudaMalloc"):
                program.span("cuda_runtime", name, 400 * US)
            program.kernel(GEMM, 50 * US)
        program.steps_of(step)
        finding = self.found(self.advice(program), "allocator")
        self.near(finding, 800 * US - 50 * US, 0.08)
        self.assertEqual(self.evidence(finding, "calls a step"), "2")
        single = Plan(8)
        single.step(0, [lambda: single.kernel(GEMM, 50 * US)])
        self.abstains(self.advice(single), "allocator", "two steps")
        self.abstains(self.advice(single), "uneven-steps", "three steps")

    def test_data_loader(self):
        program = Plan(9)

        def step(_):
            program.span("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 3000 * US)
            program.kernel(GEMM, 400 * US)
        program.steps_of(step)
        finding = self.found(self.advice(program), "data-loader")
        self.near(finding, 3000 * US)

    def test_uneven_steps(self):
        program = Plan(10)

        def step(number):
            if number == 3:
                program.work(MAIN, 15_000 * US)
            if number == 4:
                for _ in range(6):
                    program.kernel("gemm_4096", 2000 * US, "aten::mm")
            for _ in range(10):
                program.kernel(GEMM, 100 * US, "aten::linear")
        program.steps_of(step)
        advice = self.advice(program)
        first = advice["findings"][0]
        self.assertEqual(first["rule"], "uneven-steps")
        self.assertIn("tep 3 ", first["title"])
        self.assertIn("tep 4 ", first["title"])
        self.assertIn("its host launched nothing for 15.0", self.evidence(first, "step 3"))
        self.assertIn("aten::linear", self.evidence(first, "step 3"))
        self.assertIn("6 more launches of gemm_4096, 12.000 ms", self.evidence(first, "step 4"))
        self.near(first, 13_500 * US, 0.02)
        self.assertEqual((first["steps"], first["of_steps"]), (2, STEPS))

    def test_unfilled_gpu(self):
        def program(**args):
            one = Plan(11)
            one.steps_of(lambda _: one.kernel(GEMM, 1000 * US, **args))
            return one
        few = program(grid=[10, 1, 1], block=[128, 1, 1])
        finding = self.found(self.advice(few), "unfilled-gpu", "10 blocks for 132 multiprocessors")
        self.near(finding, 1000 * US * (1 - 10 / 132))
        # A block of a whole multiprocessor's threads: 140 of them are one wave and a tail.
        tail = self.found(self.advice(program(grid=[140, 1, 1], block=[1024, 1, 1], **{"registers per thread": 64})),
                          "unfilled-gpu", "1.06 waves")
        self.near(tail, 1000 * US * (1 - 140 / 264))
        self.silent(self.advice(program(grid=[1320, 1, 1], block=[128, 1, 1])), "unfilled-gpu")
        self.abstains(self.advice(few, devices=[]), "unfilled-gpu", "multiprocessors")

    def test_layout_conversions(self):
        program = Plan(12)

        def step(_):
            program.kernel("void cudnn::ops::nchwToNhwcKernel<float>()", 700 * US)
            program.kernel(GEMM, 300 * US)
        program.steps_of(step)
        self.near(self.found(self.advice(program), "layout-conversions"), 700 * US)

    def test_recomputation(self):
        def program(around):
            one = Plan(13)

            def step(_):
                one.kernel("elementwise_first", 500 * US, "aten::linear")  # of the forward pass
                begin = one.now()
                one.kernel("elementwise_again", 600 * US, "aten::linear")
                one.work(MAIN, 2 * US)
                one.slice("cpu_op", around, PROCESS, MAIN, begin, one.now())
                one.kernel(GEMM, 300 * US, "aten::mm")
            one.steps_of(step)
            return one
        finding = self.found(self.advice(program("autograd::engine::evaluate_function: CheckpointFunctionBackward")),
                             "recomputation")
        self.near(finding, 600 * US)
        self.silent(self.advice(program("aten::outer")), "recomputation")

    def test_clock_drops(self):
        program = Plan(14)
        program.steps_of(lambda _: program.kernel(GEMM, 4000 * US))
        half = program.steps[-1]["begin"] - 20 * US

        def samples(mhz):
            return [{"ph": "C", "name": "Clocks (MHz)", "pid": 0, "ts": ts, "args": {"SM": mhz(ts)}}
                    for ts in range(0, program.now(), 10 * US)]
        low = samples(lambda ts: 1000 if ts > half else 2000)
        finding = self.found(self.advice(program, counters=low), "clock-drops")
        self.near(finding, 2000 * US, 0.05)
        self.assertEqual(finding["steps"], 1)
        program.events = [event for event in program.events if event["ph"] != "C"]
        self.silent(self.advice(program, counters=samples(lambda ts: 2000 - ts % 7)), "clock-drops")
        program.events = [event for event in program.events if event["ph"] != "C"]
        self.abstains(self.advice(program), "clock-drops", "no samples of the GPU's clock")

    def test_profiler_gaps(self):
        program = Plan(15)

        def step(_):
            begin = program.now()
            program.work(MAIN, 2500 * US)
            program.slice("overhead", "Activity Buffer Request", PROCESS, 77, begin, program.now())
            program.kernel(GEMM, 200 * US)
        program.steps_of(step)
        finding = self.found(self.advice(program), "profiler-gaps")
        self.near(finding, 2500 * US)
        self.assertIn("Activity Buffer Request", finding["title"])

    def test_job(self):
        ranks = make_paths.make_job(1, 3)
        for rank, program in enumerate(ranks):
            make_paths.write(program, self.folder / f"rank{rank}.json",
                             distributedInfo={"rank": rank, "world_size": 2})
        advice = self.checked(json.loads(run("--json", self.folder).stdout))
        self.assertTrue(all(one["rank"] in (0, 1) for one in advice["findings"]))
        both = json.loads(run("--json", *(self.folder / f"rank{rank}.json" for rank in range(2))).stdout)
        self.assertEqual(both, advice)

    def test_a_rank_that_slept_kept_the_other_waiting(self):
        slept = 4000 * US
        for rank, program in enumerate(make_paths.make_job(2, 6, {(1, 4): slept})):
            make_paths.write(program, self.folder / f"rank{rank}.json",
                             distributedInfo={"rank": rank, "world_size": 2})
        advice = self.checked(json.loads(run("--json", self.folder).stdout))
        first = advice["findings"][0]
        self.assertEqual((first["rule"], first["rank"], first["steps"]), ("stragglers", 1, 1))
        self.assertIn("step 4: one rank waited", first["title"])
        # What the other rank does longer than this one beside that is some hundred microseconds.
        self.near(first, slept, 0.1)
        # The rules looked at the trace of that rank: its step is there to go to.
        self.assertEqual([event["name"] for event in first["events"]], ["step 4"])
        self.assertGreater(first["events"][0]["length_ns"], slept)

    def test_recorded(self):
        if not SHARED or not SHARED.is_dir():
            self.skipTest("recordings are not here")
        eager = json.loads(run("--json", SHARED / "traces/bert_train_eager.json.gz").stdout)
        first = eager["findings"][0]
        self.assertEqual(first["rule"], "host-bound")
        self.assertGreater(first["saves_ns"], 0.75 * first["step_ns"])
        ddp = json.loads(run("--json", SHARED / "ranks/ddp_gpt_rank1.json.gz").stdout)
        first = ddp["findings"][0]
        self.assertEqual(first["rule"], "uneven-steps")
        self.assertIn("launched nothing for 15.", self.evidence(first, "step 5"))
        self.assertIn("60 more launches of nvjet", self.evidence(first, "step 6"))
        job = json.loads(run("--json", SHARED / "ranks").stdout)
        stragglers = [one["title"] for one in job["findings"] if one["rule"] == "stragglers"]
        self.assertIn("step 5: one rank waited", stragglers[0])
        self.assertIn("step 6: one rank waited", stragglers[1])
        self.assertEqual(job["findings"][0]["rule"], "stragglers")

    def test_formats_and_messages(self):
        program = Plan(16)
        name = "evil\n\x1b[31m|<script>`name"

        def step(_):
            for _ in range(20):
                program.kernel(name, 4 * US, "aten::|<b>")
        program.steps_of(step)
        self.advice(program)
        text = run(self.path).stdout
        for words in ("Advice", "host-bound", "saves up to", "Could not judge", "Nothing found"):
            self.assertIn(words, text)
        markdown = run("--markdown", self.path).stdout
        for output in (text, markdown):
            self.assertNotIn("\x1b", output)
            self.assertNotIn("<script>", output.replace("\\<script\\>", "") if output is markdown else "")
        self.assertIn("# Advice", markdown)
        for path, words in ((self.folder / "none.json", "does not exist"),):
            self.assertIn(words, run(path, code=2).stderr)
        self.assertIn("needs a file", run(code=2).stderr)
        (self.folder / "empty.json").write_text('{"traceEvents": []}')
        self.assertIn("nothing to look at", run(self.folder / "empty.json", code=2).stderr)

    def test_hostile_traces(self):
        def event(**more):
            return dict({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7}, **more)
        huge = [event(cat="cuda_runtime", name="cudaLaunchKernel", pid=1, tid=1, ts=-4e15, dur=9e15,
                      args={"correlation": 1}),
                event(ts=-9e15, dur=9e15, args={"correlation": 1, "stream": 7, "grid": [4294967295] * 3,
                                                "block": [65535] * 3, "registers per thread": 65535}),
                event(cat="gpu_memcpy", name="Memcpy HtoD (Pageable -> Device)", ts=8e15, dur=0,
                      args={"bytes": 2**63, "stream": 7})]
        nothing = [event(ts=0, dur=0), event(cat="cpu_op", name="", pid=1, tid=1, ts=0, dur=0)]
        steps = [event(cat="user_annotation", name=f"ProfilerStep#{n}", pid=1, tid=1, ts=n, dur=0) for n in range(9)]
        for name, events in {"huge": huge, "nothing": nothing, "steps": steps + nothing + huge}.items():
            with self.subTest(name):
                path = self.folder / "hostile.json"
                path.write_text(json.dumps({"traceEvents": events, "deviceProperties": [DEVICE]}))
                done = subprocess.run([KSCOPE, "advise", "--json", path], capture_output=True, text=True, timeout=120)
                self.assertIn(done.returncode, (0, 2), done.stderr)
                if done.returncode == 0:
                    self.checked(json.loads(done.stdout))


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[4:]
    unittest.main()
