#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Predictions against the truth: predict.py KSCOPE OUT [PROGRAM…]. Each program runs before and after a change, recorded in
turn. From each trace of the program before, kscope says how long a step will be after; the medians of the recordings are
compared. Traces and answers go to the folder OUT. One table, and what the steps after are made of; exit 1 when a
prediction is off by more than 5 % of the profiled step.

Steps end in a synchronisation, so that a step's length is what it takes and not how far the host runs ahead. Without a
profiler the same share of the step is predicted; of a CUDA graph the step itself, because what is left is the GPU's, which a
profiler does not stretch."""

import json
import pathlib
import re
import statistics
import subprocess
import sys
import time

import torch

KSCOPE, OUT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
ROUNDS, STEPS, WALL_STEPS, WARM = 3, 20, 60, 10
BAR = 0.05


def kscope(*arguments):
    return json.loads(subprocess.run([KSCOPE, *map(str, arguments), "--json"], check=True, capture_output=True).stdout)


def profiled(step, path):
    """A trace of some steps, and their median length by kscope."""
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    schedule = torch.profiler.schedule(wait=1, warmup=3, active=STEPS)
    with torch.profiler.profile(activities=activities, schedule=schedule, record_shapes=True) as profile:
        for _ in range(4 + STEPS):
            step()
            torch.cuda.synchronize()
            profile.step()
    profile.export_chrome_trace(str(path))
    steps = kscope("path", path)["steps"]
    return median(steps), parts_of(steps)


def parts_of(steps):
    """Mean microseconds a step of each kind of part of the critical path."""
    kinds = {}
    for step in steps:
        for part in step["parts"]:
            kinds[part["kind"]] = kinds.get(part["kind"], 0) + part["ns"] / len(steps) / 1e3
    return kinds


def median(steps):
    return statistics.median(step["length_ns"] for step in steps) / 1e3


def wall(step):
    """Median microseconds of a step without a profiler."""
    times = []
    for _ in range(WALL_STEPS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        step()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e6)
    return statistics.median(times)


def costliest_kernel_us(*functions):
    """Median microseconds of the costliest kernel of each, launched in turn, by a trace."""
    path = OUT / "alone.json"
    for _ in range(WARM):
        for function in functions:
            function()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        for _ in range(20):
            for function in functions:
                function()
        torch.cuda.synchronize()
    profile.export_chrome_trace(str(path))
    kernels = sorted((event for event in json.loads(path.read_text())["traceEvents"] if event.get("cat") == "kernel"),
                     key=lambda event: event["ts"])
    each = len(kernels) // 20 // len(functions)  # a product is one kernel, or some
    times = [sum(kernel["dur"] for kernel in kernels[i:i + each]) for i in range(0, len(kernels), each)]
    return [statistics.median(times[place::len(functions)]) for place in range(len(functions))]


def costliest_kernel(path):
    events = json.loads(pathlib.Path(path).read_text())["traceEvents"]
    times = {}
    for event in events:
        if event.get("cat") == "kernel":
            times[event["name"]] = times.get(event["name"], 0) + event["dur"]
    return max(times, key=times.get)


def by_what_if(path, change):
    steps = kscope("path", path, "--what-if", change)["steps"]
    return statistics.median(step["what_if"][0]["length_ns"] for step in steps) / 1e3, change


def by_finding(path, rule, holds=""):
    """The mean step without what a finding is about."""
    found = [one for one in kscope("advise", path)["findings"]
             if one["rule"] == rule and holds in one["title"] and not one["abstained"]]
    if not found:
        return statistics.median(step["length_ns"] for step in kscope("path", path)["steps"]) / 1e3, f"no finding {rule}"
    (OUT / (path.stem + ".finding.json")).write_text(json.dumps(found[0], indent=1))
    return (found[0]["step_ns"] - found[0]["saves_ns"]) / 1e3, f"finding {rule}"


def perceptron(width, layers):
    return torch.nn.Sequential(*(module for _ in range(layers) for module in (
        torch.nn.Linear(width, width), torch.nn.GELU(), torch.nn.LayerNorm(width)))).cuda()


def training(model, data, check=False, capturable=False):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, capturable=capturable)

    def step():
        optimizer.zero_grad()
        loss = model(data()).square().mean()
        if check and loss.item() > 1e30:
            raise RuntimeError("the loss has no bounds")
        loss.backward()
        optimizer.step()
    return step


# Each: the step before, the step after, and what predicts it from the trace before.

def faster_kernel():
    """Products in fp32 become TensorFloat-32; how much faster the kernel is, is measured by itself."""
    left, right = (torch.randn(4096, 4096, device="cuda") for _ in range(2))
    norm = torch.nn.LayerNorm(4096).cuda()

    def step():
        value = left
        for _ in range(4):
            value = norm(torch.nn.functional.gelu(value @ right))

    def with_precision(precision, function):
        def run():
            torch.set_float32_matmul_precision(precision)
            function()
        return run
    times = costliest_kernel_us(*(with_precision(precision, lambda: left @ right) for precision in ("highest", "high")))

    def predict(path):
        return by_what_if(path, f"kernel:/^{re.escape(costliest_kernel(path))}$/={times[1] / times[0]:.4f}")
    return with_precision("highest", step), with_precision("high", step), predict


def no_item():
    """The loss is read back in the middle of each step, and then no more."""
    # Enough rows that the GPU is behind the host when the loss is read.
    model, data = perceptron(2048, 12), torch.randn(16384, 2048, device="cuda")
    return (training(model, lambda: data, check=True), training(model, lambda: data),
            lambda path: by_finding(path, "sync-calls", ".item()"))


def cuda_graph():
    """A training step of small kernels, launched one by one and then as a CUDA graph."""
    model, data = perceptron(512, 6), torch.randn(256, 512, device="cuda")
    step = training(model, lambda: data, capturable=True)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    captured = training(model, lambda: data, capturable=True)
    with torch.cuda.stream(side):
        for _ in range(3):
            captured()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        captured()
    return step, graph.replay, lambda path: by_finding(path, "host-bound")


def pinned_copy():
    """A batch of 128 MiB from pageable memory, then from pinned memory; the labels are pinned in both."""
    model = perceptron(2048, 4)
    batches = [torch.randn(16384, 2048) for _ in range(2)]
    batches[1] = batches[1].pin_memory()
    labels = torch.randn(2048, 2048).pin_memory()

    def data(batch):
        def copy():
            moved = labels.to("cuda", non_blocking=True)
            return batch.to("cuda", non_blocking=batch.is_pinned()) + moved.mean()
        return copy
    return (training(model, data(batches[0])), training(model, data(batches[1])),
            lambda path: by_finding(path, "pageable-copies"))


PROGRAMS = [("a faster kernel", faster_kernel), ("no .item()", no_item), ("a CUDA graph", cuda_graph),
            ("a pinned batch", pinned_copy)]


def compared(name, make):
    """A row: medians of the recordings before, predicted and after, and of the steps without a profiler."""
    torch.manual_seed(0)
    before, after, predict = make()
    for step in (before, after):
        for _ in range(WARM):
            step()
    lengths, predicted, lengths_after, walls, parts = [], [], [], [], []
    for number in range(ROUNDS):
        files = [OUT / f"{make.__name__}_{when}{number}.json" for when in ("before", "after")]
        walls.append((wall(before), wall(after)))
        lengths.append(profiled(before, files[0])[0])
        length, kinds = profiled(after, files[1])
        lengths_after.append(length)
        parts.append(kinds)
        us, by = predict(files[0])
        predicted.append(us)
    wall_before, wall_after = (statistics.median(times) for times in zip(*walls))
    step, guess, truth = (statistics.median(times) for times in (lengths, predicted, lengths_after))
    wall_guess = guess if make is cuda_graph else guess / step * wall_before
    return {"program": name, "before_us": lengths, "predicted_us": predicted, "after_us": lengths_after,
            "medians_us": [step, guess, truth], "wall_us": [wall_before, wall_guess, wall_after], "all_walls_us": walls,
            "off": [guess / truth - 1, wall_guess / wall_after - 1], "by": by, "after_parts_us": parts}


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    print(torch.__version__, torch.cuda.get_device_name())
    print(f"{'program':16} {'before':>10} {'predicted':>10} {'after':>10} {'off':>8}   "
          f"{'before':>10} {'predicted':>10} {'after':>10} {'off':>8}  by")
    print(f"{'':16} {f'µs with the profiler, medians of {ROUNDS} recordings':^41}   {'µs without it':^41}")
    missed, rows = 0, []
    for name, make in PROGRAMS:
        if len(sys.argv) > 3 and make.__name__ not in sys.argv[3:]:
            continue
        row = compared(name, make)
        rows.append(row)
        profiled_us, wall_us, off = row["medians_us"], row["wall_us"], row["off"]
        missed += abs(off[0]) > BAR
        print(f"{name:16} {profiled_us[0]:10.1f} {profiled_us[1]:10.1f} {profiled_us[2]:10.1f} {off[0]:8.1%}   "
              f"{wall_us[0]:10.1f} {wall_us[1]:10.1f} {wall_us[2]:10.1f} {off[1]:8.1%}  {row['by'][:60]}")
        for number in range(ROUNDS):
            parts = sorted(row["after_parts_us"][number].items(), key=lambda part: -part[1])
            print(f"    recording {number}: before {row['before_us'][number]:.1f}, "
                  f"predicted {row['predicted_us'][number]:.1f}, after {row['after_us'][number]:.1f}: "
                  f"{', '.join(f'{kind} {us:.1f}' for kind, us in parts)}", flush=True)
        torch.cuda.empty_cache()
    (OUT / "predict.json").write_text(json.dumps(rows, indent=1))
    print(f"{missed} of {len(rows)} predictions are off by more than {BAR:.0%} of the profiled step")
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
