# SPDX-License-Identifier: Apache-2.0
"""kscope advise on programs with one thing planted in the host's work, the steps or the ranks: usage advise_cli.py KSCOPE
GPUS_JSON [SHARED]. Each rule finds what it is for, with what a rerun without it saves, says why where the trace does not let
it judge, and is silent elsewhere."""
import json
import pathlib
import subprocess
import sys
import unittest

import make_paths
from advise_plan import API, DEVICE, GEMM, KSCOPE, STEPS, WORK, AdviceTest, Plan, run
from make_paths import LOADER, MAIN, PROCESS, US

SHARED = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None


class Advice(AdviceTest):
    def launched_at_once(self, program, truth):
        """How long the step is when all between two waits is one launch of 20 us, where that is less than there was."""
        scales, stretch = {}, []

        def close():
            launch = next((place for place, node in enumerate(stretch) if node.kind == "launch"), None)
            if launch is not None and sum(node.duration for node in stretch) > 20 * US:
                scales.update({node: 0 for node in stretch})
                if launch > 0:  # else the host launched as soon as it had waited
                    scales[stretch[launch - 1]] = 20 * US / stretch[launch - 1].duration
            stretch.clear()
        for node in program.nodes:
            if truth["begin"] <= node.start <= truth["ends"][0].start and node.kind in ("cpu", "launch", "synchronization"):
                if node.kind == "synchronization":
                    close()
                else:
                    stretch.append(node)
        close()
        return make_paths.replay(program.nodes, truth, lambda node: scales.get(node, 1))

    def near_launched_at_once(self, finding, program):
        lengths = [truth["end"] - truth["begin"] for truth in program.steps]
        saved = [length - self.launched_at_once(program, truth) for length, truth in zip(lengths, program.steps)]
        gained = [one for one, length in zip(saved, lengths) if one > 0.001 * length]
        self.assertEqual(finding["steps"], len(gained))
        self.assertLess(abs(finding["saves_ns"] - sum(gained) / len(gained)), 2)

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
        self.near_launched_at_once(first, program)
        for event in first["events"]:
            self.assertIn("idle before", event["name"])
        self.abstains(self.advice(program, without=API), "host-bound", "no launch calls")
        self.abstains(self.advice(program, without=WORK), "host-bound", "no kernels, copies or memsets")

    def test_a_graph_ends_where_the_host_waits(self):
        program = Plan(1)

        def launches(_):
            for _ in range(20):
                program.inside("aten::linear", lambda: program.kernel(GEMM, 4 * US))

        def logging(_):
            program.work(MAIN, 200 * US)  # behind the last wait of the step: no graph makes that shorter
        program.steps_of(launches, lambda _: program.item(), launches, lambda _: program.synchronise(), logging)
        finding = self.found(self.advice(program), "host-bound")
        self.near_launched_at_once(finding, program)
        self.assertEqual(self.evidence(finding, "launches a step"), "41")

    def test_what_launches_faster_than_a_graph_stays(self):
        program = Plan(1)

        def step(_):
            for _ in range(20):
                program.kernel(GEMM, 2 * US, "aten::mm")
                program.work(MAIN, 8 * US)
                program.kernel(GEMM, 2 * US, "aten::mm")
                program.item()
        program.steps_of(step)
        self.silent(self.advice(program), "host-bound")

    @staticmethod
    def wait_between(program, product, work):
        """A product whose result the host waits for, its work, and another product."""
        program.kernel(GEMM, product)
        program.item("train.py(12): step")
        program.work(MAIN, work)
        program.kernel(GEMM, 300 * US)

    def test_savings_can_be_compared(self):
        """A pause in one step of five and a wait in each: one by one and together they compare as means over all steps."""
        program = Plan(3)

        def step(number):
            self.wait_between(program, 1000 * US, 600 * US)
            if number == 2:
                program.work(MAIN, 6000 * US)
        program.steps_of(step)
        advice = self.advice(program)
        found = [one for one in advice["findings"] if not one["abstained"]]
        self.assertIn(1, [one["steps"] for one in found])
        means = [one["mean_saves_ns"] for one in found]
        for one, mean in zip(found, means):
            self.assertLessEqual(abs(mean - one["saves_ns"] * one["steps"] / one["of_steps"]), 1)
            self.assertLessEqual(mean, advice["together_mean_saves_ns"] + 1)
        self.assertLessEqual(advice["together_mean_saves_ns"], advice["step_ns"])
        text = run(self.path).stdout
        rare = next(one for one in found if one["steps"] == 1)
        self.assertRegex(text, rf"(?m)^\d\. {rare['rule']}  saves up to [\d.]+ .s \([\d.]+ %\) in 1 of 5 steps, [\d.]+ .s a step on average$")

    def test_a_trace_without_steps_has_no_step(self):
        program = Plan(1)

        def launches(_):
            for _ in range(40):
                program.inside("aten::linear", lambda: program.kernel(GEMM, 4 * US))
        program.steps_of(launches)
        program.events = [event for event in program.events if not event["name"].startswith("ProfilerStep#")]
        advice = self.advice(program)
        self.assertFalse(advice["has_steps"])
        for finding in advice["findings"]:
            words = finding["title"] + "".join(line["label"] + line.get("window", "") for line in finding["evidence"])
            for of_steps in (" a step", " per step", "all steps"):
                self.assertNotIn(of_steps, words)
        for words in ((), ("--markdown",)):
            text = run(*words, self.path).stdout
            self.assertNotIn(" a step", "\n".join(line for line in text.splitlines() if "To do:" not in line))
            self.assertRegex(text, r"saves up to [\d.]+ .s of the trace \([\d.]+ %\)")

    def test_busy_gpu_is_not_host_bound(self):
        program = Plan(2)
        program.steps_of(lambda _: [program.kernel(GEMM, 900 * US, "aten::mm") for _ in range(5)])
        advice = self.advice(program)
        saved = [one["saves_ns"] for one in advice["findings"] if one["rule"] == "host-bound"]
        self.assertLess(max(saved, default=0), 100 * US)
        self.silent(advice, "sync-calls", "pageable-copies", "data-loader", "recomputation", "exposed-communication",
                    "layout-conversions", "allocator", "uneven-steps", "profiler-gaps")

    def test_sync_calls(self):
        program = Plan(3)

        def step(_):
            self.wait_between(program, 2000 * US, 900 * US)
        program.steps_of(step)
        finding = self.found(self.advice(program), "sync-calls", ".item()")
        self.assertIn("train.py(12): step", finding["title"])
        self.assertEqual(self.evidence(finding, "Python line"), "train.py(12): step")
        # Without it the host's 900 us are hidden behind the first kernel.
        self.near(finding, 900 * US)
        self.assertIn("waits for the GPU, once a step", finding["title"])
        rare = Plan(3)

        def logs(number):
            rare.kernel(GEMM, 2000 * US)
            if number < 3:
                rare.item()
                rare.work(MAIN, 900 * US)
            rare.kernel(GEMM, 300 * US)
        rare.steps_of(logs)
        self.found(self.advice(rare), "sync-calls", ".item() waits for the GPU, 2 times in 2 of 5 steps")
        self.assertEqual(finding["events"][0]["name"], "cudaMemcpyAsync")
        self.abstains(self.advice(program, without=API), "sync-calls", "no calls of the CUDA API")

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
        self.abstains(self.advice(program, without=API), "allocator", "no calls of the CUDA API")
        first = Plan(8)
        first.steps_of(lambda number: number == 1 and first.span("cuda_runtime", "cudaMalloc", 900 * US),
                       lambda _: first.kernel(GEMM, 50 * US))
        self.silent(self.advice(first), "allocator")

    def test_data_loader(self):
        single = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
        several = single.replace("SingleProcess", "MultiProcessing")

        def program(category, name, hidden=False):
            one = Plan(9)

            def step(_):
                if hidden:
                    one.kernel(GEMM, 5000 * US, "aten::mm")
                begin = one.now()
                one.span(category, name, 3000 * US)
                one.slice("gpu_user_annotation", name, 0, 7, begin, one.now())
                one.kernel(GEMM, 400 * US, "aten::mm")
            one.steps_of(step)
            return one
        for category, name in (("user_annotation", single), ("cpu_op", several), ("user_annotation", "MyDataLoader.__next__")):
            with self.subTest(name):
                finding = self.found(self.advice(program(category, name)), "data-loader")
                self.near(finding, 3000 * US)
                self.assertEqual(self.evidence(finding, "batches a step"), "1")
                self.assertEqual([event["name"] for event in finding["events"]], [name] * STEPS)
        self.silent(self.advice(program("user_annotation", "MyDataLoader.reset")), "data-loader")
        self.silent(self.advice(program("user_annotation", single, hidden=True)), "data-loader")
        recorded = Plan(9)
        recorded.steps_of(lambda _: recorded.kernel(GEMM, 400 * US))
        self.abstains(self.advice(recorded), "data-loader", "no operators of PyTorch")

    def test_a_loader_that_other_work_waits_for(self):
        # The thread that loads has as much to do; the step waits for its end.
        program = Plan(9)

        def step(_):
            begin = program.now()
            if LOADER in program.thread:
                program.work(LOADER, begin - program.now(LOADER))
            else:
                program.thread[LOADER] = program.add(make_paths.Node("cpu", "aten::stack", 0, [], at=begin))
            program.work(LOADER, 2000 * US)
            program.slice("cpu_op", "aten::stack", PROCESS, LOADER, begin, program.now(LOADER))
            program.append(MAIN, "synchronization", "(another thread)", 10 * US, [program.thread[LOADER]])
            program.slice("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", PROCESS, MAIN,
                          begin, program.now())
            program.kernel(GEMM, 400 * US, "aten::mm")
        program.steps_of(step)
        self.near(self.found(self.advice(program), "data-loader"), 2010 * US)

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
        self.abstains(self.advice(self.uneven(lambda *_: None, count=2)), "uneven-steps", "three steps")

    def uneven(self, third, kernels=10, count=STEPS):
        """Steps of kernels of 100 us, of which the third does something of its own; that says how long its kernels are."""
        program = Plan(10)

        def step(number):
            longer = number == 3 and third(program)
            for _ in range(kernels):
                program.kernel(GEMM, longer or 100 * US, "aten::linear")
        program.steps_of(step, count=count)
        return program

    def test_a_step_of_slower_kernels(self):
        finding = self.found(self.advice(self.uneven(lambda _: 200 * US)), "uneven-steps")
        self.assertIn("took 2.00 times as long, 1.000 ms more", self.evidence(finding, "step 3"))
        self.near(finding, 1000 * US)
        self.assertEqual(finding["steps"], 1)
        self.assertIn(GEMM[:5], finding["events"][0]["name"])

    def test_a_pause_with_its_python_line(self):
        def pause(program):
            begin = program.now()
            program.work(MAIN, 700 * US)
            program.kernel(GEMM, 100 * US, "aten::linear")
            program.slice("python_function", "train.py(7): load", PROCESS, MAIN, begin, program.now())
        finding = self.found(self.advice(self.uneven(pause)), "uneven-steps")
        self.assertIn("train.py(7): load", self.evidence(finding, "step 3"))
        self.assertIn("launches nothing", finding["events"][0]["name"])

    def test_steps_a_little_longer_are_not_uneven(self):
        def work(us):
            return lambda program: program.work(MAIN, us * US) and None
        self.silent(self.advice(self.uneven(work(80))), "uneven-steps")  # a twelfth
        self.found(self.advice(self.uneven(work(200))), "uneven-steps")  # a fifth
        self.silent(self.advice(self.uneven(work(40), kernels=1)), "uneven-steps")  # a third, but little

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
        self.abstains(self.advice(program, without=API), "profiler-gaps", "no calls of the CUDA API")

    def test_what_the_profiler_costs_is_not_the_program(self):
        # One step is longer for the profiler alone: it is not uneven, and what the program could change comes first.
        program = Plan(15)

        def step(number):
            if number == 3:
                begin = program.now()
                program.work(MAIN, 9000 * US)
                program.slice("overhead", "Activity Buffer Request", PROCESS, 77, begin, program.now())
            program.kernel(GEMM, 2000 * US)
            program.item()
            program.work(MAIN, 900 * US)
            program.kernel(GEMM, 300 * US)
        program.steps_of(step)
        advice = self.advice(program)
        self.silent(advice, "uneven-steps")
        rules = [one["rule"] for one in advice["findings"] if not one["abstained"]]
        self.assertEqual(rules[-1], "profiler-gaps")
        self.assertGreater(len(rules), 1)
        self.near(self.found(advice, "profiler-gaps"), 9000 * US)

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
        self.abstains(self.advice(program("aten::outer"), without=("cpu_op",)), "recomputation", "no operators of PyTorch")

    def test_a_single_rank(self):
        program = Plan(17)
        program.steps_of(lambda _: program.kernel(GEMM, 300 * US))
        self.silent(self.advice(program), "stragglers")
        self.abstains(self.advice(program, distributedInfo={"rank": 0, "world_size": 8}), "stragglers", "all ranks")

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

    def test_a_slow_rank_for_which_nobody_waits_is_no_finding(self):
        for rank, program in enumerate(make_paths.make_job(4, 8)):
            make_paths.write(program, self.folder / f"rank{rank}.json",
                             distributedInfo={"rank": rank, "world_size": 2})
        causes = subprocess.run([KSCOPE, "ranks", self.folder], capture_output=True, text=True, check=True, timeout=120)
        self.assertIn("although no rank waited for it", " ".join(causes.stdout.split()))
        found = [one["title"] for one in self.checked(json.loads(run("--json", self.folder).stdout))["findings"]
                 if one["rule"] == "stragglers"]
        self.assertTrue(found)
        self.assertFalse([title for title in found if "no rank waited" in title])

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
        for words in ("Advice", "host-bound", "saves up to", "Not checked", "Nothing found"):
            self.assertIn(words, text)
        markdown = run("--markdown", self.path).stdout
        for output in (text, markdown):
            self.assertNotIn("\x1b", output)
            self.assertNotIn("<script>", output.replace("\\<script\\>", "") if output is markdown else "")
        self.assertIn("# Advice", markdown)
        for path, words in ((self.folder / "none.json", "does not exist"),):
            self.assertIn(words, run(path, code=2).stderr)
        self.assertIn("no trace given", run(code=2).stderr)
        (self.folder / "empty.json").write_text('{"traceEvents": []}')
        self.assertIn("nothing to analyse", run(self.folder / "empty.json", code=2).stderr)

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
