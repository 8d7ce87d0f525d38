# SPDX-License-Identifier: Apache-2.0
"""kscope advise on programs with one thing planted in their kernels and copies: usage advise_kernels_cli.py KSCOPE
GPUS_JSON. Each rule finds what it is for, with what a rerun without it saves, says why where the trace does not let it
judge, and is silent elsewhere."""
import sys
import unittest

import make_paths
from advise_plan import API, DEVICE, ELEMENTWISE, GEMM, GPU, STEPS, WORK, AdviceTest, Plan
from make_paths import MAIN, PROCESS, US


class KernelAdvice(AdviceTest):
    def product(self, name, kind, duration, size=4096, shapes=True):
        program = Plan(4)
        dims = [[size, size], [size, size]] if shapes else None
        program.steps_of(lambda _: program.kernel(name, duration, "aten::mm", dims, kind))
        return program

    def test_without_gpu_work(self):
        advice = self.advice(self.product(GEMM, "float", 100 * US), without=WORK)
        abstained = {one["rule"] for one in advice["findings"] if "no kernels, copies or memsets" in one["abstained"]}
        self.assertEqual(abstained, {"host-bound", "sync-calls", "slow-products", "below-roof", "exposed-communication",
                                     "tiny-kernels", "pageable-copies", "exposed-copies", "unfilled-gpu", "layout-conversions",
                                     "clock-drops"})

    def test_slow_products(self):
        program = self.product("sgemm_128x128x8", "float", 3000 * US)
        finding = self.found(self.advice(program), "slow-products")
        peaks = GPU["tflop_per_s"]
        self.near(finding, 3000 * US * (1 - peaks["fp32"] / peaks["tf32"]), 0.05)
        self.assertEqual(self.evidence(finding, "operators"), "aten::mm")
        self.abstains(self.advice(program, devices=[dict(DEVICE, name="GPU of tomorrow")]), "slow-products", "not known")
        self.silent(self.advice(self.product(GEMM, "c10::BFloat16", 3000 * US)), "slow-products")
        self.silent(self.advice(self.product("cutlass_80_tensorop_s1688gemm_128x128", "float", 3000 * US)), "slow-products")

    def test_below_roof(self):
        program = self.product(GEMM, "c10::BFloat16", 2000 * US)
        finding = self.found(self.advice(program), "below-roof")
        roof = 2 * 4096**3 / GPU["tflop_per_s"]["bf16"] * 1e-3
        self.near(finding, 2000 * US - roof)
        self.assertIn("of its roof (compute", finding["title"])
        self.abstains(self.advice(program, devices=[dict(DEVICE, name="GPU of tomorrow")]), "below-roof", "not known")
        self.silent(self.advice(self.product(GEMM, "c10::BFloat16", int(1.5 * roof))), "below-roof")
        unknown = self.product(GEMM, "c10::BFloat16", 2000 * US, shapes=False)
        self.abstains(self.advice(unknown), "below-roof", "record_shapes=True")

    def test_below_the_roof_of_memory(self):
        # 64 Mi floats are read and 64 Mi written; at half the bandwidth and at a quarter of it.
        floats = 64 << 20
        roof = 2 * 4 * floats / GPU["memory_gb_per_s"]

        def program(part):
            one = Plan(4)
            one.steps_of(lambda _: one.kernel(ELEMENTWISE, int(roof / part), "aten::relu", [[floats]]))
            return one
        finding = self.found(self.advice(program(0.25)), "below-roof", "25 % of its roof (memory")
        self.near(finding, 3 * roof)
        self.silent(self.advice(program(0.6)), "below-roof")

    def test_the_three_kernels_with_most_to_gain(self):
        program = Plan(4)
        times = [700, 900, 600, 1000, 800]
        program.steps_of(lambda _: [program.kernel(f"gemm_{us}", us * US, "aten::mm", [[2048, 2048]] * 2, "c10::Half")
                                    for us in times])
        found = [one["title"] for one in self.advice(program)["findings"] if one["rule"] == "below-roof"]
        self.assertEqual([title.rsplit("gemm_", 1)[1] for title in found], ["1000", "900", "800"])

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
        alone = Plan(5)
        alone.steps_of(lambda _: alone.kernel(GEMM, 500 * US))
        self.silent(self.advice(alone), "exposed-communication")

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
        self.abstains(self.advice(program, without=API), "tiny-kernels", "no calls of the CUDA API")

    def tiny(self, works):
        """A step launches these kernels of 3 us, on their streams, and longer ones."""
        program = Plan(6)

        def step(_):
            program.kernel(GEMM, 30 * US)
            for name, stream in works:
                program.kernel(name, 3 * US, "aten::add", stream=stream)
            program.kernel(GEMM, 30 * US)
        program.steps_of(step)
        return self.advice(program)

    def test_what_is_a_run_of_tiny_kernels(self):
        one, other = (ELEMENTWISE, 7), (ELEMENTWISE, 20)
        self.silent(self.tiny([one] * 2), "tiny-kernels")
        finding = self.found(self.tiny([one] * 3), "tiny-kernels", "3 tiny kernels a step could be 1")
        self.assertEqual(self.evidence(finding, "runs a step"), "1")
        self.found(self.tiny([one] * 2 + [("softmax_warp_forward", 7), ("layer_norm_kernel", 7)]), "tiny-kernels", "4 tiny")
        self.silent(self.tiny([one, one, (GEMM, 7)] * 3), "tiny-kernels")  # a product lies between
        self.silent(self.tiny([one, other] * 2), "tiny-kernels")  # two on each stream
        self.found(self.tiny([one, other] * 3), "tiny-kernels", "6 tiny kernels a step could be 2")

    def test_tiny_kernels_of_two_steps_are_no_run(self):
        program = Plan(6)
        program.steps_of(lambda _: [program.kernel(ELEMENTWISE, 3 * US, "aten::add") for _ in range(2)])
        self.silent(self.advice(program), "tiny-kernels")

    def test_tiny_kernels_of_a_graph_are_launched_at_once(self):
        program = Plan(6)

        def step(_):
            call = program.call("cudaGraphLaunch", MAIN, 9 * US)
            for _ in range(8):
                program.operation(ELEMENTWISE, 7, 3 * US, call, graph=5)
        program.steps_of(step)
        self.silent(self.advice(program), "tiny-kernels")

    def copy(self, name, duration, size, behind=0, then=0):
        """`behind`: the call returns so long before the copy is over. `then`: what the host does before the next launch."""
        program = Plan(7)

        def step(_):
            begin = program.now()
            program.correlation += 1
            call = program.append(MAIN, "launch", "cudaMemcpyAsync", 0)
            copy = program.operation(name, 7, duration, call, category="gpu_memcpy", bytes=size)
            done = program.append(MAIN, "synchronization", "cudaMemcpyAsync", 2 * US, [copy])
            program.slice("cuda_runtime", "cudaMemcpyAsync", PROCESS, MAIN, begin, done.end - (behind and behind + 2 * US),
                          correlation=program.correlation)
            program.work(MAIN, then)
            program.kernel(GEMM, 300 * US)
        program.steps_of(step)
        return program

    def test_the_host_works_on_beside_a_pinned_copy(self):
        # 1.27 ms of copying are hidden behind what the host does meanwhile.
        program = self.copy("Memcpy HtoD (Pageable -> Device)", 8000 * US, 80_000_000, then=3000 * US)
        self.near(self.found(self.advice(program), "pageable-copies"), 8002 * US)

    def test_pageable_copies(self):
        program = self.copy("Memcpy HtoD (Pageable -> Device)", 8000 * US, 80_000_000)
        finding = self.found(self.advice(program), "pageable-copies")
        self.near(finding, 8000 * US - 80_000_000 / 63)
        self.assertIn("10.0 GB/s", finding["title"])
        early = self.copy("Memcpy HtoD (Pageable -> Device)", 8000 * US, 80_000_000, behind=30 * US)
        self.near(self.found(self.advice(early), "pageable-copies"), 8000 * US - 80_000_000 / 63)
        self.silent(self.advice(self.copy("Memcpy HtoD (Pinned -> Device)", 2000 * US, 80_000_000)), "pageable-copies")
        self.silent(self.advice(self.copy("Memcpy HtoD (Pageable -> Device)", 900 * US, 65_535)), "pageable-copies")
        self.abstains(self.advice(program, without=API), "pageable-copies", "no calls of the CUDA API")

    def test_exposed_copies(self):
        offload = self.copy("Memcpy HtoD (Pinned -> Device)", 2000 * US, 80_000_000)
        advice = self.advice(offload)
        finding = self.found(advice, "exposed-copies", "exposed for 2.000 ms a step: Memcpy HtoD (Pinned")
        self.near(finding, 2000 * US)
        self.assertEqual((self.evidence(finding, "rate"), self.evidence(finding, "copies a step")), ("40.0 GB/s", "1"))
        self.assertEqual(self.evidence(finding, "bytes a step"), "76.3 MiB")
        self.found(self.advice(self.copy("Memcpy DtoH (Device -> Pinned)", 2000 * US, 80_000_000)), "exposed-copies")
        for name in ("Memcpy DtoD (Device -> Device)", "Memcpy HtoD (Pageable -> Device)"):
            self.silent(self.advice(self.copy(name, 2000 * US, 80_000_000)), "exposed-copies")

    def test_exposed_copies_of_two_gpus(self):
        """All figures are of one GPU on average, and the rate is their quotient."""
        offload = self.copy("Memcpy HtoD (Pinned -> Device)", 2000 * US, 80_000_000)
        for event in [event for event in offload.events if event["cat"] == "gpu_memcpy"]:
            args = {**event["args"], "device": 1, "bytes": 40_000_000, "correlation": 0}
            offload.events.append({**event, "pid": 1, "dur": 500 * US, "args": args})
        finding = self.found(self.advice(offload, devices=(DEVICE, {**DEVICE, "id": 1})), "exposed-copies",
                             "exposed for 1.250 ms a step on each of 2 GPUs, on average: ")
        self.assertEqual([self.evidence(finding, f"{figure} a step and GPU") for figure in ("copies", "bytes", "time of them", "exposed")],
                         ["1", "57.2 MiB", "1.250 ms", "1.250 ms"])
        self.assertEqual(self.evidence(finding, "rate of a GPU"), "48.0 GB/s")

    def test_copies_beside_kernels_are_not_exposed(self):
        program = Plan(7)

        def step(_):
            program.kernel(GEMM, 3000 * US)
            call = program.call("cudaMemcpyAsync", MAIN, 4 * US)
            program.operation("Memcpy HtoD (Pinned -> Device)", 20, 2000 * US, call, category="gpu_memcpy", bytes=1 << 20)
        program.steps_of(step)
        self.silent(self.advice(program), "exposed-copies")

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
        self.silent(self.advice(program(grid=[110, 1, 1], block=[128, 1, 1])), "unfilled-gpu")  # five of six
        short = Plan(11)
        short.steps_of(lambda _: [short.kernel(GEMM, 19 * US, grid=[10, 1, 1], block=[128, 1, 1]) for _ in range(20)])
        self.silent(self.advice(short), "unfilled-gpu")

    def test_layout_conversions(self):
        program = Plan(12)

        def step(_):
            program.kernel("void cudnn::ops::nchwToNhwcKernel<float>()", 700 * US)
            program.kernel(GEMM, 300 * US)
        program.steps_of(step)
        self.near(self.found(self.advice(program), "layout-conversions"), 700 * US)
        products = Plan(12)
        products.steps_of(lambda _: products.kernel(GEMM, 300 * US, "aten::mm"))
        self.silent(self.advice(products), "layout-conversions")

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
        self.silent(self.advice(program, counters=samples(lambda ts: 1900 if ts > half else 2000)), "clock-drops")
        program.events = [event for event in program.events if event["ph"] != "C"]
        mostly = samples(lambda ts: 2000 if ts > half else 1000)
        finding = self.found(self.advice(program, counters=mostly), "clock-drops", "1000 of 2000")
        self.assertEqual(finding["steps"], STEPS - 1)
        program.events = [event for event in program.events if event["ph"] != "C"]
        tenth = samples(lambda ts: 1800 if ts > half else 2000)
        self.found(self.advice(program, counters=tenth), "clock-drops", "1800 of 2000")
        program.events = [event for event in program.events if event["ph"] != "C"]
        rare = samples(lambda ts: 2600 if ts // (10 * US) % 20 == 0 else 2000)  # one sample of twenty
        self.silent(self.advice(program, counters=rare), "clock-drops")
        program.events = [event for event in program.events if event["ph"] != "C"]
        self.abstains(self.advice(program), "clock-drops", "no GPU clock samples")


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[3:]
    unittest.main()
